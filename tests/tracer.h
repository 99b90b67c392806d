/* SPDX-License-Identifier: BSD-3-Clause */
/* tracer.h - which functions are of what records a trace, to check reports. */
#ifndef GTRACE_TESTS_TRACER_H_
#define GTRACE_TESTS_TRACER_H_

#include <string.h>

#include <gtrace/gtrace.h>

/* Those that occur in testdata. */
static inline int is_of_tracer(struct gtrace_string function)
{
	static const char *const names[] = {
		"runtime.(*traceAdvancerState).start.func1",
		"runtime.traceStartReadCPU.func1",
		"runtime/trace.Start.func1",
		"runtime/trace.(*traceMultiplexer).startLocked.func1",
		"runtime/trace.Start",
		"runtime/trace.Stop",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (function.size == strlen(names[i]) &&
		    memcmp(function.data, names[i], function.size) == 0)
			return 1;
	return 0;
}

/* Whether SLICE is shown with a stack of the tracer. */
static inline int is_slice_of_tracer(const struct gtrace_slice *slice)
{
	const struct gtrace_event *shown =
		slice->still_running ? &slice->start : &slice->end;
	size_t i;

	for (i = 0; i < shown->frame_count; i++)
		if (is_of_tracer(shown->frames[i].function))
			return 1;
	return 0;
}

#endif /* GTRACE_TESTS_TRACER_H_ */
