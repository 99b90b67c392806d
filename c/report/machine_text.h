/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_text.h - times without a CPU, in sentences without a full stop. */
#ifndef GTRACE_REPORT_MACHINE_TEXT_H_
#define GTRACE_REPORT_MACHINE_TEXT_H_

#include "report/diagnosis.h"
#include "report/sentence.h"

/* How much of the processors' time threads were without a CPU, or a quota. */
void gti_tell_machine(struct sentence *to,
		      const struct gtrace_summary *summary);

/* The quota that MACHINE has. */
void gti_tell_limit(struct sentence *to, const struct gtrace_machine *machine);

/* What the function SILENT, one of gtrace_summary.silent, kept. */
void gti_tell_silent(struct sentence *to, const struct gtrace_function *silent);

/* That processors were held without a goroutine. */
void gti_tell_storm(struct sentence *to, const struct gtrace_summary *summary);

/* How much MACHINE has of each class; it has some. */
void gti_tell_classes(struct sentence *to,
		      const struct gtrace_machine *machine);

/* What the accounts of threads say. */
void gti_tell_threads(struct sentence *to,
		      const struct gtrace_summary *summary);

#endif /* GTRACE_REPORT_MACHINE_TEXT_H_ */
