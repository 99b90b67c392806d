/* SPDX-License-Identifier: BSD-3-Clause */
/* html_overview.c - a picture of what all processors did over a whole trace. */
#include "report/html_axis.h"
#include "report/html_draw.h"

/* Pixels. */
#define TOP         26
#define AXIS_HEIGHT 18
#define GAP         4
#define LANES_SMALL 576 /* of all lanes, if there are many */
#define LANE_MIN    3
#define LANE_MARKED 14 /* from this height on a number fits in a lane */

/* Numbers and letters are left out that would be nearer, in per mille. */
#define NUMBER_GAP 26
#define LETTER_GAP 32

/* A number fits in a bar of more than 1/NUMBER_SHARE of the trace. */
#define NUMBER_SHARE 60

/* Text within 1/EDGE_SHARE of the trace from its ends is not centred. */
#define EDGE_SHARE 40

/* Slices and stops are drawn at least this wide, in shares of the trace. */
#define SLICE_SHARE_MIN 400
#define STOP_SHARE_MIN  330

/* The height of a path of an area. */
#define AREA 99

struct sizes {
	int lane;
	int gap;
	unsigned every; /* lanes have names */
	int bottom;
};

static struct sizes sizes_of(const struct overview *overview)
{
	uint32_t lanes = overview->lanes;
	struct sizes sizes = {30, GAP, 1, 0};

	if (lanes > 64) {
		sizes.lane = LANES_SMALL / (int)lanes;
		if (sizes.lane < LANE_MIN)
			sizes.lane = LANE_MIN;
		sizes.gap = 0;
		sizes.every = 32;
	} else if (lanes > 24) {
		sizes = (struct sizes){9, 1, 8, 0};
	} else if (lanes > 8) {
		sizes = (struct sizes){14, 2, 4, 0};
	} else if (lanes > 4) {
		sizes.lane = 22;
	}
	sizes.bottom = TOP + (int)lanes * sizes.lane;
	return sizes;
}

static int lane_y(const struct sizes *sizes, uint32_t lane)
{
	return TOP + (int)lane * sizes->lane + sizes->gap / 2;
}

static void put_across(struct page *page, int64_t from, int64_t to,
		       int64_t length, int64_t shares)
{
	int64_t width = to - from;

	if (width < length / shares)
		width = length / shares;
	gti_page_put(page, " x=\"");
	gti_page_percent(page, from, length);
	gti_page_put(page, "\" width=\"");
	gti_page_percent(page, width, length);
	gti_page_put(page, "\"");
}

/* ----------------------------------------------------------------- areas -- */

/* The height of what is busy in bin I with the first WORKS works. */
static int height_at(const struct overview *overview,
		     const struct share *shares, uint32_t i, unsigned works)
{
	double whole =
		(double)overview->length / overview->bins * overview->group;
	double busy = 0;
	int height;

	while (works-- > 0)
		busy += (double)shares[i].ns[works];
	height = (int)(AREA * busy / whole + 0.5);
	return height > AREA ? AREA : height;
}

/* An area up to the sum of the first WORKS works. */
static void draw_area(struct page *page, const struct overview *overview,
		      const struct share *shares, unsigned works)
{
	int height, last = 0;
	uint32_t i;

	gti_page_format(page, "<path class=%s d=\"M0 %d",
			gti_page_class((enum gtrace_work)(works - 1)), AREA);
	for (i = 0; i < overview->bins; i++) {
		height = height_at(overview, shares, i, works);
		if (height != last)
			gti_page_format(page, "H%uV%d", i, AREA - height);
		last = height;
	}
	gti_page_format(page, "H%uV%dZ\"/>", overview->bins, AREA);
}

static bool has_work(const struct overview *overview,
		     const struct share *shares, unsigned work)
{
	uint32_t i;

	for (i = 0; i < overview->bins; i++)
		if (shares[i].ns[work] != 0)
			return true;
	return false;
}

static void draw_lane(struct page *page, const struct overview *overview,
		      const struct sizes *sizes, uint32_t lane)
{
	const struct share *shares =
		overview->shares + (size_t)lane * overview->bins;
	unsigned works;

	gti_page_format(page,
			"<svg y=%d width=\"100%%\" height=%d viewBox=\"0 0 %u "
			"%d\" preserveAspectRatio=none>",
			lane_y(sizes, lane), sizes->lane - sizes->gap,
			overview->bins, AREA);
	for (works = WORKS; works > 0; works--)
		if (has_work(overview, shares, works - 1))
			draw_area(page, overview, shares, works);
	gti_page_put(page, "</svg>");
}

/* ----------------------------------------------------------------- marks -- */

/* Whether marks at MIDDLE and OTHER are nearer than GAP_MIN, in per mille. */
static bool is_near(int64_t middle, int64_t other, int64_t length, int gap_min)
{
	int64_t gap = middle > other ? middle - other : other - middle;

	return (double)gap * 1000 < (double)length * gap_min;
}

