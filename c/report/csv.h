/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv.h - records of comma-separated values, as RFC 4180 has them.
 *
 * Invalid UTF-8 in texts is replaced by U+FFFD, and so are control characters,
 * which RFC 4180 does not allow. So a record is always one line.
 */
#ifndef GTRACE_REPORT_CSV_H_
#define GTRACE_REPORT_CSV_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/fields.h"

/* Writes fields, with a comma before each but the first of a record. */
struct csv {
	struct writer *writer;
	bool comma; /* before the next field */
};

void gti_csv_string(struct csv *csv, struct gtrace_string value);

/* The record of the names of the columns that FIELDS have. */
void gti_csv_head(struct writer *writer, const struct field *fields);

/* See gti_write_line(). */
void gti_csv_line(const struct line *line, const struct field *fields,
		  const void *item);

/* A stack of COUNT frames, after other fields of its record. */
void gti_csv_stack(struct writer *writer, const struct gtrace_frame *frames,
		   size_t count);

#endif /* GTRACE_REPORT_CSV_H_ */
