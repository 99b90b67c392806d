/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reports.h - the reports of several traces, until they are printed as one.
 */
#ifndef GTRACE_TOOLS_REPORTS_H_
#define GTRACE_TOOLS_REPORTS_H_

#include <stdbool.h>
#include <stddef.h>

#include <gtrace/gtrace.h>

/* Of each trace; a report that is not there is NULL. */
struct reports {
	size_t count;
	struct gtrace_greedy_report **greedy;
	struct gtrace_stop_report **stops;
	/*
	 * The lengths of the longest slices so far, as many as are to be
	 * printed; a heap, the shortest of them first.
	 */
	int64_t *lengths;
	size_t length_count;
	size_t wanted;
	size_t kept; /* greedy reports that are there */
	size_t check_at;
};

/*
 * Prepares REPORTS for COUNT traces, of which the WANTED longest slices are to
 * be printed. Returns false if there is no memory; to be freed in any case.
 */
bool reports_init(struct reports *reports, size_t count, size_t wanted);

/*
 * Adds the GREEDY report of trace NUMBER, from 0, or NULL. Frees reports none
 * of whose slices can be among the longest any more. Returns false if there is
 * no memory.
 */
bool reports_add_greedy(struct reports *reports, size_t number,
			struct gtrace_greedy_report *greedy);

void reports_free(struct reports *reports);

#endif /* GTRACE_TOOLS_REPORTS_H_ */
