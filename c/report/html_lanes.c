/* SPDX-License-Identifier: BSD-3-Clause */
/* html_lanes.c - what processors did. */
#include "report/html_lanes.h"

#include <string.h>

#include "base/compiler.h"
#include "base/least.h"

/* So many bins in all lanes of the whole trace. */
#define BINS_ALL 24000
#define BINS_MIN 60

/* A slice has a bar if it takes this share of a window. */
#define BAR_SHARE     400
#define BAR_SHARE_MIN 20

/* ----------------------------------------------------------- whole trace -- */

/* Where bin I begins. */
static int64_t bin_begin(int64_t from, int64_t length, uint32_t i,
			 uint32_t bins)
{
	return from + (int64_t)((double)length * i / bins);
}

/* The bin of TIME, which is in the trace or at its end. */
static ALWAYS_INLINE uint32_t overview_bin(const struct overview *overview,
					   int64_t time)
{
	uint32_t i = (uint32_t)((double)time * overview->bins_per_ns);

	/* The product is rounded. */
	i = i < overview->bins ? i : overview->bins - 1;
	while (UNLIKELY(overview->begins[i] > time))
		i--;
	while (UNLIKELY(i + 1 < overview->bins &&
			overview->begins[i + 1] <= time))
		i++;
	return i;
}

/* Adds SLICE. Returns the windows that may overlap it, see in_view. */
static uint64_t overview_take(struct overview *overview,
			      const struct lane_slice *slice)
{
	int64_t from = slice->from, end;
	uint64_t in_view = 0;
	struct share *shares;
	uint32_t i;

	if (slice->p < 0 || slice->p >= overview->processors ||
	    from >= slice->to)
		return UINT64_MAX;
	shares = overview->shares;
	shares += (size_t)(slice->p / overview->group) * overview->bins;
	for (i = overview_bin(overview, from); from < slice->to; i++) {
		end = least_of(overview->begins[i + 1], slice->to);
		shares[i].ns[slice->work] += (uint64_t)(end - from);
		in_view |= overview->in_view[i];
		from = end;
	}
	return in_view;
}

/* Notes in the bins from FROM to TO that WINDOW overlaps them. */
static void overview_watch(struct overview *overview, size_t window,
			   int64_t from, int64_t to)
{
	uint32_t last = overview_bin(overview, to);
	uint32_t i = overview_bin(overview, from);

	for (; i <= last; i++)
		overview->in_view[i] |= (uint64_t)1 << window % 64;
}

static size_t overview_shares(const struct overview *overview)
{
	return (size_t)overview->lanes * overview->bins + 1;
}

static bool overview_init(struct overview *overview, uint32_t processors,
			  int64_t length, const struct gtrace_allocator *memory)
{
	uint32_t group = (processors + OVERVIEW_LANES - 1) / OVERVIEW_LANES;
	uint32_t bins = BINS_ALL / (processors + 1), i;

	bins = bins > OVERVIEW_BINS ? OVERVIEW_BINS
	       : bins < BINS_MIN    ? BINS_MIN
				    : bins;
	*overview = (struct overview){
		.length = length,
		.processors = processors,
		.group = group,
		.lanes = group != 0 ? (processors + group - 1) / group : 0,
		.bins = bins,
		.bins_per_ns = (double)bins / (double)length,
	};
	for (i = 0; i < bins; i++)
		overview->begins[i] = bin_begin(0, length, i, bins);
	overview->begins[bins] = length;
	overview->shares = gti_allocate_zeroed(
		memory, overview_shares(overview), sizeof(*overview->shares));
	return overview->shares != NULL;
}

/* --------------------------------------------------------------- lengths -- */

int64_t gti_length_class_begin(unsigned i)
{
	static const int64_t steps[] = {1, 2, 5};
	int64_t begin = 1000;

	if (i == 0)
		return 0;
	for (i--; i >= 3; i -= 3)
		begin *= 10;
	return begin * steps[i];
}

static void lengths_take(struct lanes *lanes, int64_t duration,
			 enum gtrace_work work)
{
	const int64_t *begins = lanes->length_begins;
	struct length_class *class;
	unsigned i = 0;

	/* Most slices are short. */
	while (i + 1 < LENGTH_CLASSES && duration >= begins[i + 1])
		i++;
	class = &lanes->lengths[i];
	class->count++;
	class->share.ns[work] += (uint64_t)duration;
}

/* --------------------------------------------------------------- windows -- */

void gti_window_init(struct window *window, int64_t from, int64_t to,
		     size_t spans_max)
{
	*window = (struct window){
		.from = from,
		.to = to,
		.chosen_p = -1,
		.spans_max = spans_max,
	};
}

static struct lane *find_lane(struct window *window, int64_t p)
{
	size_t i;

	for (i = 0; i < window->lane_count; i++)
		if (window->lanes[i].p == p)
			return &window->lanes[i];
	return NULL;
}

void gti_window_add_lane(struct window *window, int64_t p)
{
	if (p >= 0 && window->lane_count < WINDOW_LANES &&
	    find_lane(window, p) == NULL)
		window->lanes[window->lane_count++] = (struct lane){.p = p};
}

