/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lives.h - how long goroutines were in each state.
 *
 * A goroutine is in one state at a time, from its creation, or from the start
 * of the trace, to its end. All times are nanoseconds since the first event, so
 * that those of the states add up to the life.
 */
#ifndef GTRACE_ANALYSIS_LIVES_H_
#define GTRACE_ANALYSIS_LIVES_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "model/event.h"

/* The states; and LIFE_BLOCKED plus the kind, see enum gtrace_block_kind. */
enum life_state {
	LIFE_NONE, /* not created yet, or ended */
	LIFE_READY,
	LIFE_RUNS,
	LIFE_ASSISTS, /* runs for the collector */
	LIFE_LOST,    /* in a system call that has no processor any more */
	LIFE_BLOCKED,
	LIFE_CALL = LIFE_BLOCKED + GTRACE_BLOCK_SYSCALL, /* has a processor */
	LIFE_STATES = LIFE_BLOCKED + GTRACE_BLOCK_KINDS
};

/* Of a goroutine. Zero: it has not begun. */
struct life {
	uint8_t state;
	bool assists; /* is in a mark assist, whatever the state */
};

struct lives {
	const struct clock *clock;
	/* Of each state: the sum of the ends less that of the starts. */
	uint64_t times[LIFE_STATES];
	uint64_t count; /* of goroutines */
};

/* LIFE is in STATE from TICKS on, by an event. */
static inline void lives_go_on(struct lives *lives, struct life *life,
			       unsigned state, int64_t ticks)
{
	uint64_t now = (uint64_t)clock_ns(lives->clock, ticks);

	if (state == LIFE_RUNS && life->assists)
		state = LIFE_ASSISTS;
	lives->count += life->state == LIFE_NONE && state != LIFE_NONE;
	lives->times[life->state] += now;
	lives->times[state] -= now;
	life->state = (uint8_t)state;
}

/* A mark assist of LIFE begins, or ends, at TICKS. */
static inline void lives_assist(struct lives *lives, struct life *life,
				bool begins, int64_t ticks)
{
	life->assists = begins;
	if (life->state == LIFE_RUNS || life->state == LIFE_ASSISTS)
		lives_go_on(lives, life, LIFE_RUNS, ticks);
}

/* LIFE ends at TICKS, if it has begun. */
static inline void lives_end(struct lives *lives, struct life *life,
			     int64_t ticks)
{
	if (life->state != LIFE_NONE)
		lives_go_on(lives, life, LIFE_NONE, ticks);
	life->assists = false;
}

/* Fills in TO with the TIMES of COUNT goroutines in each state. */
void gti_lives_sum(const uint64_t times[LIFE_STATES], uint64_t count,
		   struct gtrace_times *to);

#endif /* GTRACE_ANALYSIS_LIVES_H_ */
