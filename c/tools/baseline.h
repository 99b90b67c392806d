/* SPDX-License-Identifier: BSD-3-Clause */
/* baseline.h - what is worse in a new trace than in an old one. */
#ifndef GTRACE_TOOLS_BASELINE_H_
#define GTRACE_TOOLS_BASELINE_H_

#include <stdbool.h>
#include <stdint.h>

/*
 * Compares the two traces of jobs.traces, which have been read: findings of
 * the new one that are a headline there, 99th percentiles, and the longest of
 * what has a limit and exceeds it. Returns lines about what is worse by more
 * than settings.noise percent, in the form of -format; the caller frees them.
 * *COUNT is how many there are. NULL: out of memory.
 */
char *baseline_find(uint64_t *count);

#endif /* GTRACE_TOOLS_BASELINE_H_ */
