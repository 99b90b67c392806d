/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_test.c - slices by stack and goroutine: names for stacks, from one
 * generation to the next, the longest slices, the greatest number of entries,
 * ids that are used again, and no memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/analysis/adapter.h"
#include "tests/counted.h"

/* As c/tools/README.md says. */
#define LABELLED 30000
#define CROWD    33000

static struct counted counted;
static struct gtrace_allocator memory;

/* How often a stack got a name. */
static unsigned calls;

/*
 * Stacks have the same name if they differ in the last digit only, and none
 * from UNNAMED on.
 */
#define UNNAMED 5000

static uint32_t name_stack(void *context, unsigned gc_worker, uint64_t stack)
{
	(void)context;
	calls++;
	return stack < UNNAMED ? (uint32_t)stack / 10 + gc_worker * 1000
			       : PROFILE_UNNAMED;
}

static const struct profile_names names = {.name = name_stack};

static struct profile_run run;

/* A slice of G, of LENGTH, which ends at STACK. WORKER: of the collector. */
static void add_of(unsigned worker, uint64_t g, int64_t length, uint64_t stack)
{
	struct transition t = {.g = (uint32_t)g,
			       .by = (uint32_t)g,
			       .kind = TRANSITION_START,
			       .written = 50};

	take_for_profile(&run, &t);
	if (worker != 0) {
		t.kind = TRANSITION_LABEL;
		t.arg = worker;
		take_for_profile(&run, &t);
	}
	t.kind = TRANSITION_BLOCK;
	t.written += length;
	t.stack = stack;
	take_for_profile(&run, &t);
}

static void add(uint64_t g, int64_t length, uint64_t stack)
{
	add_of(0, g, length, stack);
}

static void open_run(bool by_goroutine, size_t row_max)
{
	calls = 0;
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	assert_true(open_profile(&run, by_goroutine, &names, CROWD + 1, row_max,
				 &memory));
}

static void close_run(void)
{
	assert_false(profile_failed(&run));
	close_profile(&run);
	assert_int_equal(counted.blocks, 0);
	assert_int_equal(counted.bytes, 0);
}

static void check_row(size_t at, uint64_t g, uint64_t name, uint64_t count,
		      uint64_t time)
{
	struct profile_row row = profile_row_at(&run, at);

	assert_int_equal(row.g, g);
	assert_int_equal(row.name, name);
	assert_int_equal(row.count, count);
	assert_int_equal(row.time, time);
}

static void test_names(void **state)
{
	(void)state;
	open_run(true, 0);
	add(1, 100, 11);
	add(2, 200, 11);
	add(1, 300, 12);
	add(1, 400, 22);
	add(2, 0, 11);
	add(2, 500, 11);
	add(2, 1, 11);
	assert_int_equal(calls, 3);
	check_row(0, 1, 1, 2, 400);
	check_row(1, 2, 1, 4, 701);
	check_row(2, 1, 2, 1, 400);

	add(2, 1, UNNAMED);
	add(2, 1, UNNAMED);
	assert_int_equal(calls, 4);
	assert_int_equal(profile_rows(&run), 3);

	/* One that is below 0 does not count. */
	assert_false(profile_has_negative(&run));
	add(2, -1, 11);
	assert_true(profile_has_negative(&run));
	check_row(1, 2, 1, 4, 701);

	/* What was a handle is that of another stack. */
	end_profile_generation(&run);
	add(2, 1, 11);
	assert_int_equal(calls, 5);
	check_row(1, 2, 1, 5, 702);

	restart_profile(&run);
	assert_false(profile_has_negative(&run));
	assert_int_equal(profile_rows(&run), 0);
	add(3, 30, 19);
	assert_int_equal(calls, 6);
	check_row(0, 3, 1, 1, 30);
	close_run();
}

