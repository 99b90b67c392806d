/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c - JSON of at most so many bytes. */
#include "tools/bound.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/shrink.h"

/* Of the bytes, those for the last line. */
#define LAST_SIZE 192

/* Longer names of traces are in no command. */
#define NEXT_SIZE 512

static struct {
	FILE *to;
	size_t limit, left; /* of the output, and of it for rows */
	size_t part;        /* for a row */
	char *row;          /* what there is of the next one */
	size_t size, capacity;
	uint64_t rows, bytes; /* that were left out */
} bound;

void bound_begin(FILE *to, size_t limit, size_t parts)
{
	bound.to = to;
	bound.limit = limit;
	bound.left = limit > LAST_SIZE ? limit - LAST_SIZE : 0;
	bound.part = bound.left / parts;
}

/* ------------------------------------------------------------------ next -- */

/* The number of the member NAME of the SIZE bytes at ROW, -1: none. */
static int64_t number_of(const char *row, size_t size, const char *name)
{
	size_t length;
	const char *value = json_member(row, size, name, &length);

	return value != NULL && *value >= '0' && *value <= '9'
		       ? strtoll(value, NULL, 10)
		       : -1;
}

/* How long what ROW is about took. -1: it does not say. */
static int64_t length_of(const char *row, size_t size)
{
	static const char *const names[] = {"duration", "length", "wait",
					    "max"};
	int64_t length = -1;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && length < 0; i++)
		length = number_of(row, size, names[i]);
	return length;
}

/* Whether a shell can be told the SIZE bytes of NAME between quotes. */
static bool is_plain(const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (name[i] < ' ' || name[i] > '~' || name[i] == '\'' ||
		    name[i] == '\\')
			return false;
	return size != 0 && !(size == 1 && *name == '-');
}

/*
 * Writes a member for the end of ROW to NEXT: the command that shows what the
 * goroutine waited for then, the path of which the row is about. Returns its
 * length; 0: there is none.
 */
static size_t make_next(const char *row, size_t size, char *next)
{
	size_t inner_size = size, name_size = 0;
	const char *name = json_member(row, size, "trace", &name_size);
	const char *inner =
		json_member(row, size, "longest_block", &inner_size);
	int64_t g, start, length;
	int written;

	if (inner == NULL || *inner != '{') {
		inner = row;
		inner_size = size;
	}
	g = number_of(inner, inner_size, "g");
	start = number_of(inner, inner_size, "start");
	length = length_of(inner, inner_size);
	if (name == NULL || name_size < 2 || !is_plain(name + 1, name_size - 2))
		return 0;
	if (g < 0 || start < 0 || length <= 0 || length > INT64_MAX / 4 ||
	    start > INT64_MAX / 4)
		return 0;
	written = snprintf(next, NEXT_SIZE,
			   ",\"next\":\"-critical-path=1 -g=%" PRId64
			   " -from=%" PRId64 "us -to=%" PRId64 "us '%.*s'\"",
			   g, start / 1000, (start + length + 999) / 1000,
			   (int)name_size - 2, name + 1);
	return written > 0 && written < NEXT_SIZE ? (size_t)written : 0;
}

/* ------------------------------------------------------------------ rows -- */

/* Makes ROW shorter than LIMIT, without its brace. Returns its length, or 0. */
static size_t make_short(const char *row, size_t size, char *to, size_t limit)
{
	static const size_t keeps[] = {100, 50, 30, 20, 15, 12, 10,
				       8,   6,  5,  4,  3,  2,  1};
	size_t i, length = 0;

	for (i = 0; i < sizeof(keeps) / sizeof(keeps[0]) && length == 0; i++)
		length = shrink(row, size, keeps[i], to, limit);
	return length;
}

/* Prints the row without its brace, a member after it, and the brace. */
static void print_row(const char *row, size_t size, const char *next,
		      size_t next_size)
{
	fwrite(row, 1, size, bound.to);
	fwrite(next, 1, next_size, bound.to);
	fputs("}\n", bound.to);
	bound.left -= size + next_size + 2;
}

/* Takes the SIZE bytes at ROW, an object without the end of its line. */
static void take_row(const char *row, size_t size)
{
	char next[NEXT_SIZE];
	size_t next_size = make_next(row, size, next);
	size_t limit = bound.part < bound.left ? bound.part : bound.left;
	size_t more = next_size + 2, length;
	char *to;

	if (bound.rows == 0 && size + more <= limit) {
		print_row(row, size - 1, next, next_size);
		return;
	}
	if (bound.rows == 0 && limit > more) {
		to = malloc(limit);
		length = to != NULL ? make_short(row, size, to, limit - more)
				    : 0;
		if (length != 0)
			print_row(to, length, next, next_size);
		free(to);
		if (length != 0)
			return;
	}
	bound.rows++;
	bound.bytes += size + 1;
}

/* Adds SIZE bytes at DATA to the row. */
static void add(const char *data, size_t size)
{
	size_t capacity = bound.capacity != 0 ? bound.capacity : 4096;
	char *row;

	while (capacity < bound.size + size)
		capacity *= 2;
	if (capacity != bound.capacity) {
		row = realloc(bound.row, capacity);
		if (row == NULL) {
			fputs("gtrace: out of memory\n", stderr);
			exit(1);
		}
		bound.row = row;
		bound.capacity = capacity;
	}
	memcpy(bound.row + bound.size, data, size);
	bound.size += size;
}

void bound_write(const char *data, size_t size)
{
	while (size > 0) {
		const char *end = memchr(data, '\n', size);
		size_t taken = end != NULL ? (size_t)(end - data) : size;

		add(data, taken);
		if (end == NULL)
			return;
		if (bound.size != 0)
			take_row(bound.row, bound.size);
		bound.size = 0;
		data += taken + 1;
		size -= taken + 1;
	}
}

void bound_end(void)
{
	if (bound.rows != 0)
		fprintf(bound.to,
			"{\"left_out\":{\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64
			"},\"more\":\"-max-output=%zu, or select with -g, "
			"-func, -from, -to, -min\"}\n",
			bound.rows, bound.bytes, 2 * bound.limit);
	free(bound.row);
	bound.row = NULL;
}
