/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof.h - a profile as `go tool pprof` reads it: the message Profile of
 * github.com/google/pprof/proto/profile.proto, not compressed.
 *
 * A sample has two values, a count and a time, a stack, and labels. Samples
 * that differ in nothing but their values are added up, so memory is that of
 * the distinct stacks and goroutines.
 */
#ifndef GTRACE_REPORT_PPROF_H_
#define GTRACE_REPORT_PPROF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/texts.h"

/* Samples of any goroutine, without a label for it. */
#define PPROF_ANY_G UINT64_MAX

struct pprof {
	const struct gtrace_allocator *memory;
	struct texts strings;   /* number 0 is the empty one */
	struct texts functions; /* struct pprof_function */
	struct texts locations; /* struct pprof_location */
	struct texts stacks;    /* uint32_t: numbers of locations */
	struct texts keys;      /* struct pprof_key */
	struct array samples;   /* struct pprof_sample, by key */
	size_t labelled;        /* samples that have a goroutine */
	uint32_t last_stack;    /* of `stacks`; what was added to last */
	uint32_t last_work;     /* of `strings` */
	uint32_t *stack;        /* a buffer for one of `stack_max` frames */
	size_t stack_max;
};

/* What a sample is added to. */
struct pprof_add {
	bool again; /* the stack and the work are those of the last call */
	/* Innermost first. Count 0: the one function NOTHING, a constant. */
	const struct gtrace_frame *frames;
	size_t count;
	const char *nothing;
	const char *work; /* a label, a constant */
	uint64_t g;       /* a label, or PPROF_ANY_G */
};

/* What the profile is of. */
struct pprof_head {
	const char *what;  /* the type of the count, such as "slices" */
	const char *trace; /* the trace's name; NULL: none */
	int64_t length;    /* of the trace */
	bool in_ticks;     /* the unit of times: not nanoseconds */
};

/*
 * Prepares PPROF for stacks of up to STACK_MAX frames. Returns false if there
 * is no memory; then nothing can be added.
 */
bool gti_pprof_init(struct pprof *pprof, size_t stack_max,
		    const struct gtrace_allocator *memory);

void gti_pprof_free(struct pprof *pprof);

/* Adds COUNT and TIME. Returns false if there is no memory. */
bool gti_pprof_add(struct pprof *pprof, const struct pprof_add *to,
		   uint64_t count, uint64_t time);

/* Writes the profile. Returns false, having written nothing, without memory. */
bool gti_pprof_write(struct pprof *pprof, const struct pprof_head *head,
		     struct writer *writer);

#endif /* GTRACE_REPORT_PPROF_H_ */
