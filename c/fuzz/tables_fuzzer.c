/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables_fuzzer.c - writes rows of any values as Parquet: a reader that shares
 * nothing with the writer finds the same values. Three bytes of the input and
 * some more make a row, or as many of them as the first one says.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "tables/clean.h"
#include "tables/parquet.h"
#include "tests/tables/reader.h"

/* So that two groups of rows can be written, but no more. */
#define ROWS_MAX ((size_t)PARQUET_ROWS + 5000)

/* How often a row is written whose first byte says that it is often. */
#define OFTEN 4000

struct row {
	int64_t number, id, time, truth;
	struct gtrace_string text, other;
};

static const struct column list[] = {
	{"number", COLUMN_INT, offsetof(struct row, number)},
	{"id", COLUMN_ID, offsetof(struct row, id)},
	{"time", COLUMN_TIME, offsetof(struct row, time)},
	{"truth", COLUMN_TRUTH, offsetof(struct row, truth)},
	{"text", COLUMN_TEXT, offsetof(struct row, text)},
	{"other", COLUMN_TEXT, offsetof(struct row, other)},
};

#define COLUMNS (sizeof(list) / sizeof(list[0]))

static const struct columns columns = {"things", list, COLUMNS};

/* The input, and the row that it makes next. */
struct source {
	const uint8_t *at, *end;
	struct row row;
	size_t often, rows;
};

static uint64_t number_of(struct source *from, size_t size)
{
	uint64_t number = 0;

	while (size-- > 0 && from->at < from->end)
		number = number << 8 | *from->at++;
	return number;
}

static struct gtrace_string text_of(struct source *from)
{
	size_t size = (size_t)number_of(from, 1);
	struct gtrace_string text = {(const char *)from->at, size};

	if (size > (size_t)(from->end - from->at))
		text.size = (size_t)(from->end - from->at);
	from->at += text.size;
	return text;
}

/* Makes the next row, of which some values are those before. */
static void make_row(struct source *from)
{
	struct row *row = &from->row;
	unsigned how = (unsigned)number_of(from, 1);
	unsigned none = (unsigned)number_of(from, 1);

	from->often = (how & 1) != 0 ? (size_t)number_of(from, 1) + 1 : 1;
	from->often *= (how & 2) != 0 ? OFTEN / 256 : 1;
	if ((how & 4) != 0)
		row->number = (int64_t)number_of(from, 8);
	if ((how & 8) != 0)
		row->id = (int64_t)number_of(from, 1);
	if ((how & 16) != 0)
		row->time += (int64_t)number_of(from, 2);
	if ((how & 32) != 0)
		row->text = text_of(from);
	if ((how & 64) != 0)
		row->other = text_of(from);
	row->truth = (none & 8) != 0 ? COLUMN_NONE : (how & 128) != 0;
	if ((none & 1) != 0)
		row->number = COLUMN_NONE;
	if ((none & 2) != 0)
		row->id = COLUMN_NONE;
	if ((none & 4) != 0)
		row->time = 0;
	if ((none & 16) != 0)
		row->text.data = NULL;
	if ((none & 32) != 0)
		row->other.data = NULL;
}

/* Sets *ROW to the next one. Returns false if there is none. */
static bool next_row(struct source *from, struct row *row)
{
	if (from->often == 0 && from->at < from->end)
		make_row(from);
	if (from->often == 0 || from->rows == ROWS_MAX)
		return false;
	from->often--;
	from->rows++;
	*row = from->row;
	return true;
}

/* ------------------------------------------------------------------ read -- */

static void expect_number(const struct cell *cell, int64_t want)
{
	check(cell->is_there == (want != COLUMN_NONE));
	check(!cell->is_there || cell->number == want);
}

static void expect_text(const struct cell *cell, struct gtrace_string want)
{
	struct bytes scratch = {0};

	check(cell->is_there == (want.data != NULL));
	if (want.data == NULL)
		return;
	want = clean_text(want, &scratch);
	check(cell->size == want.size);
	check(memcmp(cell->text, want.data, want.size) == 0);
	bytes_free(&scratch);
}

static void expect_row(const struct read_table *table, size_t i,
		       const struct row *want)
{
	expect_number(&table->columns[0].cells[i], want->number);
	expect_number(&table->columns[1].cells[i], want->id);
	expect_number(&table->columns[2].cells[i], want->time);
	expect_number(&table->columns[3].cells[i], want->truth);
	expect_text(&table->columns[4].cells[i], want->text);
	expect_text(&table->columns[5].cells[i], want->other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source begin = {.at = data, .end = data + size}, from = begin;
	char *bytes = NULL;
	size_t count, i;
	FILE *file = open_memstream(&bytes, &count);
	struct parquet *parquet = parquet_open(file, &columns);
	struct read_table *table;
	struct row row;

	check(parquet != NULL);
	while (next_row(&from, &row))
		parquet_add(parquet, &row);
	check(parquet_close(parquet) == 0);
	fclose(file);
	table = read_table((const unsigned char *)bytes, count);
	check(table->rows == from.rows);
	check(table->column_count == COLUMNS);
	from = begin;
	for (i = 0; next_row(&from, &row); i++)
		expect_row(table, i, &row);
	free_table(table);
	free(bytes);
	return 0;
}
