/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter.h - the progress line on a terminal: shown after a second, on stderr,
 * and erased at the end. A process has one.
 */
#ifndef GTRACE_TOOLS_METER_H_
#define GTRACE_TOOLS_METER_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* One trace of those that are read. */
struct meter_trace {
	uint64_t size;
	unsigned passes; /* that are expected to be made */
	uint64_t done;
};

/* Starts the line for the COUNT traces in FILES, if stderr is a terminal. */
void meter_start(const char *const *files, size_t count);

/* Sets OPTIONS to tell how far TRACE is, which is in FILE and takes PASSES. */
void meter_begin(struct meter_trace *trace, const char *file, unsigned passes,
		 struct gtrace_options *options);
void meter_end(struct meter_trace *trace);

/* SIZE bytes of a trace have been recorded. */
void meter_record(uint64_t size);

/*
 * Between these two the line is not there, and no other thread prints. The
 * program ends after meter_hide().
 */
void meter_hide(void);
void meter_go_on(void);

#endif /* GTRACE_TOOLS_METER_H_ */
