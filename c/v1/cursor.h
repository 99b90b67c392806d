/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - reads the events of one stream, and finds for each the goroutine
 * and the precondition of its merge.
 *
 * The first pass has checked each record, but the file may change while it is
 * mapped. So no memory access depends on what a record says: a record is read
 * here only if EVENT_MARGIN bytes can be read from its start on, otherwise by
 * gti_record_read(), and a position after the end of a batch ends the batch.
 */
#ifndef GTRACE_V1_CURSOR_H_
#define GTRACE_V1_CURSOR_H_

#include "base/leb128.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/goroutines.h"
#include "v1/index.h"
#include "v1/record.h"

/* The most bytes that are read of an event, from its first byte on. */
#define EVENT_MARGIN 96

_Static_assert(EVENT_MARGIN >= 1 + (1 + EVENT_VALUES_MAX) * LEB128_BYTES_MAX,
	       "a first byte, a length and the values");

/* Stands for any sequence number. */
#define SEQUENCE_UNKNOWN UINT64_MAX

/* What must hold before an event can be merged, and what it changes. */
struct precondition {
	struct goroutine *goroutine; /* whose progress is tested and changed */
	uint64_t progress; /* what it must be, where the mask has bits */
	struct requirement transition;
};

/*
 * Returns whether PRE holds. Without branches, because they would depend on the
 * types of events and be mispredicted.
 */
static ALWAYS_INLINE bool precondition_holds(const struct precondition *pre)
{
	uint64_t mask = (uint64_t)pre->transition.mask;

	return ((pre->goroutine->progress ^ pre->progress) & mask) == 0;
}

/*
 * Returns what PRE adds to goroutine->pinned (merge.c): 1 if it tests the
 * goroutine, otherwise 0. All events that test nothing share one record.
 */
static ALWAYS_INLINE uint32_t precondition_pins(const struct precondition *pre)
{
	return pre->transition.mask != TEST_NOTHING;
}

/*
 * Reads the events of one stream: those of a processor, or the CPU samples.
 *
 *   at       the next record
 *   limit    a record that starts before this needs no bounds check
 *   rule     the rule of the next record, or decoder->at_limit if at >= limit
 *   ticks    of the last event, or where the batch begins
 *   event    the last event read; the next one has its ordinal plus one
 *   pre      the precondition of that event
 *   running  the goroutine that runs on the processor after that event
 *   g        its number
 */
struct cursor {
	const uint8_t *at;
	const struct rule *rule;
	const uint8_t *limit;
	int64_t ticks;
	uint64_t g;
	struct goroutine *running;
	int64_t p;
	struct event event;
	struct precondition pre;
	const uint8_t *end; /* of the batch */
	uint32_t batch;
	uint32_t sample; /* the next CPU sample; SLOT_NONE: not those */
	uint32_t p_slot; /* see gti_index_slot_of() */
	uint32_t number; /* of this cursor in the merge */
	uint32_t next_waiting;
	bool waits; /* the precondition did not hold when it was tested */
	bool ended; /* no event is left */
};

/* What the cursors of a trace share. */
struct decoder {
	const struct index *index;
	const uint8_t *data; /* the file */
	const uint8_t *safe; /* EVENT_MARGIN bytes follow each byte before it */
	/*
	 * By first byte. Events that have a length although they have few
	 * values, or none although they have many, are FORM_RARE.
	 */
	struct rule rules[256];
	struct goroutines goroutines;
	struct goroutine never_ready;  /* precondition that is never met */
	struct goroutine always_ready; /* precondition that is always met */
	struct goroutine *zero;        /* goroutine 0 */
	struct rule at_limit; /* pseudo rule of cursors with at >= limit */
};

/*
 * FORGET: records of goroutines that ended may be reused. INDEX must outlive
 * the decoder. Returns false if there is no memory; gti_decoder_free must be
 * called all the same.
 */
bool gti_decoder_init(struct decoder *decoder, const struct index *index,
		      bool forget);

void gti_decoder_free(struct decoder *decoder);

/*
 * Moves CURSOR, all zeros, to the start of the stream NUMBER, or of the CPU
 * samples if NUMBER is SLOT_NONE.
 */
void gti_cursor_init(struct cursor *cursor, const struct decoder *decoder,
		     uint32_t number);

/* FOUND_NONE_YET: the cursor has moved, but to no event. */
enum found { FOUND_EVENT, FOUND_END, FOUND_NO_MEMORY, FOUND_NONE_YET };

/*
 * cursor_next() for a rule with FORM_RARE, and for unusual values: reads the
 * event, skips a record that is not an event of the stream, or goes to the next
 * batch.
 */
enum found gti_cursor_read_rare(struct decoder *decoder, struct cursor *cursor);

/* cursor_next() for the first event of CURSOR, out of line. */
enum found gti_cursor_first(struct decoder *decoder, struct cursor *cursor);

/*
 * Reads ARGS arguments, and a stack id if STACK, of the event at CURSOR, and
 * moves to the next record. SIZED: it has a length. Returns false, and does not
 * move, if a value is unusual.
 */
