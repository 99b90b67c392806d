/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - reports as JSON Lines: one object a line. */
#ifndef GTRACE_REPORT_JSON_H_
#define GTRACE_REPORT_JSON_H_

#include <stdbool.h>
#include <stdint.h>

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

void gti_json_open(struct json *json, const char *name, char bracket);
void gti_json_close(struct json *json, char bracket);
void gti_json_end_line(struct json *json);
void gti_json_signed(struct json *json, const char *name, int64_t value);
void gti_json_unsigned(struct json *json, const char *name, uint64_t value);
void gti_json_bool(struct json *json, const char *name, bool value);
/* The SIZE bytes at DIGITS: a number as JSON has it. */
void gti_json_number(struct json *json, const char *name, const char *digits,
		     size_t size);
void gti_json_null(struct json *json, const char *name);

/* As RFC 8259 has it: what is not UTF-8 is replaced by U+FFFD. */
void gti_json_string(struct json *json, const char *name,
		     struct gtrace_string value);

/* The same for text that ends with a NUL. */
void gti_json_text(struct json *json, const char *name, const char *value);

/* An array of objects: pc, fn, file, line. */
void gti_json_frames(struct json *json, const char *name,
		     const struct gtrace_frame *frames, size_t count);

/* An object, "slices", with their number, sum and distribution. */
void gti_json_lengths(struct json *json,
		      const struct gtrace_distribution *slices);

/* The name of a trace, first in its line. NULL: nothing. */
void gti_json_trace(struct json *json, const char *trace);

/* The unit of times, which is not shown if it is the nanosecond. */
void gti_json_unit(struct json *json, bool in_ticks);

/*
 * What slices and the dump have in common of an event: all of its members
 * except its stack and its link.
 */
void gti_json_event(struct json *json, const struct gtrace_event *event);

#endif /* GTRACE_REPORT_JSON_H_ */
