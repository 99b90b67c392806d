/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - the lists that reports consist of, such as slices and stops of the
 * world, from one or more traces, as one list in any format.
 */
#ifndef GTRACE_REPORT_LISTS_H_
#define GTRACE_REPORT_LISTS_H_

#include <stdbool.h>
#include <stddef.h>

#include <gtrace/gtrace.h>

#include "base/output.h"

/* In the order in which they are printed. */
enum list {
	LIST_SLICES,
	LIST_STOPS,
	LIST_INFERRED,
	LIST_UNMEASURED,
	LIST_WAITS,
	LIST_DELAYS,
	LIST_BLOCKS,
	LIST_RESTS, /* blocks at rest */
	LIST_GOROUTINES,
	LIST_REQUESTS,
	LISTS
};

/* An item of a list, and the trace that it is from. */
struct listed {
	const void *item;  /* a struct gtrace_slice, or whatever is listed */
	const char *trace; /* its name; NULL: not to be shown */
	const struct gtrace_reports *from;
	int64_t keys[2]; /* the greatest ones come first */
	size_t place;    /* that decides among equal ones */
};

/* Reports to be written as one. */
struct written {
	const struct gtrace_reports *const *reports; /* NULL: none of a trace */
	const char *const *names; /* of the traces. NULL: none */
	size_t count;             /* of traces */
	const struct gtrace_request *request;
};

/* Returns how many items LIST has in all of WRITTEN. */
size_t gti_list_count(const struct written *written, enum list list);

/* Sets LISTED to the items of LIST, in their order. */
void gti_list_items(const struct written *written, enum list list,
		    struct listed *listed);

/* Writes an item of LIST in FORMAT. */
void gti_list_write(struct writer *writer, enum list list,
		    const struct listed *listed, int format);

/*
 * Writes the lists that the request asks for. Returns false if there is no
 * memory; nothing was written then.
 */
bool gti_write_reports(const struct written *written, struct writer *writer);

#endif /* GTRACE_REPORT_LISTS_H_ */
