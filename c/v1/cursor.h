/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - reads the events of one stream after the other, straight from the
 * file, and finds out whose each is and what it asks for.
 *
 * The first pass has checked each record, but the file may be changed while we
 * read it. So nothing here relies on what the records say for its safety: a
 * record is read where EVENT_MARGIN bytes can be, and a position behind the
 * end of a batch ends it.
 */
#ifndef GTRACE_V1_CURSOR_H_
#define GTRACE_V1_CURSOR_H_

#include "base/leb128.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/goroutines.h"
#include "v1/index.h"
#include "v1/record.h"

/* Reading an event needs this much behind its first byte, and no more. */
#define EVENT_MARGIN 96

_Static_assert(EVENT_MARGIN >=
		       1 + (1 + EVENT_VALUES_MAX + 1) * LEB128_BYTES_MAX,
	       "a first byte, a length, the values and a message's length");

/* A sequence number that stands for any. */
#define SEQUENCE_UNKNOWN UINT64_MAX

/* What must hold before an event can be merged, and what it changes. */
struct precondition {
	struct goroutine *goroutine; /* the one that is tested and changed */
	uint64_t sequence;           /* tested if transition.exact */
	struct transition transition;
	uint8_t effects; /* enum effect */
};

/*
 * Reads the events of one stream: those of a processor, or the CPU samples.
 *
 *   at      the next record
 *   limit   a record that starts before this needs no bounds check
 *   rule    the rule of the next record, or decoder->at_limit if at >= limit
 *   base    address of the file's first byte, if the bytes at `at` were there
 *   event   the last event read; its ordinal counts on from event to event
 *   pre     the precondition of that event
 *   runs    the goroutine that runs on the processor, after that event
 */
struct cursor {
	const uint8_t *at;
	const struct rule *rule;
	const uint8_t *limit;
	uintptr_t base;
	int64_t ticks;
	uint64_t g; /* number of `runs` */
	struct goroutine *runs;
	int64_t p;
	struct event event;
	struct precondition pre;
	const uint8_t *end; /* of the batch */
	uint32_t batch;
	uint32_t sample; /* the next CPU sample. SLOT_NONE: a processor */
	uint32_t p_slot; /* the stream's number */
	uint32_t next_waiting;
	bool waits; /* the precondition did not hold when it was tested */
	bool ended; /* no event is left */
};

/* What the cursors of a trace share. */
struct decoder {
	const struct index *index;
	struct goroutines goroutines;
	struct goroutine never_ready;  /* precondition that is never met */
	struct goroutine always_ready; /* precondition that is always met */
	struct goroutine *zero;        /* goroutine 0 */
	struct rule at_limit;          /* pseudo rule of a cursor there */
	bool unordered;                /* there were events of ID_UNORDERED */
	/*
	 * The file's last EVENT_MARGIN bytes and as many zeros: records that
	 * begin after tail_offset are read from here.
	 */
	size_t tail_offset;
	uint8_t tail[2 * EVENT_MARGIN];
};

/*
 * FORGET: records of goroutines that ended may be reused. INDEX must outlive
 * the decoder. Returns false if there is no memory; gti_decoder_free must be
 * called all the same.
 */
bool gti_decoder_init(struct decoder *decoder, const struct index *index,
		      bool forget);

void gti_decoder_free(struct decoder *decoder);

/* Moves CURSOR, all zeros, to the start of the stream NUMBER. */
void gti_cursor_init(struct cursor *cursor, const struct decoder *decoder,
		     uint32_t number);

/* Moves CURSOR, all zeros, to the start of the CPU samples. */
void gti_cursor_init_samples(struct cursor *cursor,
			     const struct decoder *decoder);

enum found { FOUND_EVENT, FOUND_END, FOUND_NO_MEMORY, FOUND_NONE_YET };

/*
 * Reads the event at CURSOR, whose rule has FORM_RARE, or moves over a record
 * that is none of its stream, or where it cannot just read on to its next
 * batch: then it is FOUND_NONE_YET.
 */
enum found gti_cursor_read_rare(struct decoder *decoder, struct cursor *cursor);

/* The values of the record at OFFSET, an event whose rule is RULE. */
void gti_decoder_read_at(const struct decoder *decoder, uint64_t offset,
			 const struct rule *rule, struct event *event);

/*
 * ARGS arguments, and a stack if STACK, of the event whose first byte is at
 * AT. Returns the values' end.
 */
static ALWAYS_INLINE const uint8_t *read_values(const uint8_t *at,
						unsigned args, unsigned stack,
						struct event *event,
						uint64_t *delta)
{
	const uint8_t *p = at + 1;

	if (*at >= SIZED_FIRST_BYTE)
		leb128_unchecked(&p);
	*delta = leb128_unchecked(&p);
	event->args[0] = args > 0 ? leb128_unchecked(&p) : 0;
	event->args[1] = args > 1 ? leb128_unchecked(&p) : 0;
	event->args[2] = args > 2 ? leb128_unchecked(&p) : 0;
	event->stack = stack ? leb128_unchecked(&p) : 0;
	return p;
}

/* The same, and CURSOR moves on to the next record. */
static ALWAYS_INLINE void cursor_read(struct cursor *cursor, unsigned args,
				      unsigned stack)
{
	uint64_t delta;

	cursor->at =
		read_values(cursor->at, args, stack, &cursor->event, &delta);
	cursor->ticks = (int64_t)((uint64_t)cursor->ticks + delta);
}

/* The event asks for nothing. */
static ALWAYS_INLINE void require_nothing(struct decoder *decoder,
					  struct precondition *pre)
{
	pre->goroutine = &decoder->always_ready;
	pre->sequence = 0;
	pre->transition = (struct transition){0};
}

