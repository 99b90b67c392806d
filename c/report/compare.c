/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - which functions take more or less time in another trace. */
#include "report/compare.h"

#include <string.h>

#include "base/sort.h"

#define SECOND_NS 1e9

static int compare_texts(struct gtrace_string a, struct gtrace_string b)
{
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size != 0 ? memcmp(a.data, b.data, size) : 0;

	if (order != 0)
		return order;
	return a.size < b.size ? -1 : a.size > b.size;
}

/* By function; those of both traces come together. */
static int by_function(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;
	int order = compare_texts(x->function, y->function);

	if (order == 0)
		order = compare_texts(x->caller, y->caller);
	return order != 0 ? order : (int)x->work - (int)y->work;
}

/* The largest change first, then the one that takes most time. */
static int by_change(const void *a, const void *b)
{
	const struct compared *first = a, *second = b;
	int64_t x = first->change < 0 ? -first->change : first->change;
	int64_t y = second->change < 0 ? -second->change : second->change;

	if (x == y) {
		x = first->after.rate;
		y = second->after.rate;
	}
	return x != y ? (x > y ? -1 : 1) : by_function(a, b);
}

int64_t gti_compare_rate(int64_t sum, int64_t length)
{
	double rate = (double)sum * SECOND_NS / (double)length;

	return length > 0 && rate < 0x1p62 && rate > -0x1p62
		       ? (int64_t)(rate + 0.5)
		       : 0;
}

static bool add(struct array *array, const struct compared *compared,
		const struct gtrace_allocator *memory)
{
	if (!gti_array_reserve(array, sizeof(*compared), memory))
		return false;
	((struct compared *)array->items)[array->count++] = *compared;
	return true;
}

static bool add_functions(struct array *array,
			  const struct gtrace_summary *summary, bool after,
			  const struct gtrace_allocator *memory)
{
	size_t i;

	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *from = &summary->functions[i];
		struct compared compared = {
			.function = from->function,
			.caller = from->caller,
			.work = from->work,
		};

		*(after ? &compared.after
			: &compared.before) = (struct compared_amount){
			.count = from->count,
			.sum = from->sum,
			.max = from->max,
			.rate = gti_compare_rate(from->sum, summary->length),
		};
		if (!add(array, &compared, memory))
			return false;
	}
	return true;
}

static bool add_holders(struct array *array,
			const struct gtrace_summary *summary, bool after,
			const struct gtrace_allocator *memory)
{
	size_t i;

	for (i = 0; i < summary->holder_count; i++) {
		const struct gtrace_holder *from = &summary->holders[i];
		/* Callers may be several in one trace: they do not count. */
		struct compared compared = {
			.function = from->function,
			.caller = {"", 0},
			.work = from->work,
			.before.max = -1,
			.after.max = -1,
		};

		*(after ? &compared.after : &compared.before) =
			(struct compared_amount){
				.count = from->count,
				.sum = from->stopping,
				.max = -1,
				.rate = gti_compare_rate(from->stopping,
							 summary->length),
			};
		if (!add(array, &compared, memory))
			return false;
	}
	return true;
}

static void add_amount(struct compared_amount *to,
		       const struct compared_amount *amount)
{
	if (to->count == 0 || amount->max > to->max)
		to->max = amount->count != 0 ? amount->max : to->max;
	to->count += amount->count;
	to->sum += amount->sum;
	to->rate += amount->rate;
}

/* Joins the entries of each function, and sorts by their change. */
static void join(struct array *array)
{
	struct compared *items = array->items;
	size_t count = array->count, kept = 0, i;

	if (count > 1)
		gti_sort(items, count, sizeof(*items), by_function);
	for (i = 0; i < count; i++) {
		struct compared next = items[i];

		if (kept == 0 || by_function(&items[kept - 1], &next) != 0) {
			items[kept++] = next;
			continue;
		}
		add_amount(&items[kept - 1].before, &next.before);
		add_amount(&items[kept - 1].after, &next.after);
	}
	array->count = kept;
	for (i = 0; i < kept; i++)
		items[i].change = items[i].after.rate - items[i].before.rate;
	if (kept > 1)
		gti_sort(items, kept, sizeof(*items), by_change);
}

bool gti_compare(struct comparison *comparison,
		 const struct gtrace_allocator *memory)
{
	const struct gtrace_summary *before = comparison->before;
	const struct gtrace_summary *after = comparison->after;

	comparison->slices = comparison->holders = (struct array){.count = 0};
	if (!add_functions(&comparison->slices, before, false, memory) ||
	    !add_functions(&comparison->slices, after, true, memory) ||
	    !add_holders(&comparison->holders, before, false, memory) ||
	    !add_holders(&comparison->holders, after, true, memory))
		return false;
	join(&comparison->slices);
	join(&comparison->holders);
	return true;
}

void gti_compare_free(struct comparison *comparison,
		      const struct gtrace_allocator *memory)
{
	gti_array_free(&comparison->slices, sizeof(struct compared), memory);
	gti_array_free(&comparison->holders, sizeof(struct compared), memory);
}
