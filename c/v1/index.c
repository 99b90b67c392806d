/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.c - the first pass.
 *
 * Nearly all records are events of a kind that needs no more than counting:
 * their first byte says how many values follow, and the ends of up to eight
 * bytes' worth of values are found at once, as bytes without the top bit.
 * Everything else goes through gti_record_read.
 *
 * Two steps of the reference are one pass here. It checks the arguments after
 * it has read all records, so a fault in the arguments is only kept, and
 * reported if no record is broken behind it.
 */
#include "v1/index.h"

#include <inttypes.h>

#include "base/fail.h"
#include "base/leb128.h"
#include "base/sort.h"
#include "v1/record.h"

/* Pages of the file are given back after this many bytes. */
#define RELEASE_STEP ((size_t)4 << 20)

#define STACK_FRAMES_MAX 1000

struct first_pass {
	struct index *index;
	struct reader reader;
	struct gtrace_error *error;
	struct batch head; /* what the current Batch record said */
	uint64_t counted; /* events when it began, or when it last was closed */
	size_t released;  /* the file up to here was given back */
	/* The first fault in arguments. GTRACE_OK: none yet. */
	enum gtrace_status fault_status;
	struct gtrace_error fault;
	struct left_out *left_out; /* not NULL: partial mode */
};

/* --------------------------------------------------------------- batches -- */

static enum gtrace_status add_stream(struct index *index, int64_t p,
				     uint32_t *number)
{
	struct stream *stream;
	uint64_t *place;

	if (index->streams.count >= BATCH_NONE ||
	    !gti_array_reserve(&index->streams, sizeof(struct stream),
			       &index->memory))
		return GTRACE_ERROR_MEMORY;
	place = gti_map_put(&index->stream_of_p, (uint64_t)p, &index->memory);
	if (place == NULL)
		return GTRACE_ERROR_MEMORY;
	*number = (uint32_t)index->streams.count++;
	*place = *number;
	stream = (struct stream *)index->streams.items + *number;
	*stream = (struct stream){p, BATCH_NONE, BATCH_NONE};
	return GTRACE_OK;
}

/* Puts the batch that ends at END into the index, if it holds events. */
static enum gtrace_status close_batch(struct first_pass *pass, size_t end)
{
	struct index *index = pass->index;
	struct stream *stream;
	struct batch *batches;
	uint32_t number;

	if (index->events == pass->counted)
		return GTRACE_OK;
	/* What stands before the first Batch is processor 0's. */
	if (pass->head.stream == SLOT_NONE &&
	    add_stream(index, 0, &pass->head.stream) != GTRACE_OK)
		return gti_fail_memory(pass->error);
	pass->counted = index->events;
	if (index->batches.count >= BATCH_NONE ||
	    !gti_array_reserve(&index->batches, sizeof(struct batch),
			       &index->memory))
		return gti_fail_memory(pass->error);
	number = (uint32_t)index->batches.count++;
	batches = index->batches.items;
	pass->head.end = end;
	batches[number] = pass->head;
	stream = (struct stream *)index->streams.items + pass->head.stream;
	if (stream->first == BATCH_NONE)
		stream->first = number;
	else
		batches[stream->last].next = number;
	stream->last = number;
	return GTRACE_OK;
}

/* Begins a batch of processor P whose first record is at FIRST. */
static enum gtrace_status open_batch(struct first_pass *pass, size_t first,
				     int64_t p)
{
	struct index *index = pass->index;

	pass->head.stream = gti_index_stream_of(index, p);
	if (pass->head.stream == SLOT_NONE &&
	    add_stream(index, p, &pass->head.stream) != GTRACE_OK)
		return gti_fail_memory(pass->error);
	pass->head.first = first;
	pass->head.ordinal = index->events;
	pass->head.next = BATCH_NONE;
	pass->counted = index->events;
	return GTRACE_OK;
}

uint32_t gti_index_stream_of(const struct index *index, int64_t p)
{
	const uint64_t *place = gti_map_get(&index->stream_of_p, (uint64_t)p);

	return place != NULL ? (uint32_t)*place : SLOT_NONE;
}

/* ------------------------------------------------------------- arguments -- */

/* Keeps a fault in arguments: the first one counts. */
#define FAULT(pass, status, record, ...)                                       \
	((pass)->fault_status = gti_fail(&(pass)->fault, (status),             \
					 (record)->offset, __VA_ARGS__))

