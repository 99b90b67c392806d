/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.h - what there is to say about a trace, in any format. */
#ifndef GTRACE_REPORT_SUMMARY_H_
#define GTRACE_REPORT_SUMMARY_H_

#include <gtrace/gtrace.h>

#include "base/output.h"

/* One screen of 80 columns and 24 lines, if it lists no more than 5 of each. */
void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary);

/* One object, in one line. TRACE is the trace's name; NULL: none. */
void gti_json_summary(struct writer *writer,
		      const struct gtrace_summary *summary, const char *trace);

/* The names of the fields, and one record. Likewise. */
void gti_csv_summary(struct writer *writer,
		     const struct gtrace_summary *summary, const char *trace);

#endif /* GTRACE_REPORT_SUMMARY_H_ */
