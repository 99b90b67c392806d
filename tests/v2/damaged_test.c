/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damaged_test.c - damaged traces of Go 1.22 and later: the library accepts
 * those that Go 1.27's reader accepts, and prints the same reports. With
 * -partial it reports the events that this reader returns before its error.
 *
 * A row says what is expected with the exit status and the MD5 of -diagreedy=3,
 * of -partial -diagreedy=3 and of -partial -dump, where "-" stands for no
 * report, and "any" for one that is not compared: the reader's events
 * contradict each other in it, such as a goroutine that runs on two threads.
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

#include "tests/damaged.h"
#include "tests/md5.h"
#include "tests/reports.h"

/* Compares one report with its column, "-" being an error without a report. */
static void check_report(const struct builder *damaged, int partial, int dump,
			 const char *want, const char *what)
{
	const struct gtrace_options options = OPTIONS(.partial = partial);
	struct md5 md5;
	struct gtrace_output output =
		OUTPUT(.write = md5_write, .context = &md5);
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct gtrace *trace;
	char sum[33];

	md5_begin(&md5);
	status = gtrace_open_memory(damaged->bytes, damaged->size, &options,
				    &trace, &error);
	if (status == GTRACE_OK && dump)
		status = print_dump(trace, &output, &error);
	else if (status == GTRACE_OK)
		status = print_greedy(trace, 3, &output, &error);
	gtrace_close(trace);
	if (status != GTRACE_OK) {
		assert_true(md5.size == 0);
		assert_true(error.message[0] != '\0');
		strcpy(sum, "-");
	} else {
		md5_end(&md5, sum);
	}
	if (strcmp(want, "any") == 0 && status == GTRACE_OK)
		return;
	if (strcmp(sum, want) != 0)
		fail_msg("%s%s%s: want %s, got %s%s%s", what,
			 partial ? " -partial" : "", dump ? " -dump" : "", want,
			 sum, status != GTRACE_OK ? ": " : "",
			 status != GTRACE_OK ? error.message : "");
}

static void check_row(const char *release, char **columns)
{
	static unsigned row;
	struct builder damaged;
	char what[256];

	if (is_short() && row++ % 3 != 0)
		return;
	damaged = splice(release, columns);
	snprintf(what, sizeof(what), "%s %s at %s", release,
		 columns[COLUMN_BASE], columns[COLUMN_OFFSET]);
	/* The status and the report say the same of a trace. */
	assert_int_equal(columns[COLUMN_EXIT][0] == '0',
			 columns[COLUMN_MD5][0] != '-');
	check_report(&damaged, 0, 0, columns[COLUMN_MD5], what);
	check_report(&damaged, 1, 0, columns[COLUMN_PARTIAL_MD5], what);
	check_report(&damaged, 1, 1, columns[COLUMN_PARTIAL_DUMP_MD5], what);
	builder_close(&damaged);
}

static void test_go1_22(void **state)
{
	(void)state;
	check_rows("go1.22", 300, check_row);
}

static void test_go1_27(void **state)
{
	(void)state;
	check_rows("go1.27", 300, check_row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go1_22),
		cmocka_unit_test(test_go1_27),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
