/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names.h - which function a slice or a late processor is named after, what
 * kind of work that was, and how names and numbers are shown to people.
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

/* ----------------------------------------------------------------- names -- */

/* What a stack is named after. */
struct naming {
	/* NULL: the stack has no frames. */
	const struct gtrace_frame *frame;
	/*
	 * If `frame` is of the standard library: the nearest caller that is
	 * not. NULL: there is none, or no need.
	 */
	const struct gtrace_frame *caller;
	/* Of a stack: GTRACE_WORK_PROGRAM, _RUNTIME or _TRACER. */
	enum gtrace_work work;
};

/* On HTML pages: the work of a slice without a stack (no naming.frame). */
#define WORK_UNKNOWN ((enum gtrace_work)(GTRACE_WORK_GC_IDLE + 1))

/* Whether FRAME is of the runtime, by its name or its file. */
bool gti_is_runtime_frame(const struct gtrace_frame *frame);

/* Whether FUNCTION is of the standard library, by its import path. */
bool gti_is_standard(struct gtrace_string function);

/*
 * The innermost frame outside the runtime; if there is none the outermost
 * frame, which tells what goroutine it is.
 */
struct naming gti_name_stack(const struct gtrace_frame *frames, size_t count);

/* The same for where slices end, with GC_WORKER as in struct gtrace_slice. */
struct naming gti_name_end(unsigned gc_worker,
			   const struct gtrace_frame *frames, size_t count);

/*
 * The naming of the end of SLICE; if that has no name, of its start. Its work
 * is a system call if SLICE, not of the tracer, spent more than half its time
 * in them, as far as its details tell.
 */
struct naming gti_name_slice(const struct gtrace_slice *slice);

/* The naming of LATE; NULL: of a stop that no processor was late for. */
struct naming gti_name_late(const struct gtrace_late *late);

/* What a stop waited for while no goroutine had the last processor. */
#define NO_GOROUTINE "no goroutine (scheduler, or the thread had no CPU)"

/* How much of stop->stopping that was; 0 if STOP is inferred. */
int64_t gti_unheld(const struct gtrace_stop *stop);

/*
 * The naming of what STOP waited for: of its last processor, or without a
 * goroutine if none had that for half of the time.
 */
struct naming gti_name_holder(const struct gtrace_stop *stop);

/* Whether NAMING is that of a goroutine that a stop waited for. */
bool gti_is_goroutine(const struct naming *naming);

/* The word for WORK: "program", "runtime", "system call", ... */
const char *gti_work_name(enum gtrace_work work);

/*
 * The same, but "unknown" in place of "runtime" if not IS_NAMED: without a
 * function it is not known whether the program or the runtime ran.
 */
const char *gti_work_word(enum gtrace_work work, bool is_named);

/* The word for the work of NAMING. */
const char *gti_naming_word(const struct naming *naming);

/* ----------------------------------------------------------------- shown -- */

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
	/* Of a duration, each a thousand of the one before it. */
	const char *const *units;
};

extern const struct look gti_look_terminal;
extern const struct look gti_look_page; /* thin, no-break */

/* That of the terminal, for times in ticks, which have units from t to Gt. */
extern const struct look gti_look_ticks;

/* The one of a terminal for times in ticks or in nanoseconds. */
const struct look *gti_look_of(bool in_ticks);

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

/* NS with three significant digits: 640 ns, 47.2 µs, 4.08 ms, 1.25 s. */
void gti_show_duration(struct shown *to, int64_t ns, const struct look *look);

/* NS since the trace began: 38.870 ms. */
void gti_show_moment(struct shown *to, int64_t ns, const struct look *look);

/* COUNT in groups of three digits. */
void gti_show_count(struct shown *to, uint64_t count, const struct look *look);

/* PART of WHOLE in percent, without decimals: 92 %. */
void gti_show_share(struct shown *to, uint64_t part, uint64_t whole,
		    const struct look *look);

#endif /* GTRACE_REPORT_NAMES_H_ */
