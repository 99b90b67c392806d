/* SPDX-License-Identifier: BSD-3-Clause */
/* lives_text.h - the reports of goroutines and of requests as text. */
#ifndef GTRACE_REPORT_LIVES_TEXT_H_
#define GTRACE_REPORT_LIVES_TEXT_H_

#include "report/lists.h"

/* Writes the times of all goroutines of REPORT, a gtrace_goroutine_report. */
void gti_text_goroutines_sums(struct writer *writer, const void *report,
			      bool in_ticks);

/* Writes the goroutines of one function, or one. */
void gti_text_goroutines(struct writer *writer, const struct listed *listed);

/* Writes the line before COUNT kinds of requests, and one of them. */
void gti_text_requests_head(struct writer *writer, size_t count);
void gti_text_requests(struct writer *writer, const struct listed *listed);

#endif /* GTRACE_REPORT_LIVES_TEXT_H_ */
