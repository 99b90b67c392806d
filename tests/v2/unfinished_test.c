/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unfinished_test.c - traces of Go 1.22 and later that are cut off, at many
 * places, with GTRACE_PARTIAL_UNFINISHED: all events of the batches that are
 * whole come out, and those of the generations that are whole are the same as
 * with GTRACE_PARTIAL_GOOD.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/reports.h"

#define CUTS 30

struct seen {
	uint64_t offset;
	int64_t ts;
	int64_t m;
	int64_t p;
	int64_t g;
	uint64_t stack;
	size_t frames;
	uint64_t type;
};

struct events {
	struct seen *seen;
	size_t count;
	size_t capacity;
	uint64_t rest; /* offset of what was left out; 0: nothing was */
};

static int see(void *context, const struct gtrace_event *event)
{
	struct events *events = context;

	if (events->count == events->capacity) {
		events->capacity = events->capacity * 2 + 64;
		events->seen = realloc(
			events->seen, events->capacity * sizeof(*events->seen));
		assert_non_null(events->seen);
	}
	events->seen[events->count++] = (struct seen){
		.offset = event->offset,
		.ts = event->ts,
		.m = event->m,
		.p = event->p,
		.g = event->g,
		.stack = event->stack_id,
		.frames = event->frame_count,
		.type = event->type,
	};
	return 0;
}

/* The events of SIZE bytes at DATA, none if there is an error. */
static struct events visit(const void *data, size_t size, int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	const struct gtrace_error *reason;
	struct events events = {.count = 0};
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(data, size, &options, &trace, &error);
	if (status == GTRACE_OK)
		status = visit_events(trace, see, &events, &error);
	if (status == GTRACE_OK &&
	    gtrace_left_out(trace, &events.rest, NULL, &reason))
		assert_true(reason->offset <= size && events.rest <= size);
	if (status != GTRACE_OK)
		assert_true(events.count == 0 && error.message[0] != '\0');
	gtrace_close(trace);
	return events;
}

/* How many EVENTS come before the last Sync that begins a generation. */
static size_t count_whole(const struct events *events, size_t size)
{
	size_t i = events->count;

	while (i > 0 && (events->seen[i - 1].type != 0 ||
			 events->seen[i - 1].offset == size))
		i--;
	return i > 0 ? i - 1 : 0;
}

/* All reports can be made; their texts are not compared. */
static void make_reports(const void *data, size_t size)
{
	struct gtrace_options options =
		OPTIONS(.partial = GTRACE_PARTIAL_UNFINISHED);
	struct gtrace_request request = {
		.size = sizeof(request), .n = 5, .stops = 5};
	struct gtrace_reports *reports;
	struct gtrace_error error;
	struct gtrace *trace;
	size_t i;

	assert_int_equal(
		gtrace_open_memory(data, size, &options, &trace, &error),
		GTRACE_OK);
	if (gtrace_analyse(trace, &request, &reports, &error) == GTRACE_OK)
		for (i = 0; i < reports->greedy->count; i++)
			assert_true(reports->greedy->slices[i]->duration >= 0);
	else
		assert_true(error.status != GTRACE_ERROR_LENGTH);
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

/* Cuts off the trace WHOLE, of BYTES, at SIZE. Returns how much more comes. */
static size_t cut_off(const uint8_t *bytes, size_t size,
		      const struct events *whole)
{
	uint8_t *data = malloc(size);
	struct events good, unfinished;
	size_t count, gain, wanted = 0, i;

	assert_non_null(data);
	memcpy(data, bytes, size);
	good = visit(data, size, GTRACE_PARTIAL_GOOD);
	unfinished = visit(data, size, GTRACE_PARTIAL_UNFINISHED);
	assert_true(unfinished.count >= good.count);
	count = count_whole(&unfinished, size);
	assert_true(good.count >= count);
	for (i = 0; i < count; i++)
		assert_memory_equal(&good.seen[i], &unfinished.seen[i],
				    sizeof(good.seen[i]));
	/* What was left out begins after the last batch that is whole. */
	for (i = 0; i < whole->count; i++)
		wanted += whole->seen[i].offset < unfinished.rest;
	if (unfinished.rest != 0)
		assert_true(unfinished.count >= wanted);
	make_reports(data, size);
	gain = unfinished.count - good.count;
	free(good.seen);
	free(unfinished.seen);
	free(data);
	return gain;
}

static void test_trace(void **state)
{
	FILE *file = fopen(*state, "rb");
	static uint8_t bytes[1 << 18];
	struct events whole;
	size_t size, gain = 0, i;

	if (file == NULL)
		fail_msg("cannot open %s", (const char *)*state);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_true(size > 1000 && size < sizeof(bytes));
	whole = visit(bytes, size, GTRACE_PARTIAL_NO);
	assert_true(whole.count > 100 && whole.rest == 0);
	for (i = 0; i < CUTS; i++)
		gain += cut_off(bytes, 16 + i * (size - 16) / CUTS, &whole);
	/* In each cut, a part of a generation is gained. */
	assert_true(gain > whole.count);
	free(whole.seen);
}

#define TEST(name)                                                             \
	{                                                                      \
		name, test_trace, NULL, NULL,                                  \
			(char *)"testdata/" name ".trace"                      \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("go1.22-small/chan"), TEST("go1.22-small/gens"),
		TEST("go1.22-small/http"), TEST("go1.22-small/cgo"),
		TEST("go1.23-small/coro"), TEST("go1.24-small/sys"),
		TEST("go1.26-small/cgo"),  TEST("go1.27-small/chan"),
		TEST("go1.27-small/gens"), TEST("go1.27-small/gc"),
		TEST("go1.27-small/sys"),  TEST("go1.27-small/task"),
		TEST("go1.27-small/stw"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
