/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * states.h - follows goroutines and processors through the events, checks
 * that each event fits to what was before, and links events.
 *
 * It is fed events by whoever has them in order, and knows no file.
 */
#ifndef GTRACE_RUN_MACHINE_H_
#define GTRACE_RUN_MACHINE_H_

#include <stdbool.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/event.h"
#include "v1/table.h"
#include "analysis/slices.h"

/* What can be wrong with an event. */
enum fault_kind {
	FAULT_NONE,
	FAULT_MEMORY,
	FAULT_PROC_RUNS_BEFORE_START,
	FAULT_PROC_STOPPED_BEFORE_STOP,
	FAULT_PROC_BUSY_AT_STOP, /* other_g runs there */
	FAULT_GC_NOT_ENDED,
	FAULT_GC_NOT_STARTED,
	FAULT_STW_NOT_ENDED,
	FAULT_STW_NOT_STARTED,
	FAULT_SWEEP_NOT_ENDED,
	FAULT_SWEEP_NOT_STARTED,
	FAULT_ASSIST_NOT_ENDED,
	FAULT_NOT_RUNNABLE, /* before GoWaiting, GoInSyscall */
	FAULT_NOT_RUNNABLE_AT_START,
	FAULT_PROC_BUSY_AT_START, /* other_g runs there */
	FAULT_NOT_RUNNING,
	FAULT_NOT_RUNNING_HERE,
	FAULT_GOROUTINE_0,
	FAULT_EXISTS,
	FAULT_NOT_RUNNING_AT_UNBLOCK,
	FAULT_NOT_RUNNING_HERE_AT_UNBLOCK,
	FAULT_NOT_WAITING_AT_UNBLOCK,
	FAULT_NOT_WAITING_AT_EXIT,
	FAULT_TASK_EXISTS,     /* `other` created it */
	FAULT_REGION_MISMATCH, /* `other` started the innermost */
	FAULT_REGION_MODE
};

struct fault {
	enum fault_kind kind;
	struct event event;
	struct event other;
	uint64_t other_g;
};

/* How a trace is to be followed. */
struct states_options {
	/* Stacks that have frames, by id. */
	const struct dictionary *stacks;
	/* Whether the texts with the ids A and B are the same. */
	bool (*same_text)(void *context, uint64_t a, uint64_t b);
	void *context;
	/*
	 * A goroutine's creation tells the program counter where it starts,
	 * not a stack. The first start then has that plus one in `stack`.
	 */
	bool create_gives_pc;
	/* Stopping the world is told by each processor for itself. */
	bool stops_per_processor;
	/* Slots of ended goroutines are given out again. */
	bool slots_return;
	/* Processors' slots are less than this, or SLOT_NONE. */
	uint32_t processors;
	/* Slots of processors that stand for something, if they have events. */
	uint32_t netpoll_slot, collector_slot;
	/* Where slices go; NULL: nowhere. */
	struct slices *slices;
	/*
	 * By ordinal of an event, up to `ordinals`: the ordinal of the one it
	 * links to. Starts as zeros; NULL, and up to 0: not wanted.
	 */
	uint64_t *links;
	uint64_t ordinals;
};

struct goroutine_state;
struct processor_state;

struct states {
	const struct gtrace_allocator *memory;
	struct states_options options;
	struct clock clock;       /* to be set before the first event */
	struct chunks goroutines; /* struct goroutine_state, by slot */
	/* By slot. One more is for events without one, and stays all zeros. */
	struct processor_state *processors;
	struct array regions; /* struct region, a pool */
	uint32_t free_region;
	struct array tasks; /* struct event, a pool */
	uint64_t free_task;
	struct map task_of_id;
	uint64_t gc_start;  /* ordinal, 0: none runs */
	uint64_t stw_start; /* likewise */
	int64_t last_ticks; /* the greatest so far */
	struct fault fault;
};

/* Returns false, with nothing to free, if there is no memory. */
bool gti_states_init(struct states *states,
		     const struct states_options *options,
		     const struct gtrace_allocator *memory);

void gti_states_free(struct states *states);

/*
 * CONTEXT, a struct states, takes the next event. Completes it: a start gets
 * its goroutine's first stack, an unblocking by the network poller its
 * processor. Returns false if something is wrong, which `fault` then tells;
 * that is the end.
 */
bool gti_states_step(void *context, struct event *event);

/*
 * The trace ends: goroutines that run get their slices. Returns false if there
 * is no memory.
 */
bool gti_states_finish(struct states *states);

#endif /* GTRACE_RUN_MACHINE_H_ */
