/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - all slices, added up by the name of the stack they end at. */
#include "analysis/profile.h"

#include <string.h>

#include <gtrace/gtrace.h>

#include "base/least.h"

/*
 * If there are so many entries, new ones are for any goroutine. With those for
 * usual numbers of stacks they fit into a hash table of 256 KiB.
 */
#define ENTRY_MAX 30000

/* No format has a stack with this handle. */
#define NO_STACK UINT64_MAX

bool gti_profile_init(struct profile *profile, bool by_goroutine,
		      const struct profile_names *names, void *context,
		      const struct gtrace_allocator *memory)
{
	*profile = (struct profile){
		.memory = memory,
		.names = names,
		.context = context,
		.by_goroutine = by_goroutine,
		.entry_max = ENTRY_MAX,
	};
	return gti_numbers_init(&profile->numbers, memory) &&
	       (by_goroutine || gti_lengths_init(&profile->lengths, memory));
}

void gti_profile_forget_stacks(struct profile *profile)
{
	size_t i;

	for (i = 0; i < PROFILE_KINDS; i++)
		gti_map_free(&profile->known[i], profile->memory);
	memset(profile->recent, 0, sizeof(profile->recent));
	for (i = 0; i < profile_count(profile); i++)
		profile_at(profile, i)->stack = NO_STACK;
}

void gti_profile_free(struct profile *profile)
{
	if (profile->memory == NULL)
		return;
	gti_profile_forget_stacks(profile);
	gti_array_free(&profile->entries, sizeof(struct profile_entry),
		       profile->memory);
	gti_numbers_free(&profile->numbers);
	gti_rough_free(&profile->ready, profile->memory);
	gti_lengths_free(&profile->lengths, profile->memory);
	profile->memory = NULL;
}

void gti_profile_restart(struct profile *profile)
{
	gti_profile_forget_stacks(profile);
	profile->entries.count = 0;
	gti_numbers_empty(&profile->numbers);
	gti_rough_clear(&profile->ready);
	if (!profile->by_goroutine)
		gti_lengths_clear(&profile->lengths);
	profile->negative = false;
	profile->failed = false;
}

/* --------------------------------------------------------------- entries -- */

/* The name of STACK, see gti_profile_find(). */
static uint32_t find_name(struct profile *profile, unsigned kind,
			  uint64_t stack)
{
	uint64_t *name =
		gti_map_put(&profile->known[kind], stack, profile->memory);

	if (name == NULL) {
		profile->failed = true;
		return PROFILE_UNNAMED;
	}
	if (*name == 0)
		*name = profile->names->name(profile->context, kind, stack) +
			(uint64_t)1;
	return (uint32_t)(*name - 1);
}

/* find_name() for STACK of kind 0. */
static uint32_t name_of(struct profile *profile, uint64_t stack)
{
	struct profile_recent *recent =
		&profile->recent[stack % PROFILE_RECENT];

	if (recent->stack != stack || recent->name == 0) {
		recent->name = find_name(profile, 0, stack) + 1;
		recent->stack = stack;
	}
	return recent->name - 1;
}

static uint64_t entry_key(const struct profile *profile, uint32_t name,
			  uint64_t g)
{
	return name + g * profile->numbers.secret;
}

static uint64_t key_of(const void *context, uint32_t number)
{
	const struct profile *profile = context;
	const struct profile_entry *entry = profile_at(profile, number);

	return entry_key(profile, entry->name, entry->g);
}

/*
 * The entry of NAME and G. NULL: there is none; *PLACE is that of a new one in
 * the table.
 */
static struct profile_entry *find_entry(const struct profile *profile,
					uint32_t name, uint64_t g,
					uint32_t *place)
{
	const struct numbers *numbers = &profile->numbers;
	uint32_t at = numbers_place(numbers, entry_key(profile, name, g));
	uint32_t number;

	for (; (number = numbers->table[at]) != 0;
	     at = numbers_next(numbers, at)) {
		struct profile_entry *entry = profile_at(profile, number - 1);

		if (entry->name == name && entry->g == g)
			return entry;
	}
	*place = at;
	return NULL;
}

/* Adds an entry, at PLACE as find_entry() says. NULL: there is no memory. */
static struct profile_entry *add_entry(struct profile *profile, uint32_t name,
				       uint64_t g, uint32_t place)
{
	struct array *entries = &profile->entries;
	struct profile_entry *entry;

	if (!gti_array_reserve(entries, sizeof(*entry), profile->memory) ||
	    !numbers_add(&profile->numbers, entry_key(profile, name, g), place,
			 key_of, profile)) {
		profile->failed = true;
		return NULL;
	}
	entry = profile_at(profile, entries->count++);
	*entry = (struct profile_entry){
		.stack = NO_STACK,
		.g = g,
		.limit = profile->by_goroutine ? (uint64_t)1 << 63 : 0,
		.name = name,
	};
	return entry;
}

