/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damaged_test.c - damaged traces of Go 1.22 and later: the library accepts
 * those that Go 1.27's reader accepts, and prints the same reports. With
 * -partial it reports the events that this reader returns before its error.
 *
 * A row of testdata/damaged/RELEASE.tsv makes one damaged trace: a trace of
 * testdata/RELEASE-small, the offset of a splice, how many bytes it takes out,
 * and what it puts in, a list of pieces: hexadecimal digits, or @S+L for L
 * bytes of the trace from offset S on. After these the row has the exit status,
 * the MD5 of -diagreedy=3, of -partial -diagreedy=3 and of -partial -dump,
 * where "-" stands for no report, and "any" for one that is not compared: the
 * reader's events contradict each other in it, such as a goroutine that runs
 * on two threads.
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

#include "tests/md5.h"
#include "tests/reports.h"

#define LINE_SIZE 4096

enum {
	COLUMN_BASE,
	COLUMN_OFFSET,
	COLUMN_REMOVED,
	COLUMN_INSERTED,
	COLUMN_EXIT,
	COLUMN_MD5,
	COLUMN_PARTIAL_MD5,
	COLUMN_PARTIAL_DUMP_MD5,
	COLUMNS,
};

struct bytes {
	uint8_t *data;
	size_t size;
};

static struct bytes read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct bytes bytes;
	long end;

	if (file == NULL)
		fail_msg("cannot open %s", path);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	end = ftell(file);
	assert_true(end > 0);
	rewind(file);
	bytes.size = (size_t)end;
	bytes.data = malloc(bytes.size);
	assert_non_null(bytes.data);
	assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
	fclose(file);
	return bytes;
}

static void append(struct bytes *to, const uint8_t *data, size_t size)
{
	memcpy(to->data + to->size, data, size);
	to->size += size;
}

/* Appends the bytes that PIECE, up to a comma or its end, stands for. */
static void append_piece(struct bytes *to, const struct bytes *base,
			 const char *piece)
{
	size_t i, digits = strcspn(piece, ",");

	if (*piece == '@') {
		char *rest;
		size_t from = strtoul(piece + 1, &rest, 10);
		size_t size = strtoul(rest + 1, NULL, 10);

		assert_true(from <= base->size && size <= base->size - from);
		append(to, base->data + from, size);
		return;
	}
	for (i = 0; i + 1 < digits; i += 2) {
		char byte[3] = {piece[i], piece[i + 1], '\0'};
		uint8_t value = (uint8_t)strtoul(byte, NULL, 16);

		append(to, &value, 1);
	}
}

/* How many bytes a list of pieces stands for at most. */
static size_t pieces_size(const char *pieces)
{
	size_t size = strlen(pieces);

	for (; *pieces != '\0'; pieces++)
		if (*pieces == '+')
			size += strtoul(pieces + 1, NULL, 10);
	return size;
}

/* Makes the damaged trace of a row, in a block of exactly its size. */
static struct bytes splice(const char *release, char **columns)
{
	size_t offset = strtoul(columns[COLUMN_OFFSET], NULL, 10);
	size_t removed = strtoul(columns[COLUMN_REMOVED], NULL, 10);
	const char *piece = columns[COLUMN_INSERTED];
	struct bytes base, damaged = {.size = 0};
	char path[256];

	snprintf(path, sizeof(path), "testdata/%s-small/%s", release,
		 columns[COLUMN_BASE]);
	base = read_file(path);
	assert_true(offset <= base.size);
	/* The rows are Python slices, which stop at the end. */
	if (removed > base.size - offset)
		removed = base.size - offset;
	damaged.data = malloc(base.size + pieces_size(piece));
	assert_non_null(damaged.data);
	append(&damaged, base.data, offset);
	while (*piece != '\0') {
		append_piece(&damaged, &base, piece);
		piece += strcspn(piece, ",");
		piece += *piece == ',';
	}
	append(&damaged, base.data + offset + removed,
	       base.size - offset - removed);
	free(base.data);
	damaged.data = realloc(damaged.data, damaged.size);
	assert_non_null(damaged.data);
	return damaged;
}

static int add(void *context, const void *data, size_t size)
{
	md5_add(context, data, size);
	return 0;
}

/* Compares one report with its column, "-" being an error without a report. */
static void check_report(const struct bytes *bytes, int partial, int dump,
			 const char *want, const char *what)
{
	const struct gtrace_options options = OPTIONS(.partial = partial);
	struct md5 md5;
	struct gtrace_output output = OUTPUT(.write = add, .context = &md5);
	struct gtrace_error error = {.status = GTRACE_OK};
	enum gtrace_status status;
	struct gtrace *trace;
	char sum[33];

	md5_begin(&md5);
	status = gtrace_open_memory(bytes->data, bytes->size, &options, &trace,
				    &error);
	if (status == GTRACE_OK && dump)
		status = gtrace_print_dump(trace, &output, &error);
	else if (status == GTRACE_OK)
		status = print_greedy(trace, 3, &output, &error);
	gtrace_close(trace);
	if (status != GTRACE_OK) {
		assert_true(md5.size == 0);
		assert_true(error.message[0] != '\0');
		strcpy(sum, "-");
	} else {
		md5_end(&md5, sum);
	}
	if (strcmp(want, "any") == 0 && status == GTRACE_OK)
		return;
	if (strcmp(sum, want) != 0)
		fail_msg("%s%s%s: want %s, got %s%s%s", what,
			 partial ? " -partial" : "", dump ? " -dump" : "", want,
			 sum, status != GTRACE_OK ? ": " : "",
			 status != GTRACE_OK ? error.message : "");
}

static void check_row(const char *release, char **columns)
{
	struct bytes bytes = splice(release, columns);
	char what[256];

	snprintf(what, sizeof(what), "%s %s at %s", release,
		 columns[COLUMN_BASE], columns[COLUMN_OFFSET]);
	/* The status and the report say the same of a trace. */
	assert_int_equal(columns[COLUMN_EXIT][0] == '0',
			 columns[COLUMN_MD5][0] != '-');
	check_report(&bytes, 0, 0, columns[COLUMN_MD5], what);
	check_report(&bytes, 1, 0, columns[COLUMN_PARTIAL_MD5], what);
	check_report(&bytes, 1, 1, columns[COLUMN_PARTIAL_DUMP_MD5], what);
	free(bytes.data);
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
		char *columns[COLUMNS], *at = line;
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
		check_row(release, columns);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, want);
}

static void test_go1_22(void **state)
{
	(void)state;
	check_rows("go1.22", 300);
}

static void test_go1_27(void **state)
{
	(void)state;
	check_rows("go1.27", 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go1_22),
		cmocka_unit_test(test_go1_27),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
