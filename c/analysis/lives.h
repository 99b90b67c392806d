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

#include "base/compiler.h"
#include "base/pool.h"
#include "base/times.h"
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

/* A time, the longest of some; length -1: there was none. */
struct longest {
	int64_t length;
	int64_t start;
};

/*
 * The life of a goroutine in full. With a window the times in it, of each
 * state, are the last thing in its memory.
 */
struct lived {
	uint64_t g;
	uint32_t root; /* name of where it began, plus one; 0: not known */
	uint8_t state;
	uint8_t kind; /* of `block` */
	int64_t begun;
	int64_t entered; /* its state */
	int64_t until;   /* `times` are complete */
	uint64_t times[LIFE_STATES];
	struct longest block;
	struct longest wait;
};

/* The life of a goroutine, or the sum of several with the same root. */
struct life_row {
	uint64_t g;     /* of the first one */
	uint64_t count; /* of goroutines that lived in the window */
	uint32_t root;
	uint64_t lived;              /* of all, in the whole trace */
	uint64_t times[LIFE_STATES]; /* in the window */
	struct gtrace_stretch block;
	struct gtrace_stretch wait;
};

/* A part of a trace; of what begins or ends outside, the part in it counts. */
struct time_window {
	bool is_set; /* else it is the whole trace */
	int64_t from, to;
};

/* Of a goroutine. Zero: it has not begun. */
struct life {
	struct lived *lived; /* NULL: not wanted */
	uint8_t state;
	bool assists; /* is in a mark assist, in any state */
};

struct lives {
	const struct clock *clock;
	int64_t clock_changed; /* last, see clocks.h; as times of lives in full
				*/
	/* Of each state: the sum of the ends less that of the starts. */
	uint64_t times[LIFE_STATES];
	uint64_t count; /* of goroutines whose lives have ended */
	/* Lives in full; size 0: not wanted. */
	struct pool pool;
	struct time_window window; /* of the rows, and of these sums: */
	uint64_t chosen[LIFE_STATES];
	uint64_t chosen_count; /* of goroutines that lived in it */
	/* They are added up by `root`, or kept one by one if of these. */
	const int64_t *g;
	size_t g_count;
	struct array rows; /* struct life_row */
	/*
	 * Called as a mark assist of goroutine G begins or ends, of lives in
	 * full. NULL: not wanted.
	 */
	void (*each_assist)(void *context, uint64_t g, bool begins,
			    int64_t now);
	void *each_context;
	uint32_t without_root; /* the row of these, plus one; 0: none yet */
};

/* NOW: the LIFE in full goes on in STATE. */
void gti_life_goes_on(const struct lives *lives, struct lived *lived,
		      unsigned state, int64_t now);

/* LIFE is in STATE from TICKS on, by an event. */
static inline void lives_go_on(struct lives *lives, struct life *life,
			       unsigned state, int64_t ticks)
{
	int64_t now = clock_ns(lives->clock, ticks);

	if (state == LIFE_RUNS && life->assists)
		state = LIFE_ASSISTS;
	lives->times[life->state] += (uint64_t)now;
	lives->times[state] -= (uint64_t)now;
	life->state = (uint8_t)state;
	if (life->lived != NULL)
		gti_life_goes_on(lives, life->lived, state, now);
}

/* A mark assist of LIFE begins, or ends, at TICKS. */
static inline void lives_assist(struct lives *lives, struct life *life,
				bool begins, int64_t ticks)
{
	life->assists = begins;
	if (lives->each_assist != NULL && life->lived != NULL)
		lives->each_assist(lives->each_context, life->lived->g, begins,
				   clock_ns(lives->clock, ticks));
	if (life->state == LIFE_RUNS || life->state == LIFE_ASSISTS)
		lives_go_on(lives, life, LIFE_RUNS, ticks);
}

/* LIFE turns out to be in STATE since TICKS, when its present state began. */
void gti_lives_recast(struct lives *lives, struct life *life, unsigned state,
		      int64_t ticks);

/* LIFE, of goroutine G, is about to begin. False: there is no memory. */
bool gti_lives_begin(struct lives *lives, struct life *life, uint64_t g);

/*
 * LIFE ends at TICKS, if it has begun; ROW is the number, plus one, of the row
 * of its root, 0 if there is none yet. Returns false if there is no memory.
 */
bool gti_lives_end(struct lives *lives, struct life *life, uint32_t *row,
		   int64_t ticks);

/* Forgets all lives. */
void gti_lives_restart(struct lives *lives,
		       const struct gtrace_allocator *memory);

/* A block of LIVED, which may be its longest one. */
void gti_lives_blocked(const struct lives *lives, struct lived *lived,
		       enum gtrace_block_kind kind, int64_t start,
		       int64_t length);

/* The sum of TIMES. */
uint64_t gti_lives_lived(const uint64_t times[LIFE_STATES]);

/* Fills in TO with the TIMES of COUNT goroutines in each state. */
void gti_lives_sum(const uint64_t times[LIFE_STATES], uint64_t count,
		   struct gtrace_times *to);

#endif /* GTRACE_ANALYSIS_LIVES_H_ */
