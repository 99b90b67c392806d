/* SPDX-License-Identifier: BSD-3-Clause */
/* html_draw.c - pictures of what processors did around a slice or a stop. */
#include "report/html_draw.h"

#include <string.h>

#include "report/html_axis.h"
#include "report/html_picture.h"

/* Pixels. */
#define SLICE_TOP   24 /* above the lanes: letters of stops */
#define STOP_TOP    34 /* and what is said of times */
#define AXIS_HEIGHT 18

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
		times->to =
			stop->restarted != -1 ? stop->restarted : stop->ended;
	}
	if (times->from < 0)
		return false;
	if (times->to < times->from)
		times->to =
			times->stood > times->from ? times->stood : times->from;
	return true;
}

/* ----------------------------------------------------------------- stops -- */

/* The band of one stop, with its letters above unless it is stop I. */
static void draw_band(struct picture *picture, const struct gtrace_stop *stop,
		      size_t number, bool letters)
{
	const struct window *window = picture->window;
	struct page *page = picture->page;
	int64_t edge = (window->to - window->from) / 40, middle;
	int y = picture->top - 4;
	struct stop_times times;
	struct letters name = gti_page_letters(number);

	if (!gti_stop_times(stop, &times) || times.to <= window->from ||
	    times.from >= window->to)
		return;
	gti_page_format(page, "<rect class=band y=%d height=%d", y,
			picture->bottom - y);
	gti_picture_across(picture, times.from,
			   times.stood >= 0 ? times.stood : times.to);
	gti_page_put(page, "/>");
	picture->stops = true;
	if (times.stood >= 0 && times.to > window->from &&
	    times.stood < window->to) {
		gti_page_format(page, "<rect class=stood y=%d height=%d", y,
				picture->bottom - y);
		gti_picture_across(picture, times.stood, times.to);
		gti_page_put(page, "/>");
		picture->stood = true;
	}
	if (!letters)
		return;
	middle = gti_picture_clip(window, times.from) / 2 +
		 gti_picture_clip(window, times.to) / 2;
	gti_page_format(page,
			"<a href=\"#w%s\" aria-label=\"stop %s\">"
			"<text class=letter y=14 text-anchor=%s",
			name.text, name.text,
			middle - window->from < edge ? "start"
			: window->to - middle < edge ? "end"
						     : "middle");
	gti_picture_at(picture, "x", middle);
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

/* ------------------------------------------------------------ begin, end -- */

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
				picture_lane_y(picture, i) + 14,
				window->lanes[i].p == chosen_p ? " class=own"
							       : "",
				(long long)window->lanes[i].p,
				part_of(stop, window->lanes[i].p));
	if (window->others != 0)
		gti_page_format(page, "<text y=%d>%u others</text>",
				picture_lane_y(picture, i) + 14,
				window->others);
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
				picture_lane_y(picture, i) - 1, BAR_HEIGHT + 2);
	if (window->known_until >= window->to)
		return;
	for (i = 0; i < lanes; i++) {
		gti_page_format(page, "<rect class=missing y=%d height=%d",
				picture_lane_y(picture, i) - 1, BAR_HEIGHT + 2);
		gti_picture_across(picture, window->known_until, window->to);
		gti_page_put(page, "/>");
	}
}

void gti_draw_legend_item(struct page *page, const char *shape,
			  const char *text)
{
	gti_page_format(page,
			"<li><svg width=22 height=14 aria-hidden=true>%s</svg>"
			"%s</li>",
			shape, text);
}

void gti_draw_legend_works(struct page *page, const bool works[WORKS],
			   bool missing)
{
	if (works[GTRACE_WORK_PROGRAM])
		gti_draw_legend_item(page, LEGEND_RECT("bar program"),
				     "program");
	if (works[GTRACE_WORK_RUNTIME])
		gti_draw_legend_item(page, LEGEND_RECT("bar runtime"),
				     "runtime, GC");
	if (works[GTRACE_WORK_SYSCALL])
		gti_draw_legend_item(page, LEGEND_RECT("bar syscall"),
				     "in a system call");
	if (works[GTRACE_WORK_TRACER])
		gti_draw_legend_item(page, LEGEND_RECT("bar tracer"),
				     "the tracer");
	if (works[WORK_UNKNOWN])
		gti_draw_legend_item(page, LEGEND_RECT("bar unknown"),
				     "not known: no stack");
	gti_draw_legend_item(page, LEGEND_RECT("lane"), "idle");
	if (missing)
		gti_draw_legend_item(page, LEGEND_RECT("missing"),
				     "not in the file, or idle");
}

