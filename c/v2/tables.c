/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - the batches of a generation that hold no events: strings, stacks,
 * CPU samples, and the clock.
 */
#include <inttypes.h>

#include "base/fail.h"
#include "base/leb128.h"
#include "v2/clock.h"
#include "v2/generation.h"
#include "v2/table.h"

/* Reads the records of a batch one after the other. */
struct records {
	const struct source *source;
	const uint8_t *record; /* the one being read */
	uint8_t type;          /* of it */
	const uint8_t *p;
	const uint8_t *end;
	struct gtrace_error *error;
};

static struct records records_of(const struct generation *generation,
				 const struct batch *batch,
				 struct gtrace_error *error)
{
	const uint8_t *data = generation->source->data + batch->data;
	struct records records = {
		.source = generation->source,
		.record = data,
		.p = data,
		.end = data + batch->size,
		.error = error,
	};

	return records;
}

static uint64_t offset_in(const struct records *records, const uint8_t *p)
{
	return (uint64_t)(p - records->source->data);
}

static const char *record_name(const struct records *records)
{
	return gti_v2_lines[records->type].name;
}

/* Reads the value FIELD of a record. Fills the error if that fails. */
static bool read_value(struct records *records, const char *field,
		       uint64_t *value)
{
	const uint8_t *first = records->p;
	enum leb128_status status;
	bool bad = false;

	if (LIKELY(records->end - first >= LEB128_BYTES_MAX)) {
		bad = !leb128_easy(&records->p, value);
		if (LIKELY(!bad))
			return true;
		records->p = first;
	}
	status = leb128_read(&records->p, records->end, value);
	if (status == LEB128_GOOD)
		return true;
	gti_fail(records->error, GTRACE_ERROR_RECORD,
		 offset_in(records, records->record),
		 "the %s of a %s record %s", field, record_name(records),
		 status == LEB128_CUT_OFF ? "is cut off by the end of its batch"
					  : "does not fit into 64 bits");
	return false;
}

/* Begins the next record, which must be of the type TYPE. */
static bool begin_record(struct records *records, uint8_t type)
{
	uint8_t found = *records->p;

	records->record = records->p++;
	records->type = type;
	if (LIKELY(found == type))
		return true;
	gti_fail(records->error, GTRACE_ERROR_RECORD,
		 offset_in(records, records->record),
		 "type byte %u among %s records", found, record_name(records));
	return false;
}

/* Enters VALUE, which is not 0, under ID. */
static enum gtrace_status enter(struct generation *generation,
				struct dictionary *dictionary,
				const struct records *records, uint64_t id,
				uint64_t value)
{
	if (UNLIKELY(id == 0 || dictionary_get(dictionary, id) != 0))
		return gti_fail(records->error, GTRACE_ERROR_RECORD,
				offset_in(records, records->record),
				"a second %s record with the id %" PRIu64,
				record_name(records), id);
	if (UNLIKELY(!gti_dictionary_set(dictionary, id, value,
					 generation->memory)))
		return gti_fail_memory(records->error);
	return GTRACE_OK;
}

/* --------------------------------------------------------------- strings -- */

enum gtrace_status gti_v2_add_strings(struct generation *generation,
				      const struct batch *batch,
				      struct gtrace_error *error)
{
	struct records records = records_of(generation, batch, error);
	enum gtrace_status status = GTRACE_OK;

	records.p++; /* the type byte of the batch */
	while (status == GTRACE_OK && records.p != records.end) {
		uint64_t id, length, offset;

		if (!begin_record(&records, BYTE_STRING) ||
		    !read_value(&records, "id", &id))
			return GTRACE_ERROR_RECORD;
		offset = offset_in(&records, records.p);
		if (!read_value(&records, "length", &length))
			return GTRACE_ERROR_RECORD;
		if (length > STRING_SIZE_MAX)
			return gti_fail(error, GTRACE_ERROR_RECORD,
					offset_in(&records, records.record),
					"a string of %" PRIu64
					" bytes, more than %d",
					length, STRING_SIZE_MAX);
		if (length > (uint64_t)(records.end - records.p))
			return gti_fail(error, GTRACE_ERROR_RECORD,
					offset_in(&records, records.record),
					"a string is cut off by the end of its "
					"batch");
		records.p += length;
		status = enter(generation, &generation->strings, &records, id,
			       offset);
	}
	return status;
}

/* ---------------------------------------------------------------- stacks -- */

struct frame {
	uint64_t offset;
	uint64_t pc;
	uint64_t function; /* id of a string */
	uint64_t file;     /* id of a string */
};

#define FRAME_VALUES 4

