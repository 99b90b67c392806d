/* SPDX-License-Identifier: BSD-3-Clause */
/* lookup.h - the texts and frames that events refer to by id. */
#ifndef GTRACE_V1_LOOKUP_H_
#define GTRACE_V1_LOOKUP_H_

#include <gtrace/gtrace.h>

#include "model/event.h"
#include "model/format.h"
#include "v1/table.h"
#include "v1/index.h"
#include "v1/record.h"

/* Returns the string with the id ID, or an empty one if there is none. */
struct gtrace_string gti_lookup_string(const struct index *index, uint64_t id);

/* Returns whether the strings with the ids A and B are equal. */
bool gti_lookup_same(const struct index *index, uint64_t a, uint64_t b);

/*
 * In a trace of Go 1.5 or 1.6 a GoCreate has the program counter at which the
 * goroutine starts, not a stack. The first GoStart gets a stack with that, plus
 * one, as its only frame. No other stack has the top bit in its handle, which
 * is its id.
 */
#define STACK_OF_PC ((uint64_t)1 << 63)

static inline uint64_t stack_of_pc(uint64_t pc)
{
	return (pc + 1) | STACK_OF_PC;
}

/* Whether STACK, of a trace of Go 1.5 or 1.6, has no id. */
static inline bool is_stack_of_pc(uint64_t stack)
{
	return (stack & STACK_OF_PC) != 0;
}

/*
 * Fills FRAMES, an array of FRAMES_MAX, with the frames of STACK, innermost
 * first. Returns their number. Before Go 1.7 they have only program counters.
 */
size_t gti_lookup_frames(const struct index *index, uint64_t stack,
			 struct gtrace_frame *frames);

/* Fills STRINGS with the string arguments of EVENT. Returns their number. */
size_t gti_lookup_strings(const struct index *index, const struct event *event,
			  struct gtrace_string strings[EVENT_STRINGS]);

/*
 * Returns a reader of the records from OFFSET on, which the first pass has
 * read. It reports no faults: these mean that the file was changed.
 */
struct reader gti_lookup_reader(const struct index *index, uint64_t offset);

/*
 * Sets the arguments of EVENT to those of RECORD. Returns the stack id of that
 * record, 0 if it has none.
 */
uint64_t gti_take_args(const struct index *index, const struct record *record,
		       struct event *event);

/* gti_take_args() of the record at the offset of EVENT. */
uint64_t gti_lookup_args(const struct index *index, struct event *event);

#endif /* GTRACE_V1_LOOKUP_H_ */
