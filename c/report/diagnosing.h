/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosing.h - what the files that make findings share. */
#ifndef GTRACE_REPORT_DIAGNOSING_H_
#define GTRACE_REPORT_DIAGNOSING_H_

#include "base/causes_made.h"
#include "report/diagnosis.h"

/* So many findings are kept. */
#define FINDINGS_MAX 64

struct diagnosis {
	struct gtrace_summary *summary;
	const struct causes_made *causes;
	struct gtrace_finding *findings;
	size_t count;
	size_t capacity;
	double time; /* the total */
};

/* Adds FINDING, if it has harm and another one fits. */
void gti_put_finding(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding);

/*
 * The same, in place of the finding that FINDING's function is in which chains
 * end, if that is for the larger part what FINDING tells.
 */
void gti_put_instead(struct diagnosis *diagnosis,
		     const struct gtrace_finding *finding);

/* The time for which waits are known, without jumps of the clock. */
static inline double known_time(const struct gtrace_summary *summary)
{
	return (double)(summary->known - summary->clock_gap);
}

static inline double processor_time(const struct gtrace_summary *summary)
{
	return known_time(summary) * (double)summary->procs;
}

static inline int64_t bounded(double time)
{
	return time >= 0x1p62 ? INT64_MAX / 2 : time > 0 ? (int64_t)time : 0;
}

/*
 * The part of the time in which threads certainly had no CPU: it is of the
 * whole trace, also with a filter; of a period it is not known.
 */
double gti_certain_part(const struct gtrace_summary *summary);

/*
 * After all others, as the total time is known: adds what is known of
 * the machine, and what kept processors without an event.
 */
void gti_add_machine(struct diagnosis *diagnosis);

/*
 * Makes the texts of the findings that the summary of DIAGNOSIS has, and its
 * headline and what explains it, of the trace NAME of SIZE bytes. Returns false
 * if there is no memory in ARENA.
 */
bool gti_tell_findings(const struct diagnosis *diagnosis, struct arena *arena,
		       const char *name, uint64_t size);

/* ---------------------------------------------------------------- causes -- */

/* How many findings gti_add_causes() adds at most. */
size_t gti_count_causes(const struct gtrace_summary *summary,
			const struct causes_made *causes);

/*
 * Adds what the causes of DIAGNOSIS are: functions, with the delays by their
 * slices, and what names no function. Before all others.
 */
void gti_add_causes(struct diagnosis *diagnosis);

/*
 * The delay by OF, without the time in which threads had no CPU, of those that
 * waited long enough to count.
 */
int64_t gti_harm_of_delay(const struct gtrace_function *of,
			  const struct causes_made *causes);

/* By how much of its harm FINDING is ranked. */
double gti_rank_cause(const struct diagnosis *diagnosis,
		      const struct gtrace_finding *finding);

#endif /* GTRACE_REPORT_DIAGNOSING_H_ */
