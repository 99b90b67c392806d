/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - files, and what is written, in memory. Only tests include it, after
 * cmocka.h. */
#ifndef GTRACE_TESTS_FILES_H_
#define GTRACE_TESTS_FILES_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gtrace/gtrace.h>

/* Sets *SIZE, which is above 0. The caller frees what is returned. */
static inline uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long end;

	if (file == NULL)
		fail_msg("cannot open %s", path);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	end = ftell(file);
	assert_true(end > 0);
	rewind(file);
	*size = (size_t)end;
	data = malloc(*size);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *size, file), *size);
	fclose(file);
	return data;
}

/* What is written. The caller frees `data`. */
struct bytes {
	uint8_t *data;
	size_t size;
	size_t room; /* that is left; then writing fails */
};

/* Of gtrace_output, `write`: adds to CONTEXT, a struct bytes. */
static inline int add_bytes(void *context, const void *data, size_t size)
{
	struct bytes *bytes = context;

	if (bytes->room < size)
		return 28;
	bytes->room -= size;
	bytes->data = realloc(bytes->data, bytes->size + size);
	assert_non_null(bytes->data);
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
	return 0;
}

/* Of a generator, `write`. */
static inline void generate_bytes(void *context, const void *data, size_t size)
{
	assert_int_equal(add_bytes(context, data, size), 0);
}

static inline struct gtrace *open_bytes(const struct bytes *bytes)
{
	struct gtrace_error error;
	struct gtrace *trace;

	if (gtrace_open_memory(bytes->data, bytes->size, NULL, &trace,
			       &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	return trace;
}

/*
 * Where PART, a trace without its header, is in WHOLE: so many bytes later. A
 * sanitizer looks at all bytes that memcmp() may compare, so that looks at a few
 * first.
 */
static inline uint64_t shift_of(const struct bytes *whole,
				const struct bytes *part)
{
	const uint8_t *bytes = part->data + 16;
	size_t size = part->size - 16, few = size < 16 ? size : 16, at;

	for (at = 16; at + size <= whole->size; at++)
		if (memcmp(whole->data + at, bytes, few) == 0 &&
		    memcmp(whole->data + at, bytes, size) == 0)
			return at - 16;
	fail_msg("the cut is no part of the whole");
	return 0;
}

/* Calls CHECK with each of some recorded traces of several generations. */
static inline void each_of_several(void (*check)(const struct bytes *whole))
{
	static const char *const paths[] = {
		"testdata/go1.22-small/gens.trace",
		"testdata/go1.27-small/gens.trace",
		"testdata/silences/busy-go1.27.trace",
		"testdata/silences/stopped-go1.24.trace",
		"testdata/silences/stopped_profile-go1.22.trace",
	};
	struct bytes bytes = {.room = SIZE_MAX};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		bytes.data = read_file(paths[i], &bytes.size);
		check(&bytes);
		free(bytes.data);
	}
}

#endif /* GTRACE_TESTS_FILES_H_ */
