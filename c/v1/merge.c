/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge.c - the events of all processors, in the order in which they happened.
 *
 * The two inner parts, reading an event and choosing the next, are what the
 * time of a report goes into. A processor knows the slot of the goroutine that
 * runs on it, so that most events need no look-up; an event that is not ready
 * waits under what it waits for, and is looked at again only when that comes
 * true.
 *
 * The first pass has checked each record, but the file may be changed while we
 * read it. So nothing here relies on what the records say for its safety: a
 * record is read where EVENT_MARGIN bytes can be, and a position behind the
 * end of a batch ends it.
 */
#include "v1/merge.h"

#include "base/fail.h"
#include "v1/record.h"

/* Files up to this size are not given back to the system page by page. */
#define RELEASE_FROM ((size_t)64 << 20)

/* Ids that mean something else to the reference's merge. */
#define ID_UNORDERED UINT64_MAX
#define ID_COLLECTOR (UINT64_MAX - 1)

/* A record's first byte from here on says that a length follows. */
#define SIZED_FIRST_BYTE 0xc0

/* A state that no event asks for. */
#define ORDER_NEVER UINT8_MAX

/* --------------------------------------------------------------- reading -- */

/* Whether CURSOR could be moved to its next batch. */
static bool next_batch(struct merge *merge, struct cursor *cursor)
{
	const struct index *index = merge->index;
	const struct batch *batch;

	if (cursor->sample != SLOT_NONE)
		return false;
	if (cursor->at != NULL && index->size > RELEASE_FROM) {
		batch = index_batch(index, cursor->batch);
		gtrace_input_done_with(index->input, batch->first, batch->end);
	}
	if (cursor->at == NULL)
		cursor->batch = index_stream(index, cursor->p_slot)->first;
	else
		cursor->batch = index_batch(index, cursor->batch)->next;
	if (cursor->batch == BATCH_NONE)
		return false;
	batch = index_batch(index, cursor->batch);
	cursor->at = index->data + batch->first;
	cursor->end = index->data + batch->end;
	cursor->ticks = batch->ticks;
	cursor->ordinal = batch->ordinal;
	return true;
}

/* Where the record at AT can be read without looking for the file's end. */
static inline const uint8_t *safe_place(struct merge *merge, const uint8_t *at)
{
	const struct index *index = merge->index;

	if (LIKELY(at <= merge->safe_end))
		return at;
	memset(merge->tail, 0, sizeof(merge->tail));
	memcpy(merge->tail, at, (size_t)(index->data + index->size - at));
	return merge->tail;
}

/* How far behind P, OFFSET bytes into the file, a text of SIZE bytes ends. */
static size_t text_end(const struct merge *merge, size_t offset, uint64_t size)
{
	size_t left = merge->index->size - offset;

	if (size > TEXT_MAX)
		return 0;
	return size > left ? left : (size_t)size;
}

/*
 * Moves CURSOR over a record that is no event of this stream. FROM is where
 * the record can be read.
 */
static NOINLINE void skip_record(struct merge *merge, struct cursor *cursor,
				 const uint8_t *from)
{
	const struct rules *rules = &merge->index->rules;
	const uint8_t *p = from;
	unsigned type = *p & (EVENT_TYPES - 1);
	unsigned count = *p / EVENT_TYPES + rules->inline_base;
	size_t offset = (size_t)(cursor->at - merge->index->data);
	size_t left = merge->index->size - offset;
	uint64_t size = 0;

	p++;
	if (type == EV_STRING) {
		value_unchecked(&p);
		size = value_unchecked(&p);
	} else if (count < rules->inline_limit) {
		while (count-- > 0)
			value_unchecked(&p);
	} else {
		size = value_unchecked(&p);
	}
	size = size > left ? left : size;
	size += (uint64_t)(p - from);
	cursor->at += size > left ? left : (size_t)size;
	if (rules->by_type[type].owner == OWNER_SAMPLE)
		cursor->ordinal++;
}

/*
 * The values of an event behind its first byte, at P. Returns their end.
 * From Go 1.7 on a record has a length if its top two bits are set.
 */