static int64_t middle_of_stop(const struct gtrace_stop *stop)
{
	struct stop_times times;

	if (!gti_stop_times(stop, &times))
		return -1;
	return times.from / 2 + times.to / 2;
}

/* Whether a stop that took longer has its letters too near. */
static bool has_letters(const struct overview *overview,
			const struct marks *marks, size_t i)
{
	int64_t middle = middle_of_stop(marks->stops[i]);
	size_t j;

	for (j = 0; j < i; j++)
		if (is_near(middle, middle_of_stop(marks->stops[j]),
			    overview->length, LETTER_GAP))
			return false;
	return true;
}

static void draw_stop_band(struct page *page, const struct overview *overview,
			   const struct sizes *sizes,
			   const struct gtrace_stop *stop)
{
	struct stop_times times;

	if (!gti_stop_times(stop, &times))
		return;
	gti_page_format(page, "<rect class=band y=%d height=%d", TOP - 4,
			sizes->bottom - TOP + 6);
	put_across(page, times.from, times.to, overview->length,
		   STOP_SHARE_MIN);
	gti_page_put(page, "/>");
}

/* Where text at TIME is to be anchored so that it is not cut off. */
static const char *anchor_at(const struct overview *overview, int64_t time)
{
	int64_t edge = overview->length / EDGE_SHARE;

	return time < edge                      ? "start"
	       : time > overview->length - edge ? "end"
						: "middle";
}

static void draw_stop(struct page *page, const struct overview *overview,
		      const struct marks *marks, size_t i, bool letters)
{
	struct letters name = gti_page_letters(i);
	struct stop_times times;

	if (!gti_stop_times(marks->stops[i], &times))
		return;
	gti_page_format(page, "<rect class=stop-bar y=%d height=6", TOP - 9);
	put_across(page, times.from, times.to, overview->length,
		   STOP_SHARE_MIN);
	gti_page_put(page, "/>");
	if (!letters)
		return;
	gti_page_format(page,
			"<a href=\"#w%s\" aria-label=\"stop %s\"><text "
			"class=letter y=13 text-anchor=%s x=\"",
			name.text, name.text,
			anchor_at(overview, middle_of_stop(marks->stops[i])));
	gti_page_percent(page, middle_of_stop(marks->stops[i]),
			 overview->length);
	gti_page_format(page, "\">%s</text></a>", name.text);
}

static int64_t end_of(const struct overview *overview,
		      const struct gtrace_slice *slice)
{
	return slice->still_running ? overview->length : slice->end.ts;
}

static int64_t middle_of_slice(const struct overview *overview,
			       const struct gtrace_slice *slice)
{
	return slice->start.ts / 2 + end_of(overview, slice) / 2;
}

/* Whether a longer slice in the lane of slice I has its number too near. */
static bool has_number(const struct overview *overview,
		       const struct marks *marks, size_t i)
{
	const struct gtrace_slice *slice = marks->slices[i];
	int64_t middle = middle_of_slice(overview, slice);
	size_t j;

	for (j = 0; j < i; j++)
		if (marks->slices[j]->p / overview->group ==
			    slice->p / overview->group &&
		    is_near(middle, middle_of_slice(overview, marks->slices[j]),
			    overview->length, NUMBER_GAP))
			return false;
	return true;
}

static void draw_number(struct page *page, const struct overview *overview,
			const struct sizes *sizes,
			const struct gtrace_slice *slice, size_t i)
{
	int y = lane_y(sizes, (uint32_t)(slice->p / overview->group));
	int64_t end = end_of(overview, slice);
	bool inside = sizes->lane - sizes->gap >= LANE_MARKED &&
		      end - slice->start.ts > overview->length / NUMBER_SHARE;
	bool left = !inside &&
		    end > overview->length - overview->length / EDGE_SHARE;
	int64_t at = inside ? middle_of_slice(overview, slice)
		     : left ? slice->start.ts
			    : end;

	gti_page_format(page, "<text class=%s y=%d text-anchor=%s x=\"",
			inside ? "on-chosen" : "beside",
			y + (sizes->lane - sizes->gap) / 2 + 4,
			inside ? "middle"
			: left ? "end"
			       : "start");
	gti_page_percent(page, at, overview->length);
	gti_page_format(page, "\">%zu</text>", i + 1);
}

