/* SPDX-License-Identifier: BSD-3-Clause */
/* parquet.c - writes a Parquet file of flat columns. */
#include "tables/parquet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tables/chunk.h"
#include "tables/thrift.h"

struct parquet {
	FILE *file;
	const struct columns *columns;
	struct chunk *chunks; /* one for each column */
	size_t rows;          /* in the present group */
	uint64_t all_rows;    /* in groups that were written */
	uint64_t written;     /* bytes of the file */
	struct bytes groups;  /* what the footer says of those */
	size_t group_count;
	struct bytes page; /* to be written */
	int error;         /* errno of what failed first; 0: nothing */
};

static const char magic[] = "PAR1";

/* Keeps the first error. */
static void fail(struct parquet *parquet, int code)
{
	if (parquet->error == 0)
		parquet->error = code != 0 ? code : EIO;
}

static void write_bytes(struct parquet *parquet, const void *data, size_t size)
{
	if (parquet->error != 0)
		return;
	errno = 0;
	if (fwrite(data, 1, size, parquet->file) != size)
		fail(parquet, errno);
	parquet->written += size;
}

struct parquet *parquet_open(FILE *file, const struct columns *columns)
{
	struct parquet *parquet = calloc(1, sizeof(*parquet));

	if (parquet == NULL)
		return NULL;
	parquet->chunks = calloc(columns->count, sizeof(*parquet->chunks));
	if (parquet->chunks == NULL) {
		free(parquet);
		return NULL;
	}
	parquet->file = file;
	parquet->columns = columns;
	write_bytes(parquet, magic, strlen(magic));
	return parquet;
}

/* ----------------------------------------------------------------- groups --
 */

/*
 * Writes the chunk of COLUMN, and adds what the footer says of it. Returns how
 * many bytes it has uncompressed.
 */
static uint64_t write_chunk(struct parquet *parquet, const char *name,
			    struct chunk *chunk)
{
	struct chunk_places places = {.pages = parquet->written};
	struct bytes *page = &parquet->page;

	bytes_clear(page);
	chunk_write(chunk, page, &places);
	if (page->failed || chunk_failed(chunk))
		fail(parquet, ENOMEM);
	else
		write_bytes(parquet, page->data, page->size);
	chunk_describe(chunk, name, &places, &parquet->groups);
	return places.plain;
}

/* Writes the rows that are there. */
static void end_group(struct parquet *parquet)
{
	const struct columns *columns = parquet->columns;
	struct thrift group = {.to = &parquet->groups};
	uint64_t size = 0; /* not compressed */
	size_t i;

	thrift_list(&group, 1, THRIFT_STRUCT, columns->count);
	for (i = 0; i < columns->count; i++) {
		size += write_chunk(parquet, columns->columns[i].name,
				    &parquet->chunks[i]);
		chunk_clear(&parquet->chunks[i]);
	}
	thrift_int(&group, 2, THRIFT_I64, (int64_t)size);
	thrift_int(&group, 3, THRIFT_I64, (int64_t)parquet->rows);
	thrift_end(&group);
	parquet->all_rows += parquet->rows;
	parquet->group_count++;
	parquet->rows = 0;
}

void parquet_add(struct parquet *parquet, const void *row)
{
	const struct columns *columns = parquet->columns;
	bool is_full = false;
	size_t i;

	if (parquet->error != 0)
		return;
	for (i = 0; i < columns->count; i++) {
		chunk_add(&parquet->chunks[i], &columns->columns[i], row);
		is_full |= parquet->chunks[i].texts.bytes.size >=
			   PARQUET_TEXT_BYTES;
	}
	if (++parquet->rows == PARQUET_ROWS || is_full)
		end_group(parquet);
}

bool parquet_failed(const struct parquet *parquet)
{
	return parquet->error != 0;
}

/* ----------------------------------------------------------------- footer --
 */