static ALWAYS_INLINE const uint8_t *
read_values(const struct rule *rule, const uint8_t *p, unsigned first_byte,
	    struct event *event, uint64_t *delta)
{
	unsigned args = rule->args;

	if (UNLIKELY(first_byte >= SIZED_FIRST_BYTE))
		value_unchecked(&p);
	*delta = value_unchecked(&p);
	event->args[0] = 0;
	event->args[1] = 0;
	event->args[2] = 0;
	if (args != 0) {
		event->args[0] = value_unchecked(&p);
		if (args != 1) {
			event->args[1] = value_unchecked(&p);
			if (args != 2)
				event->args[2] = value_unchecked(&p);
		}
	}
	event->stack = 0;
	if (rule->stack)
		event->stack = value_unchecked(&p);
	return p;
}

_Static_assert(EVENT_MARGIN >= 1 + (1 + EVENT_VALUES_MAX + 1) * VALUE_BYTES_MAX,
	       "a first byte, a length, the values and a message's length");

/* The values of the record at OFFSET, an event whose rule is RULE. */
static void read_at(struct merge *merge, uint64_t offset,
		    const struct rule *rule, struct event *event)
{
	const struct index *index = merge->index;
	const uint8_t *p = safe_place(merge, index->data + offset);
	uint64_t delta;

	read_values(rule, p + 1, *p, event, &delta);
}

/* The next CPU sample. They ask for nothing, and are on no processor. */
static enum gtrace_status read_sample(struct merge *merge,
				      struct cursor *cursor)
{
	const struct index *index = merge->index;
	const struct sample *sample =
		(const struct sample *)index->samples.items + cursor->sample++;
	struct ordered_goroutine *goroutine;
	struct event *event = &cursor->event;

	event->type = EV_CPU_SAMPLE;
	event->p_slot = SLOT_NONE;
	event->offset = sample->offset;
	event->ordinal = sample->ordinal;
	event->ticks = sample->ticks;
	read_at(merge, sample->offset, &index->rules.by_type[EV_CPU_SAMPLE],
		event);
	event->p = (int64_t)event->args[1];
	event->g = event->args[2];
	event->args[0] = 0;
	if (!goroutines_find(&merge->goroutines, event->g, &goroutine))
		return GTRACE_ERROR_MEMORY;
	event->g_slot = slot_of(goroutine);
	return GTRACE_OK;
}

/* GOROUTINE, whose id is ID, is to have SEQUENCE, if that counts. */
static ALWAYS_INLINE void ask(struct wish *wish, uint64_t id,
			      struct ordered_goroutine *goroutine,
			      uint64_t sequence)
{
	wish->sequence = sequence;
	wish->kind = wish->rule->request.kind;
	if (UNLIKELY(sequence == UINT64_MAX))
		wish->kind = SEQUENCE_WRAPS;
	wish->asked = LIKELY(id != ID_UNORDERED) ? goroutine : NULL;
}

/* The goroutine ID, or the one that never is for one that has ended. */
static ALWAYS_INLINE bool find(struct merge *merge, uint64_t id,
			       struct ordered_goroutine **goroutine)
{
	if (!goroutines_find(&merge->goroutines, id, goroutine))
		return false;
	if (UNLIKELY(*goroutine == NULL))
		*goroutine = &merge->nobody;
	return true;
}

/*
 * Finds out whose the event just read is, who runs on afterwards, and what it
 * asks for. Returns false if there is no memory.
 */
static ALWAYS_INLINE bool place_event(struct merge *merge,
				      struct cursor *cursor,
				      const struct rule *rule,
				      struct wish *wish)
{
	struct event *event = &cursor->event;
	struct ordered_goroutine *goroutine;
	uint64_t id = event->args[0];

