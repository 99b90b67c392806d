/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes.c - what processors did. */
#include "analysis/lanes.h"

#include <string.h>

#include "base/least.h"

/* So many bins in all lanes of the whole trace. */
#define BINS_ALL 24000
#define BINS_MIN 60

/* A slice has a bar if it takes this share of a window. */
#define BAR_SHARE 400

/* --------------------------------------------------------------- windows -- */

static void set_bins(struct window *window, int64_t bins)
{
	int64_t length = window->to - window->from;

	window->width = (length - 1) / bins + 1;
	window->bins = (uint32_t)((length - 1) / window->width + 1);
}

void gti_window_init(struct window *window, int64_t from, int64_t to,
		     size_t bars_max)
{
	*window = (struct window){
		.from = from,
		.to = to,
		.chosen_p = -1,
		.bars_max = bars_max,
	};
	set_bins(window, WINDOW_BINS);
}

/* The lane of processor P, which is not negative. */
static uint32_t lane_of(const struct window *window, int64_t p)
{
	uint32_t i;

	if (window->group != 0)
		return (uint32_t)(p / window->group);
	for (i = 0; i < window->lane_count && i < WINDOW_LANES; i++)
		if (window->p[i] == p)
			break;
	return i;
}

void gti_window_add_lane(struct window *window, int64_t p)
{
	if (p >= 0 && window->lane_count < WINDOW_LANES &&
	    lane_of(window, p) == window->lane_count)
		window->p[window->lane_count++] = p;
}

/* Fills the lanes of a window, and puts them in order. */
static void fill_lanes(struct window *window, uint32_t processors)
{
	uint32_t p, i, j;
	int64_t moved;

	for (p = 0; p < processors && window->lane_count < WINDOW_LANES; p++)
		gti_window_add_lane(window, p);
	for (i = 1; i < window->lane_count; i++) {
		moved = window->p[i];
		for (j = i; j > 0 && window->p[j - 1] > moved; j--)
			window->p[j] = window->p[j - 1];
		window->p[j] = moved;
	}
	if (processors > window->lane_count)
		window->others = processors - window->lane_count++;
}

static void add_share(struct window *window, uint32_t lane, enum lane_kind kind,
		      int64_t from, int64_t to)
{
	uint64_t *shares = window->shares +
			   (size_t)lane * window->bins * LANE_KINDS + kind;
	int64_t i, end;

	from -= window->from;
	to -= window->from;
	for (i = from / window->width; from < to; i++) {
		end = least_of((i + 1) * window->width, to);
		shares[i * LANE_KINDS] += (uint64_t)(end - from);
		from = end;
	}
}

/* Makes more slices too short for bars, until there are few enough. */
static void drop_bars(struct window *window)
{
	struct bar *bars = window->bars.items;
	size_t i, count;

	while (window->bars.count > window->bars_max &&
	       window->shortest < window->to - window->from) {
		window->shortest *= 2;
		for (i = 0, count = 0; i < window->bars.count; i++)
			if (bars[i].chosen ||
			    bars[i].to - bars[i].from >= window->shortest)
				bars[count++] = bars[i];
			else
				add_share(window, bars[i].lane, bars[i].kind,
					  bars[i].from, bars[i].to);
		window->bars.count = count;
	}
}

static bool add_bar(struct lanes *lanes, struct window *window,
		    const struct bar *bar)
{
	struct bar *bars;

	if (bar->name == NO_TEXT ||
	    !gti_array_reserve(&window->bars, sizeof(*bar), lanes->memory))
		return false;
	bars = window->bars.items;
	bars[window->bars.count++] = *bar;
	drop_bars(window);
	return true;
}

/* Takes SLICE to WINDOW, which it overlaps. */
static bool window_take(struct lanes *lanes, struct window *window,
			const struct lane_slice *slice)
{
	struct bar bar = {
		.from = greatest_of(slice->from, window->from),
		.to = least_of(slice->to, window->to),
		.duration = slice->duration,
		.g = slice->g,
		.lane = lane_of(window, slice->p),
		.kind = slice->kind,
		.chosen = slice->p == window->chosen_p &&
			  slice->from <= window->chosen_at &&
			  window->chosen_at < slice->to,
	};

	if (bar.lane >= window->lane_count)
		return true;
	if (!bar.chosen &&
	    (bar.to - bar.from < window->shortest ||
	     (window->others != 0 && bar.lane + 1 == window->lane_count))) {
		add_share(window, bar.lane, bar.kind, bar.from, bar.to);
		return true;
	}
	bar.name = gti_texts_put(&lanes->names, slice->name.data,
				 slice->name.size);
	return add_bar(lanes, window, &bar);
}

/* --------------------------------------------------------------- lengths -- */

static void lengths_begin(struct length_class *lengths)
{
	static const int64_t steps[] = {1, 2, 5};
	int64_t unit = 1000;
	unsigned i;

	memset(lengths, 0, LENGTH_CLASSES * sizeof(*lengths));
	for (i = 1; i < LENGTH_CLASSES; i++) {
		lengths[i].begin = unit * steps[(i - 1) % 3];
		unit *= i % 3 == 0 ? 10 : 1;
	}
}

