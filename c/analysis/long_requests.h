/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * long_requests.h - when goroutines were serving long requests: what a filter
 * lets pass.
 */
#ifndef GTRACE_ANALYSIS_LONG_REQUESTS_H_
#define GTRACE_ANALYSIS_LONG_REQUESTS_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* A time of a goroutine, in nanoseconds. */
struct long_request {
	uint64_t g;
	int64_t from;
	int64_t to;
};

/* Zero: there are none. */
struct long_requests {
	const struct gtrace_allocator *memory;
	/* struct long_request, by goroutine and time; they do not overlap. */
	struct array times;
};

/* Adds a time. Returns false if there is no memory. */
bool gti_long_requests_add(struct long_requests *all,
			   const struct long_request *one);

/* All are there: sorts them, so that they can be asked. */
void gti_long_requests_sort(struct long_requests *all);

/*
 * Whether a time of G has a moment of what lasts from FROM to TO. What only
 * touches its begin or its end has none, unless FROM is TO.
 */
bool gti_long_requests_have(const struct long_requests *all, uint64_t g,
			    int64_t from, int64_t to);

void gti_long_requests_free(struct long_requests *all);

#endif /* GTRACE_ANALYSIS_LONG_REQUESTS_H_ */