	wish->rule = rule;
	wish->asked = NULL;
	event->g = cursor->g;
	event->g_slot = cursor->g_slot;
	switch (rule->order) {
	case ORDER_FREE:
		if (rule->owner == OWNER_NOBODY) {
			event->g = 0;
			event->g_slot = 0;
		}
		break;
	case ORDER_BLOCK:
	case ORDER_YIELD:
		ask(wish, cursor->g, cursor->runs, 0);
		break;
	case ORDER_START:
	case ORDER_START_LOCAL:
		if (!find(merge, id, &goroutine))
			return false;
		event->g = id;
		event->g_slot = goroutine->slot;
		cursor->g = id;
		cursor->g_slot = goroutine->slot;
		cursor->runs = goroutine;
		ask(wish, id, goroutine, event->args[1]);
		break;
	case ORDER_WAIT:
		if (!find(merge, id, &goroutine))
			return false;
		event->g = id;
		event->g_slot = goroutine->slot;
		ask(wish, id, goroutine, 1);
		break;
	case ORDER_CREATE:
	case ORDER_UNBLOCK:
	case ORDER_UNBLOCK_LOCAL:
		if (!find(merge, id, &goroutine))
			return false;
		event->target_slot = goroutine->slot;
		if (rule->owner == OWNER_ARGUMENT) {
			event->g = id;
			event->g_slot = goroutine->slot;
		}
		ask(wish, id, goroutine,
		    rule->order == ORDER_UNBLOCK ? event->args[1] : 0);
		break;
	default: /* ORDER_COLLECT */
		event->g = 0;
		event->g_slot = 0;
		if (!find(merge, ID_COLLECTOR, &goroutine))
			return false;
		ask(wish, ID_COLLECTOR, goroutine, id);
		break;
	}
	if (rule->owner == OWNER_LEAVES) {
		cursor->g = 0;
		cursor->g_slot = 0;
		cursor->runs = goroutine_at(&merge->goroutines, 0);
	}
	return true;
}

/*
 * Moves CURSOR from the end of a batch to the next. Sets *GOT to whether there
 * is one, or, of the samples, the next sample is read.
 */
static NOINLINE enum gtrace_status
read_behind_batch(struct merge *merge, struct cursor *cursor, bool *got)
{
	*got = cursor->sample < merge->index->samples.count;
	if (*got)
		return read_sample(merge, cursor);
	*got = next_batch(merge, cursor);
	return GTRACE_OK;
}

/*
 * Reads the next event of CURSOR. Sets *GOT to whether there is one. Fails
 * with GTRACE_ERROR_MEMORY.
 */
static ALWAYS_INLINE enum gtrace_status
read_next(struct merge *merge, struct cursor *cursor, struct wish *wish,
	  bool *got)
{
	const struct index *index = merge->index;
	const struct rules *rules = &index->rules;
	struct event *event = &cursor->event;
	const struct rule *rule;
	const uint8_t *from, *p;
	uint64_t delta;
	unsigned type;

	*got = true;
	for (;;) {
		if (UNLIKELY(cursor->at >= cursor->end)) {
			enum gtrace_status status =
				read_behind_batch(merge, cursor, got);

			if (!*got || cursor->sample != SLOT_NONE) {
				wish->rule = &rules->by_type[EV_CPU_SAMPLE];
				wish->asked = NULL;
				return status;
			}
		}
		from = safe_place(merge, cursor->at);
		type = *from & (EVENT_TYPES - 1);
		rule = &rules->by_type[type];
		if (LIKELY(!rule->skipped))
			break;
		skip_record(merge, cursor, from);
	}
	p = read_values(rule, from + 1, *from, event, &delta);
	event->offset = (uint64_t)(cursor->at - index->data);
	if (UNLIKELY(type == EV_USER_LOG)) {
		uint64_t size = value_unchecked(&p);
		size_t end = (size_t)event->offset + (size_t)(p - from);

		if (end > index->size)
			end = index->size;
		cursor->at = index->data + end + text_end(merge, end, size);
	} else {
		cursor->at += p - from;
	}
	cursor->ticks = (int64_t)((uint64_t)cursor->ticks + delta);
	event->ticks = cursor->ticks;
	event->ordinal = ++cursor->ordinal;
	/* Some were given to another processor when they were merged. */
	if (UNLIKELY(event->p != cursor->p)) {
		event->p = cursor->p;
		event->p_slot = cursor->p_slot;
	}
	event->type = rule->reported;
	return place_event(merge, cursor, rule, wish) ? GTRACE_OK
						      : GTRACE_ERROR_MEMORY;
}

