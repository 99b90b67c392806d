/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices_test.c - the N longest slices are those that a heap with the rules of
 * go1.8.3's container/heap would hold, in its order, if all slices were offered
 * to it in the order of their starts with their lengths known; though they are
 * given to it as they end, and most are refused at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/slices.h"
#include "tests/model.h"

#define SLICES  4000
#define RUNNERS 5

/* A slice as the model knows it: its number, from 1, and its length. */
struct known {
	uint64_t serial;
	int64_t length;
};

/* container/heap of go1.8.3, word for word, on an array of those. */
struct model {
	struct known items[SLICES];
	size_t count;
};

static void swap(struct model *h, size_t i, size_t j)
{
	struct known moved = h->items[i];

	h->items[i] = h->items[j];
	h->items[j] = moved;
}

static void model_push(struct model *h, struct known item)
{
	size_t j = h->count++;

	h->items[j] = item;
	while (j > 0) {
		size_t i = (j - 1) / 2;

		if (!(h->items[j].length < h->items[i].length))
			break;
		swap(h, i, j);
		j = i;
	}
}

static struct known model_pop(struct model *h)
{
	size_t n = h->count - 1, i = 0;

	swap(h, 0, n);
	while (2 * i + 1 < n) {
		size_t j = 2 * i + 1;

		if (j + 1 < n && !(h->items[j].length < h->items[j + 1].length))
			j++;
		if (!(h->items[j].length < h->items[i].length))
			break;
		swap(h, i, j);
		i = j;
	}
	h->count--;
	return h->items[n];
}

static void model_offer(struct model *h, size_t wanted, struct known item)
{
	struct known old;

	if (h->count < wanted) {
		model_push(h, item);
		return;
	}
	old = model_pop(h);
	model_push(h, old.length < item.length ? item : old);
}

/* Of the slices that run, by runner, the one that started first. */
static uint64_t oldest(const uint64_t *running, uint64_t none)
{
	uint64_t first = none;
	size_t i;

	for (i = 0; i < RUNNERS; i++)
		if (running[i] != 0 && running[i] < first)
			first = running[i];
	return first;
}

static void end(struct slices *slices, int64_t *lengths, uint64_t serial,
		int64_t length)
{
	struct slice slice = {
		.serial = serial, .length = length, .rank = length};

	lengths[serial] = length;
	if (!slices_refuse(slices, serial, (uint64_t)length, 1))
		assert_true(gti_slices_end(slices, &slice));
}

/*
 * RUNNERS run slices side by side, of random lengths below VALUES, so that
 * they end in another order than they start; runner 0 sometimes for long.
 */
static void play(uint64_t seed, size_t wanted, uint64_t values)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	int64_t *lengths = calloc(SLICES + RUNNERS + 1, sizeof(*lengths));
	struct model *model = calloc(1, sizeof(*model));
	static const struct slice *longest[SLICES];
	uint64_t running[RUNNERS] = {0};
	struct slices slices;
	size_t i, steps, count;

	assert_true(lengths != NULL && model != NULL);
	gti_slices_init(&slices, wanted, 8, 1.0, &memory);
	for (steps = 0; slices.started < SLICES - RUNNERS; steps++) {
		size_t runner = (size_t)random_below(&seed, RUNNERS);

		if (runner == 0 && random_below(&seed, 50) != 0)
			continue;
		if (running[runner] != 0)
			end(&slices, lengths, running[runner],
			    (int64_t)random_below(&seed, values));
		running[runner] = slices_begin(&slices);
		if (steps % 97 == 0)
			gti_slices_offer(&slices,
					 oldest(running, slices.started + 1));
	}
	for (i = 0; i < RUNNERS; i++)
		if (running[i] != 0)
			end(&slices, lengths, running[i],
			    (int64_t)random_below(&seed, values));
	gti_slices_offer(&slices, slices.started + 1);
	count = slices.ranking.count;
	gti_slices_drain(&slices, longest);

	for (i = 1; i <= slices.started; i++)
		model_offer(model, wanted, (struct known){i, lengths[i]});
	assert_int_equal(count, model->count);
	for (i = count; i-- > 0;) {
		struct known want = model_pop(model);

		assert_int_equal(longest[i]->length, want.length);
		assert_int_equal(longest[i]->serial, want.serial);
	}
	gti_slices_free(&slices);
	free(lengths);
	free(model);
}

static void test_like_go_1_8_3(void **state)
{
	static const size_t wanted[] = {1, 2, 3, 10, 11, 100, 1000};
	static const uint64_t values[] = {2, 10, 1000, 1000000000};
	size_t i, j;
	uint64_t seed;

	(void)state;
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		for (j = 0; j < sizeof(values) / sizeof(values[0]); j++)
			for (seed = 1; seed <= 5; seed++)
				play(seed, wanted[i], values[j]);
}

static void test_fewer_than_wanted(void **state)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	const struct slice *longest[1];
	int64_t lengths[2];
	struct slices slices;

	(void)state;
	gti_slices_init(&slices, 1000000000, 1, 1.0, &memory);
	end(&slices, lengths, slices_begin(&slices), 7);
	gti_slices_offer(&slices, slices.started + 1);
	assert_int_equal(slices.ranking.count, 1);
	gti_slices_drain(&slices, longest);
	assert_int_equal(longest[0]->length, 7);
	gti_slices_free(&slices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_go_1_8_3),
		cmocka_unit_test(test_fewer_than_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
