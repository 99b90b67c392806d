/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c - the events of all processors, in the order in which they happened.
 *
 * The first unmerged event of a stream is ready or waits. One that is not ready
 * waits under what it waits for, and is looked at again only when that comes
 * true.
 */
#include "v1/merge.h"

#include <string.h>

#include "base/fail.h"

/*
 * Whether what the event asks for is so. There are no branches in it, because
 * what they would do depends on the event's type, which never_ready can
 * foresee.
 */
static ALWAYS_INLINE bool is_ready(const struct precondition *pre)
{
	const struct goroutine *goroutine = pre->goroutine;
	uint64_t exact = 0 - (uint64_t)pre->transition.exact;

	return (((goroutine->sequence ^ pre->sequence) & exact) |
		(goroutine->order_state ^ pre->transition.from)) == 0;
}

/* The goroutine goes on to the state that the event brings about. */
static ALWAYS_INLINE void change_state(const struct precondition *pre)
{
	struct goroutine *goroutine = pre->goroutine;

	goroutine->order_state = pre->transition.to;
	goroutine->in_syscall = 0;
	goroutine->sequence += pre->transition.bump;
}

static inline uint32_t number_of(const struct merge *merge,
				 const struct cursor *cursor)
{
	return (uint32_t)(cursor - merge->cursors);
}

/* The first event of CURSOR is left for later. */
static ALWAYS_INLINE void pin(const struct cursor *cursor)
{
	cursor->pre.goroutine->pinned++;
}

/* --------------------------------------------------------------- waiting -- */

/* Where streams wait for a state and a sequence number of a goroutine. */
static uint32_t *waiting_place(struct merge *merge, uint32_t slot,
			       unsigned state, uint64_t sequence, bool any)
{
	uint64_t key = (uint64_t)slot << 4 | state << 1 | any;

	key = hash64(key ^ (any ? 0 : sequence * 0xff51afd7ed558ccdu),
		     merge->decoder.goroutines.multiplier);
	return &merge->waiting[key & merge->waiting_mask];
}

static NOINLINE void wait_for(struct merge *merge, struct cursor *cursor)
{
	const struct precondition *pre = &cursor->pre;
	uint32_t *place;

	cursor->waits = true;
	if (pre->goroutine == &merge->decoder.never_ready)
		return;
	place = waiting_place(merge, pre->goroutine->slot, pre->transition.from,
			      pre->sequence, !pre->transition.exact);
	cursor->next_waiting = *place;
	*place = number_of(merge, cursor) + 1;
	pre->goroutine->waiting++;
}

/* Wakes those at PLACE that wait for GOROUTINE and may go on. */
static void wake_at(struct merge *merge, uint32_t *place,
		    struct goroutine *goroutine)
{
	while (*place != 0) {
		uint32_t number = *place - 1;
		struct cursor *cursor = &merge->cursors[number];

		if (cursor->pre.goroutine == goroutine &&
		    is_ready(&cursor->pre)) {
			*place = cursor->next_waiting;
			cursor->waits = false;
			goroutine->waiting--;
			merge->newly_ready[merge->newly_ready_count++] = number;
			frontier_keep_none(&merge->frontier);
		} else {
			place = &cursor->next_waiting;
		}
	}
}

static void wake(struct merge *merge, struct goroutine *goroutine)
{
	wake_at(merge,
		waiting_place(merge, goroutine->slot, goroutine->order_state,
			      goroutine->sequence, false),
		goroutine);
	wake_at(merge,
		waiting_place(merge, goroutine->slot, goroutine->order_state, 0,
			      true),
		goroutine);
}

/* Makes the newly_ready streams candidates, in the order of their numbers. */
static NOINLINE void admit_newly_ready(struct merge *merge)
{
	uint32_t *newly_ready = merge->newly_ready;
	uint32_t count = merge->newly_ready_count;
	uint32_t gap, i, at;

	/* Shell's sort: few are newly_ready at once, but there may be many. */
	for (gap = 1; gap < count / 3;)
		gap = 3 * gap + 1;
	for (; gap > 0; gap /= 3)
		for (i = gap; i < count; i++) {
			uint32_t moved = newly_ready[i];

			for (at = i; at >= gap && newly_ready[at - gap] > moved;
			     at -= gap)
				newly_ready[at] = newly_ready[at - gap];
			newly_ready[at] = moved;
		}
	for (i = 0; i < count; i++)
		frontier_add(&merge->frontier,
			     merge->cursors[newly_ready[i]].event.ticks,
			     newly_ready[i]);
	merge->newly_ready_count = 0;
}

