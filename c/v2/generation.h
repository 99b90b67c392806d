/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generation.h - the index of one generation: the batches of each thread, the
 * strings and stacks by id, the samples and the clock.
 *
 * Strings and stacks live for one generation. They are kept as offsets into
 * the file.
 */
#ifndef GTRACE_V2_GENERATION_H_
#define GTRACE_V2_GENERATION_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/map.h"
#include "base/memory.h"
#include "v2/batch.h"

/* Most frames of a stack, and most bytes of a string. */
#define STACK_FRAMES_MAX 128
#define STRING_SIZE_MAX  1024

/* Set in the value of a stack that has frames. */
#define STACK_HAS_FRAMES 1

/*
 * The handle of a stack: above STACK_ID_BITS the place of its generation in the
 * order of the file, from 1, and below them its id. Ids with more bits occur
 * only in damaged traces; their handle is the top bit and the offset of the id
 * in the record of the stack. If there is no record, it is the two top bits and
 * 62 bits of the id, or, for the id of a CPU sample that takes more bits, the
 * top bit and the offset of that.
 */
#define STACK_ID_BITS   32
#define STACK_ID_MASK   UINT32_MAX
#define STACK_WIDE      ((uint64_t)1 << 63)
#define STACK_MISSING   ((uint64_t)1 << 62)
#define GENERATIONS_MAX ((uint64_t)1 << 31)

/* A batch of events. */
struct event_batch {
	uint64_t data; /* offset of the first data byte */
	uint64_t time; /* ticks */
	uint32_t size; /* of its data */
	uint32_t next; /* of the same thread: number in the index, plus one */
};

/* The batches of a thread: numbers in the index, plus one. */
struct thread_batches {
	int64_t m;
	uint32_t first;
	uint32_t last;
};

/* A CPU sample, in its place after sorting. */
struct sample {
	uint64_t ticks;
	uint64_t offset; /* of its record */
};

struct generation {
	const struct gtrace_allocator *memory;
	struct source *source;
	uint64_t number;
	uint64_t begin; /* offset of its first batch */
	uint64_t end;   /* offset of the byte after it */
	uint64_t least_time;
	uint64_t handles; /* what handles of its stacks are more than ids */
	double ns_per_tick;
	uint64_t snapshot; /* ticks at which CLOCK_MONOTONIC was `monotonic` */
	uint64_t monotonic;
	int64_t wall; /* and the time since 1970; INT64_MIN: not known */
	bool has_frequency;
	bool has_snapshot;
	struct array batches; /* struct event_batch */
	struct array threads; /* struct thread_batches, as they first occur */
	struct map thread_numbers; /* by thread: number in `threads` plus one */
	struct array samples;      /* struct sample */
	struct array sorted;       /* struct sort_item: samples by time */
	struct dictionary strings; /* id to the offset of its length */
	/* All strings with ids less than this are there. */
	uint64_t easy_strings;
	/*
	 * Stacks whose ids are less than this are in stacks.dense and have no
	 * wide ids.
	 */
	uint64_t easy_stacks;
	/* Id to twice the offset of the id, plus STACK_HAS_FRAMES. */
	struct dictionary stacks;
	uint64_t greatest_text; /* id that a frame names */
	/* By program counter: the offset of the frame that describes it. */
	struct map frames;
	bool frames_known;
	/* Set by the caller: batches of events are not wanted. */
	bool only_tables;
	/* Set by the caller: `frames` are. Otherwise they are found later. */
	bool wants_frames;
	bool last; /* the file has no more generations */
	/*
	 * The file ends in it: strings and stacks that it lacks are no fault.
	 * gti_v2_generation_read() sets this.
	 */
	bool unfinished;
	/* What is wrong with the file after this generation. */
	struct gtrace_error after;
};

/* The place of GENERATION in the order of the file, from 1. 0: none. */
static inline uint64_t generation_number(const struct generation *generation)
{
	return generation->handles >> STACK_ID_BITS;
}

/*
 * Tables of generations are kept by number, so those of generations that follow
 * each other are kept together: a slice can start in one and end in the next.
 */
#define TABLES_KEPT 8

/* The place of generation NUMBER among TABLES. */
static inline struct generation *tables_place(struct generation *tables,
					      uint64_t number)
{
	return &tables[number % TABLES_KEPT];
}

/*
 * Moves GENERATION, if it has begun, to its place among TABLES. GENERATION gets
 * the memory of what was there, for the one that follows, and keeps its clock.
 */
void gti_v2_generation_keep(struct generation *generation,
			    struct generation *tables);

enum generation_status {
	GENERATION_READ,
	GENERATION_NONE, /* the file ends before one */
	GENERATION_BAD,
};

void gti_v2_generation_init(struct generation *generation,
			    struct source *source,
			    const struct gtrace_allocator *memory);

void gti_v2_generation_free(struct generation *generation);

/*
 * Reads the generation at OFFSET in the place of the one that is there. Fills
 * ERROR if it is bad; also, with GTRACE_ERROR_MEMORY, if there is no memory.
 *
 * With UNFINISHED, a fault ends the generation, which has what stands before
 * the fault; generation->after is the fault then. Without a Frequency record it
 * has the clock of the generation before it.
 */
enum generation_status gti_v2_generation_read(struct generation *generation,
					      uint64_t offset, bool unfinished,
					      struct gtrace_error *error);

/*
 * Finds which frame describes each program counter: the first one that has it.
 * Returns false if there is no memory.
 */
bool gti_v2_generation_find_frames(struct generation *generation);

/* Whether a string, a stack has this id. 0 is the empty one. */
static inline bool generation_has_string(const struct generation *generation,
					 uint64_t id)
{
	return LIKELY(id < generation->easy_strings) || id == 0 ||
	       dictionary_get(&generation->strings, id) != 0 ||
	       generation->unfinished;
}

static inline bool generation_has_stack(const struct generation *generation,
					uint64_t id)
{
	return id == 0 || dictionary_get(&generation->stacks, id) != 0 ||
	       generation->unfinished;
}

/* Whether a frame of STACK, a handle of a stack with frames, has a name. */
bool gti_v2_has_names(const struct generation *generation, uint64_t stack);

/* Batches of the four kinds that are no events. Used by generation.c only. */
enum gtrace_status gti_v2_add_strings(struct generation *generation,
				      const struct batch *batch,
				      struct gtrace_error *error);
enum gtrace_status gti_v2_add_stacks(struct generation *generation,
				     const struct batch *batch,
				     struct gtrace_error *error);
enum gtrace_status gti_v2_add_samples(struct generation *generation,
				      const struct batch *batch,
				      struct gtrace_error *error);
enum gtrace_status gti_v2_add_sync(struct generation *generation,
				   const struct batch *batch,
				   struct gtrace_error *error);

/*
 * Checks that each frame that describes a program counter names strings that
 * the table has.
 */
enum gtrace_status gti_v2_check_frames(struct generation *generation,
				       struct gtrace_error *error);

/*
 * The ticks from which on a thread may write events of the generation after
 * this one, which can be before the last event of this one; UINT64_MAX: none.
 */
uint64_t gti_v2_generation_next(const struct generation *generation);

#endif /* GTRACE_V2_GENERATION_H_ */