/* --------------------------------------------------------------- waiting -- */

/* Whether what is asked for is so. */
static ALWAYS_INLINE bool is_ready(const struct wish *wish)
{
	const struct ordered_goroutine *goroutine = wish->asked;

	return goroutine == NULL ||
	       (goroutine->state == wish->rule->request.wants &&
		(wish->kind != SEQUENCE_EXACT ||
		 goroutine->sequence == wish->sequence));
}

/* Where streams wait for a state and a sequence number of a goroutine. */
static uint32_t *waiting_place(struct merge *merge, uint32_t slot,
			       unsigned state, uint64_t sequence, bool any)
{
	uint64_t key = (uint64_t)slot << 4 | state << 1 | any;

	key = hash64(key ^ (any ? 0 : sequence * 0xff51afd7ed558ccdu),
		     merge->goroutines.multiplier);
	return &merge->waiting[key & merge->waiting_mask];
}

static inline uint32_t number_of(const struct merge *merge,
				 const struct cursor *cursor)
{
	return (uint32_t)(cursor - merge->cursors);
}

static NOINLINE void wait_for(struct merge *merge, struct cursor *cursor)
{
	const struct wish *wish = &cursor->wish;
	uint32_t *place;

	cursor->waits = true;
	if (wish->asked == &merge->nobody)
		return;
	place = waiting_place(merge, wish->asked->slot,
			      wish->rule->request.wants, wish->sequence,
			      wish->kind != SEQUENCE_EXACT);
	cursor->next_waiting = *place;
	*place = number_of(merge, cursor) + 1;
	wish->asked->waiting++;
}

/* Wakes those at PLACE that wait for GOROUTINE and may go on. */
static void wake_at(struct merge *merge, uint32_t *place,
		    struct ordered_goroutine *goroutine)
{
	while (*place != 0) {
		uint32_t number = *place - 1;
		struct cursor *cursor = &merge->cursors[number];

		if (cursor->wish.asked == goroutine &&
		    is_ready(&cursor->wish)) {
			*place = cursor->next_waiting;
			cursor->waits = false;
			goroutine->waiting--;
			merge->woken[merge->woken_count++] = number;
		} else {
			place = &cursor->next_waiting;
		}
	}
}

static NOINLINE void wake(struct merge *merge,
			  struct ordered_goroutine *goroutine)
{
	wake_at(merge,
		waiting_place(merge, goroutine->slot, goroutine->state,
			      goroutine->sequence, false),
		goroutine);
	wake_at(merge,
		waiting_place(merge, goroutine->slot, goroutine->state, 0,
			      true),
		goroutine);
}

/* The first event of CURSOR, which has WISH, is left for later. */
static ALWAYS_INLINE void set_aside(struct cursor *cursor,
				    const struct wish *wish)
{
	cursor->wish = *wish;
	if (wish->asked != NULL)
		wish->asked->heads++;
}

/* Makes the woken streams candidates, in the order of their numbers. */
static NOINLINE void admit_woken(struct merge *merge)
{
	uint32_t *woken = merge->woken;
	uint32_t count = merge->woken_count;
	uint32_t gap, i, at;

	/* Shell's sort: few are woken at once, but there may be many. */
	for (gap = 1; gap < count / 3;)
		gap = 3 * gap + 1;
	for (; gap > 0; gap /= 3)
		for (i = gap; i < count; i++) {
			uint32_t moved = woken[i];

			for (at = i; at >= gap && woken[at - gap] > moved;
			     at -= gap)
				woken[at] = woken[at - gap];
			woken[at] = moved;
		}
	for (i = 0; i < count; i++)
		frontier_add(&merge->frontier,
			     merge->cursors[woken[i]].event.ticks, woken[i]);
	merge->woken_count = 0;
}

/* --------------------------------------------------------------- merging -- */

