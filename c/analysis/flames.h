/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flames.h - the time of critical paths by the stacks of all goroutines of the
 * chain: from what the request waited at, over what those waited at who held it
 * up, to what the leaf did.
 *
 * The causes that lead from a request to a leaf are a node of a tree, below
 * that of those which lead to the goroutine above the leaf.
 */
#ifndef GTRACE_ANALYSIS_FLAMES_H_
#define GTRACE_ANALYSIS_FLAMES_H_

#include "analysis/chain.h"
#include "base/texts.h"

/* So many causes of a chain are told apart; deeper ones are one node. */
#define FLAME_CAUSES 64

/* Instead of a stack: of the deeper causes. */
#define FLAME_DEEPER (NO_STACK - 1)

/* A cause, or a kind of requests. Bytes are compared: there is no padding. */
struct flame_node {
	uint32_t above; /* node; NO_TEXT: this is a kind of requests */
	uint32_t stack; /* of the cause; of a kind, its number */
	uint32_t depth; /* how many causes lead here */
};

/* What time is added up by. Bytes are compared: there is no padding. */
struct flame_key {
	uint32_t node;
	uint32_t stack; /* of the leaf, NO_STACK: none */
	uint32_t state; /* enum chain_state */
	uint32_t block; /* of a block: its kind; of one that is absent: ended */
	uint32_t level;
};

struct flame {
	struct flame_key key;
	uint64_t count; /* pieces */
	uint64_t time;  /* nanoseconds */
};

struct flames {
	struct texts nodes;  /* struct flame_node */
	struct texts keys;   /* struct flame_key */
	struct array flames; /* struct flame, by number of the key */
	bool failed;         /* there was no memory */
};

void gti_flames_init(struct flames *flames,
		     const struct gtrace_allocator *memory);
void gti_flames_free(struct flames *flames);

/* Forgets all paths. */
void gti_flames_restart(struct flames *flames);

/* The node of the requests of KIND, a number, from which walks begin. */
uint32_t gti_flames_kind(struct flames *flames, uint32_t kind);

/* The node of CAUSE below NODE. As struct chain has it; the context is FLAMES.
 */
uint32_t gti_flames_join(void *context, uint32_t node,
			 const struct chain_cause *cause);

/* Adds PIECE, the node of which is set; it counts if it IS_NEW. */
void gti_flames_add(struct flames *flames, const struct chain_piece *piece,
		    bool is_new);

/* The node NUMBER. */
struct flame_node gti_flames_node(const struct flames *flames, uint32_t number);

#endif /* GTRACE_ANALYSIS_FLAMES_H_ */
