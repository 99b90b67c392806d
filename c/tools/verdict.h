/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict.h - what is longer than the limits of the command line: a line each,
 * as text, as annotations of GitHub, or in a report of JUnit.
 */
#ifndef GTRACE_TOOLS_VERDICT_H_
#define GTRACE_TOOLS_VERDICT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/settings.h"

/* What has a limit. */
enum limited {
	LIMITED_SLICE,
	LIMITED_STOP,
	LIMITED_WAIT,
	LIMITED_BLOCK,
	LIMITED_COUNT
};

/* What one trace has that is longer than the limits allow. */
struct violations {
	/*
	 * Lines, to be freed. Text and annotations are in the first one; those
	 * of JUnit are by what is limited.
	 */
	char *lines[LIMITED_COUNT];
	uint64_t counts[LIMITED_COUNT];
	int64_t longest[LIMITED_COUNT]; /* nanoseconds; 0: none */
};

/* The limit of each, 0: none; its flag; and what it is called. */
int64_t verdict_limit(enum limited what);
const char *verdict_flag(enum limited what);
const char *verdict_name(enum limited what);

/*
 * Finds what TRACE, called NAME, has that is longer than the settings allow and
 * passes their filter. VIOLATIONS are zero; verdict_free() frees their lines,
 * after an error, too.
 */
enum gtrace_status verdict_find(struct gtrace *trace, const char *name,
				struct violations *violations,
				struct gtrace_error *error);
void verdict_free(struct violations *violations);

/* What is told while a trace comes, with CONTEXT. */
struct verdict_follower {
	/*
	 * TEXT, SIZE bytes without an end of line, tells of something that
	 * lasted for LENGTH from AT on, -1: not known.
	 */
	void (*line)(void *context, int64_t at, int64_t length,
		     const char *text, size_t size);
	/* See struct gtrace_follower. */
	int (*generation)(void *context,
			  const struct gtrace_generation *generation);
	void (*again)(void *context);
	void *context;
};

/*
 * Tells FOLLOWER what is longer than the settings allow, and of generations,
 * while TRACE, called NAME, comes. Errors: those of gtrace_follow().
 */
enum gtrace_status verdict_follow(struct gtrace *trace, const char *name,
				  const struct verdict_follower *follower,
				  struct gtrace_error *error);

/* ----------------------------------------------------------------- forms -- */

/* Lines that are made, by the case of a report of JUnit that they belong to. */
struct case_lines {
	FILE *to; /* of text and annotations: that of the first case */
	char *text;
	size_t size;
};

static inline bool verdict_is_junit(void)
{
	return settings.format == FORMAT_JUNIT;
}

/* Opens the COUNT ones of LINES, zero before. False: there is no memory. */
bool case_lines_open(struct case_lines *lines, size_t count);

/*
 * Closes them, also after a failure: their texts are to be freed. Returns false
 * if there was no memory.
 */
bool case_lines_close(struct case_lines *lines, size_t count);

/*
 * Prints the SIZE bytes of TEXT, a line that has no control characters, for
 * FORMAT, one of -format: as it is, as the text of an XML element, or as an
 * annotation of the place FRAME, which can be NULL, under TITLE.
 */
void verdict_line(FILE *to, int format, const char *title,
		  const struct gtrace_frame *frame, const char *text,
		  size_t size);

/* Print a report of JUnit: its begin, cases, and its end. */
void junit_begin(FILE *to, uint64_t cases, uint64_t failures, uint64_t errors);

/*
 * A case NAME of the trace CLASS, that failed COUNT times, which LINES tell;
 * or that has an error, ERROR; or that is well.
 */
void junit_case(FILE *to, const char *class, const char *name, uint64_t count,
		const char *lines, const char *error);
void junit_end(FILE *to);

/* Prints the whole report on jobs.traces: a case for each limit and trace. */
void junit_print(FILE *to);

#endif /* GTRACE_TOOLS_VERDICT_H_ */
