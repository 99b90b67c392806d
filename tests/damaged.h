/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * damaged.h - damaged traces, from the rows of testdata/damaged/RELEASE.tsv.
 * Only a test includes it, after cmocka.h.
 *
 * A row makes one: a trace of testdata/RELEASE-small, the offset of a splice,
 * how many bytes it takes out, and what it puts in, a list of pieces:
 * hexadecimal digits, or @S+L for L bytes of the trace from offset S on. The
 * columns after these say what is expected of the damaged trace.
 */
#ifndef GTRACE_TESTS_DAMAGED_H_
#define GTRACE_TESTS_DAMAGED_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bytes.h"
#include "tests/files.h"
#include "tests/model.h"

enum {
	COLUMN_BASE,
	COLUMN_OFFSET,
	COLUMN_REMOVED,
	COLUMN_INSERTED,
	COLUMN_EXIT,
	COLUMN_MD5,                          /* of -diagreedy=3 */
	COLUMN_MESSAGE,                      /* up to Go 1.21 */
	COLUMN_PARTIAL_MD5 = COLUMN_MESSAGE, /* from Go 1.22 on */
	COLUMN_PARTIAL_DUMP_MD5,
	COLUMNS,
};

/* Appends the bytes that PIECE, up to a comma or its end, stands for. */
static inline void append_piece(struct builder *to, const struct builder *base,
				const char *piece)
{
	size_t i, digits = strcspn(piece, ",");

	if (*piece == '@') {
		char *rest;
		size_t from = strtoul(piece + 1, &rest, 10);
		size_t size = strtoul(rest + 1, NULL, 10);

		assert_true(from <= base->size && size <= base->size - from);
		builder_bytes(to, base->bytes + from, size);
		return;
	}
	for (i = 0; i + 1 < digits; i += 2) {
		char byte[3] = {piece[i], piece[i + 1], '\0'};
		uint8_t value = (uint8_t)strtoul(byte, NULL, 16);

		builder_bytes(to, &value, 1);
	}
}

/* Makes the damaged trace of a row, in a block of exactly its size. */
static inline struct builder splice(const char *release, char **columns)
{
	size_t offset = strtoul(columns[COLUMN_OFFSET], NULL, 10);
	size_t removed = strtoul(columns[COLUMN_REMOVED], NULL, 10);
	const char *piece = columns[COLUMN_INSERTED];
	struct builder base = {.size = 0}, damaged = {.size = 0};
	char path[256];

	snprintf(path, sizeof(path), "testdata/%s-small/%s", release,
		 columns[COLUMN_BASE]);
	base.bytes = read_file(path, &base.size);
	assert_true(offset <= base.size);
	/* The rows are Python slices, which stop at the end. */
	if (removed > base.size - offset)
		removed = base.size - offset;
	builder_bytes(&damaged, base.bytes, offset);
	while (*piece != '\0') {
		append_piece(&damaged, &base, piece);
		piece += strcspn(piece, ",");
		piece += *piece == ',';
	}
	builder_bytes(&damaged, base.bytes + offset + removed,
		      base.size - offset - removed);
	free(base.bytes);
	damaged.bytes = realloc(damaged.bytes, damaged.size);
	assert_non_null(damaged.bytes);
	return damaged;
}

/* Calls CHECK for the columns of each row. Their number is WANT. */
static inline void check_rows(const char *release, unsigned want,
			      void (*check)(const char *release,
					    char **columns))
{
	char path[256], line[4096];
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
		check(release, columns);
		rows++;
	}
	fclose(file);
	assert_int_equal(rows, want);
}

#endif /* GTRACE_TESTS_DAMAGED_H_ */