static ALWAYS_INLINE bool cursor_read(struct cursor *cursor, unsigned args,
				      unsigned stack, bool sized)
{
	struct event *event = &cursor->event;
	const uint8_t *p = cursor->at + 1;
	uint64_t size, delta;

	event->args[0] = event->args[1] = event->args[2] = 0;
	event->stack = 0;
	if (UNLIKELY((sized && !leb128_easy(&p, &size)) ||
		     !leb128_easy(&p, &delta) ||
		     (args > 0 && !leb128_easy(&p, &event->args[0])) ||
		     (args > 1 && !leb128_easy(&p, &event->args[1])) ||
		     (args > 2 && !leb128_easy(&p, &event->args[2])) ||
		     (stack && !leb128_easy(&p, &event->stack))))
		return false;
	cursor->at = p;
	cursor->ticks = (int64_t)((uint64_t)cursor->ticks + delta);
	return true;
}

/* --------------------------------------------------------- preconditions -- */

/* Adds goroutine ID, which is new or has ended. NULL: no memory. */
struct goroutine *gti_decoder_add(struct decoder *decoder, uint64_t id);

static ALWAYS_INLINE void require_nothing(struct decoder *decoder,
					  struct precondition *pre)
{
	pre->goroutine = &decoder->always_ready;
	pre->progress = 0;
	pre->transition.mask = TEST_NOTHING;
	pre->transition.step = 0;
}

/*
 * Makes PRE a precondition of goroutine ID, which is never met if it has ended
 * and was forgotten. Returns the goroutine, or NULL if there is no memory.
 */
static ALWAYS_INLINE struct goroutine *require(struct decoder *decoder,
					       uint64_t id, uint64_t sequence,
					       struct precondition *pre)
{
	struct goroutine *goroutine = goroutines_look(&decoder->goroutines, id);

	if (UNLIKELY(goroutine == NULL)) {
		goroutine = gti_decoder_add(decoder, id);
		if (goroutine == NULL)
			return NULL;
	}
	pre->goroutine = goroutine;
	if (UNLIKELY(sequence >= SEQUENCE_NEVER)) {
		if (sequence == SEQUENCE_UNKNOWN) {
			pre->transition.mask = TEST_STATE;
			pre->transition.effects |= EFFECT_SEQUENCE;
		}
		sequence = SEQUENCE_NEVER;
	}
	pre->progress = progress_of(sequence, pre->transition.from);
	if (UNLIKELY(id == ID_UNORDERED))
		require_nothing(decoder, pre);
	return goroutine;
}

/* The event belongs to the running goroutine, and requires its state. */
static ALWAYS_INLINE void cursor_require_running(struct cursor *cursor)
{
	cursor->event.g = cursor->g;
	cursor->event.g_record = cursor->running;
	cursor->pre.goroutine = cursor->running;
	cursor->pre.progress = cursor->pre.transition.from;
}

/* No goroutine runs on the processor after the event. */
static ALWAYS_INLINE void cursor_set_idle(const struct decoder *decoder,
					  struct cursor *cursor)
{
	cursor->g = 0;
	cursor->running = decoder->zero;
}

/* The event stops the running goroutine. */
static ALWAYS_INLINE void cursor_stop(struct decoder *decoder,
				      struct cursor *cursor)
{
	cursor_require_running(cursor);
	if (UNLIKELY(cursor->g == ID_UNORDERED))
		require_nothing(decoder, &cursor->pre);
	cursor_set_idle(decoder, cursor);
}

/* The event starts the goroutine in argument 0. False: no memory. */
static ALWAYS_INLINE bool cursor_start(struct decoder *decoder,
				       struct cursor *cursor, uint64_t sequence)
{
	struct event *event = &cursor->event;
	uint64_t id = event->args[0];
	struct goroutine *goroutine =
		require(decoder, id, sequence, &cursor->pre);

	if (UNLIKELY(goroutine == NULL))
		return false;
	event->g = id;
	event->g_record = goroutine;
	cursor->g = id;
	cursor->running = goroutine;
	return true;
}

/*
 * The event belongs to the running goroutine, and requires a state of the
 * goroutine in argument 0. Returns false if there is no memory.
 */
static ALWAYS_INLINE bool
cursor_target(struct decoder *decoder, struct cursor *cursor, uint64_t sequence)
{
	struct event *event = &cursor->event;
	struct goroutine *goroutine;

	cursor_require_running(cursor);
	goroutine = require(decoder, event->args[0], sequence, &cursor->pre);
	if (UNLIKELY(goroutine == NULL))
		return false;
	event->target_record = goroutine;
	return true;
}

/*
 * The event unblocks the goroutine in argument 0, or ends its system call. The
 * merge gives an unblock by a timer goroutine another processor. Returns false
 * if there is no memory.
 */
static ALWAYS_INLINE bool cursor_unblock(struct decoder *decoder,
					 struct cursor *cursor,
					 uint64_t sequence)
{
	if (!cursor_target(decoder, cursor, sequence))
		return false;
	if (UNLIKELY(index_is_timer(decoder->index, cursor->event.g)))
		cursor->pre.transition.effects |= EFFECT_TIMER;
	return true;
}

