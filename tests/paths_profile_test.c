/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * paths_profile_test.c - the profile of critical paths: its sums, by state and
 * level, are those of the paths of all requests; its stacks read from the
 * request down to who held it up; and a chain that is too deep is cut.
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

#include "tests/bytes.h"
#include "tests/reports.h"
#include "tests/traces.h"

/* ---------------------------------------------------------------- decode -- */

/* What was written. */
struct bytes {
	uint8_t *data;
	size_t size, room;
};

static int keep(void *context, const void *data, size_t size)
{
	struct bytes *bytes = context;

	while (size > bytes->room - bytes->size) {
		bytes->room = bytes->room * 2 + 4096;
		bytes->data = realloc(bytes->data, bytes->room);
		assert_non_null(bytes->data);
	}
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
	return 0;
}

/* A field of a message: a number, or SIZE bytes at AT. */
struct field {
	unsigned number;
	uint64_t value;
	const uint8_t *at;
	size_t size;
};

static bool next_field(const uint8_t **at, const uint8_t *end,
		       struct field *field)
{
	uint64_t tag;

	if (*at == end)
		return false;
	tag = take_leb128(at);
	*field = (struct field){.number = (unsigned)(tag >> 3)};
	field->value = take_leb128(at);
	if ((tag & 7) == 0)
		return true;
	assert_int_equal(tag & 7, 2);
	field->at = *at;
	field->size = (size_t)field->value;
	*at += field->size;
	return true;
}

/* Field NUMBER of the message at AT, a number; 0: there is none. */
static uint64_t number_in(const uint8_t *at, const uint8_t *end,
			  unsigned number)
{
	struct field field;

	while (next_field(&at, end, &field))
		if (field.number == number)
			return field.value;
	return 0;
}

/* Message I, from 0, in field NUMBER of the profile. */
static struct field message_at(const struct bytes *bytes, unsigned number,
			       uint64_t i)
{
	const uint8_t *at = bytes->data, *end = at + bytes->size;
	struct field field;

	while (next_field(&at, end, &field))
		if (field.number == number && i-- == 0)
			return field;
	fail_msg("the profile has no message %llu", (unsigned long long)i);
	return (struct field){.number = 0};
}

/* Whether string NUMBER is TEXT. */
static bool is_string(const struct bytes *bytes, uint64_t number,
		      const char *text)
{
	struct field field = message_at(bytes, 6, number);

	return field.size == strlen(text) &&
	       memcmp(field.at, text, field.size) == 0;
}

/* Whether the function at the location with ID is NAME. */
static bool is_function(const struct bytes *bytes, uint64_t id,
			const char *name)
{
	struct field location = message_at(bytes, 4, id - 1), line, function;
	const uint8_t *at = location.at;

	while (next_field(&at, location.at + location.size, &line))
		if (line.number == 4)
			break;
	function = message_at(bytes, 5,
			      number_in(line.at, line.at + line.size, 1) - 1);
	return is_string(bytes,
			 number_in(function.at, function.at + function.size, 2),
			 name);
}

/* ------------------------------------------------------------------ sums -- */

#define LEVELS 64

/* By state and level; those of the last one are of all deeper ones, too. */
struct sums {
	uint64_t count, time;
	uint64_t of[9][LEVELS];
};

static const char *const states[9] = {
	"ran",     "assisted",    "ready", "system call", "blocked",
	"unknown", "not created", "ended", "?",
};

static unsigned state_number(const char *state)
{
	unsigned i;

	for (i = 0; i < 8 && strcmp(states[i], state) != 0; i++)
		;
	return i;
}

static void add(struct sums *sums, unsigned state, uint64_t level,
		uint64_t count, uint64_t time)
{
	assert_true(state < 8);
	sums->count += count;
	sums->time += time;
	sums->of[state][level < LEVELS ? level : LEVELS - 1] += time;
}

/* The words that labels have, by number of the string. */
struct words {
	uint64_t state, level, kind;
	uint8_t *states;
};

static struct words read_words(const struct bytes *bytes)
{
	const uint8_t *at = bytes->data, *end = at + bytes->size;
	struct words words = {.states = calloc(bytes->size + 1, 1)};
	struct field field;
	char text[256];
	size_t i = 0;

	while (next_field(&at, end, &field)) {
		if (field.number != 6)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)field.size,
			 (const char *)field.at);
		words.states[i] = (uint8_t)state_number(text);
		if (strcmp(text, "state") == 0)
			words.state = i;
		if (strcmp(text, "level") == 0)
			words.level = i;
		if (strcmp(text, "kind") == 0)
			words.kind = i;
		i++;
	}
	return words;
}

static void add_sample(struct sums *sums, const struct words *words,
		       struct field sample)
{
	const uint8_t *at = sample.at, *end = at + sample.size;
	uint64_t state = 0, level = UINT64_MAX, count = 0, time = 0, key;
	bool has_kind = false;
	struct field field;

	while (next_field(&at, end, &field)) {
		if (field.number == 2) {
			count = take_leb128(&field.at);
			time = take_leb128(&field.at);
		}
		if (field.number != 3)
			continue;
		key = number_in(field.at, field.at + field.size, 1);
		field.value = number_in(field.at, field.at + field.size, 2);
		if (key == words->state)
			state = field.value;
		else if (key == words->level)
			level = number_in(field.at, field.at + field.size, 3);
		else
			has_kind = key == words->kind;
	}
	assert_true(level != UINT64_MAX && state != 0);
	assert_true(has_kind == (words->states[state] == 4));
	add(sums, words->states[state], level, count, time);
}

