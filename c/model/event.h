/* SPDX-License-Identifier: BSD-3-Clause */
/* event.h - one event, and the clock of a trace. */
#ifndef GTRACE_MODEL_EVENT_H_
#define GTRACE_MODEL_EVENT_H_

#include <stdbool.h>
#include <stdint.h>

#define EVENT_ARGS 3

/*
 * Goroutines and processors are known by their number in the trace, which may
 * be any, and by a slot: a small number given to each while the trace is read,
 * for tables to be indexed with. Slot 0 is goroutine 0. Slots of finished
 * goroutines may be given out again.
 */
#define SLOT_NONE UINT32_MAX

struct event {
	uint64_t offset;  /* of the record's first byte in the file */
	uint64_t ordinal; /* number of the event in file order, from 1 */
	int64_t ticks;
	int64_t p;
	uint64_t g;
	uint64_t stack; /* id, 0: none */
	uint64_t args[EVENT_ARGS];
	uint32_t type;
	uint32_t p_slot; /* SLOT_NONE: no processor that has a state */
	uint32_t g_slot;
	uint32_t target_slot; /* the goroutine in args[0], where one is meant */
};

/* From ticks of the trace to nanoseconds since its first event. */
struct clock {
	int64_t first_ticks;
	double ns_per_tick;
};

/*
 * The sum is made in double and cut off towards zero, as the reference does,
 * and what does not fit becomes the least number, as on x86-64.
 */
static inline int64_t clock_ns(const struct clock *clock, int64_t ticks)
{
	uint64_t since = (uint64_t)ticks - (uint64_t)clock->first_ticks;
	double ns = (double)(int64_t)since * clock->ns_per_tick;

	if (ns >= -0x1p63 && ns < 0x1p63)
		return (int64_t)ns;
	return INT64_MIN;
}

#endif /* GTRACE_MODEL_EVENT_H_ */
