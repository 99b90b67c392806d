/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meter.h - the progress line on a terminal: shown after a second, on stderr,
 * and erased at the end.
 */
#ifndef GTRACE_TOOLS_METER_H_
#define GTRACE_TOOLS_METER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/platform.h"

#if HAS_THREADS
#include <pthread.h>
#endif

struct meter {
	bool active;
#if HAS_THREADS
	pthread_mutex_t mutex; /* of what follows, and of stderr */
#endif
	int64_t begun; /* nanoseconds, of the monotonic clock */
	int64_t printed;
	bool shown; /* the line is on the terminal */
	size_t count;
	size_t finished; /* of the traces */
	uint64_t size;   /* of all traces */
	uint64_t done;   /* in bytes of the traces */
};

/* One trace of those that are read. */
struct meter_trace {
	struct meter *meter;
	uint64_t size;
	unsigned passes; /* that are expected to be made */
	uint64_t done;
};

/*
 * Starts METER for the COUNT traces in FILES. It prints nothing if QUIET is
 * set, or if stderr is no terminal.
 */
void meter_init(struct meter *meter, const char *const *files, size_t count,
		bool quiet);

/* Erases the line and ends the meter. */
void meter_free(struct meter *meter);

/*
 * Starts TRACE, which is in FILE and takes PASSES; meter_progress() is then to
 * be called with it, as gtrace_options.progress.
 */
void meter_begin(struct meter_trace *trace, struct meter *meter,
		 const char *file, unsigned passes);
void meter_progress(void *trace, uint64_t read);
void meter_end(struct meter_trace *trace);

/* Between these two the line is not there, and no other thread prints. */
void meter_hide(struct meter *meter);
void meter_go_on(struct meter *meter);

#endif /* GTRACE_TOOLS_METER_H_ */
