/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * v2_record_fuzzer.c - reads any file of Go 1.22 or later generation by
 * generation, and the events of each thread one after the other. Batches,
 * records and events are inside the file and after those before them. What can
 * be read of a bad generation is what a good one has.
 */
#include <string.h>

#include "base/fail.h"
#include "fuzz/fuzz.h"
#include "v2/cursor.h"

/* Ids that are looked up. */
#define IDS 64

/* The batches from BEGIN to END follow each other. */
static void check_batches(struct source *source, uint64_t begin, uint64_t end)
{
	struct gtrace_error error;
	struct batch batch;

	while (begin < end) {
		check(gti_v2_batch_read(source, begin, &batch, &error) ==
		      BATCH_READ);
		check(batch.offset == begin && batch.data >= begin);
		check(batch_end(&batch) > begin);
		check(batch_end(&batch) <= source->size);
		begin = batch_end(&batch);
	}
}

/* Events are in their batches, and batches of a thread in the file's order. */
static uint64_t check_thread(const struct generation *generation,
			     const struct thread_batches *thread)
{
	struct source *source = generation->source;
	struct thread record = {.m = thread->m};
	struct gtrace_error error;
	struct cursor cursor;
	const uint8_t *last = source->data;
	uint64_t events = 0;
	enum cursor_status status =
		gti_v2_cursor_init(&cursor, generation, thread->first, &record);

	while (status == CURSOR_EVENT) {
		const struct place *place = &cursor.present;

		check(place->type >= last && place->type < place->values);
		check(place->values <= place->end);
		check(place->end <= source->data + source->size);
		check(gti_v2_types[*place->type] != EV_NONE);
		last = place->values;
		events++;
		gti_v2_cursor_look_ahead(&cursor, generation);
		status = cursor.status;
		if (status == CURSOR_EVENT)
			cursor_move_on(&cursor);
	}
	if (status == CURSOR_BAD) {
		check(gti_v2_cursor_fail(&cursor, generation, &error) ==
		      GTRACE_ERROR_RECORD);
		check(error.offset < source->size);
	}
	return events;
}

/* Strings and stacks are those that the tables of the generation have alone. */
static void check_tables(struct generation *generation)
{
	struct generation tables;
	struct gtrace_error error;
	uint64_t id;

	gti_v2_generation_init(&tables, generation->source, generation->memory);
	tables.only_tables = true;
	check(gti_v2_generation_read(&tables, generation->begin,
				     generation->unfinished,
				     &error) == GENERATION_READ);
	for (id = 0; id < IDS; id++) {
		check(dictionary_get(&tables.strings, id) ==
		      dictionary_get(&generation->strings, id));
		check(dictionary_get(&tables.stacks, id) ==
		      dictionary_get(&generation->stacks, id));
	}
	check(gti_v2_generation_find_frames(generation));
	gti_v2_generation_free(&tables);
}

static void check_generation(struct generation *generation, uint64_t offset)
{
	const struct thread_batches *threads = generation->threads.items;
	struct source *source = generation->source;
	uint64_t events = 0;
	size_t i;

	check(generation->begin == offset && generation->end > offset);
	check(generation->end <= source->size);
	check(generation->sorted.count == generation->samples.count);
	/* That of a bad generation can end inside a batch. */
	if (!generation->unfinished)
		check_batches(source, offset, generation->end);
	for (i = 0; i < generation->threads.count; i++)
		events += check_thread(generation, &threads[i]);
	check(events <= generation->end - offset);
	check_tables(generation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct source source = {.data = data, .size = size};
	enum generation_status status, again;
	struct generation generation, bad;
	struct gtrace_error error;
	uint64_t offset;

	if (gti_v2_header_read(&source, &error) != GTRACE_OK)
		return 0;
	gti_v2_generation_init(&generation, &source, &memory);
	gti_v2_generation_init(&bad, &source, &memory);
	for (offset = source.first;; offset = generation.end) {
		error.message[0] = '\0';
		status = gti_v2_generation_read(&generation, offset, false,
						&error);
		if (status == GENERATION_READ)
			check_generation(&generation, offset);
		if (status == GENERATION_BAD) {
			check(error.message[0] != '\0');
			check(error.status != GTRACE_ERROR_MEMORY);
		}
		again = gti_v2_generation_read(&bad, offset, true, &error);
		check(status != GENERATION_READ || again == status);
		if (again == GENERATION_READ)
			check_generation(&bad, offset);
		if (status != GENERATION_READ || generation.last ||
		    generation.after.status != GTRACE_OK)
			break;
	}
	gti_v2_generation_free(&generation);
	gti_v2_generation_free(&bad);
	return 0;
}