/* See require(), where ID is new or has ended. */
struct goroutine *gti_decoder_add(struct decoder *decoder, uint64_t id);

/*
 * WISH asks for goroutine ID, or for the one that never is if that has ended.
 * Returns it, or NULL if there is no memory.
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
	pre->sequence = sequence;
	if (UNLIKELY(sequence == SEQUENCE_UNKNOWN)) {
		pre->transition.exact = 0;
		pre->effects |= EFFECT_SEQUENCE;
	}
	if (UNLIKELY(id == ID_UNORDERED)) {
		require_nothing(decoder, pre);
		decoder->unordered = true;
	}
	return goroutine;
}

/* The event is of who runs here, and asks for him if it asks for anybody. */
static ALWAYS_INLINE void cursor_own(struct cursor *cursor)
{
	cursor->event.g = cursor->g;
	cursor->event.g_record = cursor->runs;
	cursor->pre.goroutine = cursor->runs;
	cursor->pre.sequence = 0;
}

/* Who runs here stops to. */
static ALWAYS_INLINE void cursor_leave(const struct decoder *decoder,
				       struct cursor *cursor)
{
	cursor->g = 0;
	cursor->runs = decoder->zero;
}

/* The event stops who runs here, and asks for him. */
static ALWAYS_INLINE void cursor_stop(struct decoder *decoder,
				      struct cursor *cursor)
{
	cursor_own(cursor);
	if (UNLIKELY(cursor->g == ID_UNORDERED))
		require_nothing(decoder, &cursor->pre);
	cursor_leave(decoder, cursor);
}

/* It starts the goroutine in its first argument. False: no memory. */
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
	cursor->runs = goroutine;
	return true;
}

/* It is aimed at the goroutine in its first argument. */
static ALWAYS_INLINE bool cursor_aim(struct decoder *decoder,
				     struct cursor *cursor, uint64_t sequence)
{
	struct event *event = &cursor->event;
	struct goroutine *goroutine;

	cursor_own(cursor);
	goroutine = require(decoder, event->args[0], sequence, &cursor->pre);
	if (UNLIKELY(goroutine == NULL))
		return false;
	event->target_record = goroutine;
	return true;
}

/* It is not about a goroutine's running, or it is the end of it. */
static ALWAYS_INLINE void cursor_be_free(struct decoder *decoder,
					 struct cursor *cursor,
					 const struct rule *rule)
{
	cursor_own(cursor);
	require_nothing(decoder, &cursor->pre);
	if (rule->owner == OWNER_LEAVES) {
		cursor_leave(decoder, cursor);
	} else if (rule->owner == OWNER_NOBODY) {
		cursor->event.g = 0;
		cursor->event.g_record = decoder->zero;
	}
}

/*
 * Looks at the first byte of the next record. That is done early: where a
 * stream goes on cannot be foreseen, and when it has its turn there is no time
 * to wait.
 */
static ALWAYS_INLINE void cursor_look(const struct decoder *decoder,
				      struct cursor *cursor)
{
	const struct rule *rules = decoder->index->rules.by_type;

	cursor->rule = LIKELY(cursor->at < cursor->limit)
			       ? &rules[*cursor->at & (EVENT_TYPES - 1)]
			       : &decoder->at_limit;
}

/*
 * Reads the next event of CURSOR, and what it asks for into its pre. The forms
 * that nearly all events have are spelt out, so that the compiler knows how
 * many values there are.
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
	cursor->pre.effects = rule->effects;
	event->type = rule->reported;
	event->offset = (uintptr_t)cursor->at - cursor->base;
	switch ((enum form)(rule->form & FORM_MASK)) {
	case FORM_START:
		cursor_read(cursor, 2, 0);
		if (UNLIKELY(!cursor_start(decoder, cursor, event->args[1])))
			return FOUND_NO_MEMORY;
		break;
	case FORM_START_LOCAL:
		cursor_read(cursor, 1, 0);
		if (UNLIKELY(!cursor_start(decoder, cursor, 0)))
			return FOUND_NO_MEMORY;
		break;
	case FORM_STOP:
		cursor_read(cursor, 0, 1);
		cursor_stop(decoder, cursor);
		break;
	case FORM_UNBLOCK:
		cursor_read(cursor, 2, 1);
		if (UNLIKELY(!cursor_aim(decoder, cursor, event->args[1])))
			return FOUND_NO_MEMORY;
		break;
	case FORM_UNBLOCK_LOCAL:
		cursor_read(cursor, 1, 1);
		if (UNLIKELY(!cursor_aim(decoder, cursor, 0)))
			return FOUND_NO_MEMORY;
		break;
	case FORM_CREATE:
		cursor_read(cursor, 2, 1);
		if (UNLIKELY(!cursor_aim(decoder, cursor, 0)))
			return FOUND_NO_MEMORY;
		break;
	case FORM_END:
		cursor_read(cursor, 0, 0);
		cursor_be_free(decoder, cursor, rule);
		break;
	case FORM_RARE:
		found = gti_cursor_read_rare(decoder, cursor);
		if (found == FOUND_EVENT)
			break;
		if (found != FOUND_NONE_YET)
			return found;
		cursor_look(decoder, cursor);
		goto again;
	}
	cursor_look(decoder, cursor);
	event->ticks = cursor->ticks;
	event->ordinal++;
	/* Some were given to another processor when they were merged. */
	if (UNLIKELY(event->p != cursor->p)) {
		event->p = cursor->p;
		event->p_slot = cursor->p_slot;
	}
	return FOUND_EVENT;
}

#endif /* GTRACE_V1_CURSOR_H_ */