/* Workers of the collector have names of their own. */
static void test_workers(void **state)
{
	const unsigned first = GTRACE_WORK_GC_DEDICATED;
	unsigned worker;

	(void)state;
	open_run(true, 0);
	for (worker = first; worker < first + 3; worker++)
		add_of(worker, 1, 7, 10);
	for (worker = first; worker < first + 3; worker++)
		check_row(worker - first, 1, 1 + worker * 1000, 1, 7);
	add(1, 5, 10);
	check_row(3, 1, 1, 1, 5);
	close_run();
}

static void check_longest(size_t at, int64_t max, uint64_t max_g)
{
	struct profile_row row = profile_row_at(&run, at);

	assert_int_equal(row.max, max);
	assert_int_equal(row.max_g, max_g);
}

/* Of any goroutine: the longest slices. */
static void test_longest(void **state)
{
	struct gtrace_distribution lengths;

	(void)state;
	open_run(false, 0);
	add(1, 0, 0);
	check_longest(0, 0, 1);
	add(1, 7, 0);
	add(2, 9, 15);
	add(3, 9, 19);
	add(3, 7, 1);
	check_row(0, PROFILE_ANY_G, 0, 3, 14);
	check_row(1, PROFILE_ANY_G, 1, 2, 18);
	check_longest(0, 7, 1);
	check_longest(1, 9, 2);
	lengths = profile_distribution(&run);
	assert_int_equal(lengths.count, 5);
	assert_int_equal(lengths.sum, 32);
	assert_int_equal(lengths.max, 9);
	restart_profile(&run);
	assert_int_equal(profile_distribution(&run).count, 0);
	close_run();
}

static unsigned random_below(uint64_t *seed, unsigned limit)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*seed >> 33) % limit;
}

/* The sums of slices of one nanosecond each. */
static void check_sums(uint64_t labelled, uint64_t others)
{
	uint64_t sums[2] = {0, 0};
	size_t i, rows = 0;

	for (i = 0; i < profile_rows(&run); i++) {
		struct profile_row row = profile_row_at(&run, i);
		bool any = row.g == PROFILE_ANY_G;

		rows += !any;
		sums[any] += row.count;
		assert_int_equal(row.count, row.time);
	}
	assert_true(rows <= LABELLED);
	assert_int_equal(sums[0], labelled);
	assert_int_equal(sums[1], others);
}

static void test_many_goroutines(void **state)
{
	uint64_t g;

	(void)state;
	open_run(true, 0);
	for (g = 1; g < CROWD; g++)
		add(g, 1, 50 + g % 4 * 10);
	add(g, 1, 50);
	assert_int_equal(profile_rows(&run), LABELLED + 4);
	/* It has no row of its own, but one of another was its last one. */
	add(g, 1, 50);
	reuse_profile_slot(&run, g, SIZE_MAX);
	add(g, 1, 50);
	reuse_profile_slot(&run, g, 2);
	add(g, 1, 50);
	add(1, 1, 60);
	assert_int_equal(profile_rows(&run), LABELLED + 4);
	check_sums(LABELLED + 1, CROWD - LABELLED + 3);

	/* There is no room for any goroutine after that either. */
	end_profile_generation(&run);
	for (g = 1; g <= CROWD; g++)
		add(g, 1, 100);
	assert_int_equal(profile_rows(&run), LABELLED + 5);
	check_sums(LABELLED + 1, 2 * CROWD - LABELLED + 3);
	close_run();
}

/* Many stacks of one goroutine, in turn and then each twice. */
static void test_many_stacks(void **state)
{
	uint64_t i;

	(void)state;
	open_run(true, 0);
	for (i = 0; i < 200; i++) {
		add(5, 1, i % 100 * 10);
		check_row((size_t)i % 100, 5, i % 100, i / 100 + 1,
			  i / 100 + 1);
	}
	for (i = 0; i < 200; i++)
		add(5, 1, i / 2 * 10);
	assert_int_equal(profile_rows(&run), 100);
	for (i = 0; i < 100; i++)
		check_row((size_t)i, 5, i, 4, 4);
	close_run();
}

/* --------------------------------------------- compared with a slow one -- */

