/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every_report.h - makes every report in every format of any bytes, by the
 * public interface, and checks what holds for each trace that is accepted:
 *
 *   - reports of one trace all fail, in the same way, or are all made;
 *   - sums and lengths are not negative, and parts add up;
 *   - JSON and CSV are valid, and the forms of a list have as many items.
 *
 * A check that fails writes what it was to standard error, and aborts.
 */
#ifndef GTRACE_TESTS_MUTATED_EVERY_REPORT_H_
#define GTRACE_TESTS_MUTATED_EVERY_REPORT_H_

#include <stddef.h>

/*
 * Makes them of the SIZE bytes at DATA: of the whole trace, or if there is a
 * fault of what options.partial has of it. A few filters of many, which NUMBER
 * chooses. Returns whether the whole is accepted.
 */
int make_every_report(const void *data, size_t size, size_t number);

/* Frees what is kept of the last trace, to be compared with the next one. */
void forget_reports(void);

#endif /* GTRACE_TESTS_MUTATED_EVERY_REPORT_H_ */
