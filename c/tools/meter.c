/* SPDX-License-Identifier: BSD-3-Clause */
/* meter.c - the progress line on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "tools/meter.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/start.h"

#if HAS_THREADS
#include <pthread.h>

/* Of what follows, and of stderr. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

#define SECOND INT64_C(1000000000)

static struct {
	bool active;
	int64_t begun; /* nanoseconds, of the monotonic clock */
	int64_t printed;
	bool shown; /* the line is on the terminal */
	size_t count;
	size_t finished; /* of the traces */
	uint64_t size;   /* of all traces */
	uint64_t done;   /* in bytes of the traces */
} meter;

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

void meter_start(const char *const *files, size_t count)
{
	size_t i;

	meter.active = isatty(STDERR_FILENO);
	if (!meter.active)
		return;
	meter.count = count;
	meter.begun = now();
	for (i = 0; i < count; i++)
		meter.size += start_file_size(files[i]);
}

static void lock(void)
{
#if HAS_THREADS
	pthread_mutex_lock(&mutex);
#endif
}

static void erase(void)
{
	if (meter.shown)
		fputs("\r\033[K", stderr);
	meter.shown = false;
}

void meter_hide(void)
{
	lock();
	erase();
}

void meter_go_on(void)
{
#if HAS_THREADS
	pthread_mutex_unlock(&mutex);
#endif
}

/* ---------------------------------------------------------------- traces -- */

static void print_line(int64_t time)
{
	double seconds = (double)(time - meter.begun) / (double)SECOND;
	double rate = (double)meter.done / seconds;

	erase();
	fputs("gtrace: ", stderr);
	if (meter.count > 1)
		fprintf(stderr, "%zu of %zu traces, ", meter.finished,
			meter.count);
	if (meter.size != 0)
		fprintf(stderr, "%.0f %%, ",
			100 * (double)meter.done / (double)meter.size);
	fprintf(stderr, "%.0f MB/s", rate / 1e6);
	if (meter.size != 0 && rate > 0)
		fprintf(stderr, ", %.0f s left",
			(double)(meter.size - meter.done) / rate);
	fflush(stderr);
	meter.shown = true;
	meter.printed = time;
}

void meter_record(uint64_t size)
{
	int64_t time = now();

	if (!meter.active)
		return;
	lock();
	if (time - meter.begun >= SECOND &&
	    time - meter.printed >= SECOND / 5) {
		erase();
		fprintf(stderr, "gtrace: recording, %.0f s, %.1f MB",
			(double)(time - meter.begun) / (double)SECOND,
			(double)size / 1e6);
		fflush(stderr);
		meter.shown = true;
		meter.printed = time;
	}
	meter_go_on();
}

/* DONE bytes of TRACE have been read as often as is expected. */
static void add(struct meter_trace *trace, uint64_t done)
{
	int64_t time = now();

	if (trace->size != 0 && done > trace->size)
		done = trace->size;
	if (done > trace->done) {
		meter.done += done - trace->done;
		trace->done = done;
	}
	/* A file may have grown since the sizes were added up. */
	if (meter.size != 0 && meter.done > meter.size)
		meter.size = meter.done;
	if (time - meter.begun >= SECOND && time - meter.printed >= SECOND / 5)
		print_line(time);
}

static void progress(void *context, uint64_t read)
{
	struct meter_trace *trace = context;

	lock();
	add(trace, read / trace->passes);
	meter_go_on();
}

void meter_begin(struct meter_trace *trace, const char *file, unsigned passes,
		 struct gtrace_options *options)
{
	*trace = (struct meter_trace){.passes = passes};
	if (!meter.active)
		return;
	trace->size = start_file_size(file);
	options->progress = progress;
	options->progress_context = trace;
}

void meter_end(struct meter_trace *trace)
{
	if (!meter.active)
		return;
	lock();
	meter.finished++;
	add(trace, trace->size);
	meter_go_on();
}