/* --------------------------------------------------------------- merging -- */

/* GOROUTINE changed, which the first events of some streams ask for. */
static NOINLINE void tell_pinned(struct merge *merge,
				 struct goroutine *goroutine)
{
	if (goroutine == &merge->decoder.always_ready)
		return; /* this one only seems to */
	/* Some of them may be candidates that are no longer ready. */
	if (goroutine->pinned != goroutine->waiting)
		merge->unsure = true;
	if (goroutine->waiting != 0)
		wake(merge, goroutine);
}

static enum gtrace_status fail_order(uint64_t offset,
				     struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ORDER, offset,
			"no consistent ordering of events possible");
}

static enum gtrace_status fail_ticks(const struct merge *merge,
				     struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ORDER, merge->disordered_offset,
			"time stamps out of order");
}

/* No candidate is left. Reports what counts only now. */
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
	if (merge->disordered)
		return fail_ticks(merge, error);
	if (merge->exit_status != GTRACE_OK && error != NULL)
		*error = merge->exit_error;
	return merge->exit_status;
}

static bool keep_exit(struct merge *merge, const struct event *event)
{
	struct moved_exit *exit;

	if (!gti_array_reserve(&merge->exits, sizeof(*exit), merge->memory))
		return false;
	exit = (struct moved_exit *)merge->exits.items + merge->exits.count++;
	exit->ticks = event->ticks;
	exit->position = merge->position;
	exit->offset = event->offset;
	exit->ordinal = event->ordinal;
	return true;
}

/* Puts an exit from a system call where it happened, if it says so. */
static bool place_exit(struct merge *merge, struct event *event)
{
	const struct goroutine *goroutine;
	int64_t happened = (int64_t)event->args[2];
	const char *fault = NULL;

	event->p = PROCESSOR_SYSCALL;
	event->p_slot = merge->syscall_slot;
	if (happened == 0 || merge->exit_status != GTRACE_OK ||
	    event->g_record == NULL)
		return true;
	goroutine = event->g_record;
	if (goroutine->blocked_ticks == 0)
		fault = "stray syscall exit";
	else if (happened < goroutine->blocked_ticks)
		fault = "time stamps out of order";
	if (fault != NULL) {
		merge->exit_status =
			gti_fail(&merge->exit_error, GTRACE_ERROR_ORDER,
				 event->offset, "%s", fault);
		return !merge->stop_at_fault;
	}
	if (happened == event->ticks)
		return true;
	if (happened > event->ticks || !goroutine->in_syscall)
		merge->reordered = true;
	event->ticks = happened;
	return !merge->keep_exits || keep_exit(merge, event);
}

/* Takes the time of EVENT. Returns false if the merge is to stop here. */
static inline bool take_ticks(struct merge *merge, const struct event *event)
{
	if (UNLIKELY(event->ticks < merge->ticks) && !merge->disordered) {
		merge->disordered = true;
		merge->disordered_offset = event->offset;
		if (merge->stop_at_fault)
			return false;
	}
	merge->ticks = event->ticks;
	return true;
}

static NOINLINE bool forget_ended(struct merge *merge)
{
	struct goroutine *ended = merge->ended;

	merge->ended = NULL;
	return gti_goroutines_end(&merge->decoder.goroutines, ended);
}

/*
 * The event that CURSOR has read waits, or it is to be chosen together with
 * others that have become ready.
 */
static NOINLINE void line_up(struct merge *merge, struct cursor *cursor)
{
	uint32_t number = number_of(merge, cursor);

	pin(cursor);
	if (!is_ready(&cursor->pre))
		wait_for(merge, cursor);
	else if (merge->newly_ready_count != 0)
		merge->newly_ready[merge->newly_ready_count++] = number;
	else
		frontier_add(&merge->frontier, cursor->event.ticks, number);
}

/* What a merged event brings about beside the change of its goroutine. */
static void note(struct merge *merge, struct event *event)
{
	struct goroutine *goroutine;

	switch (event->type) {
	case EV_GO_UNBLOCK:
		if (!index_is_timer(merge->index, event->g))
			break;
		event->p = PROCESSOR_TIMER;
		event->p_slot = merge->timer_slot;
		break;
	case EV_GO_END:
	case EV_GO_STOP:
		if (event->g != ID_UNORDERED)
			merge->ended = event->g_record;
		break;
	case EV_GO_SYS_BLOCK:
	case EV_GO_IN_SYSCALL:
		goroutine = event->g_record;
		goroutine->blocked_ticks = event->ticks;
		goroutine->in_syscall = 1;
		break;
	default:
		break;
	}
}

