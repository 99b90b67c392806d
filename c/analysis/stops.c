/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c - follows processors, for the analysis of stop-the-world pauses. */
#include "analysis/stops.h"

#include "analysis/holders.h"
#include "base/array.h"

void gti_stops_init(struct stops *stops, size_t wanted,
		    const struct clock *clock,
		    const struct gtrace_allocator *memory)
{
	memset(stops, 0, sizeof(*stops));
	stops->memory = memory;
	stops->wanted = wanted;
	stops->clock = clock;
	stops->give_up = TIME_NONE;
	stops->last = stops->latest = TIME_NONE;
	stops->unfinished_since = INT64_MAX;
	stops->complete_until = INT64_MAX;
	stops->least[0] = TIME_NONE;
	gti_stops_init_results(stops);
}

void gti_stops_free(struct stops *stops)
{
	const struct gtrace_allocator *memory = stops->memory;

	if (memory == NULL)
		return;
	gti_stops_free_results(stops);
	gti_ids_free(&stops->processors);
	gti_array_free(&stops->slots, sizeof(struct stop_processor *), memory);
	gti_array_free(&stops->moments, sizeof(struct stop_moment), memory);
	gti_array_free(&stops->late, sizeof(struct late), memory);
	gti_array_free(&stops->sampled, sizeof(struct stop_moment), memory);
	gti_array_free(&stops->ending, sizeof(struct stop), memory);
	stops->memory = NULL;
}

void gti_stops_restart(struct stops *stops)
{
	struct stops old = *stops;

	if (old.holders != NULL)
		gti_holders_restart(old.holders);
	gti_stops_free(stops);
	gti_stops_init(stops, old.wanted, old.clock, old.memory);
	stops->version = old.version;
	stops->kind = old.kind;
	stops->each = old.each;
	stops->context = old.context;
	stops->filter = old.filter;
	stops->holders = old.holders;
}

/* ------------------------------------------------------------ processors -- */

static struct stop_processor *add_processor(struct stops *stops, int64_t p)
{
	struct stop_processor *processor =
		gti_ids_add(&stops->processors, (uint64_t)p);

	if (processor == NULL)
		return NULL;
	processor->call = TIME_NONE;
	processor->held_since = TIME_NONE;
	processor->event = TIME_NONE;
	processor->earlier = TIME_NONE;
	processor->thread = ID_NONE;
	processor->slice = (struct processor_slice){
		.g = STOP_NO_G,
		.start = TIME_NONE,
		.left = TIME_NONE,
	};
	return processor;
}

struct stop_processor *gti_stops_processor(struct stops *stops, int64_t p)
{
	struct ids *processors = &stops->processors;
	struct stop_processor *found = NULL;

	if (processors->table != NULL ||
	    gti_ids_init(processors, sizeof(*found), IDS_BITS_OF_OTHERS,
			 stops->memory)) {
		found = ids_find(processors, (uint64_t)p);
		if (found == NULL)
			found = add_processor(stops, p);
	}
	if (found != NULL)
		return found;
	stops->failed = true;
	return &stops->nowhere;
}

/* ----------------------------------------------------------- transitions -- */

/* Settles the stops that a transition to come cannot change. */
static void settle(struct stops *stops)
{
	if (UNLIKELY(stops->ending.count != 0))
		gti_stops_settle(stops, stops_horizon(stops));
}

void gti_stops_hold(struct stops *stops, struct stop_processor *p,
		    int64_t thread, int64_t time)
{
	struct stop_moment *taken = NULL;

	if (stops_runs(p))
		p->slice.type = SLICE_GIVEN_UP;
	p->in_call = false;
	p->held = true;
	p->held_since = time;
	p->thread = thread;
	/* Only stops that an event begins need to know. */
	if (stops->version.begins)
		taken = gti_stops_add(stops, MOMENT_TAKEN, p->p, time);
	if (taken != NULL)
		taken->thread = thread;
	settle(stops);
}

/* No real clock has more ticks in a nanosecond. */
#define TICKS_MAX 64

/* Returns the greatest ticks with the time NS of TICKS. */
static NOINLINE int64_t last_of_ns(const struct stops *stops, int64_t ticks,
				   int64_t ns)
{
	int64_t last = ticks, i;

	for (i = 1; i <= TICKS_MAX && ticks < INT64_MAX - i &&
		    stops_ns(stops, ticks + i) == ns;
	     i++)
		last = ticks + i;
	return last;
}

/* A give-up at TIME ends a system call on P, in SLICE. */
static void end_call(struct stop_processor *p, struct processor_slice *slice,
		     int64_t time)
{
	if (stops_runs(p)) {
		p->slice.left = time;
		p->slice.type = SLICE_GIVEN_UP;
	}
	p->in_call = false;
	slice->left = p->call_g == slice->g ? p->call : TIME_NONE;
	slice->stack = p->call_g == slice->g ? p->call_stack : 0;
	slice->type = SLICE_GIVEN_UP;
}

