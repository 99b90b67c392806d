/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults.h - compares the message, the status and the offset of the error in
 * the trace in `built`. Only a test includes it, after cmocka.h.
 */
#ifndef GTRACE_TESTS_V2_FAULTS_H_
#define GTRACE_TESTS_V2_FAULTS_H_

#include <gtrace/gtrace.h>

#include "tests/reports.h"
#include "tests/v2/builder.h"

static inline int ignore(void *context, const void *data, size_t size)
{
	(void)context;
	(void)data;
	(void)size;
	return 0;
}

/* Reads `built`, whose fault is at OFFSET. */
static inline void expect_fault(size_t offset, enum gtrace_status status,
				const char *message)
{
	struct gtrace_output output = {.size = sizeof(output), .write = ignore};
	struct gtrace_error error = {.message = ""};
	enum gtrace_status got;
	struct gtrace *trace;

	got = gtrace_open_memory(built.data, built.size, NULL, &trace, &error);
	if (got == GTRACE_OK)
		got = print_dump(trace, &output, &error);
	gtrace_close(trace);
	if (got != status || error.offset != offset ||
	    strcmp(error.message, message) != 0)
		fail_msg("status %d, not %d; offset %llu, not %zu; '%s', not "
			 "'%s'",
			 (int)got, (int)status,
			 (unsigned long long)error.offset, offset,
			 error.message, message);
}

#endif /* GTRACE_TESTS_V2_FAULTS_H_ */
