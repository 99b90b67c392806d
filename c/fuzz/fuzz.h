/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz.h - what the fuzz targets share. */
#ifndef GTRACE_FUZZ_FUZZ_H_
#define GTRACE_FUZZ_FUZZ_H_

#include <stdint.h>
#include <stdlib.h>

/* Reports are cut off after this many bytes. */
#define TEXT_LIMIT ((size_t)1 << 20)

/* The entry that libFuzzer and replay.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding, unless HOLDS. */
static inline void check(int holds)
{
	if (!holds)
		abort();
}

/* A checksum of what was printed; add() is for a struct gtrace_output. */
struct sum {
	uint64_t value;
	size_t size;
};

static inline int add(void *context, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	struct sum *sum = context;
	size_t i;

	for (i = 0; i < size; i++)
		sum->value = (sum->value ^ bytes[i]) * 0x100000001b3u;
	sum->size += size;
	/* Reported as GTRACE_ERROR_WRITE, not as a fault of the trace. */
	return sum->size > TEXT_LIMIT ? 1 : 0;
}

#endif /* GTRACE_FUZZ_FUZZ_H_ */
