/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.h - the key q, which ends what is drawn on a terminal. */
#ifndef GTRACE_TOOLS_KEYS_H_
#define GTRACE_TOOLS_KEYS_H_

#include <stdbool.h>

/*
 * From now on q on the terminal does what Ctrl-C does, and no key is shown; and
 * IDLE, which is called from another thread, about every second. Returns false
 * if there is no terminal to read from, or no thread.
 */
bool keys_begin(void (*idle)(void *context), void *context);

/* The terminal is as before keys_begin() again, which had returned true. */
void keys_end(void);

#endif /* GTRACE_TOOLS_KEYS_H_ */
