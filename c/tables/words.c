/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - values as words, and where something is. */
#include "tables/work.h"

struct named named_of(const struct gtrace_frame *frame,
		      const struct gtrace_frame *caller)
{
	const struct gtrace_frame *outer = caller != NULL ? caller : frame;
	struct named named = {.line = COLUMN_NONE};

	if (outer == NULL || outer->function.size == 0)
		return named;
	named.function = outer->function;
	named.file = text_unless_empty(outer->file);
	named.line = (int64_t)outer->line;
	if (frame != outer)
		named.inner = text_unless_empty(frame->function);
	return named;
}

struct gtrace_string word_of_silence(enum gtrace_silent_class class)
{
	return text_of(class != GTRACE_SILENT_NONE ? gtrace_silent_name(class)
						   : NULL);
}

struct gtrace_string word_of_late(enum gtrace_late_how how)
{
	static const char *const words[] = {
		[GTRACE_LATE_RAN] = "ran",
		[GTRACE_LATE_SYSCALL] = "system call",
		[GTRACE_LATE_SCHEDULER] = "scheduler",
	};

	return text_of(words[how]);
}
