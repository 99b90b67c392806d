/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests.h - requests that goroutines serve one after the other, tasks and
 * regions: how long they took, and in which states.
 *
 * A goroutine that serves requests loops around a place where it waits. Of the
 * places where one goroutine waits twice, with no wait of fewer calls below its
 * first function in between, the one with the fewest calls is that of all
 * goroutines with this first function; of several the first one. A request goes
 * from the end of a wait there to the begin of the goroutine's next wait there.
 * If waits and requests take less than half of the lives of these goroutines,
 * there is no loop.
 *
 * Only the end of the trace decides where goroutines loop. Until then requests
 * are found around each place that can be the loop, and in the end those around
 * others are left out. A place can be the loop as long as none with as few
 * calls is known. Of each goroutine no more than SERVINGS places are kept,
 * those with the fewest calls.
 */
#ifndef GTRACE_ANALYSIS_REQUESTS_H_
#define GTRACE_ANALYSIS_REQUESTS_H_

#include "analysis/lengths.h"
#include "analysis/lives.h"
#include "base/map.h"

struct block;
struct block_event;
struct blocks;

/* Of a place, or another name, for requests. */
struct loop_place {
	bool waits; /* goroutines can wait for a request here */
	/* Of a root, a task or a region: requests of it are wanted. */
	bool wanted;
	uint32_t depth; /* by calls below the root */
	/* Of a root: the place of its loop so far, plus one; or 0. */
	uint32_t at;
	uint32_t group; /* number, plus one; 0: none */
};

/* Blocks at a place within a request. */
struct request_part {
	uint32_t place;
	uint64_t time;
};

/* As many are kept; what else there is counts by its state only. */
#define REQUEST_PARTS 8

/* What a goroutine did for some time. */
struct stay {
	int64_t begun; /* nanoseconds */
	int64_t length;
	uint64_t g;
	/* LIFE_NONE: of a task, after its goroutine ended. */
	uint64_t times[LIFE_STATES];
};

struct request {
	struct stay stay;
	struct request_part *parts; /* NULL: none */
	size_t part_count;
};

/* A request, and the goroutine that ends it: of a task it may be another. */
struct request_span {
	int64_t begun; /* nanoseconds */
	int64_t length;
	uint64_t g;
	uint64_t begun_by; /* the goroutine that has it */
};

/* What there is at the place of a loop besides requests. */
struct request_loop {
	/* Times before the first wait of a goroutine and after its last one. */
	uint64_t edges;
	uint64_t edge_time;
	/* Waits that are over. */
	uint64_t waits;
	uint32_t wait_lengths; /* in blocks->lengths */
	int64_t wait_max;
	/* Requests that are not over when the trace ends, the longest one. */
	uint64_t unended;
	int64_t unended_max;
	uint64_t unended_g;
	uint32_t unended_place; /* where that is blocked, plus one; or 0 */
};

/* The requests around a place, or the tasks or regions with a name. */
struct request_group {
	uint32_t name;
	uint64_t count;
	uint64_t served;  /* the length of all, also if they do not count */
	int64_t greatest; /* the length of the longest of all */
	uint64_t opened;  /* and of those that are not over */
	uint64_t times[LIFE_STATES];
	uint32_t lengths; /* in blocks->lengths */
	int64_t max;
	struct array longest;      /* struct request */
	int64_t least;             /* shorter ones are not among the longest */
	struct array spans;        /* struct request_span: all, if wanted */
	struct array open;         /* and those that are not over */
	struct request_loop *loop; /* NULL: of a task or a region */
};

struct requests {
	bool wanted;
	bool keeps_all; /* the spans of all requests are wanted */
	int64_t over;   /* nanoseconds: only longer ones count; -1: all */
	/* Only those that are between `from` and `to` of it; NULL: all. */
	const struct gtrace_filter *times;
	bool ends;            /* goroutines end because the trace does */
	bool by_place;        /* loops are where `waits` is set, at any depth */
	bool by_root;         /* goroutines were asked for */
	size_t most;          /* of the longest in each group */
	struct array groups;  /* struct request_group */
	struct pool servings; /* struct serving */
	struct pool spans;    /* tasks and regions that are not over */
	struct map open;      /* the task that is not over to its span */
};

/* Prepares for the MOST longest requests of each group, and lives in full. */
void gti_requests_want(struct blocks *blocks, size_t most, bool by_place);

/* Forgets all requests. */
void gti_requests_restart(struct requests *requests,
			  const struct gtrace_allocator *memory);

/* BLOCK has just begun, or ended; the latter was at PLACE for LENGTH. */
void gti_requests_blocked(struct blocks *blocks, const struct block *block);
void gti_requests_unblocked(struct blocks *blocks, const struct block *block);
void gti_requests_took(struct lived *lived, uint32_t place, uint64_t length);

/*
 * EVENT begins the task ID, or a region, of the goroutine of BLOCK; goroutine G
 * ends the task at TICKS, or by EVENT its own innermost region, if that has
 * this name; the goroutine LIVED ends.
 */
void gti_requests_begin(struct blocks *blocks, struct block *block, uint64_t id,
			const struct block_event *event);
void gti_requests_end(struct blocks *blocks, uint64_t id, uint64_t g,
		      int64_t ticks);
void gti_requests_end_region(struct blocks *blocks, const struct block *block,
			     uint64_t g, const struct block_event *event);
void gti_requests_leave(struct blocks *blocks, struct lived *lived,
			int64_t ticks);

/* The trace ends at TICKS, while LIVED is at PLACE, plus one; 0: not blocked.
 */
void gti_requests_open(struct blocks *blocks, struct lived *lived,
		       uint32_t place, int64_t ticks);

/*
 * The pass has ended, at TICKS. Puts the longest requests of all groups in
 * order, and leaves out groups around whose place goroutines do not spend their
 * lives.
 */
void gti_requests_finish(struct blocks *blocks, int64_t ticks);

#endif /* GTRACE_ANALYSIS_REQUESTS_H_ */
