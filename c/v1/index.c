/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.c - the first pass.
 *
 * Nearly all records are events that only have to be counted (skip.c). All
 * others are read by gti_record_read().
 *
 * The reference reads all records before it checks the arguments of any. Here
 * both is done in one pass. So the first fault in arguments is kept, and it is
 * reported only if no later record is broken.
 */
#include "v1/index.h"

#include <inttypes.h>

#include "base/fail.h"
#include "base/sort.h"
#include "v1/lookup.h"

/* Pages of the file are released each time this many bytes were read. */
#define RELEASE_STEP ((size_t)4 << 20)

struct first_pass {
	struct index *index;
	struct reader reader;
	struct gtrace_error *error;
	struct batch batch; /* the current one */
	size_t released;    /* the file up to here was given back */
	/* The first fault in arguments. GTRACE_OK: none yet. */
	struct gtrace_error fault;
	struct left_out *left_out; /* not NULL: partial mode */
};

/* --------------------------------------------------------------- batches -- */

uint32_t gti_index_stream_of(const struct index *index, int64_t p)
{
	const uint64_t *number = gti_map_get(&index->stream_of_p, (uint64_t)p);

	return number != NULL ? (uint32_t)*number : SLOT_NONE;
}

uint32_t gti_index_slot_of(const struct index *index, int64_t p)
{
	uint32_t number = gti_index_stream_of(index, p);

	return number != SLOT_NONE ? number : (uint32_t)index->streams.count;
}

/*
 * Returns the number of the stream of processor P, which is added if it is new.
 * SLOT_NONE: there is no memory.
 */
static uint32_t find_stream(struct index *index, int64_t p)
{
	uint32_t number = gti_index_stream_of(index, p);
	struct batches *streams;
	uint64_t *added;

	if (number != SLOT_NONE)
		return number;
	if (index->streams.count >= BATCH_NONE ||
	    !gti_array_reserve(&index->streams, sizeof(struct batches),
			       &index->memory))
		return SLOT_NONE;
	added = gti_map_put(&index->stream_of_p, (uint64_t)p, &index->memory);
	if (added == NULL)
		return SLOT_NONE;
	number = (uint32_t)index->streams.count++;
	*added = number;
	streams = index->streams.items;
	streams[number] = (struct batches){p, BATCH_NONE, BATCH_NONE};
	return number;
}

/*
 * Adds the current batch, which ends at END, if it holds events. Returns false,
 * as the functions below do, if there is no memory.
 */
static bool close_batch(struct first_pass *pass, size_t end)
{
	struct index *index = pass->index;
	struct batches *stream;
	struct batch *batches;
	uint32_t number;

	if (index->events == pass->batch.ordinal)
		return true;
	/* Events before the first Batch record are of processor 0. */
	if (pass->batch.stream == SLOT_NONE)
		pass->batch.stream = find_stream(index, 0);
	if (pass->batch.stream == SLOT_NONE ||
	    index->batches.count >= BATCH_NONE ||
	    !gti_array_reserve(&index->batches, sizeof(struct batch),
			       &index->memory))
		return false;
	number = (uint32_t)index->batches.count++;
	batches = index->batches.items;
	pass->batch.end = end;
	batches[number] = pass->batch;
	stream = (struct batches *)index->streams.items + pass->batch.stream;
	if (stream->first == BATCH_NONE)
		stream->first = number;
	else
		batches[stream->last].next = number;
	stream->last = number;
	return true;
}

/* ------------------------------------------------------------- arguments -- */

static void check_stack_shape(struct first_pass *pass,
			      const struct record *record)
{
	bool old = pass->index->rules.version < VERSION_MERGED;
	uint64_t want;

	if (record->count < 2) {
		gti_fail(&pass->fault, GTRACE_ERROR_ARGS, record->offset,
			 "EvStack has wrong number of arguments at offset "
			 "0x%zx: want at least 2, got %zu",
			 record->offset, record->count);
		return;
	}
	if (record->values[1] > FRAMES_MAX) {
		gti_fail(&pass->fault, GTRACE_ERROR_ARGS, record->offset,
			 "EvStack has bad number of frames at offset 0x%zx: "
			 "%" PRIu64,
			 record->offset, record->values[1]);
		return;
	}
	want = 2 + (old ? 1 : 4) * record->values[1];
	if (record->count != want)
		gti_fail(&pass->fault, GTRACE_ERROR_ARGS, record->offset,
			 "EvStack has wrong number of arguments at offset "
			 "0x%zx: want %" PRIu64 ", got %zu",
			 record->offset, want, record->count);
}

