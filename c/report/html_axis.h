/* SPDX-License-Identifier: BSD-3-Clause */
/* html_axis.h - the time axis of a picture. */
#ifndef GTRACE_REPORT_HTML_AXIS_H_
#define GTRACE_REPORT_HTML_AXIS_H_

#include <stdbool.h>
#include <stdint.h>

#include "report/html_write.h"

struct axis {
	int64_t from;
	int64_t to;
	int64_t zero;   /* where 0 is */
	bool is_signed; /* +5 ms, not 5 ms */
};

/* Draws lines down to BOTTOM, and times under them. */
void gti_draw_axis(struct page *page, const struct axis *axis, int bottom);

#endif /* GTRACE_REPORT_HTML_AXIS_H_ */
