/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - slices, stops and collections as trace events. */
#include "base/fail.h"
#include "front.h"
#include "report/timeline.h"

/* What is written while the trace is visited. */
struct timeline {
	struct writer writer;
	struct json json;
	const struct gtrace_allocator *memory;
	const char *name;
	struct map processors; /* that have a track */
	bool begun;
	bool failed;   /* there was no memory */
	bool negative; /* a slice ends before it starts */
};

/* Nothing is written before the trace was checked. */
static void begin(struct timeline *timeline)
{
	if (!timeline->begun)
		gti_timeline_begin(&timeline->json, timeline->name);
	timeline->begun = true;
}

/* A visit ends early if the output has failed. */
static int go_on(const struct timeline *timeline)
{
	return timeline->failed || timeline->writer.failure != 0;
}

static int write_slice(void *context, const struct gtrace_slice *slice)
{
	struct timeline *timeline = context;
	uint64_t *known;

	timeline->negative = slice->duration < 0;
	if (timeline->negative)
		return 1;
	known = gti_map_put(&timeline->processors, (uint64_t)slice->p,
			    timeline->memory);
	if (known == NULL) {
		timeline->failed = true;
		return 1;
	}
	begin(timeline);
	if (*known == 0)
		gti_timeline_processor(&timeline->json, slice->p);
	*known = 1;
	gti_timeline_slice(&timeline->json, slice);
	return go_on(timeline);
}

static int write_stop(void *context, const struct gtrace_stop *stop)
{
	struct timeline *timeline = context;

	begin(timeline);
	gti_timeline_stop(&timeline->json, stop);
	return go_on(timeline);
}

static int write_collection(void *context, int64_t begins, int64_t ends)
{
	struct timeline *timeline = context;

	/* If times are wrong a collection can end before it begins. */
	if (ends < begins)
		return 0;
	begin(timeline);
	gti_timeline_collection(&timeline->json, begins, ends);
	return go_on(timeline);
}

static enum gtrace_status print_timeline(struct gtrace *trace,
					 const struct gtrace_request *request,
					 struct timeline *timeline,
					 struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.slice = write_slice,
		.stop = write_stop,
		.collection = write_collection,
		.context = timeline,
	};
	enum gtrace_status status, written;

	timeline->json.writer = &timeline->writer;
	timeline->memory = &trace->memory;
	timeline->name = request->name;
	status = gtrace_visit(trace, request, &visitor, error);
	if (status == GTRACE_OK && timeline->failed)
		status = gti_fail_memory(error);
	if (status == GTRACE_OK && timeline->negative)
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK) {
		begin(timeline);
		gti_timeline_end(&timeline->json);
	} else {
		/* Discards what is not written yet. */
		writer_commit(&timeline->writer, timeline->writer.buffer);
	}
	gti_map_free(&timeline->processors, &trace->memory);
	written = gti_writer_finish(&timeline->writer,
				    status == GTRACE_OK ? error : NULL);
	return status == GTRACE_OK ? written : status;
}

enum gtrace_status gti_print_timeline(struct gtrace *trace,
				      const struct gtrace_request *given,
				      const struct gtrace_output *output,
				      struct gtrace_error *error)
{
	struct gtrace_request request = *given;
	struct timeline timeline = {.begun = false};
	enum gtrace_status status = GTRACE_OK;

	/* Whether a slice is a system call. */
	request.details = 1;
	if (gtrace_in_ticks(trace))
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a timeline needs the tick frequency, which "
				  "the trace lacks");
	if (status == GTRACE_OK)
		status = gti_open_writer(&timeline.writer, output,
					 &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	return print_timeline(trace, &request, &timeline, error);
}
