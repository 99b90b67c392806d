/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - all slices, added up by the stack at which they end, and how
 * their lengths are distributed.
 *
 * Stacks are handles here. The front end gives them names, after the pass or
 * whenever the format is about to forget them, and then empties the table.
 */
#ifndef GTRACE_ANALYSIS_PROFILE_H_
#define GTRACE_ANALYSIS_PROFILE_H_

#include <stdbool.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "analysis/slices.h"
#include "analysis/stops.h"
#include "base/compiler.h"
#include "base/memory.h"

/* Of slices of any goroutine. */
#define PROFILE_ANY_G UINT64_MAX

/* A slice, in ticks but for its lengths, which are in nanoseconds. */
struct profile_slice {
	int64_t length;
	/* The part that is not spent waiting for a stop of its own. */
	int64_t own;
	int64_t start;
	int64_t p;
	uint64_t g;
};

/* The slices that end at one stack, of one goroutine or of any. */
struct profile_entry {
	uint64_t stack; /* handle; 0: none */
	uint64_t g;
	uint32_t type; /* of an event with the stack, if that matters, or 0 */
	uint64_t count;
	uint64_t time;                /* sum of lengths, wraps around */
	struct profile_slice longest; /* by `own` */
};

struct profile {
	const struct gtrace_allocator *memory;
	bool by_goroutine;
	uint32_t own_stacks;  /* a type whose stacks are not handles, or 0 */
	struct array entries; /* struct profile_entry */
	uint32_t *table;      /* by hash: numbers of entries, plus one */
	uint32_t mask;
	unsigned shift;
	uint64_t multiplier; /* odd, and differs between processes */
	size_t entry_max;    /* no more entries by goroutine than this */
	struct lengths lengths;
	bool negative; /* a slice had a length below 0 */
	bool failed;   /* there was no memory */
};

/* Returns false if there is no memory; to be freed anyway. */
bool gti_profile_init(struct profile *profile,
		      const struct gtrace_allocator *memory);

void gti_profile_free(struct profile *profile);

/* Forgets all slices, to begin the pass again. */
void gti_profile_restart(struct profile *profile);

/* Forgets the entries, but not the lengths. */
void gti_profile_empty(struct profile *profile);

static inline size_t profile_count(const struct profile *profile)
{
	return profile->entries.count;
}

static inline struct profile_entry *profile_at(const struct profile *profile,
					       size_t number)
{
	return (struct profile_entry *)profile->entries.items + number;
}

/*
 * Adds a slice that ends at STACK, which an event of TYPE has. STOPS, which can
 * be NULL, tells how long it waited for stops of its own.
 */
void gti_profile_add(struct profile *profile, const struct stops *stops,
		     const struct profile_slice *slice, uint32_t type,
		     uint64_t stack);

#endif /* GTRACE_ANALYSIS_PROFILE_H_ */