void gti_stops_give_up(struct stops *stops, struct stop_processor *p,
		       const struct transition *from)
{
	int64_t time = from->written;
	struct stop_moment *given =
		gti_stops_add(stops, MOMENT_GIVEN_UP, p->p, time);

	if (given == NULL)
		return;
	given->processor = p;
	given->thread = p->thread;
	given->held_since = p->held ? p->held_since : TIME_NONE;
	given->in_call = from->kind == TRANSITION_STEAL ? stops_runs(p)
							: p->in_call;
	given->type = from->type;
	given->slice = p->slice;
	if (given->in_call)
		end_call(p, &given->slice, time);
	p->held = false;
	stops->give_ups++;
	stops->give_up = time;
	/* Ticks of 2 ns and more differ in ns, for the first 100 days. */
	if (stops->version.infers && stops->clock->ns_per_tick < 2)
		stops->give_up = last_of_ns(stops, time, given->time);
	settle(stops);
}

/* ----------------------------------------------------------------- stops -- */

/* The open stop has ended, or the trace has no end of it: settle it. */
static void close_stop(struct stops *stops)
{
	stops->is_open = false;
	if (array_add(&stops->ending, &stops->open, sizeof(stops->open),
		      stops->memory) == NULL)
		stops->failed = true;
}

/* A stop of which nothing is known. */
static struct stop new_stop(struct stops *stops, const struct stop_processor *p,
			    uint64_t g, const struct transition *from)
{
	struct stop stop = {
		.number = ++stops->count,
		.kind = STOP_KIND_NONE,
		.p = p->p,
		.g = g,
		.thread = ID_NONE,
		.ts = clock_ns(stops->clock, from->now),
		.requested = TIME_NONE,
		.obtained = TIME_NONE,
		.restarting = TIME_NONE,
		.restarted = TIME_NONE,
		.ended = TIME_NONE,
		.stopping = TIME_NONE,
		.stopped = TIME_NONE,
		.total = TIME_NONE,
		.waited = TIME_NONE,
		.procs = stops->procs,
		.requested_min = TIME_NONE,
		.requested_max = TIME_NONE,
		.stopping_min = TIME_NONE,
		.stopping_max = TIME_NONE,
	};

	return stop;
}

/* Sets stop->kind to that of TEXT. Returns false without memory. */
static bool set_kind(struct stops *stops, struct stop *stop,
		     struct gtrace_string text)
{
	struct stop_kind kind = {.known.max = -1};

	stop->kind = gti_texts_put(&stops->kind_texts, text.data, text.size);
	if (stop->kind != stops->kinds.count)
		return stop->kind != NO_TEXT;
	kind.known.kind = texts_at(&stops->kind_texts, stop->kind);
	return array_add(&stops->kinds, &kind, sizeof(kind), stops->memory) !=
	       NULL;
}

void gti_stops_begin(struct stops *stops, const struct stop_processor *p,
		     uint64_t g, int64_t thread, const struct transition *from)
{
	struct stop *open = &stops->open;

	stops->last = from->written;
	if (stops->is_open)
		close_stop(stops);
	settle(stops);
	*open = new_stop(stops, p, g, from);
	open->thread = thread;
	open->stack = from->stack;
	open->requested = stops_ns(stops, from->written);
	stops->is_open = true;
	if (!set_kind(stops, open, stops->kind(stops->context, from)))
		stops->failed = true;
}

/* Infers a stop of goroutine G from its mark, FROM, on P. */
static void infer(struct stops *stops, const struct stop_processor *p,
		  uint64_t g, const struct transition *from)
{
	struct stop *stop = &stops->open;
	int64_t start = stops_runs(p) ? p->slice.start : p->held_since;

	*stop = new_stop(stops, p, g, from);
	stop->inferred = true;
	stop->stack = from->stack;
	stop->ended = stops_ns(stops, from->written);
	stop->restarting = stop->restarted = stop->ended;
	stop->slice_start = stops_ns(stops, start);
	/* The start of the slice is an event, too. */
	stop->event = stops_ns(stops, p->event > start ? p->event : start);
	stop->earlier =
		stops_ns(stops, p->earlier > start ? p->earlier : start);
	close_stop(stops);
}

void gti_stops_mark(struct stops *stops, const struct stop_processor *p,
		    uint64_t g, const struct transition *from)
{
	struct stop *open = &stops->open;

	if (stops->is_open) {
		if (g == open->g && open->restarting == TIME_NONE) {
			open->restarting = stops_ns(stops, from->written);
			if (!stops->version.has_threads)
				open->stack = from->stack;
		}
	} else if (stops->version.infers && stops->marked) {
		infer(stops, p, g, from);
	}
	stops->marked = true;
	stops->procs = procs_told(from->arg);
}

void gti_stops_end(struct stops *stops, int64_t time)
{
	if (!stops->is_open)
		return;
	stops->open.ended = stops_ns(stops, time);
	close_stop(stops);
}

void gti_stops_finish(struct stops *stops)
{
	if (stops->is_open)
		close_stop(stops);
	gti_stops_settle(stops, INT64_MAX);
}
