/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - slices, stops and collections as trace events. */
#include "base/fail.h"
#include "front.h"
#include "report/timeline.h"

/* What is written while the trace is visited. */
struct timeline {
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
	return timeline->failed || timeline->json.writer->failure != 0;
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

enum gtrace_status gti_print_timeline(struct gtrace *trace,
				      const struct gtrace_request *given,
				      struct writer *writer,
				      struct gtrace_error *error)
{
	struct gtrace_request request = *given;
	struct timeline timeline = {
		.json.writer = writer,
		.memory = &trace->memory,
		.name = request.name,
	};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.slice = write_slice,
		.stop = write_stop,
		.collection = write_collection,
		.context = &timeline,
	};
	enum gtrace_status status;

	if (gtrace_in_ticks(trace))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a timeline needs the tick frequency, which "
				"the trace lacks");
	/* Whether a slice is a system call. */
	request.details = 1;
	status = gtrace_visit(trace, &request, &visitor, error);
	if (status == GTRACE_OK && timeline.failed)
		status = gti_fail_memory(error);
	if (status == GTRACE_OK && timeline.negative)
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK) {
		begin(&timeline);
		gti_timeline_end(&timeline.json);
	}
	gti_map_free(&timeline.processors, &trace->memory);
	return status;
}
