/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside.h - what happens inside a slice: system calls and CPU samples.
 *
 * A slice that runs has a record from its first system call or sample on. What
 * keeps the slice while it runs keeps the record's number, 0 for none, and
 * does not reset it: a record knows its slice by the event that starts that,
 * and serves the next slice when it is asked for one. So slices in which
 * nothing of the kind happens cost nothing.
 */
#ifndef GTRACE_ANALYSIS_INSIDE_H_
#define GTRACE_ANALYSIS_INSIDE_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* Samples of one stack that follow each other, in a list. */
struct sample_group {
	uint64_t stack; /* handle */
	uint64_t count;
	uint32_t next; /* plus one; 0: none */
};

/* What happened inside a slice that has ended. */
struct inside {
	uint64_t calls;     /* system calls that began */
	int64_t call_ticks; /* spent in them */
	uint32_t samples;   /* the newest group, plus one; 0: none */
};

/* The same of a slice that runs. */
struct inside_record {
	uint64_t slice; /* ordinal of the event that starts it */
	struct inside found;
	bool in_call;       /* a system call is under way */
	int64_t call_since; /* ticks */
	uint32_t next_free; /* plus one; 0: none */
};

struct insides {
	const struct gtrace_allocator *memory;
	struct array records; /* struct inside_record */
	struct array groups;  /* struct sample_group */
	uint32_t free_record; /* plus one; 0: none */
	uint32_t free_group;  /* likewise */
};

/* A slice that runs, and the number of its record. */
struct inside_slice {
	uint32_t *number;
	uint64_t slice;
	int64_t start; /* ticks */
};

void gti_insides_free(struct insides *insides);

/* A system call begins in SLICE. Returns false if there is no memory. */
bool gti_inside_call(struct insides *insides, struct inside_slice slice,
		     int64_t ticks);

/* The system call that SLICE is in ends. Likewise. */
bool gti_inside_return(struct insides *insides, struct inside_slice slice,
		       int64_t ticks);

/* A CPU sample with the stack with the handle STACK is taken. Likewise. */
bool gti_inside_sample(struct insides *insides, struct inside_slice slice,
		       uint64_t stack);

/*
 * The slice ends at TICKS, IN_CALL if in a system call. Returns what happened
 * inside; the samples are the caller's, who gives them to
 * gti_inside_free_samples().
 */
struct inside gti_inside_take(struct insides *insides, uint32_t number,
			      uint64_t slice, int64_t start, int64_t ticks,
			      bool in_call);

void gti_inside_free_samples(struct insides *insides, uint32_t samples);

/* No slice will ask for the record NUMBER any more. */
void gti_inside_forget(struct insides *insides, uint32_t number);

static inline const struct sample_group *
insides_group(const struct insides *insides, uint32_t number)
{
	return (const struct sample_group *)insides->groups.items + number - 1;
}

#endif /* GTRACE_ANALYSIS_INSIDE_H_ */
