/* SPDX-License-Identifier: BSD-3-Clause */
/* html_picture.h - a picture of a window, while it is being drawn. */
#ifndef GTRACE_REPORT_HTML_PICTURE_H_
#define GTRACE_REPORT_HTML_PICTURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/html_lanes.h"
#include "report/html_write.h"

/* Pixels. */
#define LANE_HEIGHT 24
#define BAR_HEIGHT  18

struct picture {
	struct page *page;
	const struct window *window;
	int top;
	int bottom; /* of the last lane */
	/* What it has, for its legend. */
	bool works[WORKS];
	bool blocks;
	bool chosen;
	bool stops;
	bool stood;
};

/* Returns the moment of the window that is nearest to TIME. */
int64_t gti_picture_clip(const struct window *window, int64_t time);

/* Writes NAME="..%", the place of TIME in the window. */
void gti_picture_at(struct picture *picture, const char *name, int64_t time);

/* Writes x and width of what goes from FROM to TO. */
void gti_picture_across(struct picture *picture, int64_t from, int64_t to);

/* Returns where the bars of LANE have their upper edge. */
static inline int picture_lane_y(const struct picture *picture, size_t lane)
{
	return picture->top + (int)lane * LANE_HEIGHT + 3;
}

/* Draws what the processors did, with labels. */
void gti_picture_bars(struct picture *picture);

#endif /* GTRACE_REPORT_HTML_PICTURE_H_ */
