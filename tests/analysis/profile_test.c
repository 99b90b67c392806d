/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_test.c - slices by stack and goroutine: names for stacks, from one
 * generation to the next, the greatest number of entries, ids that are used
 * again, and no memory.
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

/* Stacks have the same name if they differ in the last digit only. */
static bool name_stack(void *context, uint32_t type, uint64_t stack,
		       uint64_t *name)
{
	uint64_t *calls = context;

	++*calls;
	*name = stack / 10 + type * 1000;
	return true;
}

static uint64_t name_all(struct profile *profile)
{
	uint64_t calls = 0;
	struct profile_names names = {name_stack, &calls};

	assert_true(gti_profile_name(profile, &names));
	return calls;
}

/* Returns the number of the entry, plus one. */
static uint32_t add(struct profile *profile, uint64_t g, int64_t length,
		    uint32_t type, uint64_t stack)
{
	struct profile_slice slice = {.g = g, .length = length};
	uint32_t near = 0;

	gti_profile_add(profile, NULL, &slice, type, stack, &near);
	return near;
}

/* Adds a slice that is among the most frequent. Returns false if it is not. */
static bool add_known(struct profile *profile, uint64_t g, int64_t length,
		      uint64_t stack, uint32_t *near)
{
	struct profile_entry *entry = profile_known(profile, g, stack, near);

	return entry != NULL && profile_add_known(profile, entry, length);
}

static void open_profile(struct profile *profile)
{
	counted = (struct counted){.left = SIZE_MAX};
	memory = counted_allocator(&counted);
	assert_true(gti_profile_init(profile, true, &memory));
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
	assert_int_equal(entry->stack, name);
	assert_int_equal(entry->count, count);
	assert_int_equal(entry->time, time);
}

static void test_names(void **state)
{
	struct profile profile;
	uint32_t near = 0;

	(void)state;
	open_profile(&profile);
	profile.own_stacks = 3;
	add(&profile, 1, 100, 0, 11);
	add(&profile, 2, 200, 5, 11); /* its stack is a handle too */
	add(&profile, 1, 300, 0, 12);
	add(&profile, 1, 400, 3, 12); /* this one is not */
	add(&profile, 2, 0, 0, 11);
	near = 7;
	assert_true(add_known(&profile, 2, 500, 11, &near));
	assert_int_equal(near, 2);
	assert_true(add_known(&profile, 2, 1, 11, &near));
	assert_false(add_known(&profile, 2, 500, 12, &near));
	assert_int_equal(profile_count(&profile), 4);
	assert_int_equal(name_all(&profile), 3);
	assert_int_equal(profile_count(&profile), 3);
	check_entry(&profile, 0, 1, 1, 2, 400);
	check_entry(&profile, 1, 2, 1, 4, 701);
	check_entry(&profile, 2, 1, 3001, 1, 400);

	/* Names are no handles, not even those that the stack 1 has. */
	near = 0;
	assert_false(add_known(&profile, 1, 10, 1, &near));
	add(&profile, 1, 10, 0, 1);
	add(&profile, 1, 20, 0, 19);
	add(&profile, 3, 30, 0, 19);
	assert_int_equal(name_all(&profile), 2);
	assert_int_equal(profile_count(&profile), 5);
	check_entry(&profile, 0, 1, 1, 3, 420);
	check_entry(&profile, 3, 1, 0, 1, 10);
	check_entry(&profile, 4, 3, 1, 1, 30);
	assert_int_equal(name_all(&profile), 0);
	assert_int_equal(profile_count(&profile), 5);

	gti_profile_restart(&profile);
	add(&profile, 3, 30, 0, 19);
	assert_int_equal(name_all(&profile), 1);
	check_entry(&profile, 0, 3, 1, 1, 30);
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
	open_profile(&profile);
	for (g = 1; g < CROWD; g++)
		add(&profile, g, 1, 0, 50 + g % 4);
	near = add(&profile, g, 1, 0, 50 + g % 4);
	assert_int_equal(profile_count(&profile), LABELLED + 4);
	assert_int_equal(near, LABELLED + 4);
	/* It has no entry of its own, but is near one. */
	assert_true(add_known(&profile, g, 1, 50 + g % 4, &near));
	assert_int_equal(near, LABELLED + 4);
	near = 0;
	assert_true(add_known(&profile, g, 1, 50 + g % 4, &near));
	assert_int_equal(near, LABELLED + 4);
	near = 2;
	assert_true(add_known(&profile, g, 1, 50 + g % 4, &near));
	assert_int_equal(near, LABELLED + 4);
	assert_true(add_known(&profile, 1, 1, 51, &near));
	assert_int_equal(near, 1);
	check_sums(&profile, LABELLED + 1, CROWD - LABELLED + 3);
	assert_int_equal(name_all(&profile), 4);
	assert_int_equal(profile_count(&profile), LABELLED + 1);
	check_entry(&profile, LABELLED - 1, LABELLED, 5, 1, 1);
	check_entry(&profile, LABELLED, PROFILE_ANY_G, 5, CROWD - LABELLED + 3,
		    CROWD - LABELLED + 3);

	/* In the next generation there is no room for any goroutine. */
	for (g = 1; g <= CROWD; g++)
		add(&profile, g, 1, 0, 60);
	name_all(&profile);
	assert_int_equal(profile_count(&profile), LABELLED + 2);
	check_sums(&profile, LABELLED + 1, 2 * CROWD - LABELLED + 3);
	close_profile(&profile);
}

