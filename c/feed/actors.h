/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * actors.h - slots: small dense numbers of goroutines, threads and processors,
 * by which analyses keep arrays.
 *
 * A goroutine has one slot for its life. The slot of one that has ended gets
 * another one after the batch with its end, so a slot stands for one number in
 * one batch.
 */
#ifndef GTRACE_FEED_ACTORS_H_
#define GTRACE_FEED_ACTORS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* A slot was taken for a number. */
struct slot_taken {
	uint64_t number;
	uint32_t slot;
};

/* Zero, with `memory` set, is the empty set. */
struct actors {
	const struct gtrace_allocator *memory;
	struct array numbers;  /* uint64_t, by slot minus one */
	struct array released; /* uint32_t: slots */
	size_t free;  /* so many of these, the first ones, can be taken */
	bool notes;   /* what is taken is noted in */
	struct array taken; /* struct slot_taken */
};

/* Returns a slot for NUMBER; 0: there is no memory. */
uint32_t gti_actors_take(struct actors *actors, uint64_t number);

/* Gives SLOT back. Returns false if there is no memory. */
bool gti_actors_release(struct actors *actors, uint32_t slot);

/* The number of a slot is as TAKEN says. Returns false if there is no memory. */
bool gti_actors_set(struct actors *actors, const struct slot_taken *taken);

/* TO, which is empty, has the slots of FROM. Returns false without memory. */
bool gti_actors_copy(struct actors *to, const struct actors *from);

/* A batch was taken: slots that were given back in it are free. */
static inline void actors_settle(struct actors *actors)
{
	actors->free = actors->released.count;
}

void gti_actors_free(struct actors *actors);

/* The number that SLOT, not 0, stands for. */
static inline uint64_t actors_number(const struct actors *actors, uint32_t slot)
{
	return ((const uint64_t *)actors->numbers.items)[slot - 1];
}

#endif /* GTRACE_FEED_ACTORS_H_ */
