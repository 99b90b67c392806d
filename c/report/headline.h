/* SPDX-License-Identifier: BSD-3-Clause */
/* headline.h - the most important finding of a trace in one sentence. */
#ifndef GTRACE_REPORT_HEADLINE_H_
#define GTRACE_REPORT_HEADLINE_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

/* One line of text each. */
struct headline {
	char sentence[768];
	char explanation[768];
};

/*
 * Finds the headline of SUMMARY, of which it uses all but `headline` and
 * `explanation`. It never uses times that are only bounds. FILTERED: a filter
 * may have left something out.
 */
void gti_headline(struct headline *headline,
		  const struct gtrace_summary *summary, bool filtered);

#endif /* GTRACE_REPORT_HEADLINE_H_ */
