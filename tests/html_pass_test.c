/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_pass_test.c - the report in one HTML file: the same in merge order and
 * in final order, and what the caller's allocator sees of it. What the pages
 * say is tested by html_test.py.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/counted.h"
#include "tests/md5.h"
#include "tests/reports.h"
#include "tests/traces.h"

/* What one call is to do. */
struct call {
	const char *path;
	size_t rows;
	int partial;
	int final;
};

/* Prints the page of CALL with the memory of COUNTED. Sets SUM. */
static enum gtrace_status print(const struct call *call,
				struct counted *counted, char sum[33],
				struct gtrace_error *error)
{
	struct gtrace_allocator memory = counted_allocator(counted);
	struct gtrace_options options =
		OPTIONS(.partial = call->partial, .allocator = &memory);
	struct gtrace_request request = {.size = sizeof(request),
					 .n = call->rows,
					 .stops = call->rows,
					 .name = "trace.out"};
	struct md5 md5;
	struct gtrace_output output =
		OUTPUT(.write = md5_write, .context = &md5);
	enum gtrace_status status;
	struct gtrace *trace;

	md5_begin(&md5);
	status = gtrace_open_path(call->path, &options, &trace, error);
	if (status == GTRACE_OK && call->final)
		gti_test_final_order(trace);
	if (status == GTRACE_OK)
		status = print_report(trace, GTRACE_REPORT_PAGE, request,
				      &output, error);
	gtrace_close(trace);
	md5_end(&md5, sum);
	/* What was allocated was released, with the size that it had. */
	assert_int_equal(counted->blocks, 0);
	assert_int_equal(counted->bytes, 0);
	return status;
}

/* ---------------------------------------------------------------- orders -- */

static unsigned pages, failures;

static void check_orders(const char *path)
{
	struct call call = {.path = path, .rows = 10};
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_error merge_error, final_error;
	enum gtrace_status status;
	char merged[33], final[33];

	status = print(&call, &counted, merged, &merge_error);
	call.final = 1;
	assert_int_equal(print(&call, &counted, final, &final_error), status);
	assert_string_equal(merged, final);
	if (status == GTRACE_OK) {
		pages++;
	} else {
		assert_string_equal(merge_error.message, final_error.message);
		failures++;
	}
}

static void test_orders(void **state)
{
	(void)state;
	each_trace(check_orders);
	print_message("%u pages, %u failures\n", pages, failures);
	assert_true(pages > 80);
}

/* ---------------------------------------------------------------- memory -- */

/* More rows than there are pictures. */
static void test_rows(void **state)
{
	static const size_t rows[] = {1, 99, 101, 1000, 100000};
	struct call call = {.path = "testdata/go1.27-small/chan.trace"};
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_error error;
	char sum[33];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		call.rows = rows[i];
		assert_int_equal(print(&call, &counted, sum, &error),
				 GTRACE_OK);
	}
}

/* Each allocation fails in turn. */
static void fail_each(const char *path, int partial)
{
	struct call call = {.path = path, .rows = 20, .partial = partial};
	struct counted counted;
	struct gtrace_error error;
	enum gtrace_status status;
	char sum[33];
	size_t n = 0;

	do {
		counted = (struct counted){.left = n++};
		status = print(&call, &counted, sum, &error);
		if (counted.refused != 0)
			assert_int_equal(status, GTRACE_ERROR_MEMORY);
	} while (counted.refused != 0);
	assert_int_equal(status, GTRACE_OK);
	assert_true(n > 20);
}

static void test_memory(void **state)
{
	(void)state;
	fail_each("testdata/go1.8-small/lock.trace", 0);
	fail_each("testdata/go1.19-small/idle.trace", 0);
	fail_each("testdata/go1.27-small/lock.trace", 0);
	fail_each("testdata/stops/go1.26_flight.trace", 1);
	fail_each("testdata/paths/convoy.trace", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
