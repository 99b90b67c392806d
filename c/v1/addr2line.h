/* SPDX-License-Identifier: BSD-3-Clause */
/* addr2line.h - runs `go tool addr2line`. */
#ifndef GTRACE_V1_ADDR2LINE_H_
#define GTRACE_V1_ADDR2LINE_H_

#include "base/memory.h"

/* What the command printed, and how it ended. Zero: it was not run. */
struct answers {
	char *text; /* SIZE bytes and a NUL, CAPACITY bytes were allocated */
	size_t size;
	size_t capacity;
	int ended; /* wait status */
};

/*
 * Runs the command GO to look up the COUNT program counters PCS of frames in
 * the file BINARY. The program counter of a frame is the return address of its
 * call, so the address before it is looked up. Fills ANSWERS, which is zero
 * before. The caller checks whether the command failed or printed too little,
 * and releases the text. Errors: GTRACE_ERROR_SYMBOLS, _MEMORY.
 */
enum gtrace_status gti_addr2line(const char *go, const char *binary,
				 const uint64_t *pcs, size_t count,
				 struct answers *answers,
				 const struct gtrace_allocator *memory,
				 struct gtrace_error *error);

#endif /* GTRACE_V1_ADDR2LINE_H_ */
