/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - merges the events of all streams. */
#include "v1/merge.h"

#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/least.h"

/* Makes the transition of an event whose precondition PRE holds. */
static ALWAYS_INLINE void change_state(const struct precondition *pre)
{
	struct goroutine *goroutine = pre->goroutine;

	goroutine->progress += (uint64_t)pre->transition.step;
	goroutine->in_syscall = 0;
}

/* ---------------------------------------------------------------- faults -- */

static enum gtrace_status fail_order(uint64_t offset,
				     struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ORDER, offset,
			"no consistent ordering of events possible");
}

/* Returns the status of the fault that is reported late, GTRACE_OK for none. */
static enum gtrace_status fail_late(const struct merge *merge,
				    struct gtrace_error *error)
{
	if (!merge->disordered && !merge->bad_exit)
		return GTRACE_OK;
	*error = merge->fault;
	return merge->fault.status;
}

/* No candidate is left: all events are merged, or no stream can continue. */
static enum gtrace_status finish(const struct merge *merge,
				 struct gtrace_error *error)
{
	uint64_t offset = merge->index->size;
	uint32_t i;

	if (merge->position != merge->index->events) {
		for (i = 0; i < merge->cursor_count; i++)
			if (merge->cursors[i].waits &&
			    merge->cursors[i].event.offset < offset)
				offset = merge->cursors[i].event.offset;
		return fail_order(offset, error);
	}
	return fail_late(merge, error);
}

/* --------------------------------------------------------------- effects -- */

static bool keep_exit(struct merge *merge, const struct event *event)
{
	const struct moved_exit exit = {
		.at = {event->ticks, merge->position},
		.offset = event->offset,
		.ordinal = event->ordinal,
	};

	return array_add(&merge->exits, &exit, sizeof(exit), merge->memory) !=
	       NULL;
}

/*
 * Sets the time of an exit from a system call to that at which it happened, if
 * its record has that time. Returns false if the merge has to stop.
 */
static bool place_exit(struct merge *merge, struct event *event)
{
	const struct goroutine *goroutine;
	int64_t happened = (int64_t)event->args[2];
	const char *fault = NULL;

	event->p = PROCESSOR_SYSCALL;
	event->p_slot = merge->syscall_slot;
	if (happened == 0 || merge->bad_exit || event->g_record == NULL)
		return true;
	goroutine = event->g_record;
	if (goroutine->blocked_ticks == 0)
		fault = "stray syscall exit";
	else if (happened < goroutine->blocked_ticks)
		fault = "time stamps out of order";
	if (fault != NULL) {
		merge->bad_exit = true;
		if (!merge->disordered)
			gti_fail(&merge->fault, GTRACE_ERROR_ORDER,
				 event->offset, "%s", fault);
		return !merge->stop_at_fault;
	}
	if (happened == event->ticks)
		return true;
	if (happened > event->ticks || !goroutine->in_syscall) {
		merge->reordered = true;
		/* If there is no final order it stays where its record is. */
		if (merge->stop_at_fault)
			return true;
	}
	event->ticks = happened;
	return !merge->keep_exits || keep_exit(merge, event);
}

/* The ticks of EVENT are less than those before. Returns as take_ticks(). */
static NOINLINE bool note_disorder(struct merge *merge,
				   const struct event *event)
{
	merge->disordered = true;
	gti_fail(&merge->fault, GTRACE_ERROR_ORDER, event->offset,
		 "time stamps out of order");
	return !merge->stop_at_fault;
}

/* Sets the time of the merge. Returns false if the merge has to stop. */
static inline bool take_ticks(struct merge *merge, const struct event *event)
{
	if (UNLIKELY(event->ticks < merge->ticks) && !merge->disordered &&
	    !note_disorder(merge, event))
		return false;
	merge->ticks = event->ticks;
	return true;
}

