/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * goroutines.h - the record of each goroutine, found by id.
 *
 * The table holds the goroutines that have not ended. Of goroutines that have
 * ended only the ids are kept, as bits. Go does not reuse ids, so an event that
 * requires a state of an ended goroutine is never ready.
 */
#ifndef GTRACE_V1_GOROUTINES_H_
#define GTRACE_V1_GOROUTINES_H_

#include "analysis/observe.h"
#include "base/ids.h"
#include "base/map.h"
#include "v1/rules.h"

/* To the reference's merge this id means no goroutine, hence no precondition.
 */
#define ID_UNORDERED UINT64_MAX

/* The state of a goroutine in the state machine (states.c). */
enum state { DEAD, RUNNABLE, RUNNING, WAITING };

struct goroutine {
	uint64_t id;
	/* For the order of events (merge.c). */
	uint64_t progress;     /* its sequence number and state, see rules.h */
	int64_t blocked_ticks; /* of its last GoSysBlock or GoInSyscall, or 0 */
	uint32_t pinned;       /* streams whose next event requires its state */
	uint32_t waiting;      /* those of them that wait (waiting.h) */
	uint8_t in_syscall;    /* its last event was one of these two */
	/*
	 * For futile wakeups (futile.c): a FutileWakeup came since its last
	 * block; or the events up to its next block are dropped.
	 */
	uint8_t is_futile;
	/*
	 * For the state machine (states.c), which takes events after the merge
	 * and in final order.
	 */
	uint8_t state; /* enum state */
	uint8_t exists;
	uint8_t is_new; /* created and not started yet */
	uint8_t fresh;  /* ready since its creation; not in lean passes */
	uint32_t slot;  /* in the stream, or 0 */
	uint32_t entry; /* see profile_add_known() */
	struct region *region;  /* the innermost, or NULL */
	uint64_t first_stack;   /* of its first start, 0: none */
	struct own_stacks own;  /* see observe_needs_own() */
	uint64_t assist;        /* ordinal of its mark assist's start, or 0 */
	struct pending pending; /* links to its next event of some kind */
	/* That of the state machine; NULL: it has not started. */
	struct running_slice *slice;
	/* For the analysis of waits; NULL: not needed yet. */
	struct waiter *waiter;
	uint64_t wakeup; /* ordinal of its first event, see futile.c */
};

_Static_assert(offsetof(struct goroutine, id) == 0, "see base/ids.h");

struct goroutines {
	struct ids live;
	struct map ended;  /* by id / 64, as bits */
	uint64_t greatest; /* id of those that have ended */
	bool forget;       /* records of goroutines that ended are reused */
};

/* Adds goroutine 0. Returns false if there is no memory. */
bool gti_goroutines_init(struct goroutines *goroutines, bool forget,
			 const struct gtrace_allocator *memory);

void gti_goroutines_free(struct goroutines *goroutines);

/* goroutines_find() for an id that is not in the table. */
bool gti_goroutines_add(struct goroutines *goroutines, uint64_t id,
			struct goroutine **added);

/* Goroutine ID, or NULL if it is not in the table. */
static ALWAYS_INLINE struct goroutine *
goroutines_look(const struct goroutines *goroutines, uint64_t id)
{
	return ids_find(&goroutines->live, id);
}

/*
 * Sets *FOUND to goroutine ID, which gets a record if it is new, or to NULL if
 * it has ended and was forgotten. Returns false if there is no memory.
 */
static inline bool goroutines_find(struct goroutines *goroutines, uint64_t id,
				   struct goroutine **found)
{
	*found = goroutines_look(goroutines, id);
	if (*found != NULL)
		return true;
	return gti_goroutines_add(goroutines, id, found);
}

/*
 * GOROUTINE has ended. Removes it from the table, if records are reused and no
 * next event of a stream requires its state. Returns false if there is no
 * memory.
 */
bool gti_goroutines_end(struct goroutines *goroutines,
			struct goroutine *goroutine);

#endif /* GTRACE_V1_GOROUTINES_H_ */
