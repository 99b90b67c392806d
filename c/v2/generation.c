/* SPDX-License-Identifier: BSD-3-Clause */
/* generation.c - reads the batches of a generation. */
#include "v2/generation.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "v2/clock.h"

void gti_v2_generation_init(struct generation *generation,
			    struct source *source,
			    const struct gtrace_allocator *memory)
{
	*generation = (struct generation){.memory = memory, .source = source};
}

/* Empties the index, but keeps the memory of its arrays. */
static void clear(struct generation *generation)
{
	struct generation old = *generation;

	gti_map_free(&old.thread_numbers, old.memory);
	gti_map_free(&old.frames, old.memory);
	gti_dictionary_free(&old.strings, old.memory);
	gti_dictionary_free(&old.stacks, old.memory);
	gti_v2_generation_init(generation, old.source, old.memory);
	generation->only_tables = old.only_tables;
	generation->wants_frames = old.wants_frames;
	generation->batches = old.batches;
	generation->threads = old.threads;
	generation->samples = old.samples;
	generation->sorted = old.sorted;
	generation->batches.count = 0;
	generation->threads.count = 0;
	generation->samples.count = 0;
	generation->sorted.count = 0;
}

void gti_v2_generation_free(struct generation *generation)
{
	if (generation->memory == NULL)
		return;
	clear(generation);
	gti_array_free(&generation->batches, sizeof(struct event_batch),
		       generation->memory);
	gti_array_free(&generation->threads, sizeof(struct thread_batches),
		       generation->memory);
	gti_array_free(&generation->samples, sizeof(struct sample),
		       generation->memory);
	gti_array_free(&generation->sorted, sizeof(struct sort_item),
		       generation->memory);
}

void gti_v2_generation_keep(struct generation *generation,
			    struct generation *tables)
{
	struct generation last = *generation;
	struct generation *place =
		tables_place(tables, generation_number(&last));

	if (generation_number(&last) == 0)
		return;
	*generation = *place;
	*place = last;
	generation->only_tables = last.only_tables;
	generation->wants_frames = last.wants_frames;
	generation->has_frequency = last.has_frequency;
	generation->ns_per_tick = last.ns_per_tick;
}

/* ---------------------------------------------------------------- events -- */

/* The batches of thread M, an empty list if it has none yet. */
static struct thread_batches *thread_of(struct generation *generation,
					int64_t m)
{
	struct array *threads = &generation->threads;
	struct thread_batches *thread;
	uint64_t *number;

	if (!gti_array_reserve(threads, sizeof(*thread), generation->memory))
		return NULL;
	number = gti_map_put(&generation->thread_numbers, (uint64_t)m,
			     generation->memory);
	if (number == NULL)
		return NULL;
	thread = threads->items;
	if (*number != 0)
		return thread + (*number - 1);
	thread += threads->count++;
	*number = threads->count;
	*thread = (struct thread_batches){.m = m};
	return thread;
}

static enum gtrace_status add_events(struct generation *generation,
				     const struct batch *batch,
				     struct gtrace_error *error)
{
	struct thread_batches *thread = thread_of(generation, batch->m);
	struct array *batches = &generation->batches;
	const struct event_batch added = {
		.data = batch->data,
		.time = batch->time,
		.size = batch->size,
	};

	if (thread == NULL || batches->count == UINT32_MAX ||
	    array_add(batches, &added, sizeof(added), generation->memory) ==
		    NULL)
		return gti_fail_memory(error);
	if (thread->last != 0)
		((struct event_batch *)batches->items)[thread->last - 1].next =
			(uint32_t)batches->count;
	else
		thread->first = (uint32_t)batches->count;
	thread->last = (uint32_t)batches->count;
	return GTRACE_OK;
}

/* --------------------------------------------------------------- batches -- */

static enum gtrace_status add_batch(struct generation *generation,
				    const struct batch *batch,
				    struct gtrace_error *error)
{
	if (generation->least_time == 0 || batch->time < generation->least_time)
		generation->least_time = batch->time;
	switch (batch->kind) {
	case BATCH_EVENTS:
		if (generation->only_tables)
			return GTRACE_OK;
		return add_events(generation, batch, error);
	case BATCH_STRINGS:
		return gti_v2_add_strings(generation, batch, error);
	case BATCH_STACKS:
		return gti_v2_add_stacks(generation, batch, error);
	case BATCH_SAMPLES:
		return gti_v2_add_samples(generation, batch, error);
	case BATCH_SYNC:
		return gti_v2_add_sync(generation, batch, error);
	case BATCH_EXPERIMENT:
		return GTRACE_OK;
	case BATCH_END:
		break;
	}
	return gti_fail(error, GTRACE_ERROR_RECORD, batch->offset,
			"an end of generation, which is not written before "
			"Go 1.26");
}