#define MODEL_MAX    400
#define MODEL_LIMIT  60
#define MODEL_STACKS 40
#define MODEL_CROWD  30

/* What a profile is to have: entries in a row, found one after the other. */
struct model {
	struct profile_row entries[MODEL_MAX];
	size_t count;
};

static struct profile_row *model_find(struct model *model, uint32_t name,
				      uint64_t g)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		if (model->entries[i].name == name && model->entries[i].g == g)
			return &model->entries[i];
	return NULL;
}

static void model_add(struct model *model, uint64_t g, uint64_t length,
		      uint32_t name)
{
	struct profile_row *entry = model_find(model, name, g);

	if (entry == NULL && model->count >= MODEL_LIMIT) {
		g = PROFILE_ANY_G;
		entry = model_find(model, name, g);
	}
	if (entry == NULL) {
		assert_true(model->count < MODEL_MAX);
		entry = &model->entries[model->count++];
		*entry = (struct profile_row){.g = g, .name = name};
	}
	entry->count++;
	entry->time += length;
}

static void check_model(const struct model *model)
{
	size_t i;

	assert_int_equal(profile_rows(&run), model->count);
	for (i = 0; i < model->count; i++)
		check_row(i, model->entries[i].g, model->entries[i].name,
			  model->entries[i].count, model->entries[i].time);
}

/*
 * Adds slices of GOROUTINES, whose ids are used again in one case of AGAIN; a
 * stack has the name of another one in one case of ALIKE.
 */
static void compare(uint64_t *seed, unsigned goroutines, unsigned stacks,
		    unsigned again, unsigned alike)
{
	struct model model = {.count = 0};
	size_t i;

	open_run(true, MODEL_LIMIT);
	for (i = 0; i < 300; i++) {
		unsigned g = random_below(seed, goroutines);
		uint64_t stack = random_below(seed, stacks) * 10;
		int64_t length = random_below(seed, 1000);

		if (random_below(seed, alike) == 0)
			stack++;
		if (random_below(seed, again) == 0)
			reuse_profile_slot(&run, g, SIZE_MAX);
		if (random_below(seed, again) == 0 && model.count < MODEL_LIMIT)
			reuse_profile_slot(&run, g,
					   random_below(seed, goroutines));
		model_add(&model, g, (uint64_t)length,
			  name_stack(NULL, 0, stack));
		add(g, length, stack);
		check_model(&model);
		if (random_below(seed, 100) == 0)
			end_profile_generation(&run);
	}
	close_run();
}

static void test_model(void **state)
{
	uint64_t seed = 1;
	unsigned i;

	(void)state;
	for (i = 0; i < 400; i++) {
		unsigned goroutines = 1 + random_below(&seed, MODEL_CROWD);
		unsigned stacks = 1 + random_below(&seed, MODEL_STACKS);

		compare(&seed, goroutines, stacks, i % 2 == 0 ? 10 : 100000,
			i / 2 % 2 == 0 ? 4 : 100000);
	}
}

/* ------------------------------------------------------------- no memory -- */

/* Makes a profile with LEFT allocations. Returns whether that is enough. */
static bool enough(size_t left, bool by_goroutine)
{
	uint64_t i;
	bool good;

	counted = (struct counted){.left = left};
	memory = counted_allocator(&counted);
	good = open_profile(&run, by_goroutine, &names, 1500, 0, &memory);
	for (i = 0; i < 3000 && good; i++) {
		add(i / 2, 1, i);
		good = !profile_failed(&run);
	}
	assert_true(good || counted.refused > 0);
	close_profile(&run);
	assert_int_equal(counted.blocks, 0);
	assert_int_equal(counted.bytes, 0);
	return good;
}

static void test_no_memory(void **state)
{
	size_t left = 0;

	(void)state;
	while (!enough(left, false))
		left++;
	assert_true(left > 10);
	for (left = 0; !enough(left, true);)
		left++;
	assert_true(left > 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_many_goroutines),
		cmocka_unit_test(test_many_stacks),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
