/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slices.h - the N longest slices.
 *
 * Which of several slices with equal lengths are chosen, and in which order
 * they are printed, depends on the order in which they are offered to a heap,
 * and that is the order of their starts. But a slice's length is known only at
 * its end, and one that started earlier may still be running then. So slices
 * queue in the order of their starts. Nearly all of them leave the queue at
 * once, because N longer ones that started before are known already: then all
 * that matters is that one was offered and refused.
 */
#ifndef GTRACE_RUN_SLICES_H_
#define GTRACE_RUN_SLICES_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "event.h"
#include "run/trail.h"

/* What is kept of the start or the end of a slice. */
struct moment {
	uint64_t offset; /* of the event's record; its arguments stand there */
	int64_t ticks;
	int64_t p;
	uint64_t stack;
	struct trail trail;
	uint32_t type;
};

struct slice {
	int64_t length; /* nanoseconds */
	uint64_t g;
	struct moment start;
	struct moment end;
	bool running; /* to the end of the trace: `end` is not set */
};

#define NODE_NONE UINT32_MAX

/* A slice in the queue. */
struct queued {
	uint64_t serial; /* slices started before it */
	uint64_t refused; /* slices refused between it and the next in queue */
	uint64_t g;
	uint32_t slot; /* of the goroutine */
	uint32_t previous, next;
	uint32_t slice; /* in the pool, NODE_NONE: still running */
};

struct ranked {
	int64_t length;
	uint32_t slice; /* in the pool */
};

struct slices {
	const struct gtrace_allocator *memory;
	size_t wanted; /* N */
	/* The queue: a list in a pool. */
	struct array queue; /* struct queued */
	uint32_t first, last, free_node;
	uint64_t started;
	struct array pool; /* struct slice */
	uint32_t free_slice;
	/* The N longest so far of those that have left the queue. */
	struct array heap; /* struct ranked */
	bool settled; /* another refusal would change nothing in it */
	/* Lengths of the N longest that have ended, in the queue or not. */
	struct array lengths; /* int64_t, a heap */
	uint64_t newest; /* none of them started later than this serial */
};

/* For the WANTED longest slices, at least one. Takes no memory yet. */
void gtrace_slices_init(struct slices *slices, size_t wanted,
			const struct gtrace_allocator *memory);

void gtrace_slices_free(struct slices *slices);

/*
 * A slice of goroutine G, in SLOT, starts. Returns its place in the queue,
 * NODE_NONE if there is no memory.
 */
uint32_t gtrace_slices_begin(struct slices *slices, uint64_t g, uint32_t slot);

/*
 * Whether the slice at NODE, which ends now with LENGTH nanoseconds, is surely
 * not among the longest. If not, gtrace_slices_refuse is to be called, else
 * gtrace_slices_end.
 */
static inline bool slices_are_longer(const struct slices *slices,
				     uint32_t node, int64_t length)
{
	const struct queued *queued =
		(const struct queued *)slices->queue.items + node;

	return slices->lengths.count == slices->wanted &&
	       length <= *(const int64_t *)slices->lengths.items &&
	       slices->newest < queued->serial;
}

/* The slice at NODE has ended and is not among the longest. */
void gtrace_slices_refuse(struct slices *slices, uint32_t node);

/* The slice at NODE has ended as *SLICE. False: there is no memory. */
bool gtrace_slices_end(struct slices *slices, uint32_t node,
		       const struct slice *slice);

/* The first slice in the queue, which is running; NODE_NONE: none. */
static inline const struct queued *slices_first(const struct slices *slices)
{
	if (slices->first == NODE_NONE)
		return NULL;
	return (const struct queued *)slices->queue.items + slices->first;
}

/*
 * Calls TAKE for each of the longest slices, the shortest first. The queue is
 * empty by now; the heap is so afterwards.
 */
void gtrace_slices_drain(struct slices *slices,
			 void (*take)(void *context, const struct slice *slice),
			 void *context);

#endif /* GTRACE_RUN_SLICES_H_ */
