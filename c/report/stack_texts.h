/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack_texts.h - the stacks of a dump, each made into text once and copied
 * from then on.
 */
#ifndef GTRACE_REPORT_STACK_TEXTS_H_
#define GTRACE_REPORT_STACK_TEXTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/compiler.h"
#include "base/map.h"
#include "base/output.h"
#include "report/fields.h"

/*
 * If another text would exceed the budget, all are freed, provided that they
 * have been used enough: stacks may change from one part of a trace to the
 * next.
 */
struct stack_texts {
	/*
	 * Writes the frames of the stack with the handle STACK to FRAMES and
	 * returns their number.
	 */
	size_t (*frames_of)(void *context, uint64_t stack,
			    struct gtrace_frame *frames);
	void *context;
	struct gtrace_frame *frames; /* a buffer for those of one stack */
	struct dictionary known;     /* handle to number of a text, from 1 */
	struct array texts;          /* struct gtrace_string */
	struct arena bytes;          /* of these; its memory is set */
	size_t budget;               /* bytes of text that may be kept */
	size_t used;                 /* bytes that are kept */
	uint64_t hits;               /* times that a kept text was written */
};

/* Frees what was kept. */
void gti_stack_texts_free(struct stack_texts *texts);

/* stack_texts_write() for a stack that has no text yet. */
void gti_stack_texts_write_new(const struct line *line);

/* Writes the text of line->stack; that of no frames, if it is 0. */
static inline void stack_texts_write(const struct line *line)
{
	struct stack_texts *texts = line->stacks;
	uint64_t number;

	if (line->stack == 0) {
		gti_write_stack(line, NULL, 0);
		return;
	}
	number = dictionary_get(&texts->known, line->stack);
	if (UNLIKELY(number == 0)) {
		gti_stack_texts_write_new(line);
		return;
	}
	texts->hits++;
	write_string(
		line->writer,
		((const struct gtrace_string *)texts->texts.items)[number - 1]);
}

#endif /* GTRACE_REPORT_STACK_TEXTS_H_ */
