/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damaged_test.c - of damaged traces the library says what the reference says:
 * the same report, or the same message, in merge order and in final order.
 *
 * A row of testdata/damaged/RELEASE.tsv makes one: a trace of
 * testdata/RELEASE-small, the offset of a splice, how many bytes it takes out,
 * what it puts in; then the exit status, the MD5 of the report of the three
 * longest slices, and the message.
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

#include "testing.h"
#include "tests/md5.h"
#include "tests/reports.h"

#define COLUMNS   7
#define LINE_SIZE 4096

static uint8_t *read_file(const char *path, size_t *size)
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

/* The damaged trace, in memory of just its size. */
static uint8_t *splice(const char *release, char **columns, size_t *size)
{
	size_t offset = strtoul(columns[1], NULL, 10);
	size_t removed = strtoul(columns[2], NULL, 10);
	size_t inserted = strlen(columns[3]) / 2;
	size_t old_size, i;
	char path[256];
	uint8_t *old, *new;

	snprintf(path, sizeof(path), "testdata/%s-small/%s", release,
		 columns[0]);
	old = read_file(path, &old_size);
	/* Python's slices, in which the rows are written, stop at the end. */
	if (removed > old_size - offset)
		removed = old_size - offset;
	*size = old_size - removed + inserted;
	new = malloc(*size);
	assert_non_null(new);
	memcpy(new, old, offset);
	for (i = 0; i < inserted; i++) {
		char digits[3] = {columns[3][2 * i], columns[3][2 * i + 1], 0};

		new[offset + i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	memcpy(new + offset + inserted, old + offset + removed,
	       old_size - offset - removed);
	free(old);
	return new;
}

static int add(void *context, const void *data, size_t size)
{
	md5_add(context, data, size);
	return 0;
}

static void check_row(const char *release, char **columns, int final)
{
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct gtrace *trace;
	struct md5 md5;
	char sum[33];
	size_t size;
	uint8_t *data = splice(release, columns, &size);
	struct gtrace_output output = OUTPUT(.write = add, .context = &md5);

	md5_begin(&md5);
	status = gtrace_open_memory(data, size, NULL, &trace, &error);
	if (status == GTRACE_OK && final)
		gti_test_final_order(trace);
	if (status == GTRACE_OK)
		status = print_greedy(trace, 3, &output, &error);
	gtrace_close(trace);
	md5_end(&md5, sum);
	if (columns[4][0] == '0') {
		if (status != GTRACE_OK || strcmp(sum, columns[5]) != 0)
			fail_msg("%s %s %s: want a report, got %s", release,
				 columns[0], columns[1],
				 status == GTRACE_OK ? "another one"
						     : error.message);
	} else if (strcmp(error.message, columns[6]) != 0 || md5.size > 64) {
		fail_msg("%s %s %s: want \"%s\", got \"%s\"", release,
			 columns[0], columns[1], columns[6], error.message);
	}
	free(data);
}

static void check_rows(const char *release, unsigned want)
{
	char path[256], line[LINE_SIZE];
	unsigned rows = 0;
	FILE *file;

	snprintf(path, sizeof(path), "testdata/damaged/%s.tsv", release);
	file = fopen(path, "r");
	if (file == NULL)
		fail_msg("cannot open %s", path);
	while (fgets(line, sizeof(line), file) != NULL) {
		char *columns[COLUMNS] = {NULL}, *at = line;
		unsigned i;

		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (i = 0; i < COLUMNS; i++) {
			columns[i] = at;
			at += strcspn(at, "\t");
			if (*at != '\0')
				*at++ = '\0';
		}
		check_row(release, columns, 0);
		check_row(release, columns, 1);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, want);
}

static void test_go1_8(void **state)
{
	(void)state;
	check_rows("go1.8", 250);
}

static void test_go1_19(void **state)
{
	(void)state;
	check_rows("go1.19", 125);
}

static void test_go1_21(void **state)
{
	(void)state;
	check_rows("go1.21", 125);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go1_8),
		cmocka_unit_test(test_go1_19),
		cmocka_unit_test(test_go1_21),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
