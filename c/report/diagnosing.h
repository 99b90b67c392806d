/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosing.h - what the files that make findings share. */
#ifndef GTRACE_REPORT_DIAGNOSING_H_
#define GTRACE_REPORT_DIAGNOSING_H_

#include "report/diagnosis.h"

#define FINDINGS_MAX 64

struct diagnosis {
	struct gtrace_summary *summary;
	struct gtrace_finding *findings;
	size_t count;
	bool has_finalizer;
	double time; /* that there was */
};

/* An empty finding. */
struct gtrace_finding gti_finding_of(enum gtrace_finding_kind kind);

/* Adds FINDING, if it has harm and there is room. */
void gti_put_finding(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding);

static inline double processor_time(const struct gtrace_summary *summary)
{
	return (double)(summary->known - summary->clock_gap) *
	       (double)summary->procs;
}

static inline int64_t bounded(double time)
{
	return time >= 0x1p62 ? INT64_MAX / 2 : time > 0 ? (int64_t)time : 0;
}

/*
 * The part of the time in which threads certainly had no CPU: it is of the
 * whole trace, whatever passes a filter; of a period it is not known.
 */
double gti_certain_part(const struct gtrace_summary *summary);

/*
 * After all others, as the time that there was is known: adds what is known of
 * the machine, and what kept processors without an event.
 */
void gti_add_machine(struct diagnosis *diagnosis);

#endif /* GTRACE_REPORT_DIAGNOSING_H_ */
