/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - reads the events of one thread in one generation.
 *
 * A cursor is at its present event, the next one of its thread to be taken. The
 * type and the time of that event have been read. Its values are read when it
 * is tried.
 *
 * Go's reader decodes one event ahead on each thread. If it cannot read that
 * event, it fails before it returns the present one. Here only careful passes
 * look ahead, see order.h.
 */
#ifndef GTRACE_V2_CURSOR_H_
#define GTRACE_V2_CURSOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/leb128.h"
#include "v2/clock.h"
#include "v2/states.h"

/*
 * An event is easy if its values, and after them a type and a time of two
 * bytes, can be read without looking for the end of its batch.
 */
#define EASY_EVENT_BYTES (3 + LEB128_BYTES_MAX * EVENT_VALUES_MAX + 3)

_Static_assert(EVENT_VALUES_MAX == 4 && LEB128_BYTES_MAX == 10,
	       "at most 43 bytes are read after the time of an event");

/* The place of an event in the file, and what has been read of it. */
struct place {
	const uint8_t *type; /* its first byte */
	const uint8_t *values;
	int64_t time;
	const uint8_t *end; /* of its batch */
	/* Events before it are easy, and so is one whose values are. */
	const uint8_t *easy_end; /* NULL: none */
	uint32_t batch;          /* its number, plus one */
	/*
	 * A copy of the byte at `type`, which may have left the cache if events
	 * of other threads come before this one.
	 */
	uint8_t byte;
};

/* What comes after the present event. */
enum cursor_status {
	CURSOR_UNREAD, /* it is not known yet */
	CURSOR_EVENT,  /* an event, at `ahead` */
	CURSOR_END,
	CURSOR_BAD, /* it cannot be read, or the present event cannot */
};

struct cursor {
	struct place present;
	struct thread *thread;
	enum cursor_status status;
	struct place ahead;
	uint32_t number; /* of the cursor */
	uint8_t unused[12];
};

/* Cursors are found by their numbers: a power of two needs no product. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct cursor) == 128,
	       "two cache lines");

/*
 * The cursor of THREAD at its first event. Returns CURSOR_EVENT; CURSOR_END if
 * it has no events; or CURSOR_BAD, and then the event that cannot be read is
 * at cursor->ahead.type.
 */
enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread);

/* Reads what comes after the present event, if that has not been read. */
void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation);

/*
 * Sets cursor->ahead to the event after the present one, which ends at P. Only
 * its type and its time are checked. Returns as gti_v2_cursor_init() does.
 */
enum cursor_status gti_v2_cursor_find(struct cursor *cursor,
				      const struct generation *generation,
				      const uint8_t *p);

/* Fills ERROR with why the event at cursor->ahead.type cannot be read. */
enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error);

/* The event ahead becomes the present one. */
static inline void cursor_move_on(struct cursor *cursor)
{
	cursor->present = cursor->ahead;
	cursor->status = CURSOR_UNREAD;
}

/* Whether the present event is easy, and was not looked beyond. */
static inline bool cursor_is_easy(const struct cursor *cursor)
{
	return (uintptr_t)cursor->present.values <
	       (uintptr_t)cursor->present.easy_end;
}

/*
 * Makes the stack id *STACK a handle, and sets *FRAMED to whether the stack has
 * frames. Returns whether there is such a stack.
 */
bool gti_v2_find_stack(const struct generation *generation, uint64_t *stack,
		       bool *framed);

static ALWAYS_INLINE bool find_stack(const struct generation *generation,
				     uint64_t *stack, bool *framed)
{
	uint64_t id = *stack, value;

	if (UNLIKELY(id >= generation->easy_stacks)) {
		/* So that *STACK and *FRAMED can be in registers. */
		uint64_t handle = id;
		bool has_frames, is_there;

		is_there = gti_v2_find_stack(generation, &handle, &has_frames);
		*stack = handle;
		*framed = has_frames;
		return is_there;
	}
	value = generation->stacks.dense[id];
	*framed = (value & STACK_HAS_FRAMES) != 0;
	/* The value of id 0 is 0. */
	if (UNLIKELY(value == 0))
		return id == 0;
	*stack = id | generation->handles;
	return true;
}

/* Reads a value at *P, before END if it is not EASY. False: it is bad. */
static ALWAYS_INLINE bool read_value(const uint8_t **p, const uint8_t *end,
				     uint64_t *value, const bool easy)
{
	return easy ? leb128_easy(p, value)
		    : leb128_read(p, end, value) == LEB128_GOOD;
}

/*
 * read_value() for the first value of an event of LINE. That of GoStart and
 * GoUnblock, which are frequent, is an id whose length cannot be predicted.
 */
static ALWAYS_INLINE bool read_first_value(const uint8_t **p,
					   const uint8_t *end,
					   const struct event_line line,
					   uint64_t *value, const bool easy)
{
	return easy && (line.number == BYTE_GO_START ||
			line.number == BYTE_GO_UNBLOCK)
		       ? leb128_easy_mixed(p, value)
		       : read_value(p, end, value, easy);
}

/*
 * Reads the values at P into EVENT, and sets *FRAMED to whether its stack has
 * frames. Sets *END to the byte after them. Returns false if one of them is
 * bad, or if a string or a stack that they name is not there. EASY and LINE are
 * constants in fast code; LIMIT, the end of the batch, matters only if not
 * EASY.
 */
static ALWAYS_INLINE bool read_values(const struct states *states,
				      const uint8_t *p, const uint8_t *limit,
				      const struct event_line line,
				      struct event *event, bool *framed,
				      const bool easy, const uint8_t **end)
{
	const struct generation *generation = states->generation;

	*framed = false;
	event->args[0] = 0;
	event->args[1] = 0;
	event->args[2] = 0;
	event->stack = 0;
	/* One by one, as fast code keeps them in registers. */
	if (line.args > 0 &&
	    !read_first_value(&p, limit, line, &event->args[0], easy))
		return false;
	if (line.args > 1 && !read_value(&p, limit, &event->args[1], easy))
		return false;
	if (line.args > 2 && !read_value(&p, limit, &event->args[2], easy))
		return false;
	if (line.stack && !read_value(&p, limit, &event->stack, easy))
		return false;
	*end = p;
	if (line.stack &&
	    UNLIKELY(!find_stack(generation, &event->stack, framed)))
		return false;
	return (!line.begin ||
		generation_has_stack(generation,
				     event->args[line.begin - 1])) &&
	       (!line.text1 ||
		generation_has_string(generation,
				      event->args[line.text1 - 1])) &&
	       (!line.text2 ||
		generation_has_string(generation, event->args[line.text2 - 1]));
}

_Static_assert(EVENT_ARGS == 3, "each is read");

#endif /* GTRACE_V2_CURSOR_H_ */