static void check_stack_shape(struct first_pass *pass,
			      const struct record *record)
{
	bool old = pass->index->rules.version < VERSION_MERGED;
	uint64_t want;

	if (record->count < 2) {
		FAULT(pass, GTRACE_ERROR_ARGS, record,
		      "EvStack has wrong number of arguments at offset "
		      "0x%zx: want at least 2, got %zu",
		      record->offset, record->count);
		return;
	}
	if (record->values[1] > STACK_FRAMES_MAX) {
		FAULT(pass, GTRACE_ERROR_ARGS, record,
		      "EvStack has bad number of frames at offset 0x%zx: "
		      "%" PRIu64,
		      record->offset, record->values[1]);
		return;
	}
	want = 2 + (old ? 1 : 4) * record->values[1];
	if (record->count != want)
		FAULT(pass, GTRACE_ERROR_ARGS, record,
		      "EvStack has wrong number of arguments at offset "
		      "0x%zx: want %" PRIu64 ", got %zu",
		      record->offset, want, record->count);
}

static enum gtrace_status take_stack(struct first_pass *pass,
				     const struct record *record)
{
	struct index *index = pass->index;

	check_stack_shape(pass, record);
	if (pass->fault_status != GTRACE_OK || record->values[0] == 0 ||
	    record->values[1] == 0)
		return GTRACE_OK;
	if (!gti_dictionary_set(&index->stacks, record->values[0],
				record->offset, &index->memory))
		return gti_fail_memory(pass->error);
	return GTRACE_OK;
}

static enum gtrace_status take_batch(struct first_pass *pass,
				     const struct record *record)
{
	bool old = pass->index->rules.version < VERSION_MERGED;
	enum gtrace_status status = close_batch(pass, record->offset);

	if (status != GTRACE_OK)
		return status;
	pass->head.sequence = old ? (int64_t)record->values[1] : 0;
	pass->head.ticks = (int64_t)record->values[old ? 2 : 1];
	return open_batch(pass, pass->reader.offset,
			  (int64_t)record->values[0]);
}

static void take_frequency(struct first_pass *pass, const struct record *record)
{
	pass->index->ticks_per_second = (int64_t)record->values[0];
	if (pass->index->ticks_per_second <= 0)
		FAULT(pass, GTRACE_ERROR_ORDER, record,
		      "time stamps out of order");
}

static enum gtrace_status take_timer(struct first_pass *pass,
				     const struct record *record)
{
	struct index *index = pass->index;

	/* Before, the last one counted, and goroutine 0 meant none. */
	if (index->rules.version < VERSION_TIMERS) {
		gti_map_free(&index->timer_goroutines, &index->memory);
		if (record->values[0] == 0)
			return GTRACE_OK;
	}
	index->timer_goroutine = record->values[0];
	if (gti_map_put(&index->timer_goroutines, record->values[0],
			&index->memory) == NULL)
		return gti_fail_memory(pass->error);
	return GTRACE_OK;
}

static enum gtrace_status take_sample(struct first_pass *pass,
				      const struct record *record)
{
	struct index *index = pass->index;
	struct sample *sample;

	if (!gti_array_reserve(&index->samples, sizeof(*sample),
			       &index->memory))
		return gti_fail_memory(pass->error);
	if (index->samples.count == 0)
		index->samples_before = (uint32_t)index->streams.count;
	sample = (struct sample *)index->samples.items + index->samples.count++;
	sample->ticks = (int64_t)record->values[1];
	sample->offset = record->offset;
	sample->ordinal = index->events;
	return GTRACE_OK;
}

/* An event of any kind, whose number of values is right. */
static enum gtrace_status take_event(struct first_pass *pass,
				     const struct record *record)
{
	struct index *index = pass->index;
	const struct rules *rules = &index->rules;
	const struct rule *rule = &rules->by_type[record->type];

	if (rule->text == TEXT_STW_REASON && rule->args != 0 &&
	    rules->version < VERSION_STW_NAMES &&
	    record->values[rules->deltas] > 1) {
		FAULT(pass, GTRACE_ERROR_ARGS, record,
		      "unknown STW kind %" PRIu64,
		      record->values[rules->deltas]);
		return GTRACE_OK;
	}
	index->events++;
	if (record->type == EV_FUTILE_WAKEUP)
		index->futile = true;
	if (record->type == EV_CPU_SAMPLE)
		return take_sample(pass, record);
	return GTRACE_OK;
}

