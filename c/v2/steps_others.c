/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps_others.c - the steps of events of user tasks and regions, of labels, of
 * numbers of processors and goals of the heap, and of those that change
 * nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "base/leb128.h"
#include "v2/steps.h"
#include "v2/trace.h"

static enum outcome task_begin(struct states *states, struct thread *thread,
			       struct event *event)
{
	uint64_t *task =
		gti_map_put(&states->tasks, event->args[0], states->memory);

	if (task == NULL)
		return gti_v2_fail_memory(states);
	if (*task != 0)
		return gti_v2_fail(states, event,
				   "task %" PRIu64 " is active already",
				   event->args[0]);
	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	*task = event->ordinal;
	return ADVANCED;
}

/* EVENT ends what began with the event BEGIN. */
static void link_begin(const struct states *states, uint64_t begin,
		       const struct event *event)
{
	if (!states->to.withheld)
		observe_link(states->to.observer, begin, event->ordinal);
}

static enum outcome task_end(struct states *states, struct thread *thread,
			     struct event *event)
{
	const uint64_t *task;

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	task = gti_map_get(&states->tasks, event->args[0]);
	if (task == NULL)
		return ADVANCED;
	link_begin(states, *task, event);
	gti_map_delete(&states->tasks, event->args[0]);
	return ADVANCED;
}

/* Whether two strings, known by their offsets, have the same text. */
static bool same_text(const struct states *states, uint64_t a, uint64_t b)
{
	const struct source *source = states->generation->source;
	const uint8_t *end = source->data + source->size;
	const uint8_t *at_a = source->data + a, *at_b = source->data + b;
	uint64_t size_a = 0, size_b = 0;

	if (a == b)
		return true;
	if (a != 0 && leb128_read(&at_a, end, &size_a) != LEB128_GOOD)
		return false;
	if (b != 0 && leb128_read(&at_b, end, &size_b) != LEB128_GOOD)
		return false;
	return size_a == size_b && size_a <= (uint64_t)(end - at_a) &&
	       size_b <= (uint64_t)(end - at_b) &&
	       memcmp(at_a, at_b, (size_t)size_a) == 0;
}

/* NAME is the offset of a string. */
static enum outcome begin_region(struct states *states,
				 struct goroutine *goroutine,
				 struct event *event, uint64_t name)
{
	struct region *region = gti_pool_take(&states->regions);

	if (region == NULL)
		return gti_v2_fail_memory(states);
	hand_out(states, event);
	*region = (struct region){
		.task = event->args[0],
		.name = name,
		.begin = event->ordinal,
		.outer = goroutine->region,
	};
	goroutine->region = region;
	return ADVANCED;
}

/* Whether EVENT, with the NAME of a region, may end REGION. */
static bool ends_region(const struct states *states,
			const struct region *region, const struct event *event,
			uint64_t name)
{
	if (region->task != event->args[0])
		return false;
	/* The name may be missing. */
	if (states->generation->unfinished && event->args[1] != 0 && name == 0)
		return true;
	return same_text(states, region->name, name);
}

static enum outcome end_region(struct states *states,
			       struct goroutine *goroutine, struct event *event,
			       uint64_t name)
{
	struct region *innermost = goroutine->region;

	if (innermost == NULL) { /* it began before the trace did */
		hand_out(states, event);
		return ADVANCED;
	}
	if (!ends_region(states, innermost, event, name) &&
	    states->generation->unfinished) {
		hand_out(states, event);
		return ADVANCED;
	}
	if (!ends_region(states, innermost, event, name))
		return gti_v2_fail(states, event,
				   "the innermost region of goroutine %" PRIu64
				   " is another one",
				   goroutine->id);
	hand_out(states, event);
	link_begin(states, innermost->begin, event);
	goroutine->region = innermost->outer;
	gti_pool_give(&states->regions, innermost);
	return ADVANCED;
}

static enum outcome region(struct states *states, struct thread *thread,
			   struct event *event, bool begins)
{
	struct goroutine *goroutine = thread->goroutine;
	uint64_t name =
		dictionary_get(&states->generation->strings, event->args[1]);

	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	if (!generation_has_string(states->generation, event->args[1]))
		return gti_v2_fail(states, event, "there is no string %" PRIu64,
				   event->args[1]);
	if (!exists(goroutine))
		return gti_v2_fail(states, event,
				   "goroutine %" PRIu64 " does not exist",
				   thread->g);
	return begins ? begin_region(states, goroutine, event, name)
		      : end_region(states, goroutine, event, name);
}

/* ----------------------------------------------------------------- label -- */

/* The runtime labels a goroutine where it starts as a worker of the GC. */
static enum outcome go_label(struct states *states, struct thread *thread,
			     struct event *event)
{
	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	if (observe_wants_labels(states->to.observer) && has_slice(thread))
		gti_observe_label(
			&thread->slice,
			gti_v2_text(states->generation, event->args[0]));
	return ADVANCED;
}

/* ---------------------------------------------------------------- others -- */

/* It changes nothing. */
static enum outcome other(struct states *states, struct thread *thread,
			  struct event *event)
{
	if (!has_needs(thread, event->type))
		return gti_v2_fail_needs(states, thread, event);
	hand_out(states, event);
	return ADVANCED;
}

/* The world starts again, with so many processors. */
static enum outcome procs_change(struct states *states, struct thread *thread,
				 struct event *event)
{
	if (other(states, thread, event) != ADVANCED)
		return FAILED;
	if (is_withheld(&states->to, PASS_CAREFUL) || thread->p == NO_PROC ||
	    gti_observe_procs(states->to.observer, event->args[0],
			      event->ticks))
		return ADVANCED;
	return FAILED;
}

enum outcome gti_v2_step_other(struct states *states, struct thread *thread,
			       struct event *event)
{
	switch (event->type) {
	case EV_USER_TASK_BEGIN:
		return task_begin(states, thread, event);
	case EV_USER_TASK_END:
		return task_end(states, thread, event);
	case EV_USER_REGION_BEGIN:
	case EV_USER_REGION_END:
		return region(states, thread, event,
			      event->type == EV_USER_REGION_BEGIN);
	case EV_GO_LABEL:
		return go_label(states, thread, event);
	case EV_NONE: /* only a careful pass checks types beforehand */
	case EV_CLOCK_SNAPSHOT:
		return gti_v2_fail(states, event,
				   "no thread writes this event");
	case EV_PROCS_CHANGE:
		return procs_change(states, thread, event);
	default:
		return other(states, thread, event);
	}
}
