/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reader.h - reads a Parquet file of flat columns, as little as the tests of
 * the writer need, and shares nothing with that. What is not as it should be
 * fails the test.
 */
#ifndef GTRACE_TESTS_TABLES_READER_H_
#define GTRACE_TESTS_TABLES_READER_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Bytes that are read one after the other. */
struct cursor {
	const unsigned char *at, *end;
};

static inline unsigned take_byte(struct cursor *from)
{
	assert_true(from->at < from->end);
	return *from->at++;
}

static inline const unsigned char *take(struct cursor *from, uint64_t size)
{
	const unsigned char *at = from->at;

	assert_true(size <= (uint64_t)(from->end - from->at));
	from->at += size;
	return at;
}

static inline uint64_t take_little(struct cursor *from, unsigned count)
{
	uint64_t value = 0;
	unsigned i;

	for (i = 0; i < count; i++)
		value |= (uint64_t)take_byte(from) << 8 * i;
	return value;
}

static inline uint64_t take_varint(struct cursor *from)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		assert_true(shift < 64);
		byte = take_byte(from);
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte >= 0x80);
	return value;
}

static inline int64_t take_zigzag(struct cursor *from)
{
	uint64_t value = take_varint(from);

	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* ---------------------------------------------------------------- thrift -- */

struct field {
	unsigned number, type;
};

/* Takes the head of the next field of a struct. Returns false at its end. */
static inline bool take_field(struct cursor *from, struct field *field)
{
	unsigned head = take_byte(from);

	if (head == 0)
		return false;
	/* Numbers that are not relative are not written. */
	assert_int_not_equal(head >> 4, 0);
	field->number += head >> 4;
	field->type = head & 15;
	return true;
}

static inline size_t take_list(struct cursor *from, unsigned type)
{
	unsigned head = take_byte(from);

	assert_int_equal(head & 15, type);
	return head >> 4 == 15 ? (size_t)take_varint(from) : head >> 4;
}

static inline void skip_value(struct cursor *from, unsigned type)
{
	struct field field = {0};
	unsigned head;
	size_t count;

	switch (type) {
	case 1:
	case 2:
		return;
	case 5:
	case 6:
		take_varint(from);
		return;
	case 8:
		take(from, take_varint(from));
		return;
	case 9:
		head = *from->at;
		for (count = take_list(from, head & 15); count > 0; count--)
			skip_value(from, head & 15);
		return;
	case 12:
		while (take_field(from, &field))
			skip_value(from, field.type);
		return;
	default:
		fail_msg("type %u", type);
	}
}

/* ---------------------------------------------------------------- values -- */

/* Uncompresses FROM as Snappy. The caller frees it. */
static inline unsigned char *take_snappy(struct cursor *from, size_t size)
{
	unsigned char *to = malloc(size + 1);
	size_t at = 0, length, offset = 0;
	unsigned tag;

	assert_non_null(to);
	assert_int_equal(take_varint(from), size);
	while (from->at < from->end) {
		tag = take_byte(from);
		length = (tag >> 2) + 1;
		if ((tag & 3) == 0) {
			if (length > 60)
				length = take_little(from,
						     (unsigned)length - 60) +
					 1;
			assert_true(length <= size - at);
			memcpy(to + at, take(from, length), length);
			at += length;
			continue;
		}
		if ((tag & 3) == 1) {
			length = (tag >> 2 & 7) + 4;
			offset = (tag >> 5) << 8 | take_byte(from);
		} else {
			offset = take_little(from, (tag & 3) == 2 ? 2 : 4);
		}
		assert_true(offset != 0 && offset <= at && length <= size - at);
		for (; length > 0; length--, at++)
			to[at] = to[at - offset];
	}
	assert_int_equal(at, size);
	return to;
}

/* COUNT numbers of WIDTH bits from BITS on. */
static inline uint64_t bits_at(const unsigned char *bytes, size_t bit,
			       unsigned width)
{
	uint64_t value = 0;
	unsigned i;

	for (i = 0; i < width; i++, bit++)
		value |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << i;
	return value;
}

static inline void take_runs(struct cursor *from, uint64_t *to, size_t count,
			     unsigned width)
{
	const unsigned char *bytes;
	uint64_t head, value;
	size_t i = 0, j;

	while (i < count) {
		head = take_varint(from);
		if ((head & 1) == 0) {
			value = take_little(from, (width + 7) / 8);
			assert_true(head >> 1 <= count - i && head != 0);
			for (j = 0; j < head >> 1; j++)
				to[i++] = value;
			continue;
		}
		bytes = take(from, (head >> 1) * width);
		for (j = 0; j < (head >> 1) * 8 && i < count; j++)
			to[i++] = bits_at(bytes, j * width, width);
	}
}

static inline void take_differences(struct cursor *from, int64_t *to,
				    size_t count)
{
	uint64_t block = take_varint(from), parts = take_varint(from), least;
	const unsigned char *widths, *bytes;
	size_t part, size, i = 1, j;

	assert_int_equal(take_varint(from), count);
	assert_int_equal(block % 128, 0);
	assert_true(parts != 0 && block / parts % 32 == 0);
	size = block / parts;
	to[0] = take_zigzag(from);
	while (i < count) {
		least = (uint64_t)take_zigzag(from);
		widths = take(from, parts);
		for (part = 0; part < parts && i < count; part++) {
			bytes = take(from, size * widths[part] / 8);
			for (j = 0; j < size && i < count; j++, i++)
				to[i] = (int64_t)((uint64_t)to[i - 1] + least +
						  bits_at(bytes,
							  j * widths[part],
							  widths[part]));
		}
	}
}

/* ----------------------------------------------------------------- table -- */

enum { BOOLEAN = 0, INT64 = 2, BYTE_ARRAY = 6 };

/* A value, or none. */
struct cell {
	bool is_there;
	int64_t number;
	const unsigned char *text;
	size_t size;
};

#define READ_COLUMNS_MAX 64

struct read_column {
	char name[64];
	int64_t type, repetition, converted;
	bool has_logical;
	struct cell *cells; /* one for each row */
};

struct read_table {
	size_t column_count, group_count;
	uint64_t rows;
	struct read_column columns[READ_COLUMNS_MAX];
	/* What cells point to. */
	void *pages[4096];
	size_t page_count;
	const unsigned char *file;
	uint64_t first; /* the next row */
};

struct page_head {
	int64_t type, plain, packed, count, encoding;
};

static inline struct page_head take_page_head(struct cursor *from)
{
	struct field field = {0}, inner;
	struct page_head head = {0};

	while (take_field(from, &field)) {
		int64_t *to = field.number == 1   ? &head.type
			      : field.number == 2 ? &head.plain
			      : field.number == 3 ? &head.packed
						  : NULL;

		if (to != NULL) {
			*to = take_zigzag(from);
			continue;
		}
		inner = (struct field){0};
		while (take_field(from, &inner)) {
			int64_t value = take_zigzag(from);

			if (inner.number == 1)
				head.count = value;
			else if (inner.number == 2)
				head.encoding = value;
			else
				assert_int_equal(value, 3); /* RLE */
		}
	}
	return head;
}

/* Takes a page, and sets BODY to what is in it. */
static inline struct page_head
take_page(struct read_table *table, struct cursor *from, struct cursor *body)
{
	struct page_head head = take_page_head(from);
	struct cursor packed = {.at = take(from, (uint64_t)head.packed)};
	unsigned char *plain;

	packed.end = packed.at + head.packed;
	plain = take_snappy(&packed, (size_t)head.plain);
	assert_true(table->page_count < 4096);
	table->pages[table->page_count++] = plain;
	*body = (struct cursor){plain, plain + head.plain};
	return head;
}

/* The distinct values of a page, COUNT of them. The caller frees them. */
static inline struct cell *take_distinct(struct cursor *body, size_t count,
					 int64_t type)
{
	struct cell *cells = calloc(count + 1, sizeof(*cells));
	size_t i;

	assert_non_null(cells);
	for (i = 0; i < count; i++) {
		cells[i].is_there = true;
		if (type == INT64) {
			cells[i].number = (int64_t)take_little(body, 8);
			continue;
		}
		cells[i].size = take_little(body, 4);
		cells[i].text = take(body, cells[i].size);
	}
	assert_ptr_equal(body->at, body->end);
	return cells;
}

/* Takes COUNT values in ENCODING. The caller frees them. */
static inline struct cell *take_values(struct cursor *body, size_t count,
				       const struct page_head *head,
				       const struct cell *distinct,
				       size_t distinct_count, int64_t type)
{
	struct cell *cells = calloc(count + 1, sizeof(*cells));
	uint64_t *numbers = calloc(count + 1, sizeof(*numbers));
	unsigned width;
	size_t i;

	assert_non_null(cells);
	assert_non_null(numbers);
	if (count != 0 && head->encoding == 8) {
		width = take_byte(body);
		take_runs(body, numbers, count, width);
		for (i = 0; i < count; i++) {
			assert_true(numbers[i] < distinct_count);
			cells[i] = distinct[numbers[i]];
		}
	} else if (count != 0 && head->encoding == 5) {
		take_differences(body, (int64_t *)numbers, count);
		for (i = 0; i < count; i++)
			cells[i].number = (int64_t)numbers[i];
	} else if (count != 0) {
		assert_int_equal(head->encoding, 0);
		assert_int_equal(type, BOOLEAN);
		for (i = 0; i < count; i++)
			cells[i].number = (int64_t)bits_at(body->at, i, 1);
		take(body, (count + 7) / 8);
	}
	for (i = 0; i < count; i++)
		cells[i].is_there = true;
	assert_ptr_equal(body->at, body->end);
	free(numbers);
	return cells;
}

/* Takes the pages of COLUMN for ROWS rows, the first of which is in DISTINCT
 * if DATA is not where they begin. */
static inline void take_chunk(struct read_table *table,
			      struct read_column *column, struct cursor *from,
			      const unsigned char *data, size_t rows)
{
	struct cell *distinct = NULL, *values;
	struct cursor body, levels;
	struct page_head head;
	size_t distinct_count = 0, count = 0, i;
	uint64_t *present = calloc(rows + 1, sizeof(*present)), size;

	if (from->at != data) {
		head = take_page(table, from, &body);
		assert_int_equal(head.type, 2);
		distinct_count = (size_t)head.count;
		distinct = take_distinct(&body, distinct_count, column->type);
	}
	assert_ptr_equal(from->at, data);
	head = take_page(table, from, &body);
	assert_int_equal(head.type, 0);
	assert_int_equal(head.count, rows);
	size = take_little(&body, 4);
	levels.at = take(&body, size);
	levels.end = levels.at + size;
	take_runs(&levels, present, rows, 1);
	assert_ptr_equal(levels.at, levels.end);
	for (i = 0; i < rows; i++)
		count += present[i];
	values = take_values(&body, count, &head, distinct, distinct_count,
			     column->type);
	for (i = count = 0; i < rows; i++)
		if (present[i])
			column->cells[table->first + i] = values[count++];
	assert_ptr_equal(from->at, from->end);
	free(values);
	free(distinct);
	free(present);
}

/* What the footer says of a chunk. */
struct chunk_meta {
	int64_t type, codec, values, size, data, dictionary;
};

static inline struct chunk_meta take_chunk_meta(struct cursor *from,
						const char *name)
{
	struct chunk_meta meta = {0};
	struct field field = {0};
	size_t size;

	while (take_field(from, &field)) {
		int64_t *to = field.number == 1    ? &meta.type
			      : field.number == 4  ? &meta.codec
			      : field.number == 5  ? &meta.values
			      : field.number == 7  ? &meta.size
			      : field.number == 9  ? &meta.data
			      : field.number == 11 ? &meta.dictionary
						   : NULL;

		if (to != NULL) {
			*to = take_zigzag(from);
		} else if (field.number == 3) {
			assert_int_equal(take_list(from, 8), 1);
			size = take_varint(from);
			assert_int_equal(size, strlen(name));
			assert_memory_equal(take(from, size), name, size);
		} else {
			skip_value(from, field.type);
		}
	}
	assert_int_equal(meta.codec, 1);
	return meta;
}

static inline void take_group(struct read_table *table, struct cursor *from)
{
	struct chunk_meta metas[READ_COLUMNS_MAX] = {{0}};
	struct field field = {0}, inner;
	struct cursor pages;
	size_t i, rows = 0;

	while (take_field(from, &field)) {
		if (field.number != 1) {
			rows = (size_t)take_zigzag(from);
			continue;
		}
		assert_int_equal(take_list(from, 12), table->column_count);
		for (i = 0; i < table->column_count; i++) {
			inner = (struct field){0};
			while (take_field(from, &inner))
				if (inner.number == 3)
					metas[i] = take_chunk_meta(
						from, table->columns[i].name);
				else
					skip_value(from, inner.type);
		}
	}
	for (i = 0; i < table->column_count; i++) {
		const struct chunk_meta *meta = &metas[i];
		int64_t first =
			meta->dictionary != 0 ? meta->dictionary : meta->data;

		assert_int_equal(meta->type, table->columns[i].type);
		assert_int_equal(meta->values, rows);
		pages.at = table->file + first;
		pages.end = pages.at + meta->size;
		take_chunk(table, &table->columns[i], &pages,
			   table->file + meta->data, rows);
	}
	table->first += rows;
}

static inline void take_column(struct read_table *table, struct cursor *from)
{
	struct read_column *column = &table->columns[table->column_count++];
	struct field field = {0};
	size_t size;

	column->converted = -1;
	while (take_field(from, &field)) {
		int64_t *to = field.number == 1   ? &column->type
			      : field.number == 3 ? &column->repetition
			      : field.number == 6 ? &column->converted
						  : NULL;

		if (to != NULL) {
			*to = take_zigzag(from);
		} else if (field.number == 4) {
			size = take_varint(from);
			assert_true(size < sizeof(column->name));
			memcpy(column->name, take(from, size), size);
		} else {
			column->has_logical |= field.number == 10;
			skip_value(from, field.type);
		}
	}
}

static inline void take_schema(struct read_table *table, struct cursor *from)
{
	size_t count = take_list(from, 12);
	struct field field = {0};

	assert_true(count >= 1 && count <= READ_COLUMNS_MAX);
	while (take_field(from, &field))
		skip_value(from, field.type);
	while (--count > 0)
		take_column(table, from);
}

/* The rows come before the groups, and the schema before both. */
static inline void take_footer(struct read_table *table, struct cursor *from)
{
	struct field field = {0};
	size_t i;

	while (take_field(from, &field)) {
		if (field.number == 2) {
			take_schema(table, from);
		} else if (field.number == 3) {
			table->rows = (uint64_t)take_zigzag(from);
			for (i = 0; i < table->column_count; i++)
				table->columns[i].cells = calloc(
					table->rows + 1, sizeof(struct cell));
		} else if (field.number == 4) {
			table->group_count = take_list(from, 12);
			for (i = 0; i < table->group_count; i++)
				take_group(table, from);
		} else {
			skip_value(from, field.type);
		}
	}
	assert_ptr_equal(from->at, from->end);
	assert_int_equal(table->first, table->rows);
}

/* Reads the SIZE bytes at FILE. To be given to free_table(). */
static inline struct read_table *read_table(const unsigned char *file,
					    size_t size)
{
	struct read_table *table = calloc(1, sizeof(*table));
	struct cursor footer = {file + size - 8, file + size};
	uint64_t length;

	assert_non_null(table);
	assert_true(size >= 12);
	assert_memory_equal(file, "PAR1", 4);
	assert_memory_equal(file + size - 4, "PAR1", 4);
	length = take_little(&footer, 4);
	assert_true(length <= size - 12);
	footer.end = file + size - 8;
	footer.at = footer.end - length;
	table->file = file;
	take_footer(table, &footer);
	return table;
}

static inline void free_table(struct read_table *table)
{
	size_t i;

	for (i = 0; i < table->column_count; i++)
		free(table->columns[i].cells);
	while (table->page_count > 0)
		free(table->pages[--table->page_count]);
	free(table);
}

#endif /* GTRACE_TESTS_TABLES_READER_H_ */
