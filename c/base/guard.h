/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h - survives a mapped file that shrinks or cannot be read.
 *
 * The system answers a read of a page that the file no longer has with SIGBUS.
 * Between enter and leave, such a read of the guarded file gives zeros, and
 * the input is marked as lost; gti_guard_leave() reports that in place of what
 * the zeros led to.
 *
 *	struct guard guard;
 *
 *	gti_guard_enter(&guard, &input);
 *	status = ... read input.data ...
 *	status = gti_guard_leave(&guard, status, error);
 *
 * Guards of one thread nest: the caller's functions, called in between, may
 * use the library too.
 */
#ifndef GTRACE_BASE_GUARD_H_
#define GTRACE_BASE_GUARD_H_

#include "base/input.h"

struct guard {
	struct input *input;
	struct guard *outer; /* entered before by this thread, or NULL */
};

/*
 * Guards INPUT in this thread until GUARD, which must stay where it is, is
 * left. Guards are left in the reverse order.
 */
void gti_guard_enter(struct guard *guard, struct input *input);

/*
 * Leaves GUARD. If a part of the file was lost, fills ERROR and returns
 * GTRACE_ERROR_READ; otherwise returns STATUS.
 */
enum gtrace_status gti_guard_leave(struct guard *guard,
				   enum gtrace_status status,
				   struct gtrace_error *error);

#endif /* GTRACE_BASE_GUARD_H_ */
