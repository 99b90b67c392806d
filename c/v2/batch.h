/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * batch.h - the batches that a trace of Go 1.22 and later consists of.
 *
 * A batch is a header (generation, thread, time, size) and its data. What kind
 * of batch it is depends on its first data byte. Nothing but the header and
 * that byte is read here.
 */
#ifndef GTRACE_V2_BATCH_H_
#define GTRACE_V2_BATCH_H_

#include <stdbool.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/input.h"
#include "base/progress.h"

/* The most data that a batch may have. */
#define BATCH_SIZE_MAX 65536

/* Versions in the header that change how a file is read. */
#define VERSION_GO_1_22 22
#define VERSION_GO_1_23 23
#define VERSION_GO_1_25 25
#define VERSION_GO_1_26 26

/* The file, as far as it has come, and what its header says. */
struct source {
	const uint8_t *data;
	uint64_t size;
	struct input *input; /* that they are of; NULL: not known */
	uint64_t first;      /* offset of the first batch */
	unsigned version;
	struct progress *progress; /* or NULL */
};

/*
 * Reads the header of the file, source->data and source->size, and sets the
 * rest of SOURCE. Fails with GTRACE_ERROR_HEADER if it is not that of a trace,
 * at the offset source->size if more bytes could complete it, and with
 * GTRACE_ERROR_VERSION if its version is none of Go 1.22 to 1.26.
 */
enum gtrace_status gti_v2_header_read(struct source *source,
				      struct gtrace_error *error);

enum batch_kind {
	BATCH_EVENTS,
	BATCH_STRINGS,
	BATCH_STACKS,
	BATCH_SAMPLES,
	BATCH_SYNC,
	BATCH_EXPERIMENT,
	BATCH_END, /* ends the generation */
};

struct batch {
	uint64_t offset; /* of its first byte */
	uint64_t data;   /* offset of its first data byte */
	uint32_t size;   /* of its data */
	enum batch_kind kind;
	uint64_t generation;
	int64_t m;
	uint64_t time; /* ticks */
};

/* The offset of the byte after BATCH. */
static inline uint64_t batch_end(const struct batch *batch)
{
	return batch->data + batch->size;
}

enum batch_status {
	BATCH_READ,
	BATCH_NONE, /* the file ends before a batch */
	BATCH_BAD,
};

/*
 * Whether SOURCE has a byte at OFFSET. Where more can come, waits for it.
 */
bool gti_v2_source_reaches(struct source *source, uint64_t offset);

/*
 * Reads the batch at OFFSET, which is not beyond the end of the file. Where
 * more can come, waits for all of the batch. Fills ERROR if the batch is bad.
 */
enum batch_status gti_v2_batch_read(struct source *source, uint64_t offset,
				    struct batch *batch,
				    struct gtrace_error *error);

#endif /* GTRACE_V2_BATCH_H_ */
