/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * beside.h - files that are read beside the trace in `built`. Only a test
 * includes it, after cmocka.h, with POSIX.
 */
#ifndef GTRACE_TESTS_V2_BESIDE_H_
#define GTRACE_TESTS_V2_BESIDE_H_

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/v2/builder.h"

/*
 * Opens a new file to write to. Its name, PATH, ends in six letters that differ
 * each time, after its only dot.
 */
static inline FILE *create_beside(char *path)
{
	FILE *file;

	strcpy(strchr(path, '.'), ".XXXXXX");
	file = fdopen(mkstemp(path), "w");
	assert_non_null(file);
	return file;
}

/* The same, and writes TEXT. */
static inline void write_beside(char *path, const char *text)
{
	FILE *file = create_beside(path);

	fputs(text, file);
	fclose(file);
}

/*
 * Summarises `built` with OPTIONS, and with an allocation that fails, each in
 * turn: the error says so, and nothing is lost.
 */
static inline void expect_shortages(struct gtrace_options options)
{
	struct counted counted = {.refused = 1};
	struct gtrace_allocator allocator = counted_allocator(&counted);
	struct gtrace_summary *summary;
	struct gtrace_error error;
	struct gtrace *trace;
	size_t most;

	options.allocator = &allocator;
	for (most = 0; counted.refused != 0; most++) {
		counted = (struct counted){.left = most};
		summary = NULL;
		error.status = GTRACE_OK;
		if (gtrace_open_memory(built.data, built.size, &options, &trace,
				       &error) == GTRACE_OK)
			gtrace_summarise(trace, NULL, &summary, &error);
		gtrace_summary_free(summary);
		gtrace_close(trace);
		assert_int_equal(counted.blocks, 0);
		assert_int_equal(counted.bytes, 0);
		assert_int_equal(error.status, counted.refused != 0
						       ? GTRACE_ERROR_MEMORY
						       : GTRACE_OK);
	}
}

#endif /* GTRACE_TESTS_V2_BESIDE_H_ */
