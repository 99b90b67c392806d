/* SPDX-License-Identifier: BSD-3-Clause */
/* apart.c - traces that copies of the command read. */
#include "tools/apart.h"

#if !HAS_THREADS

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/jobs.h"
#include "tools/start.h"

#define PAGE ((size_t)1 << 16)

/* So many addresses one trace has at most, and all together. */
#define REGION_MAX ((size_t)1 << 30)
#define ALL_MAX    ((size_t)2 << 30)
#define COUNT_MAX  1000

/*
 * Blocks of this size and more are few, and most are of a pass and not of what it
 * finds. They lie at the end of the addresses, one after the other.
 */
#define LARGE     ((size_t)64 << 10)
#define LARGE_MAX 2000

#define ALIGNMENT 16

struct range {
	uint32_t at, size;
};

/* The addresses for what is found in one trace begin with this. */
struct region {
	uint32_t wanted;
	uint32_t count; /* of ranges; 0: nothing is found */
	struct range ranges[64];
	struct job job;
	struct gtrace_reports *reports;
};

struct free_block {
	struct free_block *next;
};

/* Of a copy. Between NEXT and END nothing is used. */
static struct {
	uint8_t *next, *end;
	struct free_block *free[LARGE / ALIGNMENT];
	struct large {
		uint8_t *block;
		size_t size;
		bool is_free;
	} large[LARGE_MAX]; /* by falling address */
	size_t large_count;
} memory;

/* Where copies are asked for: all of their addresses. */
static struct {
	uintptr_t first, end;
} regions;

/* ---------------------------------------------------------------- memory -- */

static size_t class_of(size_t size)
{
	return (size + (size == 0) + ALIGNMENT - 1) / ALIGNMENT;
}

static bool is_large(size_t size)
{
	return size > LARGE - ALIGNMENT;
}

/* Makes place for a block after large[AT]. */
static struct large *insert_large(size_t at)
{
	struct large *block = &memory.large[at + 1];

	memmove(block + 1, block,
		(memory.large_count - at - 1) * sizeof(*block));
	memory.large_count++;
	return block;
}

static void remove_large(size_t at)
{
	struct large *block = &memory.large[at];

	memory.large_count--;
	memmove(block, block + 1, (memory.large_count - at) * sizeof(*block));
}

static void *allocate_large(size_t size)
{
	struct large *block, *rest;
	size_t i;

	if (memory.large_count == LARGE_MAX)
		return NULL;
	for (i = 0; i < memory.large_count; i++) {
		block = &memory.large[i];
		if (!block->is_free || block->size < size)
			continue;
		if (block->size > size) {
			rest = insert_large(i);
			*rest = (struct large){block->block,
					       block->size - size, true};
			block->block += rest->size;
			block->size = size;
		}
		block->is_free = false;
		return block->block;
	}
	if ((size_t)(memory.end - memory.next) < size)
		return NULL;
	memory.end -= size;
	memory.large[memory.large_count++] =
		(struct large){memory.end, size, false};
	return memory.end;
}

static void release_large(const uint8_t *block)
{
	struct large *all = memory.large;
	size_t i = 0;

	while (all[i].block != block)
		i++;
	all[i].is_free = true;
	if (i + 1 < memory.large_count && all[i + 1].is_free) {
		all[i].block = all[i + 1].block;
		all[i].size += all[i + 1].size;
		remove_large(i + 1);
	}
	if (i > 0 && all[i - 1].is_free) {
		all[i - 1].block = all[i].block;
		all[i - 1].size += all[i].size;
		remove_large(i--);
	}
	if (i + 1 == memory.large_count) {
		memory.end += all[i].size;
		memory.large_count--;
	}
}

static void *allocate(void *context, size_t size)
{
	size_t rounded = class_of(size) * ALIGNMENT;
	struct free_block **list, *block;

	(void)context;
	if (memory.end == NULL)
		return malloc(size);
	if (size > REGION_MAX)
		return NULL;
	if (is_large(size))
		return allocate_large(rounded);
	list = &memory.free[class_of(size)];
	block = *list;
	if (block != NULL) {
		*list = block->next;
		return block;
	}
	if ((size_t)(memory.end - memory.next) < rounded)
		return NULL;
	memory.next += rounded;
	return memory.next - rounded;
}

