/* SPDX-License-Identifier: BSD-3-Clause */
/* html_draw.c - pictures of what processors did around a slice or a stop. */
#include "report/html_draw.h"

#include <string.h>

#include "report/html_axis.h"

/* Pixels. */
#define LANE_HEIGHT 24
#define BAR_HEIGHT  18
#define SLICE_TOP   24 /* above the lanes: letters of stops */
#define STOP_TOP    34 /* and what is said of times */
#define AXIS_HEIGHT 18

/* Bars are drawn at least this wide, in shares of the window. */
#define BAR_SHARE_MIN 1250

/* From this share of a window on, in percent, there is a label. */
#define LABEL_PERCENT       5
#define BLOCK_LABEL_PERCENT 12
/* Labels of bars narrower than that are hidden where the page is narrow. */
#define LABEL_WIDE_PERCENT   30
#define LABEL_MEDIUM_PERCENT 16

/* A picture that is being drawn. */
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

void gti_draw_patterns(struct page *page)
{
	gti_page_put(
		page,
		"<svg class=hidden aria-hidden=true><defs>"
		"<pattern id=stripes width=6 height=6 "
		"patternUnits=userSpaceOnUse patternTransform=\"rotate(45)\">"
		"<rect width=6 height=6 class=stripe1 />"
		"<rect width=2.5 height=6 class=stripe2 /></pattern>"
		"<pattern id=hatch width=5 height=5 "
		"patternUnits=userSpaceOnUse patternTransform=\"rotate(-45)\">"
		"<rect width=1.6 height=5 class=hatched /></pattern>"
		"</defs></svg>\n");
}

bool gti_stop_times(const struct gtrace_stop *stop, struct stop_times *times)
{
	if (stop->inferred) {
		times->from = stop->requested_min;
		times->stood = -1;
		times->to = stop->ts;
	} else {
		times->from = stop->requested;
		times->stood = stop->obtained;
		times->to = stop->restarted != -1 ? stop->restarted
						  : stop->ended;
	}
	if (times->from < 0)
		return false;
	if (times->to < times->from)
		times->to = times->stood > times->from ? times->stood
						       : times->from;
	return true;
}

/* ----------------------------------------------------------------- lanes -- */

static int64_t clip(const struct window *window, int64_t time)
{
	return time < window->from ? window->from
	       : time > window->to ? window->to
				   : time;
}

/* Writes NAME="..%", the place of TIME in the window. */
static void put_at(struct picture *picture, const char *name, int64_t time)
{
	const struct window *window = picture->window;

	gti_page_format(picture->page, " %s=\"", name);
	gti_page_percent(picture->page, clip(window, time) - window->from,
			 window->to - window->from);
	gti_page_put(picture->page, "\"");
}

/* Writes x and width of what goes from FROM to TO. */
static void put_across(struct picture *picture, int64_t from, int64_t to)
{
	const struct window *window = picture->window;
	int64_t length = window->to - window->from, width;

	from = clip(window, from);
	width = clip(window, to) - from;
	if (width < length / BAR_SHARE_MIN)
		width = length / BAR_SHARE_MIN;
	if (width == 0)
		width = 1;
	put_at(picture, "x", from);
	gti_page_put(picture->page, " width=\"");
	gti_page_percent(picture->page, width, length);
	gti_page_put(picture->page, "\"");
}

static int lane_y(const struct picture *picture, size_t lane)
{
	return picture->top + (int)lane * LANE_HEIGHT + 3;
}

