/* SPDX-License-Identifier: BSD-3-Clause */
/* stops_text.h - the report of stops of the world as text. */
#ifndef GTRACE_REPORT_STOPS_TEXT_H_
#define GTRACE_REPORT_STOPS_TEXT_H_

#include <gtrace/gtrace.h>

#include "base/output.h"

/* Writes the report. */
void gti_text_stops(struct writer *writer,
		    const struct gtrace_stop_report *report);

#endif /* GTRACE_REPORT_STOPS_TEXT_H_ */
