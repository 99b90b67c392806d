/* SPDX-License-Identifier: BSD-3-Clause */
/* observe.c - the hooks that a format's state machine calls. */
#include "analysis/ended.h"

#include <string.h>

#include "base/least.h"

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
	if (observer->stops != NULL)
		gti_stops_restart(observer->stops);
	if (observer->waits != NULL)
		gti_waits_restart(observer->waits);
	if (observer->blocks != NULL)
		gti_blocks_restart(observer->blocks);
	if (observer->sched != NULL)
		gti_sched_restart(observer->sched);
	if (observer->collections != NULL)
		gti_collections_restart(observer->collections);
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

static bool take_slice(struct observer *observer, struct slice *slice)
{
	struct slices *slices = observer->slices;

	if (slices != NULL) {
		if (!gti_slices_end(slices, slice))
			return false;
		if (slices_should_offer(slices))
			gti_slices_offer(slices, observer->oldest_slice(
							 observer->context));
		return true;
	}
	if (observer->each_slice == NULL)
		return true;
	observer->ended = !observer->each_slice(observer->each_context, slice);
	inside_free_samples(observer->inside, &slice->inside);
	return !observer->ended;
}

/*
 * Adds SLICE with GC_WORKER to the profile. It ends at STACK, unless ORIGIN
 * has another one. If that stack has no name, the slice counts at the stack of
 * its START, if that has one.
 */
static void add_to_profile(struct observer *observer,
			   const struct profile_slice *slice,
			   unsigned gc_worker, uint64_t stack,
			   struct origin origin, const struct event_ref *start,
			   uint32_t *near)
{
	struct profile *profile = observer->profile;
	struct profile_entry *entry = NULL;

	if (origin.packed != 0)
		stack = origin.stack;
	if (stack != 0)
		entry = gti_profile_find(profile, gc_worker, stack, slice->g,
					 near);
	if (entry == NULL) {
		stack = start->stack != 0 ? start->stack : start->origin.stack;
		entry = gti_profile_find(profile, gc_worker, stack, slice->g,
					 near);
	}
	if (entry == NULL)
		entry = gti_profile_find(profile, gc_worker, 0, slice->g, near);
	if (entry != NULL)
		gti_profile_add(profile, slice, entry);
}

/* Adds SLICE. One that still runs has no stack at its end. */
static NOINLINE void add_slice(struct observer *observer,
			       const struct slice *slice, uint32_t *near)
{
	static const struct event_ref none = {.type = 0};
	const struct event_ref *end =
		slice->still_running ? &none : &slice->end;
	struct profile_slice added = {
		.length = slice->length,
		.start = slice->start.ticks,
		.g = slice->g,
	};

	add_to_profile(observer, &added, slice->gc_worker, end->stack,
		       end->origin, &slice->start, near);
}

/* Compares SLICE, which PASSES the filter or not, with the record. */
static void use_record(const struct observer *observer, struct slice *slice,
		       bool passes)
{
	int64_t on_cpu =
		gti_oncpu_slice(observer->oncpu, slice->m,
				clock_ns(&observer->clock, slice->start.ticks),
				slice->length, passes);

	if (!observer->by_cpu)
		return;
	slice->rank = on_cpu;
	if (observer->profile != NULL)
		slice->length = greatest_of(on_cpu, 0);
}

/*
 * Takes SLICE if it passes the filter, if there is one. A slice below zero is
 * an error whether it passes or not.
 */
static bool filter_slice(struct observer *observer, struct slice *slice,
			 uint32_t *near)
{
	struct filter *filter = observer->filter;
	bool passes = filter == NULL ||
		      gti_filter_slice(filter, &observer->clock, slice);

	if (observer->oncpu != NULL)
		use_record(observer, slice, passes);
	if (passes) {
		/* Others are in the profile since they have ended. */
		if (observer->profile != NULL &&
		    (filter != NULL || slice->still_running ||
		     observer->oncpu != NULL))
			add_slice(observer, slice, near);
		return take_slice(observer, slice);
	}
	if (observer->waits != NULL)
		observer->waits->delay = (struct wide){0, 0};
	if (observer->slices != NULL && slice->length < 0)
		observer->slices->negative = true;
	inside_free_samples(observer->inside, &slice->inside);
	return !filter->failed;
}

