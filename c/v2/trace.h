/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - an open trace of Go 1.22 or later, and the passes over it. */
#ifndef GTRACE_V2_TRACE_H_
#define GTRACE_V2_TRACE_H_

#include "v2/format_v2.h"
#include "v2/order.h"

struct v2_trace {
	struct gtrace_allocator memory;
	struct source source;
	struct left_out *left_out; /* NULL: a fault is an error */
	bool takes_unfinished;     /* see struct format_options, unfinished */
	bool only_cut_off;         /* and cut_off */
	/*
	 * Number, from 1, of the generation that the file ends in, and the
	 * fault that tells this. 0: none, or it is not known yet.
	 */
	uint64_t unfinished;
	struct gtrace_error cut;
	uint64_t events_before_cut;
	bool again; /* another pass is to be made */
	/* There was no memory to look something up, since the last pass. */
	bool lacks_memory;
	/* A pass was made again: all passes are careful ones. */
	bool careful;
	/* While a pass is under way: its order. */
	struct order *order;
	/* struct generation_place: those of the last or present pass. */
	struct array begins;
	int64_t last_time; /* of the last event of the last pass */
	/* The last generations of the last pass, and tables read again. */
	struct generation tables[TABLES_KEPT];
};

/* The text of string ID of GENERATION, empty if there is none. */
struct gtrace_string gti_v2_text(const struct generation *generation,
				 uint64_t id);

/* See struct format, walk. */
bool gti_v2_walk(void *self, struct array *places,
		 const struct gtrace_allocator *memory);

/* See struct format, anonymise. */
enum gtrace_status gti_v2_anonymise(void *self,
				    const struct generation_place *place,
				    const struct renaming *renaming,
				    struct writer *writer,
				    struct gtrace_error *error);

/* See struct format, monotonic. */
enum gtrace_status gti_v2_monotonic(void *self, int64_t *offset,
				    struct gtrace_error *error);

/* See struct format, wall. */
int64_t gti_v2_wall(void *self);

/* See struct format, stack_id. */
uint64_t gti_v2_stack_id(const void *self, uint64_t stack);

/* See struct format, frames. */
size_t gti_v2_frames(void *self, uint64_t stack, struct gtrace_frame *frames);

/* See struct format, args. */
void gti_v2_args(void *self, struct event *event);

/* See struct format, strings. */
size_t gti_v2_strings(void *self, const struct event *event,
		      struct gtrace_string strings[EVENT_STRINGS]);

/* See struct format, first_stack. */
uint64_t gti_v2_first_stack(void *self, const struct event *event, uint64_t g);

/*
 * See struct format, follow. Errors: GTRACE_ERROR_RECORD, _EMPTY, _CUT_OFF,
 * _ORDER, _STATE, _MEMORY.
 */
enum gtrace_status gti_v2_follow(void *self, const struct pass *pass,
				 struct gtrace_error *error);

#endif /* GTRACE_V2_TRACE_H_ */
