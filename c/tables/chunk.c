/* SPDX-License-Identifier: BSD-3-Clause */
/* chunk.c - what a group of rows has of one column. */
#include "tables/chunk.h"

#include <stdlib.h>
#include <string.h>

#include "tables/clean.h"
#include "tables/encode.h"
#include "tables/snappy.h"
#include "tables/thrift.h"

/* Numbers of the format. */
enum { TYPE_BOOLEAN = 0, TYPE_INT64 = 2, TYPE_BYTE_ARRAY = 6 };
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { CODEC_SNAPPY = 1 };
enum {
	ENCODING_PLAIN = 0,
	ENCODING_RLE = 3,
	ENCODING_DELTA = 5,
	ENCODING_DICTIONARY = 8
};

int chunk_type(enum column_type type)
{
	return type == COLUMN_TEXT    ? TYPE_BYTE_ARRAY
	       : type == COLUMN_TRUTH ? TYPE_BOOLEAN
				      : TYPE_INT64;
}

void chunk_free(struct chunk *chunk)
{
	free(chunk->present);
	free(chunk->values.all);
	texts_free(&chunk->texts);
	bytes_free(&chunk->scratch);
}

void chunk_clear(struct chunk *chunk)
{
	chunk->rows = chunk->count = 0;
	texts_clear(&chunk->texts);
}

/* ---------------------------------------------------------------- adding -- */

/* Whether values are numbers of distinct ones, in chunk->texts. */
static bool has_texts(enum column_type type)
{
	return type == COLUMN_TEXT || type == COLUMN_ID;
}

static size_t value_size(enum column_type type)
{
	return has_texts(type)        ? sizeof(uint32_t)
	       : type == COLUMN_TRUTH ? sizeof(unsigned char)
				      : sizeof(int64_t);
}

/* Allocates memory for one row more. Returns false if there is none. */
static bool reserve_row(struct chunk *chunk)
{
	size_t capacity = chunk->capacity != 0 ? 2 * chunk->capacity : 64;
	uint32_t *present =
		realloc(chunk->present, capacity * sizeof(*chunk->present));
	void *values;

	if (present == NULL)
		return false;
	chunk->present = present;
	values = realloc(chunk->values.all, capacity * value_size(chunk->type));
	if (values == NULL)
		return false;
	chunk->values.all = values;
	chunk->capacity = capacity;
	return true;
}

static uint32_t number_text(struct chunk *chunk, struct gtrace_string text)
{
	if (texts_has_last(&chunk->texts, text))
		return chunk->texts.last;
	return texts_number(&chunk->texts, clean_text(text, &chunk->scratch));
}

static uint32_t number_id(struct chunk *chunk, int64_t id)
{
	char bytes[sizeof(id)];
	const struct gtrace_string text = {bytes, sizeof(bytes)};
	unsigned i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)((uint64_t)id >> 8 * i & 0xff);
	if (texts_has_last(&chunk->texts, text))
		return chunk->texts.last;
	return texts_number(&chunk->texts, text);
}

/* Adds NUMBER, of a column that is no text. */
static void add_number_value(struct chunk *chunk, int64_t number)
{
	if (chunk->type == COLUMN_TRUTH)
		chunk->values.truths[chunk->count] = number != 0;
	else if (chunk->type == COLUMN_ID)
		chunk->values.texts[chunk->count] = number_id(chunk, number);
	else
		chunk->values.numbers[chunk->count] = number;
}

/* Adds what ROW has of COLUMN. Returns whether that is a value. */
static bool add_value(struct chunk *chunk, const struct column *column,
		      const void *row)
{
	struct gtrace_string text;
	int64_t number;

	if (column->type == COLUMN_TEXT) {
		text = column_text(column, row);
		if (text.data != NULL)
			chunk->values.texts[chunk->count] =
				number_text(chunk, text);
		return text.data != NULL;
	}
	number = column_number(column, row);
	if (number != COLUMN_NONE)
		add_number_value(chunk, number);
	return number != COLUMN_NONE;
}

void chunk_add(struct chunk *chunk, const struct column *column,
	       const void *row)
{
	bool is_value;

	chunk->type = column->type;
	chunk->texts.sizes = column->type == COLUMN_TEXT ? 4 : 0;
	if (chunk->failed ||
	    (chunk->rows == chunk->capacity && !reserve_row(chunk))) {
		chunk->failed = true;
		return;
	}
	is_value = add_value(chunk, column, row);
	chunk->present[chunk->rows++] = is_value;
	chunk->count += is_value;
}

