/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_fuzzer.c - dumps any file in both orders: the dumps agree, and of a bad
 * trace nothing is printed.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"
#include "testing.h"
#include "tests/reports.h"

static enum gtrace_status dump(const uint8_t *data, size_t size, int final,
			       struct sum *sum, struct gtrace_error *error)
{
	struct gtrace_output output = OUTPUT(.write = add, .context = sum);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(data, size, NULL, &trace, error);
	if (status == GTRACE_OK && final)
		gti_test_final_order(trace);
	if (status == GTRACE_OK)
		status = print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum merged = {0, 0}, final = {0, 0};
	struct gtrace_error error = {.status = GTRACE_OK}, other = error;
	enum gtrace_status status = dump(data, size, 0, &merged, &error);

	check(dump(data, size, 1, &final, &other) == status);
	check(merged.size == final.size && merged.value == final.value);
	if (status != GTRACE_OK && status != GTRACE_ERROR_WRITE) {
		check(merged.size == 0 && error.message[0] != '\0');
		check(strcmp(error.message, other.message) == 0);
	}
	return 0;
}
