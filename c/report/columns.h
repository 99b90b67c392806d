/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h - columns of text on a terminal. */
#ifndef GTRACE_REPORT_COLUMNS_H_
#define GTRACE_REPORT_COLUMNS_H_

#include <stddef.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/names.h"

#define SCREEN_WIDTH 80

/* TEXT and the end of a row; cut at COLUMNS, unless that is 0. */
void gti_table_last(struct writer *writer, const char *text, size_t columns);

/* TEXT in lines of whole words. */
void gti_table_lines(struct writer *writer, struct gtrace_string text);

#endif /* GTRACE_REPORT_COLUMNS_H_ */
