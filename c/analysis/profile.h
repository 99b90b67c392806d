/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile.h - all slices, added up by the name of the stack at which they end,
 * and how their lengths are distributed.
 *
 * Stacks are handles, which the front end gives names, that are numbers. A
 * stack gets its name when the first slice ends at it, so no handle is needed
 * after the format has forgotten it.
 */
#ifndef GTRACE_ANALYSIS_PROFILE_H_
#define GTRACE_ANALYSIS_PROFILE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "analysis/stops.h"
#include "analysis/waits.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/numbers.h"

/* Of slices of any goroutine. */
#define PROFILE_ANY_G UINT64_MAX

/* No name: no function gives one to the stack. */
#define PROFILE_UNNAMED UINT32_MAX

/* What gives names to stacks. */
struct profile_names {
	/*
	 * Returns the name of STACK of KIND; several can have the same one.
	 * New names are numbers from 0 on. Stack 0, which is none, has a name.
	 */
	uint32_t (*name)(void *context, unsigned kind, uint64_t stack);
	/* The same for SLICE, which still runs at the end of the trace. */
	uint32_t (*name_running)(void *context, const struct slice *slice);
};

struct profile_slice {
	int64_t length; /* in nanoseconds */
	int64_t start;  /* ticks */
	uint64_t g;
	int64_t off_cpu; /* of `length`: without a CPU, at least */
};

/* The slices that end at stacks of one name, of one goroutine or of any. */
struct profile_entry {
	uint64_t stack; /* the last handle that led here */
	uint64_t g;
	uint64_t count;
	uint64_t time; /* sum of lengths, wraps around */
	/* Above all lengths; by goroutine, above all that are valid. */
	uint64_t limit;
	/* The longest slice, unless entries are by goroutine. */
	int64_t max;
	int64_t max_start;
	uint64_t max_g;
	uint32_t name;
	/* The number, plus one, of the entry that its goroutine had before. */
	uint32_t before;
	/*
	 * Slices with a delay of a nanosecond or more, the sum of their
	 * lengths, the delay of all slices, and how much of that is of times
	 * without a CPU, in proportion to these.
	 */
	uint64_t delaying;
	uint64_t delaying_time;
	struct wide delay;
	uint64_t delay_off_cpu;
	/* How long goroutines waited before slices, in profile->ready; or 0. */
	uint32_t ready;
};

/*
 * A stack has a name for each kind, which is below PROFILE_KINDS. That of a
 * stack at which a slice ends is the slice's gc_worker, see struct
 * gtrace_slice. For the others that is 0. PROFILE_BEFORE: the slice ended
 * later, without a stack. PROFILE_CREATOR: its goroutine was created there. A
 * stack that is of the program, but has no frame that is yours, has a name only
 * if PROFILE_ANY is added to 0 or PROFILE_BEFORE.
 */
#define PROFILE_KINDS   (GTRACE_WORK_GC_IDLE + 1)
#define PROFILE_BEFORE  1u
#define PROFILE_ANY     2u
#define PROFILE_CREATOR 4u

/* The name of a stack, a handle, that was looked up lately. */
struct profile_recent {
	uint64_t stack;
	uint32_t name; /* plus one; 0: this is none */
};

#define PROFILE_RECENT 256

struct profile {
	const struct gtrace_allocator *memory;
	const struct profile_names *names;
	void *context;
	/*
	 * The delay of the slice that is added, which is 0 afterwards. NULL: it
	 * is not wanted.
	 */
	struct wide *delay;
	/*
	 * How long its goroutine had waited for a processor, as in struct
	 * slice_wait. NULL: it is not wanted.
	 */
	const uint64_t *waited;
	struct rough_table ready; /* these times, by entry */
	/* An entry is of one goroutine; there are no lengths. */
	bool by_goroutine;
	struct array entries;   /* struct profile_entry; if of any g: by name */
	struct numbers numbers; /* finds entries by name and g */
	size_t entry_max;       /* no more entries by goroutine than this */
	struct map known[PROFILE_KINDS]; /* stacks: their names, plus one */
	struct profile_recent recent[PROFILE_RECENT]; /* by last bits */
	struct lengths lengths; /* see gti_profile_sum() */
	bool negative;          /* a slice had a length below 0 */
	bool failed;            /* there was no memory */
};

/*
 * The entries are by goroutine, or dense by name. Returns false if there is no
 * memory; to be freed anyway.
 */
bool gti_profile_init(struct profile *profile, bool by_goroutine,
		      const struct profile_names *names, void *context,
		      const struct gtrace_allocator *memory);

void gti_profile_free(struct profile *profile);

/* Forgets all slices and names, to begin the pass again. */
void gti_profile_restart(struct profile *profile);

/* Forgets handles, which may be those of other stacks from now on. */
void gti_profile_forget_stacks(struct profile *profile);

