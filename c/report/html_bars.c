/* SPDX-License-Identifier: BSD-3-Clause */
/* html_bars.c - what processors did, as bars of a picture. */
#include <string.h>

#include "report/html_picture.h"

/* Bars are drawn at least this wide, in shares of the window. */
#define BAR_SHARE_MIN 1250

/* From this share of a window on, in percent, there is a label. */
#define LABEL_PERCENT       5
#define BLOCK_LABEL_PERCENT 12
/* Labels of bars narrower than that are hidden where the page is narrow. */
#define LABEL_WIDE_PERCENT   30
#define LABEL_MEDIUM_PERCENT 16

int64_t gti_picture_clip(const struct window *window, int64_t time)
{
	return time < window->from ? window->from
	       : time > window->to ? window->to
				   : time;
}

void gti_picture_at(struct picture *picture, const char *name, int64_t time)
{
	const struct window *window = picture->window;

	gti_page_format(picture->page, " %s=\"", name);
	gti_page_percent(picture->page,
			 gti_picture_clip(window, time) - window->from,
			 window->to - window->from);
	gti_page_put(picture->page, "\"");
}

void gti_picture_across(struct picture *picture, int64_t from, int64_t to)
{
	const struct window *window = picture->window;
	int64_t length = window->to - window->from, width;

	from = gti_picture_clip(window, from);
	width = gti_picture_clip(window, to) - from;
	if (width < length / BAR_SHARE_MIN)
		width = length / BAR_SHARE_MIN;
	if (width == 0)
		width = 1;
	gti_picture_at(picture, "x", from);
	gti_page_put(picture->page, " width=\"");
	gti_page_percent(picture->page, width, length);
	gti_page_put(picture->page, "\"");
}

/* ------------------------------------------------------------------ bars -- */

static void draw_title(struct picture *picture, const struct span *span)
{
	struct page *page = picture->page;
	uint64_t busy = 0;
	unsigned i;

	gti_page_put(page, "<title>");
	if (span->name != NULL) {
		gti_page_format(page, "G%lld ", (long long)span->g);
		gti_page_text(page, (struct gtrace_string){span->name,
							   strlen(span->name)});
		gti_page_put(page, ", ");
		gti_page_bare_duration(page, span->duration);
	} else {
		for (i = 0; i < WORKS; i++)
			busy += span->share.ns[i];
		gti_page_format(page, "%u short slice%s, busy %d %% of ",
				span->count, span->count == 1 ? "" : "s",
				(int)(100 * (double)busy /
				      (double)(span->to - span->from + 1)));
		gti_page_bare_duration(page, span->to - span->from);
	}
	gti_page_put(page, "</title>");
}

/* A slice with a bar of its own. */
static void draw_bar(struct picture *picture, const struct span *span, int y)
{
	struct page *page = picture->page;

	if (span->chosen)
		gti_page_format(page,
				"<rect class=\"bar chosen\" y=%d.75 "
				"height=%d.5",
				y - 2, BAR_HEIGHT + 2);
	else
		gti_page_format(page, "<rect class=\"bar %s\" y=%d height=%d",
				gti_page_class(span->work), y, BAR_HEIGHT);
	gti_picture_across(picture, span->from, span->to);
	gti_page_put(page, ">");
	draw_title(picture, span);
	gti_page_put(page, "</rect>");
	picture->chosen |= span->chosen;
	if (!span->chosen)
		picture->works[span->work] = true;
}

/* Slices without bars of their own: as high as they kept the processor busy. */
static void draw_block(struct picture *picture, const struct span *span, int y)
{
	struct page *page = picture->page;
	int64_t length = span->to - span->from;
	uint64_t busy = 0;
	int height;
	unsigned i;

	for (i = 0; i < WORKS; i++)
		busy += span->share.ns[i];
	height = length > 0 ? (int)(BAR_HEIGHT * (double)busy / (double)length +
				    0.5)
			    : BAR_HEIGHT;
	height = height < 1 ? 1 : height > BAR_HEIGHT ? BAR_HEIGHT : height;
	gti_page_format(page, "<rect class=\"bar block %s\" y=%d height=%d",
			gti_page_class(gti_main_work(&span->share)),
			y + BAR_HEIGHT - height, height);
	gti_picture_across(picture, span->from, span->to);
	gti_page_put(page, ">");
	draw_title(picture, span);
	gti_page_put(page, "</rect>");
	picture->blocks = true;
}

