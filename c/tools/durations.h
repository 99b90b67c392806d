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

struct duration {
	char text[32];
};

/*
 * Returns NANOSECONDS, which must not be negative, as Go's Duration.String
 * writes them, but with "us" for microseconds.
 */
struct duration duration_text(int64_t nanoseconds);

/*
 * Reads a time of day, such as 15:04, 15:04:05 or 15:04:05.123, into
 * NANOSECONDS since midnight. Returns NULL, or what is wrong with TEXT.
 */
const char *time_of_day_parse(const char *text, int64_t *nanoseconds);

#endif /* GTRACE_TOOLS_DURATIONS_H_ */
