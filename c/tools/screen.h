/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - a table of what goes on, which is drawn again and again. */
#ifndef GTRACE_TOOLS_SCREEN_H_
#define GTRACE_TOOLS_SCREEN_H_

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <gtrace/gtrace.h>

#include "base/platform.h"
#include "tools/lately.h"

#if HAS_THREADS
#include <pthread.h>
#endif

/* What is on the screen. Zero: nothing yet. */
struct screen {
	bool has_keys; /* q ends it */
	time_t drawn;  /* 0: it has not been */
#if HAS_THREADS
	pthread_mutex_t mutex; /* of `drawn` and the terminal */
#endif
};

/* Whether standard output is a terminal on which lines can be drawn again. */
bool screen_is_there(void);

/*
 * Reads keys from now on, and says on the screen if nothing comes for long; and
 * from then on no more. SCREEN must not be moved meanwhile.
 */
void screen_begin(struct screen *screen);
void screen_end(struct screen *screen);

/*
 * Draws what went on in GENERATION over what is there: totals, functions by
 * what they cost, what was found LATELY, and the command that shows the worst
 * of it in the file NAME, NULL: it is not kept; as much as fits.
 */
void screen_draw(struct screen *screen,
		 const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary,
		 const struct lately *lately, const char *name);

#endif /* GTRACE_TOOLS_SCREEN_H_ */
