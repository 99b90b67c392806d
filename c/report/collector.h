/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collector.h - the findings about the garbage collector: what goroutines
 * waited or worked for it, who forced it, and finalizers that others wait for.
 * A finding without harm is none.
 */
#ifndef GTRACE_REPORT_COLLECTOR_H_
#define GTRACE_REPORT_COLLECTOR_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/causes_made.h"
#include "report/sentence.h"

/* Whether PLACE is in a finalizer or a cleanup of the program. */
bool gti_is_finalizer(const struct gtrace_block_place *place);

struct gtrace_finding gti_find_collector(const struct gtrace_summary *summary,
					 const struct causes_made *causes);
struct gtrace_finding gti_find_forced(const struct gtrace_summary *summary);
struct gtrace_finding gti_find_finalizer(const struct gtrace_summary *summary);

/* Say what such a FINDING of SUMMARY is. */
void gti_tell_collector(struct sentence *to,
			const struct gtrace_finding *finding,
			const struct gtrace_summary *summary,
			const struct causes_made *causes);
void gti_tell_forced(struct sentence *to, const struct gtrace_finding *finding,
		     const struct gtrace_summary *summary);
void gti_tell_finalizer(struct sentence *to,
			const struct gtrace_finding *finding);

#endif /* GTRACE_REPORT_COLLECTOR_H_ */
