/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the stack at which they end. */
#include "analysis/profile.h"

#include <string.h>

/*
 * If there are so many entries, new ones are for any goroutine. With those for
 * usual numbers of stacks they fit into a hash table of 256 KiB.
 */
#define ENTRY_MAX 30000

/* If a goroutine has no more entries, they are found without the table. */
#define RING_MAX 16

bool gti_profile_init(struct profile *profile, bool by_goroutine,
		      const struct gtrace_allocator *memory)
{
	*profile = (struct profile){
		.memory = memory,
		.by_goroutine = by_goroutine,
		.entry_max = ENTRY_MAX,
		.rings = by_goroutine,
	};
	return (by_goroutine || gti_lengths_init(&profile->lengths, memory)) &&
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
	gti_idset_free(&profile->in_ring, profile->memory);
	gti_lengths_free(&profile->lengths, profile->memory);
	profile->memory = NULL;
}

void gti_profile_empty(struct profile *profile)
{
	profile->entries.count = 0;
	profile->named = 0;
	profile->longest.count = 0;
	gti_numbers_empty(&profile->numbers);
}

void gti_profile_restart(struct profile *profile)
{
	gti_profile_empty(profile);
	if (!profile->by_goroutine)
		gti_lengths_clear(&profile->lengths);
	gti_idset_free(&profile->in_ring, profile->memory);
	profile->rings = profile->by_goroutine;
	profile->negative = false;
	profile->failed = false;
}

/* --------------------------------------------------------------- entries -- */

static uint64_t entry_key(const struct profile *profile, uint64_t stack,
			  uint64_t g)
{
	return stack + g * profile->numbers.secret;
}

static uint64_t key_of(const void *context, uint32_t number)
{
	const struct profile *profile = context;
	const struct profile_entry *entry = profile_at(profile, number);

	return entry_key(profile, entry->stack, entry->g);
}

/*
 * The entry of TYPE, STACK and G in the table. NULL: there is none; *PLACE is
 * that of a new one.
 */
static struct profile_entry *find_in_table(const struct profile *profile,
					   uint32_t type, uint64_t stack,
					   uint64_t g, uint32_t *place)
{
	const struct numbers *numbers = &profile->numbers;
	uint32_t at = numbers_place(numbers, entry_key(profile, stack, g));
	uint32_t number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at)) {
		struct profile_entry *entry = profile_at(profile, number - 1);

		if (entry->stack == stack && entry->g == g &&
		    entry->type == type)
			return entry;
	}
	*place = at;
	return NULL;
}

static bool has_ring(const struct profile *profile, uint64_t g, uint32_t near)
{
	return near != 0 && near <= profile_count(profile) &&
	       profile_at(profile, near - 1)->g == g;
}

/*
 * The entry of TYPE and STACK in the ring that has NEAR. NULL: there is none;
 * *ALL says whether the goroutine certainly has no other entries.
 */
static struct profile_entry *find_in_ring(const struct profile *profile,
					  uint32_t type, uint64_t stack,
					  uint32_t near, bool *all)
{
	struct profile_entry *first = profile_at(profile, near - 1);
	struct profile_entry *entry = first;
	unsigned left = RING_MAX;

	*all = false;
	do {
		if (entry->stack == stack && entry->type == type)
			return entry;
		if (left-- == 0)
			return NULL;
		entry = profile_at(profile, entry->next);
	} while (entry != first);
	*all = profile->rings;
	return NULL;
}

/* Adds the place of the longest slice of one more entry, without a slice. */
static bool add_longest(struct profile *profile)
{
	struct profile_slice none = {.own = -1, .max = -1};
	struct array *longest = &profile->longest;

	if (!gti_array_reserve(longest, sizeof(none), profile->memory))
		return false;
	((struct profile_slice *)longest->items)[longest->count++] = none;
	return true;
}

/* Adds an entry. NULL: there is no memory. */
static struct profile_entry *add_entry(struct profile *profile, uint32_t type,
				       uint64_t stack, uint64_t g)
{
	struct array *entries = &profile->entries;
	struct profile_entry *entry;

	if (!gti_array_reserve(entries, sizeof(*entry), profile->memory) ||
	    (!profile->by_goroutine && !add_longest(profile)))
		return NULL;
	entry = profile_at(profile, entries->count);
	*entry = (struct profile_entry){
		.stack = stack,
		.g = g,
		.type = type,
		.next = (uint32_t)entries->count++,
	};
	return entry;
}

/* Puts all entries into the table. Returns false if there is no memory. */
static bool number_entries(struct profile *profile)
{
	struct numbers *numbers = &profile->numbers;

	while (numbers->count < profile_count(profile)) {
		uint64_t key = key_of(profile, numbers->count);
		uint32_t place = numbers_free_place(numbers, key);

		if (!numbers_add(numbers, key, place, key_of, profile))
			return false;
	}
	return true;
}