static enum gtrace_status take(struct first_pass *pass,
			       const struct record *record)
{
	const struct rules *rules = &pass->index->rules;
	const struct rule *rule = &rules->by_type[record->type];

	if (record->type == EV_STRING)
		return GTRACE_OK;
	if (record->type == EV_STACK)
		return take_stack(pass, record);
	if (record->count != rule->values) {
		FAULT(pass, GTRACE_ERROR_ARGS, record,
		      "%s has wrong number of arguments at offset 0x%zx: "
		      "want %u, got %zu",
		      gti_event_name(record->type, rules->version),
		      record->offset, rule->values, record->count);
		return GTRACE_OK;
	}
	switch (record->type) {
	case EV_BATCH:
		return take_batch(pass, record);
	case EV_FREQUENCY:
		take_frequency(pass, record);
		return GTRACE_OK;
	case EV_TIMER_GOROUTINE:
		return take_timer(pass, record);
	default:
		return take_event(pass, record);
	}
}

/* ------------------------------------------------------------------ pass -- */

#define TOP_BITS 0x8080808080808080u

/* A first byte and eight bytes of values are looked at without a check. */
#define PLAIN_MARGIN (1 + 8)

/* A first byte, a length and this many bytes of values likewise. */
#define SIZED_BYTES_MAX 16
#define SIZED_MARGIN    (2 + SIZED_BYTES_MAX)

_Static_assert(PLAIN_MARGIN <= SIZED_MARGIN, "one margin serves both");

/* How many of the eight bytes, given by their top bits, are set. */
static inline unsigned count_tops(uint64_t tops)
{
	return (unsigned)(((tops >> 7) * 0x0101010101010101u) >> 56);
}

/*
 * The size of a record of four to six values behind its length, at P, if it
 * is an event that needs only counting and is as it should be; otherwise 0.
 */
static inline size_t plain_sized(const struct rules *rules, const uint8_t *p)
{
	const struct rule *rule = &rules->by_type[p[0] & (EVENT_TYPES - 1)];
	unsigned size = p[1];
	uint64_t low, high;

	if (!rule->plain || size > SIZED_BYTES_MAX || size < rule->values)
		return 0;
	/* The longest value, if all others had one byte, is not too long. */
	if (size - rule->values + 1u > LEB128_BYTES_MAX)
		return 0;
	if (p[1 + size] >= 0x80)
		return 0;
	low = ~load64(p + 2) & TOP_BITS;
	high = ~load64(p + 10) & TOP_BITS;
	if (size <= 8) {
		high = 0;
		low = size == 8 ? low : low & (((uint64_t)1 << 8 * size) - 1);
	} else if (size < 16) {
		high &= ((uint64_t)1 << 8 * (size - 8)) - 1;
	}
	return count_tops(low) + count_tops(high) == rule->values ? 2 + size
								  : 0;
}

/*
 * The size of a plain event of VALUES values, of which ENDS has the top bits
 * of the bytes that end one. 0: it is longer than eight bytes.
 */
static NOINLINE size_t plain_size(uint64_t ends, unsigned values)
{
	while (--values > 0)
		ends &= ends - 1;
	return ends != 0 ? 2 + lowest_bit(ends) / 8 : 0;
}

/*
 * Moves P over a plain event of VALUES values, a constant, and goes on with the
 * loop around it; or goes on below if the event is not of a common size.
 *
 * Most values have one byte, or the first of a record has two. These sizes are
 * branched on, so that the processor can go on with the next record before it
 * has seen this one; to compute them would make it wait.
 */
#define SKIP_COMMON(values)                                                    \
	do {                                                                   \
		const uint64_t short_ones = TOP_BITS >> (64 - 8 * (values));   \
                                                                               \
		if ((tops & short_ones) == 0) {                                \
			p += 1 + (values);                                     \
			goto counted;                                          \
		}                                                              \
		if ((tops & (short_ones << 8 | 0x80)) == 0x80) {               \
			p += 2 + (values);                                     \
			goto counted;                                          \
		}                                                              \
	} while (0)

/*
 * Counts events from P on as long as they are plain. Returns where it stopped,
 * which may be at once; END is the end of the file.
 */
static NOINLINE HOT const uint8_t *skip_plain(const struct rules *rules,
					      const uint8_t *p,
					      const uint8_t *end,
					      uint64_t *events)
{
	uint64_t count = 0;

	while (end - p >= SIZED_MARGIN) {
		unsigned values = rules->plain_values[*p];
		uint64_t tops = load64(p + 1) & TOP_BITS;
		size_t size;

		if (values == 2) {
			SKIP_COMMON(2);
		} else if (values == 1) {
			SKIP_COMMON(1);
		} else if (values == 3) {
			SKIP_COMMON(3);
		}
		if (values != 0)
			size = plain_size(~tops & TOP_BITS, values);
		else
			size = *p >= SIZED_FIRST_BYTE ? plain_sized(rules, p)
						      : 0;
		if (UNLIKELY(size == 0))
			break;
		p += size;
	counted:
		count++;
	}
	*events += count;
	return p;
}

