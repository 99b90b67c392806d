/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - what went on in a generation, in a line or an object. */
#ifndef GTRACE_TOOLS_TOTALS_H_
#define GTRACE_TOOLS_TOTALS_H_

#include <stdint.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/durations.h"

/*
 * Prints the time of day in UTC at AT, nanoseconds since the first event, of a
 * trace that began at START, since 1970, and a blank. AT -1, or START
 * INT64_MIN: it is not known, and nothing is printed.
 */
void totals_time(FILE *to, int64_t start, int64_t at);

/* LENGTH, which is not below 0, with three digits: "15.3 ms". */
struct duration totals_text(int64_t length);

/* Prints when GENERATION began, as far as it is known, and a blank. */
void totals_begin(FILE *to, const struct gtrace_generation *generation);

/*
 * Prints that and the totals of GENERATION, without an end of line. Returns its
 * summary, which the caller frees; NULL: the error is printed instead.
 */
struct gtrace_summary *
totals_begin_all(FILE *to, const struct gtrace_generation *generation);

/* Prints a line, or a JSON object, with an end of line. */
void totals_line(FILE *to, const struct gtrace_generation *generation);
void totals_object(FILE *to, const struct gtrace_generation *generation);

#endif /* GTRACE_TOOLS_TOTALS_H_ */
