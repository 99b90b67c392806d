/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - how names and numbers are shown to people.
 *
 * What is shown is UTF-8 without control characters, whatever bytes the trace
 * holds. A page that has characters of its own with a meaning, as HTML has,
 * escapes these.
 */
#ifndef GTRACE_REPORT_NAMES_H_
#define GTRACE_REPORT_NAMES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/naming.h"

/* Longer names lose their middle. */
#define SHOWN_CHARACTERS 60

/* A name or a number as it is shown. */
struct shown {
	size_t size;    /* of text, in bytes, without its final NUL */
	size_t columns; /* characters */
	/* A place has a colon and a number after it. */
	char text[4 * SHOWN_CHARACTERS + 32];
};

/* The spaces between digits, and before a unit, differ between media. */
struct look {
	const char *group;
	const char *unit;
	/*
	 * Of a duration, each a thousand of the one before it. NULL: durations
	 * are shown in full, and `unit` is theirs.
	 */
	const char *const *units;
};

extern const struct look gti_look_terminal;
extern const struct look gti_look_page; /* thin, no-break */

/*
 * The one of a terminal for times in ticks, which have units from t to Gt, or
 * in nanoseconds.
 */
const struct look *gti_look_of(bool in_ticks);

/* The one of reports, which have all digits: 47.203us or 47203 ticks. */
const struct look *gti_look_exact(bool in_ticks);

/*
 * FUNCTION without the path before its package, and with type arguments as
 * [...], if its name is made as Go makes names.
 */
void gti_show_function(struct shown *to, struct gtrace_string function);

/* TEXT as it is but for its middle, if it is long, and control characters. */
void gti_show_text(struct shown *to, struct gtrace_string text);

/* Leaves out the middle of SHOWN if it has more than COLUMNS, at least one. */
void gti_shorten(struct shown *shown, size_t columns);

/* The name that NAMING has, "(no stack)" if it is empty or there is none. */
void gti_show_naming(struct shown *to, const struct naming *naming);

/* FILE:LINE, of the file's name the last two elements. */
void gti_show_place(struct shown *to, const struct gtrace_frame *frame);

/* FILE:LINE, without directories. */
void gti_show_base(struct shown *to, const struct gtrace_frame *frame);

/* NS with three significant digits: 640 ns, 47.2 µs, 4.08 ms, 1.25 s. */
void gti_show_duration(struct shown *to, int64_t ns, const struct look *look);

/* TIME as a LOOK of reports has it, without the unit. */
void gti_show_exact(struct shown *to, int64_t time, const struct look *look);

/* NS since the trace began: 38.870 ms. */
void gti_show_moment(struct shown *to, int64_t ns, const struct look *look);

/* NUMBER without groups of digits. */
void gti_show_number(struct shown *to, int64_t number);

/* NUMBER, which counts parts of which 10 to the power of DECIMALS are one. */
void gti_show_parts(struct shown *to, int64_t number, int decimals);

/* COUNT in groups of three digits. */
void gti_show_count(struct shown *to, uint64_t count, const struct look *look);

/* PART of WHOLE in percent, without decimals: 92 %. */
void gti_show_share(struct shown *to, uint64_t part, uint64_t whole,
		    const struct look *look);

#endif /* GTRACE_REPORT_NAMES_H_ */
