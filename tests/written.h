/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * written.h - what a test of the report layer writes, kept to be compared. To
 * be included after cmocka.h.
 */
#ifndef GTRACE_TESTS_WRITTEN_H_
#define GTRACE_TESTS_WRITTEN_H_

#include <string.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/output.h"

#define STRING(text)                                                           \
	{                                                                      \
		text, sizeof(text) - 1                                         \
	}

static char got[8192];
static size_t got_size;

static int collect(void *context, const void *data, size_t size)
{
	(void)context;
	assert_true(got_size + size < sizeof(got));
	memcpy(got + got_size, data, size);
	got_size += size;
	got[got_size] = '\0';
	return 0;
}

static struct gtrace_allocator memory;
static struct writer writer;

static void begin(void)
{
	static const struct gtrace_output sink = {.write = collect};

	memory = gti_allocator_or_default(NULL);
	got_size = 0;
	got[0] = '\0';
	assert_int_equal(gti_writer_init(&writer, &sink, &memory, NULL),
			 GTRACE_OK);
}

static void expect(const char *want)
{
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	assert_string_equal(got, want);
}

#endif /* GTRACE_TESTS_WRITTEN_H_ */
