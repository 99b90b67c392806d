/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers.h - finds the numbers of things by their keys.
 *
 * The things and their keys are kept by the caller, by number from 0 on; this
 * is a hash table with open addressing, at most half full. If two things can
 * have the same key, the caller compares the things themselves.
 */
#ifndef GTRACE_BASE_NUMBERS_H_
#define GTRACE_BASE_NUMBERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "base/memory.h"

struct numbers {
	const struct gtrace_allocator *memory;
	uint32_t *table; /* by place: a number plus one; 0: free */
	uint32_t mask;
	uint32_t count;
	/*
	 * If a key is the sum of a value and another one times this secret,
	 * no trace can be made in which many keys are equal.
	 */
	uint64_t secret;
};

/*
 * Makes NUMBERS empty. Returns false if there is no memory; it can be freed
 * even then.
 */
bool gti_numbers_init(struct numbers *numbers,
		      const struct gtrace_allocator *memory);

void gti_numbers_free(struct numbers *numbers);

/* Forgets all numbers. */
void gti_numbers_empty(struct numbers *numbers);

/*
 * Makes the table four times as large, for numbers_add(). Returns false if
 * there is no memory.
 */
bool gti_numbers_grow(struct numbers *numbers,
		      uint64_t (*key_of)(const void *context, uint32_t number),
		      const void *context);

/*
 * Returns the first place to look for things with KEY. They are there or at the
 * places that follow, before the first free one.
 */
static ALWAYS_INLINE uint32_t numbers_place(const struct numbers *numbers,
					    uint64_t key)
{
	return (uint32_t)hash_key(key, numbers->secret) & numbers->mask;
}

static ALWAYS_INLINE uint32_t numbers_next(const struct numbers *numbers,
					   uint32_t place)
{
	return (place + 1) & numbers->mask;
}

/* The first free place for a thing with KEY. */
static ALWAYS_INLINE uint32_t numbers_free_place(const struct numbers *numbers,
						 uint64_t key)
{
	uint32_t place = numbers_place(numbers, key);

	while (numbers->table[place] != 0)
		place = numbers_next(numbers, place);
	return place;
}

/*
 * Adds the next number, of a thing with KEY, at the free PLACE to which a
 * search for it led. KEY_OF gives the key of one that was added. Returns false
 * if there is no memory.
 */
static ALWAYS_INLINE bool
numbers_add(struct numbers *numbers, uint64_t key, uint32_t place,
	    uint64_t (*key_of)(const void *context, uint32_t number),
	    const void *context)
{
	if (UNLIKELY(numbers->count > numbers->mask / 2)) {
		if (!gti_numbers_grow(numbers, key_of, context))
			return false;
		place = numbers_free_place(numbers, key);
	}
	numbers->table[place] = ++numbers->count;
	return true;
}

#endif /* GTRACE_BASE_NUMBERS_H_ */
