/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waiting.h - the cursors whose present event waits.
 *
 * An event waits for a goroutine or a processor to have a status and a number
 * in its sequence, for a processor to be taken from its thread, or for the
 * number of a collection. A hash table has a list of cursors for each of these.
 * After an event has advanced, the lists of what it may have changed are looked
 * up, and no other cursor has to be tried again.
 */
#ifndef GTRACE_V2_WAITING_H_
#define GTRACE_V2_WAITING_H_

#include "v2/cursor.h"

struct waiting {
	uint32_t *lists; /* by hash: the number of a cursor, plus one */
	uint64_t *keys;  /* by cursor: what it waits for */
	uint32_t *next;  /* by cursor, in its list; 0: it does not wait */
	uint32_t mask;   /* the number of lists minus one */
	uint32_t count;  /* of cursors that wait */
	size_t capacity; /* for so many cursors */
	uint64_t secret;
};

/*
 * Allocates what COUNT cursors need, and lets no cursor wait. Returns false if
 * there is no memory.
 */
bool gti_v2_waiting_reserve(struct waiting *waiting, size_t count,
			    const struct gtrace_allocator *memory);

void gti_v2_waiting_free(struct waiting *waiting,
			 const struct gtrace_allocator *memory);

/* No cursor waits. */
void gti_v2_waiting_clear(struct waiting *waiting);

/* The cursor NUMBER of THREAD waits: EVENT was tried. */
void gti_v2_waiting_add(struct waiting *waiting, uint32_t number,
			const struct thread *thread, const struct event *event);

/* What an event may change: of its thread, before it is tried. */
struct touched {
	int64_t p;
	uint64_t g;
	bool shared; /* other threads have the goroutine, too */
};

/*
 * The event that was tried last, of THREAD, has advanced; BEFORE is from before
 * it. The cursors that may not have to wait any more do not. Calls READY for
 * each, or with UINT32_MAX if no cursor waits any more.
 */
void gti_v2_waiting_wake(struct waiting *waiting, const struct states *states,
			 const struct thread *thread,
			 const struct touched *before,
			 void (*ready)(void *context, uint32_t number),
			 void *context);

static inline bool cursor_waits(const struct waiting *waiting, uint32_t number)
{
	return waiting->next[number] != 0;
}

static inline struct touched touched_by(const struct thread *thread)
{
	struct touched touched = {
		.p = thread->p,
		.g = thread->g,
		.shared = thread->goroutine->threads > 1,
	};

	return touched;
}

#endif /* GTRACE_V2_WAITING_H_ */
