/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - what slow requests of a kind spend more time on than others. */
#include "analysis/slow.h"

#include "base/array.h"
#include "base/sort.h"

/* ----------------------------------------------------------------- order -- */

/* Of spans of the same length. */
static int compare_spans(const void *a, const void *b)
{
	const struct request_span *x = a, *y = b;

	if (x->begun != y->begun)
		return x->begun > y->begun ? -1 : 1;
	return (x->g < y->g) - (x->g > y->g);
}

static int compare_lengths(const void *a, const void *b)
{
	const struct request_span *x = a, *y = b;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return compare_spans(a, b);
}

void gti_slow_order(struct request_span *spans, size_t count)
{
	if (count > 1)
		gti_sort(spans, count, sizeof(*spans), compare_lengths);
}

/* Puts SPANS in the order of ITEMS, and then equal ones in theirs. */
static void put_in_order(struct request_span *spans,
			 const struct request_span *from,
			 const struct sort_item *items, size_t count)
{
	size_t begin = 0, i;

	for (i = 0; i < count; i++)
		spans[i] = from[items[i].value];
	for (i = 1; i <= count; i++) {
		if (i < count && spans[i].length == spans[begin].length)
			continue;
		if (i - begin > 1)
			gti_sort(&spans[begin], i - begin, sizeof(*spans),
				 compare_spans);
		begin = i;
	}
}

bool gti_slow_sort(struct request_span *spans, size_t count,
		   const struct gtrace_allocator *memory)
{
	struct sort_item *items =
		gti_allocate_zeroed(memory, count + 1, sizeof(*items));
	struct request_span *from =
		gti_allocate_zeroed(memory, count + 1, sizeof(*from));
	bool good = items != NULL && from != NULL && count <= UINT32_MAX;
	size_t i;

	for (i = 0; i < count && good; i++) {
		items[i] = (struct sort_item){spans[i].length, (uint32_t)i};
		from[i] = spans[i];
	}
	if (good) {
		gti_sort_go1_27(items, count);
		put_in_order(spans, from, items, count);
	}
	gti_release(memory, items, (count + 1) * sizeof(*items));
	gti_release(memory, from, (count + 1) * sizeof(*from));
	return good;
}

/* ------------------------------------------------------------------ sums -- */

void gti_slow_init(struct slow *slow,
		   uint32_t (*function)(void *context, uint32_t stack),
		   void *context, const struct gtrace_allocator *memory)
{
	*slow = (struct slow){.function = function, .context = context};
	gti_texts_init(&slow->keys, memory);
}

void gti_slow_free(struct slow *slow)
{
	const struct gtrace_allocator *memory = slow->keys.memory;

	if (memory == NULL)
		return;
	gti_array_free(&slow->rows, sizeof(struct slow_row), memory);
	gti_texts_free(&slow->keys);
}

void gti_slow_restart(struct slow *slow)
{
	const struct gtrace_allocator *memory = slow->keys.memory;

	gti_texts_free(&slow->keys);
	gti_texts_init(&slow->keys, memory);
	slow->rows.count = 0;
}

/* The row of KEY; NULL: there is no memory. */
static struct slow_row *find_row(struct slow *slow, const struct slow_key *key)
{
	const struct slow_row row = {.key = *key};
	uint32_t number = gti_texts_put(&slow->keys, key, sizeof(*key));

	if (number == NO_TEXT || (number == slow->rows.count &&
				  array_add(&slow->rows, &row, sizeof(row),
					    slow->keys.memory) == NULL))
		return NULL;
	return (struct slow_row *)slow->rows.items + number;
}

static uint32_t function_of(struct slow *slow, uint32_t stack)
{
	return stack == NO_STACK ? NO_TEXT
				 : slow->function(slow->context, stack);
}

/*
 * Where one is preempted is chance: that it had no processor counts. Where it
 * was woken is not.
 */
static uint32_t stack_of(const struct chain_piece *piece)
{
	if (piece->state != CHAIN_READY)
		return piece->stack;
	return piece->level == 0 ? NO_STACK : piece->cause.ended;
}

static struct slow_key key_of(struct slow *slow, uint32_t kind,
			      const struct chain_piece *piece)
{
	struct slow_key key = {
		.kind = kind,
		.state = piece->state,
		.block = piece->state == CHAIN_BLOCKED ? piece->kind
						       : piece->ended,
		.function = function_of(slow, stack_of(piece)),
		.cause_kind = SLOW_NO_CAUSE,
		.cause_function = NO_TEXT,
	};

	if (piece->level == 0)
		return key;
	key.cause_kind = piece->outer.kind;
	key.cause_function = function_of(slow, piece->outer.stack);
	return key;
}

void gti_slow_add(struct slow *slow, uint32_t kind, enum slow_class class,
		  uint32_t number, const struct chain_piece *pieces,
		  size_t count)
{
	struct slow_key key;
	struct slow_row *row;
	size_t i;

	/* A key may have no row then. */
	if (slow->failed)
		return;
	for (i = 0; i < count; i++) {
		key = key_of(slow, kind, &pieces[i]);
		row = find_row(slow, &key);
		if (row == NULL) {
			slow->failed = true;
			return;
		}
		row->sum[class] += (uint64_t)pieces[i].length;
		row->in[class] += row->last != number + 1;
		row->last = number + 1;
	}
}
