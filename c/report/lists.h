/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - slices and stops of the world from one or more traces, as one list
 * in any format.
 */
#ifndef GTRACE_REPORT_LISTS_H_
#define GTRACE_REPORT_LISTS_H_

#include <stdbool.h>
#include <stddef.h>

#include <gtrace/gtrace.h>

#include "base/output.h"

/* A slice, and the trace that it is from. */
struct listed_slice {
	const struct gtrace_slice *slice;
	const char *trace; /* its name; NULL: not to be shown */
	unsigned trace_version;
	bool in_ticks; /* the unit of its times */
	size_t place;  /* that decides among slices of equal length */
};

/* A stop, and the trace that it is from. */
struct listed_stop {
	const struct gtrace_stop *stop;
	const char *trace;
	bool in_ticks;
	size_t place;
};

/* Puts the longest of COUNT slices first. */
void gti_sort_slices(struct listed_slice *slices, size_t count);

/* Puts COUNT stops of one list of a report in the order of that list. */
void gti_sort_stops(struct listed_stop *stops, size_t count);

/* Writes what comes before COUNT slices in FORMAT, and a slice. */
void gti_write_slices_head(struct writer *writer, size_t count, int format);
void gti_write_slice(struct writer *writer, const struct listed_slice *listed,
		     int format);

/* Writes a stop in FORMAT; as text only if it is measured or inferred. */
void gti_write_stop(struct writer *writer, const struct listed_stop *listed,
		    int format);

#endif /* GTRACE_REPORT_LISTS_H_ */
