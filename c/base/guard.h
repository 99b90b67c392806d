/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard.h - turns SIGBUS from a mapped file into an error.
 *
 * A read of a mapped page that the file no longer has, or that the disk cannot
 * deliver, raises SIGBUS. While a guard is entered, such a read of its file
 * gives zeros instead, and sets input->lost. What is computed from the zeros
 * does not matter: gti_guard_leave() then reports a failed read.
 *
 *	struct guard guard;
 *
 *	gti_guard_enter(&guard, &input);
 *	status = ... read input.data ...
 *	status = gti_guard_leave(&guard, status, error);
 *
 * Guards of one thread nest, because a function of the caller that is called
 * while a guard is entered may use the library too.
 */
#ifndef GTRACE_BASE_GUARD_H_
#define GTRACE_BASE_GUARD_H_

#include "base/input.h"

struct guard {
	struct input *input;
	struct guard *outer; /* entered before by this thread, or NULL */
};

/*
 * Guards INPUT in this thread until GUARD is left. GUARD must not be moved.
 * Guards are left in the reverse order.
 */
void gti_guard_enter(struct guard *guard, struct input *input);

/*
 * Leaves GUARD. If a part of the file was lost, or more of a stream could not
 * be read, fills ERROR and returns GTRACE_ERROR_READ, or _MEMORY; otherwise
 * returns STATUS.
 */
enum gtrace_status gti_guard_leave(struct guard *guard,
				   enum gtrace_status status,
				   struct gtrace_error *error);

#endif /* GTRACE_BASE_GUARD_H_ */