/* The entry of TYPE, STACK and any goroutine, new if need be. Likewise. */
static struct profile_entry *entry_of_any(struct profile *profile,
					  uint32_t type, uint64_t stack)
{
	struct profile_entry *entry;
	uint32_t place;

	if (!number_entries(profile))
		return NULL;
	entry = find_in_table(profile, type, stack, PROFILE_ANY_G, &place);
	if (entry == NULL)
		entry = add_entry(profile, type, stack, PROFILE_ANY_G);
	return entry;
}

/* Whether goroutines get no more entries. */
static bool is_full(const struct profile *profile)
{
	return profile_count(profile) >= profile->entry_max;
}

/*
 * G has no entry at NEAR. Sets *IS_NEW to whether it certainly has none at all.
 * If it can get one, G is noted in in_ring; if it may have entries that NEAR
 * does not lead to, rings are not complete from now on. Returns false if there
 * is no memory.
 */
static bool note_goroutine(struct profile *profile, uint64_t g, uint32_t near,
			   bool *is_new)
{
	bool full = is_full(profile), known = true;

	*is_new = false;
	if (!profile->rings)
		return true;
	if ((near == 0 || full) &&
	    !idset_has(&profile->in_ring, g, profile->memory, &known))
		return false;
	*is_new = !known;
	if (full)
		return true;
	if (known)
		profile->rings = false;
	return known || idset_add(&profile->in_ring, g, profile->memory);
}

/*
 * The entry of STACK and G in the table, which has all entries. If there is
 * none and goroutines get no more, that of STACK and any goroutine, or NULL.
 */
static struct profile_entry *find_easily(const struct profile *profile,
					 uint64_t stack, uint64_t g,
					 bool is_new)
{
	struct profile_entry *entry = NULL;
	uint32_t place;

	if (!is_new)
		entry = find_in_table(profile, 0, stack, g, &place);
	if (entry == NULL && is_full(profile))
		entry = find_in_table(profile, 0, stack, PROFILE_ANY_G, &place);
	return entry;
}

struct profile_entry *gti_profile_find(struct profile *profile, uint64_t stack,
				       uint64_t g, uint32_t near)
{
	bool numbered = profile->numbers.count == profile_count(profile);
	bool is_new = false;

	if (!profile->by_goroutine)
		g = PROFILE_ANY_G;
	else if (near == 0 && (!profile_is_named(profile, 0, stack) ||
			       !note_goroutine(profile, g, near, &is_new)))
		return NULL;
	if (is_new && !is_full(profile))
		return add_entry(profile, 0, stack, g);
	if (numbered)
		return find_easily(profile, stack, g, is_new);
	return has_ring(profile, g, near)
		       ? find_in_ring(profile, 0, stack, near, &is_new)
		       : NULL;
}

/* The entry of TYPE, STACK and G, new if need be. Likewise. */
static struct profile_entry *entry_of(struct profile *profile, uint32_t type,
				      uint64_t stack, uint64_t g, uint32_t near)
{
	struct profile_entry *entry = NULL;
	bool ring = has_ring(profile, g, near), all = false;
	uint32_t place;

	if (ring)
		entry = find_in_ring(profile, type, stack, near, &all);
	else if (!note_goroutine(profile, g, near, &all))
		return NULL;
	if (entry == NULL && !all) {
		if (!number_entries(profile))
			return NULL;
		entry = find_in_table(profile, type, stack, g, &place);
	}
	if (entry != NULL)
		return entry;
	if (is_full(profile))
		return entry_of_any(profile, type, stack);
	entry = add_entry(profile, type, stack, g);
	if (entry != NULL && ring) {
		struct profile_entry *other = profile_at(profile, near - 1);
		uint32_t next = other->next;

		other->next = entry->next;
		entry->next = next;
	}
	return entry;
}

/* ---------------------------------------------------------------- slices -- */

/* Adds SLICE to ENTRY, of any goroutine, as the longest one if it is. */
static void keep_longest(struct profile *profile, struct stops *stops,
			 struct profile_slice *slice,
			 const struct profile_entry *entry)
{
	struct profile_slice *longest = profile_longest(profile, entry);

	lengths_add(&profile->lengths, slice->length);
	if (slice->length <= longest->own)
		return;
	slice->max =
		slice->length > longest->max ? slice->length : longest->max;
	longest->max = slice->max;
	slice->own = slice->length;
	if (stops != NULL)
		slice->own =
			gti_stops_own(stops, slice->p, slice->g, slice->length);
	if (slice->own > longest->own)
		*longest = *slice;
}

void gti_profile_add(struct profile *profile, struct stops *stops,
		     struct profile_slice *slice, uint32_t type, uint64_t stack,
		     uint32_t *near)
{
	struct profile_entry *entry;

	if (type != profile->own_stacks)
		type = 0;
	type += slice->gc_worker * PROFILE_WORKER;
	entry = profile->by_goroutine
			? entry_of(profile, type, stack, slice->g, *near)
			: entry_of_any(profile, type, stack);
	if (UNLIKELY(entry == NULL))
		profile->failed = true;
	if (UNLIKELY(slice->length < 0))
		profile->negative = true;
	if (UNLIKELY(entry == NULL || slice->length < 0))
		return;
	*near = profile_near(profile, entry);
	entry->count++;
	entry->time += (uint64_t)slice->length;
	if (!profile->by_goroutine)
		keep_longest(profile, stops, slice, entry);
}

