/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - reads the traces, several at a time. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */

#include "tools/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/errors.h"
#include "tools/start.h"

#if HAS_THREADS
#include <pthread.h>
#endif

/* The number of threads that read traces, unless -j gives it. */
#define THREADS_DEFAULT 2

#define THREADS_MAX 256

bool jobs_want(const struct jobs *jobs, unsigned reports)
{
	return (jobs->settings->reports & reports) != 0;
}

/* ---------------------------------------------------------------- set-up -- */

bool jobs_init(struct jobs *jobs, const struct settings *settings)
{
	*jobs = (struct jobs){.settings = settings};
	if (!settings->quiet && !(settings->dump && isatty(STDOUT_FILENO)))
		meter_start(settings->files, settings->file_count);
	jobs->jobs = calloc(settings->file_count, sizeof(*jobs->jobs));
	jobs->reports = calloc(settings->file_count, sizeof(void *));
	return jobs->jobs != NULL && jobs->reports != NULL;
}

void jobs_free(struct jobs *jobs)
{
	size_t i;

	for (i = 0; jobs->reports != NULL && jobs->jobs != NULL &&
		    i < jobs->settings->file_count;
	     i++) {
		gtrace_reports_free(jobs->reports[i]);
		gtrace_close(jobs->jobs[i].trace);
		gtrace_summary_free(jobs->jobs[i].summary);
		free(jobs->jobs[i].violations);
	}
	free(jobs->jobs);
	free(jobs->reports);
	meter_hide();
	meter_go_on();
}

/* ------------------------------------------------------------- one trace -- */

void jobs_say(struct jobs *jobs, size_t number, const struct gtrace *trace,
	      const struct gtrace_error *error)
{
	const struct settings *settings = jobs->settings;
	const char *name = settings->files[number];
	char *lines = error_describe(name, &settings->options, trace, error);

	error_print(name, lines, settings->file_count > 1);
	free(lines);
	jobs->jobs[number].failed = error != NULL;
	jobs->failed += error != NULL;
}

/* Returns how many passes the reports make over an open trace. */
static unsigned count_passes(const struct jobs *jobs)
{
	const struct settings *settings = jobs->settings;

	if (jobs_want(jobs, REPORT_VERDICT))
		return 2u * settings_visit(settings) +
		       (settings->max_wait != 0);
	return jobs_want(jobs, REPORTS_ALL & ~(REPORT_DUMP | REPORT_PAGE)) +
	       2u * jobs_want(jobs,
			      REPORT_DUMP | REPORT_PAGE | REPORT_TIMELINE);
}

static enum gtrace_status fail(struct gtrace_error *error,
			       enum gtrace_status status, const char *message)
{
	*error = (struct gtrace_error){.status = status};
	snprintf(error->message, sizeof(error->message), "%s", message);
	return status;
}

enum gtrace_status jobs_open(struct jobs *jobs, size_t number,
			     struct gtrace **trace, struct gtrace_error *error)
{
	const char *name = jobs->settings->files[number];
	struct meter_trace *meter = &jobs->jobs[number].meter;
	struct gtrace_options options = jobs->settings->options;
	enum gtrace_status status;

	/* A trace of Go 1.21 and older is read once while it is opened. */
	meter_begin(meter, name, count_passes(jobs) + 1, &options);
	status = start_open(name, &options, trace, error);
	if (status == GTRACE_OK && gtrace_trace_version(*trace) >= 1022)
		meter->passes--;
	if (status == GTRACE_OK && gtrace_in_ticks(*trace) &&
	    jobs_want(jobs, REPORTS_TIMED)) {
		gtrace_close(*trace);
		*trace = NULL;
		return fail(error, GTRACE_ERROR_ARGUMENT,
			    "cut off before its tick frequency, so that no "
			    "length is known: give -frequency=HZ");
	}
	return status;
}

/* Sets *LINES to the lines of the verdict on TRACE, NULL if there are none. */
static enum gtrace_status find_violations(struct jobs *jobs, const char *name,
					  struct gtrace *trace, char **lines,
					  struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	size_t size;
	FILE *to = open_memstream(lines, &size);

	if (to != NULL)
		status = verdict_print(trace, name, jobs->settings, to, error);
	if (to == NULL || (fclose(to) != 0 && status == GTRACE_OK))
		status = fail(error, GTRACE_ERROR_MEMORY, "out of memory");
	if (status != GTRACE_OK || size == 0) {
		free(*lines);
		*lines = NULL;
	}
	return status;
}

static enum gtrace_status find(struct jobs *jobs, size_t number,
			       struct gtrace *trace, struct gtrace_error *error)
{
	struct job *job = &jobs->jobs[number];
	struct gtrace_request request = jobs->settings->request;

	request.name = jobs->settings->files[number];
	if (jobs_want(jobs, REPORT_SUMMARY | REPORT_COMPARISON))
		return gtrace_summarise(trace, &request, &job->summary, error);
	if (jobs_want(jobs, REPORT_VERDICT))
		return find_violations(jobs, request.name, trace,
				       &job->violations, error);
	return gtrace_analyse(trace, &request, &jobs->reports[number], error);
}

static void read_trace(struct jobs *jobs, size_t number)
{
	const struct settings *settings = jobs->settings;
	const char *name = settings->files[number];
	struct gtrace_error error;
	struct gtrace *trace = NULL;
	enum gtrace_status status = jobs_open(jobs, number, &trace, &error);

	if (status == GTRACE_OK)
		status = find(jobs, number, trace, &error);
	jobs_say(jobs, number, trace, status == GTRACE_OK ? NULL : &error);
	/* Standard input cannot be read again. */
	if (status == GTRACE_OK && jobs_want(jobs, REPORT_DUMP) &&
	    (settings->file_count == 1 || is_stdin(name))) {
		jobs->jobs[number].trace = trace;
		return;
	}
	gtrace_close(trace);
	meter_end(&jobs->jobs[number].meter);
}

/* --------------------------------------------------------------- threads -- */

static void *work(void *context)
{
	struct jobs *jobs = context;
	size_t number;

	while ((number = jobs->next++) < jobs->settings->file_count)
		read_trace(jobs, number);
	return NULL;
}

static size_t count_threads(const struct settings *settings)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t threads = processors == 1 ? 1 : THREADS_DEFAULT;

	if (settings->threads > THREADS_MAX)
		threads = THREADS_MAX;
	else if (settings->threads != 0)
		threads = settings->threads;
	return threads < settings->file_count ? threads : settings->file_count;
}

void jobs_read(struct jobs *jobs)
{
	size_t more = count_threads(jobs->settings) - 1;
#if HAS_THREADS
	pthread_t threads[THREADS_MAX];
	size_t started = 0;

	/* If a thread cannot be started there are fewer. */
	while (started < more &&
	       pthread_create(&threads[started], NULL, work, jobs) == 0)
		started++;
	work(jobs);
	while (started > 0)
		pthread_join(threads[--started], NULL);
#else
	(void)more;
	work(jobs);
#endif
}
