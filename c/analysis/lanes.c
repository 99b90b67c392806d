/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes.c - what processors and goroutines did. */
#include "analysis/lanes.h"

#include <string.h>

#include "base/array.h"
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
	/* Few processors all have lanes. */
	if (p < window->lane_count && p < WINDOW_LANES && window->p[p] == p)
		return (uint32_t)p;
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

/* Adds what is of KIND from one time to another to the bins of LANE. */
static void add_share(struct window *window, uint32_t lane, enum lane_kind kind,
		      int64_t from, int64_t to)
{
	uint64_t *shares = window->shares + kind +
			   (size_t)lane * window->bins * LANE_KINDS;
	int64_t i, end;

	for (i = from / window->width; from < to; i++) {
		end = least_of((i + 1) * window->width, to);
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
				add_share(window, bars[i].lane, bars[i].kind,
					  bars[i].from, bars[i].to);
		window->bars.count = count;
	}
}

/* Adds the part of TAKEN in WINDOW, which it overlaps, to a LANE of that. */
static bool add_bar(struct lanes *lanes, struct window *window,
		    const struct bar *taken, uint32_t lane, bool chosen,
		    struct gtrace_string name)
{
	int64_t from = greatest_of(taken->from, window->from) - window->from;
	int64_t to = least_of(taken->to, window->to) - window->from;
	struct bar *bar;
	uint32_t number;

	if (!chosen &&
	    (to - from < window->shortest ||
	     (window->others != 0 && lane + 1 == window->lane_count))) {
		add_share(window, lane, taken->kind, from, to);
		return true;
	}
	number = gti_texts_put(&lanes->names, name.data, name.size);
	if (number == NO_TEXT)
		return false;
	bar = array_add(&window->bars, taken, sizeof(*bar), lanes->memory);
	if (bar == NULL)
		return false;
	bar->from = from;
	bar->to = to;
	bar->lane = lane;
	bar->name = number;
	bar->chosen = chosen;
	drop_bars(window, lanes->bars_max);
	return true;
}

/* Adds TAKEN, which overlaps WINDOW, to the lane of its goroutine. */
static bool add_to_goroutine(struct lanes *lanes, struct window *window,
			     const struct bar *taken, struct gtrace_string name)
{
	uint32_t i;

	for (i = 0; i < window->g_count; i++)
		if (window->g[i] == taken->g &&
		    !add_bar(lanes, window, taken, window->lane_count + i,
			     false, name))
			return false;
	return true;
}

/* Takes TAKEN, of the goroutine on P, to WINDOW, which it overlaps. */
static bool window_take(struct lanes *lanes, struct window *window,
			const struct bar *taken, int64_t p,
			struct gtrace_string name)
{
	uint32_t lane = lane_of(window, p);

	return (lane >= window->lane_count ||
		add_bar(lanes, window, taken, lane,
			taken->kind != LANE_ASSIST &&
				is_chosen(window, taken, p),
			name)) &&
	       add_to_goroutine(lanes, window, taken, name);
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

/*
 * Cuts BAR to what is in the trace. Returns the windows but the first, as bits,
 * that overlap the parts of the trace where it is: 0 if nothing is left of it.
 */
static uint64_t cut(const struct lanes *lanes, struct bar *bar)
{
	uint64_t windows = 0;
	int64_t part;

	bar->from = greatest_of(bar->from, lanes->windows->from);
	bar->to = least_of(bar->to, lanes->windows->to);
	for (part = bar->from / lanes->part; part * lanes->part < bar->to;
	     part++)
		windows |= lanes->cover[part];
	return windows;
}

/* The first one of WINDOWS, which are not 0, if it overlaps BAR, or NULL. */
static struct window *first_window(const struct lanes *lanes, uint64_t windows,
				   const struct bar *bar)
{
	struct window *window = &lanes->windows[1 + lowest_bit(windows)];

	return bar->from < window->to && window->from < bar->to ? window : NULL;
}

/* Takes TAKEN, a slice on P or a part of one, to all windows. */
static bool take(struct lanes *lanes, const struct bar *taken, int64_t p,
		 struct gtrace_string name)
{
	struct window *window = lanes->windows;
	struct bar slice = *taken;
	uint64_t windows = cut(lanes, &slice);
	uint32_t lane;

