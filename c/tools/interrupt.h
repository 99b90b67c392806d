/* SPDX-License-Identifier: BSD-3-Clause */
/* interrupt.h - Ctrl-C and SIGTERM while the input still comes. */
#ifndef GTRACE_TOOLS_INTERRUPT_H_
#define GTRACE_TOOLS_INTERRUPT_H_

#include <stdbool.h>

/*
 * From now on the first SIGINT or SIGTERM ends the input, and what has come of
 * it is reported. The second one ends the program. A signal that was ignored
 * when the program began still is.
 */
void interrupt_catch(void);

/* Ends the effect of a call above, unless one has come. */
void interrupt_release(void);

/* Whether one has come. */
bool interrupt_came(void);

/*
 * Waits until FD can be read, a signal has come, or MILLISECONDS are over.
 * Returns whether it can be read, which the end of the input and errors are,
 * too.
 */
bool interrupt_wait(int fd, int milliseconds);

#endif /* GTRACE_TOOLS_INTERRUPT_H_ */
