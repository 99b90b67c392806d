/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - all slices, added up by the stack at which they end, and how
 * their lengths are distributed.
 *
 * Stacks are handles here. The front end gives them names, after the pass or
 * whenever the format is about to forget them. Then it empties the table; if
 * entries are by goroutine, of which there can be many, they are kept, and
 * names, which are numbers, take the place of the handles.
 */
#ifndef GTRACE_ANALYSIS_PROFILE_H_
#define GTRACE_ANALYSIS_PROFILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "analysis/slices.h"
#include "analysis/stops.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/numbers.h"

/* Of slices of any goroutine. */
#define PROFILE_ANY_G UINT64_MAX

/* The type of an entry whose stack is a name. */
#define PROFILE_NAMED EVENT_TYPES

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
	uint64_t stack; /* handle, 0: none; or a name */
	uint64_t g;
	uint64_t count;
	uint64_t time; /* sum of lengths, wraps around */
	uint32_t type; /* of an event with the stack, if that matters, or 0 */
};

struct profile {
	const struct gtrace_allocator *memory;
	/* An entry is of one goroutine; `longest` and `lengths` are unused. */
	bool by_goroutine;
	uint32_t own_stacks;    /* a type whose stacks are not handles, or 0 */
	struct array entries;   /* struct profile_entry */
	size_t named;           /* the first ones have names for stacks */
	struct array longest;   /* struct profile_slice of each, by `own` */
	struct numbers numbers; /* of entries */
	size_t entry_max;       /* no more entries by goroutine than this */
	struct lengths lengths;
	bool negative; /* a slice had a length below 0 */
	bool failed;   /* there was no memory */
};

/* Returns false if there is no memory; to be freed anyway. */
bool gti_profile_init(struct profile *profile, bool by_goroutine,
		      const struct gtrace_allocator *memory);

void gti_profile_free(struct profile *profile);

/* Forgets all slices, to begin the pass again. */
void gti_profile_restart(struct profile *profile);

/* Forgets the entries, but not the lengths. */
void gti_profile_empty(struct profile *profile);

/* What gives names, which are numbers, to stacks. */
struct profile_names {
	/*
	 * Sets *NAME to the name of STACK of TYPE; several stacks can have the
	 * same one. Returns false if there is no memory.
	 */
	bool (*name)(void *context, uint32_t type, uint64_t stack,
		     uint64_t *name);
	void *context;
};

/*
 * Replaces the stacks of entries, which are by goroutine, by names, and adds up
 * entries of the same goroutine and name. Returns false if there is no memory.
 */
bool gti_profile_name(struct profile *profile,
		      const struct profile_names *names);

/*
 * Adds SLICE, which ends at STACK, the stack of an event of TYPE. Sets
 * slice->own if need be. STOPS, which can be NULL, tells how long the slice
 * waited for stops of its own. Sets *NEAR to the number of its entry.
 */
void gti_profile_add(struct profile *profile, const struct stops *stops,
		     struct profile_slice *slice, uint32_t type, uint64_t stack,
		     uint32_t *near);

static inline size_t profile_count(const struct profile *profile)
{
	return profile->entries.count;
}

static inline struct profile_entry *profile_at(const struct profile *profile,
					       size_t number)
{
	return (struct profile_entry *)profile->entries.items + number;
}

/* The longest slice of ENTRY, unless entries are by goroutine. */
static inline struct profile_slice *
profile_longest(const struct profile *profile,
		const struct profile_entry *entry)
{
	ptrdiff_t number = entry - profile_at(profile, 0);

	return (struct profile_slice *)profile->longest.items + number;
}

static ALWAYS_INLINE uint64_t profile_key(const struct profile *profile,
					  uint64_t stack, uint64_t g)
{
	return stack + g * profile->numbers.multiplier;
}

/*
 * The entry of TYPE, STACK and G. NULL: there is none; *PLACE is that of a new
 * one.
 */
static ALWAYS_INLINE struct profile_entry *
profile_find(const struct profile *profile, uint32_t type, uint64_t stack,
	     uint64_t g, uint32_t *place)
{
	const struct numbers *numbers = &profile->numbers;
	uint32_t at = numbers_place(numbers, profile_key(profile, stack, g));
	uint32_t number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at)) {
		struct profile_entry *entry = profile_at(profile, number - 1);

		if (LIKELY(entry->stack == stack && entry->g == g &&
			   entry->type == type))
			return entry;
	}
	*place = at;
	return NULL;
}

/*
 * The entry of STACK and G, of no type. Most slices of a goroutine end at the
 * same stack: *NEAR is the number of the last entry of G, at first 0, and is
 * set to this one. If that is for any goroutine, there was no room for one of
 * G, and there is none since. NULL: there is no entry.
 */
static ALWAYS_INLINE struct profile_entry *
profile_find_near(const struct profile *profile, uint64_t stack, uint64_t g,
		  uint32_t *near)
{
	struct profile_entry *entry;
	uint32_t place;

	if (LIKELY(*near < profile_count(profile))) {
		entry = profile_at(profile, *near);
		if (LIKELY(entry->stack == stack && entry->type == 0 &&
			   (entry->g == g || entry->g == PROFILE_ANY_G)))
			return entry;
	}
	entry = profile_find(profile, 0, stack, g, &place);
	if (entry != NULL)
		*near = (uint32_t)(entry - profile_at(profile, 0));
	return entry;
}

/*
 * gti_profile_add() for the most frequent slices: STACK, a handle, has an
 * entry, and the slice, of goroutine G and of LENGTH, is not the longest one
 * there. For all other slices returns false, and does nothing. *NEAR is as
 * above.
 */
static ALWAYS_INLINE bool profile_add_known(struct profile *profile, uint64_t g,
					    int64_t length, uint64_t stack,
					    uint32_t *near)
{
	bool by_goroutine = profile->by_goroutine;
	struct profile_entry *entry;

	if (UNLIKELY(length < 0))
		return false;
	entry = profile_find_near(profile, stack,
				  by_goroutine ? g : PROFILE_ANY_G, near);
	if (UNLIKELY(entry == NULL))
		return false;
	if (!by_goroutine) {
		if (UNLIKELY(length > profile_longest(profile, entry)->own))
			return false;
		lengths_add(&profile->lengths, length);
	}
	entry->count++;
	entry->time += (uint64_t)length;
	return true;
}

#endif /* GTRACE_ANALYSIS_PROFILE_H_ */
