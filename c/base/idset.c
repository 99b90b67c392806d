/* SPDX-License-Identifier: BSD-3-Clause */
/* idset.c - a set of 64-bit ids that shrinks as its gaps close. */
#include "base/idset.h"

#define GROUP_SHIFT 6
#define GROUP_MASK  63
#define GROUP_FULL  UINT64_MAX
#define LEVEL_SHIFT 4
#define LEVELS	    11 /* of 6 bits each: enough for any 64-bit id */

/* A group number has at most 58 bits, so a level fits beside it. */
static uint64_t word_key(uint64_t group, unsigned level)
{
	return group << LEVEL_SHIFT | level;
}

bool gtrace_idset_add(struct idset *set, uint64_t id,
		      const struct gtrace_allocator *memory)
{
	unsigned level;

	for (level = 0; level < LEVELS; level++) {
		uint64_t group = id >> GROUP_SHIFT;
		uint64_t *word = gtrace_map_put(
			&set->words, word_key(group, level), memory);

		if (word == NULL)
			return false;
		if (set->levels <= level)
			set->levels = level + 1;
		*word |= (uint64_t)1 << (id & GROUP_MASK);
		if (*word != GROUP_FULL)
			return true;
		gtrace_map_delete(&set->words, word_key(group, level));
		id = group;
	}
	return true;
}

bool gtrace_idset_has(const struct idset *set, uint64_t id)
{
	unsigned level;

	for (level = 0; level < set->levels; level++) {
		uint64_t group = id >> GROUP_SHIFT;
		const uint64_t *word =
			gtrace_map_get(&set->words, word_key(group, level));

		if (word != NULL && (*word >> (id & GROUP_MASK) & 1) != 0)
			return true;
		id = group;
	}
	return false;
}

void gtrace_idset_free(struct idset *set,
		       const struct gtrace_allocator *memory)
{
	gtrace_map_free(&set->words, memory);
	set->levels = 0;
}
