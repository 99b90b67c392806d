/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz.h - what the fuzz targets share. */
#ifndef GTRACE_FUZZ_FUZZ_H_
#define GTRACE_FUZZ_FUZZ_H_

#include <stdint.h>
#include <stdlib.h>

/* What a report prints beyond this is not looked at. */
#define TEXT_LIMIT ((size_t)1 << 20)

/* The entry that libFuzzer and replay.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding, if not. */
static inline void check(int holds)
{
	if (!holds)
		abort();
}

/* A sum over all that was printed; add() is for a struct gtrace_output. */
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
	/* An end that is not the trace's fault. */
	return sum->size > TEXT_LIMIT ? 1 : 0;
}

#endif /* GTRACE_FUZZ_FUZZ_H_ */