static bool take_stack(struct first_pass *pass, const struct record *record)
{
	struct index *index = pass->index;

	check_stack_shape(pass, record);
	if (pass->fault.status != GTRACE_OK || record->values[0] == 0 ||
	    record->values[1] == 0)
		return true;
	return gti_dictionary_set(&index->stacks, record->values[0],
				  record->offset, &index->memory);
}

static bool take_batch(struct first_pass *pass, const struct record *record)
{
	struct index *index = pass->index;
	bool old = index->rules.version < VERSION_MERGED;

	if (!close_batch(pass, record->offset))
		return false;
	pass->batch = (struct batch){
		.first = pass->reader.offset,
		.ticks = (int64_t)record->values[old ? 2 : 1],
		.sequence = (int64_t)record->values[1],
		.ordinal = index->events,
		.stream = find_stream(index, (int64_t)record->values[0]),
		.next = BATCH_NONE,
	};
	return pass->batch.stream != SLOT_NONE;
}

static void take_frequency(struct first_pass *pass, const struct record *record)
{
	int64_t ticks_per_second = (int64_t)record->values[0];

	if (ticks_per_second > 0)
		pass->index->ticks_per_second = ticks_per_second;
	else
		gti_fail(&pass->fault, GTRACE_ERROR_ORDER, record->offset,
			 "time stamps out of order");
}

static bool take_timer(struct first_pass *pass, const struct record *record)
{
	struct index *index = pass->index;

	/* Before that, the last one counts, and goroutine 0 means none. */
	if (index->rules.version < VERSION_TIMERS) {
		gti_map_free(&index->timer_goroutines, &index->memory);
		if (record->values[0] == 0)
			return true;
	}
	index->timer_goroutine = record->values[0];
	return gti_map_put(&index->timer_goroutines, record->values[0],
			   &index->memory) != NULL;
}

static bool take_sample(struct first_pass *pass, const struct record *record)
{
	struct index *index = pass->index;
	struct sample *sample;

	if (!gti_array_reserve(&index->samples, sizeof(*sample),
			       &index->memory))
		return false;
	if (index->samples.count == 0)
		index->samples_before = (uint32_t)index->streams.count;
	sample = (struct sample *)index->samples.items + index->samples.count++;
	*sample = (struct sample){
		.at = {(int64_t)record->values[1], index->events},
		.offset = record->offset,
	};
	return true;
}

/* Adds an event with the right number of values. */
static bool take_event(struct first_pass *pass, const struct record *record)
{
	struct index *index = pass->index;
	const struct rules *rules = &index->rules;
	const struct rule *rule = &rules->by_type[record->type];

	if (rule->text == TEXT_STW_REASON && rule->args != 0 &&
	    rules->version < VERSION_STW_NAMES &&
	    record->values[rules->deltas] > 1) {
		gti_fail(&pass->fault, GTRACE_ERROR_ARGS, record->offset,
			 "unknown STW kind %" PRIu64,
			 record->values[rules->deltas]);
		return true;
	}
	index->events++;
	if (record->type == EV_FUTILE_WAKEUP)
		index->futile = true;
	if (record->type == EV_CPU_SAMPLE)
		return take_sample(pass, record);
	return true;
}

static bool take(struct first_pass *pass, const struct record *record)
{
	const struct rules *rules = &pass->index->rules;
	const struct rule *rule = &rules->by_type[record->type];

	if (record->type == EV_STRING)
		return true;
	if (record->type == EV_STACK)
		return take_stack(pass, record);
	if (record->count != rule->values) {
		gti_fail(&pass->fault, GTRACE_ERROR_ARGS, record->offset,
			 "%s has wrong number of arguments at offset 0x%zx: "
			 "want %u, got %zu",
			 gti_event_name(record->type, rules->version),
			 record->offset, rule->values, record->count);
		return true;
	}
	switch (record->type) {
	case EV_BATCH:
		return take_batch(pass, record);
	case EV_FREQUENCY:
		take_frequency(pass, record);
		return true;
	case EV_TIMER_GOROUTINE:
		return take_timer(pass, record);
	default:
		return take_event(pass, record);
	}
}

/* ------------------------------------------------------------------ pass -- */

static void release_pages(struct first_pass *pass)
{
	size_t offset = pass->reader.offset;

	if (offset - pass->released < RELEASE_STEP)
		return;
	gti_input_done_with(pass->index->input, pass->released, offset);
	progress_add(pass->index->input->progress, offset - pass->released);
	pass->released = offset;
}