static NOINLINE bool apply_more(struct merge *merge, struct cursor *cursor)
{
	struct event *event = &cursor->event;
	const struct precondition *pre = &cursor->pre;

	if (event->type == EV_GO_SYS_EXIT && !place_exit(merge, event))
		return false;
	/* It goes on from there. */
	if (pre->sequence == SEQUENCE_UNKNOWN)
		pre->goroutine->sequence = SEQUENCE_UNKNOWN;
	change_state(pre);
	note(merge, event);
	return true;
}

/*
 * The first event of CURSOR is merged: its goroutine changes, and it becomes
 * what it is after the merge. Returns false if there is no memory.
 */
static ALWAYS_INLINE bool apply(struct merge *merge, struct cursor *cursor)
{
	unsigned effects = cursor->pre.effects;

	if (UNLIKELY(effects != EFFECT_NONE) &&
	    (effects != EFFECT_UNBLOCK ||
	     UNLIKELY(index_is_timer(merge->index, cursor->event.g))))
		return apply_more(merge, cursor);
	change_state(&cursor->pre);
	return true;
}

/* Whose turn it is after an event. */
enum choice { CHOICE_SAME, CHOICE_OTHER, CHOICE_NONE, CHOICE_NO_MEMORY };

/* Gives the turn to the first of all candidates. */
static NOINLINE HOT enum choice choose(struct merge *merge)
{
	bool first = merge->current == NULL;
	uint32_t number;

	merge->current = NULL;
	if (merge->newly_ready_count != 0)
		admit_newly_ready(merge);
	if (!gti_frontier_take(&merge->frontier, &number))
		return CHOICE_NONE;
	merge->current = &merge->cursors[number];
	if (first) {
		merge->first_ticks = merge->current->event.ticks;
		merge->ticks = merge->first_ticks;
	}
	return CHOICE_OTHER;
}

/*
 * Reads the next event of CURSOR, whose turn was last, and chooses whose turn
 * it is now.
 */
static ALWAYS_INLINE enum choice go_on(struct merge *merge,
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
	if (LIKELY(is_ready(&cursor->pre))) {
		if (frontier_keeps(frontier, cursor->event.ticks))
			return CHOICE_SAME;
		number = number_of(merge, cursor);
		if (LIKELY(merge->newly_ready_count == 0) &&
		    LIKELY(frontier_exchange(frontier, cursor->event.ticks,
					     &number))) {
			pin(cursor);
			merge->current = &merge->cursors[number];
			return CHOICE_OTHER;
		}
	}
	line_up(merge, cursor);
	return choose(merge);
}

/* The chosen event is at fault, and the merge stops; or there is no memory. */
static NOINLINE enum gtrace_status fail_apply(const struct merge *merge,
					      struct gtrace_error *error)
{
	if (!merge->stop_at_fault)
		return gti_fail_memory(error);
	if (merge->disordered)
		return fail_ticks(merge, error);
	if (merge->exit_status == GTRACE_OK)
		return gti_fail_memory(error);
	if (error != NULL)
		*error = merge->exit_error;
	return merge->exit_status;
}

/*
 * See gti_merge_next, which this is, for others to have a copy of. *CURRENT
 * is merge->current before and after.
 */
static ALWAYS_INLINE enum gtrace_status next(struct merge *merge,
					     struct cursor **current,
					     struct event **out,
					     struct gtrace_error *error)
{
	struct cursor *cursor = *current;
	enum choice choice;
	struct event *event;

	*out = NULL;
	choice = LIKELY(cursor != NULL) ? go_on(merge, cursor) : choose(merge);
	if (choice != CHOICE_SAME) {
		if (UNLIKELY(choice != CHOICE_OTHER))
			return choice == CHOICE_NONE ? finish(merge, error)
						     : gti_fail_memory(error);
		cursor = merge->current;
		*current = cursor;
		/* It was ready once, but others have come before it. */
		if (UNLIKELY(merge->unsure) && !is_ready(&cursor->pre))
			return fail_order(cursor->event.offset, error);
		cursor->pre.goroutine->pinned--;
	}
	event = &cursor->event;
	if (UNLIKELY(!take_ticks(merge, event) || !apply(merge, cursor)))
		return fail_apply(merge, error);
	if (UNLIKELY(cursor->pre.goroutine->pinned != 0))
		tell_pinned(merge, cursor->pre.goroutine);
	merge->position++;
	*out = event;
	return GTRACE_OK;
}

