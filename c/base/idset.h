/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idset.h - a set of 64-bit ids that shrinks as its gaps close.
 *
 * Made for ids that are handed out in sequence and put in roughly in that
 * order: a group of 64 ids that are all in becomes one bit a level higher, so
 * that a dense range of any length costs a few words.
 */
#ifndef GTRACE_BASE_IDSET_H_
#define GTRACE_BASE_IDSET_H_

#include "base/map.h"

/* Zero is the empty set. */
struct idset {
	struct map words; /* by level and group: which of its 64 are in */
	unsigned levels;  /* how many have ever been used */
};

/* Puts ID in. Returns false if there is no memory. */
bool gtrace_idset_add(struct idset *set, uint64_t id,
		      const struct gtrace_allocator *memory);

bool gtrace_idset_has(const struct idset *set, uint64_t id);

void gtrace_idset_free(struct idset *set,
		       const struct gtrace_allocator *memory);

#endif /* GTRACE_BASE_IDSET_H_ */