/* Applies what an event of some types does beside its transition. */
static void apply_type(struct merge *merge, struct event *event)
{
	struct goroutine *goroutine = event->g_record;

	switch (event->type) {
	case EV_GO_END:
	case EV_GO_STOP:
		if (event->g != ID_UNORDERED)
			merge->ended = goroutine;
		break;
	case EV_GO_SYS_BLOCK:
	case EV_GO_IN_SYSCALL:
		goroutine->blocked_ticks = event->ticks;
		goroutine->in_syscall = 1;
		break;
	default:
		break;
	}
}

static NOINLINE bool apply_rare(struct merge *merge, struct cursor *cursor)
{
	struct event *event = &cursor->event;
	const struct precondition *pre = &cursor->pre;
	unsigned effects = pre->transition.effects;

	if (event->type == EV_GO_SYS_EXIT && !place_exit(merge, event))
		return false;
	change_state(pre);
	/* The number after SEQUENCE_UNKNOWN is 0. */
	if (effects & EFFECT_SEQUENCE)
		pre->goroutine->progress &= PROGRESS_STATE_MASK;
	if ((effects & EFFECT_TIMER) && event->type == EV_GO_UNBLOCK) {
		event->p = PROCESSOR_TIMER;
		event->p_slot = merge->timer_slot;
	}
	if (effects & EFFECT_TYPE)
		apply_type(merge, event);
	return true;
}

/*
 * Merges the event of CURSOR: makes its transition, and completes the event.
 * Returns false if the merge has to stop or there is no memory.
 */
static ALWAYS_INLINE bool apply(struct merge *merge, struct cursor *cursor)
{
	if (UNLIKELY(cursor->pre.transition.effects != EFFECT_NONE))
		return apply_rare(merge, cursor);
	change_state(&cursor->pre);
	return true;
}

/* GOROUTINE has changed, and next events of streams depend on its state. */
static NOINLINE void notify_pinned(struct merge *merge,
				   struct goroutine *goroutine)
{
	if (goroutine->pinned != goroutine->waiting)
		merge->recheck = true;
	if (goroutine->waiting != 0)
		gti_waiting_wake(&merge->waiting, goroutine);
}

static NOINLINE bool forget_ended(struct merge *merge)
{
	struct goroutine *ended = merge->ended;

	merge->ended = NULL;
	return gti_goroutines_end(&merge->decoder.goroutines, ended);
}

/* ------------------------------------------------------------------ loop -- */

/* CURSOR has read its next event: adds it to the frontier, or lets it wait. */
static NOINLINE void enqueue(struct merge *merge, struct cursor *cursor)
{
	cursor->pre.goroutine->pinned += precondition_pins(&cursor->pre);
	if (precondition_holds(&cursor->pre))
		frontier_add(&merge->frontier, cursor->event.ticks,
			     cursor->number);
	else
		gti_waiting_add(&merge->waiting, cursor);
}

/* Which stream is next: that of the last event, merge->current, or none. */
enum choice { CHOICE_SAME, CHOICE_OTHER, CHOICE_NONE, CHOICE_NO_MEMORY };

/* Takes the next candidate from the frontier. */
static NOINLINE HOT enum choice choose(struct merge *merge)
{
	uint32_t number;

	if (!gti_frontier_take(&merge->frontier, &number))
		return CHOICE_NONE;
	merge->current = &merge->cursors[number];
	return CHOICE_OTHER;
}

/*
 * Reads the next event of CURSOR, whose last event was just merged, and chooses
 * the stream to continue with. There are three cases, the most frequent first:
 *   - the event is ready and comes before all candidates;
 *   - it is ready, and changes places with the first candidate without a round
 *     of the frontier;
 *   - a round of the frontier is needed.
 */
static ALWAYS_INLINE enum choice advance(struct merge *merge,
					 struct cursor *cursor)
{
	struct frontier *frontier = &merge->frontier;
	enum found found;
	uint32_t number;

