/* SPDX-License-Identifier: BSD-3-Clause */
/* html_lanes.c - what processors did. */
#include "report/html_lanes.h"

#include <string.h>

#include "base/least.h"

/* So many bins in all lanes of the whole trace. */
#define BINS_ALL 24000
#define BINS_MIN 60
#define BINS_MAX 600

/* A slice has a bar if it takes this share of a window. */
#define BAR_SHARE     400
#define BAR_SHARE_MIN 20

/* ----------------------------------------------------------- whole trace -- */

static bool overview_init(struct overview *overview, uint32_t processors,
			  int64_t length, const struct gtrace_allocator *memory)
{
	uint32_t group = (processors + OVERVIEW_LANES - 1) / OVERVIEW_LANES;
	uint32_t bins = BINS_ALL / (processors + 1);

	bins = bins > BINS_MAX ? BINS_MAX : bins < BINS_MIN ? BINS_MIN : bins;
	*overview = (struct overview){
		.length = length,
		.processors = processors,
		.group = group,
		.lanes = group != 0 ? (processors + group - 1) / group : 0,
		.bins = bins,
	};
	overview->shares =
		gti_allocate_zeroed(memory, (size_t)overview->lanes * bins + 1,
				    sizeof(*overview->shares));
	return overview->shares != NULL;
}

/* Where bin I begins. */
static int64_t bin_begin(int64_t from, int64_t length, uint32_t i,
			 uint32_t bins)
{
	return from + (int64_t)((double)length * i / bins);
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

static void overview_take(struct overview *overview, int64_t p, int64_t from,
			  int64_t to, enum gtrace_work work)
{
	int64_t length = overview->length, end;
	struct share *shares;
	uint32_t i;

	if (p < 0 || p >= overview->processors || from >= to)
		return;
	shares = overview->shares +
		 (size_t)(p / overview->group) * overview->bins;
	for (i = bin_of(from, 0, length, overview->bins); from < to; i++) {
		end = i + 1 < overview->bins
			      ? bin_begin(0, length, i + 1, overview->bins)
			      : length;
		end = least_of(end, to);
		shares[i].ns[work] += (uint64_t)(end - from);
		from = end;
	}
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

static void lengths_take(struct length_class *classes, int64_t duration,
			 enum gtrace_work work)
{
	unsigned i = LENGTH_CLASSES - 1;

	while (i > 0 && duration < gti_length_class_begin(i))
		i--;
	classes[i].count++;
	classes[i].share.ns[work] += (uint64_t)duration;
}

/* --------------------------------------------------------------- windows -- */

void gti_window_init(struct window *window, int64_t from, int64_t to,
		     size_t spans_max)
{
	*window = (struct window){
		.from = from,
		.to = to,
		.chosen_p = -1,
		.shortest = greatest_of((to - from) / BAR_SHARE, 1),
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

/* The work that took most of it. */
static enum gtrace_work main_work(const struct share *share)
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
	last->work = main_work(&last->share);
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

static uint64_t hash_text(const char *text, size_t size, uint64_t seed)
{
	uint64_t hash = seed;
	size_t i;

	for (i = 0; i < size; i++)
		hash = hash64(hash ^ (unsigned char)text[i], seed);
	return hash;
}

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
	hash = hash_text(shown.text, shown.size, lanes->known_names.seed);
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

/* Takes SPAN, of processor P, to WINDOW, which it overlaps. */
static bool window_take(struct lanes *lanes, struct window *window, int64_t p,
			struct span span, const struct naming *naming)
{
	struct lane *lane = find_lane(window, p);
	enum gtrace_work work = span.work;

	span.chosen = p == window->chosen_p && span.from <= window->chosen_at &&
		      window->chosen_at < span.to;
	span.from = greatest_of(span.from, window->from);
	span.to = least_of(span.to, window->to);
	span.share.ns[work] = (uint64_t)(span.to - span.from);
	if (lane == NULL) {
		add_busy(window, span.from, span.to);
		return true;
	}
	if (has_bar(window, &span)) {
		span.name = name_of(lanes, naming);
		if (span.name == NULL)
			return false;
	}
	return add_span(window, lane, &span, lanes->memory);
}

void gti_lanes_take(struct lanes *lanes, const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);
	struct span span = {
		.from = slice->start.ts,
		.to = slice->still_running ? lanes->overview.length
					   : slice->end.ts,
		.count = 1,
		.work = naming.work,
		.g = slice->g,
		.duration = slice->duration,
	};
	struct window *window;

	if (slice->syscall_ns > slice->duration / 2)
		span.work = GTRACE_WORK_SYSCALL;
	span.from = greatest_of(span.from, 0);
	span.to = least_of(span.to, lanes->overview.length);
	lengths_take(lanes->lengths, slice->duration, span.work);
	overview_take(&lanes->overview, slice->p, span.from, span.to,
		      span.work);
	for (window = lanes->windows;
	     window < lanes->windows + lanes->window_count; window++)
		if (span.from < window->to && window->from < span.to &&
		    !window_take(lanes, window, slice->p, span, &naming))
			lanes->failed = true;
}

/* ---------------------------------------------------------------- memory -- */

bool gti_lanes_init(struct lanes *lanes, uint32_t processors, int64_t length,
		    size_t windows, const struct gtrace_allocator *memory)
{
	lanes->memory = memory;
	lanes->names.memory = memory;
	lanes->known_names.seed = gti_hash_seed();
	if (!overview_init(&lanes->overview, processors,
			   length > 0 ? length : 1, memory))
		return false;
	lanes->windows = gti_allocate_zeroed(memory, windows + 1,
					     sizeof(*lanes->windows));
	if (lanes->windows == NULL)
		return false;
	lanes->window_count = windows;
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
		    (lanes->window_count + 1) * sizeof(*lanes->windows));
	gti_release(lanes->memory, overview->shares,
		    overview->shares == NULL
			    ? 0
			    : ((size_t)overview->lanes * overview->bins + 1) *
				      sizeof(*overview->shares));
	gti_map_free(&lanes->known_names, lanes->memory);
	gti_arena_free(&lanes->names);
}
