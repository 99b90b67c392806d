/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON, and the fields of a struct as JSON. */
#ifndef GTRACE_REPORT_JSON_H_
#define GTRACE_REPORT_JSON_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/fields.h"

/*
 * Writes values, objects and arrays. A comma comes before each but the first of
 * an object or an array. NAME is that of the value within its object, NULL in
 * an array and for the object of a line; it is a constant of plain characters.
 */
struct json {
	struct writer *writer;
	bool comma; /* before the next value */
};

void gti_json_open(struct json *json, const char *name, char bracket);
void gti_json_close(struct json *json, char bracket);
void gti_json_end_line(struct json *json);
void gti_json_signed(struct json *json, const char *name, int64_t value);
void gti_json_unsigned(struct json *json, const char *name, uint64_t value);
/* The SIZE bytes at DIGITS: a number as JSON has it. */
void gti_json_number(struct json *json, const char *name, const char *digits,
		     size_t size);
void gti_json_null(struct json *json, const char *name);

/* As RFC 8259 has it: what is not UTF-8 is replaced by U+FFFD. */
void gti_json_string(struct json *json, const char *name,
		     struct gtrace_string value);

/* gti_json_string() for a text that ends with a NUL. */
void gti_json_text(struct json *json, const char *name, const char *value);

#endif /* GTRACE_REPORT_JSON_H_ */
