/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sentence.h - text for people, made by formats.
 *
 * Names are shown as UTF-8 without control characters, with any bytes in the
 * trace. A page that has characters of its own with a meaning, as HTML has,
 * escapes these.
 */
#ifndef GTRACE_REPORT_SENTENCE_H_
#define GTRACE_REPORT_SENTENCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/naming.h"
#include "base/output.h"

/* Longer names lose their middle. */
#define SHOWN_CHARACTERS 60

/* How numbers are shown. */
enum look {
	LOOK_SCREEN, /* 47.2 µs, 1 234 */
	LOOK_PAGE,   /* with thin and no-break spaces */
	LOOK_TITLE,  /* 1,234 */
	LOOK_EXACT   /* times have all digits: 47.203us, or 47203 ticks */
};

/*
 * Where the next piece goes: to a writer, or if that is NULL into a buffer. A
 * piece that does not fit into the buffer is left out.
 */
struct sentence {
	struct writer *writer;
	char *to;
	size_t left; /* without the final NUL */
	enum look look;
	bool in_ticks; /* times: t to Gt in place of ns to s */
};

/*
 * Begins a sentence in the SIZE bytes at TO, which always end with a NUL. Its
 * times are IN_TICKS.
 */
struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks);

/* Begins text for WRITER. */
struct sentence gti_sentence_to(struct writer *writer, enum look look,
				bool in_ticks);

/* Whether TO is text in full: all digits of times, addresses in stacks. */
static inline bool gti_is_exact(const struct sentence *to)
{
	return to->look == LOOK_EXACT;
}

/* A time that is not known: "-". */
#define TIME_UNKNOWN INT64_MIN

/*
 * Adds FORMAT, in which these stand for arguments:
 *
 *	%s  const char *
 *	%S  struct gtrace_string: all its bytes
 *	%n  struct gtrace_string: as it is but for its middle, if it is longer
 *	    than SHOWN_CHARACTERS, and for control characters
 *	%i  struct gtrace_string: a function, without the path before its
 *	    package, and with type arguments as [...]
 *	%d  int64_t: a number
 *	%k  int64_t: a number, -1 if it is not known
 *	%h  int64_t: hundredths, -1 if they are not known
 *	%m  int64_t: a time in milliseconds, or in ticks; -1 if it is not known
 *	%c  uint64_t: a count, in groups of three digits
 *	%C  uint64_t, const char *: a count and what is counted
 *	%t  int64_t: a time, with three digits: 640 ns, 47.2 µs, 4.08 ms, 1.25 s
 *	%M  int64_t: a time since the trace began: 38.870 ms
 *	%u  int64_t: a time in full, without its unit
 *	%p  uint64_t, uint64_t: the part that the first is of the second: 92 %
 *	%l  const struct gtrace_frame *: its file, the last two elements, and
 *	    line: dir/main.go:7
 *	%b  const struct gtrace_frame *: its file without directories, and line
 *	%f  const struct gtrace_frame *: its function and, if its file is known,
 *	    where: main.f (main.go:7); without a name or NULL: (no stack)
 *
 *	%%  no argument: a percent sign
 *
 * As in %9t, the argument is aligned to the right in at least so many columns;
 * as in %-9t to the left, and a name is cut. A * stands for an argument before
 * it: size_t, the columns.
 */
void gti_say(struct sentence *to, const char *format, ...);

/* What %n, %i and a place are shown in, with a NUL. */
#define SHOWN_SIZE (4 * SHOWN_CHARACTERS + 32)

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

/* TIME, nanoseconds since 1970: 2026-11-21 19:27:54.739 UTC. */
void gti_sentence_date(struct sentence *sentence, int64_t time);

/* Writes TEXT in lines of whole words. */
void gti_table_lines(struct writer *writer, struct gtrace_string text);

/* ---------------------------------------------------------------- pieces -- */

/* Adds SIZE bytes. */
void gti_sentence_add(struct sentence *to, const char *bytes, size_t size);

/* Adds TEXT in LIMIT columns, its head and its tail only if it is longer. */
void gti_show_text(struct sentence *to, struct gtrace_string text,
		   size_t limit);

/* What is said of a slice, say, that lasted while it did. */
#define CLOCK_CHANGED "the clock changed"

/* Add what %i shows; and FILE:LINE, of the file's name the last ELEMENTS. */
void gti_show_function(struct sentence *to, struct gtrace_string function);
void gti_show_place(struct sentence *to, const struct gtrace_frame *frame,
		    size_t elements);

#endif /* GTRACE_REPORT_SENTENCE_H_ */
