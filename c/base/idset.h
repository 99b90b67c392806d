/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idset.h - a set of 64-bit ids that shrinks as its gaps close.
 *
 * For sequential ids that are added roughly in order: a group of 64 ids that
 * are all in the set becomes one bit of a higher level, so that a dense range
 * of any length costs a few words.
 */
#ifndef GTRACE_BASE_IDSET_H_
#define GTRACE_BASE_IDSET_H_

#include "base/map.h"

/* The ids of a group of 64 that are in the set, as bits. */
struct idset_word {
	uint64_t group; /* number plus one; 0: none */
	uint64_t ids;
};

#define IDSET_RECENT 64
#define IDSET_FULL   UINT64_MAX

/* Zero is the empty set. */
struct idset {
	/* A cache: the words of groups used last, by their lowest bits. */
	struct idset_word recent[IDSET_RECENT];
	struct map words; /* the others, by level and group */
	unsigned levels;  /* used so far, above that of the ids */
};

/* Loads group number GROUP into the cache. NULL: no memory. */
uint64_t *gti_idset_load(struct idset *set, uint64_t group,
			 const struct gtrace_allocator *memory);

/*
 * Group number GROUP is full: sets its bit in the next level. Returns false if
 * there is no memory.
 */
bool gti_idset_close(struct idset *set, uint64_t group,
		     const struct gtrace_allocator *memory);

/* Returns the word of ID's group, valid until the next call. NULL: no memory.
 */
static inline uint64_t *idset_word(struct idset *set, uint64_t id,
				   const struct gtrace_allocator *memory)
{
	uint64_t group = id / 64;
	struct idset_word *recent = &set->recent[group % IDSET_RECENT];

	if (LIKELY(recent->group == group + 1))
		return &recent->ids;
	return gti_idset_load(set, group, memory);
}

/* Sets *HAS to whether ID is in SET. Returns false if there is no memory. */
static inline bool idset_has(struct idset *set, uint64_t id,
			     const struct gtrace_allocator *memory, bool *has)
{
	const uint64_t *word = idset_word(set, id, memory);

	*has = word != NULL && (*word >> id % 64 & 1) != 0;
	return word != NULL;
}

/* Adds ID. Returns false if there is no memory. */
static inline bool idset_add(struct idset *set, uint64_t id,
			     const struct gtrace_allocator *memory)
{
	uint64_t *word = idset_word(set, id, memory);
	uint64_t bit = (uint64_t)1 << id % 64;

	if (word == NULL)
		return false;
	if ((*word & bit) != 0)
		return true;
	*word |= bit;
	return LIKELY(*word != IDSET_FULL) ||
	       gti_idset_close(set, id / 64, memory);
}

void gti_idset_free(struct idset *set, const struct gtrace_allocator *memory);

#endif /* GTRACE_BASE_IDSET_H_ */
