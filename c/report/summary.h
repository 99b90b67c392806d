/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.h - what there is to say about a trace, as text. */
#ifndef GTRACE_REPORT_SUMMARY_H_
#define GTRACE_REPORT_SUMMARY_H_

#include <gtrace/gtrace.h>

#include "base/output.h"

/* One screen of 80 columns and 24 lines, if it lists no more than 5 of each. */
void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary);

#endif /* GTRACE_REPORT_SUMMARY_H_ */
