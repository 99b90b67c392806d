/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_take.c - takes the stream for the analysis of stop-the-world pauses:
 * which goroutine is on which processor, and who holds that.
 */
#include "analysis/stops.h"
#include "base/array.h"

/* A transition that is taken. */
struct stop_taking {
	struct stops *stops;
	const struct feed *feed;
	const struct transition *from;
	struct stop_processor *p; /* its processor */
};

/* The record of the processor in SLOT, which is not 0. */
static struct stop_processor *processor_in(struct stops *stops,
					   const struct feed *feed,
					   uint32_t slot)
{
	static struct stop_processor *const none;
	struct stop_processor **p = array_grown(&stops->slots, slot, &none,
						sizeof(*p), stops->memory);

	if (p == NULL) {
		stops->failed = true;
		return &stops->nowhere;
	}
	if (*p == NULL)
		*p = gti_stops_processor(
			stops,
			(int64_t)actors_number(&feed->processors, slot));
	return *p;
}

/* The number of the goroutine in SLOT; of none, 0. */
static uint64_t number_of(const struct stop_taking *taking, uint32_t slot)
{
	return slot != 0 ? actors_number(&taking->feed->goroutines, slot) : 0;
}

/* The thread in SLOT. */
static int64_t thread_in(const struct stop_taking *taking, uint32_t slot)
{
	return slot != 0
		       ? (int64_t)actors_number(&taking->feed->threads, slot)
		       : ID_NONE;
}

/* ---------------------------------------------------------------- slices -- */

static void start(struct stop_processor *p, uint64_t g, int64_t time)
{
	p->in_call = false;
	p->slice.type = SLICE_RUNS;
	p->slice.g = g;
	p->slice.start = time;
}

/* FROM takes the goroutine off P, if one was seen to start there. */
static void leave(struct stop_processor *p, const struct transition *from)
{
	if (!stops_runs(p))
		return;
	p->slice.type = from->type;
	p->slice.stack = from->stack;
	p->slice.offset = from->offset;
	p->slice.left = from->written;
}

/* A system call of goroutine G begins on P at TIME, with STACK. */
static void call(struct stop_processor *p, uint64_t g, uint64_t stack,
		 int64_t time)
{
	p->call = time;
	p->call_stack = stack;
	p->call_g = g;
	p->in_call = stops_runs(p);
}

/*
 * The goroutine on P leaves it, and is in a system call. If P is given up next,
 * that is for the call.
 */
static void lose(struct stop_processor *p, const struct transition *from)
{
	bool ran = stops_runs(p);

	leave(p, from);
	p->in_call = ran;
}

/* Goroutine G turns out to be on P, since an unknown time. */
static void be_on(struct stop_processor *p, uint64_t g, bool in_call)
{
	if (stops_runs(p) && p->slice.g == g)
		return;
	start(p, g, TIME_NONE);
	if (in_call)
		call(p, g, 0, TIME_NONE);
}

static void take_status(const struct stop_taking *taking)
{
	const struct transition *from = taking->from;

	if ((from->flags & TRANSITION_ON) != 0)
		be_on(taking->p, number_of(taking, from->g),
		      from->arg == GOROUTINE_IN_CALL);
}

/* ------------------------------------------------------------ processors -- */

static void take_hold(const struct stop_taking *taking)
{
	const struct transition *from = taking->from;
	int64_t thread = taking->stops->version.has_threads
				 ? thread_in(taking, from->m)
				 : (int64_t)from->arg;

	gti_stops_hold(taking->stops, taking->p, thread, from->written);
}

/* A thread turns out to hold the processor, since an unknown time. */
static void be_held(const struct stop_taking *taking)
{
	struct stop_processor *p = taking->p;

	if (p->held)
		return;
	p->held = true;
	p->held_since = TIME_NONE;
	p->thread = thread_in(taking, taking->from->on);
}

static void take_proc_status(const struct stop_taking *taking)
{
	const struct transition *from = taking->from;

	if (from->arg == PROCESSOR_RUNS || from->arg == PROCESSOR_IN_CALL)
		be_held(taking);
	if ((from->flags & TRANSITION_ON) != 0)
		be_on(taking->p, number_of(taking, from->g),
		      from->arg == PROCESSOR_IN_CALL);
}

/* A CPU sample is taken, on any processor. */
static void take_sample(struct stops *stops, const struct transition *from)
{
	struct stop_moment *sample = NULL;

	/* Only measured stops, of which some are shown, need samples. */
	if (stops->version.begins &&
	    (stops->wanted != 0 || stops->each != NULL))
		sample = gti_stops_add(stops, MOMENT_SAMPLE,
				       (int64_t)from->arg, from->written);
	if (sample != NULL)
		sample->stack = from->stack;
}

/* ----------------------------------------------------------------- stops -- */

/* A stop begins. Where its event is of no goroutine, the one on P began it. */
static void take_begin(const struct stop_taking *taking)
{
	const struct transition *from = taking->from;
	const struct stop_processor *p = taking->p;
	uint64_t g = number_of(taking, from->by);
	int64_t thread = thread_in(taking, from->m);

	if (from->by == 0 && stops_runs(p))
		g = p->slice.g;
	if (!taking->stops->version.has_threads)
		thread = p->thread;
	gti_stops_begin(taking->stops, p, g, thread, from);
}

