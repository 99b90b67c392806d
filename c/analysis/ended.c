/* SPDX-License-Identifier: BSD-3-Clause */
/* ended.c - what is done with slices that have ended. */
#include "analysis/transitions.h"

#include "base/least.h"

static bool take_slice(struct observer *observer, struct slice *slice)
{
	struct slices *slices = observer->slices;

	if (observer->each_slice == NULL && slices == NULL)
		return true;
	if (observer->each_slice == NULL) {
		if (!gti_slices_end(slices, slice))
			return false;
		if (slices_should_offer(slices))
			gti_slices_offer(slices, observer->oldest_slice(
							 observer->context));
		return true;
	}
	observer->ended = !observer->each_slice(observer->each_context, slice);
	inside_free_samples(observer->inside, &slice->inside);
	return !observer->ended;
}

/* The end of a slice. */
struct slice_end {
	uint64_t stack; /* 0: none of its own */
	uint32_t type;
};

/* A slice of goroutine G that is added to a profile. */
struct adding {
	struct profile *profile;
	const struct last_event *last;
	uint64_t g;
	uint32_t *near;
};

/* The entry by NAME, plus one, or else by STACK of KIND; NULL: by neither. */
static struct profile_entry *entry_by(const struct adding *adding,
				      uint32_t name, unsigned kind,
				      uint64_t stack)
{
	if (name != 0)
		return gti_profile_named(adding->profile, name - 1, adding->g);
	return stack != 0 ? gti_profile_find(adding->profile, kind, stack,
					     adding->g, adding->near)
			  : NULL;
}

static bool has_name(const struct adding *adding, unsigned kind, uint64_t stack)
{
	return stack != 0 && gti_profile_name(adding->profile, kind, stack) !=
				     PROFILE_UNNAMED;
}

/*
 * The entry of a slice whose STACK, 0: none, has no name, or none that is
 * yours. IN_CALL as in struct last_event. NULL: there is none, or no memory.
 */
static struct profile_entry *entry_of_own(const struct adding *adding,
					  uint64_t stack, bool in_call)
{
	const struct last_event *last = adding->last;
	struct profile_entry *entry = NULL;
	unsigned kind = PROFILE_ANY;

	if (!has_name(adding, kind, stack)) {
		stack = last->stacks.last;
		kind = in_call ? 0 : PROFILE_BEFORE;
		entry = entry_by(adding, last->name, kind, stack);
		kind += PROFILE_ANY;
	}
	if (entry != NULL || !has_name(adding, kind, stack))
		return entry;
	entry = entry_by(adding, last->creator_name, PROFILE_CREATOR,
			 last->stacks.creator);
	return entry != NULL ? entry : entry_by(adding, 0, kind, stack);
}

/*
 * The entry of a slice of goroutine G with GC_WORKER that ends with END. NULL:
 * there is no memory.
 */
static struct profile_entry *entry_of(const struct observer *observer,
				      unsigned gc_worker, struct slice_end end,
				      uint64_t g, const struct last_event *last,
				      uint32_t *near)
{
	const struct adding adding = {observer->profile, last, g, near};
	struct profile_entry *entry =
		entry_by(&adding, 0, gc_worker, end.stack);

	if (entry == NULL && gc_worker == 0)
		entry = entry_of_own(&adding, end.stack,
				     observe_ends_call(observer, end.type));
	if (entry == NULL && gc_worker != 0)
		entry = entry_by(&adding, 0, gc_worker, last->stacks.last);
	return entry != NULL ? entry
			     : gti_profile_find(observer->profile, gc_worker, 0,
						g, near);
}

/* That of an event of TYPE with STACK, or that ORIGIN leads to. */
static struct slice_end end_of(uint64_t stack, uint32_t type,
			       struct origin origin)
{
	return (struct slice_end){origin.packed != 0 ? 0 : stack, type};
}

/* How long the thread of SLICE had no CPU: by the record, or for certain. */
static int64_t off_cpu_of(const struct observer *observer,
			  const struct slice *slice)
{
	int64_t preempted =
		gti_oncpu_time(observer->oncpu, slice->m,
			       clock_ns(&observer->clock, slice->start.ticks),
			       slice->length)
			.preempted;

	return preempted >= 0 ? preempted : slice->inside.certain;
}

