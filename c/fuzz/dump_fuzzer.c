/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dump_fuzzer.c - any file to the dump, by both ways through it: they agree,
 * and a bad trace prints nothing.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"

static enum gtrace_status dump(const uint8_t *data, size_t size, int careful,
			       struct sum *sum, struct gtrace_error *error)
{
	struct gtrace_options options = {.careful = careful};
	struct gtrace_output output = {.write = add, .context = sum};
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(data, size, &options, &trace, error);
	if (status == GTRACE_OK)
		status = gtrace_print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum usual = {0, 0}, careful = {0, 0};
	struct gtrace_error error = {.status = GTRACE_OK}, other = error;
	enum gtrace_status status = dump(data, size, 0, &usual, &error);

	check(dump(data, size, 1, &careful, &other) == status);
	check(usual.size == careful.size && usual.value == careful.value);
	if (status != GTRACE_OK && status != GTRACE_ERROR_WRITE) {
		check(usual.size == 0 && error.message[0] != '\0');
		check(strcmp(error.message, other.message) == 0);
	}
	return 0;
}
