/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the stack at which they end. */
#include "analysis/profile.h"

#include <string.h>

#include "base/sort.h"

/*
 * If there are so many entries, new ones are for any goroutine. With those for
 * usual numbers of stacks they fit into a hash table of 256 KiB.
 */
#define ENTRY_MAX 30000

bool gti_profile_init(struct profile *profile, bool by_goroutine,
		      const struct gtrace_allocator *memory)
{
	*profile = (struct profile){
		.memory = memory,
		.by_goroutine = by_goroutine,
		.entry_max = ENTRY_MAX,
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
	    !numbers_add(&profile->numbers, profile_key(profile, stack, g),
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
		     struct profile_slice *slice, uint32_t type, uint64_t stack,
		     uint32_t *near)
{
	struct profile_slice *longest;
	struct profile_entry *entry;

	if (type != profile->own_stacks)
		type = 0;
	entry = entry_of(profile, type, stack,
			 profile->by_goroutine ? slice->g : PROFILE_ANY_G);
	if (UNLIKELY(entry == NULL))
		profile->failed = true;
	if (UNLIKELY(slice->length < 0))
		profile->negative = true;
	if (UNLIKELY(entry == NULL || slice->length < 0))
		return;
	*near = (uint32_t)(entry - profile_at(profile, 0));
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

/* ----------------------------------------------------------------- names -- */

/* A stack that is to be named. */
struct stack {
	uint64_t handle;
	uint64_t name;
	uint32_t type;
};

/* The stacks of the entries without names. */
struct stacks {
	const struct gtrace_allocator *memory;
	struct array list; /* struct stack */
	struct numbers numbers;
};

static struct stack *stack_at(const struct stacks *stacks, size_t number)
{
	return (struct stack *)stacks->list.items + number;
}

static uint64_t stack_key(const void *context, uint32_t number)
{
	const struct stacks *stacks = context;
	const struct stack *stack = stack_at(stacks, number);

	return stack->handle + stack->type * stacks->numbers.multiplier;
}

/* Adds WANTED if it is new. Returns its number plus one. 0: no memory. */
static uint32_t find_stack(struct stacks *stacks, const struct stack *wanted)
{
	struct numbers *numbers = &stacks->numbers;
	uint64_t key = wanted->handle + wanted->type * numbers->multiplier;
	uint32_t at = numbers_place(numbers, key), number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at)) {
		const struct stack *stack = stack_at(stacks, number - 1);

		if (stack->handle == wanted->handle &&
		    stack->type == wanted->type)
			return number;
	}
	if (!gti_array_reserve(&stacks->list, sizeof(*wanted),
			       stacks->memory) ||
	    !numbers_add(numbers, key, at, stack_key, stacks))
		return 0;
	*stack_at(stacks, stacks->list.count++) = *wanted;
	return numbers->count;
}

/* Puts numbers in place of the stacks. Returns false if there is no memory. */
static bool number_stacks(const struct profile *profile, struct stacks *stacks)
{
	struct stack last = {.type = PROFILE_NAMED};
	uint32_t number = 0;
	size_t i;

	for (i = profile->named; i < profile_count(profile); i++) {
		struct profile_entry *entry = profile_at(profile, i);

		/* Many goroutines in a row often end at the same stack. */
		if (entry->stack != last.handle || entry->type != last.type) {
			last.handle = entry->stack;
			last.type = entry->type;
			number = find_stack(stacks, &last);
			if (number == 0)
				return false;
		}
		entry->stack = number - 1;
	}
	return true;
}

/* In the order of handles: a format finds stacks faster then. Likewise. */
static bool name_stacks(struct stacks *stacks,
			const struct profile_names *names)
{
	size_t count = stacks->list.count, i;
	struct sort_item *items =
		gti_allocate_zeroed(stacks->memory, count, sizeof(*items));
	bool good = items != NULL;

	for (i = 0; i < count && good; i++) {
		items[i].key = (int64_t)stack_at(stacks, i)->handle;
		items[i].value = (uint32_t)i;
	}
	if (good)
		gti_sort_go1_27(items, count);
	for (i = 0; i < count && good; i++) {
		struct stack *stack = stack_at(stacks, items[i].value);

		good = names->name(names->context, stack->type, stack->handle,
				   &stack->name);
	}
	gti_release(stacks->memory, items, count * sizeof(*items));
	return good;
}

/* Moves ENTRY to the place after the others, or adds it to the one like it. */
static bool put_entry(struct profile *profile,
		      const struct profile_entry *entry)
{
	struct profile_entry *same;
	uint32_t place;

	same = profile_find(profile, PROFILE_NAMED, entry->stack, entry->g,
			    &place);
	if (same != NULL) {
		same->count += entry->count;
		same->time += entry->time;
		return true;
	}
	if (!numbers_add(&profile->numbers,
			 profile_key(profile, entry->stack, entry->g), place,
			 key_of, profile))
		return false;
	*profile_at(profile, profile->entries.count++) = *entry;
	return true;
}

/* Puts names in place of the numbers of STACKS. Likewise. */
static bool put_names(struct profile *profile, const struct stacks *stacks)
{
	size_t count = profile_count(profile), named = profile->named, i;

	gti_profile_empty(profile);
	for (i = 0; i < count; i++) {
		struct profile_entry *entry = profile_at(profile, i);

		if (i >= named) {
			entry->stack = stack_at(stacks, entry->stack)->name;
			entry->type = PROFILE_NAMED;
		}
		if (!put_entry(profile, entry))
			return false;
	}
	profile->named = profile_count(profile);
	return true;
}

bool gti_profile_name(struct profile *profile,
		      const struct profile_names *names)
{
	struct stacks stacks = {.memory = profile->memory};
	bool good;

	if (profile_count(profile) == profile->named)
		return true;
	good = gti_numbers_init(&stacks.numbers, stacks.memory) &&
	       number_stacks(profile, &stacks) && name_stacks(&stacks, names) &&
	       put_names(profile, &stacks);
	gti_array_free(&stacks.list, sizeof(struct stack), stacks.memory);
	gti_numbers_free(&stacks.numbers);
	return good;
}
