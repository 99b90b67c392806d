/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_test.c - traces that come while they are read: each report of all of
 * testdata, damaged ones too, is that of the whole in memory, whether one byte
 * comes at a time or 64 KiB do, and whether they are kept in a file or not.
 * Streams that are cut off, interrupted, or cannot be read or kept.
 */
#define _POSIX_C_SOURCE 200809L /* fileno */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/chunks.h"
#include "tests/counted.h"
#include "tests/damaged.h"
#include "tests/files.h"
#include "tests/model.h"
#include "tests/reports.h"
#include "tests/traces.h"

/* Where no file can be. */
#define NOWHERE "/dev/null/nowhere"

/* Each damaged trace so many rows apart, unless the test is long. */
#define ROWS_APART (is_short() ? 80 : 20)

/*
 * Under sanitizers one in so many of the reports of all traces in a row. There are
 * 6 of a trace, and 24 of a damaged one, so that others follow in the next one.
 */
#ifdef SANITIZED
#define STRIDE (is_short() ? 5 : 1)
#else
#define STRIDE 1
#endif

static const struct gtrace_request requests[] = {
	{.size = sizeof(requests[0]), .report = GTRACE_REPORT_SUMMARY},
	{.size = sizeof(requests[0]), .n = 20},
	{.size = sizeof(requests[0]),
	 .n = 5,
	 .stops = 5,
	 .waits = 5,
	 .delays = 5,
	 .blocks = 5,
	 .goroutines = 5,
	 .requests = 5,
	 .details = 1},
	{.size = sizeof(requests[0]), .report = GTRACE_REPORT_DUMP},
	{.size = sizeof(requests[0]), .sched = 1000000},
	{.size = sizeof(requests[0]), .report = GTRACE_REPORT_TIMELINE},
};

#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

static struct gtrace_stream stream_of(struct source *source, const char *folder)
{
	const struct gtrace_stream stream = {
		.size = sizeof(stream),
		.read = read_source,
		.close = close_source,
		.context = source,
		.folder = folder,
	};

	return stream;
}

static int append(void *context, const void *data, size_t size)
{
	builder_bytes(context, data, size);
	return 0;
}

/* What was printed of a trace, and how that went. */
struct printed {
	struct builder text;
	enum gtrace_status status;
	struct gtrace_error error;
	int left_out;
	uint64_t offset, left;
};

static void print(struct printed *to, struct gtrace *trace,
		  const struct gtrace_request *request)
{
	struct gtrace_output output =
		OUTPUT(.write = append, .context = &to->text);

	if (to->status == GTRACE_OK)
		to->status = gtrace_print(trace, request, &output, &to->error);
	if (to->status == GTRACE_OK)
		to->left_out =
			gtrace_left_out(trace, &to->offset, &to->left, NULL);
	gtrace_close(trace);
}

static struct printed print_whole(const uint8_t *data, size_t size,
				  const struct gtrace_request *request,
				  int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct printed printed = {.status = GTRACE_OK};
	struct gtrace *trace;

	printed.status = gtrace_open_memory(data, size, &options, &trace,
					    &printed.error);
	print(&printed, trace, request);
	return printed;
}

static struct printed print_stream(struct source *source, const char *folder,
				   const struct gtrace_request *request,
				   int partial)
{
	struct gtrace_options options = OPTIONS(.partial = partial);
	struct gtrace_stream stream = stream_of(source, folder);
	struct printed printed = {.status = GTRACE_OK};
	struct gtrace *trace;

	printed.status =
		gtrace_open_stream(&stream, &options, &trace, &printed.error);
	print(&printed, trace, request);
	assert_int_equal(source->closed, 1);
	return printed;
}

/* Fails unless A and B, of the trace NAME, are the same. Frees B. */
static void compare(const char *name, size_t number, const struct printed *a,
		    struct printed *b)
{
	if (a->status != b->status)
		fail_msg("%s, %zu: status %d, not %d: %s", name, number,
			 b->status, a->status,
			 b->status != GTRACE_OK ? b->error.message : "");
	if (a->status != GTRACE_OK) {
		assert_string_equal(a->error.message, b->error.message);
		assert_int_equal(a->error.offset, b->error.offset);
	}
	if (a->text.size != b->text.size ||
	    (a->text.size != 0 &&
	     memcmp(a->text.bytes, b->text.bytes, a->text.size) != 0))
		fail_msg("%s, %zu: another report of a stream: %zu, %zu bytes",
			 name, number, a->text.size, b->text.size);
	assert_int_equal(a->left_out, b->left_out);
	if (a->left_out) {
		assert_int_equal(a->offset, b->offset);
		assert_int_equal(a->left, b->left);
	}
	free(b->text.bytes);
}

