/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * written.h - what a test of the report layer writes, kept to be compared. To
 * be included after cmocka.h.
 */
#ifndef GTRACE_TESTS_WRITTEN_H_
#define GTRACE_TESTS_WRITTEN_H_

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/output.h"
#include "tests/text.h"

#define STRING(text)                                                           \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}

static struct text got;
static struct gtrace_allocator memory;
static struct writer writer;

static inline void begin(void)
{
	struct gtrace_output sink = text_output(&got);

	memory = gti_allocator_or_default(NULL);
	assert_int_equal(gti_writer_init(&writer, &sink, &memory, NULL),
			 GTRACE_OK);
}

static inline void expect(const char *want)
{
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	assert_string_equal(got.bytes, want);
}

#endif /* GTRACE_TESTS_WRITTEN_H_ */
