/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - the two reports as text. */
#ifndef GTRACE_REPORT_TEXT_H_
#define GTRACE_REPORT_TEXT_H_

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/output.h"

/* Writes a frame: INDENT, program counter, function, file, line. */
void gti_text_frame(struct writer *writer, const char *indent,
		    const struct gtrace_frame *frame);

/* Writes the greedy report. */
void gti_text_greedy(struct writer *writer,
		     const struct gtrace_greedy_report *report);

/*
 * The texts of the stacks of a dump. A text is made when its stack is first
 * written, and is copied when it is written again. If another text would exceed
 * the budget, all are freed, provided that they have been used enough: stacks
 * may change from one part of a trace to the next.
 */
struct stack_texts {
	const struct gtrace_allocator *memory;
	/*
	 * Writes the frames of the stack with the handle STACK to FRAMES and
	 * returns their number.
	 */
	size_t (*frames_of)(void *context, uint64_t stack,
			    struct gtrace_frame *frames);
	void *context;
	struct gtrace_frame *frames; /* a buffer for those of one stack */
	struct dictionary known;     /* handle to number of a text, from 1 */
	struct array texts;          /* struct stack_text */
	size_t budget;               /* bytes of text that may be kept */
	size_t used;                 /* bytes that are kept */
	uint64_t hits;               /* times that a kept text was written */
};

struct stack_text {
	char *bytes;
	size_t size;
};

/* Frees what was kept. */
void gti_stack_texts_free(struct stack_texts *texts);

/* How a dump shows the events of a trace. */
struct dump_text {
	struct writer *writer;
	struct stack_texts stacks;
	bool threads; /* the trace has them */
};

/* Writes the first line of a dump. */
void gti_text_dump_head(struct dump_text *dump);

/*
 * Writes EVENT with the frames of the stack STACK, 0 for none; or with its own
 * frames, if it has any. Returns false if there is no memory.
 */
bool gti_text_dump_event(struct dump_text *dump,
			 const struct gtrace_event *event, uint64_t stack);

#endif /* GTRACE_REPORT_TEXT_H_ */