static void draw_slice(struct page *page, const struct overview *overview,
		       const struct sizes *sizes, const struct marks *marks,
		       size_t i)
{
	const struct gtrace_slice *slice = marks->slices[i];
	struct naming naming = gti_name_slice(slice);
	struct shown shown;

	if (slice->p < 0 || slice->p >= overview->processors)
		return;
	gti_show_naming(&shown, &naming);
	gti_page_format(page,
			"<a href=\"#s%zu\" aria-label=\"slice %zu\"><rect "
			"class=\"bar chosen\" y=%d height=%d",
			i + 1, i + 1,
			lane_y(sizes, (uint32_t)(slice->p / overview->group)),
			sizes->lane - sizes->gap);
	put_across(page, slice->start.ts, end_of(overview, slice),
		   overview->length, SLICE_SHARE_MIN);
	gti_page_format(page, "><title>slice %zu: ", i + 1);
	gti_page_shown(page, &shown);
	gti_page_put(page, ", ");
	gti_page_bare_duration(page, slice->duration);
	gti_page_put(page, "</title></rect>");
	if (has_number(overview, marks, i))
		draw_number(page, overview, sizes, slice, i);
	gti_page_put(page, "</a>");
}

/* --------------------------------------------------------------- picture -- */

static void draw_names(struct page *page, const struct overview *overview,
		       const struct sizes *sizes)
{
	uint32_t lane, last;

	gti_page_format(page,
			"<div class=picture><svg class=names width=%d "
			"height=%d aria-hidden=true>",
			overview->group > 1 ? 84 : 40,
			sizes->bottom + AXIS_HEIGHT);
	for (lane = 0; lane < overview->lanes; lane += sizes->every) {
		gti_page_format(page, "<text y=%d>P%u",
				lane_y(sizes, lane) +
					(sizes->lane - sizes->gap) / 2 + 4,
				lane * overview->group);
		last = lane * overview->group + overview->group - 1;
		if (overview->group > 1)
			gti_page_format(page, "\xe2\x80\x93P%u", last);
		gti_page_put(page, "</text>");
	}
	gti_page_put(page, "</svg>");
}

/* Marks are drawn from the last to the first: the longest is on top. */
static void draw_marks(struct page *page, const struct overview *overview,
		       const struct sizes *sizes, const struct marks *marks)
{
	size_t i;

	for (i = marks->stop_count; i-- > 0;)
		draw_stop(page, overview, marks, i,
			  has_letters(overview, marks, i));
	for (i = marks->slice_count; i-- > 0;)
		draw_slice(page, overview, sizes, marks, i);
}

static void draw_legend(struct page *page, const struct overview *overview,
			const struct marks *marks)
{
	bool works[WORKS] = {false};
	uint32_t lane;
	unsigned i;

	for (lane = 0; lane < overview->lanes; lane++)
		for (i = 0; i < WORKS; i++)
			works[i] |=
				has_work(overview,
					 overview->shares +
						 (size_t)lane * overview->bins,
					 i);
	gti_page_put(page, "<ul class=legend>");
	gti_draw_legend_works(page, works,
			      overview->known_until < overview->length);
	if (marks->slice_count != 0)
		gti_draw_legend_item(page, LEGEND_RECT("bar chosen"),
				     "the longest slices (numbers)");
	if (marks->stop_count != 0)
		gti_draw_legend_item(
			page, "<rect class=stop-bar y=4 width=22 height=6 />",
			"stops of the world (letters)");
	gti_page_put(page, "</ul>");
}

void gti_draw_overview(struct page *page, const struct overview *overview,
		       const struct marks *marks)
{
	struct sizes sizes = sizes_of(overview);
	struct axis axis = {0, overview->length, 0, false};
	uint32_t lane;
	size_t i;

	draw_names(page, overview, &sizes);
	gti_page_format(page,
			"<div class=scroll tabindex=0 role=region "
			"aria-label=\"the whole trace, scrolls when it is "
			"zoomed\"><svg class=plot width=\"100%%\" height=%d "
			"role=img aria-label=\"how busy each of %u processors "
			"was\">",
			sizes.bottom + AXIS_HEIGHT, overview->processors);
	for (lane = 0; lane < overview->lanes; lane++)
		gti_page_format(page,
				"<rect class=lane width=\"100%%\" y=%d "
				"height=%d />",
				lane_y(&sizes, lane), sizes.lane - sizes.gap);
	for (lane = 0; overview->known_until < overview->length &&
		       lane < overview->lanes;
	     lane++) {
		gti_page_format(page, "<rect class=missing y=%d height=%d",
				lane_y(&sizes, lane), sizes.lane - sizes.gap);
		put_across(page, overview->known_until, overview->length,
			   overview->length, STOP_SHARE_MIN);
		gti_page_put(page, "/>");
	}
	gti_draw_axis(page, &axis, sizes.bottom);
	for (i = 0; i < marks->stop_count; i++)
		draw_stop_band(page, overview, &sizes, marks->stops[i]);
	for (lane = 0; lane < overview->lanes; lane++)
		draw_lane(page, overview, &sizes, lane);
	draw_marks(page, overview, &sizes, marks);
	gti_page_put(page, "</svg></div></div>");
	draw_legend(page, overview, marks);
}
