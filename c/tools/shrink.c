/* SPDX-License-Identifier: BSD-3-Clause */
/* shrink.c - makes a JSON object shorter by leaving out elements of arrays. */
#include "tools/shrink.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports nest less deeply. */
#define DEPTH_MAX 32

/* Kinds of arrays that can lack elements, by their names. */
#define KINDS_MAX 24

/* The most bytes of an end of a row. */
#define KIND_SIZE 64

/* A text that is well-formed JSON without spaces, as reports write it. */
struct text {
	const char *next, *end;
};

static char peek(const struct text *text)
{
	return text->next < text->end ? *text->next : '\0';
}

/* Moves after the string that TEXT is at. */
static void skip_string(struct text *text)
{
	text->next++;
	while (text->next < text->end && *text->next != '"')
		text->next += *text->next == '\\' ? 2 : 1;
	text->next++;
	if (text->next > text->end)
		text->next = text->end;
}

/* Moves after the value that TEXT is at. */
static void skip_value(struct text *text)
{
	size_t depth = 0;

	do {
		char c = peek(text);

		if (c == '"') {
			skip_string(text);
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if (depth > 0 && (c == '}' || c == ']'))
			depth--;
		else if (depth == 0 && strchr(",]}", c) != NULL)
			return; /* the end, too */
		text->next++;
	} while (text->next < text->end &&
		 (depth > 0 || strchr(",]}", *text->next) == NULL));
}

const char *json_member(const char *row, size_t size, const char *name,
			size_t *length)
{
	struct text text = {row + 1, row + size};
	size_t name_size = strlen(name);

	while (peek(&text) == '"') {
		const char *key = text.next + 1;
		bool found;

		skip_string(&text);
		found = (size_t)(text.next - key) == name_size + 1 &&
			memcmp(key, name, name_size) == 0;
		text.next++; /* the colon */
		key = text.next;
		skip_value(&text);
		if (found) {
			*length = (size_t)(text.next - key);
			return key;
		}
		if (peek(&text) == ',')
			text.next++;
	}
	return NULL;
}

/* ---------------------------------------------------------------- output -- */

struct kind {
	const char *name;
	size_t size;
	uint64_t count;
};

struct shrunk {
	char *to;
	size_t used, limit;
	size_t keep;
	struct kind kinds[KINDS_MAX];
	size_t kind_count;
	bool failed;
};

static void put(struct shrunk *out, const char *bytes, size_t size)
{
	if (out->failed || size > out->limit - out->used) {
		out->failed = true;
		return;
	}
	memcpy(out->to + out->used, bytes, size);
	out->used += size;
}

/* Counts an element of the array NAME as left out. */
static void leave_out(struct shrunk *out, struct text name)
{
	size_t size = (size_t)(name.end - name.next), i;

	for (i = 0; i < out->kind_count; i++)
		if (out->kinds[i].size == size &&
		    memcmp(out->kinds[i].name, name.next, size) == 0)
			break;
	if (i == KINDS_MAX || size > KIND_SIZE / 2) {
		out->failed = true;
		return;
	}
	if (i == out->kind_count)
		out->kinds[out->kind_count++] =
			(struct kind){.name = name.next, .size = size};
	out->kinds[i].count++;
}

/* ---------------------------------------------------------------- arrays -- */

/* Which elements of an array remain. */
struct kept {
	size_t first, last; /* as many from either end */
	size_t count;       /* of all elements */
	int64_t *lengths;   /* of each, or NULL; at least LEAST remain, and */
	int64_t least;
	size_t equal; /* as many of just that */
};

/* Whether NAME ends with END. */
static bool ends_with(struct text name, const char *end)
{
	size_t size = strlen(end);

	return (size_t)(name.end - name.next) >= size &&
	       memcmp(name.end - size, end, size) == 0;
}

/* The member `length` of the element from FROM to TO. */
static int64_t length_of(const char *from, const char *to)
{
	size_t size;
	const char *value = *from == '{'
				    ? json_member(from, (size_t)(to - from),
						  "length", &size)
				    : NULL;

	return value != NULL ? strtoll(value, NULL, 10) : 0;
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Decides which segments remain: the KEEP longest, in their order. */
static bool keep_longest(struct kept *kept, size_t keep)
{
	size_t size = kept->count * sizeof(*kept->lengths), i;
	int64_t *sorted = malloc(size);

	if (sorted == NULL)
		return false;
	memcpy(sorted, kept->lengths, size);
	qsort(sorted, kept->count, sizeof(*sorted), by_length);
	kept->least = keep > 0 ? sorted[keep - 1] : INT64_MAX;
	for (i = 0; i < keep; i++)
		kept->equal += sorted[i] == kept->least;
	free(sorted);
	return true;
}

/* Looks at the array NAME, after whose bracket TEXT is. */
static bool look(struct text text, struct text name, size_t keep,
		 struct kept *kept)
{
	bool is_stack = ends_with(name, "stack");
	bool are_segments = ends_with(name, "segments");
	size_t capacity = 0;

	if (is_stack)
		keep = (keep + 1) / 2;
	while (peek(&text) != ']' && text.next < text.end) {
		const char *from = text.next;

		if (are_segments && kept->count == capacity) {
			int64_t *more;

			capacity = capacity != 0 ? 2 * capacity : 64;
			more = realloc(kept->lengths, capacity * sizeof(*more));
			if (more == NULL)
				return false;
			kept->lengths = more;
		}
		skip_value(&text);
		if (are_segments)
			kept->lengths[kept->count] = length_of(from, text.next);
		kept->count++;
		if (peek(&text) == ',')
			text.next++;
	}
	if (are_segments && kept->count > keep)
		return keep_longest(kept, keep);
	free(kept->lengths);
	kept->lengths = NULL;
	kept->last = is_stack ? keep / 2 : 0;
	kept->first = keep - kept->last;
	return true;
}

/* Whether element NUMBER remains. */
static bool remains(struct kept *kept, size_t number)
{
	if (kept->lengths == NULL)
		return number < kept->first ||
		       number + kept->last >= kept->count;
	if (kept->lengths[number] == kept->least && kept->equal > 0) {
		kept->equal--;
		return true;
	}
	return kept->lengths[number] > kept->least;
}

static void copy_value(struct shrunk *out, struct text *text, struct text name,
		       unsigned depth);

static void copy_array(struct shrunk *out, struct text *text, struct text name,
		       unsigned depth)
{
	struct kept kept = {0};
	size_t number, copied = 0;

	text->next++;
	put(out, "[", 1);
	if (!look(*text, name, out->keep, &kept))
		out->failed = true;
	for (number = 0; number < kept.count && !out->failed; number++) {
		if (remains(&kept, number)) {
			if (copied++ != 0)
				put(out, ",", 1);
			copy_value(out, text, name, depth);
		} else {
			leave_out(out, name);
			skip_value(text);
		}
		if (peek(text) == ',')
			text->next++;
	}
	free(kept.lengths);
	text->next++;
	put(out, "]", 1);
}

/* Copies the members of an object, and its end unless it is the row. */
static void copy_object(struct shrunk *out, struct text *text, unsigned depth)
{
	text->next++;
	put(out, "{", 1);
	while (peek(text) == '"' && !out->failed) {
		struct text name = {text->next + 1, NULL};

		skip_string(text);
		name.end = text->next - 1;
		text->next++; /* the colon */
		put(out, name.next - 1, (size_t)(text->next - name.next) + 1);
		copy_value(out, text, name, depth);
		if (peek(text) == ',') {
			put(out, ",", 1);
			text->next++;
		}
	}
	text->next++;
	if (depth > 1)
		put(out, "}", 1);
}

static void copy_value(struct shrunk *out, struct text *text, struct text name,
		       unsigned depth)
{
	const char *from = text->next;

	if (depth == DEPTH_MAX)
		out->failed = true;
	else if (*from == '{')
		copy_object(out, text, depth + 1);
	else if (*from == '[')
		copy_array(out, text, name, depth + 1);
	else {
		skip_value(text);
		put(out, from, (size_t)(text->next - from));
	}
}

size_t shrink(const char *row, size_t size, size_t keep, char *to, size_t limit)
{
	struct shrunk out = {.to = to, .limit = limit, .keep = keep};
	struct text text = {row, row + size}, none = {row, row};
	char count[KIND_SIZE];
	size_t i;

	copy_value(&out, &text, none, 0);
	for (i = 0; i < out.kind_count; i++) {
		const struct kind *kind = &out.kinds[i];
		int written =
			snprintf(count, sizeof(count), "%s\"%.*s\":%" PRIu64,
				 i == 0 ? ",\"left_out\":{" : ",",
				 (int)kind->size, kind->name, kind->count);

		put(&out, count, (size_t)written);
	}
	if (out.kind_count != 0)
		put(&out, "}", 1);
	return out.failed ? 0 : out.used;
}
