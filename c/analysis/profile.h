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
	/* An entry is of one goroutine; `longest` and `lengths` are unused. */
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

/* profile_find() for an entry that is not there. NULL: there is no memory. */
struct profile_entry *gti_profile_add_entry(struct profile *profile,
					    uint32_t type, uint64_t stack,
					    uint64_t g);

/*
 * SLICE can be the longest one of ENTRY. STOPS, which can be NULL, tells how
 * long it waited for stops of its own.
 */
void gti_profile_compare(struct profile_entry *entry, const struct stops *stops,
			 const struct profile_slice *slice);

static ALWAYS_INLINE uint32_t profile_home(const struct profile *profile,
					   uint64_t stack, uint64_t g)
{
	uint64_t key = stack + g * 0x9e3779b97f4a7c15u;

	return (uint32_t)((key * profile->multiplier) >> profile->shift);
}

/* The entry of TYPE, STACK and G, new if there is none. Likewise. */
static ALWAYS_INLINE struct profile_entry *
profile_find(struct profile *profile, uint32_t type, uint64_t stack, uint64_t g)
{
	uint32_t at = profile_home(profile, stack, g), number;

	while (LIKELY((number = profile->table[at]) != 0)) {
		struct profile_entry *entry = profile_at(profile, number - 1);

		if (LIKELY(entry->stack == stack && entry->g == g &&
			   entry->type == type))
			return entry;
		at = (at + 1) & profile->mask;
	}
	return gti_profile_add_entry(profile, type, stack, g);
}

/*
 * Adds a slice of goroutine G on processor P, of LENGTH nanoseconds from START
 * ticks on, that ends at STACK, which an event of TYPE has. STOPS as above.
 */
static ALWAYS_INLINE void profile_add(struct profile *profile,
				      const struct stops *stops, int64_t p,
				      uint64_t g, int64_t start, int64_t length,
				      uint32_t type, uint64_t stack)
{
	struct profile_slice slice;
	struct profile_entry *entry;

	if (LIKELY(type != profile->own_stacks))
		type = 0;
	entry = profile_find(profile, type, stack,
			     profile->by_goroutine ? g : PROFILE_ANY_G);
	if (UNLIKELY(entry == NULL || length < 0)) {
		profile->failed |= entry == NULL;
		profile->negative |= length < 0;
		return;
	}
	entry->count++;
	entry->time += (uint64_t)length;
	if (profile->by_goroutine)
		return;
	lengths_add(&profile->lengths, length);
	if (LIKELY(length <= entry->longest.own))
		return;
	slice = (struct profile_slice){
		.length = length, .start = start, .p = p, .g = g};
	gti_profile_compare(entry, stops, &slice);
}

#endif /* GTRACE_ANALYSIS_PROFILE_H_ */