/* What happened inside RUNNING up to END_TICKS, IN_CALL if in a system call. */
static struct inside inside_until(const struct observer *observer,
				  struct running_slice *running, bool in_call,
				  int64_t end_ticks)
{
	struct inside inside = *observe_inside(observer, running);

	if (in_call)
		inside.call_ticks = (int64_t)((uint64_t)inside.call_ticks +
					      (uint64_t)end_ticks -
					      (uint64_t)running->call_since);
	return inside;
}

static unsigned worker_of(const struct running_slice *running)
{
	return observe_is_labelled(running) ? running->gc_worker : 0;
}

/* The delay of a slice with WAIT up to END_TICKS. */
static int64_t delay_until(const struct observer *observer,
			   const struct slice_wait *wait, int64_t end_ticks)
{
	return observer->waits != NULL && wait != NULL
		       ? gti_waits_delay(observer->waits, wait,
					 waits_time(observer->waits, end_ticks))
		       : -1;
}

/* How long SLICE, up to END_TICKS, had no CPU by its samples. */
static int64_t likely_until(const struct observer *observer,
			    const struct slice *slice, int64_t end_ticks)
{
	const struct machine *machine = observer->machine;

	if (machine == NULL || !machine->counts)
		return -1;
	return gti_machine_likely(
		machine, clock_ns(&observer->clock, slice->start.ticks),
		clock_ns(&observer->clock, end_ticks), slice->inside.call_ticks,
		slice->inside.taken);
}

/* Returns the slice RUNNING of OWNER, up to END_TICKS, without its end. */
static struct slice slice_until(const struct observer *observer,
				struct running_slice *running,
				struct slice_owner owner, int64_t end_ticks)
{
	struct slice slice = {
		.serial = running->serial,
		.length = observe_length(observer, running, end_ticks),
		.delay = delay_until(observer, owner.wait, end_ticks),
		.m = owner.m,
		.p = owner.p,
		.g = owner.g,
		.start = running->start,
		.first_stack = owner.first_stack,
		.gc_worker = worker_of(running),
	};

	slice.own = slice.rank = slice.length;
	if (observer->stops != NULL)
		slice.own = gti_stops_own(observer->stops, slice.p, slice.g,
					  slice.length);
	if (observer->times_calls)
		slice.inside = inside_until(observer, running, owner.in_call,
					    end_ticks);
	slice.likely = likely_until(observer, &slice, end_ticks);
	return slice;
}

int64_t gti_observe_calls(const struct observer *observer,
			  struct running_slice *running, bool in_call,
			  int64_t end_ticks)
{
	return inside_until(observer, running, in_call, end_ticks).call_ticks;
}

static void keep_ended(struct observer *observer, struct running_slice *running,
		       const struct slice_owner *owner,
		       const struct event *event, struct origin origin,
		       int64_t now)
{
	struct ended_slice *ended =
		gti_waits_keep_ended(observer->waits, owner->wait, now);

	if (ended == NULL)
		return;
	observe_ended_slice(ended, running, owner->p, owner->g, event, origin);
	ended->calls = gti_observe_calls(observer, running, owner->in_call,
					 event->ticks);
}

void gti_observe_waited(struct observer *observer,
			struct running_slice *running, struct slice_owner owner,
			const struct event *event, struct origin origin)
{
	struct waits *waits = observer->waits;
	int64_t now = waits_time(waits, event->ticks);

	if (owner.wait->record != NULL ||
	    gti_waits_delay(waits, owner.wait, now) >= waits->least_delay) {
		struct slice slice =
			slice_until(observer, running, owner, event->ticks);

		slice.inside.samples = 0;
		event_ref_set(&slice.end, event, origin);
		gti_waits_slice_ended(waits, owner.wait, &slice);
	}
	if (waits->ready != 0 && waits->wanted != 0)
		keep_ended(observer, running, &owner, event, origin, now);
	else
		gti_waits_forget_slice(waits, owner.wait);
}

