/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths.h - the critical paths of given times of goroutines, in one pass over
 * the stream.
 *
 * The log of the chain is on while a time that is wanted has begun and is not
 * done. A path is walked when its goroutine has come far enough that nothing
 * later can change it.
 */
#ifndef GTRACE_ANALYSIS_PATHS_H_
#define GTRACE_ANALYSIS_PATHS_H_

#include "analysis/chain.h"

/* A time of a goroutine of which the path is wanted. */
struct path_wish {
	uint64_t g;
	int64_t from; /* nanoseconds; INT64_MIN: when it is first there */
	/* INT64_MAX: when it is last there; no more than the trace has. */
	int64_t to;
	uint32_t number; /* the caller's */
	uint32_t node;   /* from which the walk begins, see struct chain */
	/* The last one of its goroutine that matters, see paths->gone; or 0. */
	uint64_t entry;
	/* When it is told: nanoseconds, from its begin on, that are dropped. */
	int64_t dropped;
	bool optional; /* it can be left out, see struct paths */
	bool done;
};

/* A goroutine with wishes. */
struct path_client {
	uint64_t g;
	size_t begin, end;   /* its wishes */
	size_t next;         /* the first that may not be done */
	int64_t first, last; /* when it was first, and last, there */
	uint64_t entry;      /* its last one, see paths->gone */
	uint32_t log;        /* number of the log with that */
	uint32_t slot;       /* 0: none, now */
	bool is_known;
	struct chain_slot ended; /* what is known of it, without a slot */
};

struct paths {
	struct chain chain;
	struct array wishes;  /* struct path_wish, by goroutine, then by `to` */
	struct array clients; /* struct path_client */
	struct map by_g;      /* their numbers, plus one */
	struct array begins;  /* int64_t: `from` of all wishes, in order */
	size_t begun;         /* so many of these */
	int64_t next;         /* the first that has not; INT64_MAX: none */
	size_t done;
	struct array pieces; /* struct chain_piece: of one path, last first */
	/*
	 * Is told the path of WISH, from its last piece, the COUNT pieces at
	 * PIECES, to its first; its times are known now.
	 */
	void (*each)(void *context, const struct path_wish *wish,
		     const struct chain_piece *pieces, size_t count);
	/* The pass begins again: what `each` was told does not count. */
	void (*forget)(void *context);
	void *context;
	/*
	 * Paths that overlap share the log, but not their pieces. Once all of
	 * them together take too many steps for each transition, wishes that
	 * are optional are left out.
	 */
	uint64_t taken; /* transitions */
	/*
	 * About so many entries are kept, and one for each goroutine; 0: all.
	 * Of this log the first `gone` have been dropped: numbers of entries
	 * count them. The last of all that were is at `kept_from`.
	 */
	size_t most;
	uint64_t gone;
	uint64_t floor; /* numbers up to this one are of none any more */
	int64_t kept_from;
	uint64_t dropped; /* of all logs */
	bool left_out;
	bool failed;
};

/*
 * Takes over WISHES, of which `to` is not before `from`. DESCRIBE is as for
 * chains. False: there is no memory.
 */
bool gti_paths_init(struct paths *paths, struct array *wishes,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory);
void gti_paths_free(struct paths *paths);

/* What the stream is consumed by. */
struct consumer gti_paths_consumer(struct paths *paths);

#endif /* GTRACE_ANALYSIS_PATHS_H_ */
