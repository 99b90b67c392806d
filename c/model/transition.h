/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transition.h - what one event of a trace changes, for the analyses of both
 * formats.
 *
 * A format records transitions in the order of events, see feed/feed.h. A
 * transition has all that an analysis needs of its event, so no analysis knows
 * a format.
 */
#ifndef GTRACE_MODEL_TRANSITION_H_
#define GTRACE_MODEL_TRANSITION_H_

#include <stdint.h>

/*
 * What a transition is. `g`, `by`, `p`, `stack` and `arg` are those of struct
 * transition; where no meaning of `g` is given, it is the same as `by`.
 */
enum transition_kind {
	/* It changes no state. */
	TRANSITION_OTHER,

	/* -- goroutines -- */

	/* `by` creates `g`, on the stack `arg`. It is ready. */
	TRANSITION_CREATE,
	TRANSITION_CREATE_BLOCKED,
	/* A thread of C becomes the goroutine `g`, in a system call. */
	TRANSITION_CREATE_IN_CALL,
	/*
	 * `g`, which may be new, is in the state `arg`, enum goroutine_state;
	 * `stack` is its own.
	 */
	TRANSITION_STATUS,
	/* `by` ends the block of `g`, which is ready. */
	TRANSITION_READY,
	/* `g` runs. `stack` is that on which it was created, the first time. */
	TRANSITION_START,
	/* `by` stops running: it is ready, blocked for the reason `arg`, ends.
	 */
	TRANSITION_PREEMPT,
	TRANSITION_BLOCK,
	TRANSITION_END,
	/*
	 * A system call begins. With TRANSITION_MAY_BE_CALL, only if the next
	 * event of the goroutine is TRANSITION_LOSE.
	 */
	TRANSITION_CALL,
	/* The goroutine in a system call has no processor any more. */
	TRANSITION_LOSE,
	/* The system call is over: `g` runs on, or is ready. */
	TRANSITION_RETURN,
	TRANSITION_RETURN_READY,
	/* A thread of C is the goroutine `g` no more, after a system call. */
	TRANSITION_END_IN_CALL,

	/* -- processors: `p`, of the thread `m` -- */

	TRANSITION_HOLD, /* up to Go 1.21 by the thread with the id `arg` */
	TRANSITION_GIVE_UP,
	/* Another thread takes it away: from the goroutine in the slot `arg`.
	 */
	TRANSITION_STEAL,
	/* It is `arg`, enum processor_status. */
	TRANSITION_PROC_STATUS,
	TRANSITION_PROCS, /* there are `arg` processors */

	/* -- the runtime -- */

	/* A stop-the-world pause, for the reason `arg`. */
	TRANSITION_STOP,
	TRANSITION_STOP_END,
	/* A collection; _ON: one that has begun before. */
	TRANSITION_COLLECT,
	TRANSITION_COLLECT_ON,
	TRANSITION_COLLECT_END,
	/* `g` assists the collector; _ON: it has since before. */
	TRANSITION_ASSIST,
	TRANSITION_ASSIST_ON,
	TRANSITION_ASSIST_END,
	TRANSITION_SWEEP,
	TRANSITION_SWEEP_ON,
	TRANSITION_SWEEP_END,
	TRANSITION_HEAP, /* it has `arg` bytes */
	TRANSITION_GOAL, /* it may grow to `arg` bytes */

	/* -- the program and its profiler -- */

	/* `by` has the label with the string `arg`. */
	TRANSITION_LABEL,
	/* The task `arg`; then, of the same event, the string of its name. */
	TRANSITION_TASK,
	TRANSITION_TASK_NAME,
	TRANSITION_TASK_END,
	TRANSITION_REGION,
	TRANSITION_REGION_END,
	/*
	 * A profiler finds `by` at `stack`, which runs or does not, on the
	 * processor with the number `arg`.
	 */
	TRANSITION_SAMPLE,

	/* -- no event -- */

	/*
	 * No thread writes an event from `now` to the time `arg`: only in a
	 * pass that collects silences.
	 */
	TRANSITION_SILENCE,
	/* The frequency of the clock changes: times jump. */
	TRANSITION_CLOCK,

	TRANSITION_KINDS
};

/* Bits of struct transition, `flags`. */
enum {
	TRANSITION_MAY_BE_CALL = 1,
	/*
	 * A status: of a goroutine that no event has named before, or of such a
	 * processor in the first generation.
	 */
	TRANSITION_FIRST = 2,
	/* A block that nothing can end. */
	TRANSITION_FOR_EVER = 4,
	/*
	 * `g` was not ready since it was created: it was only listed then. With
	 * a start it has run since, with a status it counts from now on.
	 */
	TRANSITION_LISTED = 8,
	/* A start: its event has a label. */
	TRANSITION_LABELLED = 16,
	/* A creation: it lists a goroutine that was there before the trace. */
	TRANSITION_BEFORE = 32,
	/*
	 * The goroutine, in a system call, has no processor from now on, or has
	 * none. Without that TRANSITION_STEAL takes it from no goroutine.
	 */
	TRANSITION_LOSES = 64,
	/*
	 * A silence: the event at its end is impossible in a stop-the-world
	 * pause, unless two goroutines run.
	 */
	TRANSITION_GOES_ON = 128,
	/* A status, of a goroutine or a processor: it shows that `g` is on `p`.
	 */
	TRANSITION_ON = 256,
	/* `g` is made ready by the network, and not by what runs on `p`. */
	TRANSITION_BY_NETWORK = 512
};

/* In which state a goroutine is. */
enum goroutine_state {
	GOROUTINE_UNKNOWN,
	GOROUTINE_ABSENT, /* not created yet, or ended */
	GOROUTINE_READY,
	GOROUTINE_RUNS,
	GOROUTINE_IN_CALL,
	GOROUTINE_BLOCKED
};

/* What a processor is said to be. */
enum processor_status {
	PROCESSOR_UNKNOWN,
	PROCESSOR_RUNS,    /* a thread holds it */
	PROCESSOR_IN_CALL, /* likewise, in a system call */
	PROCESSOR_IDLE
};

/* Slots are numbers from 1 on, see feed/actors.h. 0: none. */
struct transition {
	int64_t now;     /* in the order of events; it never decreases */
	int64_t written; /* by its thread; as `now` in ticks */
	uint64_t offset; /* of the event in the file */
	uint64_t stack;  /* handle; 0: none that has frames */
	uint64_t arg;    /* see the kind */
	uint32_t g;      /* the goroutine that changes */
	uint32_t by;     /* that of whose thread the event is */
	uint32_t m;      /* that thread, before the event */
	uint32_t p;      /* its processor, or the one that changes */
	uint32_t on;     /* the thread that a status is of; 0: it is of none */
	uint8_t kind;
	uint8_t type; /* of the event */
	uint16_t flags;
};

_Static_assert(sizeof(struct transition) <= 64, "one cache line");

#endif /* GTRACE_MODEL_TRANSITION_H_ */