/*
 * Adds BATCH, and sets the end of the generation to that of the batch, or to
 * the fault in it.
 */
static bool take_batch(struct generation *generation, const struct batch *batch,
		       struct gtrace_error *error)
{
	if (add_batch(generation, batch, error) == GTRACE_OK) {
		generation->end = batch_end(batch);
		return true;
	}
	generation->end = error->offset;
	return false;
}

/* Gives the samples times and sorts them. */
static bool sort_samples(struct generation *generation)
{
	const struct sample *samples = generation->samples.items;
	struct array *sorted = &generation->sorted;
	size_t i;

	if (generation->samples.count > UINT32_MAX)
		return false;
	for (i = 0; i < generation->samples.count; i++) {
		const struct sort_item item = {
			.key = ticks_to_ns(samples[i].ticks,
					   generation->ns_per_tick),
			.value = (uint32_t)i,
		};

		if (array_add(sorted, &item, sizeof(item),
			      generation->memory) == NULL)
			return false;
	}
	gti_sort_go1_27(sorted->items, sorted->count);
	return true;
}

/* The least id that the string table lacks; the empty string has the id 0. */
static uint64_t first_gap(const struct dictionary *strings)
{
	uint64_t id = 1;

	while (id < strings->dense_size && strings->dense[id] != 0)
		id++;
	return id;
}

/* The batches were read, and are good: prepares what they hold. */
static enum generation_status prepare(struct generation *generation,
				      struct gtrace_error *error)
{
	generation->easy_strings = first_gap(&generation->strings);
	generation->easy_stacks = generation->stacks.dense_size;
	if (generation->easy_stacks > STACK_ID_MASK)
		generation->easy_stacks = STACK_ID_MASK;
	if (!sort_samples(generation)) {
		gti_fail_memory(error);
		return GENERATION_BAD;
	}
	return GENERATION_READ;
}

/* The batches of the generation have been read: checks the whole. */
static enum generation_status finish(struct generation *generation,
				     struct gtrace_error *error)
{
	const struct source *source = generation->source;

	if (!generation->has_frequency) {
		gti_fail(error, GTRACE_ERROR_EMPTY, generation->begin,
			 "a generation without a Frequency record");
		return GENERATION_BAD;
	}
	if (source->version >= VERSION_GO_1_25 && !generation->has_snapshot) {
		gti_fail(error, GTRACE_ERROR_EMPTY, generation->begin,
			 "a generation without a ClockSnapshot record");
		return GENERATION_BAD;
	}
	if (gti_v2_check_frames(generation, error) != GTRACE_OK)
		return GENERATION_BAD;
	return prepare(generation, error);
}

static enum generation_status fail_number(const struct batch *batch,
					  const char *what,
					  struct gtrace_error *error)
{
	gti_fail(error, GTRACE_ERROR_RECORD, batch->offset,
		 "a batch of generation %" PRIu64 "%s", batch->generation,
		 what);
	return GENERATION_BAD;
}

/* --------------------------------------------- versions with an end mark -- */

/*
 * Whether the file ends well before the generation does. It may if that one
 * has no batch of events, which is not known if only tables are read.
 */
static enum generation_status end_early(const struct generation *generation,
					struct gtrace_error *error)
{
	if (!generation->only_tables && generation->batches.count == 0)
		return GENERATION_NONE;
	gti_fail(error, GTRACE_ERROR_CUT_OFF, generation->begin,
		 "the file ends in the middle of generation %" PRIu64,
		 generation->number);
	return GENERATION_BAD;
}

/* From 1.26 on: the generation at generation->begin. */
static enum generation_status read_marked(struct generation *generation,
					  struct gtrace_error *error)
{
	uint64_t offset = generation->begin;
	struct batch batch;

