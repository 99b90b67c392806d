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

#include "run/slices.h"
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

struct taken {
	struct known items[SLICES];
	size_t count;
};

static void take(void *context, const struct slice *slice)
{
	struct taken *taken = context;

	taken->items[taken->count].serial = slice->serial;
	taken->items[taken->count++].length = slice->length;
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
	struct slice slice = {.serial = serial, .length = length};

	lengths[serial] = length;
	if (!slices_refuse(slices, serial, (uint64_t)length, 1))
		assert_true(gtrace_slices_end(slices, &slice));
}

/*
 * RUNNERS run slices side by side, of random lengths below VALUES, so that
 * they end in another order than they start; runner 0 sometimes for long.
 */
static void play(uint64_t seed, size_t wanted, uint64_t values)
{
	struct gtrace_allocator memory = gtrace_allocator_or_default(NULL);
	int64_t *lengths = calloc(SLICES + RUNNERS + 1, sizeof(*lengths));
	struct model *model = calloc(1, sizeof(*model));
	struct taken *taken = calloc(1, sizeof(*taken));
	uint64_t running[RUNNERS] = {0};
	struct slices slices;
	size_t i, steps;

	assert_true(lengths != NULL && model != NULL && taken != NULL);
	gtrace_slices_init(&slices, wanted, 8, 1.0, &memory);
	for (steps = 0; slices.started < SLICES - RUNNERS; steps++) {
		size_t runner = random_below(&seed, RUNNERS);

		if (runner == 0 && random_below(&seed, 50) != 0)
			continue;
		if (running[runner] != 0)
			end(&slices, lengths, running[runner],
			    (int64_t)random_below(&seed, values));
		running[runner] = slices_begin(&slices);
		if (steps % 97 == 0)
			gtrace_slices_offer(
				&slices, oldest(running, slices.started + 1));
	}
	for (i = 0; i < RUNNERS; i++)
		if (running[i] != 0)
			end(&slices, lengths, running[i],
			    (int64_t)random_below(&seed, values));
	gtrace_slices_offer(&slices, slices.started + 1);
	gtrace_slices_drain(&slices, take, taken);

	for (i = 1; i <= slices.started; i++)
		model_offer(model, wanted, (struct known){i, lengths[i]});
	assert_int_equal(taken->count, model->count);
	for (i = 0; i < taken->count; i++) {
		struct known want = model_pop(model);

		assert_int_equal(taken->items[i].length, want.length);
		assert_int_equal(taken->items[i].serial, want.serial);
	}
	gtrace_slices_free(&slices);
	free(lengths);
	free(model);
	free(taken);
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

/* --------------------------------------------------------------- strides -- */

#define EACH 500

/* A slice of a runner. Of equal starts, the lower tie comes first. */
struct timed {
	int64_t start, end;
	uint64_t tie;
	uint64_t serial; /* as the slices know it */
	uint64_t id;
};

struct race {
	struct timed slices[RUNNERS][EACH];
	size_t begun[RUNNERS], ended[RUNNERS]; /* how many */
	struct taken taken;
};

static int compare_starts(const void *a, const void *b)
{
	const struct timed *x = *(struct timed *const *)a;
	const struct timed *y = *(struct timed *const *)b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->tie < y->tie ? -1 : x->tie > y->tie;
}

static void begin_timed(struct slices *slices, struct race *race, size_t runner)
{
	struct timed *timed = &race->slices[runner][race->begun[runner]++];

	timed->serial = slices_begin(slices);
	if (slices->stride.begun)
		assert_true(gtrace_slices_note_start(slices, timed->start));
}

static void end_timed(struct slices *slices, struct race *race, size_t runner)
{
	const struct timed *timed =
		&race->slices[runner][race->ended[runner]++];
	struct slice slice = {.serial = timed->serial,
			      .length = timed->end - timed->start,
			      .start.ticks = timed->start,
			      .start.offset = timed->id};

	if (!slices_refuse(slices, slice.serial, (uint64_t)slice.length, 1))
		assert_true(gtrace_slices_end(slices, &slice));
}

/* What RUNNER does before UNTIL. */
static void run_until(struct slices *slices, struct race *race, size_t runner,
		      int64_t until)
{
	for (;;) {
		size_t begun = race->begun[runner];
		size_t ended = race->ended[runner];

		if (begun != ended) {
			if (race->slices[runner][ended].end >= until)
				return;
			end_timed(slices, race, runner);
		} else {
			if (begun == EACH ||
			    race->slices[runner][begun].start >= until)
				return;
			begin_timed(slices, race, runner);
		}
	}
}

/* The slice that RUNNER runs, or NULL. */
static struct timed *running(struct race *race, size_t runner)
{
	if (race->begun[runner] == race->ended[runner])
		return NULL;
	return &race->slices[runner][race->ended[runner]];
}

static void stride(struct slices *slices, struct race *race, int64_t until)
{
	uint64_t first = UINT64_MAX;
	struct timed *runs;
	size_t i;

	gtrace_slices_begin_stride(slices);
	for (i = 0; i < RUNNERS; i++) {
		assert_true(gtrace_slices_begin_piece(slices));
		run_until(slices, race, i, until);
	}
	for (i = 0; i < RUNNERS; i++) {
		runs = running(race, i);
		if (runs == NULL)
			continue;
		if (slices_in_stride(slices, runs->serial))
			assert_true(gtrace_slices_ask(slices, runs->start));
		else
			gtrace_slices_run_on(slices, runs->serial);
	}
	assert_true(gtrace_slices_number(slices));
	for (i = 0; i < RUNNERS; i++) {
		runs = running(race, i);
		if (runs == NULL)
			continue;
		if (slices_in_stride(slices, runs->serial))
			runs->serial =
				gtrace_slices_right_serial(slices, runs->start);
		if (runs->serial < first)
			first = runs->serial;
	}
	assert_true(gtrace_slices_end_stride(slices));
	if (first > slices->started)
		first = slices->started + 1;
	gtrace_slices_offer(slices, first);
}

static void take_timed(void *context, const struct slice *slice)
{
	struct race *race = context;

	race->taken.items[race->taken.count].serial = slice->start.offset;
	race->taken.items[race->taken.count++].length = slice->length;
}

/*
 * RUNNERS run slices of random lengths, one in TIES of which starts when
 * another one may do so too. Returns whether the slices were sure.
 */
static bool play_in_strides(uint64_t seed, size_t wanted, uint64_t ties)
{
	struct gtrace_allocator memory = gtrace_allocator_or_default(NULL);
	struct timed **order = calloc(RUNNERS * EACH, sizeof(*order));
	struct model *model = calloc(1, sizeof(*model));
	struct race *race = calloc(1, sizeof(*race));
	int64_t until = 0, last = 0;
	struct slices slices;
	size_t i, j, count = 0;
	bool sure;

	assert_true(order != NULL && model != NULL && race != NULL);
	for (i = 0; i < RUNNERS; i++)
		for (last = 0, j = 0; j < EACH; j++) {
			struct timed *timed = &race->slices[i][j];

			timed->start = last + (int64_t)random_below(&seed, 60);
			if (random_below(&seed, ties) == 0)
				timed->start = (timed->start + 63) / 64 * 64;
			timed->end = timed->start + 1 +
				     (int64_t)random_below(&seed, 400);
			timed->tie = random_next(&seed);
			timed->id = i * EACH + j;
			last = timed->end;
			order[count++] = timed;
		}
	qsort(order, count, sizeof(*order), compare_starts);
	gtrace_slices_init(&slices, wanted, 8, 1.0, &memory);
	while (slices.started < RUNNERS * EACH) {
		until += 1 + (int64_t)random_below(&seed, 6000);
		stride(&slices, race, until);
	}
	stride(&slices, race, INT64_MAX);
	gtrace_slices_offer(&slices, slices.started + 1);
	gtrace_slices_drain(&slices, take_timed, race);
	sure = !slices.unsure;

	for (i = 0; i < count; i++)
		model_offer(model, wanted,
			    (struct known){order[i]->id,
					   order[i]->end - order[i]->start});
	assert_int_equal(race->taken.count, model->count);
	for (i = 0; sure && i < race->taken.count; i++) {
		struct known want = model_pop(model);

		assert_int_equal(race->taken.items[i].length, want.length);
		assert_int_equal(race->taken.items[i].serial, want.serial);
	}
	gtrace_slices_free(&slices);
	free(order);
	free(model);
	free(race);
	return sure;
}

/* Strides come to the same, or say that they are not sure. */
static void test_strides(void **state)
{
	static const size_t wanted[] = {1, 2, 3, 10, 30};
	static const uint64_t ties[] = {2, 20, 1000};
	unsigned sure = 0, unsure = 0;
	size_t i, j;
	uint64_t seed;

	(void)state;
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		for (j = 0; j < sizeof(ties) / sizeof(ties[0]); j++)
			for (seed = 1; seed <= 20; seed++) {
				if (play_in_strides(seed, wanted[i], ties[j]))
					sure++;
				else
					unsure++;
			}
	print_message("%u sure, %u not\n", sure, unsure);
	assert_true(sure >= 50 && unsure >= 50);
}

static void test_fewer_than_wanted(void **state)
{
	struct gtrace_allocator memory = gtrace_allocator_or_default(NULL);
	struct taken taken = {.count = 0};
	int64_t lengths[2];
	struct slices slices;

	(void)state;
	gtrace_slices_init(&slices, 1000000000, 1, 1.0, &memory);
	end(&slices, lengths, slices_begin(&slices), 7);
	gtrace_slices_offer(&slices, slices.started + 1);
	gtrace_slices_drain(&slices, take, &taken);
	assert_int_equal(taken.count, 1);
	assert_int_equal(taken.items[0].length, 7);
	gtrace_slices_free(&slices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_go_1_8_3),
		cmocka_unit_test(test_strides),
		cmocka_unit_test(test_fewer_than_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
