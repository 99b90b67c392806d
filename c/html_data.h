/* SPDX-License-Identifier: BSD-3-Clause */
/* html_data.h - what the pictures of an HTML page show. */
#ifndef GTRACE_HTML_DATA_H_
#define GTRACE_HTML_DATA_H_

#include "analysis/lanes.h"
#include "report/html.h"

/* Writes what page/page.js draws, see struct html_report. */
void gti_html_data(struct writer *writer, const struct html_report *report);

#endif /* GTRACE_HTML_DATA_H_ */
