/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.h - what happens inside a slice: system calls and CPU samples. */
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

struct inside {
	uint64_t calls;     /* system calls that began */
	int64_t call_ticks; /* spent in them */
	int64_t silent;     /* nanoseconds of silences outside of these */
	uint32_t samples;   /* the newest group, plus one; 0: none */
	uint64_t taken;     /* samples in all groups */
};

/* The samples inside all slices that run or are kept. */
struct insides {
	const struct gtrace_allocator *memory;
	struct array groups; /* struct sample_group */
	uint32_t free_group; /* plus one; 0: none */
};

void gti_insides_free(struct insides *insides);

/*
 * Adds a CPU sample with the stack with the handle STACK to INSIDE. Returns
 * false if there is no memory.
 */
bool gti_inside_sample(struct insides *insides, struct inside *inside,
		       uint64_t stack);

/* The samples of INSIDE, if it has some, are not needed any more. */
void gti_inside_free_samples(struct insides *insides, struct inside *inside);

/*
 * In the silences of a slice its thread may have been on a CPU for so long: the
 * runtime looks every 10 ms whether a goroutine has run for 10 ms.
 */
#define SILENCE_RAN INT64_C(20000000)

/* How long the thread had no CPU, at least. */
static inline int64_t inside_off_cpu(const struct inside *inside)
{
	return inside->silent > SILENCE_RAN ? inside->silent - SILENCE_RAN : 0;
}

static inline struct sample_group *insides_group(const struct insides *insides,
						 uint32_t number)
{
	return (struct sample_group *)insides->groups.items + number - 1;
}

static inline void inside_free_samples(struct insides *insides,
				       struct inside *inside)
{
	if (inside->samples != 0)
		gti_inside_free_samples(insides, inside);
}

#endif /* GTRACE_ANALYSIS_INSIDE_H_ */
