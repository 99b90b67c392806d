/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.h - the report of stops of the world as text. */
#ifndef GTRACE_REPORT_STOPS_TEXT_H_
#define GTRACE_REPORT_STOPS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/lists.h"

/* Writes how many stops REPORT, a gtrace_stop_report, has, and their kinds. */
void gti_text_stops_sums(struct writer *writer, const void *report,
			 bool in_ticks);

/* Writes the line before COUNT measured stops. */
void gti_text_stops_head(struct writer *writer, size_t count);

/* Writes the line before the inferred stops, INFERRED in all. */
void gti_text_inferred_head(struct writer *writer, uint64_t inferred);

/* Writes a stop that is measured or inferred. */
void gti_text_stop(struct writer *writer, const struct listed *listed);

/* --------------------------------------------- also of reports of waits -- */

/* Writes LABEL, a literal, and a number or a time. */
void gti_text_number(struct writer *writer, const char *label, int64_t value);
void gti_text_time(struct writer *writer, bool in_ticks, const char *label,
		   int64_t time);

/* Writes COUNT frames, a line each, of something below a stop or a wait. */
void gti_text_frames(struct writer *writer, const struct gtrace_frame *frames,
		     size_t count);

/* Times in a row of a table, at most; a time that is not known; no time. */
#define TIME_COLUMNS 8
#define TIME_UNKNOWN INT64_MIN
#define TIME_END     INT64_MAX

/* Writes a row of a table: NAME, COUNT and TIMES, which TIME_END ends. */
void gti_text_row(struct writer *writer, bool in_ticks,
		  struct gtrace_string name, uint64_t count,
		  const int64_t times[TIME_COLUMNS]);

/* Writes the first row: NAME, the unit of times, COLUMNS up to NULL. */
void gti_text_row_head(struct writer *writer, bool in_ticks, const char *name,
		       const char *const *columns);

#endif /* GTRACE_REPORT_STOPS_TEXT_H_ */