static void draw_title(struct picture *picture, const struct span *span)
{
	struct page *page = picture->page;
	int64_t busy = 0;
	unsigned i;

	gti_page_put(page, "<title>");
	if (span->name != NULL) {
		gti_page_format(page, "G%lld ", (long long)span->g);
		gti_page_text(page, (struct gtrace_string){
					    span->name, strlen(span->name)});
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
		gti_page_format(page, "<rect class=\"bar chosen\" y=%d.75 "
				      "height=%d.5",
				y - 2, BAR_HEIGHT + 2);
	else
		gti_page_format(page, "<rect class=\"bar %s\" y=%d height=%d",
				gti_page_class(span->work), y, BAR_HEIGHT);
	put_across(picture, span->from, span->to);
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
	int64_t length = span->to - span->from, busy = 0;
	int height;
	unsigned i;

	for (i = 0; i < WORKS; i++)
		busy += span->share.ns[i];
	height = length > 0 ? (int)(BAR_HEIGHT * (double)busy / (double)length +
				    0.5)
			    : BAR_HEIGHT;
	height = height < 1 ? 1 : height > BAR_HEIGHT ? BAR_HEIGHT : height;
	gti_page_format(page, "<rect class=\"bar block %s\" y=%d height=%d",
			gti_page_class(span->work), y + BAR_HEIGHT - height,
			height);
	put_across(picture, span->from, span->to);
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
	int64_t percent = 100 * (span->to - span->from) /
			  (window->to - window->from);

	if (percent < (span->name != NULL ? LABEL_PERCENT
					  : BLOCK_LABEL_PERCENT))
		return;
	gti_page_format(page, "<svg class=\"inner%s\" y=%d height=%d",
			percent < LABEL_MEDIUM_PERCENT ? " wide"
			: percent < LABEL_WIDE_PERCENT ? " medium"
						       : "",
			y, BAR_HEIGHT);
	put_across(picture, span->from, span->to);
	if (span->name == NULL) {
		gti_page_put(page, "><text class=out x=5 y=13>");
		gti_page_counted(page, span->count, "short slice");
	} else {
		gti_page_format(page, "><text class=\"on-%s\" x=5 y=13>G%lld ",
				span->chosen ? "chosen"
					     : gti_page_class(span->work),
				(long long)span->g);
		gti_page_text(page, (struct gtrace_string){
					    span->name, strlen(span->name)});
	}
	gti_page_put(page, "</text></svg>");
}

static void draw_lane(struct picture *picture, size_t i)
{
	const struct lane *lane = &picture->window->lanes[i];
	const struct span *spans = lane->spans.items;
	int y = lane_y(picture, i);
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
		draw_label(picture, &spans[j], lane_y(picture, i));
}

/* The processors without lanes, together. */
static void draw_others(struct picture *picture)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	int y = lane_y(picture, window->lane_count), height, last = -1;
	double whole = (double)(window->to - window->from) / WINDOW_BINS *
		       window->others;
	double busy = 0;
	unsigned i;

	gti_page_format(page,
			"<svg y=%d width=\"100%%\" height=%d viewBox=\"0 0 %d "
			"99\" preserveAspectRatio=none><path class=runtime "
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
			y + 13, window->others, (int)busy / 10,
			(int)busy % 10);
}

static void draw_lanes(struct picture *picture)
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

/* ----------------------------------------------------------------- stops -- */

/* The band of one stop, with its letters above unless it is stop I. */
static void draw_band(struct picture *picture, const struct gtrace_stop *stop,
		      size_t number, bool letters)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	int y = picture->top - 4;
	struct stop_times times;
	struct letters name = gti_page_letters(number);

	if (!gti_stop_times(stop, &times) || times.to <= window->from ||
	    times.from >= window->to)
		return;
	gti_page_format(page, "<rect class=band y=%d height=%d", y,
			picture->bottom - y);
	put_across(picture, times.from,
		   times.stood >= 0 ? times.stood : times.to);
	gti_page_put(page, "/>");
	picture->stops = true;
	if (times.stood >= 0 && times.to > window->from &&
	    times.stood < window->to) {
		gti_page_format(page, "<rect class=stood y=%d height=%d", y,
				picture->bottom - y);
		put_across(picture, times.stood, times.to);
		gti_page_put(page, "/>");
		picture->stood = true;
	}
	if (!letters)
		return;
	gti_page_format(page,
			"<a href=\"#w%s\" aria-label=\"stop %s\">"
			"<text class=letter y=14 text-anchor=middle",
			name.text, name.text);
	put_at(picture, "x",
	       clip(window, times.from) / 2 + clip(window, times.to) / 2);
	gti_page_format(page, ">%s</text></a>", name.text);
}

static void draw_bands(struct picture *picture, const struct marks *marks,
		       const struct gtrace_stop *drawn)
{
	size_t i;

	for (i = 0; i < marks->stop_count; i++)
		draw_band(picture, marks->stops[i], i,
			  marks->stops[i] != drawn);
}

/* ------------------------------------------------------------- begin, end -- */

/* What stop STOP has to do with processor P. */
static const char *part_of(const struct gtrace_stop *stop, int64_t p)
{
	size_t i;

	if (stop == NULL)
		return "";
	for (i = 0; i < stop->late_count; i++)
		if (stop->late[i].p == p)
			return i == 0 && !stop->inferred ? " held up" : " late";
	return stop->p == p ? " asked" : "";
}

