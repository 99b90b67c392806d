/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holders.h - what the stops of the world waited for, added up. The time that
 * the goroutine of the last processor had it counts for its stack, the rest for
 * no goroutine, and the stop for the larger of both.
 */
#ifndef GTRACE_ANALYSIS_HOLDERS_H_
#define GTRACE_ANALYSIS_HOLDERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "analysis/stops.h"
#include "base/memory.h"
#include "base/texts.h"

/* No processor was late. */
#define HOLDER_NONE (LATE_SCHEDULER + 1)

struct holder {
	uint64_t stack; /* handle, 0: none */
	unsigned how;   /* enum late_how, or HOLDER_NONE */
	uint64_t count;
	uint64_t stopping; /* sum, wraps around */
};

struct holders {
	const struct gtrace_allocator *memory;
	struct array entries; /* struct holder */
	struct texts keys;    /* of each: stack and how */
	/* The stop with the greatest stop_length(), without its list. */
	struct stop longest;
	bool has_longest;
	bool failed; /* there was no memory */
};

/* Takes no memory yet. */
void gti_holders_init(struct holders *holders,
		      const struct gtrace_allocator *memory);

void gti_holders_free(struct holders *holders);

/* Forgets all stops, to begin the pass again. */
void gti_holders_restart(struct holders *holders);

/* Forgets the entries, but not `longest`. */
void gti_holders_empty(struct holders *holders);

/* Adds STOP, which is measured, with the processors late for it. */
void gti_holders_add(struct holders *holders, const struct stop *stop,
		     const struct late *late, size_t late_count);

#endif /* GTRACE_ANALYSIS_HOLDERS_H_ */
