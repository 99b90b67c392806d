/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.h - findings about where chains of waits end, in sentences. */
#ifndef GTRACE_REPORT_CAUSES_H_
#define GTRACE_REPORT_CAUSES_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "report/sentence.h"

/* What FINDING, of a function, did longest while others waited for it. */
enum gtrace_hold gti_greatest_part(const struct gtrace_finding *finding);

/* Whether slices are most of FINDING: then the longest one is a slice. */
bool gti_is_delay(const struct gtrace_finding *finding);

/* Says what FINDING of SUMMARY is, of a kind that causes.c makes. */
void gti_tell_cause(struct sentence *to, const struct gtrace_finding *finding,
		    const struct gtrace_summary *summary);

/* Says where goroutines were at rest, which is somewhere. */
void gti_tell_rest(struct sentence *to, const struct gtrace_summary *summary);

#endif /* GTRACE_REPORT_CAUSES_H_ */
