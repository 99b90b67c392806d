/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.h - filling in struct gtrace_error. */
#ifndef GTRACE_BASE_FAIL_H_
#define GTRACE_BASE_FAIL_H_

#include <gtrace/gtrace.h>

#include "base/compiler.h"

/*
 * Sets ERROR, which may be NULL, to STATUS, OFFSET and a printf message, and
 * returns STATUS.
 */
enum gtrace_status gti_fail(struct gtrace_error *error,
			    enum gtrace_status status, uint64_t offset,
			    const char *format, ...) PRINTF_LIKE(4, 5);

/*
 * gti_fail() for a system call that failed with errno CODE, the message of
 * which, in the words of Go, follows.
 */
enum gtrace_status gti_fail_system(struct gtrace_error *error,
				   enum gtrace_status status, uint64_t offset,
				   int code, const char *format, ...)
	PRINTF_LIKE(5, 6);

enum gtrace_status gti_fail_memory(struct gtrace_error *error);

#endif /* GTRACE_BASE_FAIL_H_ */
