/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_draw.h - the pictures of an HTML report.
 *
 * A picture is SVG without a viewBox: across in percent of its width, down in
 * pixels. So it fits any width without a script, no text is stretched, and to
 * zoom is to make it wider in a box that scrolls. The names of the lanes stand
 * in a picture of their own to the left of that box.
 */
#ifndef GTRACE_REPORT_HTML_DRAW_H_
#define GTRACE_REPORT_HTML_DRAW_H_

#include <gtrace/gtrace.h>

#include "report/html_lanes.h"
#include "report/html_write.h"

/* The lists of the page, which pictures mark. */
struct marks {
	const struct gtrace_slice *const *slices;
	size_t slice_count;
	const struct gtrace_stop *const *stops; /* measured, or inferred */
	size_t stop_count;
};

/* Writes patterns that pictures refer to. */
void gti_draw_patterns(struct page *page);

/* Draws all processors over the whole trace. */
void gti_draw_overview(struct page *page, const struct overview *overview,
		       const struct marks *marks);

/* Draws WINDOW around slice I of MARKS. */
void gti_draw_slice(struct page *page, const struct window *window,
		    const struct marks *marks, size_t i);

/* Draws WINDOW around stop I of MARKS. */
void gti_draw_stop(struct page *page, const struct window *window,
		   const struct marks *marks, size_t i);

/* Writes one line of a legend: SHAPE is 22 by 14 pixels of SVG. */
void gti_draw_legend_item(struct page *page, const char *shape,
			  const char *text);

#define LEGEND_RECT(class) "<rect class=\"" class "\" width=22 height=14 />"

/*
 * Writes those of the works that a picture has. MISSING: of a part of it not
 * all events are in the file.
 */
void gti_draw_legend_works(struct page *page, const bool works[WORKS],
			   bool missing);

/* Part of a stop of the world that pictures mark. */
struct stop_times {
	int64_t from;  /* the request, or the earliest moment of it */
	int64_t stood; /* when the world stood; -1: not known */
	int64_t to;    /* when it was started again */
};

/* Returns false if STOP has no times that could be drawn. */
bool gti_stop_times(const struct gtrace_stop *stop, struct stop_times *times);

#endif /* GTRACE_REPORT_HTML_DRAW_H_ */
