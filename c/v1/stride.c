/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stride.c - a merge in strides.
 *
 * Why it comes to the same. In strides an event is taken only when it is ready,
 * and only if
 *   - its ticks are not less than those of the event before it in its stream,
 *   - the change of state that its goroutine made before is of the same stream
 *     or of lower ticks.
 * Suppose that all events can be taken so. Then the merge takes each
 * goroutine's changes in the same order, and its ticks never fall:
 * Let M be the least ticks of all events that the merge has not taken yet. Of
 * the events at M, one has behind it all that strides took before it in its
 * stream and of its goroutine, for these have no greater ticks; it is the first
 * of its stream and ready. So the merge takes an event X at M. If strides took
 * a change Y of the same goroutine before X that the merge has not taken, then
 * Y and all changes from it to X are at M, hence of one stream; but then X is
 * not the first of that stream. (When strides begin, no stream has anything
 * earlier than what was taken: so gtrace_strides_can has it.)
 *
 * Events that ask for nothing, like GoSysCall and GoEnd, stand in the stream
 * of the processor that their goroutine runs on, behind the start that brought
 * it there; and it is not started in another one before they were taken.
 * What concerns more than one goroutine or processor is taken only when no
 * stream has anything earlier, so it is in the order of the merge. And when
 * an ended goroutine is forgotten, nothing can be ready that asks for it,
 * neither here nor in the merge.
 */
#include "v1/stride.h"

#include "v1/merge_step.h"

/* For each event that is taken, so many streams may be looked at in vain. */
#define VAIN_LOOKS 4

/* A stride may come to have so many times the events it was meant to have. */
#define EVENTS_EXCESS 32

/* Events whose effect depends on others of their goroutine ... */
#define GOROUTINE_TYPES                                                        \
	((uint64_t)1 << EV_GC_MARK_ASSIST_START |                              \
	 (uint64_t)1 << EV_GC_MARK_ASSIST_DONE |                               \
	 (uint64_t)1 << EV_USER_REGION)

/* ... or on others of any stream. */
#define COMMON_TYPES                                                           \
	((uint64_t)1 << EV_GC_START | (uint64_t)1 << EV_GC_DONE |              \
	 (uint64_t)1 << EV_STW_START | (uint64_t)1 << EV_STW_DONE |            \
	 (uint64_t)1 << EV_USER_TASK_CREATE | (uint64_t)1 << EV_USER_TASK_END)

struct strides {
	struct merge *merge;
	const struct stride_reader *reader;
	int64_t until;        /* events from here on are not taken */
	uint64_t most;        /* events to be merged by then, less than that */
	uint64_t width;       /* of a stride, in ticks */
	uint64_t begun;       /* after so many events */
	uint64_t looks;       /* at streams */
	int64_t common_ticks; /* of the last common event */
	uint32_t common_stream;
	bool took; /* an event, since it was last set to false */
};

/* Whether EVENT is to be taken only when no stream has anything earlier. */
static ALWAYS_INLINE bool is_common(const struct event *event)
{
	uint64_t type = (uint64_t)1 << event->type;

	if (LIKELY((type & (COMMON_TYPES | GOROUTINE_TYPES)) == 0))
		return false;
	/* Goroutine 0 is in all streams. */
	return (type & COMMON_TYPES) != 0 || event->g == 0;
}

bool gtrace_strides_can(const struct merge *merge)
{
	const struct index *index = merge->index;
	uint32_t i;

	if (index->samples.count != 0 || merge->disordered || merge->crossed ||
	    merge->exit_status != GTRACE_OK || merge->feed.unordered ||
	    merge->keep_exits)
		return false;
	/* A processor that stands for something gets events of all streams. */
	for (i = PROCESSOR_TIMERS; i <= PROCESSOR_COLLECTOR; i++)
		if (gtrace_index_stream_of(index, i) != SLOT_NONE)
			return false;
	for (i = 0; i < merge->cursor_count; i++)
		if (!merge->cursors[i].ended &&
		    &merge->cursors[i] != merge->current &&
		    merge->cursors[i].event.ticks < merge->ticks)
			return false;
	return true;
}

/*
 * Notes that the goroutine that the first event of CURSOR asks for changes now,
 * by the stream NUMBER. Returns false if it changed last by another stream and
 * not earlier than this: then it is not sure that this is next.
 */
static ALWAYS_INLINE bool note_change(struct cursor *cursor, uint32_t number)
{
	struct ordered_goroutine *goroutine = cursor->wish.asked;
	int64_t ticks = cursor->event.ticks;

	if (UNLIKELY(goroutine->stream != number)) {
		if (goroutine->ticks >= ticks)
			return false;
		goroutine->stream = number;
	}
	goroutine->ticks = ticks;
	return true;
}

/*
 * Takes the first event of CURSOR, which is ready, and reads the next. Returns
 * false if that is not sure to be right.
 */
static ALWAYS_INLINE bool take(struct strides *strides, struct cursor *cursor,
			       uint32_t number)
{
	struct merge *merge = strides->merge;
	const struct stride_reader *reader = strides->reader;
	struct event *event = &cursor->event;
	int64_t ticks = event->ticks;
	enum found found;

	if (UNLIKELY(!note_change(cursor, number)) ||
	    UNLIKELY(!bring_about(merge, cursor)))
		return false;
	merge->position++;
	if (UNLIKELY(!reader->event(reader->context, event)))
		return false;
	if (UNLIKELY(merge->ended != SLOT_NONE) &&
	    !gtrace_merge_forget_ended(merge))
		return false;
	found = cursor_next(&merge->feed, cursor);
	if (LIKELY(found == FOUND_EVENT))
		return event->ticks >= ticks;
	return found == FOUND_END;
}

