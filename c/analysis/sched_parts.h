/* SPDX-License-Identifier: BSD-3-Clause */
/* sched_parts.h - what the files of sched.h share. Times are in nanoseconds. */
#ifndef GTRACE_ANALYSIS_SCHED_PARTS_H_
#define GTRACE_ANALYSIS_SCHED_PARTS_H_

#include "analysis/sched.h"

/* The least number of past levels at which some are dropped. */
#define PAST_MIN 1024

/* Takes a sample of TIME. */
void gti_sched_take_sample(struct sched *sched, int64_t time);

/* Takes the samples before NOW. */
void gti_sched_sample_until(struct sched *sched, int64_t now);

/* What was at level FROM is at level TO, NOW. */
void gti_sched_move(struct sched *sched, enum sched_level from,
		    enum sched_level to, int64_t now);

/*
 * What was at level FROM since a time turns out NOW to have been at level TO,
 * as samples that were taken meanwhile will say too.
 */
void gti_sched_recast(struct sched *sched, enum sched_level from,
		      enum sched_level to, int64_t since, int64_t now);

/* There are PROCS processors from NOW on. */
void gti_sched_set_procs(struct sched *sched, uint64_t procs, int64_t now);

#endif /* GTRACE_ANALYSIS_SCHED_PARTS_H_ */