/* A slice that WAITS found a delay of is added to no sum. */
static void drop_delay(const struct observer *observer)
{
	if (observer->waits != NULL)
		observer->waits->delay = (struct wide){0, 0};
}

/* Adds SLICE. */
static NOINLINE void add_slice(struct observer *observer,
			       const struct slice *slice, uint32_t *near)
{
	const struct event_ref *end = &slice->end;
	struct profile_entry *entry;
	struct profile_slice added = {
		.length = slice->length,
		.start = slice->start.ticks,
		.g = slice->g,
		.off_cpu = off_cpu_of(observer, slice),
	};

	if (slice->still_running)
		entry = gti_profile_running(observer->profile, slice);
	else
		entry = entry_of(observer, slice->gc_worker,
				 end_of(end->stack, end->type, end->origin),
				 slice->g, &slice->last, near);
	if (entry != NULL)
		gti_profile_add(observer->profile, &added, entry);
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
	if (slice->clock_changed)
		drop_delay(observer);
	if (passes) {
		/* Others are in the profile since they have ended. */
		if (observer->profile != NULL && !slice->clock_changed &&
		    (filter != NULL || slice->still_running ||
		     observer->oncpu != NULL))
			add_slice(observer, slice, near);
		return take_slice(observer, slice);
	}
	drop_delay(observer);
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
	return observer->waits != NULL
		       ? gti_waits_delay(observer->waits, wait,
					 waits_time(observer->waits, end_ticks))
		       : -1;
}

/* Whose slice it is that RECORD has. */
static struct slice_owner owner_of(const struct observer *observer,
				   void *record)
{
	return observer->owner(observer->context, record);
}

/*
 * Sets SLICE to RUNNING of OWNER, up to END_TICKS, without its end. Every slice
 * of a pass can come here, so it is not returned, which would copy it.
 */
static void slice_until(struct slice *slice, const struct observer *observer,
			struct running_slice *running, struct slice_owner owner,
			int64_t end_ticks)
{
	*slice = (struct slice){
		.serial = running->serial,
		.m = owner.m,
		.p = owner.p,
		.g = owner.g,
		.start = running->start,
		.first_stack = owner.first_stack,
		.last = owner.last,
	};
	slice->gc_worker = worker_of(running);
	slice->clock_changed =
		clock_changed(&observer->clocks, running->start.ticks);
	slice->length = observe_length(observer, running, end_ticks);
	slice->delay =
		running->start.ticks > observer->known_until
			? -1
			: delay_until(observer, &running->wait, end_ticks);
	slice->own = slice->rank = slice->length;
	if (running->asked_of == running->start.ordinal && slice->length >= 0 &&
	    running->asked <= (uint64_t)slice->length)
		slice->own -= (int64_t)running->asked;
	if (observer->times_calls)
		slice->inside = inside_until(observer, running, owner.in_call,
					     end_ticks);
}

int64_t gti_observe_calls(const struct observer *observer,
			  struct running_slice *running, void *record,
			  int64_t end_ticks)
{
	bool in_call = owner_of(observer, record).in_call;

	return inside_until(observer, running, in_call, end_ticks).call_ticks;
}

static void keep_ended(struct observer *observer, struct running_slice *running,
		       const struct slice_owner *owner,
		       const struct event *event, struct origin origin,
		       int64_t now)
{
	struct ended_slice *ended =
		gti_waits_keep_ended(observer->waits, &running->wait, now);

	if (ended == NULL)
		return;
	observe_ended_slice(ended, running, owner->p, owner->g, event, origin,
			    owner->last.stacks);
	ended->calls =
		inside_until(observer, running, owner->in_call, event->ticks)
			.call_ticks;
}

