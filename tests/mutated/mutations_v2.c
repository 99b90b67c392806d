/* SPDX-License-Identifier: BSD-3-Clause */
/* mutations_v2.c - changes traces of Go 1.22 and later, a batch at a time. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/model.h"
#include "tests/mutated/mutations.h"

#define HEADER      16
#define BATCHES_MAX 2000

enum { EXPERIMENTAL = 49, END_OF_GENERATION = 52 };
enum { GENERATION, THREAD, TIME, SIZE, FIELDS };

/* A batch, or the mark at the end of a generation. */
struct batch {
	uint8_t type;
	uint8_t experiment;
	uint64_t header[FIELDS];
	const uint8_t *data;
};

static struct batch batches[BATCHES_MAX];
static size_t count;

/*
 * What follows the type of an event: t a time, g a goroutine, p a processor, m
 * a thread, x something else. NULL: not known.
 */
static const char *const arguments[64] = {
	[7] = "tmpgx",  [9] = "txx",   [10] = "tpx",  [11] = "t",
	[12] = "tpxm",  [13] = "tpx",  [14] = "tgxx", [15] = "tg",
	[16] = "tgx",   [17] = "t",    [18] = "t",    [19] = "txx",
	[20] = "txx",   [21] = "tgxx", [22] = "txx",  [23] = "t",
	[24] = "t",     [25] = "tgmx", [26] = "txx",  [27] = "t",
	[28] = "tx",    [29] = "txx",  [30] = "tx",   [31] = "tp",
	[32] = "tx",    [33] = "txx",  [34] = "tg",   [35] = "tx",
	[36] = "t",     [37] = "tx",   [38] = "tx",   [39] = "tx",
	[40] = "txxxx", [41] = "txx",  [42] = "txxx", [43] = "txxx",
	[44] = "txxxx", [45] = "tgx",  [46] = "tgx",  [47] = "tgxx",
	[48] = "tgmxx", [6] = "",
};

static bool parse(const struct builder *from)
{
	const uint8_t *p = from->bytes + HEADER,
		      *end = from->bytes + from->size;
	size_t i;

	for (count = 0; p < end && count < BATCHES_MAX; count++) {
		struct batch *batch = &batches[count];

		*batch = (struct batch){.type = *p++};
		if (batch->type == END_OF_GENERATION)
			continue;
		if (batch->type == EXPERIMENTAL && p < end)
			batch->experiment = *p++;
		for (i = 0; i < FIELDS; i++)
			batch->header[i] = take_value(&p, end);
		if (batch->header[SIZE] > (uint64_t)(end - p))
			return false;
		batch->data = p;
		p += batch->header[SIZE];
	}
	return p == end && count != 0;
}

static void write_batch(struct builder *to, const struct batch *batch,
			const uint8_t *data, size_t size)
{
	size_t i;

	builder_bytes(to, &batch->type, 1);
	if (batch->type == END_OF_GENERATION)
		return;
	if (batch->type == EXPERIMENTAL)
		builder_bytes(to, &batch->experiment, 1);
	for (i = 0; i < SIZE; i++)
		builder_value(to, batch->header[i]);
	builder_value(to, size);
	builder_bytes(to, data, size);
}

/* ---------------------------------------------------------------- events -- */

/* One change of values in all events of a trace. */
struct change {
	char argument;
	uint64_t how;    /* 0: all, 1: those equal to `equal`, 2: one of them */
	uint64_t equal;  /* how 1 */
	uint64_t left;   /* how 2 */
	uint64_t value;  /* what is added to it, or what it becomes */
	uint64_t coarse; /* not 0: values are multiples of that */
	bool set;
};

static uint64_t changed(struct change *change, char argument, uint64_t value)
{
	if (argument != change->argument || value == UINT64_MAX)
		return value;
	if (change->coarse != 0)
		return value - value % change->coarse;
	if (change->how == 1 && value != change->equal)
		return value;
	if (change->how == 2 && change->left-- != 0)
		return value;
	return change->set ? change->value : value + change->value;
}

/* The data of a batch with changed events, up to one that is not known. */
static void rewrite(struct builder *to, const struct batch *batch,
		    struct change *change)
{
	const uint8_t *p = batch->data, *end = p + batch->header[SIZE];

	while (p < end && *p < 64 && arguments[*p] != NULL) {
		const char *list = arguments[*p];

		builder_bytes(to, p++, 1);
		for (; *list != '\0'; list++)
			builder_value(to, changed(change, *list,
						  take_value(&p, end)));
	}
	builder_bytes(to, p, (size_t)(end - p));
}

static struct change random_change(uint64_t *seed)
{
	struct change change = {
		.argument = "ttgpmx"[random_below(seed, 6)],
		.how = random_below(seed, 3),
		.equal = random_below(seed, 30),
		.left = random_below(seed, 200),
		.value = hostile_value(seed),
	};

