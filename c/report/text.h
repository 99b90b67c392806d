/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - the two reports as text. */
#ifndef GTRACE_REPORT_TEXT_H_
#define GTRACE_REPORT_TEXT_H_

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/output.h"
#include "model/event.h"

/* Writes the greedy report. */
void gti_text_greedy(struct writer *writer,
		     const struct gtrace_greedy_report *report);

/*
 * Stacks as they stand in a dump. Each is made into text when it is first
 * needed, and copied from then on.
 */
struct stack_texts {
	const struct gtrace_allocator *memory;
	/*
	 * Fills FRAMES with those of the stack ID and returns how many there
	 * are.
	 */
	size_t (*frames_of)(void *context, uint64_t id,
			    struct gtrace_frame *frames);
	void *context;
	struct gtrace_frame *frames; /* room for as many as a stack has */
	/* By id: number of a text, from 1. */
	struct dictionary known;
	struct array texts; /* struct stack_text */
	size_t budget;      /* bytes of text that may still be kept */
};

struct stack_text {
	char *bytes;
	size_t size;
};

/* Frees what was kept. */
void gti_stack_texts_free(struct stack_texts *texts);

/* What a dump shows of an event. */
struct dump_event {
	const struct event *event;
	const char *name;
	int64_t ns;
	uint64_t stack_id;                /* as it is printed */
	uint64_t link;                    /* ordinal of an event, 0: none */
	const struct gtrace_frame *frame; /* instead of a stack */
	const struct gtrace_string *strings;
	size_t string_count;
};

/* Writes the first line of a dump. */
void gti_text_dump_head(struct writer *writer);

/* Writes an event. Returns false if there is no memory. */
bool gti_text_dump_event(struct writer *writer, struct stack_texts *texts,
			 const struct dump_event *dumped);

#endif /* GTRACE_REPORT_TEXT_H_ */
