/* SPDX-License-Identifier: BSD-3-Clause */
/* collections_text.h - collections and the scheduler over time, written. */
#ifndef GTRACE_REPORT_COLLECTIONS_TEXT_H_
#define GTRACE_REPORT_COLLECTIONS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"

/*
 * Write a report as text: as the runtime prints it with gctrace=1 and
 * schedtrace=1 in the variable GODEBUG.
 */
void gti_text_collections(struct writer *writer,
			  const struct gtrace_collection_report *report,
			  bool in_ticks);
void gti_text_sched(struct writer *writer,
		    const struct gtrace_sched_report *report, bool in_ticks);

#endif /* GTRACE_REPORT_COLLECTIONS_TEXT_H_ */