	if (change.argument == 't') {
		change.how = 2;
		if (random_below(seed, 3) == 0)
			change.coarse = UINT64_C(1) << random_below(seed, 24);
		if (random_below(seed, 2) == 0)
			change.value = UINT64_C(1) << random_below(seed, 40);
	}
	if (change.argument == 'x') {
		change.how = 2;
		change.set = true;
		if (random_below(seed, 2) == 0)
			change.value = random_below(seed, 16);
	}
	return change;
}

static void change_events(struct builder *to, uint64_t *seed)
{
	struct change change = random_change(seed);
	struct builder data;
	size_t i;

	for (i = 0; i < count; i++) {
		struct batch *batch = &batches[i];

		builder_open(&data, 0);
		if (batch->type != END_OF_GENERATION) {
			batch->header[THREAD] =
				changed(&change, 'm', batch->header[THREAD]);
			rewrite(&data, batch, &change);
		}
		write_batch(to, batch, data.bytes, data.size);
		builder_close(&data);
	}
}

/* --------------------------------------------------------------- batches -- */

static void remove_batches(size_t at, size_t n)
{
	memmove(batches + at, batches + at + n,
		(count - at - n) * sizeof(*batches));
	count -= n;
}

/* Puts copies of N batches at FROM to AT. */
static void double_batches(size_t from, size_t n, size_t at)
{
	struct batch *copies = builder_memory(n, sizeof(*copies));

	if (count + n <= BATCHES_MAX) {
		memcpy(copies, batches + from, n * sizeof(*copies));
		memmove(batches + at + n, batches + at,
			(count - at) * sizeof(*batches));
		memcpy(batches + at, copies, n * sizeof(*copies));
		count += n;
	}
	free(copies);
}

static void change_batches(uint64_t *seed)
{
	size_t i = (size_t)random_below(seed, count);
	size_t j = (size_t)random_below(seed, count);
	uint64_t field = 1 + random_below(seed, 2);
	struct batch batch = batches[i];

	switch (random_below(seed, 6)) {
	case 0:
		remove_batches(i, 1);
		break;
	case 1:
		double_batches(i, 1, j);
		break;
	case 2:
		batches[i] = batches[j];
		batches[j] = batch;
		break;
	case 3:
		batches[i].header[field] = batches[j].header[field];
		break;
	case 4:
		batches[i].header[field] = hostile_value(seed);
		break;
	default:
		batches[i].header[TIME] += UINT64_C(1)
					   << random_below(seed, 64);
	}
}

/* ----------------------------------------------------------- generations -- */

/* The batches from AT on that are of one generation, with the mark. */
static size_t generation_size(size_t at)
{
	uint64_t number = batches[at].header[GENERATION];
	size_t i = at;

	while (i < count && batches[i].type != END_OF_GENERATION &&
	       batches[i].header[GENERATION] == number)
		i++;
	return i - at + (i < count && batches[i].type == END_OF_GENERATION);
}

/* Where the generation number N begins, counted from 0, and around. */
static size_t generation_at(uint64_t n)
{
	size_t at = 0;

	for (; n > 0; n--) {
		at += generation_size(at);
		if (at >= count)
			at = 0;
	}
	return at;
}

static void number_generation(size_t at, size_t n, uint64_t to)
{
	for (; n > 0; n--, at++)
		batches[at].header[GENERATION] = to;
}

static void change_generations(uint64_t *seed)
{
	size_t i = generation_at(random_below(seed, 6));
	size_t j = generation_at(random_below(seed, 6));
	size_t n = generation_size(i);
	uint64_t last =
		batches[count - 1].type == END_OF_GENERATION && count > 1
			? batches[count - 2].header[GENERATION]
			: batches[count - 1].header[GENERATION];

	switch (random_below(seed, 5)) {
	case 0:
		remove_batches(i, n);
		break;
	case 1:
		double_batches(i, n, j);
		break;
	case 2:
		number_generation(i, n, hostile_value(seed));
		break;
	case 3:
		double_batches(i, n, count);
		number_generation(count - n, n, last + 1);
		break;
	default:
		double_batches(i, n, j);
		remove_batches(i < j ? i : i + n, n);
	}
}

void mutate_v2(struct builder *to, const struct builder *from, uint64_t *seed)
{
	uint64_t how = random_below(seed, 5);
	size_t i;

	if (from->size <= HEADER || !parse(from)) {
		builder_bytes(to, from->bytes, from->size);
		return;
	}
	builder_bytes(to, from->bytes, HEADER);
	if (how == 0)
		change_generations(seed);
	else if (how == 1)
		change_batches(seed);
	if (how >= 2) {
		change_events(to, seed);
		return;
	}
	for (i = 0; i < count; i++)
		write_batch(to, &batches[i], batches[i].data,
			    (size_t)batches[i].header[SIZE]);
}
