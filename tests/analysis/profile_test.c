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

#include "analysis/profile.h"
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

/* Returns the number of the entry, plus one. */
static uint32_t add(struct profile *profile, uint64_t g, int64_t length,
		    uint64_t stack)
{
	struct profile_slice slice = {.g = g, .length = length};
	uint32_t near = 0;
	struct profile_entry *entry =
		gti_profile_find(profile, 0, stack, g, &near);

	if (entry == NULL)
		return 0;
	gti_profile_add(profile, &slice, entry);
	return (uint32_t)(entry - profile_at(profile, 0)) + 1;
}

static void open_profile(struct profile *profile, bool by_goroutine)
{
	calls = 0;
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	assert_true(
		gti_profile_init(profile, by_goroutine, &names, NULL, &memory));
}

static void close_profile(struct profile *profile)
{
	assert_false(profile->failed);
	gti_profile_free(profile);
	assert_int_equal(counted.blocks, 0);
	assert_int_equal(counted.bytes, 0);
}

static void check_entry(const struct profile *profile, size_t at, uint64_t g,
			uint64_t name, uint64_t count, uint64_t time)
{
	const struct profile_entry *entry = profile_at(profile, at);

	assert_true(at < profile_count(profile));
	assert_int_equal(entry->g, g);
	assert_int_equal(entry->name, name);
	assert_int_equal(entry->count, count);
	assert_int_equal(entry->time, time);
}

static void test_names(void **state)
{
	struct profile profile;
	uint32_t near = 0;

	(void)state;
	open_profile(&profile, true);
	add(&profile, 1, 100, 11);
	add(&profile, 2, 200, 11);
	add(&profile, 1, 300, 12);
	add(&profile, 1, 400, 22);
	add(&profile, 2, 0, 11);
	near = 7;
	assert_true(profile_add_known(&profile, 2, 11, 500, &near));
	assert_int_equal(near, 2);
	assert_true(profile_add_known(&profile, 2, 11, 1, &near));
	assert_int_equal(calls, 3);
	check_entry(&profile, 0, 1, 1, 2, 400);
	check_entry(&profile, 1, 2, 1, 4, 701);
	check_entry(&profile, 2, 1, 2, 1, 400);

	assert_false(profile_add_known(&profile, 2, UNNAMED, 1, &near));
	assert_false(profile_add_known(&profile, 2, UNNAMED, 1, &near));
	assert_int_equal(add(&profile, 2, 1, UNNAMED), 0);
	assert_int_equal(calls, 4);
	assert_int_equal(profile_count(&profile), 3);

	/* One that is below 0 does not count. */
	assert_false(profile_add_known(&profile, 2, 11, -1, &near));
	assert_false(profile.negative);
	add(&profile, 2, -1, 11);
	assert_true(profile.negative);
	check_entry(&profile, 1, 2, 1, 4, 701);

	/* What was a handle is that of another stack. */
	gti_profile_forget_stacks(&profile);
	assert_true(profile_add_known(&profile, 2, 11, 1, &near));
	assert_int_equal(calls, 5);
	check_entry(&profile, 1, 2, 1, 5, 702);

	gti_profile_restart(&profile);
	assert_false(profile.negative);
	assert_int_equal(profile_count(&profile), 0);
	assert_true(profile_add_known(&profile, 3, 19, 30, &near));
	assert_int_equal(calls, 6);
	check_entry(&profile, 0, 3, 1, 1, 30);
	close_profile(&profile);
}

/* Workers of the collector have names of their own. */
static void test_workers(void **state)
{
	const unsigned first = GTRACE_WORK_GC_DEDICATED;
	struct profile profile;
	uint32_t near = 0;
	unsigned worker;

	(void)state;
	open_profile(&profile, true);
	for (worker = first; worker < first + 3; worker++) {
		assert_int_equal(
			gti_profile_find(&profile, worker, 10, 1, &near)->name,
			1 + worker * 1000);
	}
	assert_int_equal(near, 0);
	assert_true(profile_add_known(&profile, 1, 10, 5, &near));
	check_entry(&profile, near - 1, 1, 1, 1, 5);
	close_profile(&profile);
}

/* Of any goroutine: the longest slices. */
static void test_longest(void **state)
{
	struct profile profile;
	uint32_t near = 0;

	(void)state;
	open_profile(&profile, false);
	assert_false(profile_add_known(&profile, 1, 0, 0, &near));
	add(&profile, 1, 0, 0);
	assert_int_equal(profile_at(&profile, 0)->max, 0);
	assert_false(profile_add_known(&profile, 1, 0, 7, &near));
	add(&profile, 1, 7, 0);
	add(&profile, 2, 9, 15);
	assert_true(profile_add_known(&profile, 3, 19, 9, &near));
	assert_true(profile_add_known(&profile, 3, 1, 7, &near));
	check_entry(&profile, 0, PROFILE_ANY_G, 0, 3, 14);
	check_entry(&profile, 1, PROFILE_ANY_G, 1, 2, 18);
	assert_int_equal(profile_at(&profile, 0)->max, 7);
	assert_int_equal(profile_at(&profile, 1)->max, 9);
	assert_int_equal(profile_at(&profile, 0)->max_g, 1);
	assert_int_equal(profile_at(&profile, 1)->max_g, 2);
	gti_profile_sum(&profile);
	assert_int_equal(profile.lengths.count, 5);
	assert_int_equal(profile.lengths.sum, 32);
	assert_int_equal(profile.lengths.max, 9);
	gti_profile_restart(&profile);
	assert_int_equal(profile.lengths.count, 0);
	close_profile(&profile);
}

static unsigned random_below(uint64_t *seed, unsigned limit)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*seed >> 33) % limit;
}

