/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - how the clock of a trace is related to those of its machine. */
#include "base/fail.h"
#include "base/times.h"
#include "v2/clock.h"
#include "v2/trace.h"

/* Ticks of this clock are CLOCK_MONOTONIC, in units of 64 ns. */
#define MONOTONIC_FREQUENCY 15625000

enum gtrace_status gti_v2_monotonic(void *self, int64_t *offset,
				    struct gtrace_error *error)
{
	struct v2_trace *trace = self;
	enum generation_status status;
	struct generation generation;
	bool known;

	gti_v2_generation_init(&generation, &trace->source, &trace->memory);
	generation.only_tables = true;
	status = gti_v2_generation_read(&generation, trace->source.first,
					trace->takes_unfinished, error);
	known = generation.has_snapshot ||
		generation.ns_per_tick == clock_rate(MONOTONIC_FREQUENCY);
	*offset = 0;
	if (generation.has_snapshot)
		*offset = (int64_t)(generation.monotonic -
				    (uint64_t)ticks_to_ns(
					    generation.snapshot,
					    generation.ns_per_tick));
	gti_v2_generation_free(&generation);
	if (status == GENERATION_BAD)
		return error->status;
	return known ? GTRACE_OK
		     : gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the clock of the trace is not "
				"CLOCK_MONOTONIC: no scheduling record can be "
				"matched with it");
}

int64_t gti_v2_wall(void *self)
{
	struct v2_trace *trace = self;
	struct generation generation;
	struct gtrace_error error;
	int64_t offset = INT64_MIN;

	gti_v2_generation_init(&generation, &trace->source, &trace->memory);
	generation.only_tables = true;
	if (gti_v2_generation_read(&generation, trace->source.first,
				   trace->takes_unfinished,
				   &error) != GENERATION_BAD &&
	    generation.has_snapshot && generation.wall != INT64_MIN)
		offset = ns_between(ticks_to_ns(generation.snapshot,
						generation.ns_per_tick),
				    generation.wall);
	gti_v2_generation_free(&generation);
	return offset;
}