bool gti_observe_profile(struct observer *observer,
			 const struct running_slice *running, uint64_t g,
			 const struct event *event, struct origin origin,
			 uint32_t *near)
{
	struct profile_slice slice = {.g = g};

	if (observer->profile == NULL || observer->filter != NULL ||
	    observer->oncpu != NULL)
		return false;
	slice.length = observe_length(observer, running, event->ticks);
	slice.start = running->start.ticks;
	add_to_profile(observer, &slice, worker_of(running), event->stack,
		       origin, &running->start, near);
	return observe_done(observer->slices, running, event->ticks);
}

bool gti_observe_kept(struct observer *observer, struct running_slice *running,
		      struct slice_owner owner, const struct event *event,
		      struct origin origin)
{
	struct slice slice =
		slice_until(observer, running, owner, event->ticks);

	running->inside.samples = 0; /* they are those of the slice now */
	event_ref_set(&slice.end, event, origin);
	return filter_slice(observer, &slice, owner.entry);
}

/* SLICE, with WAIT, runs at the last event of the trace. */
static void still_waited(struct observer *observer, struct slice_wait *wait,
			 struct slice *slice)
{
	struct waits *waits = observer->waits;
	struct ended_slice *place;
	struct slice copy;

	waits_slice_ends(waits, wait, &place, waits->last);
	slice->delay = gti_waits_delay(waits, wait, waits->last);
	copy = *slice;
	copy.inside.samples = 0;
	gti_waits_slice_ended(waits, wait, &copy);
	gti_waits_forget_slice(waits, wait);
}

bool gti_observe_still_running(struct observer *observer,
			       struct running_slice *running,
			       struct slice_owner owner, int64_t last_ticks)
{
	struct slice slice;

	if (running->start.ordinal == 0)
		return true;
	slice = slice_until(observer, running, owner, last_ticks);
	slice.still_running = true;
	if (observer->waits != NULL && owner.wait != NULL)
		still_waited(observer, owner.wait, &slice);
	running->inside.samples = 0;
	return filter_slice(observer, &slice, owner.entry);
}

/* ----------------------------------------------------------- collections -- */

