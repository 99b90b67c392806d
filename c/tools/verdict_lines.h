/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verdict_lines.h - the line of a slice, a stop, a wait or a block that is
 * longer than a limit. Only verdict.c includes it, and what makes lines.
 */
#ifndef GTRACE_TOOLS_VERDICT_LINES_H_
#define GTRACE_TOOLS_VERDICT_LINES_H_

#include "tools/settings.h"
#include "tools/verdict.h"

struct verdict {
	const char *name;
	struct violations *found;
	struct case_lines lines[LIMITED_COUNT];
	FILE *to; /* the line that is being made, at `line` */
	char *line;
	size_t size;
	int64_t at; /* of what the line is about; -1: not known */
	const struct verdict_follower *follower; /* NULL: `lines` get them */
};

/*
 * Make the line of something, if it is longer than its limit; CONTEXT is a
 * struct verdict. Return 0.
 */
int verdict_slice(void *context, const struct gtrace_slice *slice);
int verdict_stop(void *context, const struct gtrace_stop *stop);
int verdict_block(void *context, const struct gtrace_block *block);

/* Makes the line of WAIT. */
void verdict_wait(struct verdict *verdict, const struct gtrace_wait *wait);

#endif /* GTRACE_TOOLS_VERDICT_LINES_H_ */
