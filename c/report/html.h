/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.h - a report in one HTML file: a page that loads nothing, and can be
 * read without its script, which adds zooming.
 */
#ifndef GTRACE_REPORT_HTML_H_
#define GTRACE_REPORT_HTML_H_

#include <gtrace/gtrace.h>

#include "report/html_draw.h"
#include "report/html_lanes.h"

/* What a page is made of. */
struct html_report {
	const char *name; /* of the trace's file, without its directory */
	bool filtered;    /* slices and stops are those that pass filters */
	const struct gtrace_summary *summary;
	const struct marks *marks;
	const struct gtrace_stop_report *stops;
	const struct lanes *lanes;
	/* Of marks->slices, and then of marks->stops; NULL: no picture. */
	const struct window *const *windows;
	/* What was left out of a damaged trace, from this byte on; or NULL. */
	const struct gtrace_error *fault;
	uint64_t left_out_from;
};

/* Writes the page. */
void gti_html_report(struct writer *writer, const struct html_report *report);

/* ------------------------------------------------ between its own files -- */

/* The style sheet in pieces, up to NULL, and the script. */
extern const char *const gti_html_style[];
extern const char gti_html_script[];
extern const char gti_html_script_hash[]; /* of the script: sha256, base64 */

/* Writes what is most important. */
void gti_html_cards(struct page *page, const struct html_report *report);

/* Writes the rows of slices, or of stops. */
void gti_html_slices(struct page *page, const struct html_report *report);
void gti_html_stops(struct page *page, const struct html_report *report);

/* Writes that there is no slice, or no stop. */
void gti_html_no_slice(struct page *page, const struct html_report *report);
void gti_html_no_stop(struct page *page, const struct html_report *report);

/* Takes the next row. If it does not fit, writes so and returns false. */
bool gti_html_take_row(struct page *page);

/* Writes a list of FRAMES, the innermost one first. */
void gti_html_frames(struct page *page, const struct gtrace_frame *frames,
		     size_t count);

/* The work of SLICE. */
enum gtrace_work gti_html_work_of_slice(const struct gtrace_slice *slice);

/* The work of what held up STOP. */

/* The row of the longest slice, see struct gtrace_summary; or their number. */
size_t gti_html_first_slice(const struct html_report *report);

/* Whether LATE is late because of SLICE. */
bool gti_html_is_late_in(const struct gtrace_late *late,
			 const struct gtrace_slice *slice);

#endif /* GTRACE_REPORT_HTML_H_ */