/* In partial mode: ends the trace before the record at OFFSET. */
static enum gtrace_status end_at(struct first_pass *pass, size_t offset,
				 const struct gtrace_error *fault)
{
	pass->left_out->reason = *fault;
	pass->left_out->offset = offset;
	pass->fault.status = GTRACE_OK;
	pass->index->size = offset;
	return GTRACE_OK;
}

/*
 * Reads all records. After a fault in arguments it continues only to look for a
 * broken record, which would be the fault to report.
 */
static enum gtrace_status read_records(struct first_pass *pass)
{
	struct index *index = pass->index;
	struct reader *reader = &pass->reader;
	bool skip = index->rules.deltas == 1;
	struct record record;
	enum gtrace_status status;

	for (;;) {
		if (skip && pass->fault.status == GTRACE_OK)
			reader->offset = gti_skip_plain(
				index->rules.plain, index->data, reader->offset,
				index->size, &index->events);
		release_pages(pass);
		status = gti_record_read(reader, &record);
		if ((status == GTRACE_ERROR_RECORD ||
		     status == GTRACE_ERROR_CUT_OFF) &&
		    pass->left_out != NULL)
			return end_at(pass, record.offset, reader->error);
		if (status != GTRACE_OK || record.type == EV_NONE)
			return status;
		if (pass->fault.status == GTRACE_OK && !take(pass, &record))
			return gti_fail_memory(pass->error);
		if (pass->fault.status != GTRACE_OK && pass->left_out != NULL)
			return end_at(pass, record.offset, &pass->fault);
	}
}

int gti_compare_moments(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/*
 * All records have been read, and none of them is a frequency. In partial mode
 * it is FREQUENCY, or not known if that is 0.
 */
static enum gtrace_status lack_frequency(struct first_pass *pass,
					 int64_t frequency)
{
	struct left_out *left_out = pass->left_out;
	struct index *index = pass->index;

	gti_fail(pass->error, GTRACE_ERROR_CUT_OFF, index->size,
		 "no EvFrequency event");
	if (left_out == NULL)
		return pass->error->status;
	index->ticks_per_second = frequency;
	if (left_out->reason.status == GTRACE_OK) {
		left_out->reason = *pass->error;
		left_out->offset = index->size;
	}
	return GTRACE_OK;
}

static enum gtrace_status finish(struct first_pass *pass, int64_t frequency)
{
	struct index *index = pass->index;
	enum gtrace_status status;

	if (pass->fault.status != GTRACE_OK) {
		*pass->error = pass->fault;
		return pass->fault.status;
	}
	if (index->events == 0)
		return gti_fail(pass->error, GTRACE_ERROR_EMPTY, index->size,
				"trace is empty");
	if (index->ticks_per_second == 0) {
		status = lack_frequency(pass, frequency);
		if (status != GTRACE_OK)
			return status;
	}
	gti_sort(index->samples.items, index->samples.count,
		 sizeof(struct sample), gti_compare_moments);
	return close_batch(pass, index->size) ? GTRACE_OK
					      : gti_fail_memory(pass->error);
}

enum gtrace_status gti_index_init(struct index *index, struct input *input,
				  struct left_out *left_out, int64_t frequency,
				  const struct gtrace_allocator *memory,
				  struct gtrace_error *error)
{
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
	pass.reader = gti_lookup_reader(index, HEADER_SIZE);
	pass.reader.strings = &index->strings;
	pass.reader.memory = &index->memory;
	pass.reader.error = error;
	pass.batch = (struct batch){
		.first = HEADER_SIZE,
		.stream = SLOT_NONE,
		.next = BATCH_NONE,
	};
	status = read_records(&pass);
	if (status == GTRACE_OK)
		status = finish(&pass, frequency);
	if (status != GTRACE_OK)
		gti_index_free(index);
	return status;
}

void gti_index_free(struct index *index)
{
	const struct gtrace_allocator *memory = &index->memory;

	if (memory->release == NULL)
		return;
	gti_dictionary_free(&index->strings, memory);
	gti_dictionary_free(&index->stacks, memory);
	gti_array_free(&index->batches, sizeof(struct batch), memory);
	gti_array_free(&index->streams, sizeof(struct batches), memory);
	gti_array_free(&index->samples, sizeof(struct sample), memory);
	gti_map_free(&index->stream_of_p, memory);
	gti_map_free(&index->timer_goroutines, memory);
	index->memory = (struct gtrace_allocator){0};
}