static void take_mark(const struct stop_taking *taking)
{
	gti_stops_mark(taking->stops, taking->p,
		       number_of(taking, taking->from->by), taking->from);
}

/*
 * Whether FROM neither gives its processor up nor starts or ends a slice there.
 * The beginning of a collection, and what the network makes ready, count as on
 * no processor.
 */
static bool is_between(const struct transition *from)
{
	switch (from->kind) {
	case TRANSITION_GIVE_UP:
	case TRANSITION_START:
	case TRANSITION_PREEMPT:
	case TRANSITION_BLOCK:
	case TRANSITION_END:
	case TRANSITION_LOSE:
	case TRANSITION_COLLECT:
	case TRANSITION_SAMPLE:
		return false;
	case TRANSITION_READY:
		return (from->flags & TRANSITION_BY_NETWORK) == 0;
	default:
		return true;
	}
}

/*
 * Up to Go 1.21, for inferred stops. One at the time of the last give-up counts
 * as one that came before that.
 */
static void note_event(const struct stops *stops, struct stop_processor *p,
		       int64_t time)
{
	p->in_call = false;
	if (p->epoch != stops->give_ups && time > stops->give_up) {
		p->earlier = p->event;
		p->epoch = stops->give_ups;
	}
	p->event = time;
}

/* -------------------------------------------------------------- consumer -- */

static void take_one(const struct stop_taking *taking)
{
	const struct transition *from = taking->from;
	struct stop_processor *p = taking->p;

	switch (from->kind) {
	case TRANSITION_START:
		if (from->g != 0)
			start(p, number_of(taking, from->g), from->written);
		break;
	case TRANSITION_PREEMPT:
	case TRANSITION_BLOCK:
	case TRANSITION_END:
		leave(p, from);
		break;
	case TRANSITION_CALL:
		call(p, number_of(taking, from->by), from->stack,
		     from->written);
		break;
	case TRANSITION_LOSE:
		lose(p, from);
		break;
	case TRANSITION_RETURN:
	case TRANSITION_RETURN_READY:
		p->in_call = false;
		break;
	case TRANSITION_STATUS:
		take_status(taking);
		break;
	case TRANSITION_HOLD:
		take_hold(taking);
		break;
	case TRANSITION_GIVE_UP:
	case TRANSITION_STEAL:
		gti_stops_give_up(taking->stops, p, from);
		break;
	case TRANSITION_PROC_STATUS:
		take_proc_status(taking);
		break;
	case TRANSITION_PROCS:
		take_mark(taking);
		break;
	case TRANSITION_STOP:
		take_begin(taking);
		break;
	case TRANSITION_STOP_END:
		gti_stops_end(taking->stops, from->written);
		break;
	default:
		break;
	}
}

/*
 * Fills in stops->least for the batch of FEED. Returns whether it ends a
 * generation.
 */
static bool find_least(struct stops *stops, const struct feed *feed)
{
	const struct transition *items = feed->batch->items;
	size_t i = feed->batch->count - 1;
	int64_t least = feed_horizon(feed);

	/* It is not known at the end of a generation, which the next follows.
	 */
	stops->least[i] = least != INT64_MAX ? least : items[i].written;
	for (; i > 0; i--)
		stops->least[i - 1] =
			least_of(stops->least[i], items[i].written);
	return least == INT64_MAX;
}

static void note_missing(struct stops *stops, const struct feed *feed)
{
	stops->unfinished_since = feed->unfinished_since;
	stops->complete_until = feed->complete_until;
}

static void take(void *self, struct feed *feed)
{
	const struct transition *items = feed->batch->items;
	struct stops *stops = self;
	size_t count = feed->batch->count, i;
	bool ends;

	if (count == 0)
		return;
	note_missing(stops, feed);
	ends = find_least(stops, feed);
	for (i = 0; i < count; i++) {
		struct stop_taking taking = {stops, feed, &items[i], NULL};

		stops->at = i;
		if (items[i].kind == TRANSITION_SAMPLE)
			take_sample(stops, &items[i]);
		/* If no stop is open, this is nothing. */
		if (items[i].kind == TRANSITION_CLOCK)
			stops->open.clock_changed = true;
		if (items[i].type != 0)
			stops->latest = items[i].written;
		if (items[i].p == 0)
			continue;
		taking.p = processor_in(stops, feed, items[i].p);
		take_one(&taking);
		if (!stops->version.has_threads && is_between(&items[i]))
			note_event(stops, taking.p, items[i].written);
	}
	if (ends && stops->ending.count != 0)
		gti_stops_settle(stops, stops_horizon(stops));
	feed->failed |= stops->failed;
}

static void end_pass(void *self, struct feed *feed)
{
	struct stops *stops = self;

	note_missing(stops, feed);
	stops->last = stops->latest;
	gti_stops_finish(stops);
}

static void restart(void *self)
{
	gti_stops_restart(self);
}

struct consumer gti_stops_consumer(struct stops *stops)
{
	return (struct consumer){
		.self = stops,
		.take = take,
		.close = end_pass,
		.restart = restart,
	};
}
