/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table_faults_test.c - the message, status and offset for each broken record
 * of the tables and the clock of a generation of Go 1.22 and later, and for
 * each generation that is not as it must be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/v2/faults.h"

/* ---------------------------------------------------------------- tables -- */

static void expect_record(size_t at, const char *message)
{
	end_batch();
	put_byte(END);
	expect_fault(at, GTRACE_ERROR_RECORD, message);
}

static void test_tables(void **state)
{
	size_t at = begin_table(STRINGS);

	(void)state;
	put_byte(STACK);
	expect_record(at, "type byte 3 among String records");
	at = begin_table(STRINGS);
	put(STRING, 2, 1, 1025);
	expect_record(at, "a string of 1025 bytes, more than 1024");
	at = begin_table(STRINGS);
	put(STRING, 2, 1, 1);
	expect_record(at, "a string is cut off by the end of its batch");
	at = begin_table(STRINGS);
	put(STRING, 1, 1);
	expect_record(at, "the length of a String record is cut off by the end "
			  "of its batch");
	at = begin_table(STRINGS);
	put_string(0, "");
	expect_record(at, "a second String record with the id 0");
	at = begin_table(STACKS);
	put(STACK, 2, 1, 129);
	expect_record(at, "a stack of 129 frames, more than 128");
	at = begin_table(STACKS);
	put(STACK, 6, 8, 1, 64, 2, 3, 5);
	expect_record(at, "a frame of stack 8 names a string that its "
			  "generation does not have");
	at = begin_table(STACKS);
	put(STACK, 5, 8, 1, 64, 2, 3);
	expect_record(at, "the line of a Stack record is cut off by the end of "
			  "its batch");
	at = begin_table(SAMPLES);
	put(SAMPLE, 3, 104, 7, 0);
	expect_record(at, "the goroutine of a CPUSample record is cut off by "
			  "the end of its batch");
	at = begin_table(SAMPLES);
	put_byte(STRING);
	expect_record(at, "type byte 5 among CPUSample records");
}

/* A value of 70 bits. */
static void put_wide_value(void)
{
	unsigned i;

	for (i = 0; i < 9; i++)
		put_byte(0xff);
	put_byte(0x7f);
}

static void test_wide_values(void **state)
{
	size_t at = begin_table(STRINGS);
	unsigned i;

	(void)state;
	put_byte(STRING);
	put_wide_value();
	expect_record(at, "the id of a String record does not fit into 64 "
			  "bits");
	at = begin_table(SAMPLES);
	put_byte(SAMPLE);
	put_wide_value();
	for (i = 0; i < 20; i++)
		put_byte(0);
	expect_record(at, "the time of a CPUSample record does not fit into 64 "
			  "bits");
	begin_file(26);
	put_byte(BATCH);
	at = built.size;
	put_wide_value();
	put(0, 0);
	expect_fault(at + 10, GTRACE_ERROR_RECORD,
		     "the generation of a batch does not fit into 64 bits");
}

static void test_clock(void **state)
{
	size_t at = begin_table(SYNC);

	(void)state;
	put(FREQUENCY, 1, 1000);
	expect_record(at, "a second Frequency record in a generation");
	at = begin_table(SYNC);
	put(SNAPSHOT, 4, 1, 2, 3, 4);
	expect_record(at, "a second ClockSnapshot record in a generation");
	begin_file(26);
	begin_batch(NONE, 1);
	put_byte(SYNC);
	at = built.size;
	put(FREQUENCY, 0);
	expect_record(at, "the frequency of a Frequency record is cut off by "
			  "the end of its batch");
	begin_file(26);
	begin_batch(NONE, 1);
	put_byte(SYNC);
	at = built.size;
	put(SNAPSHOT, 3, 1, 2, 3);
	expect_record(at, "the nanoseconds of a ClockSnapshot record is cut "
			  "off by the end of its batch");
	at = begin_table(SYNC);
	put_byte(STRING);
	expect_record(at, "type byte 5 in the batch of the clock");
}

/* ----------------------------------------------------------- generations -- */

static void test_generations(void **state)
{
	size_t at;

	(void)state;
	begin_file(26);
	built.generation = 0;
	put_clock(1000);
	expect_fault(16, GTRACE_ERROR_RECORD,
		     "a batch of generation 0, but they begin with 1");
	begin_file(25);
	put_generation();
	built.generation = 4;
	at = built.size;
	put_clock(1000);
	expect_fault(at, GTRACE_ERROR_RECORD,
		     "a batch of generation 4 out of order");
	begin_file(26);
	put_clock(1000);
	built.generation = 4;
	at = built.size;
	put_clock(1000);
	expect_fault(at, GTRACE_ERROR_RECORD,
		     "a batch of generation 4 inside another generation, which "
		     "has no end");
	begin_file(26);
	put_clock(1000);
	put_events();
	expect_fault(16, GTRACE_ERROR_CUT_OFF,
		     "the file ends in the middle of generation 1");
	begin_file(22);
	put_events();
	expect_fault(16, GTRACE_ERROR_EMPTY,
		     "a generation without a Frequency record");
	begin_file(26);
	begin_batch(NONE, 1);
	put_byte(SYNC);
	put(FREQUENCY, 1, 1000);
	end_batch();
	put_byte(END);
	expect_fault(16, GTRACE_ERROR_EMPTY,
		     "a generation without a ClockSnapshot record");
	begin_file(25);
	put_generation();
	at = built.size;
	begin_batch(7, 100);
	put_byte(END);
	end_batch();
	expect_fault(at, GTRACE_ERROR_RECORD,
		     "an end of generation, which is not written before Go "
		     "1.26");
	begin_file(26);
	put_byte(77);
	expect_fault(16, GTRACE_ERROR_RECORD,
		     "a batch begins with type byte 77");
	begin_file(26);
	put(BATCH, 4, 1, 7, 100, 65537);
	expect_fault(16, GTRACE_ERROR_RECORD,
		     "a batch of 65537 bytes, more than 65536");
	begin_file(26);
	put(BATCH, 4, 1, 7, 100, 10);
	put_byte(0);
	expect_fault(16, GTRACE_ERROR_CUT_OFF,
		     "a batch is cut off by the end of the file: 1 of 10 "
		     "bytes");
	begin_file(26);
	put(BATCH, 2, 1, 7);
	expect_fault(built.size, GTRACE_ERROR_CUT_OFF,
		     "the time of a batch is cut off by the end of the file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_wide_values),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_generations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
