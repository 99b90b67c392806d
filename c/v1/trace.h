/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.h - an open trace of Go 1.5 to Go 1.21, and the passes over it.
 *
 * There are two orders of its events. Merge order takes one pass, which keeps
 * nothing of the events. In final order an exit from a system call takes its
 * place at the time when it happened, which may be long before its record, and
 * the parts of futile wakeups are dropped. Earlier passes have to find both.
 */
#ifndef GTRACE_V1_TRACE_H_
#define GTRACE_V1_TRACE_H_

#include "analysis/observe.h"
#include "model/format.h"
#include "v1/final_order.h"
#include "v1/index.h"
#include "v1/symbols.h"

struct v1_trace {
	struct gtrace_allocator memory;
	struct input *input;
	struct index index;
	const char *binary;
	const char *go_command;
	struct symbols symbols;
	bool symbols_known;
	struct left_out *left_out; /* NULL: a fault is an error */
	/* Which order the reports need, as the first pass finds. */
	enum {
		ORDER_UNKNOWN,
		ORDER_EITHER, /* both give the same reports */
		ORDER_FINAL,
		ORDER_MERGE /* partial: there is no final order */
	} order;
	bool exits_known;
	struct array exits;    /* struct moved_exit, sorted */
	uint64_t *futile;      /* see struct event_source, or NULL */
	struct states *states; /* while a pass is under way: of that */
};

static inline bool v1_is_1_5(const struct v1_trace *trace)
{
	return trace->index.rules.version < VERSION_MERGED;
}

/* See struct format, follow. Errors: GTRACE_ERROR_ORDER, _STATE, _MEMORY. */
enum gtrace_status gti_v1_follow(void *self, const struct pass *pass,
				 struct gtrace_error *error);

/* Frees what gti_v1_follow() has learnt. */
void gti_v1_forget_order(struct v1_trace *trace);

/*
 * See struct format, prepare: traces before Go 1.7 have no names, and need the
 * program that wrote them. Errors: GTRACE_ERROR_SYMBOLS, _ORDER, _MEMORY.
 */
enum gtrace_status gti_v1_prepare(void *self, struct gtrace_error *error);

/* See struct format, anonymise. */
enum gtrace_status gti_v1_anonymise(void *self,
				    const struct generation_place *place,
				    const struct renaming *renaming,
				    struct writer *writer,
				    struct gtrace_error *error);

/* See struct format, frames. */
size_t gti_v1_frames(void *self, uint64_t stack, struct gtrace_frame *frames);

/* The format, for c/gtrace.c. */
extern const struct format gti_format_v1;

#endif /* GTRACE_V1_TRACE_H_ */
