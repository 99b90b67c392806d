/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - reads the traces, several at a time. */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "tools/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "tools/apart.h"
#include "tools/edit.h"
#include "tools/errors.h"
#include "tools/fetch.h"
#include "tools/follow.h"
#include "tools/keep.h"
#include "tools/overlap.h"
#include "tools/start.h"
#include "tools/store.h"

/* The number of threads that read traces, unless -j gives it. */
#define THREADS_DEFAULT 2

#define THREADS_MAX 256

struct jobs jobs;

bool jobs_want(unsigned reports)
{
	return (settings.reports & reports) != 0;
}

/* ------------------------------------------------------------- one trace -- */

/* Prints ERROR, if it is of the file NAME, with which it begins, of FLAG. */
static bool say_of_file(const struct gtrace_error *error, const char *flag,
			const char *name)
{
	size_t size = name != NULL ? strlen(name) : 0;

	if (size == 0 || strncmp(error->message, name, size) != 0 ||
	    strncmp(error->message + size, ": ", 2) != 0)
		return false;
	error_note("-%s=%s", flag, error->message);
	return true;
}

void jobs_say(size_t number, const struct gtrace *trace,
	      const struct gtrace_error *error)
{
	const char *name = settings.files[number];
	char *lines;

	jobs.traces[number].failed = error != NULL;
	jobs.failed += error != NULL;
	if (error != NULL &&
	    (say_of_file(error, "sched", settings.options.sched) ||
	     say_of_file(error, "threads", settings.options.threads)))
		return;
	lines = error_describe(name, trace, error);
	error_print(name, lines, settings.file_count > 1);
	free(lines);
}

/* How many passes find requests and their paths, beside that for the report. */
static unsigned count_others(void)
{
	const struct gtrace_request *request = &settings.request;
	bool paths = request->paths != 0 ||
		     request->report == GTRACE_REPORT_PATH_PROFILE;
	bool served =
		request->requests != 0 || (paths && settings.g.count == 0);
	unsigned longer = !served && settings.filter.requests_over != 0;

	return paths + longer;
}

/* Returns how many passes the reports make over an open trace. */
static unsigned count_passes(void)
{
	unsigned limits = 2u * settings_visit() + (settings.max_wait != 0);

	if (jobs_want(REPORT_VERDICT))
		return limits;
	if (jobs_want(REPORT_TABLES))
		return STORE_PASSES;
	return limits + count_others() +
	       jobs_want(REPORTS_ALL & ~(REPORT_DUMP | REPORT_PAGE)) +
	       2u * jobs_want(REPORT_DUMP | REPORT_PAGE | REPORT_TIMELINE);
}

/* From now on trace NUMBER, given as an address, is that in FILE. */
static void be_in_file(size_t number, char *file)
{
	jobs.traces[number].url = settings.files[number];
	settings.files[number] = file;
}

/*
 * Records trace NUMBER, if it is given as an address. From then on it is that
 * in the file. Of one that has ended early, what there is is reported.
 */
static enum gtrace_status record(size_t number, struct gtrace_error *error)
{
	const char *name = settings.files[number];
	enum gtrace_status status;
	char *file = NULL;
	bool is_short;

	if (!fetch_is_for(name) || settings.follow)
		return GTRACE_OK;
	status = fetch_record(name, &file, &is_short, error);
	if (status != GTRACE_OK) {
		free(file);
		return status;
	}
	be_in_file(number, file);
	if (is_short && settings.options.partial == GTRACE_PARTIAL_NO)
		settings.options.partial = GTRACE_PARTIAL_GOOD;
	return GTRACE_OK;
}

/* Opens the trace at the address NAME, which is recorded meanwhile. */
static enum gtrace_status open_recording(const char *name,
					 const struct gtrace_options *options,
					 struct gtrace **trace,
					 struct gtrace_error *error)
{
	enum gtrace_status status;
	int fd;

	status = fetch_begin(name, &fd, error);
	if (status != GTRACE_OK)
		return status;
	jobs.records = true;
	return keep_open(fd, true, options, trace, error);
}

enum gtrace_status jobs_finish(size_t number, enum gtrace_status status,
			       struct gtrace_error *error)
{
	enum gtrace_status recorded;
	struct gtrace_error fault;
	char *file = NULL;
	bool is_short;

	if (!jobs.records)
		return status;
	jobs.records = false;
	recorded = fetch_finish(&file, &is_short, &fault);
	if (recorded == GTRACE_OK) {
		be_in_file(number, file);
		return status;
	}
	free(file);
	*error = fault;
	return recorded;
}

static size_t count_threads(void)
{
	size_t threads = gti_processors_online() == 1 ? 1 : THREADS_DEFAULT;

	if (settings.threads > THREADS_MAX)
		threads = THREADS_MAX;
	else if (settings.threads != 0)
		threads = settings.threads;
	return threads < settings.file_count ? threads : settings.file_count;
}

enum gtrace_status jobs_open(size_t number, struct gtrace **trace,
			     struct gtrace_error *error)
{
	struct job *job = &jobs.traces[number];
	struct meter_trace *meter = &job->meter;
	enum gtrace_status status = record(number, error);
	struct gtrace_options options = settings.options;
	const char *name = settings.files[number];

