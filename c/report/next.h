/* SPDX-License-Identifier: BSD-3-Clause */
/* next.h - which report has the details of a finding, as flags of gtrace. */
#ifndef GTRACE_REPORT_NEXT_H_
#define GTRACE_REPORT_NEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "report/sentence.h"

/* The list that has the details of a finding. */
enum next_list {
	NEXT_WHOLE, /* the picture of the whole trace */
	NEXT_SLICES,
	NEXT_WAITS,
	NEXT_BLOCKS,
	NEXT_STOPS,
	NEXT_GOROUTINES,
	NEXT_LISTS
};

enum next_list gti_next_list(const struct gtrace_finding *finding);

/*
 * Say the flags of the report that shows FINDING best, or the requests between
 * the waits AT a place of rest, and the NAME of the trace. The name is left out
 * if it is NULL or the trace cannot be read again, and so is a function that no
 * shell can be told.
 */
void gti_say_next(struct sentence *to, const struct gtrace_finding *finding,
		  const char *name);
void gti_say_rest_next(struct sentence *to, const struct gtrace_resting *at,
		       const char *name);

/*
 * Say the flags that make a trace of the worst of FINDING, which lasted LENGTH
 * from START on, and of a second on both sides; of what is there at any time,
 * of the end. Nothing if START is -1, if NAME is left out as above, or if that
 * is all of the trace, which ends at END.
 */
void gti_say_cut(struct sentence *to, const struct gtrace_finding *finding,
		 int64_t start, int64_t length, int64_t end, const char *name);

/*
 * Whether NAME, of a trace, is not in the commands above: it is that of standard
 * input, which cannot be read again, or a shell cannot be told. NULL: no name
 * was given, and none is missing.
 */
bool gti_next_lacks_name(const char *name);

#endif /* GTRACE_REPORT_NEXT_H_ */