	if (p < 0 || p > INT32_MAX || slice.from >= slice.to)
		return true;
	/* The whole trace has no bars. */
	lane = lane_of(window, p);
	if (lane < window->lane_count)
		add_share(window, lane, slice.kind, slice.from - window->from,
			  slice.to - window->from);
	for (; windows != 0; windows &= windows - 1) {
		window = first_window(lanes, windows, &slice);
		if (window != NULL &&
		    !window_take(lanes, window, &slice, p, name))
			return false;
	}
	return true;
}

/* Takes the part of SLICE, on P, that is a mark assist from FROM to TO. */
static bool take_assist(struct lanes *lanes, const struct bar *slice, int64_t p,
			int64_t from, int64_t to)
{
	static const struct gtrace_string name = {"mark assist", 11};
	struct bar part = *slice;

	part.kind = LANE_ASSIST;
	part.from = greatest_of(from, slice->from);
	part.to = least_of(to, slice->to);
	part.duration = part.to - part.from;
	return take(lanes, &part, p, name);
}

/* Takes the mark assists of SLICE, on P, and forgets those that are over. */
static bool take_assists(struct lanes *lanes, const struct bar *slice,
			 int64_t p)
{
	struct assisting *of = ids_find(&lanes->assisting, (uint64_t)slice->g);
	struct assist *assist;
	bool good = true;

	if (of == NULL)
		return true;
	while ((assist = of->ended) != NULL) {
		good = good &&
		       take_assist(lanes, slice, p, assist->from, assist->to);
		of->ended = assist->next;
		gti_pool_give(&lanes->assists, assist);
	}
	if (of->since != -1)
		return good &&
		       take_assist(lanes, slice, p, of->since, slice->to);
	gti_ids_remove(&lanes->assisting, of);
	return good;
}

bool gti_lanes_assist(struct lanes *lanes, uint64_t g, bool begins, int64_t now)
{
	struct assisting *of = ids_find(&lanes->assisting, g);
	struct assist *ended;

	if (begins) {
		if (of == NULL)
			of = gti_ids_add(&lanes->assisting, g);
		if (of != NULL)
			of->since = greatest_of(now, 0);
		return of != NULL;
	}
	if (of == NULL || of->since == -1)
		return true;
	ended = gti_pool_take(&lanes->assists);
	if (ended == NULL)
		return false;
	*ended = (struct assist){of->ended, of->since, now};
	of->ended = ended;
	of->since = -1;
	return true;
}

bool gti_lanes_take(struct lanes *lanes, const struct bar *slice, int64_t p,
		    struct gtrace_string name)
{
	lengths_take(lanes->lengths, slice);
	return take(lanes, slice, p, name) &&
	       (lanes->assisting.count == 0 || take_assists(lanes, slice, p));
}

bool gti_lanes_take_block(struct lanes *lanes, const struct bar *taken,
			  struct gtrace_string name)
{
	struct bar block = *taken;
	uint64_t windows = cut(lanes, &block) & lanes->with_goroutines;
	struct window *window;

	for (; windows != 0; windows &= windows - 1) {
		window = first_window(lanes, windows, &block);
		if (window != NULL &&
		    !add_to_goroutine(lanes, window, &block, name))
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------- begin -- */

static size_t share_count(const struct window *window)
{
	return (size_t)window_lanes(window) * window->bins * LANE_KINDS + 1;
}

bool gti_lanes_restart(struct lanes *lanes)
{
	struct window *window = lanes->windows;
	size_t i;

	gti_ids_free(&lanes->assisting);
	gti_pool_free(&lanes->assists);
	lengths_begin(lanes->lengths);
	for (i = 0; i < lanes->window_count; i++, window++) {
		memset(window->shares, 0,
		       share_count(window) * sizeof(*window->shares));
		window->bars.count = 0;
		window->shortest =
			greatest_of((window->to - window->from) / BAR_SHARE, 1);
	}
	return gti_ids_init(&lanes->assisting, sizeof(struct assisting),
			    IDS_BITS_OF_OTHERS, lanes->memory);
}

/* Window NUMBER, which is not the first, has been set up. */
static void set_cover(struct lanes *lanes, size_t number)
{
	const struct window *window = &lanes->windows[number];
	uint64_t bit = (uint64_t)1 << (number - 1);
	int64_t part;

	for (part = window->from / lanes->part; part * lanes->part < window->to;
	     part++)
		lanes->cover[part] |= bit;
	if (window->g_count != 0)
		lanes->with_goroutines |= bit;
}

bool gti_lanes_set(struct lanes *lanes)
{
	struct window *window = lanes->windows;
	size_t i;

	lanes->part = (window->to - 1) / LANES_PARTS + 1;
	for (i = 0; i < lanes->window_count; i++, window++) {
		if (i != 0) {
			fill_lanes(window, lanes->processors);
			set_cover(lanes, i);
		}
		window->shares =
			gti_allocate_zeroed(lanes->memory, share_count(window),
					    sizeof(*window->shares));
		if (window->shares == NULL)
			return false;
	}
	return gti_lanes_restart(lanes);
}

bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t from,
		    int64_t to, size_t windows)
{
	uint32_t group = (processors + OVERVIEW_LANES - 1) / OVERVIEW_LANES;
	struct window *whole;

	lanes->processors = processors;
	gti_texts_init(&lanes->names, lanes->memory);
	lanes->assists = (struct pool){.memory = lanes->memory,
				       .size = sizeof(struct assist)};
	lanes->windows = gti_allocate_zeroed(lanes->memory, windows + 1,
					     sizeof(*lanes->windows));
	if (lanes->windows == NULL)
		return false;
	lanes->window_count = windows + 1;
	whole = lanes->windows;
	gti_window_init(whole, from, to);
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
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	/* A part of a slice comes after it. */
	return x->kind < y->kind ? -1 : x->kind > y->kind;
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
	gti_ids_free(&lanes->assisting);
	gti_pool_free(&lanes->assists);
}
