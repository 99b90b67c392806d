/* SPDX-License-Identifier: BSD-3-Clause */
/* idset.c - a set of 64-bit ids that shrinks as its gaps close. */
#include "base/idset.h"

#define GROUP_SHIFT 6
#define GROUP_MASK  63
#define LEVEL_SHIFT 4
#define LEVELS      11 /* of 6 bits each: enough for any 64-bit id */

/* A group number has at most 58 bits, which leaves bits for a level. */
static uint64_t word_key(uint64_t group, unsigned level)
{
	return group << LEVEL_SHIFT | level;
}

bool gti_idset_close(struct idset *set, uint64_t group,
		     const struct gtrace_allocator *memory)
{
	uint64_t id = group;
	unsigned level;

	for (level = 1; level < LEVELS; level++) {
		uint64_t key = word_key(id >> GROUP_SHIFT, level);
		uint64_t *word = gti_map_put(&set->words, key, memory);

		if (word == NULL)
			return false;
		if (set->levels < level)
			set->levels = level;
		*word |= (uint64_t)1 << (id & GROUP_MASK);
		if (*word != IDSET_FULL)
			break;
		gti_map_delete(&set->words, key);
		id >>= GROUP_SHIFT;
	}
	return true;
}

/* Returns whether group number GROUP, without a word, is full; else empty. */
static bool is_full(const struct idset *set, uint64_t group)
{
	uint64_t id = group;
	unsigned level;

	for (level = 1; level <= set->levels; level++) {
		const uint64_t *word = gti_map_get(
			&set->words, word_key(id >> GROUP_SHIFT, level));

		if (word != NULL)
			return (*word >> (id & GROUP_MASK) & 1) != 0;
		id >>= GROUP_SHIFT;
	}
	return false;
}

/* Moves RECENT to the map. The word of a full or an empty group is not kept. */
static bool put_away(struct idset *set, const struct idset_word *recent,
		     const struct gtrace_allocator *memory)
{
	uint64_t *word;

	if (recent->group == 0 || recent->ids == 0 || recent->ids == IDSET_FULL)
		return true;
	word = gti_map_put(&set->words, word_key(recent->group - 1, 0), memory);
	if (word == NULL)
		return false;
	*word = recent->ids;
	return true;
}

uint64_t *gti_idset_load(struct idset *set, uint64_t group,
			 const struct gtrace_allocator *memory)
{
	struct idset_word *recent = &set->recent[group % IDSET_RECENT];
	const uint64_t *word;

	if (!put_away(set, recent, memory))
		return NULL;
	recent->group = group + 1;
	word = gti_map_get(&set->words, word_key(group, 0));
	if (word != NULL) {
		recent->ids = *word;
		gti_map_delete(&set->words, word_key(group, 0));
	} else {
		recent->ids = is_full(set, group) ? IDSET_FULL : 0;
	}
	return &recent->ids;
}

void gti_idset_free(struct idset *set, const struct gtrace_allocator *memory)
{
	gti_map_free(&set->words, memory);
	*set = (struct idset){.levels = 0};
}
