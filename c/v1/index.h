/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.h - the first pass: checks every record in file order, and notes what
 * the second pass must know beforehand.
 *
 * Strings and stacks stand at the end of a file and are used from its start,
 * and the reference reports the first fault of the earliest step; so the whole
 * file has to be seen once before the order of its events is of interest.
 */
#ifndef GTRACE_V1_INDEX_H_
#define GTRACE_V1_INDEX_H_

#include "base/input.h"
#include "base/map.h"
#include "model/format.h"
#include "v1/rules.h"

/* A run of records of one processor that holds events. */
struct batch {
	size_t first;     /* offset of its first record */
	size_t end;       /* offset behind its last */
	int64_t ticks;    /* the first event's delta counts from here */
	int64_t sequence; /* 1005 */
	uint64_t ordinal; /* of its first event, less one */
	uint32_t stream;
	uint32_t next; /* the stream's next batch, or BATCH_NONE */
};

#define BATCH_NONE UINT32_MAX

/* One processor's batches, in file order. */
struct stream {
	int64_t p;
	uint32_t first; /* batch */
	uint32_t last;
};

/* A CPU sample, which is ordered by the time in its arguments. */
struct sample {
	int64_t ticks;
	uint64_t offset;
	uint64_t ordinal;
};

struct index {
	const uint8_t *data;
	size_t size; /* of what is read, less than the file in partial mode */
	struct input *input;
	struct gtrace_allocator memory;
	struct rules rules;
	struct dictionary strings; /* id to text_pack() */
	struct dictionary stacks;  /* id to offset of the last such record */
	struct array batches;      /* struct batch */
	struct array streams;      /* struct stream, by first batch in file */
	struct array samples;      /* struct sample, by ticks, then offset */
	struct map stream_of_p;
	struct map timer_goroutines;
	uint64_t timer_goroutine; /* the last of them: mostly there is one */
	/*
	 * The samples' place among the streams: they come before the stream
	 * with this number.
	 */
	uint32_t samples_before;
	int64_t ticks_per_second;
	uint64_t events;
	bool futile; /* there is a FutileWakeup */
};

/*
 * Reads INPUT, which stays the caller's and must outlive the index. If
 * LEFT_OUT is not NULL, a broken record is no error but the end of the trace,
 * which is noted there.
 *
 * Errors: GTRACE_ERROR_HEADER, _VERSION, _RECORD, _ARGS, _EMPTY, _ORDER (a
 * frequency that is not positive), _MEMORY.
 */
enum gtrace_status gti_index_init(struct index *index, struct input *input,
				  struct left_out *left_out,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error);

void gti_index_free(struct index *index);

static inline double index_ns_per_tick(const struct index *index)
{
	return 1e9 / (double)index->ticks_per_second;
}

static inline const struct batch *index_batch(const struct index *index,
					      uint32_t number)
{
	return (const struct batch *)index->batches.items + number;
}

static inline const struct stream *index_stream(const struct index *index,
						uint32_t number)
{
	return (const struct stream *)index->streams.items + number;
}

/* The number of the stream of processor P, or SLOT_NONE. */
uint32_t gti_index_stream_of(const struct index *index, int64_t p);

static inline bool index_is_timer(const struct index *index, uint64_t g)
{
	if (index->timer_goroutines.count <= 1)
		return g == index->timer_goroutine &&
		       index->timer_goroutines.count == 1;
	return gti_map_get(&index->timer_goroutines, g) != NULL;
}

#endif /* GTRACE_V1_INDEX_H_ */
