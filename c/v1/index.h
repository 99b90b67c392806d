/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.h - the first pass: checks every record in file order, and collects
 * what later passes need beforehand: batches, strings, stacks, CPU samples.
 *
 * It reads the whole file before events are put in order, because strings and
 * stacks are at the end of the file, and because the reference reports a fault
 * in any record before one in the order of events.
 */
#ifndef GTRACE_V1_INDEX_H_
#define GTRACE_V1_INDEX_H_

#include "base/input.h"
#include "base/map.h"
#include "model/format.h"
#include "v1/rules.h"

/* A sequence of records of one processor, at least one of them an event. */
struct batch {
	size_t first;     /* offset of its first record */
	size_t end;       /* offset after its last record */
	int64_t ticks;    /* to which the first event's delta is added */
	int64_t sequence; /* up to Go 1.6: to which its other delta is added */
	uint64_t ordinal; /* of its first event, minus one */
	uint32_t stream;
	uint32_t next; /* the stream's next batch, or BATCH_NONE */
};

#define BATCH_NONE UINT32_MAX

/* The greatest number of frames of a stack. */
#define FRAMES_MAX 1000

/* One processor's batches, in file order. */
struct batches {
	int64_t p;
	uint32_t first; /* batch */
	uint32_t last;
};

/* A place in an order. */
struct moment {
	int64_t ticks;
	uint64_t rank; /* decides among equal ticks */
};

/* For gti_sort() of elements that begin with a struct moment. */
int gti_compare_moments(const void *a, const void *b);

/* A CPU sample, which is ordered by the time in its arguments. */
struct sample {
	struct moment at; /* its rank is its ordinal */
	uint64_t offset;
};

struct index {
	const uint8_t *data;
	size_t size; /* of what is read: in partial mode a part of the file */
	struct input *input;
	struct gtrace_allocator memory;
	struct rules rules;
	struct dictionary strings; /* id to text_pack() */
	struct dictionary stacks;  /* id to offset of the last such record */
	struct array batches;      /* struct batch */
	struct array streams;      /* struct batches, by first batch in file */
	struct array samples;      /* struct sample, by ticks, then offset */
	struct map stream_of_p;
	struct map timer_goroutines;
	uint64_t timer_goroutine; /* the last of them; usually the only one */
	/* Among the streams, the samples come before this one. */
	uint32_t samples_before;
	int64_t ticks_per_second; /* 0: not known */
	uint64_t events;
	bool futile; /* there is a FutileWakeup */
};

/*
 * Reads INPUT, which remains the caller's and must outlive the index. If
 * LEFT_OUT is not NULL, the first fault ends the trace and is not an error;
 * LEFT_OUT then describes it, and a trace that was cut off before its frequency
 * has FREQUENCY.
 *
 * Errors: GTRACE_ERROR_HEADER, _VERSION, _RECORD, _ARGS, _EMPTY, _CUT_OFF,
 * _ORDER (a frequency that is not positive), _MEMORY.
 */
enum gtrace_status gti_index_init(struct index *index, struct input *input,
				  struct left_out *left_out, int64_t frequency,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error);

void gti_index_free(struct index *index);

/* 0: times are in ticks, as the trace does not say how long these are. */
static inline double index_ns_per_tick(const struct index *index)
{
	return index->ticks_per_second == 0
		       ? 0
		       : 1e9 / (double)index->ticks_per_second;
}

static inline const struct batch *index_batch(const struct index *index,
					      uint32_t number)
{
	return (const struct batch *)index->batches.items + number;
}

static inline const struct batches *index_stream(const struct index *index,
						 uint32_t number)
{
	return (const struct batches *)index->streams.items + number;
}

/* Returns the number of the stream of processor P, or SLOT_NONE. */
uint32_t gti_index_stream_of(const struct index *index, int64_t p);

/*
 * Returns the slot of processor P: the number of its stream. All processors
 * without a stream have one slot, the number of which is the count of streams.
 */
uint32_t gti_index_slot_of(const struct index *index, int64_t p);

static inline bool index_is_timer(const struct index *index, uint64_t g)
{
	if (map_count(&index->timer_goroutines) <= 1)
		return g == index->timer_goroutine &&
		       map_count(&index->timer_goroutines) == 1;
	return gti_map_get(&index->timer_goroutines, g) != NULL;
}

#endif /* GTRACE_V1_INDEX_H_ */
