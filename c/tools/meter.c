/* SPDX-License-Identifier: BSD-3-Clause */
/* meter.c - the progress line on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "tools/meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tools/start.h"

#define SECOND INT64_C(1000000000)

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

void meter_init(struct meter *meter, const char *const *files, size_t count,
		bool quiet)
{
	size_t i;

	*meter = (struct meter){.count = count};
#if HAS_THREADS
	pthread_mutex_init(&meter->mutex, NULL);
#endif
	meter->active = !quiet && isatty(STDERR_FILENO);
	if (!meter->active)
		return;
	meter->begun = now();
	for (i = 0; i < count; i++)
		meter->size += start_file_size(files[i]);
}

static void erase(struct meter *meter)
{
	if (meter->shown)
		fputs("\r\033[K", stderr);
	meter->shown = false;
}

void meter_free(struct meter *meter)
{
	erase(meter);
#if HAS_THREADS
	pthread_mutex_destroy(&meter->mutex);
#endif
}

static void lock(struct meter *meter)
{
#if HAS_THREADS
	pthread_mutex_lock(&meter->mutex);
#else
	(void)meter;
#endif
}

void meter_hide(struct meter *meter)
{
	lock(meter);
	erase(meter);
}

void meter_go_on(struct meter *meter)
{
#if HAS_THREADS
	pthread_mutex_unlock(&meter->mutex);
#else
	(void)meter;
#endif
}

/* ---------------------------------------------------------------- traces -- */

void meter_begin(struct meter_trace *trace, struct meter *meter,
		 const char *file, unsigned passes)
{
	*trace = (struct meter_trace){.meter = meter, .passes = passes};
	if (meter->active)
		trace->size = start_file_size(file);
}

static void print_line(struct meter *meter, int64_t time)
{
	double seconds = (double)(time - meter->begun) / (double)SECOND;
	double rate = (double)meter->done / seconds;

	erase(meter);
	fputs("gtrace: ", stderr);
	if (meter->count > 1)
		fprintf(stderr, "%zu of %zu traces, ", meter->finished,
			meter->count);
	if (meter->size != 0)
		fprintf(stderr, "%.0f %%, ",
			100 * (double)meter->done / (double)meter->size);
	fprintf(stderr, "%.0f MB/s", rate / 1e6);
	if (meter->size != 0 && rate > 0)
		fprintf(stderr, ", %.0f s left",
			(double)(meter->size - meter->done) / rate);
	fflush(stderr);
	meter->shown = true;
	meter->printed = time;
}

/* DONE bytes of TRACE have been read as often as is expected. */
static void add(struct meter_trace *trace, uint64_t done)
{
	struct meter *meter = trace->meter;
	int64_t time;

	if (trace->size != 0 && done > trace->size)
		done = trace->size;
	if (done > trace->done) {
		meter->done += done - trace->done;
		trace->done = done;
	}
	/* A file may have grown since the sizes were added up. */
	if (meter->size != 0 && meter->done > meter->size)
		meter->size = meter->done;
	time = now();
	if (time - meter->begun >= SECOND &&
	    time - meter->printed >= SECOND / 5)
		print_line(meter, time);
}

void meter_progress(void *context, uint64_t read)
{
	struct meter_trace *trace = context;

	lock(trace->meter);
	add(trace, read / trace->passes);
	meter_go_on(trace->meter);
}

void meter_end(struct meter_trace *trace)
{
	if (!trace->meter->active)
		return;
	lock(trace->meter);
	trace->meter->finished++;
	add(trace, trace->size);
	meter_go_on(trace->meter);
}
