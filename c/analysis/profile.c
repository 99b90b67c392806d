/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the stack at which they end. */
#include "analysis/profile.h"

#include <string.h>

#include "base/map.h"

#define TABLE_FIRST 256

/*
 * So many entries of one goroutine each are kept, 3 MB of them; from then on
 * new ones are for any goroutine.
 */
#define ENTRY_MAX ((size_t)1 << 15)

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

/* Doubles the table. Returns false if there is no memory. */
static bool grow(struct profile *profile)
{
	size_t count = profile_count(profile), i;

	if (profile->mask > UINT32_MAX / 4 ||
	    !new_table(profile, (profile->mask + 1) * 2))
		return false;
	for (i = 0; i < count; i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		uint32_t at = profile_home(profile, entry->stack, entry->g);

		while (profile->table[at] != 0)
			at = (at + 1) & profile->mask;
		profile->table[at] = (uint32_t)(i + 1);
	}
	return true;
}

struct profile_entry *gti_profile_add_entry(struct profile *profile,
					    uint32_t type, uint64_t stack,
					    uint64_t g)
{
	struct profile_entry *entry;
	uint32_t at;

	if (g != PROFILE_ANY_G && profile_count(profile) >= profile->entry_max)
		return profile_find(profile, type, stack, PROFILE_ANY_G);
	if (profile_count(profile) * 2 > profile->mask && !grow(profile))
		return NULL;
	if (!gti_array_reserve(&profile->entries, sizeof(*entry),
			       profile->memory))
		return NULL;
	at = profile_home(profile, stack, g);
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
	    p->asked_start != p->slice.start ||
	    p->asked > (uint64_t)slice->length)
		return 0;
	return (int64_t)p->asked;
}

void gti_profile_compare(struct profile_entry *entry, const struct stops *stops,
			 const struct profile_slice *slice)
{
	int64_t own = slice->length - asked_time(stops, slice);

	if (own <= entry->longest.own)
		return;
	entry->longest = *slice;
	entry->longest.own = own;
}
