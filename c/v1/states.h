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

#include "analysis/transitions.h"
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
	struct analyses to;
	/* Links, waits, names or the stream: some passes need none. */
	bool more;
	const struct goroutines *goroutines;
	bool is_1_5; /* a GoCreate has a program counter, see stack_of_pc() */
	/* By slot. The last one is for all processors without a stream. */
	struct processor_state *processors;
	uint32_t processor_slots;       /* without the last one */
	uint32_t netpoll_slot, gc_slot; /* SLOT_NONE: they have no batch */
	struct pool slices;             /* struct running_slice */
	struct pool waiters;            /* struct waiter */
	struct early_exits exits;
	uint64_t readies;      /* waits that began */
	bool proc_started;     /* some processor */
	bool go_started;       /* some goroutine */
	bool recast;           /* gti_states_recast() did, for the stream */
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
 * gti_states_step() that notes the last event of each goroutine, as
 * observe_needs_own() requires.
 */
bool gti_states_learn(void *context, struct event *event);

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

/* Prepares the analysis of waits, if it is wanted. */
void gti_states_init_waits(struct states *states);

/* gti_states_step() for rare events and those without a transition. */
bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event);

/* EVENT is a CPU sample of G; NULL: of none that has a record. */
bool gti_states_sample(struct states *states, struct goroutine *g,
		       const struct event *event);

/* Ends the regions of G, which EVENT ends. */
void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event);

/* gti_states_learn() that looks for a silence before EVENT. */
bool gti_states_listen(void *context, struct event *event);

/* Prepares the stream, which is wanted. */
void gti_states_init_feed(struct states *states);

/* The step that OBSERVER wants, which records EVENT in the stream. */
bool gti_states_emit(void *context, struct event *event);

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
	return waits_time(states->to.waits, states->last_ticks);
}

/*
 * The exits from system calls are collected, so that events can be in merge
 * order. Returns false if there is no memory.
 */
bool gti_states_find_exits(struct states *states);

/* When the present event happens, for the analyses that are wanted. */
static inline int64_t now_of(struct states *states)
{
	return states->to.waits != NULL ? present_time(states) : 0;
}

/* The goroutine that runs on P; NULL: there is none. */
static inline struct goroutine *running_on(const struct states *states,
					   const struct processor_state *p)
{
	struct goroutine *g = NULL;

	if (p->g != 0)
		g = goroutines_look(states->goroutines, p->g);
	return g != NULL && g->state == RUNNING ? g : NULL;
}

/* The start of the slice of G, the last one if it does not run. */
static ALWAYS_INLINE const struct event_ref *
slice_start(const struct goroutine *g)
{
	static const struct event_ref none = {.ordinal = 0};

	return LIKELY(g->slice != NULL) ? &g->slice->start : &none;
}

static ALWAYS_INLINE struct actor actor_of(struct goroutine *g)
{
	return (struct actor){
		.g = &g->id,
		.pending = &g->pending,
		.waiter = g->waiter,
		.slice = g->slice,
		.p = &slice_start(g)->p,
		.entry = &g->entry,
		.stacks = &g->own,
		.record = g,
	};
}

/* EVENT makes a transition of G, in a pass of KIND. */
static ALWAYS_INLINE struct step
step_at(struct states *states, struct goroutine *g, const struct event *event,
	int64_t now, const enum pass_kind kind)
{
	return (struct step){&states->to, actor_of(g), event, now, kind};
}

/* EVENT makes a transition of G, where more than slices is wanted. */
static ALWAYS_INLINE struct step
step_of(struct states *states, struct goroutine *g, const struct event *event)
{
	return step_at(states, g, event, now_of(states), PASS_CAREFUL);
}

/* The rest of the start of G by EVENT, if waits are wanted. */
void gti_states_started(struct states *states, struct goroutine *g,
			const struct event *event);

/*
 * EVENT, which ORIGIN leads to, makes G ready; or the wait of G is taken back.
 * Nothing is done if waits are not wanted.
 */
void gti_states_ready(struct states *states, struct goroutine *g,
		      const struct event *event, struct origin origin);
void gti_states_take_back(struct states *states, struct goroutine *g,
			  const struct event *event);

/*
 * If G was ready from its creation to EVENT, it was not: it was only listed.
 */
void gti_states_recast(struct states *states, struct goroutine *g,
		       const struct event *event);

/*
 * G is about to start by EVENT. The first goroutine to do so after a processor
 * is the one that starts the trace: if it was listed as ready, it ran.
 */
void gti_states_ran_before(struct states *states, struct goroutine *g,
			   const struct event *event);

/* STEP, which ORIGIN leads to, makes G ready, as one of type ROW. */
static ALWAYS_INLINE void states_wait(struct states *states,
				      struct goroutine *g, struct step step,
				      uint32_t row, struct origin origin)
{
	if (observe_ready(step, row, origin))
		g->waiter->order = ++states->readies;
}

/* Returns whether the stack with the handle STACK has frames. */
static inline bool has_frames(const struct states *states, uint64_t stack)
{
	return (stack != 0 &&
		dictionary_get(&states->index->stacks, stack) != 0) ||
	       (UNLIKELY(states->is_1_5) && is_stack_of_pc(stack));
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
	const struct event_ref *start = slice_start(g);

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

	if (region != NULL && region->slice == slice_start(g)->ordinal)
		return origin_over(origin_none, region->start.type,
				   region->start.stack,
				   has_frames(states, region->start.stack));
	return origin_from_start(states, g);
}

/*
 * Copies the state of processor FROM to the pseudo processor in SLOT. So does
 * the reference when it moves an event to a pseudo processor.
 */
static inline void copy_processor(struct states *states, uint32_t slot,
				  const struct processor_state *from)
{
	struct processor_state *to;
	uint64_t serial;

	if (slot == SLOT_NONE)
		return;
	to = &states->processors[slot];
	serial = to->serial;
	*to = *from;
	to->serial = serial; /* its own slice still runs */
}

#endif /* GTRACE_V1_STATES_H_ */
