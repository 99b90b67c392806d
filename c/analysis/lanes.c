/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes.c - what processors and goroutines did. */
#include "analysis/lanes.h"

#include <string.h>

#include "base/least.h"
#include "base/sort.h"

/* So many bins in all lanes of the whole trace. */
#define BINS_ALL 24000
#define BINS_MIN 60

/* A window that is not the whole trace has so many bins. */
#define WINDOW_BINS 120

/* A slice has a bar if it takes this share of a window. */
#define BAR_SHARE 400

/* --------------------------------------------------------------- windows -- */

static void set_bins(struct window *window, int64_t bins)
{
	int64_t length = window->to - window->from;

	window->width = (length - 1) / bins + 1;
	window->bins = (uint32_t)((length - 1) / window->width + 1);
}

void gti_window_init(struct window *window, int64_t from, int64_t to)
{
	*window = (struct window){.from = from, .to = to};
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

void gti_window_choose(struct window *window, int64_t p, int64_t at)
{
	window->chosen[window->chosen_count].p = p;
	window->chosen[window->chosen_count++].at = at;
	gti_window_add_lane(window, p);
}

/* Whether the slice TAKEN of P is chosen. */
static bool is_chosen(const struct window *window, const struct bar *taken,
		      int64_t p)
{
	unsigned i;

	for (i = 0; i < window->chosen_count; i++)
		if (window->chosen[i].p == p &&
		    taken->from <= window->chosen[i].at &&
		    window->chosen[i].at < taken->to)
			return true;
	return false;
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

/* Adds BAR of WINDOW to the bins of its lane. */
static void add_share(struct window *window, const struct bar *bar)
{
	uint64_t *shares = window->shares + bar->kind +
			   (size_t)bar->lane * window->bins * LANE_KINDS;
	int64_t from = bar->from, i, end;

	for (i = from / window->width; from < bar->to; i++) {
		end = least_of((i + 1) * window->width, bar->to);
		shares[i * LANE_KINDS] += (uint64_t)(end - from);
		from = end;
	}
}

/* Makes more slices too short for bars, until at most MOST have one. */
static void drop_bars(struct window *window, size_t most)
{
	struct bar *bars = window->bars.items;
	size_t i, count;

	while (window->bars.count > most &&
	       window->shortest < window->to - window->from) {
		window->shortest *= 2;
		for (i = 0, count = 0; i < window->bars.count; i++)
			if (bars[i].chosen ||
			    bars[i].to - bars[i].from >= window->shortest)
				bars[count++] = bars[i];
			else
				add_share(window, &bars[i]);
		window->bars.count = count;
	}
}

/* The part of TAKEN, which overlaps WINDOW, that is in it. */
static struct bar clip(const struct window *window, const struct bar *taken)
{
	struct bar bar = *taken;

	bar.from = greatest_of(bar.from, window->from) - window->from;
	bar.to = least_of(bar.to, window->to) - window->from;
	return bar;
}

/* Adds BAR to its lane of WINDOW. */
static bool add_bar(struct lanes *lanes, struct window *window, struct bar bar,
		    struct gtrace_string name)
{
	if (!bar.chosen &&
	    (bar.to - bar.from < window->shortest ||
	     (window->others != 0 && bar.lane + 1 == window->lane_count))) {
		add_share(window, &bar);
		return true;
	}
	bar.name = gti_texts_put(&lanes->names, name.data, name.size);
	if (bar.name == NO_TEXT ||
	    !gti_array_reserve(&window->bars, sizeof(bar), lanes->memory))
		return false;
	((struct bar *)window->bars.items)[window->bars.count++] = bar;
	drop_bars(window, lanes->bars_max);
	return true;
}

/* Adds BAR, which is within WINDOW, to the lane of its goroutine. */
static bool add_to_goroutine(struct lanes *lanes, struct window *window,
			     struct bar bar, struct gtrace_string name)
{
	uint32_t i;

	bar.chosen = false;
	for (i = 0; i < window->g_count; i++) {
		bar.lane = window->lane_count + i;
		if (window->g[i] == bar.g && !add_bar(lanes, window, bar, name))
			return false;
	}
	return true;
}

/* Takes the slice TAKEN of P to WINDOW, which it overlaps. */
static bool window_take(struct lanes *lanes, struct window *window,
			const struct bar *taken, int64_t p,
			struct gtrace_string name)
{
	struct bar bar = clip(window, taken);

	bar.lane = lane_of(window, p);
	bar.chosen = is_chosen(window, taken, p);
	return (bar.lane >= window->lane_count ||
		add_bar(lanes, window, bar, name)) &&
	       add_to_goroutine(lanes, window, bar, name);
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

static void lengths_take(struct length_class *lengths, const struct bar *slice)
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

/* A window begins or ends at TIME: shortens the time without such an edge. */
static void set_edge(struct lanes *lanes, const struct bar *taken, int64_t time)
{
	if (time <= taken->from)
		lanes->edge_before = greatest_of(lanes->edge_before, time);
	else if (time >= taken->to)
		lanes->edge_after = least_of(lanes->edge_after, time);
	else
		lanes->edge_after = INT64_MIN;
}

/*
 * Returns the windows that TAKEN overlaps. They are those of what was taken
 * before it, if no window begins or ends in between.
 */
static struct window *windows_of(struct lanes *lanes, const struct bar *taken)
{
	size_t i;

	if (taken->from >= taken->to)
		return NULL;
	if (taken->from >= lanes->edge_before && taken->to <= lanes->edge_after)
		return lanes->found;
	lanes->found = NULL;
	lanes->edge_before = INT64_MIN;
	lanes->edge_after = INT64_MAX;
	for (i = lanes->window_count; i-- > 0;) {
		struct window *window = &lanes->windows[i];

		set_edge(lanes, taken, window->from);
		set_edge(lanes, taken, window->to);
		if (taken->from < window->to && window->from < taken->to) {
			window->next = lanes->found;
			lanes->found = window;
		}
	}
	return lanes->found;
}

bool gti_lanes_take(struct lanes *lanes, const struct bar *taken, int64_t p,
		    struct gtrace_string name)
{
	struct window *window;
	struct bar slice = *taken;

	lengths_take(lanes->lengths, &slice);
	slice.from = greatest_of(slice.from, 0);
	slice.to = least_of(slice.to, lanes->windows->to);
	if (p < 0 || p > INT32_MAX)
		return true;
	for (window = windows_of(lanes, &slice); window != NULL;
	     window = window->next)
		if (!window_take(lanes, window, &slice, p, name))
			return false;
	return true;
}

bool gti_lanes_wants(struct lanes *lanes, const struct bar *block)
{
	const struct window *window;
	uint32_t i;

	for (window = windows_of(lanes, block); window != NULL;
	     window = window->next)
		for (i = 0; i < window->g_count; i++)
			if (window->g[i] == block->g)
				return true;
	return false;
}

bool gti_lanes_take_block(struct lanes *lanes, const struct bar *taken,
			  struct gtrace_string name)
{
	struct window *window;

	for (window = windows_of(lanes, taken); window != NULL;
	     window = window->next)
		if (!add_to_goroutine(lanes, window, clip(window, taken), name))
			return false;
	return true;
}

/* ----------------------------------------------------------------- begin -- */

static size_t share_count(const struct window *window)
{
	return (size_t)window_lanes(window) * window->bins * LANE_KINDS + 1;
}

void gti_lanes_restart(struct lanes *lanes)
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
	gti_lanes_restart(lanes);
	return true;
}

bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows)
{
	uint32_t group = (processors + OVERVIEW_LANES - 1) / OVERVIEW_LANES;
	struct window *whole;

	lanes->processors = processors;
	gti_texts_init(&lanes->names, lanes->memory);
	lanes->windows = gti_allocate_zeroed(lanes->memory, windows + 1,
					     sizeof(*lanes->windows));
	if (lanes->windows == NULL)
		return false;
	lanes->window_count = windows + 1;
	whole = lanes->windows;
	gti_window_init(whole, 0, length);
	whole->group = group != 0 ? group : 1;
	whole->lane_count = (processors + whole->group - 1) / whole->group;
	set_bins(whole, greatest_of(least_of(BINS_ALL / (processors + 1),
					     OVERVIEW_BINS),
				    BINS_MIN));
	return true;
}

static int compare_bars(const void *a, const void *b)
{
	const struct bar *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

bool gti_lanes_end(struct lanes *lanes)
{
	struct texts names = lanes->names;
	struct gtrace_string name;
	struct bar *bars;
	bool good = true;
	size_t i, j, count;

	gti_texts_init(&lanes->names, lanes->memory);
	for (i = 0; i < lanes->window_count; i++) {
		bars = lanes->windows[i].bars.items;
		count = lanes->windows[i].bars.count;
		if (count > 1)
			gti_sort(bars, count, sizeof(*bars), compare_bars);
		for (j = 0; j < count; j++) {
			name = texts_at(&names, bars[j].name);
			bars[j].name = gti_texts_put(&lanes->names, name.data,
						     name.size);
			good = good && bars[j].name != NO_TEXT;
		}
	}
	gti_texts_free(&names);
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
