/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cursor.h - reads the events of one thread in one generation.
 *
 * A cursor holds two events: the present one, which is to be handed out, and
 * the one after it. Go's reader looks one event ahead on each thread and
 * reports an event that it cannot read before it hands out the one that is
 * before it.
 */
#ifndef GTRACE_V2_CURSOR_H_
#define GTRACE_V2_CURSOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "v2/event.h"
#include "v2/generation.h"

enum cursor_status {
	CURSOR_UNREAD, /* nobody has looked */
	CURSOR_EVENT,
	CURSOR_END,
	CURSOR_BAD, /* what is there cannot be read */
};

struct cursor {
	struct event events[2];
	const uint8_t *p;   /* after what has been read */
	const uint8_t *end; /* of the batch */
	int64_t time;       /* of the event before P; 0: none in this batch */
	struct thread *thread;
	uint32_t batch; /* that P is in: its number, plus one */
	uint8_t present; /* index of the present event */
	uint8_t ahead;   /* enum cursor_status of what comes after it */
};

/* The cursor of THREAD at its first event. CURSOR_UNREAD is never returned. */
enum cursor_status gti_v2_cursor_init(struct cursor *cursor,
				      const struct generation *generation,
				      uint32_t first_batch,
				      struct thread *thread);

static inline struct event *cursor_present(struct cursor *cursor)
{
	return &cursor->events[cursor->present];
}

/* Reads the event after the present one, if nobody has. */
void gti_v2_cursor_look_ahead(struct cursor *cursor,
			      const struct generation *generation);

/* The event after the present one becomes the present one. */
static inline void cursor_move_on(struct cursor *cursor)
{
	cursor->present ^= 1;
	cursor->ahead = CURSOR_UNREAD;
}

/*
 * Makes the stack id of EVENT a handle, and sees whether the stack has frames.
 * Returns whether there is such a stack.
 */
bool gti_v2_set_stack(const struct generation *generation,
		      struct event *event);

/* Fills ERROR with why what comes after the present event cannot be read. */
enum gtrace_status gti_v2_cursor_fail(const struct cursor *cursor,
				      const struct generation *generation,
				      struct gtrace_error *error);

#endif /* GTRACE_V2_CURSOR_H_ */
