/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event.h - events and slices. Programs include gtrace.h, which includes this.
 * New members come last in their struct, as gtrace.h promises.
 */
#ifndef GTRACE_EVENT_H_
#define GTRACE_EVENT_H_

#include <stddef.h>
#include <stdint.h>

/* Text of a trace: SIZE bytes of any value, without a final NUL. */
struct gtrace_string {
	const char *data; /* never NULL */
	size_t size;
};

/* One frame of a stack. */
struct gtrace_frame {
	uint64_t pc;
	struct gtrace_string function;
	struct gtrace_string file;
	uint64_t line; /* as text, Go 1.21 and older show it as signed */
};

/* A walk back has at most this many steps. */
#define GTRACE_WALK_MAX 10

/* One event. A pointer is NULL if its count is 0. */
struct gtrace_event {
	/* From 1, in the order of the file; from Go 1.22 on, of the report. */
	uint64_t number;
	uint64_t offset;  /* of the event's first byte in the file */
	unsigned type;    /* number in the trace format */
	const char *name; /* of the type; a constant */
	int64_t ts;       /* nanoseconds since the first event */
	int64_t m;        /* thread, -1: none, or Go 1.21 and older */
	/*
	 * Processor, -1: none. Up to Go 1.21, numbers from 1000001 on are
	 * pseudo processors, such as the network poller.
	 */
	int64_t p;
	int64_t g;         /* goroutine, -1: none */
	uint64_t stack_id; /* in the file, 0: none */
	const uint64_t *args;
	size_t arg_count;
	/* The event's string arguments, such as a label. */
	const struct gtrace_string *strings;
	size_t string_count;
	/* Innermost first. */
	const struct gtrace_frame *frames;
	size_t frame_count;
	/*
	 * If an event that starts or ends a slice has no frames of its own,
	 * `frames` are those of the nearest event with frames that led to it,
	 * and `walk` has the names of the events from that one on, without this
	 * event. Otherwise walk_count is 0, and `frames` are the event's own.
	 */
	const char *const *walk;
	size_t walk_count;
	/*
	 * In gtrace_visit(): the number of the event that this one links to,
	 * such as the end of the slice that it starts. 0: none, or elsewhere.
	 */
	uint64_t link;
};

/* CPU samples that have one stack. */
struct gtrace_samples {
	uint64_t count;
	const struct gtrace_frame *frames; /* innermost first */
	size_t frame_count;
};

/* What kept a processor, or delayed a stop of the world. */
enum gtrace_work {
	GTRACE_WORK_PROGRAM = 0,   /* code outside the runtime */
	GTRACE_WORK_RUNTIME = 1,   /* code of the runtime alone; or no stack */
	GTRACE_WORK_SYSCALL = 2,   /* a system call */
	GTRACE_WORK_SCHEDULER = 3, /* no goroutine: scheduler, or no CPU */
	GTRACE_WORK_NONE = 4,      /* nothing: no processor was late */
	GTRACE_WORK_TRACER = 5,    /* what records the trace */
	/* Of slices: a worker of the garbage collector, in this mode. */
	GTRACE_WORK_GC_DEDICATED = 6,
	GTRACE_WORK_GC_FRACTIONAL = 7,
	GTRACE_WORK_GC_IDLE = 8 /* only while the processor has no other work */
};

/* One stretch of time over which a goroutine kept a processor. */
struct gtrace_slice {
	int64_t duration; /* nanoseconds */
	int64_t m;        /* thread, -1 in traces of Go 1.21 and older */
	int64_t p;
	int64_t g;
	/* Not 0: still running at the end of the trace, and `end` is unset. */
	int still_running;
	struct gtrace_event start;
	struct gtrace_event end;
	/*
	 * What the slice is named after: the innermost frame outside the
	 * runtime of the stack at its end, or else the outermost frame; if that
	 * has no name, of the stack at its start. NULL: there is no frame.
	 */
	const struct gtrace_frame *frame;
	/*
	 * If `frame` is of the standard library: the nearest caller that is
	 * not, or if all are the outermost frame. NULL: no other frame.
	 */
	const struct gtrace_frame *caller;
	enum gtrace_work work; /* _SYSCALL only if request.details is not 0 */
	/*
	 * The fields from here to `own` are set only if request.details is not
	 * 0.
	 */
	struct gtrace_string function; /* first of the goroutine, or empty */
	int system; /* not 0: a goroutine of the runtime, see gtrace_filter */
	uint64_t syscalls;  /* system calls that began inside */
	int64_t syscall_ns; /* spent in them inside, -1: Go 1.21 and older */
	/*
	 * CPU samples taken inside, the most frequent stack first. Traces of Go
	 * 1.19 and later contain them if a CPU profile was running.
	 */
	const struct gtrace_samples *samples;
	size_t sample_count;
	/*
	 * GTRACE_WORK_GC_DEDICATED, _FRACTIONAL or _IDLE, if the goroutine
	 * started as a worker of the collector. Otherwise 0.
	 */
	int gc_worker;
	/*
	 * `duration` without the time of the stops of the world that the
	 * goroutine requested during the slice.
	 */
	int64_t own;
	/*
	 * How long goroutines waited for a processor because of the slice, see
	 * struct gtrace_delay_report; set if request.waits or .delays is not 0.
	 * -1: it was not computed.
	 */
	int64_t delay;
	/*
	 * How long its thread had no CPU, at least, see struct gtrace_machine.
	 * Set only if request.details is not 0.
	 */
	int64_t off_cpu_min;
	/*
	 * The same with a confidence of 95 %, by the CPU samples that it should
	 * have; -1: samples do not tell.
	 */
	int64_t off_cpu_likely;
	/*
	 * With gtrace_options.sched: how long the thread was on a CPU during
	 * the slice; how long it was on none since it had lost one while it was
	 * runnable, and since it slept, until it ran again. The three add up to
	 * `duration`, unless the thread did not run since the record began. -1:
	 * there is no record, or it does not have all of the slice.
	 */
	int64_t on_cpu;
	int64_t preempted;
	int64_t asleep;
};

/* --------------------------------------------------------------- machine -- */

/* Stretches of time. */
struct gtrace_lost {
	uint64_t count;
	int64_t sum;
	int64_t max;
	int64_t start; /* of the longest; -1: there is none */
};

/* When threads certainly had no CPU. c/tools/README.md has the definitions. */
struct gtrace_machine {
	/* Processors that were held for more than 1 ms without a goroutine. */
	struct gtrace_lost off_cpu;
	int64_t off_cpu_p; /* that of the longest; -1: there is none */
	/* No event for more than 25 ms, though goroutines ran. */
	int silence_known; /* 0 before Go 1.19: then the sums are 0 */
	struct gtrace_lost silence;
	int64_t lost; /* time of processors in both */
	/* At which silences end, as with a CPU quota; 0: at none. */
	int64_t throttle_interval;
	uint64_t throttled; /* in so many of its periods */
	uint64_t throttle_periods;
	int64_t throttle_ran; /* how long it ran in those, on average */
	/* About how much CPU time it took in those, at most; -1: not known. */
	int64_t throttle_cpu;
};

/* A time for which a processor certainly had no CPU, or all threads. */
struct gtrace_off_cpu {
	int64_t p; /* -1: all threads, in a silence */
	int64_t from;
	int64_t to;
};

#endif /* GTRACE_EVENT_H_ */