static void lengths_take(struct length_class *lengths,
			 const struct lane_slice *slice)
{
	unsigned i = 0;

	/* Most slices are short. */
	while (i + 1 < LENGTH_CLASSES &&
	       slice->duration >= lengths[i + 1].begin)
		i++;
	lengths[i].count++;
	lengths[i].ns[slice->kind] += (uint64_t)slice->duration;
}

/* ------------------------------------------------------------------ take -- */

bool gti_lanes_take(struct lanes *lanes, const struct lane_slice *given)
{
	struct window *window = lanes->windows;
	struct lane_slice slice = *given;
	size_t i;

	lengths_take(lanes->lengths, &slice);
	slice.from = greatest_of(slice.from, 0);
	slice.to = least_of(slice.to, window->to);
	if (slice.p < 0 || slice.p > INT32_MAX)
		return true;
	for (i = 0; i < lanes->window_count; i++, window++)
		if (slice.from < window->to && window->from < slice.to &&
		    slice.from < slice.to &&
		    !window_take(lanes, window, &slice))
			return false;
	return true;
}

/* ----------------------------------------------------------------- begin -- */

static size_t share_count(const struct window *window)
{
	return (size_t)window->lane_count * window->bins * LANE_KINDS + 1;
}

void gti_lanes_begin(struct lanes *lanes)
{
	struct window *window = lanes->windows;
	size_t i;

	lengths_begin(lanes->lengths);
	for (i = 0; i < lanes->window_count; i++, window++) {
		memset(window->shares, 0,
		       share_count(window) * sizeof(*window->shares));
		window->bars.count = 0;
		window->shortest =
			greatest_of((window->to - window->from) / BAR_SHARE, 1);
	}
	/* The whole trace has no bars. */
	lanes->windows->shortest = INT64_MAX;
}

bool gti_lanes_set(struct lanes *lanes)
{
	struct window *window = lanes->windows;
	size_t i;

	for (i = 0; i < lanes->window_count; i++, window++) {
		if (i != 0)
			fill_lanes(window, lanes->processors);
		window->shares =
			gti_allocate_zeroed(lanes->memory, share_count(window),
					    sizeof(*window->shares));
		if (window->shares == NULL)
			return false;
	}
	return true;
}

bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows, const struct gtrace_allocator *memory)
{
	uint32_t group = (processors + OVERVIEW_LANES - 1) / OVERVIEW_LANES;
	struct window *whole;

	lanes->memory = memory;
	lanes->processors = processors;
	gti_texts_init(&lanes->names, memory);
	lanes->windows = gti_allocate_zeroed(memory, windows + 1,
					     sizeof(*lanes->windows));
	if (lanes->windows == NULL)
		return false;
	lanes->window_count = windows + 1;
	whole = lanes->windows;
	gti_window_init(whole, 0, length, 0);
	whole->group = group != 0 ? group : 1;
	whole->lane_count = (processors + whole->group - 1) / whole->group;
	set_bins(whole, greatest_of(least_of(BINS_ALL / (processors + 1),
					     OVERVIEW_BINS),
				    BINS_MIN));
	return true;
}

/* Renumbers the names of WINDOW's bars in LANE by their places in NAMES. */
static bool number_names(const struct lanes *lanes, struct window *window,
			 uint32_t lane, struct texts *names)
{
	struct bar *bars = window->bars.items;
	struct gtrace_string name;
	size_t i;

	for (i = 0; i < window->bars.count; i++) {
		if (bars[i].lane != lane)
			continue;
		name = texts_at(&lanes->names, bars[i].name);
		bars[i].name = gti_texts_put(names, name.data, name.size);
		if (bars[i].name == NO_TEXT)
			return false;
	}
	return true;
}

bool gti_lanes_end(struct lanes *lanes)
{
	struct texts names;
	bool good = true;
	uint32_t lane;
	size_t i;

	gti_texts_init(&names, lanes->memory);
	for (i = 0; i < lanes->window_count; i++)
		for (lane = 0; lane < lanes->windows[i].lane_count; lane++)
			good = good && number_names(lanes, &lanes->windows[i],
						    lane, &names);
	gti_texts_free(&lanes->names);
	lanes->names = names;
	return good;
}

void gti_lanes_free(struct lanes *lanes)
{
	struct window *window = lanes->windows;
	size_t i;

	for (i = 0; i < lanes->window_count; i++, window++) {
		gti_array_free(&window->bars, sizeof(struct bar),
			       lanes->memory);
		if (window->shares != NULL)
			gti_release(lanes->memory, window->shares,
				    share_count(window) *
					    sizeof(*window->shares));
	}
	gti_release(lanes->memory, lanes->windows,
		    lanes->window_count * sizeof(*lanes->windows));
	gti_texts_free(&lanes->names);
}
