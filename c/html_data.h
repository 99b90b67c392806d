/* SPDX-License-Identifier: BSD-3-Clause */
/* html_data.h - what the pictures of an HTML page show. */
#ifndef GTRACE_HTML_DATA_H_
#define GTRACE_HTML_DATA_H_

#include "analysis/lanes.h"
#include "report/html.h"

/*
 * Writes what page/page.js draws as one object of JSON without "<". The lists
 * in it are described where they are written. Times are in nanoseconds since
 * the trace began; those of bars, since their window begins.
 */
void gti_html_data(struct writer *writer, const struct html_report *report,
		   const struct lanes *lanes);

#endif /* GTRACE_HTML_DATA_H_ */
