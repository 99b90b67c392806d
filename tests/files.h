/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - whole files in memory. Only a test includes it, after cmocka.h. */
#ifndef GTRACE_TESTS_FILES_H_
#define GTRACE_TESTS_FILES_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

#endif /* GTRACE_TESTS_FILES_H_ */