void gti_window_fill_lanes(struct window *window, uint32_t processors)
{
	struct lane lane;
	uint32_t p;
	size_t i, j;

	for (p = 0; p < processors && window->lane_count < WINDOW_LANES; p++)
		gti_window_add_lane(window, p);
	for (i = 1; i < window->lane_count; i++) {
		lane = window->lanes[i];
		for (j = i; j > 0 && window->lanes[j - 1].p > lane.p; j--)
			window->lanes[j] = window->lanes[j - 1];
		window->lanes[j] = lane;
	}
	if (processors > window->lane_count)
		window->others = processors - (uint32_t)window->lane_count;
}

static bool has_bar(const struct window *window, const struct span *span)
{
	return span->chosen ||
	       (span->count == 1 && span->to - span->from >= window->shortest);
}

static void add_share(struct share *to, const struct share *share)
{
	unsigned i;

	for (i = 0; i < WORKS; i++)
		to->ns[i] += share->ns[i];
}

enum gtrace_work gti_main_work(const struct share *share)
{
	unsigned i, main = 0;

	for (i = 1; i < WORKS; i++)
		if (share->ns[i] > share->ns[main])
			main = i;
	return (enum gtrace_work)main;
}

/* Joins SPAN to LAST if neither has a bar and the gap is small. */
static bool join(const struct window *window, struct span *last,
		 const struct span *span)
{
	if (has_bar(window, last) || has_bar(window, span) ||
	    span->from - last->to >= window->shortest)
		return false;
	last->to = greatest_of(last->to, span->to);
	last->count += span->count;
	add_share(&last->share, &span->share);
	return true;
}

/* Joins what can be joined. */
static void join_lane(const struct window *window, struct lane *lane)
{
	struct span *spans = lane->spans.items;
	size_t i, count = 0;

	for (i = 0; i < lane->spans.count; i++)
		if (count == 0 || !join(window, &spans[count - 1], &spans[i]))
			spans[count++] = spans[i];
	lane->spans.count = count;
}

/* Makes more slices too short, until there are few enough spans. */
static void join_more(struct window *window)
{
	int64_t limit = (window->to - window->from) / BAR_SHARE_MIN;
	size_t i;

	while (window->spans > window->spans_max && window->shortest < limit) {
		window->shortest = least_of(window->shortest * 2, limit);
		window->spans = 0;
		for (i = 0; i < window->lane_count; i++) {
			join_lane(window, &window->lanes[i]);
			window->spans += window->lanes[i].spans.count;
		}
	}
}

static bool add_span(struct window *window, struct lane *lane,
		     const struct span *span,
		     const struct gtrace_allocator *memory)
{
	struct array *array = &lane->spans;
	struct span *spans = array->items;

	if (array->count != 0 && join(window, &spans[array->count - 1], span))
		return true;
	if (!gti_array_reserve(array, sizeof(*span), memory))
		return false;
	spans = array->items;
	spans[array->count++] = *span;
	window->spans++;
	if (window->spans > window->spans_max)
		join_more(window);
	return true;
}

/* The bin of TIME, which is after FROM by less than LENGTH. */
static uint32_t bin_of(int64_t time, int64_t from, int64_t length,
		       uint32_t bins)
{
	uint32_t i = (uint32_t)((double)(time - from) * bins / (double)length);

	if (i >= bins)
		i = bins - 1;
	while (i > 0 && bin_begin(from, length, i, bins) > time)
		i--;
	while (i + 1 < bins && bin_begin(from, length, i + 1, bins) <= time)
		i++;
	return i;
}

/* Counts a slice of a processor without a lane. */
static void add_busy(struct window *window, int64_t from, int64_t to)
{
	int64_t length = window->to - window->from, end;
	uint32_t i;

	for (i = bin_of(from, window->from, length, WINDOW_BINS); from < to;
	     i++) {
		end = i + 1 < WINDOW_BINS ? bin_begin(window->from, length,
						      i + 1, WINDOW_BINS)
					  : window->to;
		end = least_of(end, to);
		window->busy[i] += (uint64_t)(end - from);
		from = end;
	}
}

/* ------------------------------------------------------------------ take -- */

/*
 * Returns what SLICE is named after, as it is shown: one copy of each name.
 * NULL if there is no memory.
 */
static const char *name_of(struct lanes *lanes, const struct naming *naming)
{
	struct shown shown;
	uint64_t hash, *known;
	char *copy;

	gti_show_naming(&shown, naming);
	hash = gti_hash_text(shown.text, shown.size,
			     lanes->known_names.secret);
	for (;; hash++) {
		known = gti_map_put(&lanes->known_names, hash, lanes->memory);
		if (known == NULL || *known == 0)
			break;
		copy = (char *)(uintptr_t)*known;
		if (strcmp(copy, shown.text) == 0)
			return copy;
	}
	if (known == NULL)
		return NULL;
	copy = gti_arena_allocate(&lanes->names, shown.size + 1);
	if (copy == NULL)
		return NULL;
	memcpy(copy, shown.text, shown.size + 1);
	*known = (uint64_t)(uintptr_t)copy;
	return copy;
}

