/* SPDX-License-Identifier: BSD-3-Clause */
/* event.h - one event of a trace, and the clock of a trace. */
#ifndef GTRACE_MODEL_EVENT_H_
#define GTRACE_MODEL_EVENT_H_

#include <stdint.h>

/* A format numbers its event types from 1 to EVENT_TYPES - 1. 0: no event. */
#define EVENT_TYPES 64

#define EVENT_ARGS 3

/* No thread, processor or goroutine. */
#define ID_NONE (-1)

/*
 * A processor or goroutine has a number in the trace, which can be any 64-bit
 * number. A format can give it a slot too: a small number, to index tables.
 */
#define SLOT_NONE UINT32_MAX

/* The runtime counts processors in 32 bits; an event can tell of more. */
static inline uint64_t procs_told(uint64_t count)
{
	return count < INT32_MAX ? count : INT32_MAX;
}

struct event {
	uint64_t offset;  /* of the event's first byte in the file */
	uint64_t ordinal; /* from 1; identifies the event */
	int64_t ticks;    /* by the trace's clock */
	int64_t m;        /* thread, ID_NONE if the format has none */
	int64_t p;        /* processor */
	uint64_t g;       /* goroutine */
	uint64_t stack;   /* handle, 0: none */
	uint64_t args[EVENT_ARGS];
	uint32_t type;
	uint32_t p_slot;
	/* The format's records of goroutine g, and of the one in args[0]. */
	void *g_record;
	void *target_record;
};

/* No such time. */
#define TIME_NONE INT64_MIN

/*
 * Converts ticks to nanoseconds since the first event. Where ticks are
 * nanoseconds, or it is not known how long they are, they stay what they are.
 */
struct clock {
	int64_t first_ticks;
	double ns_per_tick; /* 0: times are in ticks */
};

/*
 * Returns TICKS as nanoseconds since the first event: the product in double,
 * truncated toward zero, as the reference computes it. What does not fit is
 * INT64_MIN, as on x86-64.
 */
static inline int64_t clock_ns(const struct clock *clock, int64_t ticks)
{
	uint64_t since = (uint64_t)ticks - (uint64_t)clock->first_ticks;
	double ns = (double)(int64_t)since * clock->ns_per_tick;

	if (clock->ns_per_tick == 0)
		return (int64_t)since;
	if (ns >= -0x1p63 && ns < 0x1p63)
		return (int64_t)ns;
	return INT64_MIN;
}

#endif /* GTRACE_MODEL_EVENT_H_ */
