/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h - survives a mapped file that shrinks or cannot be read.
 *
 * The system answers a read from a page that is no longer there with SIGBUS.
 * Between enter and leave, such a read of the guarded file gives zeros
 * instead, and the input is marked as lost; the caller reports that in place
 * of whatever those zeros led to.
 */
#ifndef GTRACE_BASE_GUARD_H_
#define GTRACE_BASE_GUARD_H_

#include "base/input.h"

/* Guards INPUT, for this thread, which has guarded nothing yet. */
void gti_guard_enter(struct input *input);

/*
 * Ends that. If the file was lost meanwhile, fills ERROR with that and
 * returns GTRACE_ERROR_READ; otherwise returns STATUS.
 */
enum gtrace_status gti_guard_leave(struct input *input,
				   enum gtrace_status status,
				   struct gtrace_error *error);

#endif /* GTRACE_BASE_GUARD_H_ */
