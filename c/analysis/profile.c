/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the stack at which they end. */
#include "analysis/profile.h"

#include <string.h>

#include "base/map.h"

#define TABLE_FIRST 256

/*
 * So many entries of one goroutine each are kept, 6 MB of them; from then on
 * new ones are for any goroutine.
 */
#define ENTRY_MAX ((size_t)1 << 16)

static bool new_table(struct profile *profile, uint32_t size)
{
	uint32_t *table = gti_allocate_zeroed(profile->memory, size,
					      sizeof(*profile->table));

	if (table == NULL)
		return false;
	if (profile->table != NULL)
		gti_release(profile->memory, profile->table,
			    ((size_t)profile->mask + 1) * sizeof(*table));
	profile->table = table;
	profile->mask = size - 1;
	profile->shift = 64 - highest_bit(size);
	return true;
}

bool gti_profile_init(struct profile *profile,
		      const struct gtrace_allocator *memory)
{
	*profile = (struct profile){
		.memory = memory,
		.multiplier = gti_hash_seed() | 1,
		.entry_max = ENTRY_MAX,
	};
	return gti_lengths_init(&profile->lengths, memory) &&
	       new_table(profile, TABLE_FIRST);
}

void gti_profile_free(struct profile *profile)
{
	if (profile->memory == NULL)
		return;
	gti_array_free(&profile->entries, sizeof(struct profile_entry),
		       profile->memory);
	gti_release(profile->memory, profile->table,
		    ((size_t)profile->mask + 1) * sizeof(*profile->table));
	gti_lengths_free(&profile->lengths, profile->memory);
	profile->memory = NULL;
}

void gti_profile_empty(struct profile *profile)
{
	profile->entries.count = 0;
	memset(profile->table, 0,
	       ((size_t)profile->mask + 1) * sizeof(*profile->table));
}

void gti_profile_restart(struct profile *profile)
{
	gti_profile_empty(profile);
	gti_lengths_clear(&profile->lengths);
	profile->negative = false;
	profile->failed = false;
}

/* --------------------------------------------------------------- entries -- */

static ALWAYS_INLINE uint32_t home(const struct profile *profile,
				   uint64_t stack, uint64_t g)
{
	uint64_t key = stack + g * 0x9e3779b97f4a7c15u;

	return (uint32_t)((key * profile->multiplier) >> profile->shift);
}

/* Doubles the table. Returns false if there is no memory. */
static bool grow(struct profile *profile)
{
	size_t count = profile_count(profile), i;

	if (profile->mask > UINT32_MAX / 4 ||
	    !new_table(profile, (profile->mask + 1) * 2))
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		uint32_t at = home(profile, entry->stack, entry->g);

		while (profile->table[at] != 0)
			at = (at + 1) & profile->mask;
		profile->table[at] = (uint32_t)(i + 1);
	}
	return true;
}

static NOINLINE struct profile_entry *
find(struct profile *profile, uint32_t type, uint64_t stack, uint64_t g);

/* Adds an entry. NULL: there is no memory. */
static NOINLINE struct profile_entry *
add_entry(struct profile *profile, uint32_t type, uint64_t stack, uint64_t g)
{
	struct profile_entry *entry;
	uint32_t at;

	if (g != PROFILE_ANY_G && profile_count(profile) >= profile->entry_max)
		return find(profile, type, stack, PROFILE_ANY_G);
	if (profile_count(profile) * 2 > profile->mask && !grow(profile))
		return NULL;
	if (!gti_array_reserve(&profile->entries, sizeof(*entry),
			       profile->memory))
		return NULL;
	at = home(profile, stack, g);
	while (profile->table[at] != 0)
		at = (at + 1) & profile->mask;
	entry = profile_at(profile, profile->entries.count++);
	profile->table[at] = (uint32_t)profile->entries.count;
	*entry = (struct profile_entry){
		.stack = stack,
		.g = g,
		.type = type,
		.longest = {.length = -1, .own = -1},
	};
	return entry;
}

/* The entry of TYPE, STACK and G, new if there is none. Likewise. */
static ALWAYS_INLINE struct profile_entry *
find_or_add(struct profile *profile, uint32_t type, uint64_t stack, uint64_t g)
{
	uint32_t at = home(profile, stack, g), number;

	while ((number = profile->table[at]) != 0) {
		struct profile_entry *entry = profile_at(profile, number - 1);

		if (LIKELY(entry->stack == stack && entry->g == g &&
			   entry->type == type))
			return entry;
		at = (at + 1) & profile->mask;
	}
	return add_entry(profile, type, stack, g);
}

static NOINLINE struct profile_entry *
find(struct profile *profile, uint32_t type, uint64_t stack, uint64_t g)
{
	return find_or_add(profile, type, stack, g);
}

/* ---------------------------------------------------------------- slices -- */

/*
 * How long SLICE waited for the world to stop at its own request and while the
 * world stood.
 */
static int64_t asked_time(const struct stops *stops,
			  const struct profile_slice *slice)
{
	const struct stop_processor *p = NULL;

	if (stops == NULL)
		return 0;
	if ((uint64_t)slice->p < STOP_PROCESSORS_NEAR)
		p = stops->near[slice->p];
	if (p == NULL || p->asked_g != slice->g ||
	    p->asked_start != p->slice.start || p->asked > slice->length)
		return 0;
	return p->asked;
}

/* SLICE can be the longest one of ENTRY. */
static NOINLINE void compare(struct profile_entry *entry,
			     const struct stops *stops,
			     const struct profile_slice *slice)
{
	int64_t own = slice->length - asked_time(stops, slice);

	if (own <= entry->longest.own)
		return;
	entry->longest = *slice;
	entry->longest.own = own;
}

void gti_profile_add(struct profile *profile, const struct stops *stops,
		     const struct profile_slice *slice, uint32_t type,
		     uint64_t stack)
{
	uint64_t g = profile->by_goroutine ? slice->g : PROFILE_ANY_G;
	struct profile_entry *entry;

	if (LIKELY(type != profile->own_stacks))
		type = 0;
	entry = find_or_add(profile, type, stack, g);
	if (UNLIKELY(entry == NULL)) {
		profile->failed = true;
		return;
	}
	if (UNLIKELY(slice->length < 0)) {
		profile->negative = true;
		return;
	}
	entry->count++;
	entry->time += (uint64_t)slice->length;
	lengths_add(&profile->lengths, slice->length);
	if (UNLIKELY(slice->length > entry->longest.own))
		compare(entry, stops, slice);
}