/* What a copy has found stays where it is. */
static void release(void *context, void *block, size_t size)
{
	struct free_block *freed = block;

	(void)context;
	if (memory.end == NULL) {
		if ((uintptr_t)block < regions.first ||
		    (uintptr_t)block >= regions.end)
			free(block);
		return;
	}
	if (is_large(size)) {
		release_large(block);
		return;
	}
	freed->next = memory.free[class_of(size)];
	memory.free[class_of(size)] = freed;
}

static void *resize(void *context, void *block, size_t old_size,
		    size_t new_size)
{
	void *other = allocate(context, new_size);

	if (other != NULL && block != NULL) {
		memcpy(other, block,
		       old_size < new_size ? old_size : new_size);
		release(context, block, old_size);
	}
	return other;
}

static const struct gtrace_allocator allocator = {
	.allocate = allocate,
	.resize = resize,
	.release = release,
};

/* ------------------------------------------------------------------ copy -- */

/* What the host calls in a copy: reads trace NUMBER, with SIZE bytes at BASE. */
__attribute__((export_name("apart"))) void apart_copy(uint32_t number,
						      uint8_t *base,
						      uint32_t size);

/* Tells the host what to copy. */
static void tell_ranges(struct region *region)
{
	const size_t most = sizeof(region->ranges) / sizeof(*region->ranges);
	uint32_t count = 0;
	size_t i;

	region->ranges[count++] = (struct range){
		(uint32_t)(uintptr_t)region,
		(uint32_t)(memory.next - (uint8_t *)region)};
	for (i = 0; i < memory.large_count; i++) {
		const struct large *large = &memory.large[i];

		if (large->is_free)
			continue;
		if (count == most)
			return;
		region->ranges[count++] =
			(struct range){(uint32_t)(uintptr_t)large->block,
				       (uint32_t)large->size};
	}
	region->count = count;
}

void apart_copy(uint32_t number, uint8_t *base, uint32_t size)
{
	struct region *region = (struct region *)(void *)base;

	memory.end = base + size;
	memory.next = base + class_of(sizeof(*region)) * ALIGNMENT;
	settings.options.allocator = &allocator;
	if (!jobs_read_apart(number))
		return;
	region->job = jobs.traces[number];
	region->reports = jobs.reports[number];
	tell_ranges(region);
}

/* ------------------------------------------------------------------ here -- */

/* Whether what is found is memory of the library alone. */
static bool can_be_read(void)
{
	unsigned others = REPORT_VERDICT | REPORT_TABLES | REPORT_DUMP;

	return !jobs_want(others) && !settings_limits();
}

static void take(const struct region *region, size_t number)
{
	if (region->count == 0)
		return;
	jobs.traces[number] = region->job;
	jobs.traces[number].apart = true;
	jobs.reports[number] = region->reports;
	jobs.failed += region->job.failed;
}

void apart_read(size_t count)
{
	size_t traces = settings.file_count, size = REGION_MAX, first, i;
	struct region *region;
	struct stat info;
	char name[80];

	if (traces < 2 || traces > COUNT_MAX || count == 1 || !can_be_read() ||
	    stat("/.here", &info) != 0)
		return;
	if (size > ALL_MAX / traces)
		size = ALL_MAX / traces / PAGE * PAGE;
	first = __builtin_wasm_memory_grow(0, traces * size / PAGE);
	if (first == SIZE_MAX)
		return;
	first *= PAGE;
	regions.first = first;
	regions.end = first + traces * size;
	for (i = 0; i < traces; i++) {
		region = (struct region *)(first + i * size);
		region->wanted = jobs.traces[i].joined == NULL &&
				 start_file_size(settings.files[i]) != 0;
	}
	snprintf(name, sizeof(name), "/.apart/%zu/%zu/%zu/%zu", count, traces,
		 first, size);
	if (stat(name, &info) == 0)
		for (i = 0; i < traces; i++)
			take((struct region *)(first + i * size), i);
}
#endif
