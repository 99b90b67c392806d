/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heap_test.c - the heap of cursors moves its items as Go's reader does, which
 * decides among equal times. The model swaps items one step at a time, in the
 * words of the format's description.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/model.h"
#include "base/heap.h"

#define ITEMS_MAX 40
#define STEPS     4000
#define SEEDS     200
#define TURNS_MAX 10

struct model {
	struct sort_item items[ITEMS_MAX];
	uint32_t count;
};

static void swap(struct model *model, uint32_t a, uint32_t b)
{
	struct sort_item item = model->items[a];

	model->items[a] = model->items[b];
	model->items[b] = item;
}

static uint32_t model_up(struct model *model, uint32_t i)
{
	while (i > 0 && model->items[(i - 1) / 2].key > model->items[i].key) {
		swap(model, (i - 1) / 2, i);
		i = (i - 1) / 2;
	}
	return i;
}

static void model_down(struct model *model, uint32_t i)
{
	for (;;) {
		uint32_t least = i, child;

		for (child = 2 * i + 1; child <= 2 * i + 2; child++)
			if (child < model->count &&
			    model->items[child].key < model->items[least].key)
				least = child;
		if (least == i)
			return;
		swap(model, i, least);
		i = least;
	}
}

static void model_insert(struct model *model, struct sort_item item)
{
	model->items[model->count] = item;
	model_up(model, model->count++);
}

static void model_update(struct model *model, uint32_t i, int64_t key)
{
	model->items[i].key = key;
	if (model_up(model, i) == i)
		model_down(model, i);
}

static void model_remove(struct model *model, uint32_t i)
{
	for (; i > 0; i = (i - 1) / 2)
		swap(model, i, (i - 1) / 2);
	swap(model, 0, --model->count);
	model_down(model, 0);
}

/* Few different times, and now and then the least and the greatest. */
static int64_t random_key(uint64_t *seed)
{
	switch (random_below(seed, 20)) {
	case 0:
		return INT64_MIN;
	case 1:
		return INT64_MAX;
	default:
		return (int64_t)random_below(seed, 8);
	}
}

static void assert_same(const struct heap *heap, const struct model *model)
{
	uint32_t i;

	assert_int_equal(heap->count, model->count);
	for (i = 0; i < model->count; i++) {
		assert_true(heap->items[i].key == model->items[i].key);
		assert_int_equal(heap->items[i].value, model->items[i].value);
	}
	for (; i < heap_places(ITEMS_MAX); i++)
		assert_true(heap->items[i].key == INT64_MAX);
}

/*
 * Gives the first item some new keys, as the loop over easy events does. While
 * the first two items only change places, the heap is not written. Sometimes
 * the turns end before they have to, as with TURNS_NS.
 */
static void take_turns(struct heap *heap, struct model *model, uint64_t *seed)
{
	struct sort_item *items = heap->items;
	struct sort_item *second = lesser_child(items, items);
	struct sort_item *third = lesser_child(items, second);
	struct sort_item one = items[0], other = *second;
	int64_t end = heap_turns_end(items, third);
	bool goes_on = true;
	unsigned i;

	for (i = 0; goes_on && i < TURNS_MAX; i++) {
		struct sort_item changed = {random_key(seed), one.value};

		if (changed.key < one.key)
			continue;
		model_update(model, 0, changed.key);
		one = changed;
		if (one.key <= other.key)
			continue;
		goes_on = one.key < end && random_below(seed, 4) != 0;
		if (goes_on) {
			one = other;
			other = changed;
		}
	}
	if (!goes_on) {
		heap_replace(items, second, third, one);
		items[0] = other;
	} else {
		items[0] = one;
		*second = other;
	}
}

static void run(uint64_t seed)
{
	struct sort_item *items =
		calloc(heap_places(ITEMS_MAX), sizeof(*items));
	struct heap heap = {.items = items};
	struct model model = {.count = 0};
	uint32_t next = 0, step, i;

	assert_non_null(items);
	for (i = 0; i < heap_places(ITEMS_MAX); i++)
		items[i] = (struct sort_item){.key = INT64_MAX};
	for (step = 0; step < STEPS; step++) {
		uint64_t what = random_below(&seed, 10);
		int64_t key = random_key(&seed);

		i = model.count != 0
			    ? (uint32_t)random_below(&seed, model.count)
			    : 0;
		if (model.count < ITEMS_MAX && (model.count == 0 || what < 2)) {
			model_insert(&model, (struct sort_item){key, next});
			heap_insert(&heap, (struct sort_item){key, next++});
		} else if (what == 2) {
			model_remove(&model, i);
			heap_remove(&heap, i);
		} else if (what < 7) {
			model_update(&model, i, key);
			heap_update(&heap, i, key);
		} else {
			take_turns(&heap, &model, &seed);
		}
		assert_same(&heap, &model);
	}
	free(items);
}

static void test_against_model(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= SEEDS; seed++)
		run(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