/*
 * Returns the entry for goroutine G and STACK of KIND, at which a slice ends,
 * say. NULL: no function gives a name to STACK, or there is no memory. Sets
 * *NEAR, see profile_add_known().
 */
struct profile_entry *gti_profile_find(struct profile *profile, unsigned kind,
				       uint64_t stack, uint64_t g,
				       uint32_t *near);

/*
 * The name of STACK of KIND, or PROFILE_UNNAMED. An entry for any goroutine is
 * added, which may stay empty.
 */
uint32_t gti_profile_name(struct profile *profile, unsigned kind,
			  uint64_t stack);

/* The entry for goroutine G and NAME. NULL: as for gti_profile_find(). */
struct profile_entry *gti_profile_named(struct profile *profile, uint32_t name,
					uint64_t g);

/* The entry for SLICE, which still runs. NULL: there is no memory. */
struct profile_entry *gti_profile_running(struct profile *profile,
					  const struct slice *slice);

/* The pass has ended: sets the count, the sum and the greatest of all lengths.
 */
void gti_profile_sum(struct profile *profile);

void gti_profile_add(struct profile *profile, const struct profile_slice *slice,
		     struct profile_entry *entry);

static inline size_t profile_count(const struct profile *profile)
{
	return profile->entries.count;
}

static inline struct profile_entry *profile_at(const struct profile *profile,
					       size_t number)
{
	return (struct profile_entry *)profile->entries.items + number;
}

/* Adds the delay of the slice of LENGTH that is being added to ENTRY. */
static ALWAYS_INLINE void profile_add_delay(const struct profile *profile,
					    struct profile_entry *entry,
					    int64_t length)
{
	struct wide *delay = profile->delay;

	if (LIKELY(delay == NULL) || (delay->low | delay->high) == 0)
		return;
	if (wide_ns(*delay) != 0) {
		entry->delaying++;
		entry->delaying_time += (uint64_t)length;
	}
	entry->delay = wide_sum(entry->delay, *delay);
	*delay = (struct wide){0, 0};
}

/* Adds the wait before the slice that is being added to ENTRY. */
static ALWAYS_INLINE void profile_add_waited(struct profile *profile,
					     struct profile_entry *entry)
{
	const uint64_t *waited = profile->waited;

	if (LIKELY(waited == NULL) || *waited == 0)
		return;
	if (UNLIKELY(!rough_add(&profile->ready, &entry->ready,
				rough_class(*waited - 1), profile->memory)))
		profile->failed = true;
}

/*
 * Adds a slice of LENGTH to ENTRY, as profile_add_known() does. BY_GOROUTINE is
 * that of PROFILE.
 */
static ALWAYS_INLINE bool profile_add_short(struct profile *profile,
					    struct profile_entry *entry,
					    int64_t length, bool by_goroutine)
{
	if (UNLIKELY((uint64_t)length >= entry->limit))
		return false;
	if (!by_goroutine)
		lengths_add(&profile->lengths, length);
	entry->count++;
	entry->time += (uint64_t)length;
	profile_add_delay(profile, entry, length);
	profile_add_waited(profile, entry);
	return true;
}

/* Whether ENTRY is that of the last slice of G, if that ended at STACK. */
static ALWAYS_INLINE bool profile_matches(const struct profile_entry *entry,
					  uint64_t stack, uint64_t g)
{
	return entry->stack == stack &&
	       (entry->g == g || entry->g == PROFILE_ANY_G);
}

/* profile_add_known() for a stack that is not that of the last slice. */
bool gti_profile_add_other(struct profile *profile, uint64_t g, uint64_t stack,
			   int64_t length, uint32_t *near);

/*
 * Adds a slice of goroutine G and LENGTH that ends at STACK, a handle, unless
 * STACK has no name or the slice may be the longest one of its entry. Returns
 * false, and adds nothing, if gti_profile_add() is to add it. *NEAR, which the
 * caller keeps for each goroutine, is the number of the entry of its last
 * slice, plus one; it is 0 at first.
 */
static ALWAYS_INLINE bool profile_add_known(struct profile *profile, uint64_t g,
					    uint64_t stack, int64_t length,
					    uint32_t *near)
{
	const struct profile_recent *recent =
		&profile->recent[stack % PROFILE_RECENT];
	struct profile_entry *entries = profile->entries.items;
	size_t number = (size_t)*near - 1;

	if (!profile->by_goroutine) {
		number = (size_t)recent->name - 1;
		if (LIKELY(recent->stack == stack) &&
		    LIKELY(number < profile_count(profile)))
			return profile_add_short(profile, &entries[number],
						 length, false);
	} else if (LIKELY(number < profile_count(profile)) &&
		   LIKELY(profile_matches(&entries[number], stack, g))) {
		/* Most slices of a goroutine end at the same stack. */
		return profile_add_short(profile, &entries[number], length,
					 true);
	}
	return gti_profile_add_other(profile, g, stack, length, near);
}

#endif /* GTRACE_ANALYSIS_PROFILE_H_ */
