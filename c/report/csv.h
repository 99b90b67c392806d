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

/* Writes fields, with a comma before each but the first of a record. */
struct csv {
	struct writer *writer;
	bool comma; /* before the next field */
};

/* The COUNT names of the fields, a record of their own. */
void gti_csv_head(struct writer *writer, const char *const *names,
		  size_t count);

void gti_csv_end_record(struct csv *csv);
void gti_csv_signed(struct csv *csv, int64_t value);
void gti_csv_unsigned(struct csv *csv, uint64_t value);
void gti_csv_bool(struct csv *csv, bool value);
void gti_csv_string(struct csv *csv, struct gtrace_string value);
void gti_csv_empty(struct csv *csv);

/* Text that ends with a NUL. NULL: an empty field. */
void gti_csv_text(struct csv *csv, const char *value);

/* COUNT texts as one field, with " -> " between them. */
void gti_csv_texts(struct csv *csv, const char *const *texts, size_t count);

/* The frames of a stack as one field, with " <- " between them. */
void gti_csv_frames(struct csv *csv, const struct gtrace_frame *frames,
		    size_t count);

/*
 * Samples as one field, with " | " between stacks: of each its count, a colon,
 * a space and its frames.
 */
void gti_csv_samples(struct csv *csv, const struct gtrace_samples *samples,
		     size_t count);

#endif /* GTRACE_REPORT_CSV_H_ */
