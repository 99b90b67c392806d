/* SPDX-License-Identifier: BSD-3-Clause */
/* tracer.h - which goroutines run only because a trace is recorded. */
#ifndef GTRACE_BASE_TRACER_H_
#define GTRACE_BASE_TRACER_H_

#include <stdbool.h>
#include <stddef.h>

#include <gtrace/gtrace.h>

/* Whether the stack of the COUNT frames at FRAMES is one of the tracer. */
bool gti_is_tracer(const struct gtrace_frame *frames, size_t count);

#endif /* GTRACE_BASE_TRACER_H_ */
