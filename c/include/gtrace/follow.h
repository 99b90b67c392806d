/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - a trace while it comes. Included by gtrace.h. */
#ifndef GTRACE_FOLLOW_H_
#define GTRACE_FOLLOW_H_

#include <gtrace/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A generation, which is complete: about a second of a trace of Go 1.22 or
 * later. Up to Go 1.25 that is known when the first batch of the next one has
 * come, or the trace ends; from Go 1.26 on the generation says so itself.
 */
struct gtrace_generation {
	uint64_t number; /* that the trace gives it */
	uint64_t begin;  /* offset of its first byte */
	uint64_t end;    /* and of the byte after it */
	int64_t from;    /* time of its first event */
	int64_t to;      /* and of its last one */
	/* When `from` was, see gtrace_start_time(). INT64_MIN: not known. */
	int64_t start;
	/*
	 * The generation alone, as a trace that is open until the function
	 * returns. Its times are since its own first event. What began before
	 * it, or is not over at its end, is in its reports as what began before
	 * a trace, or is not over at its end.
	 */
	struct gtrace *trace;
};

/*
 * The functions that gtrace_follow() calls with CONTEXT; NULL: not wanted. An
 * argument is valid until the function returns: 0 to continue, any other value
 * to end the call with GTRACE_OK. They must not use the trace that is followed.
 */
struct gtrace_follower {
	size_t size; /* sizeof(struct gtrace_follower) */
	void *context;
	/*
	 * What has ended: a slice, a stop-the-world pause, a wait for a
	 * processor, a block. Waits come at the end of the generation, in no
	 * order; a slice that kept one can still run then. After the last
	 * generation comes what still runs and what is not over.
	 */
	int (*slice)(void *context, const struct gtrace_slice *slice);
	int (*stop)(void *context, const struct gtrace_stop *stop);
	int (*wait)(void *context, const struct gtrace_wait *wait);
	int (*block)(void *context, const struct gtrace_block *block);
	/* After all that has ended in it. */
	int (*generation)(void *context,
			  const struct gtrace_generation *generation);
	/*
	 * What came since the last generation is to be forgotten: it comes
	 * again, as the trace has a fault, or begins in another way than it
	 * seemed.
	 */
	void (*again)(void *context);
};

/*
 * gtrace_follow() - reads TRACE once, as it comes, and calls the functions of
 * FOLLOWER. Of REQUEST only `filter` counts; NULL: none. Times of day, times
 * that count from the end, and `requests_over` are not known before the end,
 * and are errors. What is known of times without a CPU needs the whole trace:
 * these fields are as without `details`.
 *
 * Memory is that of one generation, and of what ends in it. To keep up with a
 * trace, set filter.min: shorter slices and waits take hardly any time.
 *
 * Errors: those of gtrace_analyse(), and GTRACE_ERROR_ARGUMENT for traces of Go
 * 1.21 and older, which have no generations. What came before a fault was given
 * away.
 *
 *	struct gtrace_filter filter = {.size = sizeof(filter), .min = 20000000};
 *	struct gtrace_request request = {.size = sizeof(request),
 *					 .filter = &filter};
 *	struct gtrace_follower follower = {
 *		.size = sizeof(follower), .slice = print_slice};
 *
 *	gtrace_follow(trace, &request, &follower, &error);
 */
GTRACE_API enum gtrace_status
gtrace_follow(struct gtrace *trace, const struct gtrace_request *request,
	      const struct gtrace_follower *follower,
	      struct gtrace_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GTRACE_FOLLOW_H_ */
