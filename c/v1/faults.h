/* SPDX-License-Identifier: BSD-3-Clause */
/* faults.h - messages for faults of events, in the words of Go's parser. */
#ifndef GTRACE_V1_FAULTS_H_
#define GTRACE_V1_FAULTS_H_

#include <gtrace/gtrace.h>

#include "v1/states.h"

/* What the messages need beside the events. */
struct fault_context {
	unsigned version;
	struct clock clock;
	/* Returns the string argument of a user event. */
	struct gtrace_string (*name)(void *context, const struct event *event);
	void *context;
};

/* Fills ERROR with FAULT. Returns the status. */
enum gtrace_status gti_fault_message(const struct fault *fault,
				     const struct fault_context *context,
				     struct gtrace_error *error);

#endif /* GTRACE_V1_FAULTS_H_ */
