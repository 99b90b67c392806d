/* SPDX-License-Identifier: BSD-3-Clause */
/* testing.h - what the library offers to its own tests only. */
#ifndef GTRACE_TESTING_H_
#define GTRACE_TESTING_H_

#include <gtrace/gtrace.h>

/*
 * Makes the reports of TRACE in final order, even where merge order would be
 * enough. They must be the same. Does nothing for formats with one order.
 */
void gti_test_final_order(struct gtrace *trace);

#endif /* GTRACE_TESTING_H_ */
