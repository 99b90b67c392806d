/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stride.h - goes on with a merge in strides: each stream as far as it can be
 * read at once, up to a common time, before that time is moved on.
 *
 * To take one event of one stream and the next of another is slow: nobody can
 * foresee whose turn it is. Where it only matters that each goroutine's and
 * each processor's events come in their order, strides do as well. They find
 * out that the merge would come to the same; where they are not sure that it
 * would, or where the trace is wrong, they say so, and a merge has to be begun
 * again.
 */
#ifndef GTRACE_V1_STRIDE_H_
#define GTRACE_V1_STRIDE_H_

#include "v1/merge.h"

/* Who is told of the events. What returns false has it all stop. */
struct stride_reader {
	bool (*event)(void *context, struct event *event);
	/* Those that follow may be earlier than those before. */
	bool (*piece)(void *context);
	/* Those that follow are all later than those before. */
	bool (*stride)(void *context);
	void *context;
};

/*
 * Whether strides can go on with MERGE. Whether it is worth while depends on
 * the trace: they are quicker where the merge often switched streams.
 */
bool gtrace_strides_can(const struct merge *merge);

/*
 * Merges all events that are left in strides of some EVENTS events, at least
 * one. The events
 * that READER is told of are those that the merge would give out, and those of
 * a stream, of a goroutine, and all that concern the whole program come in the
 * same order. Returns false if it cannot be sure of that, if there is no
 * memory, or if READER stopped it. MERGE can only be freed then.
 */
bool gtrace_strides_run(struct merge *merge, uint64_t events,
			const struct stride_reader *reader);

#endif /* GTRACE_V1_STRIDE_H_ */
