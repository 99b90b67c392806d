/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - goes over the events of one thread in one generation.
 *
 * A cursor knows two events: the present one, which is to be handed out, and
 * the one after it. Go's reader looks one event ahead on each thread and
 * reports an event that it cannot read before it hands out the one that is
 * before it. Of each the type and the time are read, and where it ends is
 * found. Its values are read when its turn has come.
 */
#ifndef GTRACE_V2_CURSOR_H_
#define GTRACE_V2_CURSOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/leb128.h"
#include "v2/clock.h"
#include "model/event.h"
#include "v2/generation.h"
#include "v2/states.h"
#include "v2/table.h"

enum cursor_status {
	CURSOR_EVENT,
	CURSOR_UNREAD, /* not looked at yet */
	CURSOR_END,
	CURSOR_BAD, /* what is there cannot be read */
};

/* An event whose values can be read: they all end within its batch. */
struct found {
	const uint8_t *type; /* its first byte */
	const uint8_t *values;
	int64_t time;
};

struct cursor {
	struct found present;
	struct found ahead;   /* valid if ahead_status is CURSOR_EVENT */
	const uint8_t *p;     /* after what has been looked at */
	const uint8_t *end;   /* of the batch */
	struct thread *thread;
	uint32_t batch; /* that P is in: its number, plus one */
	uint8_t ahead_status;
};

/* The cursor of THREAD at its first event. */
enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread);

/* Fills ERROR with why what comes after the present event cannot be read. */
enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error);

/* Looks at what comes after the present event, if that was not done. */
void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation);

/*
 * What cursor_look_ahead() reads: a type byte, a time of at most two bytes, and
 * a word.
 */
#define EASY_BYTES (1 + 2 + 8)

/*
 * Finds the event after the present one if it is easy to find: if it is in the
 * same batch and not near its end, has a time of at most two bytes and at most
 * three values, which are in the eight bytes after it. Then sets *FOUND to it,
 * *END to the byte after it, and returns true.
 *
 *   count  one more than the number of its values
 *   ends   the top bit of each byte that is the last one of a value. The
 *          lowest bits are cleared until that of the event's last value is
 *          the lowest
 */
static ALWAYS_INLINE bool cursor_look_ahead(const struct cursor *cursor,
					    double ns_per_tick,
					    struct found *found,
					    const uint8_t **end)
{
	const uint8_t *p = cursor->p;
	uint64_t delta, ends;
	unsigned count;

	if (UNLIKELY(cursor->end - p < EASY_BYTES))
		return false;
	count = gti_v2_value_counts[p[0]];
	delta = p[1];
	found->type = p;
	p += 2;
	if (delta >= 0x80) {
		if (UNLIKELY(p[0] >= 0x80))
			return false;
		delta = (delta & 0x7f) | (uint64_t)p[0] << 7;
		p++;
	}
	found->values = p;
	ends = ~load64(p) & 0x8080808080808080u;
	if (count > 2)
		ends &= ends - 1;
	if (count > 3)
		ends &= ends - 1;
	if (UNLIKELY(count - 1 > 3) || UNLIKELY(ends == 0) ||
	    UNLIKELY(cursor->present.time == 0))
		return false;
	*end = count == 1 ? p : p + (lowest_bit(ends) / 8 + 1);
	found->time = add_ns(cursor->present.time,
			     ticks_to_ns(delta, ns_per_tick));
	return true;
}

/* The event after the present one becomes the present one. */
static inline void cursor_move_on(struct cursor *cursor)
{
	cursor->present = cursor->ahead;
	cursor->ahead_status = CURSOR_UNREAD;
}

/* Reads the value at *P, which is known to be good. */
static ALWAYS_INLINE uint64_t good_value(const uint8_t **p)
{
	const uint8_t *at = *p;
	uint64_t value = *at++, byte;
	unsigned shift = 7;

	if (LIKELY(value < 0x80)) {
		*p = at;
		return value;
	}
	value &= 0x7f;
	do {
		byte = *at++;
		value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte >= 0x80 && shift < 64);
	*p = at;
	return value;
}

/*
 * Makes the stack id *STACK a handle, and sets *FRAMED to whether the stack has
 * frames. Returns whether there is such a stack.
 */
static ALWAYS_INLINE bool find_stack(const struct generation *generation,
				     uint64_t *stack, bool *framed)
{
	uint64_t id = *stack, value;

	*framed = false;
	if (id == 0)
		return true;
	value = dictionary_get(&generation->stacks, id);
	*framed = (value & STACK_HAS_FRAMES) != 0;
	*stack = id | generation->handles;
	if (UNLIKELY(id > STACK_ID_MASK))
		*stack = gti_v2_wide_handle(generation, id);
	return value != 0;
}

/*
 * Reads the values at VALUES into EVENT, and withholds it if strings and stacks
 * that they name are not there. LINE is a constant in fast code.
 */
static ALWAYS_INLINE void read_values(struct states *states,
				      const uint8_t *values,
				      const struct event_line line,
				      struct event *event)
{
	const struct generation *generation = states->generation;
	bool good = true;
	int i;

	for (i = 0; i < EVENT_ARGS; i++)
		event->args[i] = i < line.args ? good_value(&values) : 0;
	event->stack = 0;
	states->framed = false;
	if (line.stack) {
		event->stack = good_value(&values);
		good = find_stack(generation, &event->stack, &states->framed);
	}
	if (line.begin)
		good = good && generation_has_stack(
				       generation, event->args[line.begin - 1]);
	if (line.text1)
		good = good && generation_has_string(
				       generation, event->args[line.text1 - 1]);
	if (line.text2)
		good = good && generation_has_string(
				       generation, event->args[line.text2 - 1]);
	if (UNLIKELY(!good))
		states->withheld = true;
}

#endif /* GTRACE_V2_CURSOR_H_ */