	for (;;) {
		enum batch_status status = gti_v2_batch_read(
			generation->source, offset, &batch, error);

		if (status == BATCH_NONE)
			return end_early(generation, error);
		if (status == BATCH_BAD)
			return GENERATION_BAD;
		if (generation->number == 0)
			generation->number = batch.generation;
		offset = batch_end(&batch);
		if (batch.kind == BATCH_END) {
			generation->end = offset;
			return finish(generation, error);
		}
		if (batch.generation == 0)
			return fail_number(&batch, ", but they begin with 1",
					   error);
		if (batch.generation != generation->number)
			return fail_number(&batch,
					   " inside another generation, which "
					   "has no end",
					   error);
		if (!take_batch(generation, &batch, error))
			return GENERATION_BAD;
	}
}

/* ----------------------------------------------- versions without a mark -- */

/* Up to 1.25: the generation at generation->begin. */
static enum generation_status read_unmarked(struct generation *generation,
					    struct gtrace_error *error)
{
	uint64_t offset = generation->begin;
	struct batch batch;

	for (;;) {
		enum batch_status status = gti_v2_batch_read(
			generation->source, offset, &batch, &generation->after);

		generation->end = offset;
		if (status == BATCH_NONE) {
			generation->last = true;
			return finish(generation, error);
		}
		if (status == BATCH_BAD) {
			if (generation->number != 0)
				return finish(generation, error);
			*error = generation->after;
			return GENERATION_BAD;
		}
		if (batch.generation == 0)
			return fail_number(&batch, ", but they begin with 1",
					   error);
		if (generation->number == 0)
			generation->number = batch.generation;
		if (batch.generation == generation->number + 1)
			return finish(generation, error);
		if (batch.generation != generation->number)
			return fail_number(&batch, " out of order", error);
		if (!take_batch(generation, &batch, error))
			return GENERATION_BAD;
		offset = batch_end(&batch);
	}
}

/* Most writers of traces have this clock. */
#define DEFAULT_FREQUENCY 15625000

/*
 * The generation is to be used as far as it was read before FAULT. RATE is that
 * of the clock of the generation before it; 0: there is none.
 */
static enum generation_status keep(struct generation *generation, double rate,
				   struct gtrace_error *fault)
{
	if (!generation->only_tables && generation->batches.count == 0 &&
	    generation->samples.count == 0)
		return GENERATION_BAD;
	/* A batch that cannot be read tells more than a table that lacks. */
	if (generation->after.status == GTRACE_OK)
		generation->after = *fault;
	if (!generation->has_frequency && rate == 0) {
		rate = clock_rate(DEFAULT_FREQUENCY);
		*fault = generation->after;
		gti_fail(&generation->after, fault->status, fault->offset,
			 "%s; its clock is not known, times are those of a "
			 "clock with %d ticks a second",
			 fault->message, DEFAULT_FREQUENCY);
	}
	if (!generation->has_frequency)
		generation->ns_per_tick = rate;
	/* The check of the frames may have ended in the middle. */
	gti_map_free(&generation->frames, generation->memory);
	generation->frames_known = false;
	return prepare(generation, fault);
}

enum generation_status gti_v2_generation_read(struct generation *generation,
					      uint64_t offset, bool unfinished,
					      struct gtrace_error *error)
{
	double rate = generation->has_frequency ? generation->ns_per_tick : 0;
	enum generation_status status;

	clear(generation);
	generation->begin = offset;
	if (generation->source->version >= VERSION_GO_1_26)
		status = read_marked(generation, error);
	else
		status = read_unmarked(generation, error);
	if (!unfinished)
		return status;
	if (status == GENERATION_BAD && error->status != GTRACE_ERROR_MEMORY)
		status = keep(generation, rate, error);
	generation->unfinished = true;
	generation->easy_stacks = 0;
	return status;
}

uint64_t gti_v2_generation_next(const struct generation *generation)
{
	uint64_t least = UINT64_MAX, offset = generation->end, number = 0;
	struct gtrace_error error;
	struct batch batch;

	while (gti_v2_batch_read(generation->source, offset, &batch, &error) ==
		       BATCH_READ &&
	       batch.kind != BATCH_END &&
	       (number == 0 || batch.generation == number)) {
		if (batch.kind == BATCH_EVENTS && batch.m >= 0 &&
		    batch.time < least)
			least = batch.time;
		number = batch.generation;
		offset = batch_end(&batch);
	}
	return least;
}
