/* SPDX-License-Identifier: BSD-3-Clause */
/* lock_holders.c - who held locks while goroutines were blocked there. */
#include "base/array.h"
#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"
#include "causes.h"

/* As many are listed of those who held a lock, and of what each of them did. */
#define HOLDERS_MAX 3
#define PARTS_MAX   3

/* What a holder did. Texts are those of names. */
struct hold {
	uint32_t at; /* stack where goroutines are blocked */
	uint32_t part;
	const struct gtrace_frame *holder;
	struct gtrace_string name; /* of its function, without types */
	struct gtrace_string inner;
	int64_t sum;
};

/* What a stack is called. */
struct called {
	const struct gtrace_frame *own; /* NULL: it is not known yet */
	struct gtrace_string name;      /* of that, without types */
	struct gtrace_string inner;     /* the innermost function */
};

static struct hold *hold_at(const struct array *holds, size_t number)
{
	return (struct hold *)holds->items + number;
}

/* Compares texts of names, of which equal ones mostly are the same bytes. */
static int compare_texts(struct gtrace_string x, struct gtrace_string y)
{
	return x.data == y.data && x.size == y.size ? 0 : string_compare(x, y);
}

static int by_holder(const struct hold *x, const struct hold *y)
{
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return compare_texts(x->name, y->name);
}

static int by_part(const struct hold *x, const struct hold *y)
{
	int order = by_holder(x, y);

	if (order != 0)
		return order;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return compare_texts(x->inner, y->inner);
}

/* Of the same part of the same holder, where it held most comes first. */
static int in_order(const void *a, const void *b)
{
	const struct hold *x = a, *y = b;
	int order = by_part(x, y);

	if (order != 0)
		return order;
	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->holder->line > y->holder->line) -
	       (x->holder->line < y->holder->line);
}

/* -------------------------------------------------------------- prepared -- */

/* Looks at STACK, and sets TO to what it is called. */
static void call(struct run *run, uint32_t stack, struct called *to)
{
	const struct gtrace_frame *frames = NULL;
	size_t count = 0;
	struct naming naming;
	const struct names *names = &run->causes->aside.names;
	uint32_t own = causes_look(&run->causes->causes, stack).own;

	if (stack != NO_STACK)
		frames = names_frames(names, stack, &count);
	naming = gti_name_stack(frames, count);
	to->own = naming_own(&naming);
	to->name = own != 0 ? texts_at(&names->words, own - 1)
			    : gti_no_frame.function;
	to->inner = naming.frame != NULL ? naming.frame->function
					 : gti_no_frame.function;
}

/* The same of KNOWN, by the number of the stack, where each is looked at once.
 */
static struct called called_of(struct run *run, struct array *known,
			       uint32_t stack)
{
	static const struct called none = {.own = NULL};
	struct called nothing, *called = &nothing;

	if (stack != NO_STACK)
		called = array_grown(known, stack, &none, sizeof(none),
				     run->memory);
	if (called == NULL) {
		run->failed = true;
		called = &nothing;
	}
	if (called == &nothing || called->own == NULL)
		call(run, stack, called);
	return *called;
}

static struct hold make_hold(struct run *run, struct array *known,
			     uint32_t number)
{
	const struct causes *causes = &run->causes->causes;
	const struct cause_hold *from =
		(const void *)texts_at(&causes->holds, number).data;
	struct called holder = called_of(run, known, from->holder);
	struct called inner = called_of(run, known, from->inner);

	return (struct hold){
		.at = from->at,
		.part = from->part,
		.holder = holder.own,
		.name = holder.name,
		/* Of what ran only the next event is known. */
		.inner = from->part == GTRACE_HOLD_RAN ? inner.own->function
						       : inner.inner,
		.sum = ((const int64_t *)causes->hold_sums.items)[number],
	};
}

/* Adds up what are the same part of the same holder: HOLDS are in order. */
static void join(struct array *holds)
{
	size_t kept = 0, i;

	for (i = 0; i < holds->count; i++) {
		const struct hold *from = hold_at(holds, i);
		struct hold *last = kept != 0 ? hold_at(holds, kept - 1) : NULL;

		if (last != NULL && by_part(last, from) == 0)
			last->sum = add_ns(last->sum, from->sum);
		else
			*hold_at(holds, kept++) = *from;
	}
	holds->count = kept;
}

void gti_prepare_holders(struct run *run)
{
	struct cause_work *work = run->causes;
	struct array *holds, known = {0};
	size_t count;
	uint32_t i;

	if (work == NULL)
		return;
	holds = &work->holds;
	count = work->causes.hold_sums.count;
	for (i = 0; i < count && !run->failed; i++) {
		struct hold hold = make_hold(run, &known, i);

		run->failed |= array_add(holds, &hold, sizeof(hold),
					 run->memory) == NULL;
	}
	gti_array_free(&known, sizeof(struct called), run->memory);
	run->failed |= work->causes.failed;
	if (holds->count > 1)
		gti_sort(holds->items, holds->count, sizeof(struct hold),
			 in_order);
	join(holds);
}

