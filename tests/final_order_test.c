/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * final_order_test.c - recorded traces give the same reports in merge order
 * and in final order. (Nearly all are read in merge order otherwise.)
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/md5.h"
#include "tests/model.h"
#include "tests/reports.h"

/* Sets SUM to the digest of reports of the trace in PATH. */
static void report(const char *path, int final, char sum[33])
{
	struct md5 md5;
	struct gtrace_output output =
		OUTPUT(.write = md5_write, .context = &md5);
	struct gtrace_error error;
	struct gtrace *trace;

	md5_begin(&md5);
	assert_int_equal(gtrace_open_path(path, NULL, &trace, &error),
			 GTRACE_OK);
	if (final)
		gti_test_final_order(trace);
	assert_int_equal(print_greedy(trace, 1000, &output, &error), GTRACE_OK);
	assert_int_equal(print_dump(trace, &output, &error), GTRACE_OK);
	assert_int_equal(gtrace_print(trace,
				      &REQUEST(.blocks = 1000,
					       .format = GTRACE_FORMAT_JSON),
				      &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	md5_end(&md5, sum);
}

static void test_recorded(void **state)
{
	glob_t paths = {.gl_pathc = 0};
	char merged[33], final[33];
	size_t count = 0, i;

	(void)state;
	/* Traces of later releases have one order only. */
	assert_int_equal(glob("testdata/go1.8-small/*.trace", 0, NULL, &paths),
			 0);
	assert_int_equal(glob("testdata/go1.19-small/*.trace", GLOB_APPEND,
			      NULL, &paths),
			 0);
	assert_int_equal(glob("testdata/go1.21-small/*.trace", GLOB_APPEND,
			      NULL, &paths),
			 0);
	for (i = 0; i < paths.gl_pathc; i++) {
		struct stat file;

		/* The largest ones take most of the time. */
		assert_int_equal(stat(paths.gl_pathv[i], &file), 0);
		if (file.st_size > 32768 && is_short())
			continue;
		report(paths.gl_pathv[i], 0, merged);
		report(paths.gl_pathv[i], 1, final);
		assert_string_equal(merged, final);
		count++;
	}
	print_message("%zu traces\n", count);
	assert_true(count >= (is_short() ? 20 : 30));
	globfree(&paths);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
