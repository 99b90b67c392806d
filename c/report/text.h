/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - reports of one or more traces in any format; and their text, that of
 * a dump and that of a summary.
 */
#ifndef GTRACE_REPORT_TEXT_H_
#define GTRACE_REPORT_TEXT_H_

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/fields.h"
#include "report/sentence.h"

/* ----------------------------------------------------------------- lists -- */

/* An item of a list, and the trace that it is from. */
struct listed {
	const void *item; /* a struct gtrace_slice, or of another list */
	struct line line; /* its trace is NULL if it is not to be shown */
	int64_t keys[2];  /* the greatest ones come first */
	size_t place;     /* that decides among equal ones */
};

/* Reports to be written as one. */
struct written {
	const struct gtrace_reports *const *reports; /* NULL: none of a trace */
	const char *const *names; /* of the traces. NULL: none */
	size_t count;             /* of traces */
	const struct gtrace_request *request;
};

/*
 * Writes the lists that the request asks for. Returns false if there is no
 * memory; nothing was written then.
 */
bool gti_write_reports(const struct written *written, struct writer *writer);

/* Writes an item of a list. */
typedef void item_text(struct sentence *to, const struct listed *listed);

item_text gti_text_slice, gti_text_stop;

/*
 * In short: a line with its length and the function of the program, a line with
 * what else is known, stacks without addresses, and an empty line.
 */
item_text gti_short_slice, gti_short_delay, gti_short_stop, gti_short_wait,
	gti_short_block;

/* Writes what comes before the list of REPORT, of which it has the sums. */
typedef void sums_text(struct sentence *to, const void *report);

sums_text gti_text_stops_sums;

/* ---------------------------------------------------------------- pieces -- */

/* Writes the NAME of a file, with U+FFFD for what is not to be shown. */
void gti_text_name(struct writer *writer, const char *name);

/* Writes INDENT and the line that names TRACE, if that is not NULL. */
void gti_text_trace(struct sentence *to, const char *indent, const char *trace);

/*
 * Says who held a lock, how long, and what it did meanwhile, in fewer bytes
 * than HOLDER_SIZE.
 */
#define HOLDER_SIZE 2048
void gti_say_holder(struct sentence *to,
		    const struct gtrace_lock_holder *holder);

/* Writes COUNT frames, a line each. */
void gti_text_frames(struct sentence *to, const struct gtrace_frame *frames,
		     size_t count);

/* Writes the label G and the number of goroutine G. */
void gti_text_g(struct sentence *to, int64_t g);

/* Says that something was of goroutine G, at TIME. */
void gti_text_where(struct sentence *to, int64_t g, int64_t time);

/*
 * Writes EVENT of LISTED with its stack or walk back and its strings, or only
 * the walk back and the stack.
 */
void gti_text_event(struct sentence *to, const struct gtrace_event *event,
		    const struct listed *listed);
void gti_text_stack(struct sentence *to, const struct gtrace_event *event,
		    const struct listed *listed);

/* Writes the trace of LISTED, and the events that start and end SLICE. */
void gti_text_ends(struct sentence *to, const struct gtrace_slice *slice,
		   const struct listed *listed);

/* ------------------------------------------------------ dump and summary -- */

/* Writes a stack of an event of a dump. */
void gti_text_dump_stack(const struct line *line,
			 const struct gtrace_frame *frames, size_t count);

/* Writes EVENT of a dump, with the stack of LINE in place of its own. */
void gti_text_dump_event(const struct line *line,
			 const struct gtrace_event *event);

/*
 * Writes the summary of trace NAME, which can be NULL, with at most 3 of each
 * kind of rows. Rows are cut at WIDTH columns; 0: they are not.
 */
void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary, const char *name,
		      size_t width);

#endif /* GTRACE_REPORT_TEXT_H_ */
