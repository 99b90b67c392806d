/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.h - the report of stops of the world as text. */
#ifndef GTRACE_REPORT_STOPS_TEXT_H_
#define GTRACE_REPORT_STOPS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/lists.h"

/* Writes how many stops REPORT has, and the table of their kinds. */
void gti_text_stops_sums(struct writer *writer,
			 const struct gtrace_stop_report *report,
			 bool in_ticks);

/* Writes the line before COUNT measured stops. */
void gti_text_stops_head(struct writer *writer, size_t count);

/* Writes the line before the inferred stops, INFERRED in all. */
void gti_text_inferred_head(struct writer *writer, uint64_t inferred);

/* Writes a stop that is measured or inferred. */
void gti_text_stop(struct writer *writer, const struct listed *listed);

#endif /* GTRACE_REPORT_STOPS_TEXT_H_ */
