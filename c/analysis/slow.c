/* SPDX-License-Identifier: BSD-3-Clause */
/* slow.c - what slow requests of a kind spend more time on than others. */
#include "analysis/slow.h"

#include "base/array.h"

int gti_compare_spans(const void *a, const void *b)
{
	const struct request_span *x = a, *y = b;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	if (x->begun != y->begun)
		return x->begun > y->begun ? -1 : 1;
	return (x->g < y->g) - (x->g > y->g);
}

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