/* The names of the lanes, and the box that scrolls up to its picture. */
static void begin_picture(struct picture *picture, const char *what,
			  const char *number, int64_t chosen_p,
			  const struct gtrace_stop *stop)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	size_t lanes = window->lane_count + (window->others != 0), i;
	int width = stop != NULL || window->others != 0 ? 84 : 40;

	picture->bottom = picture->top + (int)lanes * LANE_HEIGHT;
	gti_page_format(page,
			"<div class=picture><svg class=names width=%d "
			"height=%d aria-hidden=true>",
			width, picture->bottom + AXIS_HEIGHT);
	for (i = 0; i < window->lane_count; i++)
		gti_page_format(page,
				"<text y=%d%s><tspan class=p>P%lld</tspan>%s"
				"</text>",
				lane_y(picture, i) + 14,
				window->lanes[i].p == chosen_p ? " class=own"
							       : "",
				(long long)window->lanes[i].p,
				part_of(stop, window->lanes[i].p));
	if (window->others != 0)
		gti_page_format(page, "<text y=%d>%u others</text>",
				lane_y(picture, i) + 14, window->others);
	gti_page_format(page,
			"</svg><div class=scroll tabindex=0 role=region "
			"aria-label=\"timeline, scrolls when it is zoomed\">"
			"<svg class=plot width=\"100%%\" height=%d role=img "
			"aria-label=\"what processors did around %s %s\">",
			picture->bottom + AXIS_HEIGHT, what, number);
	for (i = 0; i < lanes; i++)
		gti_page_format(page,
				"<rect class=lane width=\"100%%\" y=%d "
				"height=%d />",
				lane_y(picture, i) - 1, BAR_HEIGHT + 2);
}

static void legend_item(struct page *page, const char *shape, const char *text)
{
	gti_page_format(page,
			"<li><svg width=22 height=14 aria-hidden=true>%s</svg>"
			"%s</li>",
			shape, text);
}

#define LEGEND_RECT(class) "<rect class=\"" class "\" width=22 height=14 />"

static void end_picture(struct picture *picture, const char *chosen)
{
	struct page *page = picture->page;

	gti_page_put(page, "</svg></div></div><ul class=legend>");
	if (picture->chosen)
		legend_item(page, LEGEND_RECT("bar chosen"), chosen);
	if (picture->works[GTRACE_WORK_PROGRAM])
		legend_item(page, LEGEND_RECT("bar program"), "program");
	if (picture->works[GTRACE_WORK_RUNTIME])
		legend_item(page, LEGEND_RECT("bar runtime"), "runtime, GC");
	if (picture->works[GTRACE_WORK_SYSCALL])
		legend_item(page, LEGEND_RECT("bar syscall"),
			    "in a system call");
	legend_item(page, LEGEND_RECT("lane"), "idle");
	if (picture->blocks)
		legend_item(page,
			    "<rect class=\"bar block program\" y=6 width=22 "
			    "height=8 />",
			    "short slices: height is the share busy");
	if (picture->stops)
		legend_item(page, LEGEND_RECT("band"),
			    "a stop of the world, from its request");
	if (picture->stood)
		legend_item(page, LEGEND_RECT("stood"), "the world stands");
}

/* ------------------------------------------------------------------ slice -- */

void gti_draw_slice(struct page *page, const struct window *window,
		    const struct marks *marks, size_t i)
{
	struct picture picture = {
		.page = page, .window = window, .top = SLICE_TOP};
	struct axis axis = {window->from, window->to,
			    marks->slices[i]->start.ts, true};
	char number[24];

	*gti_put_decimal(number, i + 1) = '\0';
	begin_picture(&picture, "slice", number, marks->slices[i]->p, NULL);
	gti_draw_axis(page, &axis, picture.bottom);
	draw_bands(&picture, marks, NULL);
	draw_lanes(&picture);
	end_picture(&picture, "this slice");
	gti_page_put(page, "</ul>");
}

/* ------------------------------------------------------------------- stop -- */

/* A line down the picture, with words beside it. */
static void draw_moment(struct picture *picture, int64_t time,
			const char *class, const char *words, bool left)
{
	struct page *page = picture->page;

	gti_page_format(page, "<line class=%s y1=8 y2=%d", class,
			picture->bottom);
	put_at(picture, "x1", time);
	put_at(picture, "x2", time);
	gti_page_put(page, "/>");
	if (words == NULL)
		return;
	gti_page_format(page, "<text class=moment y=13 dx=%d text-anchor=%s",
			left ? -5 : 5, left ? "end" : "start");
	put_at(picture, "x", time);
	gti_page_format(page, ">%s</text>", words);
}

