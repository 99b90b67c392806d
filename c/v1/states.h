/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states.h - the states of goroutines and processors.
 *
 * The last step of reading a trace: each event, in order, is checked against
 * the states of its goroutine and its processor and changes them. An observer
 * is told of the transitions.
 */
#ifndef GTRACE_V1_STATES_H_
#define GTRACE_V1_STATES_H_

#include <stdbool.h>

#include "analysis/ended.h"
#include "base/pool.h"
#include "v1/exits.h"
#include "v1/goroutines.h"
#include "v1/index.h"
#include "v1/lookup.h"

struct processor_state {
	uint64_t g;
	uint64_t serial; /* of the running slice, 0: none */
	bool running;
	uint64_t sweep; /* ordinal of the sweep's start, 0: none */
	uint64_t stw;   /* ordinal of the start of its STW pause, 0: none */
	/* That of the analysis of stops of the world; NULL: not wanted. */
	struct stop_processor *stop;
};

/* Of a goroutine, for the analysis of waits. */
struct goroutine_waits {
	uint64_t g;
	struct waiter waiter;
	struct slice_wait slice;
};

/* A user region that has begun. Each goroutine has a stack of them. */
struct region {
	struct event start;
	uint64_t slice;       /* in which it began: ordinal of its start */
	struct region *outer; /* or NULL */
};

struct states {
	const struct index *index;
	const struct gtrace_allocator *memory;
	struct observer *observer;
	struct waits *waits;             /* observer->waits */
	struct blocks *blocks;           /* observer->blocks */
	struct sched *sched;             /* observer->sched */
	struct collections *collections; /* observer->collections */
	/* Links, stops, waits, blocks or a profile: some passes need none. */
	bool more;
	bool wants_ready; /* waits or blocks: when goroutines become ready */
	const struct goroutines *goroutines;
	bool is_1_5; /* a GoCreate has a program counter, see stack_of_pc() */
	/* By slot. The last one is for all processors without a stream. */
	struct processor_state *processors;
	uint32_t processor_slots;       /* without the last one */
	uint32_t netpoll_slot, gc_slot; /* SLOT_NONE: they have no batch */
	struct pool goroutine_waits;    /* struct goroutine_waits */
	struct early_exits exits;
	uint64_t readies;      /* waits that began */
	bool proc_started;     /* some processor */
	bool go_started;       /* some goroutine */
	struct pool regions;   /* struct region */
	struct pool tasks;     /* struct event */
	struct map task_of_id; /* address of the event */
	uint64_t gc_start; /* ordinal of the running collection's start, or 0 */
	uint64_t stw_start; /* ordinal of the running STW pause's start, or 0 */
	int64_t last_ticks; /* greatest ticks so far */
	uint64_t silence;   /* ticks; no event for longer may be a silence */
	bool late_exits; /* of system calls; not collected yet, though wanted */
	struct gtrace_error fault;
};

/*
 * Prepares the states for a pass over INDEX. GOROUTINES is the table of the
 * source of the events. Returns false, with nothing to free, if there is no
 * memory.
 */
bool gti_states_init(struct states *states, const struct index *index,
		     const struct goroutines *goroutines,
		     struct observer *observer);

void gti_states_free(struct states *states);

/*
 * Checks EVENT, the next one, and applies it to CONTEXT, a struct states.
 * Completes the event: the first start of a goroutine gets the stack in its
 * GoCreate, an unblock by the network poller gets its pseudo processor. Returns
 * false if the event is at fault, which `fault` then describes, if there is no
 * memory, or if observer->ended; no event may follow.
 */
bool gti_states_step(void *context, struct event *event);

/*
 * The trace has ended: observes the slices that still run. Returns false if
 * there is no memory.
 */
bool gti_states_finish(struct states *states);

/* ---------------------------------------------- within the state machine -- */

/*
 * EVENT contradicts the states: sets the fault to what FORMAT says, in the
 * words of Go's parser. Returns false.
 */
bool gti_states_fail(struct states *states, const struct event *event,
		     const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * EVENT, a user event, contradicts the states: sets the fault. Returns false.
 * OTHER has created the task, or started the innermost region; NULL: EVENT has
 * a bad mode.
 */
bool gti_states_fail_user(struct states *states, const struct event *event,
			  const struct event *other);

/* Fails: G does not run on P. */
bool gti_states_fail_running(struct states *states, const struct goroutine *g,
			     const struct processor_state *p,
			     const struct event *event);

bool gti_states_fail_memory(struct states *states);

/* gti_states_step() for events of user tasks and regions. */
bool gti_states_step_user(struct states *states, struct goroutine *g,
			  const struct event *event);

/* What the analysis of blocks needs of EVENT. */
struct block_event gti_states_block_event(const struct event *event);

/* Prepares the analysis of waits, if it is wanted. */
void gti_states_init_waits(struct states *states);

/*
 * EVENT takes G off its processor, and leaves it in STATE. This may matter to
 * the analysis of waits.
 */
void gti_states_end_waited(struct states *states, struct goroutine *g,
			   const struct event *event, enum state state);

/* gti_states_step() for rare events and those without a transition. */
bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event);

/* EVENT is a CPU sample of G; NULL: of none that has a record. */
bool gti_states_sample(struct states *states, struct goroutine *g,
		       const struct event *event);

/* Ends the regions of G, which EVENT ends. */
void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event);

/* gti_states_step() that looks for a silence before EVENT, if they matter. */
bool gti_states_listen(void *context, struct event *event);

/* Begins the waits of exits from system calls that have happened. */
void gti_states_exit(struct states *states);

/*
 * The time of the present event for the analysis of waits, which is told first
 * what has come before. It never decreases, as ticks can in partial mode.
 */
