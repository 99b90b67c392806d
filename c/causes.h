/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.h - for what goroutines could not go on, as a summary gets it. */
#ifndef GTRACE_CAUSES_H_
#define GTRACE_CAUSES_H_

#include "analysis/judged.h"
#include "base/causes_made.h"
#include "run.h"

/*
 * What a run has to find causes. Their stacks have names of their own, so that
 * they can be found beside all else.
 */
struct cause_work {
	struct run *run;
	struct run aside; /* names and frames, the context of `causes` */
	struct causes causes;
	struct judged judged;
	struct array holds; /* see gti_prepare_holders() */
};

/* The stream of the pass of RUN has causes. False: there is no memory. */
bool gti_want_causes(struct run *run);

/* The format forgets its stacks: nothing of the causes of RUN needs them. */
void gti_forget_cause_stacks(struct run *run);

/* Puts what is known of those who held locks in order, after the pass. */
void gti_prepare_holders(struct run *run);

/*
 * Sets the holders of TO, a lock where goroutines are blocked at the stack
 * NAMED, of the names of blocks.
 */
void gti_make_holders(struct run *run, uint32_t named,
		      struct gtrace_block_place *to);
void gti_free_holders(struct run *run);

/*
 * Makes what was found in a trace of LENGTH, in which processors were IDLE for
 * so long in all, and of whose waits for a processor WAITS tells. What it
 * points to is in the arena of RUN.
 */
void gti_make_causes(struct run *run, int64_t length, int64_t idle,
		     const struct gtrace_wait_report *waits,
		     struct causes_made *to);

void gti_end_causes(struct run *run);

/*
 * Whether the system call at the stack of the COUNT frames at FRAMES waits for
 * others as it is called: not on a file that is read at once, or by polling.
 */
bool gti_waits_in_call(const struct gtrace_frame *frames, size_t count);

/* For struct causes, whose CONTEXT is `aside` of its struct cause_work. */
void gti_look_at_cause(void *context, uint32_t stack, struct cause_stack *to);
uint32_t gti_cause_root(void *context, uint32_t stack);
enum cause_root gti_judge_root(void *context, uint32_t root);

#endif /* GTRACE_CAUSES_H_ */
