/* SPDX-License-Identifier: BSD-3-Clause */
/* edit.h - makes a trace of a part of another one, or of several. */
#ifndef GTRACE_TOOLS_EDIT_H_
#define GTRACE_TOOLS_EDIT_H_

#include <gtrace/gtrace.h>

#include "tools/settings.h"

/*
 * Checks the settings for a new trace, if there is one to be made. Ends the
 * program if they are wrong.
 */
void edit_check(void);

/* Makes the trace. jobs.traces has a job for each file. */
enum exit_code edit_run(void);

#endif /* GTRACE_TOOLS_EDIT_H_ */
