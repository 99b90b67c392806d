/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attack_test.c - traces that were damaged or made on purpose, and once were
 * read in another way than they should (testdata/attack).
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

#include "tests/reports.h"

#define TEXT_SIZE (1 << 17)
#include "tests/text.h"

static struct text greedy, dump;

static struct gtrace *open_attack(const char *name, int partial)
{
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh",
			.partial = partial);
	struct gtrace_error error;
	struct gtrace *trace;
	char path[100];

	snprintf(path, sizeof(path), "testdata/attack/%s.trace", name);
	assert_int_equal(gtrace_open_path(path, &options, &trace, &error),
			 GTRACE_OK);
	return trace;
}

/* Makes one of the reports, from an empty text. */
static enum gtrace_status print(struct gtrace *trace, struct text *text,
				struct gtrace_error *error)
{
	struct gtrace_output output = text_output(text);

	if (text == &greedy)
		return print_greedy(trace, 10000, &output, error);
	return print_dump(trace, &output, error);
}

static void expect_error(struct gtrace *trace, struct text *text,
			 enum gtrace_status status, uint64_t offset,
			 const char *message)
{
	struct gtrace_error error;

	assert_int_equal(print(trace, text, &error), status);
	assert_int_equal(error.offset, offset);
	assert_string_equal(error.message, message);
	assert_int_equal(text->size, 0);
}

static void test_created_again(void **state)
{
	static const char want[] =
		"g 15 already exists (offset 438, time 356666666666)";
	struct gtrace *trace = open_attack("created-again-1", 0);

	(void)state;
	expect_error(trace, &greedy, GTRACE_ERROR_STATE, 438, want);
	expect_error(trace, &dump, GTRACE_ERROR_STATE, 438, want);
	gtrace_close(trace);
}

static void test_start_at_no_address(void **state)
{
	static const char want[] =
		" P: 0 G: 15 StkID: 0 args0: 15 args1: 0 args2: 0";
	static const char frame[] = "\t 0 main.f0xffffffffffffffff ";
	struct gtrace *trace = open_attack("start-pc-wraps", 0);
	struct gtrace_error error;
	const char *line;

	(void)state;
	assert_int_equal(print(trace, &dump, &error), GTRACE_OK);
	line = strstr(dump.bytes, want);
	assert_non_null(line);
	line = strchr(line, '\n') + 1;
	assert_memory_equal(line + 1, frame, sizeof(frame) - 1);
	/* And so there is no walk back. */
	assert_int_equal(print(trace, &greedy, &error), GTRACE_OK);
	line = strstr(greedy.bytes, want);
	assert_non_null(line);
	line = strchr(line, '\n') + 1;
	assert_memory_equal(line + 2, frame, sizeof(frame) - 1);
	gtrace_close(trace);
}

static void test_negative_length(void **state)
{
	struct gtrace *trace = open_attack("negative", 0);
	struct gtrace_error error;

	(void)state;
	expect_error(trace, &greedy, GTRACE_ERROR_LENGTH, 0,
		     "found one deltaNano is less than zero");
	assert_int_equal(print(trace, &dump, &error), GTRACE_OK);
	gtrace_close(trace);
}

/*
 * The whole of a trace is refused with the message WHOLE, and what comes before
 * the first fault, which is FAULT at OFFSET, is reported.
 */
static void expect_part(const char *name, const char *whole, uint64_t offset,
			const char *fault)
{
	struct gtrace *trace = open_attack(name, 0);
	const struct gtrace_error *reason;
	struct gtrace_error error;
	uint64_t unread, size;

	assert_int_not_equal(print(trace, &dump, &error), GTRACE_OK);
	assert_int_equal(dump.size, 0);
	assert_string_equal(error.message, whole);
	expect_error(trace, &greedy, error.status, error.offset, whole);
	gtrace_close(trace);

	trace = open_attack(name, 1);
	assert_int_equal(print(trace, &greedy, NULL), GTRACE_OK);
	assert_int_equal(print(trace, &dump, NULL), GTRACE_OK);
	assert_non_null(strstr(dump.bytes, " Off: "));
	assert_int_equal(gtrace_left_out(trace, &unread, &size, &reason), 1);
	assert_int_equal(reason->offset, offset);
	assert_string_equal(reason->message, fault);
	assert_true(unread >= offset);
	gtrace_close(trace);
}

static void test_parts(void **state)
{
	static const char state_1[] =
		"g 8 is not runnable before start (offset 427, time 79104)";
	static const char state_2[] =
		"p 1000002 is not running g 1 while GoBlockSelect (offset "
		"1321, time 736333333333)";
	static const char order[] = "no consistent ordering of events possible";

	(void)state;
	expect_part("partial-longer-1", state_1, 427, state_1);
	expect_part("partial-longer-2", state_2, 1321, state_2);
	expect_part("partial-longer-3", order, 1028, order);
	/* The reference looks at ticks after it has put all in order. */
	expect_part("partial-longer-4", order, 351, "time stamps out of order");
	expect_part("partial-longer-5", order, 270, order);
	expect_part("partial-none-1", order, 234, order);
	expect_part("partial-none-2", order, 183, order);
}

/* Go 1.5: which of several events with equal numbers is first, decides. */
static void test_equal_numbers(void **state)
{
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	trace = open_attack("v1.5-equal-seq-accepts", 0);
	assert_int_equal(print(trace, &dump, &error), GTRACE_ERROR_ORDER);
	assert_string_equal(error.message, "time stamps out of order");
	gtrace_close(trace);
	trace = open_attack("v1.5-equal-seq-message", 0);
	assert_int_equal(print(trace, &dump, &error), GTRACE_ERROR_STATE);
	assert_string_equal(error.message,
			    "g 1 already exists (offset 3838, time 0)");
	gtrace_close(trace);
}

/* From Go 1.22 on a line is an unsigned number. */
static void test_line(void **state)
{
	static const char want[] = "\t 4 GC (idle) GC (idle) "
				   "18446744073709551615\n";
	struct gtrace *trace = open_attack("line-2-63", 0);

	(void)state;
	assert_int_equal(print(trace, &dump, NULL), GTRACE_OK);
	assert_non_null(strstr(dump.bytes, want));
	gtrace_close(trace);
}

/*
 * A goroutine that waits is created again, by an event after which nothing can
 * be read: it is forgotten, and so is its wait.
 */
static void test_created_twice(void **state)
{
	struct gtrace *trace = open_attack("created-twice-unread",
					   GTRACE_PARTIAL_UNFINISHED);
	struct gtrace_request request = REQUEST(.waits = 5, .delays = 5);
	struct gtrace_reports *reports;

	(void)state;
	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	assert_int_equal(reports->waits->count, 0);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_created_again),
		cmocka_unit_test(test_start_at_no_address),
		cmocka_unit_test(test_negative_length),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_equal_numbers),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_created_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