static void release_pages(struct first_pass *pass)
{
	size_t offset = pass->reader.offset;

	if (offset - pass->released < RELEASE_STEP)
		return;
	gti_input_done_with(pass->index->input, pass->released, offset);
	pass->released = offset;
}

/* In partial mode: the trace ends before the record at OFFSET. */
static enum gtrace_status end_at(struct first_pass *pass, size_t offset,
				 const struct gtrace_error *fault)
{
	pass->left_out->reason = *fault;
	pass->left_out->offset = offset;
	pass->fault_status = GTRACE_OK;
	pass->index->size = offset;
	return GTRACE_OK;
}

/*
 * Reads all records. After a fault in arguments, later records are read only
 * for a broken one among them, which would be the fault to report.
 */
static enum gtrace_status read_records(struct first_pass *pass)
{
	struct index *index = pass->index;
	struct reader *reader = &pass->reader;
	const uint8_t *end = index->data + index->size;
	bool skip = index->rules.deltas == 1;
	struct record record;
	enum gtrace_status status;

	for (;;) {
		if (skip && pass->fault_status == GTRACE_OK)
			reader->offset =
				(size_t)(skip_plain(&index->rules,
						    index->data +
							    reader->offset,
						    end, &index->events) -
					 index->data);
		release_pages(pass);
		status = gti_record_read(reader, &record);
		if (status == GTRACE_ERROR_RECORD && pass->left_out != NULL)
			return end_at(pass, record.offset, reader->error);
		if (status != GTRACE_OK || record.type == EV_NONE)
			return status;
		if (pass->fault_status == GTRACE_OK)
			status = take(pass, &record);
		if (status != GTRACE_OK)
			return status;
		if (pass->fault_status != GTRACE_OK && pass->left_out != NULL)
			return end_at(pass, record.offset, &pass->fault);
	}
}

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static enum gtrace_status finish(struct first_pass *pass)
{
	struct index *index = pass->index;

	if (pass->fault_status != GTRACE_OK) {
		if (pass->error != NULL)
			*pass->error = pass->fault;
		return pass->fault_status;
	}
	if (index->events == 0)
		return gti_fail(pass->error, GTRACE_ERROR_EMPTY, index->size,
				"trace is empty");
	if (index->ticks_per_second == 0)
		return gti_fail(pass->error, GTRACE_ERROR_EMPTY, index->size,
				"no EvFrequency event");
	gti_sort_heap(index->samples.items, index->samples.count,
		      sizeof(struct sample), compare_samples);
	return close_batch(pass, index->size);
}

enum gtrace_status gti_index_init(struct index *index, struct input *input,
				  struct left_out *left_out,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error)
{
	struct gtrace_error fault;
	struct first_pass pass = {
		.index = index, .error = error, .left_out = left_out};
	enum gtrace_status status;
	unsigned version;

	*index = (struct index){
		.data = input->data,
		.size = input->size,
		.input = input,
		.memory = *memory,
	};
	status = gti_header_read(input->data, input->size, &version, error);
	if (status != GTRACE_OK)
		return status;
	gti_rules_init(&index->rules, version);
	pass.reader = (struct reader){
		.data = input->data,
		.size = input->size,
		.offset = HEADER_SIZE,
		.rules = &index->rules,
		.strings = &index->strings,
		.memory = &index->memory,
		.error = left_out != NULL ? &fault : error,
	};
	pass.head = (struct batch){
		.first = HEADER_SIZE,
		.stream = SLOT_NONE,
		.next = BATCH_NONE,
	};
	status = read_records(&pass);
	if (status == GTRACE_OK)
		status = finish(&pass);
	else if (left_out != NULL)
		gti_fail_memory(error);
	if (status != GTRACE_OK) {
		gti_index_free(index);
		return status;
	}
	gti_array_fit(&index->batches, sizeof(struct batch), memory);
	gti_array_fit(&index->streams, sizeof(struct stream), memory);
	gti_array_fit(&index->samples, sizeof(struct sample), memory);
	return GTRACE_OK;
}

void gti_index_free(struct index *index)
{
	const struct gtrace_allocator *memory = &index->memory;

	if (memory->release == NULL)
		return;
	gti_dictionary_free(&index->strings, memory);
	gti_dictionary_free(&index->stacks, memory);
	gti_array_free(&index->batches, sizeof(struct batch), memory);
	gti_array_free(&index->streams, sizeof(struct stream), memory);
	gti_array_free(&index->samples, sizeof(struct sample), memory);
	gti_map_free(&index->stream_of_p, memory);
	gti_map_free(&index->timer_goroutines, memory);
	index->memory = (struct gtrace_allocator){0};
}