static void add_profile(struct sums *sums, const struct bytes *bytes)
{
	const uint8_t *at = bytes->data, *end = at + bytes->size;
	struct words words = read_words(bytes);
	struct field field;

	while (next_field(&at, end, &field))
		if (field.number == 2)
			add_sample(sums, &words, field);
	free(words.states);
}

static void add_paths(struct sums *sums, const struct gtrace_paths *kind)
{
	size_t i, j;

	for (i = 0; i < kind->path_count; i++)
		for (j = 0; j < kind->paths[i].segment_count; j++) {
			const struct gtrace_segment *one =
				&kind->paths[i].segments[j];

			add(sums, state_number(one->state), one->level, 1,
			    (uint64_t)one->length);
		}
}

/* ----------------------------------------------------------------- tests -- */

/* The profile of TRACE. Returns false if it cannot be made. */
static bool print_profile(struct gtrace *trace, struct gtrace_request request,
			  struct bytes *bytes)
{
	const struct gtrace_output output =
		OUTPUT(.write = keep, .context = bytes);

	*bytes = (struct bytes){NULL, 0, 0};
	request.report = GTRACE_REPORT_PATH_PROFILE;
	return gtrace_print(trace, &request, &output, NULL) == GTRACE_OK;
}

static unsigned compared;

static void check(const char *path)
{
	struct gtrace_reports *reports = NULL;
	struct sums want = {.count = 0}, got = {.count = 0};
	struct gtrace *trace = NULL;
	struct bytes bytes;
	size_t i;

	if (gtrace_open_path(path, NULL, &trace, NULL) != GTRACE_OK)
		return;
	if (gtrace_analyse(trace, &REQUEST(.paths = 1000000), &reports, NULL) ==
	    GTRACE_OK) {
		assert_true(print_profile(trace, REQUEST(.n = 0), &bytes));
		for (i = 0; i < reports->paths->count; i++)
			add_paths(&want, &reports->paths->kinds[i]);
		add_profile(&got, &bytes);
		if (memcmp(&want, &got, sizeof(want)) != 0)
			fail_msg("%s: %llu ns, and in the profile %llu", path,
				 (unsigned long long)want.time,
				 (unsigned long long)got.time);
		compared += want.count != 0;
		free(bytes.data);
	}
	gtrace_reports_free(reports);
	gtrace_close(trace);
}

static void test_sums(void **state)
{
	(void)state;
	each_trace(check);
	assert_true(compared > 20);
}

static struct gtrace *open_pipeline(void)
{
	struct gtrace *trace;

	assert_int_equal(gtrace_open_path("testdata/paths/pipeline.trace", NULL,
					  &trace, NULL),
			 GTRACE_OK);
	return trace;
}

/* Whether the functions of SAMPLE are NAMES, from the request on. */
static bool reads(const struct bytes *bytes, struct field sample,
		  const char *const *names, size_t count)
{
	const uint8_t *at = sample.at, *end;
	uint64_t ids[256];
	size_t found = 0, i;
	struct field field;

	while (next_field(&at, sample.at + sample.size, &field))
		if (field.number == 1)
			break;
	end = field.at + field.size;
	while (field.at != end && found < 256)
		ids[found++] = take_leb128(&field.at);
	for (i = 0; i < count && i < found; i++)
		if (!is_function(bytes, ids[found - 1 - i], names[i]))
			return false;
	return found == count;
}

/* The request waits for the third stage, that for the second, which computes.
 */
static void test_stacks(void **state)
{
	static const char *const names[] = {
		"region ask",
		"main.main",
		"main.pipeline",
		"main.ask",
		"runtime/trace.WithRegion",
		"main.pipeline.func2",
		"runtime.chanrecv1",
		"main.pipeline.func1",
		"runtime.chanrecv2",
		"main.pipeline.func1",
		"runtime.chansend1",
	};
	struct gtrace *trace = open_pipeline();
	struct field first;
	struct bytes bytes;

	(void)state;
	assert_true(print_profile(trace, REQUEST(.root = "^ask$"), &bytes));
	first = message_at(&bytes, 2, 0); /* the most time is first */
	assert_true(
		reads(&bytes, first, names, sizeof(names) / sizeof(names[0])));
	free(bytes.data);
	gtrace_close(trace);
}

/* Requests that -root does not choose are left out; with g, a time counts. */
static void test_chosen(void **state)
{
	static const int64_t g = 1;
	const struct gtrace_filter filter = {.size = sizeof(filter),
					     .g = &g,
					     .g_count = 1,
					     .from = 1000000,
					     .to = 3000000};
	struct gtrace *trace = open_pipeline();
	struct sums sums = {.count = 0};
	struct bytes bytes;

	(void)state;
	assert_true(print_profile(trace, REQUEST(.root = "^none$"), &bytes));
	add_profile(&sums, &bytes);
	assert_int_equal(sums.count, 0);
	free(bytes.data);
	assert_true(print_profile(trace, REQUEST(.filter = &filter), &bytes));
	add_profile(&sums, &bytes);
	assert_int_equal(sums.time, 2000000);
	free(bytes.data);
	gtrace_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