void gti_free_holders(struct run *run)
{
	if (run->causes != NULL)
		gti_array_free(&run->causes->holds, sizeof(struct hold),
			       run->memory);
}

/* ------------------------------------------------------------------ made -- */

/* The first of HOLDS whose stack is AT or a later one. */
static size_t find_first(const struct array *holds, uint32_t at)
{
	size_t low = 0, high = holds->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (hold_at(holds, middle)->at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where in the COUNT rows that are known a SUM comes: the greatest first. */
static size_t place_of(const int64_t *sums, size_t count, int64_t sum)
{
	size_t at = count;

	while (at > 0 && sums[at - 1] < sum)
		at--;
	return at;
}

/* Puts NUMBER, of SUM, among the first of at most MAX. Returns their count. */
static size_t put_first(size_t *numbers, int64_t *sums, size_t count,
			size_t max, size_t number, int64_t sum)
{
	size_t at = place_of(sums, count, sum), i;

	if (at == max)
		return count;
	count += count < max;
	for (i = count - 1; i > at; i--) {
		numbers[i] = numbers[i - 1];
		sums[i] = sums[i - 1];
	}
	numbers[at] = number;
	sums[at] = sum;
	return count;
}

static const char *part_word(uint32_t part)
{
	static const char *const words[] = {
		[GTRACE_HOLD_RAN] = "ran",
		[GTRACE_HOLD_READY] = "ready",
		[GTRACE_HOLD_CALL] = "call",
		[GTRACE_HOLD_IN_C] = "in_c",
		[GTRACE_HOLD_NETWORK] = "network",
		[GTRACE_HOLD_SLEEP] = "sleep",
		[GTRACE_HOLD_LOCK] = "lock",
		[GTRACE_HOLD_SEND] = "send",
		[ROW_LOAD] = "ready",
		[ROW_COLLECTOR] = "collector",
		[ROW_UNASSIGNED] = "other",
	};

	return words[part];
}

/* Sets the parts of TO, whose holds are COUNT ones from the number FIRST on. */
static void make_parts(struct run *run, size_t first, size_t count,
		       struct gtrace_lock_holder *to)
{
	const struct array *holds = &run->causes->holds;
	struct gtrace_hold_part *parts =
		gti_make_array(run, PARTS_MAX, sizeof(*parts));
	size_t numbers[PARTS_MAX], kept = 0, i;
	int64_t sums[PARTS_MAX];

	for (i = 0; i < count; i++)
		kept = put_first(numbers, sums, kept, PARTS_MAX, first + i,
				 hold_at(holds, first + i)->sum);
	for (i = 0; parts != NULL && i < kept; i++) {
		const struct hold *from = hold_at(holds, numbers[i]);

		parts[i].part = part_word(from->part);
		parts[i].inner = from->inner;
		gti_own_text(run, &parts[i].inner);
		parts[i].sum = from->sum;
	}
	to->parts = parts;
	to->part_count = parts != NULL ? kept : 0;
}

/*
 * How many holds from the number FIRST on have its holder. Sets their *SUM, and
 * *MOST to the greatest one.
 */
static size_t count_holds(const struct array *holds, size_t first, int64_t *sum,
			  const struct hold **most)
{
	size_t end = first;

	*sum = 0;
	*most = hold_at(holds, first);
	do {
		const struct hold *hold = hold_at(holds, end);

		*sum = add_ns(*sum, hold->sum);
		if (hold->sum > (*most)->sum)
			*most = hold;
		end++;
	} while (end < holds->count &&
		 by_holder(hold_at(holds, first), hold_at(holds, end)) == 0);
	return end - first;
}

/* The number that causes have for STACK of the names of blocks. */
static uint32_t number_aside(struct run *run, uint32_t stack)
{
	size_t count;
	const struct gtrace_frame *frames =
		names_frames(&run->names, stack, &count);
	uint32_t number =
		gti_names_stack(&run->causes->aside.names, frames, count);

	run->failed |= number == NO_TEXT;
	return number;
}

void gti_make_holders(struct run *run, uint32_t named,
		      struct gtrace_block_place *to)
{
	const struct array *holds = &run->causes->holds;
	struct gtrace_lock_holder *made =
		gti_make_array(run, HOLDERS_MAX, sizeof(*made));
	uint32_t stack = number_aside(run, named);
	size_t i = find_first(holds, stack), numbers[HOLDERS_MAX], count;
	int64_t sums[HOLDERS_MAX], sum;
	const struct hold *most;

	for (; i < holds->count && hold_at(holds, i)->at == stack; i += count) {
		count = count_holds(holds, i, &sum, &most);
		to->holder_count = put_first(numbers, sums, to->holder_count,
					     HOLDERS_MAX, i, sum);
	}
	if (made == NULL)
		to->holder_count = 0;
	for (i = 0; i < to->holder_count; i++) {
		count = count_holds(holds, numbers[i], &sum, &most);
		made[i].frame = *most->holder;
		gti_own_text(run, &made[i].frame.function);
		gti_own_text(run, &made[i].frame.file);
		made[i].sum = sums[i];
		make_parts(run, numbers[i], count, &made[i]);
	}
	to->holders = made;
}
