/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * durations_test.c - durations on the command line: what Go's
 * time.ParseDuration reads and Duration.String prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/durations.h"

static void test_good(void **state)
{
	static const struct {
		const char *text;
		int64_t nanoseconds;
		const char *printed;
	} cases[] = {
		{"0", 0, "0s"},
		{"0s", 0, "0s"},
		{"+5s", 5000000000, "5s"},
		{"1ns", 1, "1ns"},
		{"1us", 1000, "1us"},
		{"1\xc2\xb5s", 1000, "1us"},
		{"1\xce\xbcs", 1000, "1us"},
		{"1.5ms", 1500000, "1.5ms"},
		{"300ms", 300000000, "300ms"},
		{"1.5s", 1500000000, "1.5s"},
		{".5s", 500000000, "500ms"},
		{"5.s", 5000000000, "5s"},
		{"1.000000001s", 1000000001, "1.000000001s"},
		{"1.0000000019s", 1000000001, "1.000000001s"},
		{"1.9ns", 1, "1ns"},
		{"0.1us", 100, "100ns"},
		{"12.34us", 12340, "12.34us"},
		{"1m", 60000000000, "1m0s"},
		{"0.15m", 9000000000, "9s"},
		{"90s", 90000000000, "1m30s"},
		{"1h2m", 3720000000000, "1h2m0s"},
		{"1h2m3.5s", 3723500000000, "1h2m3.5s"},
		{"3.5s1h2m", 3723500000000, "1h2m3.5s"},
		{"0.5h", 1800000000000, "30m0s"},
		{"2562047h47m16.854775807s", INT64_MAX,
		 "2562047h47m16.854775807s"},
	};
	int64_t nanoseconds;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_null(duration_parse(cases[i].text, &nanoseconds));
		assert_true(nanoseconds == cases[i].nanoseconds);
		assert_string_equal(duration_text(nanoseconds).text,
				    cases[i].printed);
	}
}

/* What is printed is read as the same duration, of every size. */
static void test_round_trip(void **state)
{
	int64_t length, read;

	(void)state;
	for (length = 1; length < INT64_MAX / 7; length = length * 7 / 2 + 1) {
		assert_null(duration_parse(duration_text(length).text, &read));
		assert_true(read == length);
	}
}

static void test_bad(void **state)
{
	static const char *const texts[] = {
		"",
		"1",
		".",
		".s",
		"s",
		"1x",
		"1.5",
		"1s2",
		"1 s",
		" 1s",
		"-1s",
		"+",
		"1.2.3s",
		"1e3s",
		"2562047h47m16.854775808s",
		"2562048h",
		"9223372036854775808ns",
		"99999999999999999999s",
	};
	int64_t nanoseconds;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_non_null(duration_parse(texts[i], &nanoseconds));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