/* The goroutine goes on to the state that the event with WISH brings about. */
static ALWAYS_INLINE void transition(struct merge *merge,
				     const struct wish *wish)
{
	struct ordered_goroutine *goroutine = wish->asked;

	if (goroutine == NULL)
		return;
	goroutine->state = wish->rule->request.leaves;
	goroutine->in_syscall = 0;
	if (UNLIKELY(wish->kind == SEQUENCE_WRAPS))
		goroutine->sequence = UINT64_MAX;
	goroutine->sequence += wish->rule->request.bump;
	if (UNLIKELY(goroutine->waiting != 0))
		wake(merge, goroutine);
}

static enum gtrace_status fail_order(uint64_t offset,
				     struct gtrace_error *error)
{
	return gtrace_fail(error, GTRACE_ERROR_ORDER, offset,
			   "no consistent ordering of events possible");
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
		return gtrace_fail(error, GTRACE_ERROR_ORDER,
				   merge->disordered_offset,
				   "time stamps out of order");
	if (merge->exit_status != GTRACE_OK && error != NULL)
		*error = merge->exit_error;
	return merge->exit_status;
}

static bool keep_exit(struct merge *merge, const struct event *event)
{
	struct moved_exit *exit;

	if (!gtrace_array_reserve(&merge->exits, sizeof(*exit), merge->memory))
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
	const struct ordered_goroutine *goroutine;
	int64_t happened = (int64_t)event->args[2];
	const char *fault = NULL;

	event->p = PROCESSOR_SYSCALLS;
	event->p_slot = merge->syscalls_slot;
	if (happened == 0 || merge->exit_status != GTRACE_OK ||
	    event->g_slot == SLOT_NONE)
		return true;
	goroutine = goroutine_at(&merge->goroutines, event->g_slot);
	if (goroutine->blocked_ticks == 0)
		fault = "stray syscall exit";
	else if (happened < goroutine->blocked_ticks)
		fault = "time stamps out of order";
	if (fault != NULL) {
		merge->exit_status =
			gtrace_fail(&merge->exit_error, GTRACE_ERROR_ORDER,
				    event->offset, "%s", fault);
		return true;
	}
	if (happened == event->ticks)
		return true;
	if (happened > event->ticks || !goroutine->in_syscall)
		merge->crossed = true;
	event->ticks = happened;
	return !merge->keep_exits || keep_exit(merge, event);
}

/* The time of the event that is merged now. */
static inline void take_ticks(struct merge *merge, const struct event *event)
{
	if (UNLIKELY(event->ticks < merge->ticks) && !merge->disordered) {
		merge->disordered = true;
		merge->disordered_offset = event->offset;
	}
	merge->ticks = event->ticks;
}

/*
 * Reads the next event of CURSOR, whose turn was last. Sets *AGAIN if it is
 * its turn again; WISH is then that of the event. If not, the event becomes a
 * candidate or waits.
 */
static ALWAYS_INLINE enum gtrace_status go_on(struct merge *merge,
					      struct cursor *cursor,
					      struct wish *wish, bool *again)
{
	enum gtrace_status status;
	bool got, ready;

	*again = false;
	if (UNLIKELY(merge->ended != SLOT_NONE)) {
		if (!gtrace_goroutines_end(&merge->goroutines, merge->ended))
			return GTRACE_ERROR_MEMORY;
		merge->ended = SLOT_NONE;
	}
	status = read_next(merge, cursor, wish, &got);
	if (UNLIKELY(status != GTRACE_OK))
		return status;
	ready = LIKELY(got) && is_ready(wish);
	if (LIKELY(ready && merge->woken_count == 0)) {
		*again = frontier_keeps(&merge->frontier, cursor->event.ticks);
		if (*again)
			return GTRACE_OK;
		frontier_add(&merge->frontier, cursor->event.ticks,
			     number_of(merge, cursor));
	}
	if (got)
		set_aside(cursor, wish);
	if (got && !ready)
		wait_for(merge, cursor);
	if (UNLIKELY(merge->woken_count != 0)) {
		if (ready)
			merge->woken[merge->woken_count++] =
				number_of(merge, cursor);
		admit_woken(merge);
	}
	return GTRACE_OK;
}

