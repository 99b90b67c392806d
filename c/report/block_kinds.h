/* SPDX-License-Identifier: BSD-3-Clause */
/* block_kinds.h - what goroutines that are blocked wait for. */
#ifndef GTRACE_REPORT_BLOCK_KINDS_H_
#define GTRACE_REPORT_BLOCK_KINDS_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/enders.h"

/*
 * The kind of a block at the stack of the COUNT frames at FRAMES, which is no
 * system call. REASON is that of the event which begins it; if it has none, its
 * name.
 */
enum gtrace_block_kind gti_block_kind(struct gtrace_string reason,
				      const struct gtrace_frame *frames,
				      size_t count);

/* What goroutines wait for that a select in FUNCTION blocks; NULL: no pool. */
const char *gti_block_pool(struct gtrace_string function);

/* Whether FUNCTION, which ended a block, receives from a channel. */
bool gti_block_receives(struct gtrace_string function);

/* Whether FUNCTION is one in which goroutines wait. */
bool gti_block_waits(struct gtrace_string function);

/* Whether goroutines rest there, see struct gtrace_block_place. */
bool gti_block_rests(enum gtrace_block_kind kind,
		     const struct gtrace_frame *frames, size_t count);

/* As many parts times have at most. */
#define TIMES_PARTS (4 + GTRACE_BLOCK_KINDS)

/* Sets PARTS to those of TIMES that are not 0, in order. Returns their number.
 */
size_t gti_times_parts(const struct gtrace_times *times,
		       struct gtrace_part parts[TIMES_PARTS]);

/* Sorts COUNT parts, the longest first. */
void gti_sort_parts(struct gtrace_part *parts, size_t count);

/*
 * Whether what blocks in a stack helps the collector or waits for it, and is no
 * worker of it.
 */
bool gti_block_collects(const struct gtrace_frame *frames, size_t count);

/* Whether a wait of KIND can be one for the next request. */
bool gti_block_serves(enum gtrace_block_kind kind);

/* Whether FUNCTION, of the standard library, only helps others to wait. */
bool gti_block_helps(struct gtrace_string function);

/*
 * Who ended a block, if it was a goroutine, by an event with these frames.
 * BY_NETWORK: a goroutine of the program that used the network. BY_SYSTEM: the
 * runtime, see base/enders.h.
 */
enum by gti_block_ender(const struct gtrace_frame *frames, size_t count);

#endif /* GTRACE_REPORT_BLOCK_KINDS_H_ */