enum gtrace_status gti_merge_next(struct merge *merge, struct event **out,
				  struct gtrace_error *error)
{
	struct cursor *current = merge->current;

	return next(merge, &current, out, error);
}

HOT enum gtrace_status
gti_merge_run(struct merge *merge,
	      bool (*visit)(void *context, struct event *event), void *context,
	      bool *stopped, struct gtrace_error *error)
{
	struct cursor *current = merge->current;
	enum gtrace_status status;
	struct event *event;

	*stopped = false;
	for (;;) {
		status = next(merge, &current, &event, error);
		if (UNLIKELY(event == NULL))
			return status;
		if (UNLIKELY(!visit(context, event))) {
			*stopped = true;
			return GTRACE_OK;
		}
	}
}

/* ----------------------------------------------------------------- start -- */

static bool allocate_streams(struct merge *merge)
{
	uint32_t count = merge->cursor_count;
	uint32_t places = 1;

	while (places < count)
		places *= 2;
	merge->waiting_mask = places - 1;
	merge->cursors = gti_allocate_zeroed(merge->memory, count,
					     sizeof(*merge->cursors));
	merge->waiting = gti_allocate_zeroed(merge->memory, places,
					     sizeof(*merge->waiting));
	merge->newly_ready = gti_allocate_zeroed(merge->memory, count,
						 sizeof(*merge->newly_ready));
	return merge->cursors != NULL && merge->waiting != NULL &&
	       merge->newly_ready != NULL;
}

/* One cursor for each stream, and one for the samples in their place. */
static void init_cursors(struct merge *merge)
{
	const struct index *index = merge->index;
	struct cursor *cursor = merge->cursors;
	uint32_t number;

	for (number = 0; number <= index->streams.count; number++) {
		if (number == index->samples_before &&
		    index->samples.count != 0)
			gti_cursor_init_samples(cursor++, &merge->decoder);
		if (number < index->streams.count)
			gti_cursor_init(cursor++, &merge->decoder, number);
	}
}

/* The first event of each stream becomes a candidate or waits. */
static bool start_streams(struct merge *merge)
{
	uint32_t i;

	init_cursors(merge);
	for (i = 0; i < merge->cursor_count; i++) {
		struct cursor *cursor = &merge->cursors[i];
		enum found found = cursor_next(&merge->decoder, cursor);

		if (found == FOUND_NO_MEMORY)
			return false;
		if (found == FOUND_EVENT)
			line_up(merge, cursor);
	}
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
	merge->timer_slot = gti_index_stream_of(index, PROCESSOR_TIMER);
	merge->syscall_slot = gti_index_stream_of(index, PROCESSOR_SYSCALL);
	if (gti_decoder_init(&merge->decoder, index,
			     (flags & MERGE_FORGET) != 0) &&
	    gti_frontier_init(&merge->frontier, merge->cursor_count, sort,
			      merge->memory) &&
	    allocate_streams(merge) && start_streams(merge))
		return GTRACE_OK;
	gti_merge_free(merge);
	return gti_fail_memory(error);
}

void gti_merge_free(struct merge *merge)
{
	uint32_t count = merge->cursor_count;

	if (merge->memory == NULL)
		return;
	gti_decoder_free(&merge->decoder);
	gti_frontier_free(&merge->frontier);
	gti_release(merge->memory, merge->cursors,
		    count * sizeof(*merge->cursors));
	gti_release(merge->memory, merge->waiting,
		    ((size_t)merge->waiting_mask + 1) *
			    sizeof(*merge->waiting));
	gti_release(merge->memory, merge->newly_ready,
		    count * sizeof(*merge->newly_ready));
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

enum gtrace_status gti_merge_read_exit(struct merge *merge,
				       const struct moved_exit *exit,
				       struct event *event,
				       struct gtrace_error *error)
{
	struct goroutine *goroutine;

	event->type = EV_GO_SYS_EXIT;
	event->offset = exit->offset;
	event->ordinal = exit->ordinal;
	event->ticks = exit->ticks;
	gti_decoder_read_at(&merge->decoder, exit->offset,
			    &merge->index->rules.by_type[EV_GO_SYS_EXIT],
			    event);
	event->g = event->args[0];
	event->p = PROCESSOR_SYSCALL;
	event->p_slot = merge->syscall_slot;
	if (!goroutines_find(&merge->decoder.goroutines, event->g, &goroutine))
		return gti_fail_memory(error);
	event->m = ID_NONE;
	event->g_record = goroutine;
	event->target_record = goroutine;
	return GTRACE_OK;
}
