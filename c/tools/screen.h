/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - a table of what goes on, which is drawn again and again. */
#ifndef GTRACE_TOOLS_SCREEN_H_
#define GTRACE_TOOLS_SCREEN_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* What is on the screen. Zero: nothing yet. */
struct screen {
	int64_t rank;    /* of the worst finding so far */
	char worst[512]; /* when it was, and what */
};

/* Whether standard output is a terminal on which lines can be drawn again. */
bool screen_is_there(void);

/*
 * Draws what went on in GENERATION over what is there: totals, functions by
 * what they cost, the finding, and the worst one so far; as much as fits.
 */
void screen_draw(struct screen *screen,
		 const struct gtrace_generation *generation);

#endif /* GTRACE_TOOLS_SCREEN_H_ */
