/* SPDX-License-Identifier: BSD-3-Clause */
/* tracer.c - which goroutines run only because a trace is recorded. */
#include "base/tracer.h"

#include <string.h>

/*
 * Functions, and types with all their methods. runtime/trace.Stop is not in this
 * list: the goroutine may have been computing until it made that call.
 */
static const char *const functions[] = {
	"net/http/pprof.Trace",
	"runtime.(*traceAdvancerState)",
	"runtime.ReadTrace",
	"runtime.StartTrace",
	"runtime.traceStartReadCPU",
	"runtime/trace.(*traceMultiplexer).startLocked",
	"runtime/trace.Start",
};

/* Whether FUNCTION is that of NAME, or a closure or a method of it. */
static bool is_of(struct gtrace_string function, const char *name)
{
	size_t size = strlen(name);

	return function.size >= size &&
	       memcmp(function.data, name, size) == 0 &&
	       (function.size == size || function.data[size] == '.');
}

bool gti_is_tracer(const struct gtrace_frame *frames, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < sizeof(functions) / sizeof(functions[0]); j++)
			if (is_of(frames[i].function, functions[j]))
				return true;
	return false;
}
