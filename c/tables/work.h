/* SPDX-License-Identifier: BSD-3-Clause */
/* work.h - what makes rows of what the library gives. */
#ifndef GTRACE_TABLES_WORK_H_
#define GTRACE_TABLES_WORK_H_

#include <string.h>

#include "tables/files.h"

/* The stacks whose frames are in table stacks. Zero: none. */
struct stacks {
	uint64_t *ids;
	size_t count;
	size_t capacity; /* a power of two, or 0 */
	bool failed;     /* there was no memory */
};

/* The tables of one trace while they are written. */
struct work {
	const struct tables_trace *of;
	struct files *files;
	struct stacks stacks;
};

/*
 * Returns the id of the COUNT frames at FRAMES, innermost first, in all traces:
 * texts_hash() from 0 on over the function, the file and the eight bytes of the
 * line of each, as a signed number. Adds them to table stacks if they are new.
 * Without frames: COLUMN_NONE.
 */
int64_t work_stack(struct work *work, const struct gtrace_frame *frames,
		   size_t count);

/*
 * Visits the trace once: slices, pauses, late, blocks, logs, samples.
 */
enum gtrace_status work_visit(struct work *work, struct gtrace_error *error);

/* Adds goroutines and requests, of reports, and segments of critical paths. */
enum gtrace_status work_report(struct work *work, struct gtrace_error *error);

/* The critical paths of REPORT as segments. */
void work_paths(struct work *work, const struct gtrace_path_report *report);

/* Adds the parts of a trace, with the SHA-256 of each. */
enum gtrace_status work_generations(struct work *work,
				    struct gtrace_error *error);

/*
 * Adds what the summary has: waits, places and holders, collections, findings,
 * and the row of table traces with LABELS, "NAME=VALUE,...". Comes last.
 */
enum gtrace_status work_summarise(struct work *work, const char *labels,
				  struct gtrace_error *error);

/* ---------------------------------------------------------------- values -- */

static inline struct gtrace_string text_of(const char *text)
{
	return (struct gtrace_string){text, text != NULL ? strlen(text) : 0};
}

/* TEXT, or none if it is empty. */
static inline struct gtrace_string text_unless_empty(struct gtrace_string text)
{
	return text.size != 0 ? text : text_of(NULL);
}

/* NUMBER, or none if it is -1: not known, or there is none. */
static inline int64_t number_known(int64_t number)
{
	return number != -1 ? number : COLUMN_NONE;
}

/* NUMBER, which is not negative. */
static inline int64_t number_of(uint64_t number)
{
	return number <= INT64_MAX ? (int64_t)number : INT64_MAX;
}

/* Where something is, as columns have it. */
struct named {
	struct gtrace_string function; /* of the program, if there is one */
	struct gtrace_string inner;    /* the innermost one, if another */
	struct gtrace_string file;     /* of `function` */
	int64_t line;
};

/* FRAME and CALLER are as in struct gtrace_slice; either may be NULL. */
struct named named_of(const struct gtrace_frame *frame,
		      const struct gtrace_frame *caller);

struct gtrace_string word_of_silence(enum gtrace_silent_class class);
struct gtrace_string word_of_late(enum gtrace_late_how how);

#endif /* GTRACE_TABLES_WORK_H_ */
