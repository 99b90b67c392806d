/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c - the hooks that a format's state machine calls. */
#include "analysis/observe.h"

#include <string.h>

#include "analysis/collections.h"
#include "analysis/evidence.h"
#include "base/least.h"
#include "base/strings.h"
#include "base/times.h"

/* Returns how many bytes the links take. */
static size_t links_size(const struct observer *observer)
{
	return ((size_t)observer->link_count + 1) * sizeof(*observer->links);
}

void gti_observer_free(struct observer *observer)
{
	if (observer->links != NULL)
		gti_release(observer->memory, observer->links,
			    links_size(observer));
	observer->links = NULL;
	observer->link_count = 0;
}

void gti_observer_restart(struct observer *observer)
{
	if (observer->slices != NULL)
		gti_slices_restart(observer->slices);
	if (observer->waits != NULL)
		gti_waits_restart(observer->waits);
	if (observer->feed != NULL)
		gti_feed_restart(observer->feed);
	if (observer->inside != NULL)
		gti_insides_free(observer->inside);
	if (observer->profile != NULL)
		gti_profile_restart(observer->profile);
	if (observer->oncpu != NULL)
		gti_oncpu_restart(observer->oncpu);
	if (observer->settling != NULL)
		observer->settling->restart(observer->settle_context);
	observer->census = (struct census){.seen = 0};
	if (observer->links != NULL)
		memset(observer->links, 0, links_size(observer));
}

bool gti_observe_links(struct observer *observer, uint64_t count)
{
	const struct gtrace_allocator *memory = observer->memory;
	size_t size = links_size(observer);
	uint64_t *links;

	if (!observer->wants_links || count <= observer->link_count)
		return true;
	if (count >= SIZE_MAX / sizeof(*links) - 1)
		return false;
	if (observer->links == NULL) {
		links = gti_allocate_zeroed(memory, (size_t)count + 1,
					    sizeof(*links));
	} else {
		links = memory->resize(memory->context, observer->links, size,
				       ((size_t)count + 1) * sizeof(*links));
		if (links != NULL)
			memset(links + observer->link_count + 1, 0,
			       (size_t)(count - observer->link_count) *
				       sizeof(*links));
	}
	if (links == NULL)
		return false;
	observer->links = links;
	observer->link_count = count;
	return true;
}

void gti_observe_origin(struct observer *observer, int64_t ticks)
{
	observer->origin = ticks;
}

void gti_observe_clock_change(struct observer *observer, int64_t before,
			      int64_t at, int64_t jump)
{
	const struct transition change = {
		.now = at,
		.written = at,
		.kind = TRANSITION_CLOCK,
	};

	if (observer->feed != NULL)
		gti_feed_wait(observer->feed);
	clock_change(&observer->clocks, before, at, jump);
	if (observer->waits != NULL)
		gti_waits_change_clock(observer->waits, before, at);
	if (observer->feed != NULL)
		feed_record(observer->feed, &change);
}

/* ----------------------------------------------------------- collections -- */

void gti_observe_collection(struct observer *observer, int64_t ticks)
{
	struct census *census = &observer->census;

	if (census->collecting || ticks > observer->known_until)
		return;
	census->collecting = true;
	census->collections++;
	census->since = ticks;
}

bool gti_observe_collection_end(struct observer *observer, int64_t ticks)
{
	struct census *census = &observer->census;
	int64_t begin, end;

	if (!census->collecting)
		return true;
	census->collecting = false;
	begin = clock_ns(&observer->clock, census->since);
	end = clock_ns(&observer->clock,
		       least_of(ticks, observer->known_until));
	census->collected += (uint64_t)end - (uint64_t)begin;
	if (observer->each_collection != NULL &&
	    !observer->each_collection(observer->each_context, begin, end))
		observer->ended = true;
	return !observer->ended;
}

/* ----------------------------------------------------------------- stops -- */

static void observe_stopped(struct observer *observer, bool begins,
			    int64_t ticks)
{
	struct waits *waits = observer->waits;

	if (waits != NULL)
		gti_waits_stop(waits, begins, waits_time(waits, ticks));
}

void gti_observe_stop(struct observer *observer, struct running_slice *running,
		      int64_t ticks, int64_t written)
{
	observe_stopped(observer, true, ticks);
	if (running == NULL)
		return;
	if (running->asked_of != running->start.ordinal)
		running->asked = 0;
	running->asked_of = running->start.ordinal;
	running->asks_since = written;
}

