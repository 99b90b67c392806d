/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.c - reads the headers of batches. */
#include "v2/batch.h"

#include <inttypes.h>

#include "base/compiler.h"
#include "base/fail.h"
#include "base/leb128.h"
#include "v2/table.h"

static enum batch_status bad(struct gtrace_error *error, uint64_t offset,
			     const char *field, enum leb128_status status)
{
	if (status == LEB128_CUT_OFF)
		gti_fail(error, GTRACE_ERROR_CUT_OFF, offset,
			 "the %s of a batch is cut off by the end of the file",
			 field);
	else
		gti_fail(error, GTRACE_ERROR_RECORD, offset,
			 "the %s of a batch does not fit into 64 bits", field);
	return BATCH_BAD;
}

/* The kind of a batch that is not of an experiment, by its first data byte. */
static enum batch_kind kind_of(const struct source *source,
			       const struct batch *batch)
{
	if (batch->size == 0)
		return BATCH_EVENTS;
	switch (source->data[batch->data]) {
	case BYTE_STRINGS:
		return BATCH_STRINGS;
	case BYTE_STACKS:
		return BATCH_STACKS;
	case BYTE_CPU_SAMPLES:
		return BATCH_SAMPLES;
	case BYTE_FREQUENCY:
		return source->version < VERSION_GO_1_25 ? BATCH_SYNC
							 : BATCH_EVENTS;
	case BYTE_SYNC_BATCH:
		return source->version < VERSION_GO_1_25 ? BATCH_EVENTS
							 : BATCH_SYNC;
	case BYTE_END_OF_GENERATION:
		return BATCH_END;
	default:
		return BATCH_EVENTS;
	}
}

bool gti_v2_source_reaches(struct source *source, uint64_t offset)
{
	if (LIKELY(offset < source->size))
		return true;
	if (source->input == NULL)
		return false;
	gti_input_reach(source->input, (size_t)offset + 1);
	source->size = source->input->size;
	return offset < source->size;
}

/* Reads the header after the type byte and the experiment. */
static enum batch_status read_header(const struct source *source,
				     const uint8_t *p, struct batch *batch,
				     struct gtrace_error *error)
{
	static const char *const names[] = {"generation", "thread", "time",
					    "size"};
	const uint8_t *end = source->data + source->size;
	uint64_t values[4];
	unsigned i;

	for (i = 0; i < 4; i++) {
		enum leb128_status status = leb128_read(&p, end, &values[i]);

		if (status != LEB128_GOOD)
			return bad(error, (uint64_t)(p - source->data),
				   names[i], status);
	}
	batch->generation = values[0];
	batch->m = (int64_t)values[1];
	batch->time = values[2];
	if (values[3] > BATCH_SIZE_MAX) {
		gti_fail(error, GTRACE_ERROR_RECORD, batch->offset,
			 "a batch of %" PRIu64 " bytes, more than %d",
			 values[3], BATCH_SIZE_MAX);
		return BATCH_BAD;
	}
	batch->data = (uint64_t)(p - source->data);
	batch->size = (uint32_t)values[3];
	if (source->size - batch->data < batch->size) {
		gti_fail(error, GTRACE_ERROR_CUT_OFF, batch->offset,
			 "a batch is cut off by the end of the file: %" PRIu64
			 " of %" PRIu32 " bytes",
			 source->size - batch->data, batch->size);
		return BATCH_BAD;
	}
	return BATCH_READ;
}

/* gti_v2_batch_read() of what has come. */
static enum batch_status read_batch(const struct source *source,
				    uint64_t offset, struct batch *batch,
				    struct gtrace_error *error)
{
	const uint8_t *p = source->data + offset;
	const uint8_t *end = source->data + source->size;
	enum batch_status status;
	uint8_t experiment = 0;
	uint8_t byte;

	*batch = (struct batch){.offset = offset};
	if (p == end)
		return BATCH_NONE;
	byte = *p++;
	if (byte == BYTE_END_OF_GENERATION) {
		batch->kind = BATCH_END;
		batch->m = -1;
		batch->data = offset;
		batch->size = 1;
		return BATCH_READ;
	}
	if (byte != BYTE_BATCH && byte != BYTE_EXPERIMENTAL_BATCH) {
		gti_fail(error, GTRACE_ERROR_RECORD, offset,
			 "a batch begins with type byte %u", byte);
		return BATCH_BAD;
	}
	if (byte == BYTE_EXPERIMENTAL_BATCH) {
		if (p == end)
			return BATCH_NONE;
		experiment = *p++;
	}
	status = read_header(source, p, batch, error);
	if (status == BATCH_READ)
		batch->kind = experiment != 0 ? BATCH_EXPERIMENT
					      : kind_of(source, batch);
	return status;
}

/* Waits for more of a batch that is cut off. Returns false if none comes. */
static bool wait_for(struct source *source, const struct batch *batch)
{
	uint64_t size = source->size;

	/* Where its header is, it is known how much there is to come. */
	gti_v2_source_reaches(source,
			      batch->data != 0 ? batch_end(batch) - 1 : size);
	return source->size > size;
}

enum batch_status gti_v2_batch_read(struct source *source, uint64_t offset,
				    struct batch *batch,
				    struct gtrace_error *error)
{
	enum batch_status status;
	struct gtrace_error fault;

	do
		status = read_batch(source, offset, batch, &fault);
	while ((status == BATCH_NONE ||
		(status == BATCH_BAD &&
		 fault.status == GTRACE_ERROR_CUT_OFF)) &&
	       source->input != NULL && wait_for(source, batch));
	/* Until all of the batch had come it was none. */
	if (status == BATCH_BAD && error != NULL)
		*error = fault;
	return status;
}