static inline int64_t present_time(struct states *states)
{
	if (UNLIKELY(states->exits.ticks <= states->last_ticks))
		gti_states_exit(states);
	return waits_time(states->waits, states->last_ticks);
}

/*
 * The exits from system calls are collected, so that events can be in merge
 * order. Returns false if there is no memory.
 */
bool gti_states_find_exits(struct states *states);

/* EVENT, which ORIGIN leads to, has begun the wait of a goroutine. */
static ALWAYS_INLINE void states_know_ready(struct states *states,
					    struct goroutine_waits *own,
					    const struct event *event,
					    struct origin origin)
{
	event_ref_set(&own->waiter.ready, event, origin);
	own->waiter.order = ++states->readies;
}

/*
 * EVENT of TYPE, which ORIGIN leads to, makes a goroutine ready NOW that has
 * the record OWN; a wait that has begun goes on.
 */
static ALWAYS_INLINE void states_begin_wait(struct states *states,
					    struct goroutine_waits *own,
					    const struct event *event,
					    uint32_t type, struct origin origin,
					    int64_t now)
{
	if (UNLIKELY(waits_is_waiting(&own->waiter)))
		return;
	waits_begin(states->waits, &own->waiter, type, now);
	states_know_ready(states, own, event, origin);
}

/* The rest of the start of G by EVENT, if waits are wanted. Returns true. */
bool gti_states_started(struct states *states, struct goroutine *g,
			const struct event *event);

/*
 * EVENT, which ORIGIN leads to, makes G ready; or the wait of G is taken back.
 * Nothing is done if waits are not wanted.
 */
void gti_states_ready(struct states *states, struct goroutine *g,
		      const struct event *event, struct origin origin);
void gti_states_take_back(struct states *states, struct goroutine *g,
			  const struct event *event);

/* G is at LEVEL from NOW on, if the analysis of the scheduler is wanted. */
static inline void states_move(const struct states *states, struct goroutine *g,
			       enum sched_level level, int64_t now)
{
	enum sched_level from = LEVEL_NONE;

	if (LIKELY(states->sched == NULL))
		return;
	if (g->level != 0)
		from = (enum sched_level)(g->level - 1);
	g->level = (uint8_t)(level + 1);
	if (from != level)
		sched_move(states->sched, from, level, now);
}

/* G has been created. */
void gti_states_begin(const struct states *states, struct goroutine *g);

/* G is blocked from EVENT on; or its block ends by EVENT; or G does. */
void gti_states_block(const struct states *states, struct goroutine *g,
		      const struct event *event);
void gti_states_unblock(const struct states *states, struct goroutine *g,
			const struct event *event);
void gti_states_end(const struct states *states, struct goroutine *g,
		    const struct event *event);

/* An event on the processor AT changes no slice of it, see stops_event(). */
static ALWAYS_INLINE void observe_event(const struct observer *observer,
					struct stop_processor *at,
					int64_t written)
{
	if (UNLIKELY(at != NULL))
		stops_event(observer->stops, at, written);
}

/* Returns whether the stack with the handle STACK has frames. */
static inline bool has_frames(const struct states *states, uint64_t stack)
{
	return (stack != 0 &&
		dictionary_get(&states->index->stacks, stack) != 0) ||
	       (UNLIKELY(states->is_1_5) && is_stack_of_pc(stack));
}

/* Returns the origin of an event that EVENT, with ORIGIN, links to. */
static inline struct origin origin_after(const struct states *states,
					 const struct event *event,
					 struct origin origin)
{
	return origin_over(origin, event->type, event->stack,
			   has_frames(states, event->stack));
}

/*
 * Returns whether EVENT certainly has frames. This is fast, and misses only
 * stacks with unusually large ids.
 */
static inline bool has_dense_frames(const struct states *states,
				    const struct event *event)
{
	const struct dictionary *stacks = &states->index->stacks;
	uint64_t stack = event->stack;

	return stack != 0 && stack < stacks->dense_size &&
	       stacks->dense[stack] != 0;
}

/* Returns the origin of the event that ends the slice of G. */
static inline struct origin origin_from_start(const struct states *states,
					      const struct goroutine *g)
{
	const struct event_ref *start = &g->slice.start;

	return origin_over(start->origin, start->type, start->stack,
			   has_frames(states, start->stack));
}

/*
 * Returns the origin of the event that ends G. The last event that links to it
 * counts, which is the begin of a region in this slice, or else the start of
 * the slice.
 */
static inline struct origin origin_of_end(const struct states *states,
					  const struct goroutine *g)
{
	const struct region *region = g->region;

	if (region != NULL && region->slice == g->slice.start.ordinal)
		return origin_after(states, &region->start, origin_none);
	return origin_from_start(states, g);
}

/* The owner of the slice of G. */
static inline struct slice_owner states_owner(struct goroutine *g)
{
	struct slice_owner owner = {
		.m = ID_NONE,
		.p = g->slice.start.p,
		.g = g->id,
		.wait = g->waits != NULL ? &g->waits->slice : NULL,
		.first_stack = g->first_stack,
		.entry = &g->entry,
	};

	return owner;
}

/*
 * Copies the state of processor FROM to the pseudo processor in SLOT. So does
 * the reference when it moves an event to a pseudo processor.
 */
static inline void copy_processor(struct states *states, uint32_t slot,
				  const struct processor_state *from)
{
	struct processor_state *to, own;

	if (slot == SLOT_NONE)
		return;
	to = &states->processors[slot];
	own = *to;
	*to = *from;
	to->serial = own.serial; /* its own slice still runs */
	to->stop = own.stop;
}

#endif /* GTRACE_V1_STATES_H_ */