/* A line across from FROM to TO, with words above it. */
static void draw_measure(struct picture *picture, int64_t from, int64_t to,
			 const char *words)
{
	struct page *page = picture->page;

	gti_page_put(page, "<line class=measure y1=22 y2=22");
	put_at(picture, "x1", from);
	put_at(picture, "x2", to);
	gti_page_put(page, "/><text class=measured y=17 text-anchor=middle");
	put_at(picture, "x", from / 2 + to / 2);
	gti_page_put(page, ">");
	if (words != NULL) {
		gti_page_put(page, words);
	} else {
		gti_page_bare_duration(page, to - from);
		gti_page_put(page, " to stop");
	}
	gti_page_put(page, "</text>");
}

/* A diamond where each late processor was given up. */
static void draw_diamonds(struct picture *picture,
			  const struct gtrace_stop *stop)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	size_t i, lane;

	for (i = stop->late_count; i-- > 0;) {
		for (lane = 0; lane < window->lane_count; lane++)
			if (window->lanes[lane].p == stop->late[i].p)
				break;
		if (lane == window->lane_count)
			continue;
		gti_page_format(page, "<svg class=mark y=%d",
				lane_y(picture, lane) - 3);
		put_at(picture, "x", stop->late[i].gave_up);
		gti_page_format(page,
				"><path class=\"gave-up%s\" d=\"M0 6L6 12L0 "
				"18L-6 12Z\"><title>P%lld gave up ",
				i == 0 ? " last" : "",
				(long long)stop->late[i].p);
		gti_page_bare_duration(page,
				       stop->late[i].gave_up - stop->requested);
		gti_page_put(page, " after the request</title></path></svg>");
	}
}

static void draw_measured(struct picture *picture,
			  const struct gtrace_stop *stop)
{
	struct page *page = picture->page;

	draw_moment(picture, stop->requested, "requested", "requested", true);
	draw_moment(picture, stop->obtained, "obtained", "obtained", false);
	draw_measure(picture, stop->requested, stop->obtained, NULL);
	if (stop->stopped >= 0) {
		gti_page_put(page, "<text class=moment y=27 dx=5");
		put_at(picture, "x", stop->obtained);
		gti_page_put(page, ">stood ");
		gti_page_bare_duration(page, stop->stopped);
		gti_page_put(page, "</text>");
	}
	if (stop->ended >= 0 && stop->ended < picture->window->to)
		draw_moment(picture, stop->ended, "ended", NULL, false);
	draw_diamonds(picture, stop);
}

static void draw_inferred(struct picture *picture,
			  const struct gtrace_stop *stop)
{
	draw_moment(picture, stop->requested_min, "requested", "not before",
		    true);
	draw_moment(picture, stop->ts, "ended", "started again", false);
	draw_measure(picture, stop->requested_min, stop->ts,
		     "somewhere in here");
}

void gti_draw_stop(struct page *page, const struct window *window,
		   const struct marks *marks, size_t i)
{
	const struct gtrace_stop *stop = marks->stops[i];
	struct picture picture = {
		.page = page, .window = window, .top = STOP_TOP};
	struct axis axis = {window->from, window->to,
			    stop->inferred ? stop->requested_min
					   : stop->requested,
			    true};
	struct letters name = gti_page_letters(i);

	begin_picture(&picture, "stop", name.text, window->chosen_p, stop);
	gti_draw_axis(page, &axis, picture.bottom);
	draw_bands(&picture, marks, stop);
	draw_lanes(&picture);
	if (stop->inferred)
		draw_inferred(&picture, stop);
	else
		draw_measured(&picture, stop);
	end_picture(&picture, stop->inferred
				      ? "the last slice before the world stood"
				      : "the slice that held it up");
	if (!stop->inferred) {
		legend_item(page, "<line class=requested x1=11 x2=11 y2=14 />",
			    "requested");
		legend_item(page, "<line class=obtained x1=11 x2=11 y2=14 />",
			    "obtained");
		if (stop->ended >= 0 && stop->ended < window->to)
			legend_item(page,
				    "<line class=ended x1=11 x2=11 y2=14 />",
				    "ended, as the runtime counts");
		if (stop->late_count != 0)
			legend_item(page,
				    "<path class=\"gave-up last\" d=\"M11 1L17 "
				    "7L11 13L5 7Z\"/>",
				    "processor given up (filled: the last)");
	}
	gti_page_put(page, "</ul>");
}