/* What a merged event brings about beside the change of its goroutine. */
static void note(struct merge *merge, struct event *event)
{
	struct ordered_goroutine *goroutine;

	switch (event->type) {
	case EV_GO_UNBLOCK:
		if (index_is_timer(merge->index, event->g)) {
			event->p = PROCESSOR_TIMERS;
			event->p_slot = merge->timers_slot;
		}
		break;
	case EV_GO_END:
	case EV_GO_STOP:
		merge->ended = event->g_slot;
		break;
	default: /* EV_GO_SYS_BLOCK, EV_GO_IN_SYSCALL */
		goroutine = goroutine_at(&merge->goroutines, event->g_slot);
		goroutine->blocked_ticks = event->ticks;
		goroutine->in_syscall = 1;
		break;
	}
}

/* The next candidate, NULL if there is none. */
static inline struct cursor *take_candidate(struct merge *merge)
{
	bool first = merge->current == NULL;
	uint32_t number;

	merge->current = NULL;
	if (!gtrace_frontier_take(&merge->frontier, &number))
		return NULL;
	merge->current = &merge->cursors[number];
	if (UNLIKELY(first)) {
		merge->first_ticks = merge->current->event.ticks;
		merge->ticks = merge->first_ticks;
	}
	return merge->current;
}

/* See gtrace_merge_next, which this is, for others to have a copy of. */
static ALWAYS_INLINE enum gtrace_status next(struct merge *merge,
					     struct event **out,
					     struct gtrace_error *error)
{
	struct cursor *cursor = merge->current;
	struct event *event;
	struct wish wish;
	bool again = false;

	*out = NULL;
	if (LIKELY(cursor != NULL) &&
	    UNLIKELY(go_on(merge, cursor, &wish, &again) != GTRACE_OK))
		return gtrace_fail_memory(error);
	if (!again) {
		cursor = take_candidate(merge);
		if (cursor == NULL)
			return finish(merge, error);
		wish = cursor->wish;
		/* It was ready once, but others have come before it. */
		if (UNLIKELY(!is_ready(&wish)))
			return fail_order(cursor->event.offset, error);
		if (wish.asked != NULL)
			wish.asked->heads--;
	}
	event = &cursor->event;
	take_ticks(merge, event);
	if (UNLIKELY(event->type == EV_GO_SYS_EXIT) &&
	    !place_exit(merge, event))
		return gtrace_fail_memory(error);
	transition(merge, &wish);
	if (wish.rule->noted)
		note(merge, event);
	merge->position++;
	*out = event;
	return GTRACE_OK;
}

enum gtrace_status gtrace_merge_next(struct merge *merge, struct event **out,
				     struct gtrace_error *error)
{
	return next(merge, out, error);
}

enum gtrace_status gtrace_merge_run(struct merge *merge,
				    bool (*visit)(void *context,
						  struct event *event),
				    void *context, bool *stopped,
				    struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	*stopped = false;
	for (;;) {
		status = next(merge, &event, error);
		if (UNLIKELY(event == NULL))
			return status;
		if (UNLIKELY(!visit(context, event))) {
			*stopped = true;
			return GTRACE_OK;
		}
	}
}

/* ----------------------------------------------------------------- start -- */

/* One cursor for each stream, and one for the samples in their place. */
static void init_cursors(struct merge *merge)
{
	const struct index *index = merge->index;
	struct cursor *cursor = merge->cursors;
	uint32_t number;

	for (number = 0; number <= index->streams.count; number++) {
		if (number == index->samples_before &&
		    index->samples.count != 0)
			cursor++;
		if (number == index->streams.count)
			break;
		cursor->sample = SLOT_NONE;
		cursor->runs = goroutine_at(&merge->goroutines, 0);
		cursor->p = index_stream(index, number)->p;
		cursor->p_slot = number;
		cursor->event.p = cursor->p;
		cursor->event.p_slot = number;
		cursor++;
	}
}

static bool allocate_streams(struct merge *merge)
{
	uint32_t count = merge->cursor_count;
	uint32_t places = 1;

	while (places < count)
		places *= 2;
	merge->waiting_mask = places - 1;
	merge->cursors = gtrace_allocate_zeroed(merge->memory, count,
						sizeof(*merge->cursors));
	merge->waiting = gtrace_allocate_zeroed(merge->memory, places,
						sizeof(*merge->waiting));
	merge->woken = gtrace_allocate_zeroed(merge->memory, count,
					      sizeof(*merge->woken));
	return merge->cursors != NULL && merge->waiting != NULL &&
	       merge->woken != NULL;
}

