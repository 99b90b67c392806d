/* SPDX-License-Identifier: BSD-3-Clause */
/* waits_text.h - the reports of waits and of delays as text. */
#ifndef GTRACE_REPORT_WAITS_TEXT_H_
#define GTRACE_REPORT_WAITS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/lists.h"

/* Write what comes before REPORT's list; it is of waits, or of delays. */
void gti_text_waits_sums(struct writer *writer, const void *report,
			 bool in_ticks);
void gti_text_delays_sums(struct writer *writer, const void *report,
			  bool in_ticks);

/* Write the line before COUNT items. */
void gti_text_waits_head(struct writer *writer, size_t count);
void gti_text_delays_head(struct writer *writer, size_t count);

/* Write a wait, and a slice of a report of delays. */
void gti_text_wait(struct writer *writer, const struct listed *listed);
void gti_text_delay(struct writer *writer, const struct listed *listed);

#endif /* GTRACE_REPORT_WAITS_TEXT_H_ */
