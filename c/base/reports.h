/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports.h - the reports that one pass finds, in the order in which they are
 * written. What names each of them is made from this table.
 */
#ifndef GTRACE_BASE_REPORTS_H_
#define GTRACE_BASE_REPORTS_H_

/* The parts of struct gtrace_filter that can apply to a report, as bits. */
enum {
	FILTER_G = 1 << 0,
	FILTER_TIMES = 1 << 1, /* `from` and `to` */
	FILTER_REQUESTS = 1 << 2,
	FILTER_OTHERS = 1 << 3, /* what only FILTER_ALL has */
	FILTER_ALL = 15
};

/*
 * X(NAME, report, asked, uses, filters, made, what, number) for each report:
 *
 *   NAME     as in LIST_NAME below
 *   report   its member of struct gtrace_reports, and part of the names of the
 *            functions that make it
 *   asked    the member of struct gtrace_request that asks for it
 *   uses     which requests that counts for, see request.c
 *   filters  which ones apply to it
 *   made     by what gti_want() sets up for several, HOOKED; or, CONSUMES, by
 *            a consumer that gti_want_..., with the name of `report`, adds
 *   what     the filters may leave none of; NULL: nothing is said then
 *   number   how many of these FOUND, a struct gtrace_reports, has
 */
#define REPORTS(X)                                                             \
	X(GREEDY, greedy, n, FOR_LISTS | FOR_SUMMARIES | FOR_PAGE, FILTER_ALL, \
	  HOOKED, "slice", found->greedy->count)                               \
	X(STOPS, stops, stops, FOR_LISTS | FOR_SUMMARIES | FOR_PAGE,           \
	  FILTER_ALL, HOOKED, "stop-the-world pause",                          \
	  found->stops->measured + found->stops->unmeasured +                  \
		  found->stops->inferred)                                      \
	X(WAITS, waits, waits, FOR_LISTS | FOR_SUMMARIES, FILTER_ALL, HOOKED,  \
	  "wait for a processor", found->waits->count)                         \
	X(DELAYS, delays, delays, FOR_LISTS | FOR_SUMMARIES, FILTER_ALL,       \
	  HOOKED, "slice that delayed others", found->delays->count)           \
	X(BLOCKS, blocks, blocks, FOR_LISTS | FOR_SUMMARIES, FILTER_ALL,       \
	  HOOKED, "block", found->blocks->sum_count)                           \
	X(GOROUTINES, goroutines, goroutines, FOR_LISTS,                       \
	  FILTER_G | FILTER_TIMES, HOOKED, "goroutine",                        \
	  found->goroutines->count)                                            \
	X(REQUESTS, requests, requests, FOR_LISTS,                             \
	  FILTER_TIMES | FILTER_REQUESTS, HOOKED, NULL,                        \
	  found->requests->count)                                              \
	X(COLLECTIONS, collections, collections, FOR_LISTS | FOR_SUMMARIES,    \
	  FILTER_TIMES, CONSUMES, NULL, found->collections->count)             \
	X(SCHED, sched, sched, FOR_LISTS, FILTER_TIMES, CONSUMES, NULL,        \
	  found->sched->count)                                                 \
	X(PATHS, paths, paths, FOR_LISTS, FILTER_G | FILTER_TIMES, HOOKED,     \
	  NULL,                                                                \
	  found->paths->count != 0 ? found->paths->kinds->path_count : 0)

#define LIST_OF_REPORT(NAME, ...) LIST_##NAME,
enum { REPORTS(LIST_OF_REPORT) LIST_COUNT };
#undef LIST_OF_REPORT

#endif /* GTRACE_BASE_REPORTS_H_ */
