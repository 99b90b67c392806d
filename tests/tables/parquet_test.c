/* SPDX-License-Identifier: BSD-3-Clause */
/* parquet_test.c - what is written as Parquet is read back, by other code. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <errno.h>
#include <stdio.h>

#include "tests/tables/reader.h"

#include "tables/clean.h"
#include "tables/parquet.h"

struct row {
	int64_t number, id, time, truth;
	struct gtrace_string text, other;
};

enum { NUMBER, ID, TIME, TRUTH, TEXT, OTHER, COLUMNS };

static const struct column list[COLUMNS] = {
	{"number", COLUMN_INT, offsetof(struct row, number)},
	{"id", COLUMN_ID, offsetof(struct row, id)},
	{"time", COLUMN_TIME, offsetof(struct row, time)},
	{"truth", COLUMN_TRUTH, offsetof(struct row, truth)},
	{"text", COLUMN_TEXT, offsetof(struct row, text)},
	{"other", COLUMN_TEXT, offsetof(struct row, other)},
};
static const struct columns columns = {"things", list, COLUMNS};

/* What makes the row I of some. */
typedef struct row row_maker(size_t i);

struct written {
	char *bytes;
	size_t size;
};

/* Writes COUNT rows. The caller frees the bytes. */
static struct written write_rows(row_maker *make, size_t count)
{
	struct written to = {NULL, 0};
	FILE *file = open_memstream(&to.bytes, &to.size);
	struct parquet *parquet = parquet_open(file, &columns);
	struct row row;
	size_t i;

	assert_non_null(parquet);
	for (i = 0; i < count; i++) {
		row = make(i);
		parquet_add(parquet, &row);
	}
	assert_int_equal(parquet_close(parquet), 0);
	fclose(file);
	return to;
}

static void expect_number(const struct cell *cell, int64_t want)
{
	assert_int_equal(cell->is_there, want != COLUMN_NONE);
	if (want != COLUMN_NONE)
		assert_int_equal(cell->number, want);
}

static void expect_text(const struct cell *cell, struct gtrace_string want)
{
	assert_int_equal(cell->is_there, want.data != NULL);
	if (want.data == NULL)
		return;
	assert_int_equal(cell->size, want.size);
	assert_memory_equal(cell->text, want.data, want.size);
}

static void expect_row(const struct read_table *table, size_t i,
		       const struct row *want)
{
	int64_t truth =
		want->truth == COLUMN_NONE ? COLUMN_NONE : want->truth != 0;

	expect_number(&table->columns[NUMBER].cells[i], want->number);
	expect_number(&table->columns[ID].cells[i], want->id);
	expect_number(&table->columns[TIME].cells[i], want->time);
	expect_number(&table->columns[TRUTH].cells[i], truth);
	expect_text(&table->columns[TEXT].cells[i], want->text);
	expect_text(&table->columns[OTHER].cells[i], want->other);
}

/* Writes COUNT rows, of plain texts, and reads them in GROUPS groups. */
static void expect_rows(row_maker *make, size_t count, size_t groups)
{
	struct written from = write_rows(make, count);
	struct read_table *table =
		read_table((unsigned char *)from.bytes, from.size);
	struct row want;
	size_t i;

	assert_int_equal(table->rows, count);
	assert_int_equal(table->group_count, groups);
	assert_int_equal(table->column_count, COLUMNS);
	for (i = 0; i < count; i++) {
		want = make(i);
		expect_row(table, i, &want);
	}
	free_table(table);
	free(from.bytes);
}

/* ------------------------------------------------------------------ rows -- */

static uint64_t random_of(size_t i)
{
	uint64_t x = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + 1;

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static struct gtrace_string string_of(const char *text)
{
	return (struct gtrace_string){text, strlen(text)};
}

/* Values that all differ, of all sizes, and now and then none. */
static struct row make_random(size_t i)
{
	static char texts[2][32];
	uint64_t random = random_of(i);
	struct row row = {
		.number = (int64_t)(random_of(i + 1) >> (random & 63)),
		.id = (int64_t)random_of(random % 100),
		.time = -(int64_t)(random >> 20),
		.truth = random >> 13 & 1,
		.text = string_of(texts[0]),
		.other = string_of(""),
	};

	snprintf(texts[0], sizeof(texts[0]), "main.f%u",
		 (unsigned)(random >> 9 & 1023));
	row.text = string_of(texts[0]);
	if (random % 11 == 0)
		row.number = COLUMN_NONE;
	if (random % 13 == 0)
		row.id = COLUMN_NONE;
	if (random % 17 == 0)
		row.truth = COLUMN_NONE;
	if (random % 3 == 0)
		row.text.data = NULL;
	return row;
}

/* Nothing at all. */
static struct row make_none(size_t i)
{
	(void)i;
	return (struct row){
		.number = COLUMN_NONE,
		.id = COLUMN_NONE,
		.time = COLUMN_NONE,
		.truth = COLUMN_NONE,
	};
}

/* The same in each row. */
static struct row make_same(size_t i)
{
	(void)i;
	return (struct row){
		.number = -7,
		.id = 9,
		.truth = 5,
		.text = string_of("same"),
		.other = string_of(""),
	};
}

/* Steps that wrap around, and runs of eight or more between others. */
static struct row make_steps(size_t i)
{
	return (struct row){
		.number = i % 2 != 0 ? INT64_MAX : INT64_MIN + 1,
		.id = (int64_t)(i / 9 % 5),
		.time = (int64_t)(i * i),
		.truth = i / 20 % 2 == 0,
		.text = string_of(i / 12 % 2 == 0 ? "a" : "b"),
		.other = string_of(i % 2 == 0 ? "c" : "d"),
	};
}

static void test_counts(void **state)
{
	static const size_t counts[] = {0,   1,   2,   7,   8,   9,    15,
					16,  17,  32,  33,  34,  64,   65,
					127, 128, 129, 130, 257, 1000, 5000};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t groups = counts[i] != 0;

		expect_rows(make_random, counts[i], groups);
		expect_rows(make_none, counts[i], groups);
		expect_rows(make_same, counts[i], groups);
		expect_rows(make_steps, counts[i], groups);
	}
}

