/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.h - text for people, made by formats. */
#ifndef GTRACE_REPORT_SENTENCE_H_
#define GTRACE_REPORT_SENTENCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/names.h"

/*
 * Where the next piece goes: to a writer, or if that is NULL into a buffer. A
 * piece that does not fit into the buffer is left out.
 */
struct sentence {
	struct writer *writer;
	char *to;
	size_t left;             /* without the final NUL */
	const struct look *look; /* of its times */
	bool in_ticks;
};

/*
 * Begins a sentence in the SIZE bytes at TO, which always end with a NUL. Its
 * times are IN_TICKS.
 */
struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks);

/* Begins text for WRITER, with times as people read them. */
struct sentence gti_sentence_to(struct writer *writer, bool in_ticks);

/* A time that is not known: "-". */
#define TIME_UNKNOWN INT64_MIN

/*
 * Adds FORMAT, in which these stand for arguments:
 *
 *	%s  const char *
 *	%S  struct gtrace_string: all its bytes
 *	%n  struct gtrace_string: as names are shown
 *	%d  int64_t: a number
 *	%k  int64_t: a number, -1 if it is not known
 *	%h  int64_t: hundredths, -1 if they are not known
 *	%m  int64_t: a time in milliseconds, or in ticks; -1 if it is not known
 *	%c  uint64_t: a count, in groups of three digits
 *	%C  uint64_t, const char *: a count and what is counted
 *	%t  int64_t: a time
 *	%u  int64_t: a time in full, without its unit
 *	%p  uint64_t, uint64_t: the part that the first is of the second
 *	%f  const struct gtrace_frame *: its function and, if its file is known,
 *	    where: main.f (main.go:7); NULL: none
 *
 *	%%  no argument: a percent sign
 *
 * As in %9t, the argument is aligned to the right in at least so many columns;
 * as in %-9t to the left, and a name is cut. A * stands for an argument before
 * it: size_t, the columns.
 */
void gti_say(struct sentence *to, const char *format, ...);

/* The versions of Go that write traces of VERSION: Go 1.26 or 1.27. */
void gti_sentence_version(struct sentence *sentence, unsigned version);

/*
 * ", in INNER", or that it blocked there. Returns false, and adds nothing, if
 * INNER is empty or FUNCTION.
 */
bool gti_sentence_inner(struct sentence *sentence, struct gtrace_string inner,
			struct gtrace_string function);

/* WORK in brackets, if it is a system call or that of the collector. */
void gti_sentence_work(struct sentence *sentence, enum gtrace_work work);

/* Writes TEXT and the end of a row; cut at COLUMNS, unless that is 0. */
void gti_table_last(struct writer *writer, const char *text, size_t columns);

/* Writes TEXT in lines of whole words. */
void gti_table_lines(struct writer *writer, struct gtrace_string text);

#endif /* GTRACE_REPORT_SENTENCE_H_ */