/* The entry of NAME and G, new if need be. NULL: there is no memory. */
static struct profile_entry *entry_of(struct profile *profile, uint32_t name,
				      uint64_t g)
{
	struct profile_entry *entry;
	uint32_t place = 0;

	if (!profile->by_goroutine)
		g = PROFILE_ANY_G;
	entry = find_entry(profile, name, g, &place);
	if (entry == NULL && profile->by_goroutine &&
	    profile_count(profile) >= profile->entry_max) {
		g = PROFILE_ANY_G;
		entry = find_entry(profile, name, g, &place);
	}
	return entry != NULL ? entry : add_entry(profile, name, g, place);
}

/* The entry of STACK and G. NULL: as for gti_profile_find(). */
static struct profile_entry *
find_handle(struct profile *profile, uint64_t stack, uint64_t g, uint32_t *near)
{
	uint32_t name = name_of(profile, stack);
	struct profile_entry *entry = NULL;

	if (name != PROFILE_UNNAMED)
		entry = entry_of(profile, name, g);
	if (entry != NULL) {
		entry->stack = stack;
		entry->before = *near;
		*near = (uint32_t)(entry - profile_at(profile, 0)) + 1;
	}
	return entry;
}

/*
 * The entry that G had before that of its last slice, if it is that of STACK:
 * many goroutines leave their processors at two stacks in turn. Or NULL.
 */
static struct profile_entry *entry_before(const struct profile *profile,
					  uint64_t stack, uint64_t g,
					  uint32_t *near)
{
	struct profile_entry *entry;
	uint32_t before = 0;

	if (profile->by_goroutine && *near - 1 < profile_count(profile))
		before = profile_at(profile, *near - 1)->before;
	if (before == 0)
		return NULL;
	entry = profile_at(profile, before - 1);
	/* An entry of any goroutine may follow that of another goroutine. */
	if (entry->stack != stack || entry->g != g)
		return NULL;
	entry->before = *near;
	*near = before;
	return entry;
}

struct profile_entry *gti_profile_find(struct profile *profile, unsigned kind,
				       uint64_t stack, uint64_t g,
				       uint32_t *near)
{
	if (kind == 0)
		return find_handle(profile, stack, g, near);
	return gti_profile_named(profile, find_name(profile, kind, stack), g);
}

uint32_t gti_profile_name(struct profile *profile, unsigned kind,
			  uint64_t stack)
{
	uint32_t name = find_name(profile, kind, stack);

	/* Entries for any goroutine are dense by name. */
	if (!profile->by_goroutine)
		gti_profile_named(profile, name, PROFILE_ANY_G);
	return name;
}

struct profile_entry *gti_profile_named(struct profile *profile, uint32_t name,
					uint64_t g)
{
	return name != PROFILE_UNNAMED ? entry_of(profile, name, g) : NULL;
}

struct profile_entry *gti_profile_running(struct profile *profile,
					  const struct slice *slice)
{
	return gti_profile_named(
		profile, profile->names->name_running(profile->context, slice),
		slice->g);
}

bool gti_profile_add_other(struct profile *profile, uint64_t g, uint64_t stack,
			   int64_t length, uint32_t *near)
{
	struct profile_entry *entry = entry_before(profile, stack, g, near);

	if (entry == NULL)
		entry = find_handle(profile, stack, g, near);
	return entry != NULL &&
	       profile_add_short(profile, entry, length, profile->by_goroutine);
}

/* ---------------------------------------------------------------- slices -- */

void gti_profile_sum(struct profile *profile)
{
	struct lengths *lengths = &profile->lengths;
	size_t i;

	for (i = 0; i < profile_count(profile); i++) {
		const struct profile_entry *entry = profile_at(profile, i);

		lengths->count += entry->count;
		lengths->sum = (int64_t)((uint64_t)lengths->sum + entry->time);
		lengths->max = greatest_of(lengths->max, entry->max);
	}
}

/* So much of DELAY as PART is of LENGTH. */
static uint64_t part_of(int64_t delay, int64_t part, int64_t length)
{
	double of = (double)delay * (double)part / (double)length;

	return of >= 0 && of < (double)delay ? (uint64_t)of : (uint64_t)delay;
}

void gti_profile_add(struct profile *profile, const struct profile_slice *slice,
		     struct profile_entry *entry)
{
	if (UNLIKELY(slice->length < 0)) {
		profile->negative = true;
		return;
	}
	entry->count++;
	entry->time += (uint64_t)slice->length;
	if (slice->off_cpu > 0 && profile->delay != NULL)
		entry->delay_off_cpu += part_of(wide_ns(*profile->delay),
						slice->off_cpu, slice->length);
	profile_add_delay(profile, entry, slice->length);
	profile_add_waited(profile, entry);
	if (profile->by_goroutine)
		return;
	lengths_add(&profile->lengths, slice->length);
	if ((uint64_t)slice->length < entry->limit)
		return;
	entry->limit = (uint64_t)slice->length + 1;
	entry->max = slice->length;
	entry->max_start = slice->start;
	entry->max_g = slice->g;
}
