/* SPDX-License-Identifier: BSD-3-Clause */
/* enders.h - who ended a block of a goroutine. */
#ifndef GTRACE_BASE_ENDERS_H_
#define GTRACE_BASE_ENDERS_H_

#include <gtrace/gtrace.h>

/* Who can have ended blocks. */
enum by {
	BY_GOROUTINE,
	BY_TIMER,
	BY_NETWORK,
	BY_RUNTIME,
	BYS,
	/*
	 * Only of a stack: the runtime, in the name of a goroutine. One that
	 * starts the world runs timers and takes what the network has.
	 */
	BY_SYSTEM = BYS
};

/* Who ended a block of KIND if no goroutine of the program did. */
static inline enum by by_runtime(enum gtrace_block_kind kind)
{
	if (kind == GTRACE_BLOCK_NETWORK)
		return BY_NETWORK;
	if (kind == GTRACE_BLOCK_SLEEP || kind == GTRACE_BLOCK_RECEIVE ||
	    kind == GTRACE_BLOCK_SELECT)
		return BY_TIMER;
	return BY_RUNTIME;
}

/* Who ended a block of KIND by an event of a goroutine with a stack of BY. */
static inline enum by by_event(enum by by, enum gtrace_block_kind kind)
{
	if (by == BY_TIMER)
		return BY_TIMER;
	/* A goroutine takes what the network has while it starts the world. */
	if (by == BY_SYSTEM || kind == GTRACE_BLOCK_SLEEP ||
	    (kind == GTRACE_BLOCK_NETWORK && by != BY_NETWORK))
		return by_runtime(kind);
	return by == BY_NETWORK ? BY_GOROUTINE : by;
}

#endif /* GTRACE_BASE_ENDERS_H_ */
