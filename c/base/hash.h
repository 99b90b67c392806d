/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash.h - hashes of ids and of texts, for tables.
 *
 * Ids and texts come from the file. A hostile file could have ids that all hash
 * to one place, and make each search as long as the table. So a hash depends on
 * a secret, an odd number of 63 random bits, which each table draws for itself.
 * No result may depend on it: nothing goes through a table in the order of its
 * places.
 */
#ifndef GTRACE_BASE_HASH_H_
#define GTRACE_BASE_HASH_H_

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/* Returns a new secret, from the random numbers of the system. */
uint64_t gti_new_secret(void);

/*
 * The place of ID in a table of 2^(64 - SHIFT) places. The highest bits of the
 * products of two ids, whichever they are, are equal with few secrets only. But
 * ids that follow each other have places that do: see ids_next().
 */
static ALWAYS_INLINE size_t hash_place(uint64_t id, uint64_t secret,
				       unsigned shift)
{
	return (size_t)(id * secret >> shift);
}

/* Each bit of KEY has an effect on each bit, with any secret. */
static ALWAYS_INLINE uint64_t hash_key(uint64_t key, uint64_t secret)
{
	key = (key ^ key >> 32) * secret;
	key = (key ^ key >> 32) * secret;
	return key ^ key >> 32;
}

uint64_t gti_hash_text(const void *text, size_t size, uint64_t secret);

#endif /* GTRACE_BASE_HASH_H_ */
