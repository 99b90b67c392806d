/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - the greedy report, the dump and the summary as text. */
#ifndef GTRACE_REPORT_TEXT_H_
#define GTRACE_REPORT_TEXT_H_

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/lists.h"
#include "report/stack_texts.h"

/*
 * Writes a frame: INDENT, program counter, function, file, line. Go 1.21 and
 * older, without THREADS, print a line as a signed number.
 */
void gti_text_frame(struct writer *writer, const char *indent,
		    const struct gtrace_frame *frame, bool threads);

/* Writes INDENT and the line that names TRACE, if that is not NULL. */
void gti_text_trace(struct writer *writer, const char *indent,
		    const char *trace);

/* Writes the first line of a greedy report of COUNT slices. */
void gti_text_greedy_head(struct writer *writer, size_t count);

/*
 * Writes EVENT of LISTED with its stack or walk back and its strings, or only
 * the walk back and the stack.
 */
void gti_text_event(struct writer *writer, const struct gtrace_event *event,
		    const struct listed *listed);
void gti_text_stack(struct writer *writer, const struct gtrace_event *event,
		    const struct listed *listed);

/* Writes the trace of LISTED, and the events that start and end SLICE. */
void gti_text_ends(struct writer *writer, const struct gtrace_slice *slice,
		   const struct listed *listed);

/* Writes a slice of a greedy report. */
void gti_text_slice(struct writer *writer, const struct listed *listed);

/* How a dump shows the events of a trace. */
struct dump_text {
	struct writer *writer;
	struct stack_texts stacks;
	bool threads;      /* the trace has them */
	bool in_ticks;     /* the unit of its times */
	const char *trace; /* its name, or NULL */
};

/* Writes the first line of a dump. */
void gti_text_dump_head(struct dump_text *dump);

/* The `write` of its stack texts, of a trace with threads and of another. */
void gti_text_dump_stack(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count);
void gti_text_dump_old_stack(struct writer *writer,
			     const struct gtrace_frame *frames, size_t count);

/*
 * Writes EVENT with the frames of the stack STACK, 0 for none, in place of its
 * own. Returns false if there is no memory.
 */
bool gti_text_dump_event(struct dump_text *dump,
			 const struct gtrace_event *event, uint64_t stack);

/*
 * Writes what there is to say about a trace: at most 28 lines, if it
 * lists no more than 3 of each. Rows are cut at WIDTH columns; 0: they are not.
 */
void gti_text_summary(struct writer *writer,
		      const struct gtrace_summary *summary, size_t width);

#endif /* GTRACE_REPORT_TEXT_H_ */
