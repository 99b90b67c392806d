/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edit.h - makes smaller or larger traces of traces. Programs include gtrace.h.
 */
#ifndef GTRACE_EDIT_H_
#define GTRACE_EDIT_H_

#include <gtrace/gtrace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How to make a trace of others. Zero is the default of every field but size:
 *
 *	struct gtrace_edit edit = {.size = sizeof(edit), .from = 2000000000};
 */
struct gtrace_edit {
	size_t size; /* sizeof(struct gtrace_edit) */
	/*
	 * What the trace is to cover at least: the generations, of about a
	 * second each, that end after `from` and begin before `to`.
	 * Times are in nanoseconds since the first event of the trace, or of
	 * the first trace of several; those below 0 are since the end. `to` 0:
	 * up to the end.
	 */
	int64_t from, to;
	/*
	 * Not 0: names that could tell something are replaced by others of the
	 * same length: functions and files outside of the standard library,
	 * log messages and their categories, tasks, regions, labels, types, and
	 * times of day. What the program did, when, stays, with stacks, lines,
	 * addresses and numbers. Then a trace of Go 1.21 or older, with neither
	 * `from` nor `to`, is also taken.
	 */
	int anonymise;
	/*
	 * With `anonymise`, and only then: the same salt gives the same names
	 * in all traces. Who knows it can find out names by trying.
	 */
	const char *salt;
	/*
	 * The name of each trace in error messages; NULL, or one of them is
	 * NULL: traces have numbers from 1 on.
	 */
	const char *const *names;
};

/* What gtrace_edit() has made. */
struct gtrace_edited {
	uint64_t bytes;       /* of the new trace */
	uint64_t generations; /* in it; 0 up to Go 1.21 */
	uint64_t first, last; /* their numbers in the file */
	uint64_t shared;      /* generations that several of the traces have */
	int64_t from, to;     /* what it covers, in the times of the traces */
	/*
	 * In these, when the new trace begins: its own times are less by this.
	 * It can be before `from`, as the times of threads overlap: the traces
	 * show what is in the new one after all that comes before it.
	 */
	int64_t origin;
	int64_t length; /* of the traces */
};

/*
 * gtrace_edit() - writes a trace to OUTPUT, made of the COUNT traces at TRACES,
 * and fills EDITED, unless it is NULL. The parts of a trace of Go 1.22 or
 * later, its generations, are copied byte for byte.
 *
 * One trace: the part that EDIT, or NULL for all, asks for. Several, each open
 * with its own struct gtrace: first they are joined. They have to be dumps of
 * one process, as a flight recorder makes them: the generations that two of
 * them have are the same bytes, and none is missing between them, because Go's
 * reader and this library refuse a trace with a gap. Their order does not
 * matter.
 *
 * Each trace is read before something is written. What is written is a trace if
 * the events at its beginning, and where traces are joined, do not depend on
 * what is not there; gtrace_check() of the result tells. Traces of Go 1.21 and
 * older have no parts. With options.partial, the generations before the fault
 * are used.
 *
 * Memory: some 50 bytes a generation. Threads: the traces are used.
 *
 * Errors: GTRACE_ERROR_ARGUMENT (the traces cannot be joined or cut, or have
 * nothing in that time), _WRITE, and those of gtrace_analyse().
 *
 *	gtrace_edit(&trace, 1, &edit, &output, NULL, &error);
 */
GTRACE_API enum gtrace_status
gtrace_edit(struct gtrace *const *traces, size_t count,
	    const struct gtrace_edit *edit, const struct gtrace_output *output,
	    struct gtrace_edited *edited, struct gtrace_error *error);

/*
 * gtrace_group() - finds out which of the COUNT traces at TRACES, one or more,
 * have generations in common, so that reports of all would count these several
 * times. Sets GROUPS, of COUNT items, to the number from 0 of the first trace
 * of the group of each: its own if it has none in common with one before it.
 * gtrace_edit() joins a group. The events are not read.
 *
 * Errors: GTRACE_ERROR_READ, _MEMORY.
 */
GTRACE_API enum gtrace_status gtrace_group(struct gtrace *const *traces,
					   size_t count, size_t *groups,
					   struct gtrace_error *error);

/* A part of a trace of Go 1.22 or later, see gtrace_edit(). */
struct gtrace_trace_part {
	uint64_t number; /* that the runtime gave it */
	uint64_t offset; /* in the trace */
	uint64_t size;
	/* What it covers: nanoseconds since the first event of the trace. */
	int64_t start;
	int64_t end;
};

/*
 * The functions that gtrace_visit_trace_parts() calls with CONTEXT, NULL for
 * what is not wanted. They return 0 to continue, any other value to end.
 */
struct gtrace_trace_part_visitor {
	size_t size; /* sizeof(struct gtrace_trace_part_visitor) */
	/* After its bytes. */
	int (*part)(void *context, const struct gtrace_trace_part *part);
	/* All bytes of a generation, in pieces of SIZE bytes. */
	int (*bytes)(void *context, const void *data, size_t size);
	void *context;
};

/*
 * gtrace_visit_trace_parts() - calls the functions of VISITOR for each
 * generation of TRACE, in order. Dumps of one process that overlap have
 * generations with the same bytes. A trace of Go 1.21 or older has none. All
 * events are read before a function is first called.
 *
 * Errors: those of gtrace_analyse().
 */
GTRACE_API enum gtrace_status
gtrace_visit_trace_parts(struct gtrace *trace,
			 const struct gtrace_trace_part_visitor *visitor,
			 struct gtrace_error *error);

/*
 * gtrace_check() - reads all events of TRACE, and makes no report. Errors:
 * those of gtrace_analyse().
 */
GTRACE_API enum gtrace_status gtrace_check(struct gtrace *trace,
					   struct gtrace_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GTRACE_EDIT_H_ */