/* Reads the next frame. Fills the error if that fails. */
static bool read_frame(struct records *records, struct frame *frame)
{
	const uint8_t *p = records->p;
	bool bad = false;
	uint64_t line;

	frame->offset = offset_in(records, p);
	if (LIKELY(records->end - p >= FRAME_VALUES * LEB128_BYTES_MAX)) {
		bad = !leb128_easy(&p, &frame->pc) ||
		      !leb128_easy(&p, &frame->function) ||
		      !leb128_easy(&p, &frame->file) || !leb128_easy(&p, &line);
		if (LIKELY(!bad)) {
			records->p = p;
			return true;
		}
	}
	return read_value(records, "program counter", &frame->pc) &&
	       read_value(records, "function", &frame->function) &&
	       read_value(records, "file", &frame->file) &&
	       read_value(records, "line", &line);
}

/* Raises greatest_text to the string ids in FRAME. */
static void note_texts(struct generation *generation, const struct frame *frame)
{
	if (frame->function > generation->greatest_text)
		generation->greatest_text = frame->function;
	if (frame->file > generation->greatest_text)
		generation->greatest_text = frame->file;
}

/*
 * Enters FRAME, unless its program counter is there. Sets *ENTERED to whether
 * it did. Returns false if there is no memory.
 */
static bool enter_frame(struct generation *generation,
			const struct frame *frame, bool *entered)
{
	uint64_t *place =
		gti_map_put(&generation->frames, frame->pc, generation->memory);

	if (place == NULL)
		return false;
	*entered = *place == 0;
	if (*entered)
		*place = frame->offset;
	return true;
}

/* Reads the COUNT frames of a stack. */
static enum gtrace_status add_frames(struct generation *generation,
				     struct records *records, uint64_t count)
{
	struct frame frame;
	bool entered;

	for (; count > 0; count--) {
		if (!read_frame(records, &frame))
			return GTRACE_ERROR_RECORD;
		note_texts(generation, &frame);
		if (generation->wants_frames &&
		    !enter_frame(generation, &frame, &entered))
			return gti_fail_memory(records->error);
	}
	return GTRACE_OK;
}

enum gtrace_status gti_v2_add_stacks(struct generation *generation,
				     const struct batch *batch,
				     struct gtrace_error *error)
{
	struct records records = records_of(generation, batch, error);
	enum gtrace_status status = GTRACE_OK;

	records.p++;
	while (status == GTRACE_OK && records.p != records.end) {
		uint64_t id, count, offset;

		if (!begin_record(&records, BYTE_STACK))
			return GTRACE_ERROR_RECORD;
		offset = offset_in(&records, records.p);
		if (!read_value(&records, "id", &id) ||
		    !read_value(&records, "number of frames", &count))
			return GTRACE_ERROR_RECORD;
		if (count > STACK_FRAMES_MAX)
			return gti_fail(error, GTRACE_ERROR_RECORD,
					offset_in(&records, records.record),
					"a stack of %" PRIu64
					" frames, more than %d",
					count, STACK_FRAMES_MAX);
		status = add_frames(generation, &records, count);
		if (status != GTRACE_OK)
			return status;
		status =
			enter(generation, &generation->stacks, &records, id,
			      offset * 2 + (count != 0 ? STACK_HAS_FRAMES : 0));
	}
	return status;
}

/* Whether all ids up to the greatest one that a frame names are strings. */
static bool strings_are_dense(const struct generation *generation)
{
	const struct dictionary *strings = &generation->strings;
	uint64_t id;

	if (generation->greatest_text >= strings->dense_size)
		return generation->greatest_text == 0;
	for (id = 1; id <= generation->greatest_text; id++)
		if (strings->dense[id] == 0)
			return false;
	return true;
}

/*
 * Enters the frames of the stacks of a batch that was read before without an
 * error, unless their program counters are there. With CHECK, checks the
 * strings of those that it enters.
 */
static enum gtrace_status enter_frames(struct generation *generation,
				       const struct batch *batch, bool check,
				       struct gtrace_error *error)
{
	struct records records = records_of(generation, batch, error);
	struct frame frame;
	uint64_t id, count;
	bool entered;

	records.p++;
	while (records.p != records.end) {
		if (!begin_record(&records, BYTE_STACK) ||
		    !read_value(&records, "id", &id) ||
		    !read_value(&records, "number of frames", &count))
			return GTRACE_ERROR_RECORD;
		for (; count > 0; count--) {
			if (!read_frame(&records, &frame))
				return GTRACE_ERROR_RECORD;
			if (!enter_frame(generation, &frame, &entered))
				return gti_fail_memory(error);
			if (check && entered &&
			    (!generation_has_string(generation,
						    frame.function) ||
			     !generation_has_string(generation, frame.file)))
				return gti_fail(
					error, GTRACE_ERROR_RECORD,
					offset_in(&records, records.record),
					"a frame of stack %" PRIu64
					" names a string that its generation "
					"does not have",
					id);
		}
	}
	return GTRACE_OK;
}