/* The event requires nothing: it changes no goroutine's state, or ends one. */
static ALWAYS_INLINE void cursor_require_nothing(struct decoder *decoder,
						 struct cursor *cursor,
						 const struct rule *rule)
{
	cursor_require_running(cursor);
	require_nothing(decoder, &cursor->pre);
	if (rule->owner == OWNER_LEAVES) {
		cursor_set_idle(decoder, cursor);
	} else if (rule->owner == OWNER_ZERO) {
		cursor->event.g = 0;
		cursor->event.g_record = decoder->zero;
	}
}

/* The id under which the reference's merge keeps collections in order. */
#define ID_GC (UINT64_MAX - 1)

/*
 * Sets the goroutine and the precondition of the event just read, whose rule
 * is RULE and has ORDER, a constant where speed counts. False: no memory.
 */
static ALWAYS_INLINE bool cursor_resolve(struct decoder *decoder,
					 struct cursor *cursor,
					 const struct rule *rule,
					 enum order order)
{
	struct event *event = &cursor->event;

	switch (order) {
	case ORDER_START:
		return cursor_start(decoder, cursor, event->args[1]);
	case ORDER_START_LOCAL:
		return cursor_start(decoder, cursor, 0);
	case ORDER_BLOCK:
	case ORDER_YIELD:
		cursor_stop(decoder, cursor);
		return true;
	case ORDER_FREE:
		cursor_require_nothing(decoder, cursor, rule);
		return true;
	case ORDER_GC:
		event->g = 0;
		event->g_record = decoder->zero;
		return require(decoder, ID_GC, event->args[0], &cursor->pre) !=
		       NULL;
	case ORDER_WAIT:
		return cursor_target(decoder, cursor, 1);
	case ORDER_UNBLOCK:
		return cursor_unblock(decoder, cursor, event->args[1]);
	case ORDER_UNBLOCK_LOCAL:
		return cursor_unblock(decoder, cursor, 0);
	case ORDER_CREATE:
		break;
	}
	return cursor_target(decoder, cursor, 0);
}

/* ------------------------------------------------------------------ next -- */

/*
 * Looks up the rule of the next record. This is done one event early, so that
 * cursor_next() can switch on the form at once. To read the first byte of the
 * record there would delay that switch after each change of the stream.
 */
static ALWAYS_INLINE void cursor_peek(const struct decoder *decoder,
				      struct cursor *cursor)
{
	cursor->rule = LIKELY(cursor->at < cursor->limit)
			       ? &decoder->rules[*cursor->at]
			       : &decoder->at_limit;
}

/* CURSOR has read its event: sets what does not depend on the record. */
static ALWAYS_INLINE void cursor_found(const struct decoder *decoder,
				       struct cursor *cursor)
{
	struct event *event = &cursor->event;

	cursor_peek(decoder, cursor);
	event->ticks = cursor->ticks;
	event->ordinal++;
	if (UNLIKELY(event->p != cursor->p)) {
		event->p = cursor->p;
		event->p_slot = cursor->p_slot;
	}
}

/*
 * Reads the next event of CURSOR and its precondition.
 *
 * Invariants, when it is entered and at `again`:
 *   cursor->rule is as cursor_peek() sets it
 *   decoder->at_limit.form == FORM_RARE, so that all forms but FORM_RARE may
 *     read the record at cursor->at
 *   cursor->at < cursor->limit implies that EVENT_MARGIN bytes can be read from
 *     cursor->at on
 *   event->p and event->p_slot are those of the stream, or of a pseudo
 *     processor that the merge has given to the last event
 *
 * Each iteration reads an event, or moves cursor->at forward, or goes to the
 * next batch. The code is expanded for each form, so that the number of values,
 * whether a length comes before them, and the kind of precondition are
 * constants in it.
 */
static ALWAYS_INLINE enum found cursor_next(struct decoder *decoder,
					    struct cursor *cursor)
{
	struct event *event = &cursor->event;
	const struct rule *rule;
	enum found found;

again:
	rule = cursor->rule;
	cursor->pre.transition = rule->transition;
	event->type = rule->reported;
	event->offset = (size_t)(cursor->at - decoder->data);
	switch ((enum form)rule->form) {
#define FORM_CASE(form, order, args, stack)                                    \
	case FORM_##form:                                                      \
		if (!cursor_read(cursor, args, stack,                          \
				 1 + args + stack > UNSIZED_VALUES_MAX))       \
			goto rare;                                             \
		if (UNLIKELY(!cursor_resolve(decoder, cursor, rule,            \
					     ORDER_##order)))                  \
			return FOUND_NO_MEMORY;                                \
		break;
		FORM_LIST(FORM_CASE)
#undef FORM_CASE
	case FORM_RARE:
	rare:
		found = gti_cursor_read_rare(decoder, cursor);
		if (found == FOUND_EVENT)
			break;
		if (found != FOUND_NONE_YET)
			return found;
		cursor_peek(decoder, cursor);
		goto again;
	}
	cursor_found(decoder, cursor);
	return FOUND_EVENT;
}

#endif /* GTRACE_V1_CURSOR_H_ */
