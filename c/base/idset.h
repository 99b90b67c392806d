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

/* Which of the 64 ids of a group are in. */
struct idset_word {
	uint64_t group; /* its number plus one; 0: none */
	uint64_t ids;
};

#define IDSET_RECENT 64

/* Zero is the empty set. */
struct idset {
	/* Words of groups asked for not long ago, in places of their own. */
	struct idset_word recent[IDSET_RECENT];
	struct map words; /* the others, by level and group */
	unsigned levels;  /* above the groups of ids: how many were ever used */
};

/* Makes group number GROUP a recent one. NULL: there is no memory. */
uint64_t *gti_idset_load(struct idset *set, uint64_t group,
			 const struct gtrace_allocator *memory);

/* Puts ID in. Returns false if there is no memory. */
bool gti_idset_add(struct idset *set, uint64_t id,
		   const struct gtrace_allocator *memory);

/* The word of the group of ID. Good until the next call. NULL: no memory. */
static inline uint64_t *idset_word(struct idset *set, uint64_t id,
				   const struct gtrace_allocator *memory)
{
	uint64_t group = id / 64;
	struct idset_word *recent = &set->recent[group % IDSET_RECENT];

	if (LIKELY(recent->group == group + 1))
		return &recent->ids;
	return gti_idset_load(set, group, memory);
}

/* Sets *HAS to whether ID is in. Returns false if there is no memory. */
static inline bool idset_has(struct idset *set, uint64_t id,
			     const struct gtrace_allocator *memory, bool *has)
{
	const uint64_t *word = idset_word(set, id, memory);

	*has = word != NULL && (*word >> id % 64 & 1) != 0;
	return word != NULL;
}

void gti_idset_free(struct idset *set, const struct gtrace_allocator *memory);

#endif /* GTRACE_BASE_IDSET_H_ */
