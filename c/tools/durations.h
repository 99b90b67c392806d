/* SPDX-License-Identifier: BSD-3-Clause */
/* durations.h - lengths of time as Go writes them, such as 1.5s or 1h2m. */
#ifndef GTRACE_TOOLS_DURATIONS_H_
#define GTRACE_TOOLS_DURATIONS_H_

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads TEXT as Go's time.ParseDuration does: numbers, each with a unit (ns,
 * us, ms, s, m, h), or 0. Sets *NANOSECONDS. Returns NULL, or what is wrong.
 * A duration below zero is wrong.
 */
const char *duration_parse(const char *text, int64_t *nanoseconds);

#define DURATION_SIZE 32

/*
 * Writes NANOSECONDS, which must not be negative, as Go's Duration.String does,
 * but with "us" for microseconds. Returns TO.
 */
const char *duration_print(int64_t nanoseconds, char to[DURATION_SIZE]);

#endif /* GTRACE_TOOLS_DURATIONS_H_ */