/* ----------------------------------------------------------------- pages -- */

/* A page that is written: what is in it, and the same compressed. */
struct page {
	struct bytes plain, packed;
	struct bytes *to;
};

/* Adds the header of PAGE, of TYPE, which has COUNT values in ENCODING. */
static void add_header(struct page *page, int type, size_t count, int encoding)
{
	struct thrift header = {.to = page->to}, values;

	thrift_int(&header, 1, THRIFT_I32, type);
	thrift_int(&header, 2, THRIFT_I32, (int64_t)page->plain.size);
	thrift_int(&header, 3, THRIFT_I32, (int64_t)page->packed.size);
	values = thrift_open(&header, type == PAGE_DATA ? 5 : 7);
	thrift_int(&values, 1, THRIFT_I32, (int64_t)count);
	thrift_int(&values, 2, THRIFT_I32, encoding);
	if (type == PAGE_DATA) {
		thrift_int(&values, 3, THRIFT_I32, ENCODING_RLE);
		thrift_int(&values, 4, THRIFT_I32, ENCODING_RLE);
	}
	thrift_end(&values);
	thrift_end(&header);
}

/* Writes PAGE and frees it. Returns how many bytes it has uncompressed. */
static size_t write_page(struct page *page, int type, size_t count,
			 int encoding)
{
	size_t before, size;

	snappy_compress(&page->packed, page->plain.data, page->plain.size);
	before = page->to->size;
	add_header(page, type, count, encoding);
	size = page->to->size - before + page->plain.size;
	bytes_add(page->to, page->packed.data, page->packed.size);
	page->to->failed |= page->plain.failed || page->packed.failed;
	bytes_free(&page->plain);
	bytes_free(&page->packed);
	return size;
}

/* Adds the page of the distinct values. */
static size_t write_texts(const struct chunk *chunk, struct bytes *to)
{
	const struct texts *texts = &chunk->texts;
	struct page page = {.to = to};

	bytes_add(&page.plain, texts->bytes.data, texts->bytes.size);
	return write_page(&page, PAGE_DICTIONARY, texts->count, ENCODING_PLAIN);
}

/* How the values are written. Where there are none, that is no matter. */
static int encoding_of(const struct chunk *chunk)
{
	if (chunk->count == 0 || chunk->type == COLUMN_TRUTH)
		return ENCODING_PLAIN;
	return has_texts(chunk->type) ? ENCODING_DICTIONARY : ENCODING_DELTA;
}

static void add_values(const struct chunk *chunk, struct bytes *to)
{
	unsigned width;

	switch (encoding_of(chunk)) {
	case ENCODING_DELTA:
		encode_differences(to, chunk->values.numbers, chunk->count);
		break;
	case ENCODING_DICTIONARY:
		width = encode_width(chunk->texts.count - 1);
		width += width == 0;
		bytes_add_byte(to, width);
		encode_runs(to, chunk->values.texts, chunk->count, width);
		break;
	default:
		encode_bits(to, chunk->values.truths, chunk->count);
	}
}

/* Adds the page of which rows have values, and of these. */
static size_t write_values(const struct chunk *chunk, struct bytes *to)
{
	struct bytes present = {0};
	struct page page = {.to = to};

	encode_runs(&present, chunk->present, chunk->rows, 1);
	bytes_add_little(&page.plain, present.size, 4);
	bytes_add(&page.plain, present.data, present.size);
	page.plain.failed |= present.failed;
	bytes_free(&present);
	add_values(chunk, &page.plain);
	return write_page(&page, PAGE_DATA, chunk->rows, encoding_of(chunk));
}

void chunk_write(struct chunk *chunk, struct bytes *to,
		 struct chunk_places *places)
{
	places->data = places->pages;
	places->plain = 0;
	if (encoding_of(chunk) == ENCODING_DICTIONARY) {
		places->plain = write_texts(chunk, to);
		places->data += to->size;
	}
	places->plain += write_values(chunk, to);
	places->end = places->pages + to->size;
}

/* ---------------------------------------------------------------- footer -- */

