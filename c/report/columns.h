/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h - columns of text on a terminal. */
#ifndef GTRACE_REPORT_COLUMNS_H_
#define GTRACE_REPORT_COLUMNS_H_

#include <stddef.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "report/names.h"

#define SCREEN_WIDTH 80

void gti_table_text(struct writer *writer, const char *text);

/* SHOWN in a column of WIDTH, to the right; wider if it does not fit. */
void gti_table_right(struct writer *writer, const struct shown *shown,
		     size_t width);

/* SHOWN, cut if it is longer, in a column of WIDTH, to the left. */
void gti_table_left(struct writer *writer, struct shown *shown, size_t width);

/* WORD, cut if it is longer, in a column of WIDTH, to the left. */
void gti_table_word(struct writer *writer, const char *word, size_t width);

/* A text in a column to the right. */
void gti_table_head(struct writer *writer, const char *head, size_t width);

/* A duration, or a count, in a column to the right. */
void gti_table_duration(struct writer *writer, int64_t ns,
			const struct look *look, size_t width);
void gti_table_count(struct writer *writer, uint64_t count, size_t width);

/* TEXT and the end of a row; cut at COLUMNS, unless that is 0. */
void gti_table_last(struct writer *writer, const char *text, size_t columns);

/* TEXT in lines of whole words. */
void gti_table_lines(struct writer *writer, struct gtrace_string text);

#endif /* GTRACE_REPORT_COLUMNS_H_ */
