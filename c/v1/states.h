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

#include "analysis/observe.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/event.h"
#include "v1/goroutines.h"
#include "v1/table.h"

/* How an event contradicts the states. `other` and `other_g`: struct fault. */
enum fault_kind {
	FAULT_NONE,
	FAULT_MEMORY,
	FAULT_PROC_RUNS_BEFORE_START,
	FAULT_PROC_STOPPED_BEFORE_STOP,
	FAULT_PROC_BUSY_AT_STOP, /* other_g runs on it */
	FAULT_GC_NOT_ENDED,
	FAULT_GC_NOT_STARTED,
	FAULT_STW_NOT_ENDED,
	FAULT_STW_NOT_STARTED,
	FAULT_SWEEP_NOT_ENDED,
	FAULT_SWEEP_NOT_STARTED,
	FAULT_ASSIST_NOT_ENDED,
	FAULT_NOT_RUNNABLE, /* before GoWaiting, GoInSyscall */
	FAULT_NOT_RUNNABLE_AT_START,
	FAULT_PROC_BUSY_AT_START, /* other_g runs on it */
	FAULT_NOT_RUNNING,
	FAULT_NOT_RUNNING_HERE, /* but on another processor */
	FAULT_GOROUTINE_0,
	FAULT_EXISTS,
	FAULT_NOT_RUNNING_AT_UNBLOCK,
	FAULT_NOT_RUNNING_HERE_AT_UNBLOCK,
	FAULT_NOT_WAITING_AT_UNBLOCK,
	FAULT_NOT_WAITING_AT_EXIT,
	FAULT_TASK_EXISTS,     /* `other` created it */
	FAULT_REGION_MISMATCH, /* `other` started the innermost one */
	FAULT_REGION_MODE
};

struct fault {
	enum fault_kind kind;
	struct event event;
	struct event other;
	uint64_t other_g;
};

/* What depends on the trace and its version. */
struct states_options {
	/* Stacks that have frames, by id. */
	const struct dictionary *stacks;
	/* Returns whether the strings with the ids A and B are equal. */
	bool (*same_text)(void *context, uint64_t a, uint64_t b);
	void *context;
	/*
	 * A GoCreate has the program counter at which the goroutine starts,
	 * not a stack. The first GoStart gets that plus one as its stack, and
	 * the type EV_GO_START_AT_PC.
	 */
	bool create_gives_pc;
	/* A stop of the world belongs to its processor. */
	bool stw_per_processor;
	/* The slot of a processor is less than this, or SLOT_NONE. */
	uint32_t processors;
	uint64_t events; /* of the trace */
	/* Slots of pseudo processors; SLOT_NONE: they have no batch. */
	uint32_t netpoll_slot, gc_slot;
	struct observer *observer;
};

struct processor_state {
	uint64_t g;
	uint64_t serial; /* of the running slice, 0: none */
	bool running;
	uint64_t sweep; /* ordinal of the sweep's start, 0: none */
	uint64_t stw;   /* likewise of its own stop of the world */
};

/* A user region that has begun. Each goroutine has a stack of them. */
struct region {
	struct event start;
	uint64_t slice; /* the slice in which it began: ordinal of its start */
	uint32_t outer; /* the next one, plus one; 0: none */
};

#define REGION_NONE UINT32_MAX

struct states {
	const struct gtrace_allocator *memory;
	struct states_options options;
	struct observer *observer;
	struct stops *stops; /* observer->stops */
	const struct goroutines *goroutines;
	/* By slot. The last one, for processors without a slot, stays zero. */
	struct processor_state *processors;
	struct array regions; /* struct region, a pool */
	uint32_t free_region;
	struct array tasks; /* struct event, a pool */
	uint64_t free_task;
	struct map task_of_id;
	uint64_t gc_start; /* ordinal of the running collection's start, or 0 */
	uint64_t stw_start; /* likewise, of the stop of the world */
	int64_t last_ticks; /* greatest ticks so far */
	struct fault fault;
};

/*
 * Prepares the states. GOROUTINES is the table of the source of the events.
 * OPTIONS->observer and GOROUTINES must outlive the states. Returns false, with
 * nothing to free, if there is no memory.
 */
bool gti_states_init(struct states *states,
		     const struct states_options *options,
		     const struct goroutines *goroutines,
		     const struct gtrace_allocator *memory);

void gti_states_free(struct states *states);

/*
 * Checks EVENT, the next one, and applies it to CONTEXT, a struct states.
 * Completes the event: the first start of a goroutine gets the stack in its
 * GoCreate, an unblock by the network poller gets its pseudo processor. Returns
 * false if the event is at fault, which `fault` then describes; no event may
 * follow.
 */
bool gti_states_step(void *context, struct event *event);

/* gti_states_step(), which also reports EVENT to observer->stops. */
bool gti_states_step_for_stops(void *context, struct event *event);

/*
 * The trace has ended: observes the slices that still run. Returns false as
 * gti_states_step() does.
 */
bool gti_states_finish(struct states *states);

/* ------------------------------------------------ within the state machine --
 */

/* Sets the fault to KIND, at EVENT. Returns false. */
bool gti_states_fail(struct states *states, enum fault_kind kind,
		     const struct event *event);

/* The same; OTHER_G runs on the event's processor. */
bool gti_states_fail_busy(struct states *states, enum fault_kind kind,
			  const struct event *event, uint64_t other_g);

/* gti_states_step() for rare events and those without a transition. */
bool gti_states_step_rare(struct states *states, struct goroutine *g,
			  struct processor_state *p, struct event *event);

/* Ends the regions of G, which EVENT ends. */
void gti_states_end_regions(struct states *states, struct goroutine *g,
			    const struct event *event);

/* The type of events that have the `first_stack` of a goroutine. */
static inline uint32_t first_type_of(const struct states *states)
{
	return states->options.create_gives_pc ? EV_GO_START_AT_PC
					       : EV_GO_START;
}

static inline struct region *region_at(const struct states *states,
				       uint32_t number)
{
	return (struct region *)states->regions.items + number;
}

/* Returns whether an event of TYPE with the stack STACK has frames. */
static inline bool has_frames(const struct states *states, unsigned type,
			      uint64_t stack)
{
	if (UNLIKELY(type == EV_GO_START_AT_PC))
		return true;
	return stack != 0 && dictionary_get(states->options.stacks, stack) != 0;
}

/* Returns the origin of an event that EVENT, with ORIGIN, links to. */
static inline struct origin origin_after(const struct states *states,
					 const struct event *event,
					 struct origin origin)
{
	return origin_over(origin, event->type, event->stack,
			   has_frames(states, event->type, event->stack));
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
	serial = to->serial; /* its own slice still runs */
	*to = *from;
	to->serial = serial;
}

#endif /* GTRACE_V1_STATES_H_ */