/* Fewer than the greatest number, in as many entries before names. */
static void test_stacks_with_equal_names(void **state)
{
	struct profile profile;
	uint64_t i;

	(void)state;
	open_profile(&profile);
	for (i = 0; i < 10000; i++)
		add(&profile, i / 10, 1, 0, 70 + i % 10);
	assert_int_equal(profile_count(&profile), 10000);
	assert_int_equal(name_all(&profile), 10);
	assert_int_equal(profile_count(&profile), 1000);
	check_sums(&profile, 10000, 0);
	for (i = 0; i < 1000; i++)
		check_entry(&profile, i, i, 7, 10, 10);
	close_profile(&profile);
}

/* Many stacks of one goroutine, in turn and then each twice. */
static void test_many_stacks(void **state)
{
	struct profile profile;
	uint32_t near = 0;
	uint64_t i;

	(void)state;
	open_profile(&profile);
	for (i = 0; i < 200; i++) {
		struct profile_slice slice = {.g = 5, .length = 1};

		gti_profile_add(&profile, NULL, &slice, 0, i % 100, &near);
		assert_int_equal(near, i % 100 + 1);
	}
	for (i = 0; i < 200; i++)
		if (!add_known(&profile, 5, 1, i / 2, &near))
			fail();
	assert_int_equal(profile_count(&profile), 100);
	for (i = 0; i < 100; i++)
		check_entry(&profile, i, 5, i, 4, 4);
	assert_int_equal(name_all(&profile), 100);
	assert_int_equal(profile_count(&profile), 10);
	for (i = 0; i < 10; i++)
		check_entry(&profile, i, 5, i, 40, 40);
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

static struct profile_entry *model_find(struct model *model, uint32_t type,
					uint64_t stack, uint64_t g)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		if (model->entries[i].type == type &&
		    model->entries[i].stack == stack &&
		    model->entries[i].g == g)
			return &model->entries[i];
	return NULL;
}

static void model_add(struct model *model, uint64_t g, uint64_t length,
		      uint32_t type, uint64_t stack)
{
	struct profile_entry *entry = model_find(model, type, stack, g);

	if (entry == NULL && model->count >= MODEL_LIMIT) {
		g = PROFILE_ANY_G;
		entry = model_find(model, type, stack, g);
	}
	if (entry == NULL) {
		assert_true(model->count < MODEL_MAX);
		entry = &model->entries[model->count++];
		*entry = (struct profile_entry){
			.stack = stack, .g = g, .type = type};
	}
	entry->count++;
	entry->time += length;
}

static void model_name(struct model *model)
{
	struct model old = *model;
	uint64_t calls = 0;
	size_t i;

	model->count = 0;
	for (i = 0; i < old.count; i++) {
		struct profile_entry entry = old.entries[i], *same;

		if (entry.type != PROFILE_NAMED)
			name_stack(&calls, entry.type, entry.stack,
				   &entry.stack);
		entry.type = PROFILE_NAMED;
		same = model_find(model, PROFILE_NAMED, entry.stack, entry.g);
		if (same == NULL) {
			model->entries[model->count++] = entry;
		} else {
			same->count += entry.count;
			same->time += entry.time;
		}
	}
}

static void check_model(const struct profile *profile,
			const struct model *model)
{
	size_t i;

	assert_int_equal(profile_count(profile), model->count);
	for (i = 0; i < model->count; i++)
		check_entry(profile, i, model->entries[i].g,
			    model->entries[i].stack, model->entries[i].count,
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

	open_profile(&profile);
	profile.own_stacks = 3;
	profile.entry_max = MODEL_LIMIT;
	for (i = 0; i < 300; i++) {
		unsigned g = random_below(seed, goroutines);
		uint32_t type = random_below(seed, 20) == 0 ? 3 : 0;
		uint64_t stack = random_below(seed, stacks) * 10;
		struct profile_slice slice = {
			.g = g, .length = random_below(seed, 1000)};

		if (random_below(seed, alike) == 0)
			stack++;
		if (random_below(seed, again) == 0)
			near[g] = 0;
		if (random_below(seed, again) == 0 && model.count < MODEL_LIMIT)
			near[g] = near[random_below(seed, goroutines)];
		model_add(&model, g, (uint64_t)slice.length, type, stack);
		if (type != 0 ||
		    !add_known(&profile, g, slice.length, stack, &near[g]))
			gti_profile_add(&profile, NULL, &slice, type, stack,
					&near[g]);
		check_model(&profile, &model);
		if (random_below(seed, 100) == 0) {
			name_all(&profile);
			model_name(&model);
			check_model(&profile, &model);
		}
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
static bool enough(size_t left)
{
	struct profile profile;
	uint64_t i, calls = 0;
	struct profile_names names = {name_stack, &calls};
	bool good;

	counted = (struct counted){.left = left};
	memory = counted_allocator(&counted);
	good = gti_profile_init(&profile, true, &memory);
	for (i = 0; i < 3000 && good; i++) {
		add(&profile, i / 2, 1, 0, i);
		good = !profile.failed;
	}
	good = good && gti_profile_name(&profile, &names);
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
	while (!enough(left))
		left++;
	assert_true(left > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_many_goroutines),
		cmocka_unit_test(test_stacks_with_equal_names),
		cmocka_unit_test(test_many_stacks),
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