static enum gtrace_status find_frames(struct generation *generation, bool check,
				      struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	uint64_t offset = generation->begin;
	struct batch batch;

	if (generation->frames_known)
		return GTRACE_OK;
	while (status == GTRACE_OK && offset < generation->end &&
	       gti_v2_batch_read(generation->source, offset, &batch, error) ==
		       BATCH_READ) {
		if (batch.kind == BATCH_STACKS)
			status = enter_frames(generation, &batch, check, error);
		offset = batch_end(&batch);
	}
	generation->frames_known = status != GTRACE_ERROR_MEMORY;
	return status;
}

enum gtrace_status gti_v2_check_frames(struct generation *generation,
				       struct gtrace_error *error)
{
	if (generation->only_tables || LIKELY(strings_are_dense(generation))) {
		generation->frames_known = generation->wants_frames;
		return GTRACE_OK;
	}
	gti_map_free(&generation->frames, generation->memory);
	return find_frames(generation, true, error);
}

bool gti_v2_generation_find_frames(struct generation *generation)
{
	/* Other errors come from a file that was changed meanwhile. */
	return find_frames(generation, false, NULL) != GTRACE_ERROR_MEMORY;
}

/* --------------------------------------------------------------- samples -- */

enum gtrace_status gti_v2_add_samples(struct generation *generation,
				      const struct batch *batch,
				      struct gtrace_error *error)
{
	static const char *const fields[] = {"time", "thread", "processor",
					     "goroutine", "stack"};
	struct records records = records_of(generation, batch, error);
	struct sample *sample;
	uint64_t values[5];
	unsigned i;

	records.p++;
	while (records.p != records.end) {
		if (!begin_record(&records, BYTE_CPU_SAMPLE))
			return GTRACE_ERROR_RECORD;
		for (i = 0; i < 5; i++)
			if (!read_value(&records, fields[i], &values[i]))
				return GTRACE_ERROR_RECORD;
		if (!gti_array_reserve(&generation->samples, sizeof(*sample),
				       generation->memory))
			return gti_fail_memory(error);
		sample = (struct sample *)generation->samples.items +
			 generation->samples.count++;
		sample->ticks = values[0];
		sample->offset = offset_in(&records, records.record);
	}
	return GTRACE_OK;
}

/* ----------------------------------------------------------------- clock -- */

static enum gtrace_status add_frequency(struct generation *generation,
					struct records *records)
{
	uint64_t frequency;

	if (generation->has_frequency)
		return gti_fail(records->error, GTRACE_ERROR_RECORD,
				offset_in(records, records->record),
				"a second Frequency record in a generation");
	if (!read_value(records, "frequency", &frequency))
		return GTRACE_ERROR_RECORD;
	generation->has_frequency = true;
	generation->ns_per_tick = clock_rate(frequency);
	return GTRACE_OK;
}

/* SECONDS and NANOSECONDS since 1970, of a time that a clock can have. */
static int64_t wall_of(uint64_t seconds, uint64_t nanoseconds)
{
	const uint64_t most = (uint64_t)INT64_MAX / 1000000000;

	if (seconds >= most || nanoseconds >= 1000000000)
		return INT64_MIN;
	return (int64_t)(seconds * 1000000000 + nanoseconds);
}

/* A snapshot of the clocks in BATCH. */
static enum gtrace_status add_snapshot(struct generation *generation,
				       const struct batch *batch,
				       struct records *records)
{
	static const char *const fields[] = {"time", "monotonic time",
					     "seconds", "nanoseconds"};
	uint64_t values[4];
	unsigned i;

	if (generation->has_snapshot)
		return gti_fail(records->error, GTRACE_ERROR_RECORD,
				offset_in(records, records->record),
				"a second ClockSnapshot record in a "
				"generation");
	for (i = 0; i < 4; i++)
		if (!read_value(records, fields[i], &values[i]))
			return GTRACE_ERROR_RECORD;
	generation->snapshot = batch->time + values[0];
	generation->monotonic = values[1];
	generation->wall = wall_of(values[2], values[3]);
	generation->has_snapshot = true;
	return GTRACE_OK;
}

enum gtrace_status gti_v2_add_sync(struct generation *generation,
				   const struct batch *batch,
				   struct gtrace_error *error)
{
	bool old = generation->source->version < VERSION_GO_1_25;
	struct records records = records_of(generation, batch, error);
	enum gtrace_status status = GTRACE_OK;

	/* Before 1.25 the batch has no type byte of its own. */
	if (!old)
		records.p++;
	while (status == GTRACE_OK && records.p != records.end) {
		uint8_t type = *records.p;

		records.record = records.p++;
		records.type = type;
		if (type == BYTE_FREQUENCY)
			status = add_frequency(generation, &records);
		else if (type == BYTE_CLOCK_SNAPSHOT && !old)
			status = add_snapshot(generation, batch, &records);
		else
			status = gti_fail(error, GTRACE_ERROR_RECORD,
					  offset_in(&records, records.record),
					  "type byte %u in the batch of the "
					  "clock",
					  type);
	}
	return status;
}