static void test_groups(void **state)
{
	(void)state;
	expect_rows(make_random, PARQUET_ROWS, 1);
	expect_rows(make_steps, 2 * PARQUET_ROWS + 1, 3);
}

/* --------------------------------------------------------------- columns -- */

static void test_schema(void **state)
{
	static const struct {
		const char *name;
		int64_t type, converted;
		bool has_logical;
	} want[COLUMNS] = {
		{"number", INT64, -1, false},  {"id", INT64, -1, false},
		{"time", INT64, 10, true},     {"truth", BOOLEAN, -1, false},
		{"text", BYTE_ARRAY, 0, true}, {"other", BYTE_ARRAY, 0, true},
	};
	struct written from = write_rows(make_random, 3);
	struct read_table *table =
		read_table((unsigned char *)from.bytes, from.size);
	size_t i;

	(void)state;
	for (i = 0; i < COLUMNS; i++) {
		assert_string_equal(table->columns[i].name, want[i].name);
		assert_int_equal(table->columns[i].type, want[i].type);
		assert_int_equal(table->columns[i].converted,
				 want[i].converted);
		assert_int_equal(table->columns[i].has_logical,
				 want[i].has_logical);
		assert_int_equal(table->columns[i].repetition, 1);
	}
	free_table(table);
	free(from.bytes);
}

/* The same rows make the same bytes. */
static void test_bytes(void **state)
{
	struct written a = write_rows(make_random, 3000);
	struct written b = write_rows(make_random, 3000);

	(void)state;
	assert_int_equal(a.size, b.size);
	assert_memory_equal(a.bytes, b.bytes, a.size);
	free(a.bytes);
	free(b.bytes);
}

/* ----------------------------------------------------------------- texts -- */

static const struct {
	struct gtrace_string text;
	const char *want;
} hostile[] = {
	{{"\xff\xfe", 2}, "\xef\xbf\xbd\xef\xbf\xbd"},
	{{"a\x80z", 3}, "a\xef\xbf\xbdz"},
	{{"\xe2\x82", 2}, "\xef\xbf\xbd\xef\xbf\xbd"},
	{{"\xed\xa0\x80", 3}, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	{{"\xc3\xa4\"\n\x1b", 5}, "\xc3\xa4\"\n\x1b"},
	{{"", 0}, ""},
};

#define HOSTILE (sizeof(hostile) / sizeof(hostile[0]))

static struct row make_hostile(size_t i)
{
	struct row row = make_none(i);

	row.text = hostile[i % HOSTILE].text;
	return row;
}

static void test_hostile(void **state)
{
	struct written from = write_rows(make_hostile, 2 * HOSTILE);
	struct read_table *table =
		read_table((unsigned char *)from.bytes, from.size);
	size_t i;

	(void)state;
	for (i = 0; i < 2 * HOSTILE; i++)
		expect_text(&table->columns[TEXT].cells[i],
			    string_of(hostile[i % HOSTILE].want));
	free_table(table);
	free(from.bytes);
}

/* A text with a zero byte, which C's strings cannot have. */
static struct row make_zero(size_t i)
{
	struct row row = make_same(i);

	row.text = (struct gtrace_string){"a\0b", 3};
	return row;
}

/* Each text differs, and is as long as one can be and three bytes longer. */
static struct row make_long(size_t i)
{
	static char text[CLEAN_MAX + 3];
	struct row row = make_none(i);

	memset(text, 'x', sizeof(text));
	memcpy(text + CLEAN_MAX - 1, "\xc3\xa4", 2);
	text[0] = (char)('a' + i % 26);
	text[1] = (char)('a' + i / 26 % 26);
	row.text = (struct gtrace_string){text, sizeof(text)};
	return row;
}

static void test_long(void **state)
{
	const size_t count = 200;
	struct written from = write_rows(make_long, count);
	struct read_table *table =
		read_table((unsigned char *)from.bytes, from.size);
	struct row want;
	size_t i;

	(void)state;
	expect_rows(make_zero, 20, 1);
	/* Memory is that of PARQUET_TEXT_BYTES. */
	assert_int_equal(table->group_count,
			 (count * (CLEAN_MAX + 3) + PARQUET_TEXT_BYTES - 1) /
				 PARQUET_TEXT_BYTES);
	for (i = 0; i < count; i++) {
		want = make_long(i);
		/* The last character would end after the limit. */
		want.text.size = CLEAN_MAX - 1;
		expect_text(&table->columns[TEXT].cells[i], want.text);
	}
	free_table(table);
	free(from.bytes);
}

/* ---------------------------------------------------------------- errors -- */

static void test_full(void **state)
{
	FILE *file = fopen("/dev/full", "wb");
	struct parquet *parquet;
	struct row row = make_same(0);
	size_t i;

	(void)state;
	if (file == NULL)
		skip();
	parquet = parquet_open(file, &columns);
	for (i = 0; i < 3 * PARQUET_ROWS; i++)
		parquet_add(parquet, &row);
	assert_int_equal(parquet_close(parquet), ENOSPC);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),  cmocka_unit_test(test_groups),
		cmocka_unit_test(test_schema),  cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_long),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
