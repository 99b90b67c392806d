/* SPDX-License-Identifier: BSD-3-Clause */
/* before.h - what a trace tells of the time before it. */
#ifndef GTRACE_V2_BEFORE_H_
#define GTRACE_V2_BEFORE_H_

#include "analysis/waits.h"
#include "v2/generation.h"

/*
 * The analysis of waits has to know from the first event on how many goroutines
 * were ready and how many processors held before the trace. But a status can
 * come as late as at the end of GENERATION, the first one. So this looks for
 * statuses before the pass, without the order of events.
 *
 * Nearly all statuses of what was ready or held come at the beginning of the
 * first batch of a thread, and the rest in batches of no thread. If a pass
 * finds that others follow, it ends at once, and the next one looks at all
 * events before.
 */
void gti_v2_assume(const struct generation *generation, struct waits *waits);

#endif /* GTRACE_V2_BEFORE_H_ */