void gti_observe_waited(struct observer *observer,
			struct running_slice *running, void *record,
			const struct event *event, struct origin origin)
{
	struct slice_owner owner = owner_of(observer, record);
	struct slice_wait *wait = &running->wait;
	struct waits *waits = observer->waits;
	int64_t now = waits_time(waits, event->ticks);

	if (wait->record != NULL ||
	    gti_waits_delay(waits, wait, now) >= waits->least_delay) {
		struct slice slice;

		slice_until(&slice, observer, running, owner, event->ticks);
		slice.inside.samples = NULL;
		event_ref_set(&slice.end, event, origin);
		gti_waits_slice_ended(waits, wait, &slice);
	}
	if (waits->ready != 0 && waits->wanted != 0)
		keep_ended(observer, running, &owner, event, origin, now);
	else
		gti_waits_forget_slice(waits, wait);
}

/* Whether RUNNING need not be kept, once a profile has it. */
static ALWAYS_INLINE bool is_done(const struct slices *slices,
				  const struct running_slice *running,
				  int64_t end_ticks)
{
	return slices == NULL || observe_too_short(slices, running, end_ticks);
}

HOT bool gti_observe_known(const struct analyses *to,
			   const struct running_slice *slice, uint64_t g,
			   int64_t end_ticks, uint64_t stack, uint32_t *near)
{
	if (UNLIKELY(to->profile == NULL) || UNLIKELY(stack == 0) ||
	    UNLIKELY(observe_is_labelled(slice)) ||
	    UNLIKELY(observe_was_silent(slice)) ||
	    clock_changed(&to->observer->clocks, slice->start.ticks) ||
	    UNLIKELY(!is_done(to->observer->slices, slice, end_ticks)))
		return false;
	return profile_add_known(to->profile, g, stack,
				 observe_length(to->observer, slice, end_ticks),
				 near);
}

/*
 * Adds RUNNING of OWNER to the profile, if that takes all slices. Returns
 * whether nothing is left to be done.
 */
static bool add_ended(struct observer *observer,
		      const struct running_slice *running,
		      struct slice_owner owner, const struct event *event,
		      struct origin origin)
{
	struct profile_slice slice = {.g = owner.g};
	struct profile_entry *entry;

	if (observer->profile == NULL || observer->filter != NULL ||
	    observer->oncpu != NULL)
		return false;
	if (clock_changed(&observer->clocks, running->start.ticks)) {
		drop_delay(observer);
		return is_done(observer->slices, running, event->ticks);
	}
	slice.length = observe_length(observer, running, event->ticks);
	slice.start = running->start.ticks;
	if (observe_was_silent(running))
		slice.off_cpu = running->inside.certain;
	entry = entry_of(observer, worker_of(running),
			 end_of(event->stack, event->type, origin), owner.g,
			 &owner.last, owner.entry);
	if (entry != NULL)
		gti_profile_add(observer->profile, &slice, entry);
	return is_done(observer->slices, running, event->ticks);
}

/* Takes SLICE, which RUNNING of OWNER was. */
static bool take_running(struct observer *observer,
			 struct running_slice *running,
			 struct slice_owner owner, struct slice *slice)
{
	running->inside.samples = NULL; /* they are those of the slice now */
	/* It does not run any more when oldest_slice() looks at those. */
	running->start.ordinal = 0;
	return filter_slice(observer, slice, owner.entry);
}

bool gti_observe_ended(struct observer *observer, struct running_slice *running,
		       void *record, const struct event *event,
		       struct origin origin)
{
	struct slice_owner owner = owner_of(observer, record);
	struct slice slice;

	if (add_ended(observer, running, owner, event, origin)) {
		running->start.ordinal = 0;
		return true;
	}
	slice_until(&slice, observer, running, owner, event->ticks);
	event_ref_set(&slice.end, event, origin);
	return take_running(observer, running, owner, &slice);
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
	copy.inside.samples = NULL;
	gti_waits_slice_ended(waits, wait, &copy);
	gti_waits_forget_slice(waits, wait);
}

bool gti_observe_still_running(struct observer *observer,
			       struct running_slice *running, void *record,
			       int64_t last_ticks)
{
	struct slice_owner owner;
	struct slice slice;

	if (running->start.ordinal == 0)
		return true;
	owner = owner_of(observer, record);
	slice_until(&slice, observer, running, owner, last_ticks);
	slice.still_running = true;
	if (observer->waits != NULL)
		still_waited(observer, &running->wait, &slice);
	return take_running(observer, running, owner, &slice);
}