/* Numbers of the format. */
enum { CONVERTED_UTF8 = 0, CONVERTED_MICROSECONDS = 10 };
enum { LOGICAL_STRING = 1, LOGICAL_TIMESTAMP = 8, UNIT_MICROSECONDS = 2 };

/* A time in microseconds in UTC, as the field NUMBER. */
static void add_timestamp(struct thrift *logical)
{
	struct thrift timestamp = thrift_open(logical, LOGICAL_TIMESTAMP), unit;

	thrift_begin(&timestamp, 1, THRIFT_TRUE);
	unit = thrift_open(&timestamp, 2);
	thrift_empty(&unit, UNIT_MICROSECONDS);
	thrift_end(&unit);
	thrift_end(&timestamp);
}

static void add_column(struct bytes *to, const struct column *column)
{
	struct thrift element = {.to = to}, logical;
	bool is_text = column->type == COLUMN_TEXT;

	thrift_int(&element, 1, THRIFT_I32, chunk_type(column->type));
	thrift_int(&element, 3, THRIFT_I32, 1); /* optional */
	thrift_text(&element, 4, column->name);
	if (is_text || column->type == COLUMN_TIME) {
		thrift_int(&element, 6, THRIFT_I32,
			   is_text ? CONVERTED_UTF8 : CONVERTED_MICROSECONDS);
		logical = thrift_open(&element, 10);
		if (is_text)
			thrift_empty(&logical, LOGICAL_STRING);
		else
			add_timestamp(&logical);
		thrift_end(&logical);
	}
	thrift_end(&element);
}

static void add_schema(struct thrift *footer, const struct columns *columns)
{
	struct thrift root = {.to = footer->to};
	size_t i;

	thrift_list(footer, 2, THRIFT_STRUCT, columns->count + 1);
	thrift_text(&root, 4, columns->name);
	thrift_int(&root, 5, THRIFT_I32, (int64_t)columns->count);
	thrift_end(&root);
	for (i = 0; i < columns->count; i++)
		add_column(footer->to, &columns->columns[i]);
}

/* The least and the greatest values are in the usual order of each type. */
static void add_orders(struct thrift *footer, size_t count)
{
	struct thrift order;

	thrift_list(footer, 7, THRIFT_STRUCT, count);
	for (; count > 0; count--) {
		order = (struct thrift){.to = footer->to};
		thrift_empty(&order, 1);
		thrift_end(&order);
	}
}

static void write_footer(struct parquet *parquet)
{
	struct bytes *to = &parquet->page;
	struct thrift footer = {.to = to};
	size_t size;

	bytes_clear(to);
	thrift_int(&footer, 1, THRIFT_I32, 2);
	add_schema(&footer, parquet->columns);
	thrift_int(&footer, 3, THRIFT_I64, (int64_t)parquet->all_rows);
	thrift_list(&footer, 4, THRIFT_STRUCT, parquet->group_count);
	bytes_add(to, parquet->groups.data, parquet->groups.size);
	thrift_text(&footer, 6, "gtrace version " GTRACE_VERSION);
	add_orders(&footer, parquet->columns->count);
	thrift_end(&footer);
	size = to->size;
	bytes_add_little(to, size, 4);
	bytes_add(to, magic, strlen(magic));
	if (to->failed || parquet->groups.failed || size > INT32_MAX)
		fail(parquet, ENOMEM);
	else
		write_bytes(parquet, to->data, to->size);
}

int parquet_close(struct parquet *parquet)
{
	size_t i;
	int error;

	if (parquet->rows != 0)
		end_group(parquet);
	write_footer(parquet);
	if (parquet->error == 0 && fflush(parquet->file) != 0)
		fail(parquet, errno);
	error = parquet->error;
	for (i = 0; i < parquet->columns->count; i++)
		chunk_free(&parquet->chunks[i]);
	free(parquet->chunks);
	bytes_free(&parquet->groups);
	bytes_free(&parquet->page);
	free(parquet);
	return error;
}