/*
 * Adds SLICE to the last of the spans of LANE, if that has no bar, nor will
 * SLICE have one, and the gap is small. Most slices end here.
 */
static bool extend_last(const struct window *window, const struct lane *lane,
			const struct lane_slice *slice)
{
	struct span *last = lane->spans.items;

	if (lane->spans.count == 0 ||
	    slice->to - slice->from >= window->shortest)
		return false;
	last += lane->spans.count - 1;
	if (slice->from - last->to >= window->shortest || has_bar(window, last))
		return false;
	last->to = greatest_of(last->to, slice->to);
	last->count++;
	last->share.ns[slice->work] += (uint64_t)(slice->to - slice->from);
	return true;
}

/* Takes SLICE to WINDOW, which it overlaps. */
static bool window_take(struct lanes *lanes, struct window *window,
			const struct lane_slice *whole,
			const struct naming *naming)
{
	struct lane *lane = find_lane(window, whole->p);
	struct lane_slice slice = *whole;
	bool chosen = slice.p == window->chosen_p &&
		      slice.from <= window->chosen_at &&
		      window->chosen_at < slice.to;
	struct span span;

	slice.from = greatest_of(slice.from, window->from);
	slice.to = least_of(slice.to, window->to);
	if (lane == NULL) {
		add_busy(window, slice.from, slice.to);
		return true;
	}
	if (!chosen && extend_last(window, lane, &slice))
		return true;
	span = (struct span){
		.from = slice.from,
		.to = slice.to,
		.count = 1,
		.chosen = chosen,
		.work = slice.work,
		.g = slice.g,
		.duration = slice.duration,
	};
	span.share.ns[slice.work] = (uint64_t)(slice.to - slice.from);
	if (has_bar(window, &span)) {
		span.name = name_of(lanes, naming);
		if (span.name == NULL)
			return false;
	}
	return add_span(window, lane, &span, lanes->memory);
}

bool gti_lanes_take(struct lanes *lanes, const struct lane_slice *given,
		    const struct naming *naming)
{
	struct lane_slice slice = *given;
	struct window *window;
	uint64_t in_view;
	size_t i;

	slice.from = greatest_of(slice.from, 0);
	slice.to = least_of(slice.to, lanes->overview.length);
	lengths_take(lanes, slice.duration, slice.work);
	in_view = overview_take(&lanes->overview, &slice);
	for (; in_view != 0; in_view &= in_view - 1) {
		i = lowest_bit(in_view);
		for (; i < lanes->window_count; i += 64) {
			window = &lanes->windows[i];
			if (slice.from < window->to &&
			    window->from < slice.to &&
			    !window_take(lanes, window, &slice, naming))
				return false;
		}
	}
	return true;
}

static void window_begin(struct window *window)
{
	int64_t length = window->to - window->from;
	size_t i;

	for (i = 0; i < window->lane_count; i++)
		window->lanes[i].spans.count = 0;
	for (i = 0; i < WINDOW_BINS; i++)
		window->busy[i] = 0;
	window->shortest = greatest_of(length / BAR_SHARE, 1);
	window->spans = 0;
}

void gti_lanes_begin(struct lanes *lanes)
{
	struct overview *overview = &lanes->overview;
	size_t i;

	memset(overview->shares, 0,
	       overview_shares(overview) * sizeof(*overview->shares));
	memset(lanes->lengths, 0, sizeof(lanes->lengths));
	for (i = 0; i < lanes->window_count; i++) {
		struct window *window = &lanes->windows[i];

		overview_watch(overview, i, window->from, window->to);
		window_begin(window);
	}
}

/* ---------------------------------------------------------------- memory -- */

bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows, const struct gtrace_allocator *memory)
{
	unsigned i;

	lanes->memory = memory;
	lanes->names.memory = memory;
	lanes->known_names.secret = gti_new_secret();
	for (i = 0; i < LENGTH_CLASSES; i++)
		lanes->length_begins[i] = gti_length_class_begin(i);
	if (!overview_init(&lanes->overview, processors,
			   length > 0 ? length : 1, memory))
		return false;
	lanes->windows = gti_allocate_zeroed(memory, windows + 1,
					     sizeof(*lanes->windows));
	if (lanes->windows == NULL)
		return false;
	lanes->window_count = lanes->windows_max = windows;
	return true;
}

void gti_lanes_free(struct lanes *lanes)
{
	struct overview *overview = &lanes->overview;
	size_t i, j;

	for (i = 0; lanes->windows != NULL && i < lanes->window_count; i++)
		for (j = 0; j < lanes->windows[i].lane_count; j++)
			gti_array_free(&lanes->windows[i].lanes[j].spans,
				       sizeof(struct span), lanes->memory);
	gti_release(lanes->memory, lanes->windows,
		    (lanes->windows_max + 1) * sizeof(*lanes->windows));
	gti_release(lanes->memory, overview->shares,
		    overview->shares == NULL
			    ? 0
			    : overview_shares(overview) *
				      sizeof(*overview->shares));
	gti_map_free(&lanes->known_names, lanes->memory);
	gti_arena_free(&lanes->names);
}