/* Of a larger trace a few bytes come at a time. */
#define SIZE_SLOW 20000

/* Compares report NUMBER of the trace with that of streams of it. */
static void check_report(const char *name, const uint8_t *data, size_t size,
			 size_t number, int partial)
{
	static const struct {
		size_t chunk;
		const char *folder;
	} ways[] = {{1, NULL}, {65536, NULL}, {65536, NOWHERE}};
	static size_t turn;
	struct printed whole;
	size_t i;

	if (turn++ % (size_t)STRIDE != 0)
		return;
	whole = print_whole(data, size, &requests[number], partial);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct source source = {
			.data = data, .size = size, .chunk = ways[i].chunk};
		struct printed other;

		if (size > SIZE_SLOW && source.chunk == 1)
			source.chunk = 61;
		other = print_stream(&source, ways[i].folder, &requests[number],
				     partial);

		compare(name, number, &whole, &other);
	}
	free(whole.text.bytes);
}

/* Reports of traces of more bytes take long. */
#define SIZE_MOST 300000

static void check_trace(const char *path)
{
	size_t size, i;
	uint8_t *data = read_file(path, &size);

	for (i = 0; i < REQUESTS && size <= SIZE_MOST; i++)
		check_report(path, data, size, i, GTRACE_PARTIAL_NO);
	free(data);
}

static void traces(void **state)
{
	(void)state;
	assert_true(each_trace(check_trace) > 100);
}

static size_t row;

static void check_row(const char *release, char **columns)
{
	static const int partial[] = {GTRACE_PARTIAL_NO, GTRACE_PARTIAL_GOOD,
				      GTRACE_PARTIAL_UNFINISHED,
				      GTRACE_PARTIAL_CUT_OFF};
	struct builder damaged;
	size_t i;

	if (row++ % (size_t)ROWS_APART != 0)
		return;
	damaged = splice(release, columns);
	for (i = 0; i < REQUESTS * 4; i++)
		check_report(columns[COLUMN_BASE], damaged.bytes, damaged.size,
			     i % REQUESTS, partial[i / REQUESTS]);
	free(damaged.bytes);
}

static void damaged(void **state)
{
	(void)state;
	check_rows("go1.8", 250, check_row);
	check_rows("go1.21", 125, check_row);
	check_rows("go1.22", 300, check_row);
	check_rows("go1.27", 300, check_row);
}

/* A trace that is cut off has what is complete, and a damaged one is at fault.
 */
static void cut_off(void **state)
{
	size_t size, cut, reported = 0;
	uint8_t *data = read_file("testdata/go1.27-small/gens.trace", &size);
	const struct gtrace_request *request = &requests[1];

	(void)state;
	for (cut = size / 20; cut < size; cut += size / 20) {
		struct source source = {
			.data = data, .size = cut, .chunk = 4096};
		struct printed good =
			print_whole(data, cut, request, GTRACE_PARTIAL_GOOD);
		struct printed other = print_stream(&source, NULL, request,
						    GTRACE_PARTIAL_CUT_OFF);

		reported += other.status == GTRACE_OK;
		compare("gens", cut, &good, &other);
		free(good.text.bytes);
	}
	assert_true(reported > 10);
	memset(data + size / 2, 0xff, 64);
	assert_int_not_equal(
		print_whole(data, size, request, GTRACE_PARTIAL_CUT_OFF).status,
		GTRACE_OK);
	free(data);
}

/* The reader of a stream wants no more, or fails. */
static void check_end(const char *path)
{
	size_t size;
	uint8_t *data = read_file(path, &size);
	struct source ends = {.data = data,
			      .size = size,
			      .chunk = 100,
			      .fails_at = size * 3 / 4,
			      .code = EINTR};
	struct source fails = ends;
	struct printed part, none;
	struct printed good = print_whole(data, (size * 3 / 4 + 99) / 100 * 100,
					  &requests[1], GTRACE_PARTIAL_GOOD);

	part = print_stream(&ends, NULL, &requests[1], GTRACE_PARTIAL_CUT_OFF);
	compare(path, 1, &good, &part);
	fails.code = EIO;
	none = print_stream(&fails, NULL, &requests[1], GTRACE_PARTIAL_CUT_OFF);
	assert_int_equal(none.status, GTRACE_ERROR_READ);
	assert_int_equal(none.error.system_error, EIO);
	assert_int_equal(none.text.size, 0);
	free(good.text.bytes);
	free(data);
}

