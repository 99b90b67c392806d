/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow.h - what slow requests of a kind spend more time on than typical ones:
 * sums of the pieces of their paths, by what the leaf did and what the request
 * itself waited at.
 */
#ifndef GTRACE_ANALYSIS_SLOW_H_
#define GTRACE_ANALYSIS_SLOW_H_

#include "analysis/chain.h"
#include "analysis/requests.h"
#include "base/texts.h"

/* Which requests of a kind are compared. */
enum slow_class { SLOW_SLOW, SLOW_TYPICAL, SLOW_CLASSES };

/* Kinds of fewer requests are not compared. */
#define SLOW_LEAST 20

/* How many of COUNT requests are slow, and as many typical; 0: none. */
static inline size_t slow_group(size_t count)
{
	size_t group = count / 100 + (count % 100 != 0);

	if (count < SLOW_LEAST)
		return 0;
	if (group < 5)
		group = 5;
	return group < 200 ? group : 200;
}

/* gti_slow_sort() without memory, which takes longer. */
void gti_slow_order(struct request_span *spans, size_t count);

/*
 * Sorts COUNT SPANS: the shortest first; of equal ones the one that begins
 * last. Returns false if there is no memory.
 */
bool gti_slow_sort(struct request_span *spans, size_t count,
		   const struct gtrace_allocator *memory);

/* Bytes are compared: there is no padding. Texts and stacks are numbers. */
struct slow_key {
	uint32_t kind;  /* the caller's number of the kind of requests */
	uint32_t state; /* enum chain_state */
	uint32_t block; /* of a block: its kind; of one that is absent: ended */
	uint32_t function;
	/* At level 0 GTRACE_BLOCK_KINDS + 1; else see struct chain_cause. */
	uint32_t cause_kind;
	uint32_t cause_function;
};

#define SLOW_NO_CAUSE (GTRACE_BLOCK_KINDS + 1)

struct slow_row {
	struct slow_key key;
	uint64_t sum[SLOW_CLASSES]; /* nanoseconds */
	uint64_t in[SLOW_CLASSES];  /* requests that have it */
	uint32_t last; /* the request that was added last, plus one */
};

struct slow {
	struct texts keys;
	struct array rows; /* struct slow_row, by number of their key */
	/* The number of the program's function in STACK, or NO_TEXT. */
	uint32_t (*function)(void *context, uint32_t stack);
	void *context;
	bool failed;
};

void gti_slow_init(struct slow *slow,
		   uint32_t (*function)(void *context, uint32_t stack),
		   void *context, const struct gtrace_allocator *memory);
void gti_slow_free(struct slow *slow);

/* Forgets all requests. */
void gti_slow_restart(struct slow *slow);

/* Adds the COUNT PIECES of the path of a request of KIND, which has NUMBER. */
void gti_slow_add(struct slow *slow, uint32_t kind, enum slow_class class,
		  uint32_t number, const struct chain_piece *pieces,
		  size_t count);

#endif /* GTRACE_ANALYSIS_SLOW_H_ */
