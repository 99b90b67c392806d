/* SPDX-License-Identifier: BSD-3-Clause */
/* mutations.c - what mutated traces are made of. */
#include "tests/mutated/mutations.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/generator.h"
#include "tests/model.h"
#include "tests/traces.h"

/* The larger ones take long, and are changed at one place in many. */
#define SMALL        20000
#define RECORDED_MAX 256

static struct builder recorded[RECORDED_MAX];
static size_t recorded_count;

uint64_t hostile_value(uint64_t *seed)
{
	static const uint64_t near[] = {
		0,
		UINT64_C(1) << 31,
		UINT64_C(1) << 32,
		UINT64_C(1) << 53,
		UINT64_C(1) << 60,
		UINT64_C(1) << 62,
		UINT64_C(1) << 63,
	};
	uint64_t value = near[random_below(seed, sizeof(near) / sizeof(*near))];

	if (random_below(seed, 4) == 0)
		value = UINT64_C(1) << random_below(seed, 64);
	return value + random_below(seed, 16) - random_below(seed, 3) * 8;
}

uint64_t take_value(const uint8_t **p, const uint8_t *end)
{
	uint64_t value = 0;
	unsigned shift = 0;

	while (*p < end && shift < 64) {
		uint8_t byte = *(*p)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte < 0x80)
			return value;
	}
	*p = end;
	return value;
}

/* -------------------------------------------------------------- recorded -- */

static void load(const char *path)
{
	struct builder *b = &recorded[recorded_count];
	FILE *file = fopen(path, "rb");
	uint8_t block[4096];
	size_t size;

	if (file == NULL || recorded_count == RECORDED_MAX)
		return;
	builder_open(b, 0);
	while ((size = fread(block, 1, sizeof(block), file)) != 0)
		builder_bytes(b, block, size);
	fclose(file);
	if (b->size < SMALL)
		recorded_count++;
	else
		builder_close(b);
}

static int by_size(const void *a, const void *b)
{
	const struct builder *one = a, *other = b;

	return one->size < other->size ? -1 : one->size > other->size;
}

/* In one order, not that of the folder; smaller ones more often. */
static const struct builder *choose_recorded(uint64_t *seed)
{
	uint64_t at;

	if (recorded_count == 0) {
		each_trace(load);
		qsort(recorded, recorded_count, sizeof(*recorded), by_size);
	}
	if (recorded_count == 0)
		return NULL;
	at = random_below(seed, recorded_count);
	return &recorded[random_below(seed, at + 1)];
}

/* ------------------------------------------------------------- generated -- */

static void generate(struct builder *b, uint64_t *seed)
{
	static const uint32_t versions[] = {1005, 1007, 1008, 1009, 1011, 1019,
					    1021, 1022, 1023, 1025, 1026};
	struct generator_options options = {
		.version = versions[random_below(seed, 11)],
		.events = 20 + (uint32_t)random_below(seed, 300),
		.processors = 1 + (uint32_t)random_below(seed, 4),
		.goroutines = 1 + (uint32_t)random_below(seed, 20),
		.churn = (uint32_t)random_below(seed, 20),
		.samples = (uint32_t)random_below(seed, 3) * 5,
		.ties = (uint32_t)random_below(seed, 2) * 4,
		.futile = (uint32_t)random_below(seed, 2) * 10,
		.generation = (uint32_t)random_below(seed, 2) * 100,
		.seed = 1 + (uint32_t)random_below(seed, 1000),
		.write = builder_write,
		.context = b,
	};

	generate_trace(&options);
}

/* ------------------------------------------------------------------- all -- */

/* Puts a few bytes in or takes them out. */
static void splice_bytes(struct builder *to, const struct builder *from,
			 uint64_t *seed)
{
	size_t at = (size_t)random_below(seed, from->size + 1);
	size_t removed = (size_t)random_below(seed, 3);
	uint64_t inserted = random_below(seed, 3);

	if (removed > from->size - at)
		removed = from->size - at;
	builder_bytes(to, from->bytes, at);
	while (inserted-- > 0) {
		uint8_t byte = (uint8_t)random_next(seed);

		builder_bytes(to, &byte, 1);
	}
	builder_bytes(to, from->bytes + at + removed,
		      from->size - at - removed);
}

/* "go 1.8 trace" or "go 1.22 trace". */
static bool is_v2(const struct builder *b)
{
	return b->size > 16 && memcmp(b->bytes, "go 1.", 5) == 0 &&
	       b->bytes[5] == '2' && b->bytes[6] >= '2' && b->bytes[6] <= '9';
}

static void mutate(struct builder *b, uint64_t *seed)
{
	struct builder changed;

	builder_open(&changed, 0);
	if (random_below(seed, 8) == 0)
		splice_bytes(&changed, b, seed);
	else if (is_v2(b))
		mutate_v2(&changed, b, seed);
	else
		mutate_v1(&changed, b, seed);
	builder_close(b);
	*b = changed;
}

void make_mutated(struct builder *b, uint64_t number)
{
	uint64_t seed = number * 2 + 1, how, changes;
	const struct builder *from = NULL;

	for (how = 0; how < 5; how++)
		random_next(&seed);
	how = random_below(&seed, 8);
	changes = random_below(&seed, 4);
	if (how < 3)
		from = choose_recorded(&seed);
	if (from != NULL)
		builder_bytes(b, from->bytes, from->size);
	else if (how < 6)
		walk_v2(b, &seed);
	else
		generate(b, &seed);
	while (changes-- > (how < 6 && how > 2))
		mutate(b, &seed);
}
