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
 * A table takes the lowest bits. They are the highest ones of the product, in
 * which two ids, whichever they are, rarely agree; and not in their order, so
 * that ids that follow each other do not end up in rows of places. With some
 * secrets they do, and searches become long: hash_id() is for ids of which
 * there are few, hash_key() for others.
 */
static ALWAYS_INLINE uint64_t hash_id(uint64_t id, uint64_t secret)
{
	return swap_bytes(id * secret);
}

/* Each bit of KEY has an effect on each bit, whatever the secret. */
static ALWAYS_INLINE uint64_t hash_key(uint64_t key, uint64_t secret)
{
	key = (key ^ key >> 32) * secret;
	key = (key ^ key >> 32) * secret;
	return key ^ key >> 32;
}

uint64_t gti_hash_text(const void *text, size_t size, uint64_t secret);

#endif /* GTRACE_BASE_HASH_H_ */
