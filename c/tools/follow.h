/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - prints what happens in a trace while it comes: -follow. */
#ifndef GTRACE_TOOLS_FOLLOW_H_
#define GTRACE_TOOLS_FOLLOW_H_

#include "tools/settings.h"

/*
 * Follows the trace of the settings. For each generation it prints a line of
 * totals, or an object, or with limits a line for each violation; at the end,
 * without limits, the summary of what was read.
 */
enum exit_code follow_run(void);

#endif /* GTRACE_TOOLS_FOLLOW_H_ */