/* Longer texts are no bounds, which would take much of the footer. */
#define BOUND_MAX 64

static int compare_texts(struct gtrace_string a, struct gtrace_string b)
{
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size != 0 ? memcmp(a.data, b.data, size) : 0;

	return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* The least and the greatest text, if both are short. */
static void add_text_bounds(const struct chunk *chunk, struct thrift *to)
{
	struct gtrace_string least, most, text;
	uint32_t i;

	least = most = texts_get(&chunk->texts, 0);
	for (i = 1; i < chunk->texts.count; i++) {
		text = texts_get(&chunk->texts, i);
		if (compare_texts(text, least) < 0)
			least = text;
		if (compare_texts(text, most) > 0)
			most = text;
	}
	if (least.size > BOUND_MAX || most.size > BOUND_MAX)
		return;
	thrift_binary(to, 5, most.data, most.size);
	thrift_binary(to, 6, least.data, least.size);
}

static void add_number(struct thrift *to, unsigned field, int64_t number)
{
	unsigned i;

	thrift_begin(to, field, THRIFT_BINARY);
	bytes_add_varint(to->to, sizeof(number));
	for (i = 0; i < sizeof(number); i++)
		bytes_add_byte(to->to, (uint64_t)number >> 8 * i & 0xff);
}

static void add_number_bounds(const struct chunk *chunk, struct thrift *to)
{
	const int64_t *numbers = chunk->values.numbers;
	int64_t least = numbers[0], most = least;
	size_t i;

	for (i = 1; i < chunk->count; i++) {
		if (numbers[i] < least)
			least = numbers[i];
		if (numbers[i] > most)
			most = numbers[i];
	}
	add_number(to, 5, most);
	add_number(to, 6, least);
}

/* How many values are missing, and between which the others are. */
static void add_bounds(const struct chunk *chunk, struct thrift *column)
{
	struct thrift bounds = thrift_open(column, 12);

	thrift_int(&bounds, 3, THRIFT_I64,
		   (int64_t)(chunk->rows - chunk->count));
	if (chunk->type == COLUMN_TEXT && chunk->count != 0)
		add_text_bounds(chunk, &bounds);
	else if (encoding_of(chunk) == ENCODING_DELTA)
		add_number_bounds(chunk, &bounds);
	thrift_end(&bounds);
}

static void add_encodings(const struct chunk *chunk, struct thrift *column)
{
	int values = encoding_of(chunk);
	bool has_texts = values == ENCODING_DICTIONARY;

	thrift_list(column, 2, THRIFT_I32, 2u + has_texts);
	bytes_add_zigzag(column->to, ENCODING_RLE);
	bytes_add_zigzag(column->to, values);
	if (has_texts)
		bytes_add_zigzag(column->to, ENCODING_PLAIN);
}

static void add_meta_data(const struct chunk *chunk, const char *name,
			  const struct chunk_places *places,
			  struct thrift *column)
{
	int64_t size = (int64_t)(places->end - places->pages);

	thrift_int(column, 1, THRIFT_I32, chunk_type(chunk->type));
	add_encodings(chunk, column);
	thrift_list(column, 3, THRIFT_BINARY, 1);
	bytes_add_varint(column->to, strlen(name));
	bytes_add(column->to, name, strlen(name));
	thrift_int(column, 4, THRIFT_I32, CODEC_SNAPPY);
	thrift_int(column, 5, THRIFT_I64, (int64_t)chunk->rows);
	thrift_int(column, 6, THRIFT_I64, (int64_t)places->plain);
	thrift_int(column, 7, THRIFT_I64, size);
	thrift_int(column, 9, THRIFT_I64, (int64_t)places->data);
	if (places->data != places->pages)
		thrift_int(column, 11, THRIFT_I64, (int64_t)places->pages);
	add_bounds(chunk, column);
	thrift_end(column);
}

void chunk_describe(const struct chunk *chunk, const char *name,
		    const struct chunk_places *places, struct bytes *to)
{
	struct thrift outer = {.to = to}, column;

	if (chunk_failed(chunk))
		return;
	thrift_int(&outer, 2, THRIFT_I64, (int64_t)places->pages);
	column = thrift_open(&outer, 3);
	add_meta_data(chunk, name, places, &column);
	thrift_end(&outer);
}