/* The sums of PROFILE, of slices of one nanosecond each. */
static void check_sums(const struct profile *profile, uint64_t labelled,
		       uint64_t others)
{
	uint64_t sums[2] = {0, 0};
	size_t i, entries = 0;

	for (i = 0; i < profile_count(profile); i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		bool any = entry->g == PROFILE_ANY_G;

		entries += !any;
		sums[any] += entry->count;
		assert_int_equal(entry->count, entry->time);
	}
	assert_true(entries <= LABELLED);
	assert_int_equal(sums[0], labelled);
	assert_int_equal(sums[1], others);
}

static void test_many_goroutines(void **state)
{
	struct profile profile;
	uint32_t near;
	uint64_t g;

	(void)state;
	open_profile(&profile, true);
	for (g = 1; g < CROWD; g++)
		add(&profile, g, 1, 50 + g % 4 * 10);
	near = add(&profile, g, 1, 50);
	assert_int_equal(profile_count(&profile), LABELLED + 4);
	/* It has no entry of its own, but is near one. */
	assert_true(profile_add_known(&profile, g, 50, 1, &near));
	near = 0;
	assert_true(profile_add_known(&profile, g, 50, 1, &near));
	near = 2;
	assert_true(profile_add_known(&profile, g, 50, 1, &near));
	assert_int_equal(profile_at(&profile, near - 1)->g, PROFILE_ANY_G);
	assert_true(profile_add_known(&profile, 1, 60, 1, &near));
	assert_int_equal(near, 1);
	assert_int_equal(profile_count(&profile), LABELLED + 4);
	check_sums(&profile, LABELLED + 1, CROWD - LABELLED + 3);

	/* There is no room for any goroutine after that either. */
	gti_profile_forget_stacks(&profile);
	for (g = 1; g <= CROWD; g++)
		add(&profile, g, 1, 100);
	assert_int_equal(profile_count(&profile), LABELLED + 5);
	check_sums(&profile, LABELLED + 1, 2 * CROWD - LABELLED + 3);
	close_profile(&profile);
}

/* Many stacks of one goroutine, in turn and then each twice. */
static void test_many_stacks(void **state)
{
	struct profile profile;
	uint32_t near = 0;
	uint64_t i;

	(void)state;
	open_profile(&profile, true);
	for (i = 0; i < 200; i++) {
		assert_true(
			profile_add_known(&profile, 5, i % 100 * 10, 1, &near));
		assert_int_equal(near, i % 100 + 1);
	}
	for (i = 0; i < 200; i++)
		assert_true(
			profile_add_known(&profile, 5, i / 2 * 10, 1, &near));
	assert_int_equal(profile_count(&profile), 100);
	for (i = 0; i < 100; i++)
		check_entry(&profile, (size_t)i, 5, i, 4, 4);
	close_profile(&profile);
}

/* --------------------------------------------- compared with a slow one -- */

#define MODEL_MAX    400
#define MODEL_LIMIT  60
#define MODEL_STACKS 40
#define MODEL_CROWD  30

/* What a profile is to have: entries in a row, found one after the other. */
struct model {
	struct profile_entry entries[MODEL_MAX];
	size_t count;
};

static struct profile_entry *model_find(struct model *model, uint32_t name,
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
	struct profile_entry *entry = model_find(model, name, g);

	if (entry == NULL && model->count >= MODEL_LIMIT) {
		g = PROFILE_ANY_G;
		entry = model_find(model, name, g);
	}
	if (entry == NULL) {
		assert_true(model->count < MODEL_MAX);
		entry = &model->entries[model->count++];
		*entry = (struct profile_entry){.g = g, .name = name};
	}
	entry->count++;
	entry->time += length;
}

static void check_model(const struct profile *profile,
			const struct model *model)
{
	size_t i;

	assert_int_equal(profile_count(profile), model->count);
	for (i = 0; i < model->count; i++)
		check_entry(profile, i, model->entries[i].g,
			    model->entries[i].name, model->entries[i].count,
			    model->entries[i].time);
}

/*
 * Adds slices of GOROUTINES, whose ids are used again in one case of AGAIN; a
 * stack has the name of another one in one case of ALIKE.
 */
static void compare(uint64_t *seed, unsigned goroutines, unsigned stacks,
		    unsigned again, unsigned alike)
{
	uint32_t near[MODEL_CROWD] = {0};
	struct model model = {.count = 0};
	struct profile profile;
	size_t i;

	open_profile(&profile, true);
	profile.entry_max = MODEL_LIMIT;
	for (i = 0; i < 300; i++) {
		unsigned g = random_below(seed, goroutines);
		uint64_t stack = random_below(seed, stacks) * 10;
		int64_t length = random_below(seed, 1000);

		if (random_below(seed, alike) == 0)
			stack++;
		if (random_below(seed, again) == 0)
			near[g] = 0;
		if (random_below(seed, again) == 0 && model.count < MODEL_LIMIT)
			near[g] = near[random_below(seed, goroutines)];
		model_add(&model, g, (uint64_t)length,
			  name_stack(NULL, 0, stack));
		assert_true(profile_add_known(&profile, g, stack, length,
					      &near[g]));
		check_model(&profile, &model);
		if (random_below(seed, 100) == 0)
			gti_profile_forget_stacks(&profile);
	}
	close_profile(&profile);
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
	struct profile profile;
	uint64_t i;
	bool good;

	counted = (struct counted){.left = left};
	memory = counted_allocator(&counted);
	good = gti_profile_init(&profile, by_goroutine, &names, NULL, &memory);
	for (i = 0; i < 3000 && good; i++) {
		add(&profile, i / 2, 1, i);
		good = !profile.failed;
	}
	assert_true(good || counted.refused > 0);
	gti_profile_free(&profile);
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
