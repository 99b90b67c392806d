/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the stack at which they end. */
#include "analysis/profile.h"

#include <string.h>

/*
 * So many entries of one goroutine each are kept; from then on new ones are for
 * any goroutine.
 */
#define ENTRY_MAX ((size_t)1 << 15)

bool gti_profile_init(struct profile *profile,
		      const struct gtrace_allocator *memory)
{
	*profile = (struct profile){
		.memory = memory,
		.entry_max = ENTRY_MAX,
	};
	return gti_lengths_init(&profile->lengths, memory) &&
	       gti_numbers_init(&profile->numbers, memory);
}

void gti_profile_free(struct profile *profile)
{
	if (profile->memory == NULL)
		return;
	gti_array_free(&profile->entries, sizeof(struct profile_entry),
		       profile->memory);
	gti_array_free(&profile->longest, sizeof(struct profile_slice),
		       profile->memory);
	gti_numbers_free(&profile->numbers);
	gti_lengths_free(&profile->lengths, profile->memory);
	profile->memory = NULL;
}

void gti_profile_empty(struct profile *profile)
{
	profile->entries.count = 0;
	profile->longest.count = 0;
	gti_numbers_empty(&profile->numbers);
}

void gti_profile_restart(struct profile *profile)
{
	gti_profile_empty(profile);
	gti_lengths_clear(&profile->lengths);
	profile->negative = false;
	profile->failed = false;
}

/* --------------------------------------------------------------- entries -- */

static uint64_t key_of(const void *context, uint32_t number)
{
	const struct profile *profile = context;
	const struct profile_entry *entry = profile_at(profile, number);

	return profile_key(profile, entry->stack, entry->g);
}

/* Adds the place of the longest slice of one more entry, without a slice. */
static bool add_longest(struct profile *profile)
{
	struct profile_slice none = {.length = -1, .own = -1};
	struct array *longest = &profile->longest;

	if (!gti_array_reserve(longest, sizeof(none), profile->memory))
		return false;
	((struct profile_slice *)longest->items)[longest->count++] = none;
	return true;
}

/* Adds an entry. NULL: there is no memory. */
static struct profile_entry *add_entry(struct profile *profile, uint32_t type,
				       uint64_t stack, uint64_t g,
				       uint32_t place)
{
	struct array *entries = &profile->entries;
	struct profile_entry *entry;

	if (!gti_array_reserve(entries, sizeof(*entry), profile->memory) ||
	    (!profile->by_goroutine && !add_longest(profile)) ||
	    !gti_numbers_add(&profile->numbers, profile_key(profile, stack, g),
			     place, key_of, profile))
		return NULL;
	entry = profile_at(profile, entries->count++);
	*entry = (struct profile_entry){.stack = stack, .g = g, .type = type};
	return entry;
}

/* The entry of TYPE, STACK and G, new if there is none. Likewise. */
static struct profile_entry *entry_of(struct profile *profile, uint32_t type,
				      uint64_t stack, uint64_t g)
{
	uint32_t place;
	struct profile_entry *entry =
		profile_find(profile, type, stack, g, &place);

	if (entry != NULL)
		return entry;
	if (g != PROFILE_ANY_G && profile_count(profile) >= profile->entry_max)
		return entry_of(profile, type, stack, PROFILE_ANY_G);
	return add_entry(profile, type, stack, g, place);
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

void gti_profile_add(struct profile *profile, const struct stops *stops,
		     struct profile_slice *slice, uint32_t type, uint64_t stack)
{
	struct profile_slice *longest;
	struct profile_entry *entry;

	if (type != profile->own_stacks)
		type = 0;
	entry = entry_of(profile, type, stack,
			 profile->by_goroutine ? slice->g : PROFILE_ANY_G);
	profile->failed |= entry == NULL;
	profile->negative |= slice->length < 0;
	if (entry == NULL || slice->length < 0)
		return;
	entry->count++;
	entry->time += (uint64_t)slice->length;
	if (profile->by_goroutine)
		return;
	lengths_add(&profile->lengths, slice->length);
	longest = profile_longest(profile, entry);
	if (slice->length <= longest->own)
		return;
	slice->own = slice->length - asked_time(stops, slice);
	if (slice->own > longest->own)
		*longest = *slice;
}
