/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lately_test.c - the worst finding of the last ten seconds against all of
 * them, also where generations are short; and the commands for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/lately.h"

#define MS INT64_C(1000000)

/* Takes a generation that ends at TO, in which HARM was found. */
static void take(struct lately *lately, uint64_t number, int64_t to,
		 int64_t harm)
{
	const struct gtrace_generation generation = {
		.number = number, .from = to - MS, .to = to, .start = INT64_MIN};
	const struct gtrace_finding finding = {.text = {"x", 1}, .rank = harm};
	const struct gtrace_summary summary = {
		.headline = {harm != 0 ? "x" : "Nothing", harm != 0 ? 1 : 7},
		.findings = &finding,
		.finding_count = 1,
	};

	lately_take(lately, &generation, &summary);
}

/* Takes COUNT generations of LENGTH, and looks for the worst ones in all. */
static void check(size_t count, int64_t length, bool exact)
{
	struct lately lately = {.count = 0};
	int64_t *harms = calloc(count, sizeof(*harms));
	size_t i, k;

	assert_non_null(harms);
	srand(1);
	for (i = 0; i < count; i++) {
		int64_t worst = 0, recent = 0;

		/* Some last, and for 20 seconds nothing stands out. */
		harms[i] = (int64_t)i * length % (60000 * MS) < 20000 * MS
				   ? 0
				   : rand() % 1000;
		take(&lately, i + 1, (int64_t)i * length, harms[i]);
		for (k = 0; k <= i; k++) {
			worst = harms[k] > worst ? harms[k] : worst;
			if ((int64_t)(i - k) * length <= 10000 * MS &&
			    harms[k] > recent)
				recent = harms[k];
		}
		assert_true(lately.count <= LATELY_MAX);
		assert_int_equal(worst != 0 ? lately_worst(&lately)->harm : 0,
				 worst);
		assert_true((lately_recent(&lately) == NULL) == (recent == 0) ||
			    !exact);
		if (exact && recent != 0)
			assert_int_equal(lately_recent(&lately)->harm, recent);
	}
	assert_non_null(lately_worst(&lately));
	lately_free(&lately);
	free(harms);
}

static void worst_ones(void **state)
{
	(void)state;
	check(300, 1000 * MS, true);
	check(300, 3000 * MS, true);
	check(300, 11000 * MS, true);
	check(3000, 50 * MS, false);
}

/* More than there is room for, each of them less than the one before. */
static void full(void **state)
{
	struct lately lately = {.count = 0};
	int64_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		take(&lately, (uint64_t)i + 1, i * MS, 1000 - i);
	assert_int_equal(lately.count, LATELY_MAX);
	assert_int_equal(lately_recent(&lately)->harm, 1000);
	take(&lately, 1001, 1001 * MS, 2000);
	assert_int_equal(lately.count, 1);
	take(&lately, 1002, 20000 * MS, 0);
	assert_null(lately_recent(&lately));
	assert_int_equal(lately_worst(&lately)->number, 1001);
	lately_free(&lately);
}

static void check_command(const char *name, const char *want)
{
	const struct found found = {.from = 1999999, .to = 5000000000};
	char *command = lately_command(&found, name);

	if (want == NULL)
		assert_null(command);
	else
		assert_string_equal(command, want);
	free(command);
}

static void commands(void **state)
{
	(void)state;
	check_command("a.trace", "gtrace -from=1ms -to=5001ms a.trace");
	check_command("a b", "gtrace -from=1ms -to=5001ms 'a b'");
	check_command("it's", "gtrace -from=1ms -to=5001ms 'it'\\''s'");
	check_command("-c", "gtrace -from=1ms -to=5001ms -- -c");
	check_command("a\033b", NULL);
	check_command("\xc3\xa4", NULL);
	check_command(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worst_ones),
		cmocka_unit_test(full),
		cmocka_unit_test(commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