static void end_picture(struct picture *picture, const char *chosen)
{
	struct page *page = picture->page;

	gti_page_put(page, "</svg></div></div><ul class=legend>");
	if (picture->chosen)
		gti_draw_legend_item(page, LEGEND_RECT("bar chosen"), chosen);
	gti_draw_legend_works(page, picture->works,
			      picture->window->known_until <
				      picture->window->to);
	if (picture->blocks)
		gti_draw_legend_item(
			page,
			"<rect class=\"bar block program\" y=6 width=22 "
			"height=8 />",
			"short slices: height is the share busy");
	if (picture->stops)
		gti_draw_legend_item(page, LEGEND_RECT("band"),
				     "a stop of the world, from its request");
	if (picture->stood)
		gti_draw_legend_item(page, LEGEND_RECT("stood"),
				     "the world stands");
}

/* ----------------------------------------------------------------- slice -- */

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
	gti_picture_bars(&picture);
	end_picture(&picture, "this slice");
	gti_page_put(page, "</ul>");
}

/* ------------------------------------------------------------------ stop -- */

/* A line down the picture, with words beside it. */
static void draw_moment(struct picture *picture, int64_t time,
			const char *class, const char *words, bool left)
{
	struct page *page = picture->page;

	/* A line without words starts below the words of other lines. */
	gti_page_format(page, "<line class=%s y1=%d y2=%d", class,
			words != NULL ? 8 : picture->top - 4, picture->bottom);
	gti_picture_at(picture, "x1", time);
	gti_picture_at(picture, "x2", time);
	gti_page_put(page, "/>");
	if (words == NULL)
		return;
	gti_page_format(page, "<text class=moment y=13 dx=%d text-anchor=%s",
			left ? -5 : 5, left ? "end" : "start");
	gti_picture_at(picture, "x", time);
	gti_page_format(page, ">%s</text>", words);
}

/* A line across from FROM to TO, with words above it. */
static void draw_measure(struct picture *picture, int64_t from, int64_t to,
			 const char *words)
{
	struct page *page = picture->page;

	gti_page_put(page, "<line class=measure y1=22 y2=22");
	gti_picture_at(picture, "x1", from);
	gti_picture_at(picture, "x2", to);
	gti_page_put(page, "/><text class=measured y=17 text-anchor=middle");
	gti_picture_at(picture, "x", from / 2 + to / 2);
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
				picture_lane_y(picture, lane) - 3);
		gti_picture_at(picture, "x", stop->late[i].gave_up);
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
		gti_picture_at(picture, "x", stop->obtained);
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
	struct axis axis = {
		window->from, window->to,
		stop->inferred ? stop->requested_min : stop->requested, true};
	struct letters name = gti_page_letters(i);

	begin_picture(&picture, "stop", name.text, window->chosen_p, stop);
	gti_draw_axis(page, &axis, picture.bottom);
	draw_bands(&picture, marks, stop);
	gti_picture_bars(&picture);
	if (stop->inferred)
		draw_inferred(&picture, stop);
	else
		draw_measured(&picture, stop);
	end_picture(&picture, stop->inferred
				      ? "the last slice before the world stood"
				      : "the slice that held it up");
	if (!stop->inferred) {
		gti_draw_legend_item(
			page, "<line class=requested x1=11 x2=11 y2=14 />",
			"requested");
		gti_draw_legend_item(
			page, "<line class=obtained x1=11 x2=11 y2=14 />",
			"obtained");
		if (stop->ended >= 0 && stop->ended < window->to)
			gti_draw_legend_item(
				page, "<line class=ended x1=11 x2=11 y2=14 />",
				"ended");
		if (stop->late_count != 0)
			gti_draw_legend_item(
				page,
				"<path class=\"gave-up last\" d=\"M11 1L17 "
				"7L11 13L5 7Z\"/>",
				"processor given up (filled: the last)");
	}
	gti_page_put(page, "</ul>");
}