void gti_observe_stop_end(struct observer *observer,
			  struct running_slice *running, int64_t ticks,
			  int64_t written)
{
	int64_t since, until;

	observe_stopped(observer, false, ticks);
	if (running == NULL || running->asked_of != running->start.ordinal ||
	    running->asks_since == TIME_NONE)
		return;
	since = clock_ns(&observer->clock, running->asks_since);
	until = clock_ns(&observer->clock, written);
	running->asks_since = TIME_NONE;
	if (until >= since)
		running->asked += (uint64_t)until - (uint64_t)since;
}

bool gti_observe_procs(struct observer *observer, uint64_t procs, int64_t ticks)
{
	struct waits *waits = observer->waits;

	return waits == NULL ||
	       observe_waits_go_on(
		       observer, gti_waits_procs(waits, procs,
						 waits_time(waits, ticks)));
}

/* ---------------------------------------------------------------- finish -- */

void gti_observe_end_sums(struct observer *observer, int64_t ticks)
{
	observer->known_until = ticks;
}

void gti_observe_finish(struct observer *observer, uint64_t events,
			int64_t last_ticks)
{
	observer->census.events = events;
	observer->census.last = last_ticks;
	if (observer->origin == ORIGIN_UNKNOWN)
		gti_observe_origin(observer, last_ticks); /* no events */
	gti_observe_collection_end(observer, last_ticks);
	if (observer->slices != NULL)
		gti_slices_offer(observer->slices,
				 observer->slices->started + 1);
	if (observer->feed != NULL)
		gti_feed_close(observer->feed);
	if (observer->known_until == INT64_MAX)
		gti_observe_end_sums(observer, last_ticks);
}

/* --------------------------------------------------------------- silence -- */

void gti_observe_silent(const struct silence_walk *walk,
			struct running_slice *running, int64_t thread)
{
	const struct silence *silence = walk->silence;
	struct inside *inside = observe_inside(walk->observer, running);
	int64_t time;
	enum gtrace_silent_class class = gti_evidence_class(
		silence, silence_samples(silence, thread), &time);

	inside->silent = add_lengths(
		inside->silent,
		(uint64_t)length_between(silence->from, silence->to));
	if (class > inside->silent_class)
		inside->silent_class = class;
	if (class == GTRACE_SILENT_CERTAIN)
		inside->certain = add_lengths(inside->certain, (uint64_t)time);
	if (class != GTRACE_SILENT_UNDECIDED)
		inside->likely = add_lengths(inside->likely, (uint64_t)time);
}

void gti_observe_silence(const struct observer *observer, int64_t from,
			 int64_t to, bool goes_on,
			 void (*walk)(const void *context,
				      const struct silence_walk *walk),
			 const void *context)
{
	const struct transition heard = {
		.now = from,
		.written = from,
		.arg = (uint64_t)to,
		.kind = TRANSITION_SILENCE,
		.flags = goes_on ? TRANSITION_GOES_ON : 0,
	};
	struct silence_walk silence = {.observer = observer};

	if (observer->machine->collects) {
		feed_record(observer->feed, &heard);
		return;
	}
	silence.silence = gti_evidence_find(observer->machine->known,
					    clock_ns(&observer->clock, from),
					    clock_ns(&observer->clock, to));
	if (silence.silence != NULL)
		walk(context, &silence);
}

/* ---------------------------------------------------------------- inside -- */

void gti_observe_label(struct running_slice *running,
		       struct gtrace_string label)
{
	enum gc_work work = gti_work_of(label);

	if (work == GC_WORKS)
		return;
	running->worker_of = running->start.ordinal;
	running->gc_worker = GTRACE_WORK_GC_DEDICATED + work;
}

void gti_observe_first(const struct observer *observer,
		       struct running_slice *running)
{
	inside_free_samples(observer->inside, &running->inside);
	running->inside_of = running->start.ordinal;
	running->inside = (struct inside){.calls = 0};
	/* A slice can start in a system call. */
	running->call_since = running->start.ticks;
}

bool gti_observe_sample(const struct observer *observer,
			struct running_slice *running,
			const struct event *event)
{
	struct inside *inside = observe_inside(observer, running);

	inside->taken++;
	return gti_inside_sample(observer->inside, inside, event->stack);
}
