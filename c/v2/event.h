/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GTRACE_V2_EVENT_H_
#define GTRACE_V2_EVENT_H_

#include <stdbool.h>
#include <stdint.h>

#define EVENT_ARGS 3

struct event {
	uint64_t offset;
	uint64_t ordinal;
	int64_t ticks;
	int64_t written;
	int64_t m;
	int64_t p;
	uint64_t g;
	uint64_t stack;
	uint64_t args[EVENT_ARGS];
	uint32_t type;
	bool has_frames;
	bool bad_id;
};

#endif
