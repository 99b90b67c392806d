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
	int order = string_compare(x->frame.function, y->frame.function);

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

/* The time that passed in SUMMARY's trace, as far as that is known. */
static int64_t time_of(const struct gtrace_summary *summary)
{
	return summary->length - summary->clock_gap;
}

/* SUM in a trace of LENGTH, for each second of it. */
static int64_t rate_of(int64_t sum, int64_t length)
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
	amount->rate = rate_of(sum, time_of(side->summary));
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
			.frame = from->frame,
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
		const struct gtrace_function *from = &side->summary->holders[i];
		struct compared compared = {
			.frame = from->frame,
			.work = from->work,
		};

		if (!add(side, &lists[COMPARED_HOLDERS], compared, from->count,
			 from->sum, -1))
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
		const struct compared compared = {
			.frame = *naming_own(&naming),
			.kind = gtrace_block_name(from->kind),
		};

		if (!add(side, &lists[COMPARED_BLOCKS], compared, from->count,
			 from->sum, from->max))
			return false;
	}
	return true;
}

static bool add_findings(const struct side *side, struct array lists[])
{
	size_t i;

	for (i = 0; i < side->summary->finding_count; i++) {
		const struct gtrace_finding *from = &side->summary->findings[i];
		const struct compared compared = {
			.frame = from->frame,
			.kind = from->name,
			.is_finding = true,
		};

		if (!add(side, &lists[COMPARED_FINDINGS], compared, from->count,
			 from->harm, from->worst))
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
		if (next.frame.line < items[kept - 1].frame.line)
			items[kept - 1].frame = next.frame;
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
		    !add_blocks(&sides[i], comparison->lists) ||
		    !add_findings(&sides[i], comparison->lists))
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

size_t gti_compare_changed(const struct array *list, size_t wanted)
{
	const struct compared *items = list->items;
	size_t count = list->count;

	while (count > 0 &&
	       items[count - 1].before.rate == items[count - 1].after.rate)
		count--;
	return count < wanted ? count : wanted;
}

/* --------------------------------------------------------------- lengths -- */

/* How many of COUNT are in a second of SUMMARY, in thousandths. */
static int64_t count_rate(const struct gtrace_summary *summary, uint64_t count)
{
	return rate_of((int64_t)(1000 * (double)count), time_of(summary));
}

/* SUM in a second of SUMMARY; -1: it is not known. */
static int64_t sum_rate(const struct gtrace_summary *summary, int64_t sum)
{
	return sum < 0 ? -1 : rate_of(sum, time_of(summary));
}

/* How many times without an event MACHINE has. */
static uint64_t count_silent(const struct gtrace_machine *machine)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		count += machine->classes[i].count;
	return count;
}

static int64_t class_rate(const struct gtrace_summary *summary,
			  enum gtrace_silent_class class)
{
	return sum_rate(summary, summary->machine.classes[class].sum);
}

/* Sets the label and the value of each of LENGTHS for the trace OF SIDE. */
static void set_lengths(struct compared_length lengths[], size_t side,
			const struct gtrace_summary *of)
{
	const struct gtrace_distribution *slices = &of->slices;
	const struct gtrace_wait_row *waits = &of->waits->all;
	const struct gtrace_stop_kind *stops = &of->stops->all;
	const struct {
		const char *label;
		int64_t value;
	} found[COMPARED_LENGTHS] = {
		{"slices a second", count_rate(of, slices->count)},
		{"  sum a second", sum_rate(of, slices->sum)},
		{"  median", slices->median},
		{"  p99", slices->p99},
		{"  p99.9", slices->p999},
		{"  longest", slices->max},
		{"waits for a P a second", count_rate(of, waits->count)},
		{"  sum a second", sum_rate(of, waits->sum)},
		{"  median", waits->median},
		{"  p99", waits->p99},
		{"  longest", waits->max},
		{"pauses a second", count_rate(of, stops->measured)},
		{"  waits a second", sum_rate(of, stops->stopping)},
		{"  median", stops->median},
		{"  p99", stops->p99},
		{"  longest", stops->max},
		{"without events a second",
		 count_rate(of, count_silent(&of->machine))},
		{"  certainly no CPU", class_rate(of, GTRACE_SILENT_CERTAIN)},
		{"  asleep", class_rate(of, GTRACE_SILENT_ASLEEP)},
		{"  most likely no CPU", class_rate(of, GTRACE_SILENT_LIKELY)},
		{"  undecided", class_rate(of, GTRACE_SILENT_UNDECIDED)},
	};
	size_t i;

	for (i = 0; i < COMPARED_LENGTHS; i++) {
		lengths[i].label = found[i].label;
		lengths[i].values[side] = found[i].value;
	}
}

size_t gti_compare_lengths(const struct comparison *comparison,
			   struct compared_length lengths[COMPARED_LENGTHS])
{
	bool silent = count_silent(&comparison->before->machine) != 0 ||
		      count_silent(&comparison->after->machine) != 0;

	set_lengths(lengths, 0, comparison->before);
	set_lengths(lengths, 1, comparison->after);
	/* One line counts them, and there is one for each class but NONE. */
	return silent ? COMPARED_LENGTHS
		      : COMPARED_LENGTHS - GTRACE_SILENT_CLASSES;
}
