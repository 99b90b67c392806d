/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - values, objects and arrays of JSON. */
#ifndef GTRACE_REPORT_JSON_H_
#define GTRACE_REPORT_JSON_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "base/output.h"

/*
 * Writes values, objects and arrays. A comma comes before each but the first of
 * an object or an array. NAME is that of the value within its object, NULL in
 * an array and for the object of a line; it is a constant of plain characters.
 */
struct json {
	struct writer *writer;
	bool comma; /* before the next value */
};

/* The most bytes of a number, or of a word such as null. */
#define JSON_NUMBER_MAX (DECIMAL_MAX + 4)

/*
 * Begins a value: the comma before it, and its name, which is short. Returns
 * where it goes, of at most JSON_NUMBER_MAX bytes; the caller commits what it
 * writes there.
 */
static inline char *json_begin(struct json *json, const char *name)
{
	size_t size = name != NULL ? strlen(name) : 0;
	char *to = writer_reserve(json->writer, size + 4 + JSON_NUMBER_MAX);

	if (json->comma)
		*to++ = ',';
	json->comma = true;
	if (name != NULL) {
		*to++ = '"';
		memcpy(to, name, size);
		to += size;
		*to++ = '"';
		*to++ = ':';
	}
	return to;
}

void gti_json_open(struct json *json, const char *name, char bracket);
void gti_json_close(struct json *json, char bracket);
void gti_json_end_line(struct json *json);
void gti_json_signed(struct json *json, const char *name, int64_t value);
void gti_json_unsigned(struct json *json, const char *name, uint64_t value);

/* As RFC 8259 has it: what is not UTF-8 is replaced by U+FFFD. */
void gti_json_string(struct json *json, const char *name,
		     struct gtrace_string value);

/* gti_json_string() for a text that ends with a NUL. */
void gti_json_text(struct json *json, const char *name, const char *value);

#endif /* GTRACE_REPORT_JSON_H_ */