/* The first event of each stream becomes a candidate or waits. */
static enum gtrace_status start_streams(struct merge *merge)
{
	uint32_t i;

	init_cursors(merge);
	for (i = 0; i < merge->cursor_count; i++) {
		struct cursor *cursor = &merge->cursors[i];
		enum gtrace_status status;
		struct wish wish;
		bool got;

		status = read_next(merge, cursor, &wish, &got);
		if (status != GTRACE_OK)
			return status;
		if (!got)
			continue;
		set_aside(cursor, &wish);
		if (is_ready(&wish))
			frontier_add(&merge->frontier, cursor->event.ticks, i);
		else
			wait_for(merge, cursor);
	}
	return GTRACE_OK;
}

enum gtrace_status gtrace_merge_init(struct merge *merge,
				     const struct index *index, unsigned flags,
				     struct gtrace_error *error)
{
	memset(merge, 0, sizeof(*merge));
	merge->index = index;
	merge->memory = &index->memory;
	merge->safe_end = index->size < EVENT_MARGIN
				  ? index->data
				  : index->data + index->size - EVENT_MARGIN;
	merge->cursor_count = (uint32_t)index->streams.count +
			      (index->samples.count != 0);
	merge->ended = SLOT_NONE;
	merge->nobody.state = ORDER_NEVER;
	merge->nobody.slot = SLOT_NONE;
	merge->keep_exits = (flags & MERGE_KEEP_EXITS) != 0;
	merge->timers_slot = gtrace_index_stream_of(index, PROCESSOR_TIMERS);
	merge->syscalls_slot =
		gtrace_index_stream_of(index, PROCESSOR_SYSCALLS);
	if (gtrace_goroutines_init(&merge->goroutines,
				   (flags & MERGE_FORGET) != 0,
				   merge->memory) &&
	    gtrace_frontier_init(&merge->frontier, merge->cursor_count,
				 index->rules.version < VERSION_PLAIN_SORT,
				 merge->memory) &&
	    allocate_streams(merge) && start_streams(merge) == GTRACE_OK)
		return GTRACE_OK;
	gtrace_merge_free(merge);
	return gtrace_fail_memory(error);
}

void gtrace_merge_free(struct merge *merge)
{
	uint32_t count = merge->cursor_count;

	if (merge->memory == NULL)
		return;
	gtrace_goroutines_free(&merge->goroutines);
	gtrace_frontier_free(&merge->frontier);
	gtrace_release(merge->memory, merge->cursors,
		       count * sizeof(*merge->cursors));
	gtrace_release(merge->memory, merge->waiting,
		       ((size_t)merge->waiting_mask + 1) *
			       sizeof(*merge->waiting));
	gtrace_release(merge->memory, merge->woken,
		       count * sizeof(*merge->woken));
	gtrace_array_free(&merge->exits, sizeof(struct moved_exit),
			  merge->memory);
	merge->memory = NULL;
}

enum gtrace_status gtrace_merge_read_exit(struct merge *merge,
					  const struct moved_exit *exit,
					  struct event *event,
					  struct gtrace_error *error)
{
	struct ordered_goroutine *goroutine;

	event->type = EV_GO_SYS_EXIT;
	event->offset = exit->offset;
	event->ordinal = exit->ordinal;
	event->ticks = exit->ticks;
	read_at(merge, exit->offset,
		&merge->index->rules.by_type[EV_GO_SYS_EXIT], event);
	event->g = event->args[0];
	event->p = PROCESSOR_SYSCALLS;
	event->p_slot = merge->syscalls_slot;
	if (!goroutines_find(&merge->goroutines, event->g, &goroutine))
		return gtrace_fail_memory(error);
	event->g_slot = slot_of(goroutine);
	event->target_slot = event->g_slot;
	return GTRACE_OK;
}
