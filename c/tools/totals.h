/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - what went on in a generation, in a line or an object. */
#ifndef GTRACE_TOOLS_TOTALS_H_
#define GTRACE_TOOLS_TOTALS_H_

#include <stdint.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/durations.h"
#include "tools/lately.h"

/*
 * Prints the time of day in UTC at AT, nanoseconds since the first event, of a
 * trace that began at START, since 1970, and a blank. AT -1, or START
 * INT64_MIN: it is not known, and nothing is printed.
 */
void totals_time(FILE *to, int64_t start, int64_t at);

/* LENGTH, which is not below 0, with three digits: "15.3 ms". */
struct duration totals_text(int64_t length);

/*
 * Prints when a generation began, and a blank: the time of day at START, or if
 * that is INT64_MIN, FROM since the first event.
 */
void totals_when(FILE *to, int64_t start, int64_t from);

/* Prints that of GENERATION and its totals, without an end of line. */
void totals_print(FILE *to, const struct gtrace_generation *generation,
		  const struct gtrace_summary *summary);

/* Prints a line with its finding. */
void totals_line(FILE *to, const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary);

/*
 * The functions of SUMMARY by what they cost: the sum of the times that they
 * ran, delayed others and were blocked. The array ends with a NULL, and is to
 * be freed. NULL: there is no memory.
 */
const struct gtrace_function **
totals_functions(const struct gtrace_summary *summary);

/*
 * Prints an object, with an end of line: of GENERATION, and what was found
 * LATELY in the trace, that is in the file NAME or, if that is NULL, not kept.
 * SUMMARY can be NULL.
 */
void totals_object(FILE *to, const struct gtrace_generation *generation,
		   const struct gtrace_summary *summary,
		   const struct lately *lately, const char *name);

#endif /* GTRACE_TOOLS_TOTALS_H_ */
