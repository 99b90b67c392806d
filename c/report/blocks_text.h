/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks_text.h - the report of where goroutines were blocked as text. */
#ifndef GTRACE_REPORT_BLOCKS_TEXT_H_
#define GTRACE_REPORT_BLOCKS_TEXT_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/lists.h"

/*
 * Write the sums of REPORT, a gtrace_block_report: of the kinds that are not at
 * rest, as a table, and of those that are, as a line.
 */
void gti_text_blocks_sums(struct writer *writer, const void *report,
			  bool in_ticks);
void gti_text_rests_sums(struct writer *writer, const void *report,
			 bool in_ticks);

/* Writes the line before COUNT places. */
void gti_text_blocks_head(struct writer *writer, size_t count);

/* Writes a place. */
void gti_text_block(struct writer *writer, const struct listed *listed);

#endif /* GTRACE_REPORT_BLOCKS_TEXT_H_ */
