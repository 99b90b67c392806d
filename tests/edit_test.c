/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edit_test.c - new traces of parts of others: the events and slices of a cut
 * are those of the whole, the join of two cuts is the cut of their union, byte
 * for byte, and what cannot be cut or joined is refused before a byte is
 * written. On recorded traces and on random ones of each version with
 * generations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/counted.h"
#include "tests/files.h"
#include "tests/generator.h"

#define RANDOM_TRACES 40
#define CHOICES       8
#define EVENTS        3000

static struct bytes random_trace(uint32_t version, uint32_t seed)
{
	struct bytes bytes = {.room = SIZE_MAX};
	const struct generator_options options = {
		.version = version,
		.events = EVENTS,
		.processors = 1 + seed % 5,
		.goroutines = 20,
		.churn = 50,
		.samples = seed % 3 * 20,
		.generation = 200 + seed * 37 % 600,
		.seed = seed,
		.write = generate_bytes,
		.context = &bytes,
	};

	generate_trace(&options);
	return bytes;
}

static uint32_t seed;

/* A random number below LIMIT. */
static uint64_t below(uint64_t limit)
{
	seed = seed * 1664525 + 1013904223;
	return ((uint64_t)seed << 16 ^ seed >> 8) % limit;
}

/* Makes the trace RESULT of COUNT traces at MEMBERS, from FROM to TO. */
static enum gtrace_status try_edit(const struct bytes *members, size_t count,
				   int64_t from, int64_t to,
				   struct bytes *result,
				   struct gtrace_edited *made,
				   struct gtrace_error *error)
{
	const struct gtrace_edit asked = {
		.size = sizeof(asked), .from = from, .to = to};
	const struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = result};
	struct gtrace *traces[8] = {NULL};
	enum gtrace_status status;
	size_t i;

	*result = (struct bytes){.room = SIZE_MAX};
	for (i = 0; i < count; i++)
		traces[i] = open_bytes(&members[i]);
	status = gtrace_edit(traces, count, &asked, &output, made, error);
	for (i = 0; i < count; i++)
		gtrace_close(traces[i]);
	return status;
}

/* The same, which has to be possible. */
static struct bytes edit(const struct bytes *members, size_t count,
			 int64_t from, int64_t to, struct gtrace_edited *made)
{
	struct gtrace_error error;
	struct bytes result;

	if (try_edit(members, count, from, to, &result, made, &error) !=
	    GTRACE_OK)
		fail_msg("%s", error.message);
	assert_int_equal(made->bytes, result.size);
	return result;
}

