/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream_fuzzer.c - reads any file as a stream, in chunks of sizes that its
 * bytes decide: reports are those of the file in memory, errors and what is
 * left out too. What a follower is told of it ends where it ends, or says so,
 * and what it is told again is the same.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"
#include "tests/reports.h"

struct stream {
	const uint8_t *data;
	size_t size;
	size_t at;
	uint64_t random;
	size_t closed;
};

/* From the size of a chunk to that of the next one, many are short. */
static size_t next_size(struct stream *stream)
{
	unsigned bits;

	stream->random = stream->random * UINT64_C(6364136223846793005) +
			 UINT64_C(1442695040888963407);
	bits = (unsigned)(stream->random >> 60);
	return 1 + (size_t)(stream->random >> 20) % ((size_t)1 << bits);
}

static int64_t read_chunk(void *context, void *buffer, size_t size)
{
	struct stream *stream = context;
	size_t left = stream->size - stream->at, chunk = next_size(stream);

	if (size > chunk)
		size = chunk;
	if (size > left)
		size = left;
	memcpy(buffer, stream->data + stream->at, size);
	stream->at += size;
	return (int64_t)size;
}

static void close_stream(void *context)
{
	((struct stream *)context)->closed++;
}

static enum gtrace_status open_stream(struct stream *stream, int in_memory,
				      int partial, struct gtrace **trace,
				      struct gtrace_error *error)
{
	const struct gtrace_stream given = {
		.size = sizeof(given),
		.read = read_chunk,
		.close = close_stream,
		.context = stream,
		.folder = in_memory ? "/dev/null" : NULL,
	};
	const struct gtrace_options options = OPTIONS(.partial = partial);

	return gtrace_open_stream(&given, &options, trace, error);
}

/* What is printed of a trace. */
struct printed {
	enum gtrace_status status;
	struct gtrace_error error;
	struct sum sum;
	int left_out;
	uint64_t offset, left;
};

static void print(struct printed *to, struct gtrace *trace)
{
	const struct gtrace_output output =
		OUTPUT(.write = add, .context = &to->sum);

	if (to->status == GTRACE_OK)
		to->status = print_greedy(trace, 5, &output, &to->error);
	if (to->status == GTRACE_OK)
		to->status = print_dump(trace, &output, &to->error);
	if (to->status == GTRACE_OK)
		to->left_out =
			gtrace_left_out(trace, &to->offset, &to->left, NULL);
	gtrace_close(trace);
}

static void compare(const uint8_t *data, size_t size, int partial)
{
	const struct gtrace_options options = OPTIONS(.partial = partial);
	struct stream stream = {.data = data, .size = size, .random = size};
	struct printed whole = {.left_out = 0}, come = whole;
	struct gtrace *trace;
	int in_memory = size != 0 && data[size - 1] % 2 != 0;

	whole.status =
		gtrace_open_memory(data, size, &options, &trace, &whole.error);
	print(&whole, trace);
	come.status =
		open_stream(&stream, in_memory, partial, &trace, &come.error);
	print(&come, trace);
	check(stream.closed == 1);
	check(whole.status == come.status);
	check(whole.sum.value == come.sum.value);
	check(whole.left_out == come.left_out);
	check(whole.offset == come.offset && whole.left == come.left);
	check(whole.status == GTRACE_OK ||
	      strcmp(whole.error.message, come.error.message) == 0);
}

/* What a follower is told. */
struct told {
	uint64_t end; /* of the last generation */
	uint64_t slices;
};

static int tell_slice(void *context, const struct gtrace_slice *slice)
{
	struct told *told = context;

	check(slice->start.offset != 0);
	told->slices++;
	return 0;
}

static int tell_generation(void *context,
			   const struct gtrace_generation *generation)
{
	struct told *told = context;

	check(generation->begin < generation->end);
	check(told->end == 0 || told->end == generation->begin);
	told->end = generation->end;
	return 0;
}

static void follow(const uint8_t *data, size_t size)
{
	struct stream stream = {.data = data, .size = size, .random = ~size};
	struct told told = {.end = 0};
	const struct gtrace_follower follower = {
		.size = sizeof(follower),
		.context = &told,
		.slice = tell_slice,
		.generation = tell_generation,
	};
	struct gtrace_error error;
	struct gtrace *trace;

	if (open_stream(&stream, 0, GTRACE_PARTIAL_CUT_OFF, &trace, &error) ==
	    GTRACE_OK)
		gtrace_follow(trace, NULL, &follower, &error);
	check(told.end <= size);
	gtrace_close(trace);
	check(stream.closed == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int partial;

	for (partial = GTRACE_PARTIAL_NO; partial <= GTRACE_PARTIAL_CUT_OFF;
	     partial++)
		compare(data, size, partial);
	follow(data, size);
	return 0;
}
