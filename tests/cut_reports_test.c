/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cut_reports_test.c - the slices, waits and stop-the-world pauses that lie
 * within a cut are those of the whole trace, and no others are; on recorded
 * traces and on random ones of each version with generations.
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

#include "tests/files.h"
#include "tests/generator.h"
#include "tests/reports.h"

#define RANDOM_TRACES 24
#define CHOICES       6

/* ---------------------------------------------------------------- things -- */

/* A slice, a wait or a pause: what is compared of it. */
struct thing {
	uint64_t offset;
	int64_t start, end; /* -1: it is cut off */
	int64_t g;
	int64_t parts[3];
	char text[32];
};

struct things {
	struct thing *items;
	size_t count;
};

static void add(struct things *to, struct thing thing)
{
	if ((to->count & (to->count - 1)) == 0)
		to->items =
			realloc(to->items, (2 * to->count + 1) * sizeof(thing));
	assert_non_null(to->items);
	to->items[to->count++] = thing;
}

static int add_slice(void *context, const struct gtrace_slice *slice)
{
	struct thing thing = {
		.offset = slice->start.offset,
		.start = slice->start.ts,
		.end = slice->still_running ? -1
					    : slice->start.ts + slice->duration,
		.g = slice->g,
		.parts = {slice->p, slice->m},
	};

	snprintf(thing.text, sizeof(thing.text), "%s", slice->start.name);
	add(context, thing);
	return 0;
}

static int add_stop(void *context, const struct gtrace_stop *stop)
{
	struct thing thing = {
		.start = stop->requested,
		.end = stop->measured ? stop->ended : -1,
		.g = stop->g,
		.parts = {stop->stopping, stop->stopped, stop->procs},
	};

	snprintf(thing.text, sizeof(thing.text), "%.*s", (int)stop->kind.size,
		 stop->kind.data);
	add(context, thing);
	return 0;
}