/* ----------------------------------------------------------------- names -- */

/*
 * Puts numbers in place of stacks, which become the entries of STACKS. Returns
 * false if there is no memory.
 */
static bool number_stacks(const struct profile *profile, struct profile *stacks)
{
	/* The numbers of those found last, plus one, by their last bits. */
	uint32_t lasts[64] = {0};
	size_t i;

	for (i = profile->named; i < profile_count(profile); i++) {
		struct profile_entry *entry = profile_at(profile, i);
		struct profile_entry *stack = NULL;
		uint32_t *last = &lasts[entry->stack % 64];

		if (*last != 0)
			stack = profile_at(stacks, *last - 1);
		if (stack == NULL ||
		    !profile_matches(stack, entry->type, entry->stack,
				     PROFILE_ANY_G))
			stack = entry_of_any(stacks, entry->type, entry->stack);
		if (stack == NULL)
			return false;
		*last = profile_near(stacks, stack);
		entry->stack = *last - 1;
	}
	return true;
}

struct sort_item *gti_profile_by_stack(const struct profile *profile)
{
	size_t count = profile_count(profile), i;
	struct sort_item *items =
		gti_allocate_zeroed(profile->memory, count, sizeof(*items));

	for (i = 0; i < count && items != NULL; i++) {
		items[i].key = (int64_t)profile_at(profile, i)->stack;
		items[i].value = (uint32_t)i;
	}
	if (items != NULL)
		gti_sort_go1_27(items, count);
	return items;
}

/* Puts names in place of handles in STACKS. Likewise. */
static bool name_stacks(struct profile *stacks,
			const struct profile_names *names)
{
	struct sort_item *items = gti_profile_by_stack(stacks);
	size_t count = profile_count(stacks), i;
	bool good = items != NULL;

	for (i = 0; i < count && good; i++) {
		struct profile_entry *stack =
			profile_at(stacks, items[i].value);

		good = names->name(names->context, stack->type, stack->stack,
				   &stack->stack);
	}
	gti_release(stacks->memory, items, count * sizeof(*items));
	return good;
}

/* Puts names in place of the numbers of STACKS. */
static void put_names(struct profile *profile, const struct profile *stacks)
{
	size_t i;

	for (i = profile->named; i < profile_count(profile); i++) {
		struct profile_entry *entry = profile_at(profile, i);

		entry->stack = profile_at(stacks, entry->stack)->stack;
		entry->type = PROFILE_NAMED;
	}
}

/*
 * Whether no entry that has just got a name has the same one as another entry
 * of its goroutine. Returns false if that would take long to find out.
 */
static bool names_differ(const struct profile *profile)
{
	size_t left = profile_count(profile) * RING_MAX, i;

	/* Entries for any goroutine, which come at the limit, are not linked.
	 */
	if (!profile->rings || is_full(profile))
		return false;
	for (i = profile->named; i < profile_count(profile); i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		const struct profile_entry *other =
			profile_at(profile, entry->next);

		for (; other != entry; other = profile_at(profile, other->next))
			if (other->stack == entry->stack || left-- == 0)
				return false;
	}
	return true;
}

/* Moves ENTRY to the place after the others, or adds it to the one like it. */
static bool put_entry(struct profile *profile,
		      const struct profile_entry *entry)
{
	uint32_t number = profile->numbers.count, place;
	struct profile_entry *same = find_in_table(
		profile, PROFILE_NAMED, entry->stack, entry->g, &place);

	if (same != NULL) {
		same->count += entry->count;
		same->time += entry->time;
		return true;
	}
	if (!numbers_add(&profile->numbers,
			 entry_key(profile, entry->stack, entry->g), place,
			 key_of, profile))
		return false;
	same = profile_at(profile, number);
	*same = *entry;
	same->next = number;
	profile->entries.count++;
	return true;
}

/* Adds up entries of the same goroutine and name. Likewise. */
static bool merge_entries(struct profile *profile)
{
	size_t count = profile_count(profile), i;

	profile->rings = false;
	gti_profile_empty(profile);
	for (i = 0; i < count; i++)
		if (!put_entry(profile, profile_at(profile, i)))
			return false;
	return true;
}

bool gti_profile_name(struct profile *profile,
		      const struct profile_names *names)
{
	struct profile stacks;
	bool good;

	if (profile_count(profile) == profile->named)
		return true;
	good = gti_profile_init(&stacks, true, profile->memory) &&
	       number_stacks(profile, &stacks) && name_stacks(&stacks, names);
	if (good)
		put_names(profile, &stacks);
	gti_profile_free(&stacks);
	if (!good)
		return false;
	good = names_differ(profile) || merge_entries(profile);
	profile->named = profile_count(profile);
	return good;
}
