/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside_test.c - the CPU samples of slices, added and freed at random, against
 * a list of all samples of each slice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/inside.h"
#include "tests/counted.h"
#include "tests/model.h"

#define SLICES      20
#define SAMPLES_MAX 64
#define STEPS       20000

/* The stacks of all samples of a slice, in order. */
struct listed {
	uint64_t stacks[SAMPLES_MAX];
	size_t count;
};

/* INSIDE has the samples of LISTED, in groups of equal stacks. */
static void check(const struct inside *inside, const struct listed *listed)
{
	const struct sample_group *group = inside->samples;
	size_t left = listed->count;
	uint64_t i;

	for (; group != NULL; group = group->next) {
		assert_true(group->count != 0 && group->count <= left);
		for (i = 0; i < group->count; i++)
			assert_int_equal(listed->stacks[--left], group->stack);
		/* A group ends where the stack differs. */
		if (left != 0)
			assert_true(listed->stacks[left - 1] != group->stack);
	}
	assert_int_equal(left, 0);
}

static void test_random(void **state)
{
	static struct listed listed[SLICES];
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct insides insides;
	struct inside inside[SLICES] = {{.calls = 0}};
	uint64_t seed = 1;
	size_t step, i, most = 0, samples = 0;

	(void)state;
	gti_insides_init(&insides, &memory);
	for (step = 0; step < STEPS; step++) {
		i = (size_t)random_below(&seed, SLICES);
		if (listed[i].count == SAMPLES_MAX ||
		    random_below(&seed, 40) == 0) {
			check(&inside[i], &listed[i]);
			inside_free_samples(&insides, &inside[i]);
			assert_null(inside[i].samples);
			samples -= listed[i].count;
			listed[i].count = 0;
		} else {
			uint64_t stack = random_below(&seed, 3);

			assert_true(
				gti_inside_sample(&insides, &inside[i], stack));
			listed[i].stacks[listed[i].count++] = stack;
			samples++;
		}
		if (samples > most)
			most = samples;
	}
	for (i = 0; i < SLICES; i++)
		check(&inside[i], &listed[i]);
	/* What was freed was used again. */
	assert_true(insides.groups.used <= most);
	gti_insides_free(&insides);
	assert_int_equal(counted.blocks, 0);
}

static void test_no_memory(void **state)
{
	struct counted counted = {.left = 2};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct insides insides, none = {.groups = {.size = 0}};
	struct inside inside = {.calls = 0};
	uint64_t stack = 0;

	(void)state;
	gti_insides_init(&insides, &memory);
	while (gti_inside_sample(&insides, &inside, stack))
		stack++;
	assert_true(stack > 0);
	assert_int_equal(insides.groups.used, stack);
	/* A sample that needs no group needs no memory. */
	assert_true(gti_inside_sample(&insides, &inside, stack - 1));
	gti_insides_free(&insides);
	assert_int_equal(counted.blocks, 0);
	gti_insides_free(&none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