	if (UNLIKELY(merge->ended != NULL) && !forget_ended(merge))
		return CHOICE_NO_MEMORY;
	found = cursor_next(&merge->decoder, cursor);
	if (UNLIKELY(found != FOUND_EVENT))
		return found == FOUND_END ? choose(merge) : CHOICE_NO_MEMORY;
	if (LIKELY(precondition_holds(&cursor->pre))) {
		if (frontier_keeps(frontier, cursor->event.ticks))
			return CHOICE_SAME;
		number = cursor->number;
		if (LIKELY(frontier->added_count == 0) &&
		    LIKELY(frontier_exchange(frontier, cursor->event.ticks,
					     &number))) {
			cursor->pre.goroutine->pinned +=
				precondition_pins(&cursor->pre);
			merge->current = &merge->cursors[number];
			return CHOICE_OTHER;
		}
	}
	enqueue(merge, cursor);
	return choose(merge);
}

/* apply() or take_ticks() returned false: at a fault, or without memory. */
static NOINLINE enum gtrace_status fail_apply(const struct merge *merge,
					      struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;

	if (merge->stop_at_fault)
		status = fail_late(merge, error);
	return status != GTRACE_OK ? status : gti_fail_memory(error);
}

/*
 * Takes the next event. *CURRENT is a copy of merge->current, which
 * gti_merge_run() keeps in a register.
 *
 * Invariants between two calls:
 *   current  the stream of the last event. It has not read its next event yet.
 *            NULL before the first event.
 *   Every other stream has ended, or it has read its next event and is either
 *   in the frontier or waiting (see waiting.h). A stream in the frontier was
 *   ready when it was added.
 *   goroutine->pinned   number of streams other than current whose next event
 *                       has a precondition of the goroutine
 *   goroutine->waiting  number of those streams that wait
 *   recheck  a goroutine has changed on which a stream in the frontier may
 *            depend. From then on each event is tested again when it is taken;
 *            if it is no longer ready, the trace has a fault.
 *   ended    the goroutine that the last event has ended, or NULL. Its record
 *            is reused only after the next call, because the caller still uses
 *            the event.
 */
static ALWAYS_INLINE enum gtrace_status next(struct merge *merge,
					     struct cursor **current,
					     struct event **out,
					     struct gtrace_error *error)
{
	struct cursor *cursor = *current;
	struct goroutine *goroutine;
	enum choice choice;
	struct event *event;

	*out = NULL;
	choice =
		LIKELY(cursor != NULL) ? advance(merge, cursor) : choose(merge);
	if (choice != CHOICE_SAME) {
		if (UNLIKELY(choice != CHOICE_OTHER))
			return choice == CHOICE_NONE ? finish(merge, error)
						     : gti_fail_memory(error);
		cursor = merge->current;
		*current = cursor;
		if (UNLIKELY(merge->recheck) &&
		    !precondition_holds(&cursor->pre))
			return fail_order(cursor->event.offset, error);
		cursor->pre.goroutine->pinned -=
			precondition_pins(&cursor->pre);
	}
	event = &cursor->event;
	goroutine = cursor->pre.goroutine;
	if (UNLIKELY(!take_ticks(merge, event) || !apply(merge, cursor)))
		return fail_apply(merge, error);
	if (UNLIKELY(goroutine->pinned != 0))
		notify_pinned(merge, goroutine);
	merge->position++;
	*out = event;
	return GTRACE_OK;
}

HOT enum gtrace_status gti_merge_run(struct merge *merge, event_visitor *visit,
				     void *context, struct gtrace_error *error)
{
	struct cursor *current = merge->current;
	enum gtrace_status status;
	struct event *event;

	for (;;) {
		status = next(merge, &current, &event, error);
		if (UNLIKELY(event == NULL))
			return status;
		if (UNLIKELY(!visit(context, event)))
			return GTRACE_OK;
	}
}

/* ----------------------------------------------------------------- start -- */