/* Edits as above, and expects that this fails with STATUS and MESSAGE. */
static void refuse(const struct bytes *members, size_t count, int64_t from,
		   int64_t to, enum gtrace_status status, const char *message)
{
	struct gtrace_error error;
	struct bytes result;

	assert_int_equal(
		try_edit(members, count, from, to, &result, NULL, &error),
		status);
	if (strstr(error.message, message) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", message, error.message);
	assert_int_equal(result.size, 0);
}

/* ---------------------------------------------------------------- events -- */

/* What is compared of an event or a slice. */
struct seen {
	int64_t ts, length;
	uint64_t offset;
	uint64_t sum; /* of all but times */
	const char *name;
};

struct list {
	struct seen *items;
	size_t count;
};

static void see(struct list *list, struct seen seen)
{
	if ((list->count & (list->count - 1)) == 0)
		list->items = realloc(list->items,
				      (2 * list->count + 1) * sizeof(seen));
	assert_non_null(list->items);
	list->items[list->count++] = seen;
}

static void mix(uint64_t *sum, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	while (size-- > 0)
		*sum = (*sum ^ *bytes++) * UINT64_C(0x100000001b3);
}

static void mix_text(uint64_t *sum, struct gtrace_string text)
{
	mix(sum, &text.size, sizeof(text.size));
	mix(sum, text.data, text.size);
}

/* The first statuses do not show whose they are: that is known later. */
static bool is_status(const struct gtrace_event *event)
{
	return strncmp(event->name, "GoStatus", 8) == 0 ||
	       strcmp(event->name, "ProcStatus") == 0;
}

static uint64_t sum_of(const struct gtrace_event *event)
{
	uint64_t sum = event->type;
	size_t i;

	if (!is_status(event)) {
		mix(&sum, &event->m, sizeof(event->m));
		mix(&sum, &event->p, sizeof(event->p));
		mix(&sum, &event->g, sizeof(event->g));
	}
	/* Syncs are counted. */
	if (strcmp(event->name, "Sync") != 0)
		mix(&sum, event->args, event->arg_count * sizeof(uint64_t));
	for (i = 0; i < event->string_count; i++)
		mix_text(&sum, event->strings[i]);
	/* A start has those of an earlier event, which may not be there. */
	for (i = 0;
	     i < event->frame_count && strcmp(event->name, "GoStart") != 0;
	     i++) {
		mix_text(&sum, event->frames[i].function);
		mix(&sum, &event->frames[i].pc, sizeof(uint64_t));
	}
	return sum;
}

static int see_event(void *context, const struct gtrace_event *event)
{
	const struct seen seen = {.ts = event->ts,
				  .offset = event->offset,
				  .sum = sum_of(event),
				  .name = event->name};

	see(context, seen);
	return 0;
}

static int see_slice(void *context, const struct gtrace_slice *slice)
{
	struct seen seen = {.ts = slice->start.ts,
			    .length = slice->duration,
			    .offset = slice->start.offset,
			    .sum = sum_of(&slice->start)};

	if (!slice->still_running)
		see(context, seen);
	return 0;
}

static struct list visit(const struct bytes *bytes, bool slices)
{
	struct list list = {.count = 0};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.event = slices ? NULL : see_event,
		.slice = slices ? see_slice : NULL,
		.context = &list,
	};
	struct gtrace *trace = open_bytes(bytes);
	struct gtrace_error error;

	if (gtrace_visit(trace, NULL, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	return list;
}

/*
 * The events of PART, whose bytes are those of WHOLE from MADE on: all that
 * WHOLE has there. Its first ones can be earlier, where WHOLE shows them after
 * those before it, but not later.
 */
static void compare_events(const struct bytes *whole, const struct bytes *part,
			   const struct gtrace_edited *made)
{
	struct list all = visit(whole, false), some = visit(part, false);
	int64_t delay = INT64_MAX, now;
	size_t i = 0, j;

	assert_true(made->origin <= made->from);
	while (all.items[i].ts < made->from)
		i++;
	assert_int_equal(all.items[i].ts, made->from);
	for (j = 0; j + 1 < some.count; j++, i++) {
		assert_true(i < all.count);
		if (some.items[j].sum != all.items[i].sum)
			fail_msg("event %zu, %s, is not %zu, %s", j + 1,
				 some.items[j].name, i + 1, all.items[i].name);
		assert_int_equal(all.items[i].offset - some.items[j].offset,
				 all.items[i - j].offset -
					 some.items[0].offset);
		now = all.items[i].ts - made->origin - some.items[j].ts;
		assert_true(now >= 0 && now <= delay);
		delay = now;
	}
	/* The last one is the Sync at the end, or at the next generation. */
	assert_true(i < all.count);
	free(all.items);
	free(some.items);
}

static int by_offset(const void *a, const void *b)
{
	const struct seen *one = a, *other = b;

	return (one->offset > other->offset) - (one->offset < other->offset);
}

/* Each slice of WHOLE that begins and ends in PART is in it. */
static void compare_slices(const struct bytes *whole, const struct bytes *part,
			   const struct gtrace_edited *made, uint64_t shift)
{
	struct list all = visit(whole, true), some = visit(part, true);
	const struct seen *found;
	struct seen key;
	size_t i;

	qsort(some.items, some.count, sizeof(struct seen), by_offset);
	for (i = 0; i < all.count; i++) {
		if (all.items[i].ts <= made->from ||
		    all.items[i].ts + all.items[i].length >= made->to ||
		    all.items[i].offset < shift + 16 ||
		    all.items[i].offset >= shift + part->size)
			continue;
		key.offset = all.items[i].offset - shift;
		found = bsearch(&key, some.items, some.count,
				sizeof(struct seen), by_offset);
		assert_non_null(found);
		assert_int_equal(found->sum, all.items[i].sum);
	}
	free(all.items);
	free(some.items);
}

/* ------------------------------------------------------------------- cut -- */

static struct bytes cut_at_random(const struct bytes *whole, int64_t length,
				  struct gtrace_edited *made)
{
	int64_t from = (int64_t)below((uint64_t)length);
	int64_t to = from + 1 + (int64_t)below((uint64_t)length);
	struct bytes part = edit(whole, 1, from, to, made);

	assert_true(made->from <= from && made->to > from);
	assert_true(made->to >= to || made->to == made->length);
	assert_memory_equal(whole->data, part.data, 16);
	return part;
}

/* The cut of what ONE and OTHER cover, if these follow each other. */
static void check_join(const struct bytes *whole, const struct bytes *parts,
		       const struct gtrace_edited *made)
{
	const struct gtrace_edited *early = &made[0], *late = &made[1];
	struct bytes joined, both;
	struct gtrace_edited ignored;

	if (early->first > late->first) {
		early = &made[1];
		late = &made[0];
	}
	if (early->last + 1 < late->first) {
		refuse(parts, 2, 0, 0, GTRACE_ERROR_ARGUMENT, "missing");
		return;
	}
	joined = edit(parts, 2, 0, 0, &ignored);
	both = edit(whole, 1, early->from,
		    late->to > early->to ? late->to : early->to, &ignored);
	assert_int_equal(joined.size, both.size);
	assert_memory_equal(joined.data, both.data, both.size);
	free(joined.data);
	free(both.data);
}

static void check_whole(const struct bytes *whole)
{
	struct gtrace_edited all, made[2];
	struct bytes copy = edit(whole, 1, 0, 0, &all), parts[2];
	unsigned i;

	assert_int_equal(copy.size, whole->size);
	assert_memory_equal(copy.data, whole->data, whole->size);
	free(copy.data);
	for (i = 0; i < CHOICES; i++) {
		parts[0] = cut_at_random(whole, all.length, &made[0]);
		parts[1] = cut_at_random(whole, all.length, &made[1]);
		compare_events(whole, &parts[0], &made[0]);
		compare_slices(whole, &parts[0], &made[0],
			       shift_of(whole, &parts[0]));
		check_join(whole, parts, made);
		free(parts[0].data);
		free(parts[1].data);
	}
}

static void test_random(void **state)
{
	static const uint32_t versions[] = {1022, 1023, 1025, 1026};
	struct bytes bytes;
	uint32_t i;

	(void)state;
	for (i = 0; i < RANDOM_TRACES; i++) {
		bytes = random_trace(versions[i % 4], i);
		check_whole(&bytes);
		free(bytes.data);
	}
}

static void test_recorded(void **state)
{
	(void)state;
	each_of_several(check_whole);
}

/* Times from the end, and times outside. */
static void test_times(void **state)
{
	struct bytes whole = random_trace(1026, 7), part;
	struct gtrace_edited all, made;

	(void)state;
	part = edit(&whole, 1, 0, 0, &all);
	free(part.data);
	assert_true(all.generations > 3 && all.from == 0);
	part = edit(&whole, 1, -1, 0, &made);
	assert_int_equal(made.first, all.last);
	assert_int_equal(made.generations, 1);
	assert_int_equal(made.to, all.length);
	free(part.data);
	part = edit(&whole, 1, -all.length - 5, -all.length + 1, &made);
	assert_int_equal(made.last, all.first);
	free(part.data);
	refuse(&whole, 1, all.length, 0, GTRACE_ERROR_ARGUMENT, "ends at");
	/* Before the first event. */
	refuse(&whole, 1, -all.length - 9, -all.length - 1,
	       GTRACE_ERROR_ARGUMENT, "nothing is in that time");
	refuse(&whole, 1, 5, 5, GTRACE_ERROR_ARGUMENT, "not after");
	refuse(&whole, 1, -5, -5, GTRACE_ERROR_ARGUMENT, "not after");
	free(whole.data);
}

/* --------------------------------------------------------------- refused -- */

static void test_refused(void **state)
{
	struct bytes members[2] = {random_trace(1026, 1),
				   random_trace(1026, 2)};
	struct bytes old = random_trace(1021, 3), other = random_trace(1025, 1);

	(void)state;
	refuse(members, 2, 0, 0, GTRACE_ERROR_ARGUMENT, "not of one process");
	refuse(&old, 1, 0, 0, GTRACE_ERROR_ARGUMENT, "Go 1.21 or older");
	free(members[1].data);
	members[1] = other;
	refuse(members, 2, 0, 0, GTRACE_ERROR_ARGUMENT, "versions 1.26");
	free(members[1].data);
	/* Cut off, and with another byte in its middle. */
	members[1] = (struct bytes){members[0].data, members[0].size - 3, 0};
	refuse(&members[1], 1, 0, 1, GTRACE_ERROR_CUT_OFF, "");
	refuse(members, 2, 0, 1, GTRACE_ERROR_CUT_OFF, "trace 2: ");
	free(members[0].data);
	free(old.data);
}

/* Of a trace that is cut off, the generations before the last are used. */
static void test_partial(void **state)
{
	const struct gtrace_options options = {.size = sizeof(options),
					       .partial = GTRACE_PARTIAL_GOOD};
	struct bytes whole = random_trace(1026, 5), result = {.room = SIZE_MAX};
	const struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = &result};
	struct gtrace_edited all, made;
	struct bytes copy = edit(&whole, 1, 0, 0, &all);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	free(copy.data);
	assert_int_equal(gtrace_open_memory(whole.data, whole.size - 3,
					    &options, &trace, &error),
			 GTRACE_OK);
	assert_int_equal(gtrace_edit(&trace, 1, NULL, &output, &made, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	assert_int_equal(made.generations, all.generations - 1);
	assert_memory_equal(result.data, whole.data, result.size);
	free(visit(&result, false).items);
	free(result.data);
	free(whole.data);
}

/* Each allocation fails in turn, and all memory is released. */
static void test_memory(void **state)
{
	struct bytes whole = random_trace(1026, 4), result;
	const struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = &result};
	enum gtrace_status status = GTRACE_ERROR_MEMORY;
	size_t most;

	(void)state;
	for (most = 0; status != GTRACE_OK; most++) {
		struct counted counted = {.left = most};
		const struct gtrace_allocator memory =
			counted_allocator(&counted);
		const struct gtrace_options options = {.size = sizeof(options),
						       .allocator = &memory};
		struct gtrace *trace;

		result = (struct bytes){.room = SIZE_MAX};
		status = gtrace_open_memory(whole.data, whole.size, &options,
					    &trace, NULL);
		if (status == GTRACE_OK)
			status = gtrace_edit(&trace, 1, NULL, &output, NULL,
					     NULL);
		gtrace_close(trace);
		assert_true(status == GTRACE_OK ||
			    status == GTRACE_ERROR_MEMORY);
		assert_int_equal(result.size,
				 status == GTRACE_OK ? whole.size : 0);
		assert_int_equal(counted.blocks, 0);
		free(result.data);
	}
	assert_true(most > 10);
	free(whole.data);
}

/* The output fails at each size. */
static void test_failures(void **state)
{
	struct bytes whole = random_trace(1026, 4), result;
	struct gtrace_output output = {
		.size = sizeof(output), .write = add_bytes, .context = &result};
	struct gtrace *trace = open_bytes(&whole);
	struct gtrace_error error;
	size_t room;

	(void)state;
	for (room = 0; room < whole.size; room += 4096) {
		result = (struct bytes){.room = room};
		assert_int_equal(
			gtrace_edit(&trace, 1, NULL, &output, NULL, &error),
			GTRACE_ERROR_WRITE);
		assert_int_equal(error.system_error, 28);
		free(result.data);
	}
	gtrace_close(trace);
	free(whole.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),  cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_times),   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_partial), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
