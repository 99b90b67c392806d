/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - which functions take more or less time in another trace. */
#include "report/compare.h"

#include <string.h>

#include "base/array.h"
#include "base/naming.h"
#include "base/sort.h"
#include "base/strings.h"
#include "report/block_kinds.h"

#define SECOND_NS 1e9

/* By function, and kind; those of both traces come together. */
static int by_function(const void *a, const void *b)
{
	const struct compared *x = a, *y = b;
	int order = string_compare(x->function, y->function);

	if (order == 0 && x->kind != NULL)
		order = strcmp(x->kind, y->kind);
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

/* One of the two traces. */
struct side {
	const struct gtrace_summary *summary;
	bool after;
	const struct gtrace_allocator *memory;
};

/* Adds COMPARED to ARRAY, with what SIDE has of it. MAX -1: it is not known. */
static bool add(const struct side *side, struct array *array,
		struct compared compared, uint64_t count, int64_t sum,
		int64_t max)
{
	struct compared_amount *amount =
		side->after ? &compared.after : &compared.before;

	compared.before.max = compared.after.max = max < 0 ? -1 : 0;
	amount->count = count;
	amount->sum = sum;
	amount->max = max;
	amount->rate = gti_compare_rate(sum, side->summary->length);
	return array_add(array, &compared, sizeof(compared), side->memory) !=
	       NULL;
}

static bool add_functions(const struct side *side, struct array lists[])
{
	const struct gtrace_summary *summary = side->summary;
	size_t i;

	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *from = &summary->functions[i];
		const struct compared compared = {
			.function = from->function,
			.file = from->file,
			.line = from->line,
			.work = from->work,
		};

		if (!add(side, &lists[COMPARED_SLICES], compared, from->count,
			 from->sum, from->max) ||
		    (from->delay != 0 &&
		     !add(side, &lists[COMPARED_DELAYS], compared,
			  from->delaying, from->delay, -1)))
			return false;
	}
	return true;
}

static bool add_holders(const struct side *side, struct array lists[])
{
	size_t i;

	for (i = 0; i < side->summary->holder_count; i++) {
		const struct gtrace_holder *from = &side->summary->holders[i];
		struct compared compared = {
			.function = from->function,
			.file = from->file,
			.line = from->line,
			.work = from->work,
		};

		(side->after ? &compared.after : &compared.before)->off_cpu =
			gti_compare_rate(from->off_cpu, side->summary->length);
		if (!add(side, &lists[COMPARED_HOLDERS], compared, from->count,
			 from->stopping, -1))
			return false;
	}
	return true;
}

static bool add_blocks(const struct side *side, struct array lists[])
{
	const struct gtrace_block_report *report = side->summary->blocks;
	size_t count = report != NULL ? report->place_count : 0, i;

	for (i = 0; i < count; i++) {
		const struct gtrace_block_place *from = report->places[i];
		struct naming naming =
			gti_name_stack(from->frames, from->frame_count);
		const struct gtrace_frame *own = naming_own(&naming) != NULL
							 ? naming_own(&naming)
							 : &gti_no_frame;
		const struct compared compared = {
			.function = own->function,
			.file = own->file,
			.line = own->line,
			.kind = gti_block_word(from->kind),
		};

		if (!add(side, &lists[COMPARED_BLOCKS], compared, from->count,
			 from->sum, from->max))
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
	to->off_cpu += amount->off_cpu;
}

/* Joins the entries of each function, and sorts by their change. */
static void join_functions(struct array *array)
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
		if (next.line < items[kept - 1].line) {
			items[kept - 1].file = next.file;
			items[kept - 1].line = next.line;
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
	const struct side sides[] = {{comparison->before, false, memory},
				     {comparison->after, true, memory}};
	size_t i;

	memset(comparison->lists, 0, sizeof(comparison->lists));
	for (i = 0; i < 2; i++)
		if (!add_functions(&sides[i], comparison->lists) ||
		    !add_holders(&sides[i], comparison->lists) ||
		    !add_blocks(&sides[i], comparison->lists))
			return false;
	for (i = 0; i < COMPARED_LISTS; i++)
		join_functions(&comparison->lists[i]);
	return true;
}

void gti_compare_free(struct comparison *comparison,
		      const struct gtrace_allocator *memory)
{
	size_t i;

	for (i = 0; i < COMPARED_LISTS; i++)
		gti_array_free(&comparison->lists[i], sizeof(struct compared),
			       memory);
}