/* Makes a cursor for each stream, and one for the samples among them. */
static void init_cursors(struct merge *merge)
{
	const struct index *index = merge->index;
	struct cursor *cursor = merge->cursors;
	uint32_t number;

	for (number = 0; number <= index->streams.count; number++) {
		if (number == index->samples_before &&
		    index->samples.count != 0)
			gti_cursor_init(cursor++, &merge->decoder, SLOT_NONE);
		if (number < index->streams.count)
			gti_cursor_init(cursor++, &merge->decoder, number);
	}
}

static bool start_streams(struct merge *merge)
{
	uint32_t i;

	merge->first_ticks = INT64_MAX;
	init_cursors(merge);
	for (i = 0; i < merge->cursor_count; i++) {
		struct cursor *cursor = &merge->cursors[i];
		enum found found = gti_cursor_first(&merge->decoder, cursor);

		cursor->number = i;
		if (found == FOUND_NO_MEMORY)
			return false;
		if (found != FOUND_EVENT)
			continue;
		enqueue(merge, cursor);
		if (!cursor->waits)
			merge->first_ticks = least_of(merge->first_ticks,
						      cursor->event.ticks);
	}
	merge->ticks = merge->first_ticks;
	return true;
}

enum gtrace_status gti_merge_init(struct merge *merge,
				  const struct index *index, unsigned flags,
				  struct gtrace_error *error)
{
	sort_function *sort = index->rules.version < VERSION_PDQSORT
				      ? gti_sort_go1_8
				      : gti_sort_go1_19;

	memset(merge, 0, sizeof(*merge));
	merge->index = index;
	merge->memory = &index->memory;
	merge->cursor_count =
		(uint32_t)index->streams.count + (index->samples.count != 0);
	merge->keep_exits = (flags & MERGE_KEEP_EXITS) != 0;
	merge->stop_at_fault = (flags & MERGE_STOP_AT_FAULT) != 0;
	merge->timer_slot = gti_index_slot_of(index, PROCESSOR_TIMER);
	merge->syscall_slot = gti_index_slot_of(index, PROCESSOR_SYSCALL);
	merge->cursors = gti_allocate_zeroed(merge->memory, merge->cursor_count,
					     sizeof(*merge->cursors));
	if (merge->cursors != NULL &&
	    gti_decoder_init(&merge->decoder, index,
			     (flags & MERGE_FORGET) != 0) &&
	    gti_frontier_init(&merge->frontier, merge->cursor_count, sort,
			      merge->memory) &&
	    gti_waiting_init(&merge->waiting, merge->cursors,
			     merge->cursor_count, &merge->frontier,
			     merge->memory) &&
	    start_streams(merge))
		return GTRACE_OK;
	gti_merge_free(merge);
	return gti_fail_memory(error);
}

void gti_merge_free(struct merge *merge)
{
	if (merge->memory == NULL)
		return;
	gti_decoder_free(&merge->decoder);
	gti_frontier_free(&merge->frontier);
	gti_release(merge->memory, merge->cursors,
		    merge->cursor_count * sizeof(*merge->cursors));
	gti_waiting_free(&merge->waiting, merge->memory);
	gti_array_free(&merge->exits, sizeof(struct moved_exit), merge->memory);
	merge->memory = NULL;
}

uint64_t gti_merge_unread(const struct merge *merge)
{
	const struct index *index = merge->index;
	uint64_t unread = 0;
	uint32_t i;

	for (i = 0; i < merge->cursor_count; i++) {
		const struct cursor *cursor = &merge->cursors[i];
		uint64_t at = cursor->event.offset;

		if (cursor->sample != SLOT_NONE || cursor->batch == BATCH_NONE)
			continue; /* samples, or a processor without events */
		if (cursor->ended)
			at = index_batch(index, cursor->batch)->end;
		if (at > unread)
			unread = at;
	}
	return unread;
}
