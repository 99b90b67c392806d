/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.h - what happens inside a slice: system calls and CPU samples. */
#ifndef GTRACE_ANALYSIS_INSIDE_H_
#define GTRACE_ANALYSIS_INSIDE_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"

/* Samples of one stack that follow each other, in a list. */
struct sample_group {
	struct sample_group *next;
	uint64_t stack; /* handle */
	uint64_t count;
};

struct inside {
	uint64_t calls;     /* system calls that began */
	int64_t call_ticks; /* spent in them */
	/* Nanoseconds of silences outside of these; and of them, without a CPU:
	 */
	int64_t silent;
	int64_t certain;
	int64_t likely;               /* with that which is certain */
	unsigned silent_class;        /* the weakest one */
	struct sample_group *samples; /* the newest first */
	uint64_t taken;               /* samples in all groups */
};

/* The samples inside all slices that run or are kept. */
struct insides {
	struct pool groups; /* struct sample_group */
};

/* Prepares for samples. Takes no memory yet. */
void gti_insides_init(struct insides *insides,
		      const struct gtrace_allocator *memory);
void gti_insides_free(struct insides *insides);

/*
 * Adds a CPU sample with the stack with the handle STACK to INSIDE. Returns
 * false if there is no memory.
 */
bool gti_inside_sample(struct insides *insides, struct inside *inside,
		       uint64_t stack);

/* The samples of INSIDE, if it has some, are not needed any more. */
void gti_inside_free_samples(struct insides *insides, struct inside *inside);

static inline void inside_free_samples(struct insides *insides,
				       struct inside *inside)
{
	if (inside->samples != NULL)
		gti_inside_free_samples(insides, inside);
}

#endif /* GTRACE_ANALYSIS_INSIDE_H_ */
