/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.h - memory whose use is counted, and which may run out. And a place
 * for reports that only their size matters of.
 */
#ifndef GTRACE_TESTS_COUNTED_H_
#define GTRACE_TESTS_COUNTED_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gtrace/gtrace.h>

struct counted {
	size_t left; /* allocations until there is no memory */
	size_t blocks;
	size_t bytes;
	size_t peak;    /* of the bytes */
	size_t refused; /* allocations */
};

static inline void *counted_allocate(void *context, size_t size)
{
	struct counted *counted = context;

	if (counted->left == 0) {
		counted->refused++;
		return NULL;
	}
	counted->left--;
	counted->blocks++;
	counted->bytes += size;
	if (counted->bytes > counted->peak)
		counted->peak = counted->bytes;
	return malloc(size);
}

static inline void counted_release(void *context, void *memory, size_t size)
{
	struct counted *counted = context;

	counted->blocks--;
	counted->bytes -= size;
	free(memory);
}

/* Both blocks count: not every allocator can grow one in its place. */
static inline void *counted_resize(void *context, void *memory, size_t old_size,
				   size_t new_size)
{
	void *new = counted_allocate(context, new_size);

	if (new != NULL && memory != NULL) {
		memcpy(new, memory, old_size < new_size ? old_size : new_size);
		counted_release(context, memory, old_size);
	}
	return new;
}

/* An allocator that uses COUNTED. */
static inline struct gtrace_allocator counted_allocator(struct counted *counted)
{
	struct gtrace_allocator allocator = {counted_allocate, counted_resize,
					     counted_release, counted};

	return allocator;
}

/* Adds up in *CONTEXT, a size_t, how much is written. */
static inline int counted_write(void *context, const void *data, size_t size)
{
	(void)data;
	*(size_t *)context += size;
	return 0;
}

#endif /* GTRACE_TESTS_COUNTED_H_ */