/* Takes the events of CURSOR until it has to wait. False: not sure. */
static NOINLINE HOT bool take_stream(struct strides *strides,
				     struct cursor *cursor)
{
	struct merge *merge = strides->merge;
	uint32_t number = number_of(merge, cursor);
	int64_t until = strides->until;
	uint64_t most = strides->most;

	if (cursor->event.ticks >= until || is_common(&cursor->event) ||
	    !wish_is_ready(&cursor->wish))
		return true;
	if (!strides->reader->piece(strides->reader->context))
		return false;
	strides->took = true;
	merge->feed.anyone.stream = number;
	cursor->wish.asked->heads--;
	do {
		if (UNLIKELY(!take(strides, cursor, number)))
			return false;
		if (UNLIKELY(cursor->ended))
			return true;
		if (UNLIKELY(merge->position >= most))
			return false;
	} while (LIKELY(cursor->event.ticks < until) &&
		 LIKELY(!is_common(&cursor->event)) &&
		 LIKELY(wish_is_ready(&cursor->wish)));
	set_aside(cursor);
	return true;
}

/*
 * Whether nothing came up that strides are not sure of, and they do not take
 * too long: a trace in which streams often wait for each other is not for them.
 */
static bool is_well(const struct strides *strides)
{
	const struct merge *merge = strides->merge;
	uint64_t taken = merge->position - strides->begun;

	return !merge->crossed && merge->exit_status == GTRACE_OK &&
	       !merge->feed.unordered &&
	       strides->looks <= (taken + merge->cursor_count) * VAIN_LOOKS;
}

/*
 * Takes what can be taken before strides->until, but for common events. False:
 * not sure, or it takes too long.
 */
static bool take_all(struct strides *strides)
{
	struct merge *merge = strides->merge;
	uint32_t i;

	do {
		strides->took = false;
		for (i = 0; i < merge->cursor_count; i++)
			if (!merge->cursors[i].ended &&
			    !take_stream(strides, &merge->cursors[i]))
				return false;
		strides->looks += merge->cursor_count;
	} while (strides->took && is_well(strides));
	return !strides->took && is_well(strides);
}

/* The least ticks of all first events. False: there are none. */
static bool find_least(const struct merge *merge, int64_t *least)
{
	bool found = false;
	uint32_t i;

	for (i = 0; i < merge->cursor_count; i++) {
		const struct cursor *cursor = &merge->cursors[i];

		if (!cursor->ended &&
		    (!found || cursor->event.ticks < *least)) {
			*least = cursor->event.ticks;
			found = true;
		}
	}
	return found;
}

/* Takes the common event that is the only one at the TICKS, the least. */
static bool take_common(struct strides *strides, int64_t ticks)
{
	struct merge *merge = strides->merge;
	struct cursor *chosen = NULL;
	uint32_t i, number;

	for (i = 0; i < merge->cursor_count; i++) {
		struct cursor *cursor = &merge->cursors[i];

		if (cursor->ended || cursor->event.ticks != ticks ||
		    !is_common(&cursor->event))
			continue;
		if (chosen != NULL)
			return false;
		chosen = cursor;
	}
	if (chosen == NULL || !wish_is_ready(&chosen->wish))
		return false;
	number = number_of(merge, chosen);
	if (ticks == strides->common_ticks && number != strides->common_stream)
		return false;
	strides->common_ticks = ticks;
	strides->common_stream = number;
	merge->feed.anyone.stream = number;
	chosen->wish.asked->heads--;
	if (!strides->reader->piece(strides->reader->context) ||
	    !take(strides, chosen, number))
		return false;
	if (!chosen->ended)
		set_aside(chosen);
	return true;
}

/* Takes all events before strides->until. */
static bool make_stride(struct strides *strides)
{
	int64_t least = 0;

	for (;;) {
		if (!take_all(strides))
			return false;
		if (!find_least(strides->merge, &least) ||
		    least >= strides->until)
			return true;
		if (!take_common(strides, least))
			return false;
	}
}

/* Reads on in the stream whose event was given out last. */
static bool leave_merge(struct merge *merge)
{
	struct cursor *cursor = merge->current;
	enum found found;

	if (cursor == NULL)
		return true;
	if (merge->ended != SLOT_NONE && !gtrace_merge_forget_ended(merge))
		return false;
	found = cursor_next(&merge->feed, cursor);
	if (found == FOUND_EVENT)
		set_aside(cursor);
	return found == FOUND_END ||
	       (found == FOUND_EVENT && cursor->event.ticks >= merge->ticks);
}

bool gtrace_strides_run(struct merge *merge, uint64_t events,
			const struct stride_reader *reader)
{
	struct strides strides = {
		.merge = merge,
		.reader = reader,
		.begun = merge->position,
		.common_ticks = INT64_MIN,
	};
	uint64_t span = (uint64_t)merge->ticks - (uint64_t)merge->first_ticks;
	uint64_t before;
	int64_t least = 0;

	strides.width = span / (merge->position / events + 1) + 1;
	if (!leave_merge(merge))
		return false;
	while (find_least(merge, &least)) {
		uint64_t room = (uint64_t)INT64_MAX - (uint64_t)least;

		before = merge->position;
		strides.most = before + events * EVENTS_EXCESS;
		strides.until = (int64_t)((uint64_t)least +
					  (strides.width < room ? strides.width
								: room));
		if (strides.until == least || !make_stride(&strides) ||
		    !reader->stride(reader->context))
			return false;
		if (merge->position - before > events * 2)
			strides.width = strides.width / 2 + 1;
		else if (merge->position - before < events / 2 &&
			 strides.width < (uint64_t)INT64_MAX)
			strides.width *= 2;
	}
	return merge->position == merge->index->events;
}