/* Text in a bar, cut off at its end. */
static void draw_label(struct picture *picture, const struct span *span, int y)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	double percent = 100.0 * (double)(span->to - span->from) /
			 (double)(window->to - window->from);

	if (percent <
	    (span->name != NULL ? LABEL_PERCENT : BLOCK_LABEL_PERCENT))
		return;
	gti_page_format(page, "<svg class=\"inner%s\" y=%d height=%d",
			percent < LABEL_MEDIUM_PERCENT ? " wide"
			: percent < LABEL_WIDE_PERCENT ? " medium"
						       : "",
			y, BAR_HEIGHT);
	gti_picture_across(picture, span->from, span->to);
	if (span->name == NULL) {
		gti_page_put(page, "><text class=out x=5 y=13>");
		gti_page_bare_count(page, span->count);
		gti_page_put(page, " short slices");
	} else {
		gti_page_format(page, "><text class=\"on-%s\" x=5 y=13>G%lld ",
				span->chosen ? "chosen"
					     : gti_page_class(span->work),
				(long long)span->g);
		gti_page_text(page, (struct gtrace_string){span->name,
							   strlen(span->name)});
	}
	gti_page_put(page, "</text></svg>");
}

static void draw_lane(struct picture *picture, size_t i)
{
	const struct lane *lane = &picture->window->lanes[i];
	const struct span *spans = lane->spans.items;
	int y = picture_lane_y(picture, i);
	size_t j;

	for (j = 0; j < lane->spans.count; j++)
		if (spans[j].name != NULL)
			draw_bar(picture, &spans[j], y);
		else
			draw_block(picture, &spans[j], y);
}

static void draw_labels(struct picture *picture, size_t i)
{
	const struct lane *lane = &picture->window->lanes[i];
	const struct span *spans = lane->spans.items;
	size_t j;

	for (j = 0; j < lane->spans.count; j++)
		draw_label(picture, &spans[j], picture_lane_y(picture, i));
}

/* The processors without lanes, together. */
static void draw_others(struct picture *picture)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	int y = picture_lane_y(picture, window->lane_count), height, last = -1;
	double whole = (double)(window->to - window->from) / WINDOW_BINS *
		       window->others;
	double busy = 0;
	unsigned i;

	gti_page_format(page,
			"<svg y=%d width=\"100%%\" height=%d viewBox=\"0 0 %d "
			"99\" preserveAspectRatio=none><path class=others "
			"d=\"M0 99",
			y, BAR_HEIGHT, WINDOW_BINS);
	for (i = 0; i < WINDOW_BINS; i++) {
		height = (int)(99 * (double)window->busy[i] / whole + 0.5);
		height = height > 99 ? 0 : 99 - height;
		if (height != last)
			gti_page_format(page, "H%uV%d", i, height);
		last = height;
		busy += (double)window->busy[i];
	}
	gti_page_format(page, "H%dV99Z\"/></svg>", WINDOW_BINS);
	busy = 10 * busy / (double)(window->to - window->from) + 0.5;
	gti_page_format(page,
			"<text class=out x=5 y=%d>%u other processors, "
			"%d.%d busy on average</text>",
			y + 13, window->others, (int)busy / 10, (int)busy % 10);
}

void gti_picture_bars(struct picture *picture)
{
	const struct window *window = picture->window;
	size_t i;

	for (i = 0; i < window->lane_count; i++)
		draw_lane(picture, i);
	if (window->others != 0)
		draw_others(picture);
	for (i = 0; i < window->lane_count; i++)
		draw_labels(picture, i);
}
