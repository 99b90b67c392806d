/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damaged_test.c - of damaged traces the library says what the reference says:
 * the same report, or the same message, in merge order and in final order.
 *
 * A row says what is expected with the exit status, the MD5 of -diagreedy=3
 * and the message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/damaged.h"
#include "tests/md5.h"
#include "tests/reports.h"

static void check_order(const struct builder *damaged, const char *release,
			char **columns, int final)
{
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct gtrace *trace;
	struct md5 md5;
	char sum[33];
	struct gtrace_output output =
		OUTPUT(.write = md5_write, .context = &md5);

	md5_begin(&md5);
	status = gtrace_open_memory(damaged->bytes, damaged->size, NULL, &trace,
				    &error);
	if (status == GTRACE_OK && final)
		gti_test_final_order(trace);
	if (status == GTRACE_OK)
		status = print_greedy(trace, 3, &output, &error);
	gtrace_close(trace);
	md5_end(&md5, sum);
	if (columns[COLUMN_EXIT][0] == '0') {
		if (status != GTRACE_OK ||
		    strcmp(sum, columns[COLUMN_MD5]) != 0)
			fail_msg("%s %s %s: want a report, got %s", release,
				 columns[COLUMN_BASE], columns[COLUMN_OFFSET],
				 status == GTRACE_OK ? "another one"
						     : error.message);
	} else if (strcmp(error.message, columns[COLUMN_MESSAGE]) != 0 ||
		   md5.size > 64) {
		fail_msg("%s %s %s: want \"%s\", got \"%s\"", release,
			 columns[COLUMN_BASE], columns[COLUMN_OFFSET],
			 columns[COLUMN_MESSAGE], error.message);
	}
}

static void check_row(const char *release, char **columns)
{
	struct builder damaged = splice(release, columns);

	check_order(&damaged, release, columns, 0);
	check_order(&damaged, release, columns, 1);
	builder_close(&damaged);
}

static void test_go1_8(void **state)
{
	(void)state;
	check_rows("go1.8", 250, check_row);
}

static void test_go1_19(void **state)
{
	(void)state;
	check_rows("go1.19", 125, check_row);
}

static void test_go1_21(void **state)
{
	(void)state;
	check_rows("go1.21", 125, check_row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go1_8),
		cmocka_unit_test(test_go1_19),
		cmocka_unit_test(test_go1_21),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
