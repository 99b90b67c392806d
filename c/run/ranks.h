/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h - how many of many times are before certain ones. The times come in
 * pieces, each of which is in order, and are not sorted all together: only a
 * few are asked for.
 */
#ifndef GTRACE_RUN_RANKS_H_
#define GTRACE_RUN_RANKS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

struct rank {
	uint64_t below; /* so many times are less ... */
	uint64_t same;  /* ... and so many are equal */
	uint64_t more;  /* not counted yet, below this and all that is later */
};

struct ranks {
	const struct gtrace_allocator *memory;
	struct array times;  /* int64_t, as they came */
	struct array pieces; /* uint32_t: where in these each piece begins */
	struct array asked;  /* int64_t */
	struct array found;  /* struct rank, of each of these */
};

/* There are no times yet. Takes no memory yet. */
void gtrace_ranks_init(struct ranks *ranks,
		       const struct gtrace_allocator *memory);

void gtrace_ranks_free(struct ranks *ranks);

/* Those that follow may be less than those before. False: no memory. */
bool gtrace_ranks_begin_piece(struct ranks *ranks);

/* Adds TIME, not less than others of its piece. False: no memory. */
bool gtrace_ranks_add(struct ranks *ranks, int64_t time);

/* TIME is to be found. Returns false if there is no memory. */
bool gtrace_ranks_ask(struct ranks *ranks, int64_t time);

/*
 * Finds what was asked for. It takes so many steps as there are times, or fewer
 * if the pieces are long, times the logarithm of their number. Returns false if
 * there is no memory.
 */
bool gtrace_ranks_find(struct ranks *ranks);

/* What was found for TIME, which was asked for. */
const struct rank *gtrace_ranks_of(const struct ranks *ranks, int64_t time);

/* There are no times any more, and nothing is asked for. */
void gtrace_ranks_clear(struct ranks *ranks);

#endif /* GTRACE_RUN_RANKS_H_ */
