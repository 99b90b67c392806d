/* SPDX-License-Identifier: BSD-3-Clause */
/* sums.h - what adds up in the reports of each trace that is accepted. */
#ifndef GTRACE_TESTS_MUTATED_SUMS_H_
#define GTRACE_TESTS_MUTATED_SUMS_H_

#include <gtrace/gtrace.h>

/* Returns NULL if all sums are right; or says what is wrong. */
const char *find_wrong_sum(const struct gtrace_reports *reports);
const char *find_wrong_sum_of_summary(const struct gtrace_summary *summary);

#endif /* GTRACE_TESTS_MUTATED_SUMS_H_ */
