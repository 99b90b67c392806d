/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - the dump as JSON and as CSV; text.h has it as text. */
#ifndef GTRACE_REPORT_EVENTS_H_
#define GTRACE_REPORT_EVENTS_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/text.h"

/* See gti_text_dump_head(), gti_text_dump_event() and gti_text_dump_stack(). */
void gti_json_dump_head(struct dump_text *dump);
bool gti_json_dump_event(struct dump_text *dump,
			 const struct gtrace_event *event, uint64_t stack);
void gti_json_dump_stack(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count);

void gti_csv_dump_head(struct dump_text *dump);
bool gti_csv_dump_event(struct dump_text *dump,
			const struct gtrace_event *event, uint64_t stack);
void gti_csv_dump_stack(struct writer *writer,
			const struct gtrace_frame *frames, size_t count);

#endif /* GTRACE_REPORT_EVENTS_H_ */
