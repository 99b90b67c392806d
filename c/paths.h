/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.h - critical paths, which take a pass over the stream. */
#ifndef GTRACE_PATHS_H_
#define GTRACE_PATHS_H_

#include "analysis/flames.h"
#include "analysis/paths.h"
#include "analysis/slow.h"
#include "run.h"

/* A path that is kept. */
struct kept_path {
	uint32_t kind; /* number */
	uint32_t rank; /* among those of the kind */
	bool unfinished;
	uint64_t g;
	int64_t from;
	int64_t to;
	int64_t dropped; /* from its begin on */
	size_t first;    /* of its segments */
	size_t count;
};

/* A kind of requests, or the times of the filter. */
struct path_kind {
	uint32_t name; /* see gti_requests_name() */
	uint64_t requests;
	uint64_t unfinished; /* others, that are not over */
	uint64_t group;
	int64_t sums[SLOW_CLASSES];
};

/* What a path that is wanted is for; by number. */
struct asked_path {
	uint32_t kind;
	uint32_t rank;         /* among the longest, from 0; UINT32_MAX: none */
	enum slow_class class; /* SLOW_CLASSES: it is not compared */
	bool unfinished;
};

/* What RUN has to find critical paths. */
struct path_work {
	struct run *run;
	struct feed feed;
	struct paths paths;
	struct slow slow;
	struct flames flames;   /* of all requests, if they are wanted */
	struct array wishes;    /* struct path_wish, until the pass */
	struct array asked;     /* struct asked_path */
	struct array kinds;     /* struct path_kind */
	struct array kept;      /* struct kept_path */
	struct array segments;  /* struct chain_piece */
	struct array functions; /* uint32_t: by stack, plus one; 0: unknown */
	bool is_of_times;       /* of the filter, not of requests */
	bool has_flames;
};

/* NULL: not wanted. */
static inline struct path_work *run_paths(const struct run *run)
{
	return run->found[LIST_PATHS];
}

/* Whether the paths of RUN are those of times that the filter has. */
bool gti_paths_are_of_times(const struct gtrace_request *request);

/* Makes the pass for the paths of RUN, after those for its requests. */
enum gtrace_status gti_follow_paths(struct run *run,
				    struct gtrace_error *error);

/* The word for STATE, enum chain_state; of one that is absent, if it ENDED. */
const char *gti_path_state(unsigned state, bool ended);

/* Frees what that has found. */
void gti_end_paths(struct run *run);

#endif /* GTRACE_PATHS_H_ */
