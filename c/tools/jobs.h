/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jobs.h - reads the traces, several at a time, and prints what was found.
 *
 * Threads take one trace after the other, and keep of it only its reports.
 * These are printed as one when all traces have been read; then, for a dump,
 * each trace is read again. A trace that cannot be read is one line on stderr,
 * or more if it is the only one, and the others are reported on.
 */
#ifndef GTRACE_TOOLS_JOBS_H_
#define GTRACE_TOOLS_JOBS_H_

#include <stdbool.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/meter.h"
#include "tools/settings.h"
#include "tools/verdict.h"

/* One trace. */
struct job {
	struct meter_trace meter;
	struct gtrace *trace; /* kept open for the dump, or NULL */
	struct violations violations;
	struct gtrace_summary *summary;
	const char *url; /* at which it was recorded, or NULL */
	bool failed;     /* it cannot be read */
	bool apart;      /* it has been read by a copy of the command */
	FILE *joined;    /* the trace, if it has no file of its own, or NULL */
};

/* What the process does. */
extern struct jobs {
	_Atomic size_t next;   /* the first trace that no thread has taken */
	_Atomic size_t failed; /* how many traces could not be read */
	struct job *traces;    /* one for each of settings.files */
	struct gtrace_reports **reports; /* of each trace, or NULL */
	bool violated;                   /* a violation was printed */
	bool records;                    /* the only trace, while it is read */
	bool is_copy;                    /* this reads one trace, see apart.h */
} jobs;

/* Reads all traces, says which cannot be read, and prints what was found. */
enum exit_code jobs_run(void);

/*
 * Prints what was found, and then what is streamed. Ends the program if the
 * output fails.
 */
void jobs_print(void);

/*
 * In a copy of the command: reads trace NUMBER, with settings.options.allocator.
 * Returns false, and says nothing, if there is too little memory.
 */
bool jobs_read_apart(size_t number);

/* Returns whether one of REPORTS is asked for. */
bool jobs_want(unsigned reports);

/*
 * A recording that goes on while trace NUMBER is read, if there is one, is
 * over, or the trace is closed. From then on the trace is that in the file.
 * Returns STATUS, or with ERROR why nothing could be recorded.
 */
enum gtrace_status jobs_finish(size_t number, enum gtrace_status status,
			       struct gtrace_error *error);

/* Opens trace NUMBER. */
enum gtrace_status jobs_open(size_t number, struct gtrace **trace,
			     struct gtrace_error *error);

/*
 * Prints that trace NUMBER cannot be read, which ERROR says; or if that is
 * NULL, what the reports of TRACE left out, and the unit of their times if that
 * is not the nanosecond.
 */
void jobs_say(size_t number, const struct gtrace *trace,
	      const struct gtrace_error *error);

#endif /* GTRACE_TOOLS_JOBS_H_ */
