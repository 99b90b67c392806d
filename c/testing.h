/* SPDX-License-Identifier: BSD-3-Clause */
/* testing.h - what the library offers to its own tests only. */
#ifndef GTRACE_TESTING_H_
#define GTRACE_TESTING_H_

#include <gtrace/gtrace.h>

/*
 * TRACE is read in final order from the start, not only where merge order will
 * not do. Its reports must be the same. Does nothing for formats that have one
 * order.
 */
void gti_test_final_order(struct gtrace *trace);

#endif /* GTRACE_TESTING_H_ */