static void ends(void **state)
{
	(void)state;
	check_end("testdata/go1.27-small/gens.trace");
	check_end("testdata/go1.22-small/gens.trace");
	check_end("testdata/go1.21-small/mix.trace");
}

/* What is no trace is read up to there. */
static void no_trace(void **state)
{
	static uint8_t zeros[1 << 20];
	struct source source = {
		.data = zeros, .size = sizeof(zeros), .chunk = 4096};
	struct gtrace_stream stream = stream_of(&source, NULL);
	struct gtrace_error error;
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_stream(&stream, NULL, &trace, &error),
			 GTRACE_ERROR_HEADER);
	assert_null(trace);
	assert_int_equal(source.closed, 1);
	assert_int_equal(source.at, 4096);
	stream.size = 4;
	assert_int_equal(gtrace_open_stream(&stream, NULL, &trace, &error),
			 GTRACE_ERROR_ARGUMENT);
}

/* A report that needs the beginning alone reads no more than that. */
static void lazily(void **state)
{
	size_t size;
	uint8_t *data = read_file("testdata/go1.27-small/gens.trace", &size);
	struct source source = {.data = data, .size = size, .chunk = 16};
	struct gtrace_stream stream = stream_of(&source, NULL);
	struct gtrace *trace;

	(void)state;
	assert_int_equal(gtrace_open_stream(&stream, NULL, &trace, NULL),
			 GTRACE_OK);
	assert_true(sizeof(void *) < 8 || source.at == 16);
	assert_int_equal(source.closed, sizeof(void *) < 8);
	gtrace_close(trace);
	assert_int_equal(source.closed, 1);
	free(data);
}

/* From a descriptor, without a read function. */
static void descriptor(void **state)
{
	const char *path = "testdata/go1.27-small/idle.trace";
	size_t size;
	uint8_t *data = read_file(path, &size);
	struct printed whole = print_whole(data, size, &requests[1], 0), other;
	struct gtrace_stream stream = {.size = sizeof(stream)};
	struct gtrace *trace;
	FILE *file = fopen(path, "rb");

	(void)state;
	assert_non_null(file);
	stream.fd = fileno(file);
	other = (struct printed){.status = GTRACE_OK};
	other.status = gtrace_open_stream(&stream, NULL, &trace, &other.error);
	print(&other, trace, &requests[1]);
	compare(path, 1, &whole, &other);
	fclose(file);
	free(whole.text.bytes);
	free(data);
}

/* Each allocation of a stream fails in turn. */
static void allocations(void **state)
{
	size_t size, left;
	uint8_t *data = read_file("testdata/go1.27-small/idle.trace", &size);
	enum gtrace_status status = GTRACE_ERROR_MEMORY;

	(void)state;
	for (left = 0; status != GTRACE_OK; left++) {
		struct counted counted = {.left = left};
		struct gtrace_allocator allocator = counted_allocator(&counted);
		struct gtrace_options options =
			OPTIONS(.allocator = &allocator);
		struct source source = {
			.data = data, .size = size, .chunk = 4096};
		struct gtrace_stream stream =
			stream_of(&source, left % 2 != 0 ? NOWHERE : NULL);
		struct gtrace *trace;

		status = gtrace_open_stream(&stream, &options, &trace, NULL);
		if (status != GTRACE_OK)
			assert_int_equal(status, GTRACE_ERROR_MEMORY);
		gtrace_close(trace);
		assert_int_equal(source.closed, 1);
		assert_int_equal(counted.blocks, 0);
	}
	assert_true(left > 2);
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces),     cmocka_unit_test(damaged),
		cmocka_unit_test(cut_off),    cmocka_unit_test(ends),
		cmocka_unit_test(no_trace),   cmocka_unit_test(lazily),
		cmocka_unit_test(descriptor), cmocka_unit_test(allocations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
