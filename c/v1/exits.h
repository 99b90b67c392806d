/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exits.h - when system calls ended, before their exits are merged.
 *
 * An exit from a system call says when it happened, which may be long before
 * its record. In merge order it comes where its record is. But the analysis of
 * waits has to know at any time how many goroutines wait. So the exits are
 * collected from the file, and when one happens the wait begins.
 */
#ifndef GTRACE_V1_EXITS_H_
#define GTRACE_V1_EXITS_H_

#include "v1/index.h"

struct early_exits {
	struct array all; /* struct moment: when, and of which goroutine */
	size_t next;      /* the first that has not happened */
	int64_t ticks;    /* of that; INT64_MAX: none is left */
};

/*
 * Collects the exits of INDEX that say when they happened. Returns false if
 * there is no memory.
 */
bool gti_exits_find(struct early_exits *exits, const struct index *index);

void gti_exits_free(struct early_exits *exits, const struct index *index);

/* The next exit has happened. Returns the goroutine. */
uint64_t gti_exits_take(struct early_exits *exits);

#endif /* GTRACE_V1_EXITS_H_ */
