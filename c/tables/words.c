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

struct gtrace_string word_of_block(enum gtrace_block_kind kind)
{
	static const char *const words[GTRACE_BLOCK_KINDS] = {
		[GTRACE_BLOCK_OTHER] = "other",
		[GTRACE_BLOCK_LOCK] = "lock",
		[GTRACE_BLOCK_WAIT_GROUP] = "wait group",
		[GTRACE_BLOCK_CONDITION] = "condition",
		[GTRACE_BLOCK_SEND] = "channel send",
		[GTRACE_BLOCK_RECEIVE] = "channel receive",
		[GTRACE_BLOCK_SELECT] = "select",
		[GTRACE_BLOCK_NETWORK] = "network",
		[GTRACE_BLOCK_SLEEP] = "sleep",
		[GTRACE_BLOCK_SYSCALL] = "system call",
		[GTRACE_BLOCK_ASSIST] = "assist",
		[GTRACE_BLOCK_COLLECTION] = "collection",
	};

	return text_of(words[kind]);
}

struct gtrace_string word_of_work(enum gtrace_work work)
{
	static const char *const words[] = {
		[GTRACE_WORK_PROGRAM] = "program",
		[GTRACE_WORK_RUNTIME] = "runtime",
		[GTRACE_WORK_SYSCALL] = "system call",
		[GTRACE_WORK_SCHEDULER] = "scheduler",
		[GTRACE_WORK_NONE] = "none",
		[GTRACE_WORK_TRACER] = "tracer",
		[GTRACE_WORK_GC_DEDICATED] = "GC dedicated",
		[GTRACE_WORK_GC_FRACTIONAL] = "GC fractional",
		[GTRACE_WORK_GC_IDLE] = "GC idle",
	};

	return text_of(words[work]);
}

struct gtrace_string word_of_silence(enum gtrace_silent_class class)
{
	static const char *const words[GTRACE_SILENT_CLASSES] = {
		[GTRACE_SILENT_NONE] = NULL,
		[GTRACE_SILENT_CERTAIN] = "certain",
		[GTRACE_SILENT_ASLEEP] = "asleep",
		[GTRACE_SILENT_LIKELY] = "likely",
		[GTRACE_SILENT_UNDECIDED] = "undecided",
	};

	return text_of(words[class]);
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