	if (status != GTRACE_OK)
		return status;
	/* Several traces at once have the processors, or -j=1 leaves one. */
	if (settings.threads == 1 || count_threads() > 1)
		options.processors = 1;
	/* A trace of Go 1.21 and older is read once while it is opened. */
	if (!jobs.is_copy)
		meter_begin(meter, name, count_passes() + 1, &options);
	if (job->joined != NULL)
		status = gtrace_open_fd(fileno(job->joined), &options, trace,
					error);
	else if (settings.follow && fetch_is_for(name))
		status = open_recording(name, &options, trace, error);
	else
		status = start_open(name, &options, trace, error);
	if (status == GTRACE_OK && gtrace_trace_version(*trace) >= 1022)
		meter->passes--;
	if (status == GTRACE_OK && gtrace_in_ticks(*trace) &&
	    jobs_want(REPORTS_TIMED)) {
		gtrace_close(*trace);
		*trace = NULL;
		return error_set(
			error, GTRACE_ERROR_ARGUMENT,
			"cut off before its tick frequency, so that no "
			"length is known: give -frequency=HZ");
	}
	return status;
}

/* Makes the summary of TRACE, and what -noise also needs of it. */
static enum gtrace_status summarise(struct job *job,
				    const struct gtrace_request *request,
				    struct gtrace *trace,
				    struct gtrace_error *error)
{
	enum gtrace_status status =
		gtrace_summarise(trace, request, &job->summary, error);

	if (status == GTRACE_OK && settings_limits())
		status = verdict_find(trace, request->name, &job->violations,
				      error);
	return status;
}

static enum gtrace_status find(size_t number, struct gtrace *trace,
			       struct gtrace_error *error)
{
	struct job *job = &jobs.traces[number];
	const char *name = settings.files[number];
	struct gtrace_request request =
		settings_request(jobs_want(REPORT_SUMMARY | REPORT_COMPARISON)
					 ? GTRACE_REPORT_SUMMARY
					 : GTRACE_REPORT_LONGEST,
				 name);

	if (jobs_want(REPORT_SUMMARY | REPORT_COMPARISON))
		return summarise(job, &request, trace, error);
	if (jobs_want(REPORT_VERDICT))
		return verdict_find(trace, name, &job->violations, error);
	if (jobs_want(REPORT_TABLES))
		return store_write(number, trace, error);
	return gtrace_analyse(trace, &request, &jobs.reports[number], error);
}

static void read_trace(size_t number)
{
	struct gtrace_error error;
	struct gtrace *trace = NULL;
	enum gtrace_status status = jobs_open(number, &trace, &error);

	if (status == GTRACE_OK)
		status = find(number, trace, &error);
	jobs_say(number, trace, status == GTRACE_OK ? NULL : &error);
	/* Standard input cannot be read again. */
	if (status == GTRACE_OK && jobs_want(REPORT_DUMP) &&
	    (settings.file_count == 1 || is_stdin(settings.files[number]))) {
		jobs.traces[number].trace = trace;
		return;
	}
	gtrace_close(trace);
	meter_end(&jobs.traces[number].meter);
}

bool jobs_read_apart(size_t number)
{
	struct gtrace_error error;
	struct gtrace *trace = NULL;
	enum gtrace_status status;

	jobs.is_copy = true;
	jobs.failed = 0;
	status = jobs_open(number, &trace, &error);
	if (status == GTRACE_OK)
		status = find(number, trace, &error);
	if (status != GTRACE_ERROR_MEMORY)
		jobs_say(number, trace, status == GTRACE_OK ? NULL : &error);
	gtrace_close(trace);
	return status != GTRACE_ERROR_MEMORY;
}

/* --------------------------------------------------------------- threads -- */

static void *work(void *context)
{
	size_t number;

	(void)context;
	while ((number = jobs.next++) < settings.file_count)
		if (!jobs.traces[number].apart)
			read_trace(number);
	return NULL;
}

static void read_traces(void)
{
	size_t more = count_threads() - 1;
#if HAS_THREADS
	pthread_t threads[THREADS_MAX];
	size_t started = 0;

	/* If a thread cannot be started there are fewer. */
	while (started < more &&
	       pthread_create(&threads[started], NULL, work, NULL) == 0)
		started++;
	work(NULL);
	while (started > 0)
		pthread_join(threads[--started], NULL);
#else
	(void)more;
	apart_read(settings.threads);
	work(NULL);
#endif
}

/* --------------------------------------------------------------- command -- */

enum exit_code jobs_run(void)
{
	if (!settings.quiet && !jobs_want(REPORT_FOLLOW) &&
	    !(settings.dump && isatty(STDOUT_FILENO)))
		meter_start(settings.files, settings.file_count);
	jobs.traces = calloc(settings.file_count, sizeof(*jobs.traces));
	jobs.reports = calloc(settings.file_count, sizeof(*jobs.reports));
	if (jobs.traces == NULL || jobs.reports == NULL) {
		error_note("out of memory");
		return EXIT_BAD_TRACE;
	}
	if (jobs_want(REPORT_EDIT))
		return edit_run();
	if (jobs_want(REPORT_FOLLOW))
		return follow_run();
	if (settings.file_count > 1 && !settings.compare && !settings.no_join)
		overlap_join();
	if ((settings.reports & ~(unsigned)REPORTS_STREAMED) != 0)
		read_traces();
	/* Nothing is printed if no trace can be read. */
	if (jobs.failed != settings.file_count)
		jobs_print();
	meter_hide();
	if (jobs.failed != 0)
		return EXIT_BAD_TRACE;
	return jobs.violated ? EXIT_VIOLATION : EXIT_GOOD;
}
