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
#include "base/idset.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/sort.h"

/* Of slices of any goroutine. */
#define PROFILE_ANY_G UINT64_MAX

/*
 * The type of an entry is that of an event with its stack, if that matters, or
 * 0, and the gc_worker of its slices; or PROFILE_NAMED if its stack is a name.
 */
#define PROFILE_NAMED  EVENT_TYPES
#define PROFILE_WORKER 256

static inline uint32_t profile_type(uint32_t type)
{
	return type % PROFILE_WORKER;
}

static inline unsigned profile_worker(uint32_t type)
{
	return type / PROFILE_WORKER;
}

/* A slice, in ticks but for its lengths, which are in nanoseconds. */
struct profile_slice {
	int64_t length;
	/* The part that is not spent waiting for a stop of its own. */
	int64_t own;
	int64_t max; /* the longest slice of its entry */
	int64_t start;
	int64_t p;
	uint64_t g;
	unsigned gc_worker;
};

/* The slices that end at one stack, of one goroutine or of any. */
struct profile_entry {
	uint64_t stack; /* handle, 0: none; or a name */
	uint64_t g;
	uint64_t count;
	uint64_t time; /* sum of lengths, wraps around */
	uint32_t type; /* see PROFILE_NAMED */
	uint32_t next; /* number of the next one of G, in a ring */
};

struct profile {
	const struct gtrace_allocator *memory;
	/* An entry is of one goroutine; `longest` and `lengths` are unused. */
	bool by_goroutine;
	uint32_t own_stacks;    /* a type whose stacks are not handles, or 0 */
	struct array entries;   /* struct profile_entry */
	size_t named;           /* the first ones have names for stacks */
	struct array longest;   /* struct profile_slice of each, by `own` */
	struct numbers numbers; /* finds the first numbers.count entries */
	/*
	 * All entries of a goroutine are certainly in one ring, to which its
	 * NEAR belongs, see gti_profile_add(). This is so until an id is used
	 * again, as by threads that C creates, or entries are merged.
	 */
	bool rings;
	struct idset in_ring; /* goroutines with an entry, while rings is set */
	size_t entry_max;     /* no more entries by goroutine than this */
	struct lengths lengths;
	bool negative; /* a slice had a length below 0 */
	bool failed;   /* there was no memory */
	/*
	 * Whether a function gives its name to STACK, of an event of TYPE. Only
	 * such stacks have entries, and 0. NULL: all of them are named.
	 */
	bool (*is_named)(void *context, uint32_t type, uint64_t stack);
	void *context;
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
	 * Sets *NAME to the name of STACK of an entry of TYPE; several can have
	 * the same one. Returns false if there is no memory.
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

/* Whether STACK, of an event of TYPE, can have an entry. */
static inline bool profile_is_named(const struct profile *profile,
				    uint32_t type, uint64_t stack)
{
	return stack != 0 && (profile->is_named == NULL ||
			      profile->is_named(profile->context, type, stack));
}

/*
 * Adds SLICE, which ends at STACK, the stack of an event of TYPE. Sets
 * slice->own if need be. STOPS, which can be NULL, tells how long the slice
 * waited for stops of its own. Sets *NEAR, which the caller keeps for each
 * goroutine, to the number of the entry, plus one; it is 0 at first.
 */
void gti_profile_add(struct profile *profile, struct stops *stops,
		     struct profile_slice *slice, uint32_t type, uint64_t stack,
		     uint32_t *near);

/*
 * Returns an array, to be released, of as many items as there are entries:
 * their numbers in the order of their stacks, as a format finds stacks faster
 * then. Entries with the same stack can be in any order. NULL: there is no
 * memory.
 */
struct sort_item *gti_profile_by_stack(const struct profile *profile);

static inline size_t profile_count(const struct profile *profile)
{
	return profile->entries.count;
}

static inline struct profile_entry *profile_at(const struct profile *profile,
					       size_t number)
{
	return (struct profile_entry *)profile->entries.items + number;
}

/* The number of ENTRY, plus one. */
static inline uint32_t profile_near(const struct profile *profile,
				    const struct profile_entry *entry)
{
	return (uint32_t)(entry - profile_at(profile, 0)) + 1;
}

/* The longest slice of ENTRY, unless entries are by goroutine. */
static inline struct profile_slice *
profile_longest(const struct profile *profile,
		const struct profile_entry *entry)
{
	ptrdiff_t number = entry - profile_at(profile, 0);

	return (struct profile_slice *)profile->longest.items + number;
}

/*
 * Whether ENTRY is that of TYPE, STACK and G. If ENTRY is for any goroutine,
 * the limit was reached when G needed an entry for STACK. Only in a damaged
 * trace, in which NEAR can be that of another goroutine, G may have one.
 */
static ALWAYS_INLINE bool profile_matches(const struct profile_entry *entry,
					  uint32_t type, uint64_t stack,
					  uint64_t g)
{
	return entry->stack == stack && entry->type == type &&
	       (entry->g == g || entry->g == PROFILE_ANY_G);
}

/* The rest of profile_known(), for an entry that is not the one at NEAR. */
struct profile_entry *gti_profile_find(struct profile *profile, uint64_t stack,
				       uint64_t g, uint32_t near);

/*
 * Returns the entry for a slice of goroutine G that ends at STACK, a handle; it
 * is new if it is the first one of G. NULL: gti_profile_add() has to look.
 * *NEAR is as for gti_profile_add(), which is to be called then.
 */
static ALWAYS_INLINE struct profile_entry *
profile_known(struct profile *profile, uint64_t g, uint64_t stack,
	      uint32_t *near)
{
	size_t number = (size_t)*near - 1;
	struct profile_entry *entry;

	/* Most slices of a goroutine end at the same stack. */
	if (LIKELY(number < profile_count(profile))) {
		entry = profile_at(profile, number);
		if (LIKELY(profile_matches(entry, 0, stack, g)))
			return entry;
	}
	entry = gti_profile_find(profile, stack, g, *near);
	if (entry != NULL)
		*near = profile_near(profile, entry);
	return entry;
}

/*
 * Adds a slice of LENGTH to ENTRY, unless it is the longest one there. Returns
 * false, and does nothing, if gti_profile_add() is to add it.
 */
static ALWAYS_INLINE bool profile_add_known(struct profile *profile,
					    struct profile_entry *entry,
					    int64_t length)
{
	if (UNLIKELY(length < 0))
		return false;
	if (!profile->by_goroutine) {
		if (UNLIKELY(length > profile_longest(profile, entry)->own))
			return false;
		lengths_add(&profile->lengths, length);
	}
	entry->count++;
	entry->time += (uint64_t)length;
	return true;
}

#endif /* GTRACE_ANALYSIS_PROFILE_H_ */
