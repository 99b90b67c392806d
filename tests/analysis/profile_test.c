/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_test.c - slices by stack and goroutine: names for stacks, from one
 * generation to the next, the greatest number of entries, and no memory.
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

/* Returns the number of the entry. */
static uint32_t add(struct profile *profile, uint64_t g, int64_t length,
		    uint32_t type, uint64_t stack)
{
	struct profile_slice slice = {.g = g, .length = length};
	uint32_t near = 0;

	gti_profile_add(profile, NULL, &slice, type, stack, &near);
	return near;
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
	uint32_t near = 7;

	(void)state;
	open_profile(&profile);
	profile.own_stacks = 3;
	add(&profile, 1, 100, 0, 11);
	add(&profile, 2, 200, 5, 11); /* its stack is a handle too */
	add(&profile, 1, 300, 0, 12);
	add(&profile, 1, 400, 3, 12); /* this one is not */
	assert_true(profile_add_known(&profile, 2, 500, 11, &near));
	assert_int_equal(near, 1);
	assert_true(profile_add_known(&profile, 2, 1, 11, &near));
	assert_false(profile_add_known(&profile, 2, 500, 12, &near));
	assert_int_equal(profile_count(&profile), 4);
	assert_int_equal(name_all(&profile), 3);
	assert_int_equal(profile_count(&profile), 3);
	check_entry(&profile, 0, 1, 1, 2, 400);
	check_entry(&profile, 1, 2, 1, 3, 701);
	check_entry(&profile, 2, 1, 3001, 1, 400);

	/* Names are no handles, not even those that the stack 1 has. */
	near = 0;
	assert_false(profile_add_known(&profile, 1, 10, 1, &near));
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
	assert_int_equal(near, LABELLED + 3);
	/* It has no entry of its own, but is near one. */
	assert_true(profile_add_known(&profile, g, 1, 50 + g % 4, &near));
	assert_int_equal(near, LABELLED + 3);
	near = 0;
	assert_false(profile_add_known(&profile, g, 1, 50 + g % 4, &near));
	assert_true(profile_add_known(&profile, 1, 1, 51, &near));
	assert_int_equal(near, 0);
	check_sums(&profile, LABELLED + 1, CROWD - LABELLED + 1);
	assert_int_equal(name_all(&profile), 4);
	assert_int_equal(profile_count(&profile), LABELLED + 1);
	check_entry(&profile, LABELLED - 1, LABELLED, 5, 1, 1);
	check_entry(&profile, LABELLED, PROFILE_ANY_G, 5, CROWD - LABELLED + 1,
		    CROWD - LABELLED + 1);

	/* In the next generation there is no room for any goroutine. */
	for (g = 1; g <= CROWD; g++)
		add(&profile, g, 1, 0, 60);
	name_all(&profile);
	assert_int_equal(profile_count(&profile), LABELLED + 2);
	check_sums(&profile, LABELLED + 1, 2 * CROWD - LABELLED + 1);
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
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
