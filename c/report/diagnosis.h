/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diagnosis.h - the findings of a summary: what held goroutines up,
 * ranked by harm. c/tools/README.md defines the harm of each kind.
 */
#ifndef GTRACE_REPORT_DIAGNOSIS_H_
#define GTRACE_REPORT_DIAGNOSIS_H_

#include <stdbool.h>
#include <stddef.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "report/sentence.h"

struct causes_made;

/* A finding of which less is ranked, in tenths of a percent, is no headline. */
#define NOTABLE_PERMILLE 10

/*
 * Makes summary->findings, `time`, `idle`, `headline` and `explanation` from
 * all else that SUMMARY has, and from CAUSES, of the trace NAME, which can be
 * NULL, of SIZE bytes. Never uses times that are only bounds. Returns false if
 * there is no memory in ARENA.
 */
bool gti_find(struct gtrace_summary *summary, const struct causes_made *causes,
	      struct arena *arena, const char *name, uint64_t size);

/* Whether FINDING is worth a headline, if it is the first one. */
bool gti_is_notable(const struct gtrace_summary *summary,
		    const struct gtrace_finding *finding);

/*
 * How long threads had no CPU: by the scheduling record, those of slices; or
 * without one, for certain and most likely.
 */
int64_t gti_lost(const struct gtrace_summary *summary);

/* Whether that is, for the larger part, by the kernel's accounts. */
bool gti_accounts_tell(const struct gtrace_summary *summary);

/* The time of all processors. */
uint64_t gti_processor_time(const struct gtrace_summary *summary);

/* Whether gti_lost() is a part of that which is a fact to be told. */
bool gti_lacks(const struct gtrace_summary *summary);

/* Whether that which has any class is one. */
bool gti_is_open(const struct gtrace_summary *summary);

/* The function without events that FINDING is about. */
const struct gtrace_function *
gti_silent_of(const struct gtrace_summary *summary,
	      const struct gtrace_finding *finding);

/* An empty finding. */
struct gtrace_finding gti_finding_of(enum gtrace_finding_kind kind);

/*
 * What people read for NAME, that of a kind of findings, which stays as it is
 * in JSON.
 */
const char *gti_finding_word(const char *name);

/* Adds the harm of FROM to TO. */
void gti_join_finding(struct gtrace_finding *to,
		      const struct gtrace_finding *from);

struct sentence;

/*
 * Says the harm of FINDING, of how many WHO that is on average if it is longer
 * than the trace, and its share.
 */
void gti_say_harm(struct sentence *to, const struct gtrace_finding *finding,
		  const char *who);

/* Says how many, of which there are COUNT on average. */
void gti_say_average(struct sentence *to, double count);

/* Adds how many WHAT there were, and the longest. */
void gti_say_times(struct sentence *to, const struct gtrace_finding *finding,
		   const char *what);

/* The longest wait for a processor, as far as it is in the trace. */
int64_t gti_longest_wait(const struct gtrace_wait_report *waits);

/* Whether the headline tells the first finding. */
bool gti_told(const struct gtrace_summary *summary);

/* The finding that is told with the first one. NULL: none. */
const struct gtrace_finding *gti_also(const struct gtrace_summary *summary);

#endif /* GTRACE_REPORT_DIAGNOSIS_H_ */
