/* SPDX-License-Identifier: BSD-3-Clause */
/* assists.c - mark assists by collection, function and goroutine. */
#include "assists.h"

#include <string.h>

#include "base/sort.h"

static int compare_numbers(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int by_collection(const void *a, const void *b)
{
	const struct assist_entry *x = a, *y = b;

	if (x->key.collection != y->key.collection)
		return compare_numbers(x->key.collection, y->key.collection);
	return compare_numbers(x->key.g, y->key.g);
}

static int by_function(const void *a, const void *b)
{
	const struct assist_entry *x = a, *y = b;

	if (x->key.function != y->key.function)
		return compare_numbers(x->key.function, y->key.function);
	return compare_numbers(x->key.g, y->key.g);
}

static int by_goroutine(const void *a, const void *b)
{
	const struct assist_entry *x = a, *y = b;

	if (x->key.g != y->key.g)
		return compare_numbers(x->key.g, y->key.g);
	return compare_numbers(x->number, y->number);
}

/* Longest held first, then longest marking, then by name or number. */
static int compare_assists(const void *a, const void *b)
{
	const struct gtrace_assist *x = a, *y = b;
	size_t size = x->function.size;
	int order;

	if (x->held != y->held)
		return x->held > y->held ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	if (y->function.size < size)
		size = y->function.size;
	order = memcmp(x->function.data, y->function.data, size);
	return order != 0 ? order
			  : compare_numbers(x->function.size, y->function.size);
}

/* Adds the next entry, with PREVIOUS before it, to TO. */
static void add_entry(const struct assist_entry *entry,
		      const struct assist_entry *previous,
		      struct gtrace_assist *to)
{
	to->held += (int64_t)entry->tally->held;
	to->cpu += (int64_t)entry->tally->work;
	to->parked += (int64_t)entry->tally->parked;
	to->assists += entry->tally->count;
	to->goroutines += previous == NULL || previous->key.g != entry->key.g;
}

/* The assists that entries FROM to TO have. */
static struct gtrace_assist add_up(const struct assist_entry *from,
				   const struct assist_entry *to)
{
	struct gtrace_assist sum = {.g = -1};
	const struct assist_entry *entry;

	for (entry = from; entry < to; entry++)
		add_entry(entry, entry != from ? entry - 1 : NULL, &sum);
	return sum;
}

static struct gtrace_string name_or_unknown(struct gtrace_string name)
{
	static const struct gtrace_string unknown = {"unknown", 7};

	return name.size != 0 ? name : unknown;
}

struct gtrace_string gti_function_of(const struct run *run, uint32_t number)
{
	static const struct gtrace_string none = {"", 0};

	return number != NO_TEXT ? texts_at(&run->functions, number) : none;
}

/* The first function of the goroutine of the entries FROM to TO. */
static struct gtrace_string first_function(const struct assists *assists,
					   const struct assist_entry *from,
					   const struct assist_entry *to)
{
	while (from < to - 1 && !from->tally->named)
		from++;
	return gti_function_of(assists->run, from->tally->outermost);
}

/* The end of the entries from FIRST on that are in one list with it. */
static const struct assist_entry *end_of(const struct assists *assists,
					 const struct assist_entry *first,
					 bool goroutines)
{
	const struct assist_entry *end = assists->entries + assists->count;
	const struct assist_entry *entry = first + 1;

	while (entry < end &&
	       (goroutines ? entry->key.g == first->key.g
			   : entry->key.function == first->key.function))
		entry++;
	return entry;
}

bool gti_assists_make(struct event_maker *maker, struct assists *assists,
		      bool goroutines, size_t rows,
		      const struct gtrace_assist **list, size_t *count)
{
	const struct assist_entry *first, *next;
	const struct assist_entry *end = assists->entries + assists->count;
	struct gtrace_assist *made = gti_arena_allocate(
		&maker->arena, assists->count * sizeof(*made) + 1);
	size_t i, total = 0;

	if (made == NULL)
		return false;
	gti_sort(assists->entries, assists->count, sizeof(*first),
		 goroutines ? by_goroutine : by_function);
	for (first = assists->entries; first < end; first = next) {
		next = end_of(assists, first, goroutines);
		made[total] = add_up(first, next);
		made[total].function = name_or_unknown(
			goroutines ? first_function(assists, first, next)
				   : gti_function_of(
					     assists->run,
					     (uint32_t)first->key.function));
		if (goroutines)
			made[total].g = (int64_t)first->key.g;
		total++;
	}
	gti_sort(made, total, sizeof(*made), compare_assists);
	*count = total < rows ? total : rows;
	*list = made;
	for (i = 0; i < *count; i++)
		if (!gti_own_text(maker, &made[i].function))
			return false;
	return true;
}

bool gti_assists_find(struct assists *assists, const struct run *run)
{
	const struct collections *from = &run->collections;
	size_t total = from->tallies.count, i;
	struct assist_entry *entry;

	*assists = (struct assists){.run = run};
	assists->entries =
		gti_allocate_zeroed(from->memory, total + 1, sizeof(*entry));
	if (assists->entries == NULL)
		return false;
	for (i = 0; i < total; i++) {
		entry = &assists->entries[i];
		memcpy(&entry->key, texts_at(&from->assists, (uint32_t)i).data,
		       sizeof(entry->key));
		entry->tally =
			(const struct assist_tally *)from->tallies.items + i;
		entry->number = i;
	}
	assists->count = total;
	gti_sort(assists->entries, total, sizeof(*entry), by_collection);
	return true;
}

void gti_assists_free(struct assists *assists)
{
	const struct collections *from;

	if (assists->entries == NULL)
		return;
	from = &assists->run->collections;
	gti_release(from->memory, assists->entries,
		    (from->tallies.count + 1) * sizeof(*assists->entries));
}

struct gtrace_assist gti_assists_next(struct assists *assists,
				      uint64_t collection)
{
	size_t first = assists->next, i = first;

	while (i < assists->count &&
	       assists->entries[i].key.collection == collection)
		i++;
	assists->next = i;
	return add_up(&assists->entries[first], &assists->entries[i]);
}

void gti_assists_choose(struct assists *assists, const bool *chosen)
{
	size_t kept = 0, i;

	for (i = 0; i < assists->count; i++)
		if (chosen[assists->entries[i].key.collection])
			assists->entries[kept++] = assists->entries[i];
	assists->count = kept;
}

struct gtrace_assist gti_assists_total(struct assists *assists)
{
	const struct assist_entry *previous = NULL;
	struct gtrace_assist sum = {.g = -1};
	size_t i;

	gti_sort(assists->entries, assists->count, sizeof(*assists->entries),
		 by_goroutine);
	for (i = 0; i < assists->count; i++) {
		const struct assist_entry *entry = &assists->entries[i];
		size_t of = (size_t)entry->key.collection;

		if (!collection_at(&assists->run->collections, of)->exists)
			continue;
		add_entry(entry, previous, &sum);
		previous = entry;
	}
	return sum;
}
