/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_text.h - findings in sentences. */
#ifndef GTRACE_REPORT_DIAGNOSIS_TEXT_H_
#define GTRACE_REPORT_DIAGNOSIS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"

/*
 * Makes the texts of FINDINGS, all those of SUMMARY, and its headline and what
 * explains it. Returns false if there is no memory in ARENA.
 */
bool gti_tell_findings(struct gtrace_summary *summary,
		       struct gtrace_finding *findings, struct arena *arena);

#endif /* GTRACE_REPORT_DIAGNOSIS_TEXT_H_ */