void gti_observe_collection(struct observer *observer, int64_t ticks)
{
	struct census *census = &observer->census;

	if (census->collecting)
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
	end = clock_ns(&observer->clock, ticks);
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

bool gti_observe_stop(struct observer *observer,
		      const struct stop_processor *at, uint64_t g,
		      int64_t thread, struct gtrace_string kind,
		      const struct event *event, int64_t written)
{
	if (at == NULL)
		return true;
	observe_stopped(observer, true, event->ticks);
	gti_stops_begin(observer->stops, at, g, thread, kind, event, written);
	return observe_goes_on(observer);
}

bool gti_observe_stop_mark(struct observer *observer,
			   const struct stop_processor *at,
			   const struct event *event, int64_t written)
{
	struct waits *waits = observer->waits;

	if (at == NULL)
		return true;
	if (waits != NULL &&
	    !observe_waits_go_on(
		    observer, gti_waits_procs(waits, event->args[0],
					      waits_time(waits, event->ticks))))
		return false;
	gti_stops_mark(observer->stops, at, event->args[0], event, written);
	return observe_goes_on(observer);
}

bool gti_observe_stop_end(struct observer *observer,
			  const struct stop_processor *at, int64_t ticks,
			  int64_t written)
{
	if (at == NULL)
		return true;
	observe_stopped(observer, false, ticks);
	gti_stops_end(observer->stops, written);
	return observe_goes_on(observer);
}

/* ---------------------------------------------------------------- finish -- */

static void finish_machine(struct observer *observer, int64_t last_ticks)
{
	const struct pool *processors = &observer->stops->processors.records;
	uint32_t i;

	for (i = 0; i < processors->used; i++) {
		struct stop_processor *p = gti_pool_at(processors, i);

		if (stops_runs(p))
			bare_until(&p->bare, p->slice.start);
		gti_machine_off_cpu(observer->machine, p->p, &p->bare);
	}
	gti_machine_finish(observer->machine,
			   clock_ns(&observer->clock, last_ticks));
}

void gti_observe_finish(struct observer *observer, uint64_t events,
			int64_t last_ticks)
{
	observer->census.events = events;
	observer->census.last = last_ticks;
	gti_observe_collection_end(observer, last_ticks);
	if (observer->slices != NULL)
		gti_slices_offer(observer->slices,
				 observer->slices->started + 1);
	if (observer->stops != NULL)
		gti_stops_finish(observer->stops);
	if (observer->machine != NULL)
		finish_machine(observer, last_ticks);
	if (observer->blocks != NULL)
		gti_blocks_finish(observer->blocks, last_ticks);
	if (observer->sched != NULL)
		gti_sched_finish(observer->sched,
				 waits_time(observer->waits, last_ticks));
	if (observer->collections != NULL)
		gti_collections_finish(observer->collections);
}

/* --------------------------------------------------------------- silence -- */

void gti_observe_silent(struct silence *silence, struct running_slice *running,
			bool in_call)
{
	if (in_call) {
		silence->calls++;
		return;
	}
	if (silence->counts) {
		struct inside *inside =
			observe_inside(silence->observer, running);

		inside->off_cpu = (int64_t)((uint64_t)inside->off_cpu +
					    (uint64_t)silence->to -
					    (uint64_t)silence->from);
		return;
	}
	silence->kept++;
	/* A dedicated worker of the collector is not preempted. */
	if (!observe_is_labelled(running) ||
	    running->gc_worker != GTRACE_WORK_GC_DEDICATED)
		silence->proofs++;
}

/*
 * For how long processors were held until FROM, as struct machine keeps that.
 * Until TO, no thread writes an event.
 */
static uint64_t ran_until(const struct observer *observer, int64_t from,
			  int64_t to)
{
	const struct pool *processors = &observer->stops->processors.records;
	uint64_t ran = 0, later = 0;
	uint32_t i;

	if (!gti_machine_spend(observer->machine, processors->used))
		return 0;
	for (i = 0; i < processors->used; i++) {
		const struct stop_processor *p = gti_pool_at(processors, i);

		ran += stops_ran(p, from) - p->bare.sum;
		later += stops_ran(p, to) - p->bare.sum;
	}
	ran -= observer->machine->silent;
	observer->machine->silent = later - ran;
	return ran;
}

void gti_observe_silence(const struct observer *observer, int64_t from,
			 int64_t to, bool goes_on,
			 void (*walk)(const void *context,
				      struct silence *silence),
			 const void *context)
{
	const struct stops *stops = observer->stops;
	struct silence silence = {
		.observer = observer,
		.from = clock_ns(&observer->clock, from),
		.to = clock_ns(&observer->clock, to),
	};

	/* In a stop of the world one thread runs, and is not preempted. */
	if (stops->is_open)
		return;
	walk(context, &silence);
	if (silence.kept + silence.calls == 0)
		return;
	/* Nothing proves it; or a stop that no event begins may be open. */
	if (silence.proofs == 0 ||
	    (stops->format.infers && silence.proofs < 2 &&
	     (!goes_on || silence.kept != 1)))
		silence.kept = 0;
	if (!gti_machine_silence(observer->machine, silence.from, silence.to,
				 silence.kept, ran_until(observer, from, to)))
		return;
	gti_stretch_add(&observer->machine->stretches, -1, from, to);
	silence.counts = true;
	walk(context, &silence);
}

/* ---------------------------------------------------------------- inside -- */

void gti_observe_label(struct running_slice *running,
		       struct gtrace_string label)
{
	static const char *const labels[] = {"GC (dedicated)",
					     "GC (fractional)", "GC (idle)"};
	unsigned i;

	for (i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (label.size == strlen(labels[i]) &&
		    memcmp(label.data, labels[i], label.size) == 0) {
			running->worker_of = running->start.ordinal;
			running->gc_worker = GTRACE_WORK_GC_DEDICATED + i;
		}
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