static void add_waits(struct gtrace *trace, struct things *to)
{
	const struct gtrace_request request = REQUEST(.waits = SIZE_MAX);
	struct gtrace_reports *reports;
	struct gtrace_error error;
	size_t i;

	if (gtrace_analyse(trace, &request, &reports, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	for (i = 0; i < reports->waits->count; i++) {
		const struct gtrace_wait *wait = reports->waits->waits[i];
		struct thing thing = {
			.offset = wait->ready.offset,
			.start = wait->start,
			.end = wait->whole ? wait->start + wait->length : -1,
			.g = wait->g,
			.parts = {wait->busy, wait->idle, wait->stopped},
		};

		snprintf(thing.text, sizeof(thing.text), "%s",
			 wait->ready.name);
		add(to, thing);
	}
	gtrace_reports_free(reports);
}

static int add_event(void *context, const struct gtrace_event *event)
{
	/* Two can be at one place. */
	const struct thing thing = {.offset = event->offset,
				    .start = event->ts,
				    .g = (int64_t)event->type};

	add(context, thing);
	return 0;
}

enum kind { SLICES, WAITS, STOPS, EVENTS };

static int by_offset(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->g > y->g) - (x->g < y->g);
}

static struct things list(const struct bytes *bytes, enum kind kind)
{
	struct things things = {.count = 0};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.slice = kind == SLICES ? add_slice : NULL,
		.stop = kind == STOPS ? add_stop : NULL,
		.event = kind == EVENTS ? add_event : NULL,
		.context = &things,
	};
	struct gtrace *trace = open_bytes(bytes);
	struct gtrace_error error;

	if (kind == WAITS)
		add_waits(trace, &things);
	else if (gtrace_visit(trace, NULL, &visitor, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	if (things.count != 0)
		qsort(things.items, things.count, sizeof(struct thing),
		      by_offset);
	return things;
}

/* --------------------------------------------------------------- compare -- */

struct cut {
	struct bytes part;
	struct gtrace_edited made;
	uint64_t shift; /* what is at an offset is so many bytes later in all */
	int64_t clear;  /* from here on times are those of the whole */
};

/* The item of SOME that is ONE of the whole. NULL: there is none. */
static const struct thing *find(const struct things *some,
				const struct cut *cut, enum kind kind,
				const struct thing *one)
{
	struct thing key = {.offset = one->offset - cut->shift, .g = one->g};
	size_t i;

	if (kind != STOPS)
		return some->count == 0
			       ? NULL
			       : bsearch(&key, some->items, some->count,
					 sizeof(key), by_offset);
	for (i = 0; i < some->count; i++)
		if (some->items[i].start == one->start - cut->made.origin &&
		    some->items[i].g == one->g)
			return &some->items[i];
	return NULL;
}

static void compare(const struct thing *want, const struct thing *got,
		    const struct cut *cut)
{
	assert_non_null(got);
	assert_int_equal(got->g, want->g);
	assert_string_equal(got->text, want->text);
	if (got->start != want->start - cut->made.origin ||
	    got->end != want->end - cut->made.origin ||
	    memcmp(got->parts, want->parts, sizeof(want->parts)) != 0)
		fail_msg("%s of G%d: %d to %d (%d %d %d), %d to %d (%d %d %d)",
			 want->text, (int)want->g, (int)want->start,
			 (int)want->end, (int)want->parts[0],
			 (int)want->parts[1], (int)want->parts[2],
			 (int)(got->start + cut->made.origin),
			 (int)(got->end + cut->made.origin), (int)got->parts[0],
			 (int)got->parts[1], (int)got->parts[2]);
}

/* Returns how many were compared. */
static size_t compare_kind(const struct things *all, const struct cut *cut,
			   enum kind kind)
{
	struct things some = list(&cut->part, kind);
	size_t compared = 0, i;

	for (i = 0; i < all->count; i++) {
		const struct thing *one = &all->items[i];

		if (one->start < cut->clear || one->end < 0 ||
		    one->end >= cut->made.to)
			continue;
		compare(one, find(&some, cut, kind, one), cut);
		compared++;
	}
	free(some.items);
	return compared;
}

/*
 * When the events of the part begin that have the same times in the whole,
 * where ALL are: earlier ones come there right after those before the part.
 */
static int64_t clear_from(const struct things *all, const struct cut *cut)
{
	struct things some = list(&cut->part, EVENTS);
	int64_t clear = cut->made.from + 1, shown;
	const struct thing *found;
	size_t i;

	for (i = 0; i < some.count; i++) {
		const struct thing key = {.offset = some.items[i].offset +
						    cut->shift,
					  .g = some.items[i].g};

		found = bsearch(&key, all->items, all->count, sizeof(key),
				by_offset);
		shown = some.items[i].start + cut->made.origin;
		/* The Sync at the end is at the next part. */
		if (found != NULL && found->start != shown &&
		    found->start < cut->made.to && found->start >= clear)
			clear = found->start + 1;
	}
	free(some.items);
	return clear;
}

/* A random number below LIMIT. */
static int64_t below(int64_t limit)
{
	static uint32_t seed;

	seed = seed * 1664525 + 1013904223;
	return (int64_t)(((uint64_t)seed << 16 ^ seed >> 8) % (uint64_t)limit);
}

static struct cut cut_of(const struct bytes *whole, int64_t from, int64_t to)
{
	const struct gtrace_edit edit = {
		.size = sizeof(edit), .from = from, .to = to};
	struct cut cut = {.part.room = SIZE_MAX};
	const struct gtrace_output output =
		OUTPUT(.write = add_bytes, .context = &cut.part);
	struct gtrace *trace = open_bytes(whole);
	struct gtrace_error error;

	if (gtrace_edit(&trace, 1, &edit, &output, &cut.made, &error) !=
	    GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	cut.shift = shift_of(whole, &cut.part);
	return cut;
}

static size_t counts[3];

static void check_whole(const struct bytes *whole)
{
	const struct things all[] = {list(whole, SLICES), list(whole, WAITS),
				     list(whole, STOPS), list(whole, EVENTS)};
	struct cut cut = cut_of(whole, 0, 0);
	int64_t length = cut.made.length, from;
	unsigned i, kind;

	for (i = 0; i <= CHOICES; i++) {
		cut.clear = clear_from(&all[EVENTS], &cut);
		for (kind = SLICES; kind <= STOPS; kind++)
			counts[kind] +=
				compare_kind(&all[kind], &cut, (enum kind)kind);
		free(cut.part.data);
		from = below(length);
		cut = cut_of(whole, from, from + 1 + below(length));
	}
	free(cut.part.data);
	for (kind = SLICES; kind <= EVENTS; kind++)
		free(all[kind].items);
}

static void test_random(void **state)
{
	static const uint32_t versions[] = {1022, 1023, 1025, 1026};
	uint32_t i;

	(void)state;
	for (i = 0; i < RANDOM_TRACES; i++) {
		struct bytes bytes = {.room = SIZE_MAX};
		const struct generator_options options = {
			.version = versions[i % 4],
			.events = 3000,
			.processors = 1 + i % 5,
			.goroutines = 20,
			.churn = 50,
			.generation = 200 + i * 37 % 600,
			.seed = i,
			.write = generate_bytes,
			.context = &bytes,
		};

		generate_trace(&options);
		check_whole(&bytes);
		free(bytes.data);
	}
}

static void test_recorded(void **state)
{
	(void)state;
	each_of_several(check_whole);
}

/* The tests above have compared some of each kind. */
static void test_counts(void **state)
{
	(void)state;
	print_message("%zu slices, %zu waits, %zu pauses\n", counts[SLICES],
		      counts[WAITS], counts[STOPS]);
	assert_true(counts[SLICES] > 1000 && counts[WAITS] > 1000 &&
		    counts[STOPS] > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
