/* SPDX-License-Identifier: BSD-3-Clause */
/* lookup.h - the texts and frames that events refer to by id. */
#ifndef GTRACE_V1_LOOKUP_H_
#define GTRACE_V1_LOOKUP_H_

#include <gtrace/gtrace.h>

#include "model/event.h"
#include "model/format.h"
#include "v1/table.h"
#include "v1/index.h"

/* Returns the string with the id ID, or an empty one if there is none. */
struct gtrace_string gti_lookup_string(const struct index *index, uint64_t id);

/* Returns whether the strings with the ids A and B are equal. */
bool gti_lookup_same(const struct index *index, uint64_t a, uint64_t b);

/*
 * Fills FRAMES, an array of FRAMES_MAX, with the frames of stack ID, innermost
 * first. Returns their number. Before Go 1.7 they have only program counters.
 */
size_t gti_lookup_frames(const struct index *index, uint64_t id,
			 struct gtrace_frame *frames);

/* Fills STRINGS with the string arguments of EVENT. Returns their number. */
size_t gti_lookup_strings(const struct index *index, const struct event *event,
			  struct gtrace_string strings[EVENT_STRINGS]);

/*
 * Sets the arguments of EVENT to those of the record at its offset. Returns the
 * stack id of that record, 0 if it has none.
 */
uint64_t gti_lookup_args(const struct index *index, struct event *event);

#endif /* GTRACE_V1_LOOKUP_H_ */
