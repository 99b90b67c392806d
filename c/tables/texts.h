/* SPDX-License-Identifier: BSD-3-Clause */
/* texts.h - the distinct values of a column, with numbers from 0 on. */
#ifndef GTRACE_TABLES_TEXTS_H_
#define GTRACE_TABLES_TEXTS_H_

#include <gtrace/gtrace.h>

#include "tables/bytes.h"

/* Zero: none. To be given to texts_free(). */
struct texts {
	/* One after the other, each after its size: see `sizes`. */
	struct bytes bytes;
	unsigned sizes;    /* bytes that a size takes, lowest first: 4, or 0 */
	uint32_t *slots;   /* number of a text plus 1, by its hash; 0: none */
	size_t slot_count; /* a power of two, or 0 */
	struct text_place {
		size_t at;   /* in `bytes`, after the size */
		size_t size; /* of the text */
		uint64_t hash;
	} * places; /* by number */
	size_t count;
	size_t capacity; /* of `places` */
	uint32_t last;   /* the number that was returned last */
	bool failed;     /* there was no memory */
};

void texts_free(struct texts *texts);

/* Forgets all texts, and keeps the memory. */
void texts_clear(struct texts *texts);

/* Whether TEXT, not empty, is the text whose number was returned last. */
bool texts_has_last(const struct texts *texts, struct gtrace_string text);

/* Returns the number of TEXT, which is new or not. */
uint32_t texts_number(struct texts *texts, struct gtrace_string text);

/* The text NUMBER, up to the next call of texts_number(). */
struct gtrace_string texts_get(const struct texts *texts, uint32_t number);

/*
 * A number for the SIZE bytes at DATA, after those that gave HASH: for each 8
 * of them in little-endian order, and the rest with zeros above,
 *	hash = (hash ^ word) * 0x9e3779b97f4a7c15; hash ^= hash >> 32
 * and then the same for SIZE. The first HASH is 0.
 */
uint64_t texts_hash(uint64_t hash, const void *data, size_t size);

#endif /* GTRACE_TABLES_TEXTS_H_ */
