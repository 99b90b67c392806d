/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - prints what was found in the traces. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/durations.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/plain.h"

/*
 * Reads all traces again, and returns when the longest of them ends. INT64_MAX:
 * one of them cannot be read again.
 */
static int64_t find_end(const struct jobs *jobs)
{
	const struct settings *settings = jobs->settings;
	int64_t end = 0, found;
	size_t i;

	for (i = 0; i < settings->file_count; i++) {
		found = damage_find_end(settings->files[i], &settings->options);
		if (found > end)
			end = found;
	}
	return end;
}

/*
 * Says that the filters leave no WHAT, and that -from is after the end of all
 * traces if it is. Without filters that can be seen. A verdict finds nothing in
 * most traces: it is only of interest that it cannot.
 */
static void note_none(struct jobs *jobs, const char *what)
{
	const struct settings *settings = jobs->settings;
	int64_t end = settings->filter.from != 0 ? find_end(jobs) : INT64_MAX;
	bool is_early = end < settings->filter.from;

	if (settings->request.filter == NULL ||
	    (!is_early && jobs_want(jobs, REPORT_VERDICT)))
		return;
	if (!is_early)
		error_note("no %s passes the filters", what);
	else
		error_note("no %s passes the filters: the %strace ends at %s",
			   what, settings->file_count > 1 ? "longest " : "",
			   duration_text(end).text);
}

/* Viewers need seconds, and memory, for a timeline of more bytes. */
#define TIMELINE_LARGE 100000000

/* The least length of a slice that is suggested first. */
#define SHORT_NS 100000

/* Says how a timeline of SIZE bytes becomes smaller, if that is large. */
static void note_size(struct jobs *jobs, uint64_t size)
{
	int64_t min = jobs->settings->filter.min;

	if (size <= TIMELINE_LARGE)
		return;
	min = min < SHORT_NS ? SHORT_NS : min < INT64_MAX / 10 ? 10 * min : min;
	error_note("the timeline has %" PRIu64 " MB; -min leaves out shorter "
		   "slices and stops, such as -min=%s",
		   size / 1000000, duration_text(min).text);
}

/* Says which reports on all traces the filters leave empty. */
static void note_empty(struct jobs *jobs)
{
	uint64_t slices = 0, stops = 0, waits = 0, delays = 0, blocks = 0;
	size_t i;

	for (i = 0; i < jobs->settings->file_count; i++) {
		const struct gtrace_reports *found = jobs->reports[i];

		if (found != NULL && found->greedy != NULL)
			slices += found->greedy->count;
		if (found != NULL && found->stops != NULL)
			stops += found->stops->measured +
				 found->stops->unmeasured +
				 found->stops->inferred;
		if (found != NULL && found->waits != NULL)
			waits += found->waits->count;
		if (found != NULL && found->delays != NULL)
			delays += found->delays->count;
		if (found != NULL && found->blocks != NULL)
			blocks += found->blocks->sum_count;
	}
	if (slices == 0 && jobs_want(jobs, REPORT_GREEDY))
		note_none(jobs, "slice");
	if (stops == 0 && jobs_want(jobs, REPORT_STOPS))
		note_none(jobs, "stop-the-world pause");
	if (waits == 0 && jobs_want(jobs, REPORT_WAITS))
		note_none(jobs, "wait for a processor");
	if (delays == 0 && jobs_want(jobs, REPORT_DELAYS))
		note_none(jobs, "slice that delayed others");
	if (blocks == 0 && jobs_want(jobs, REPORT_BLOCKS))
		note_none(jobs, "block");
}

/* -------------------------------------------------------------- output -- */

/* The output of one report, or of one trace of several. */
struct stream {
	const char *name;    /* to print before it, or NULL */
	bool skip_line;      /* leave out its first line */
	unsigned head_lines; /* as many lines do not count as events */
	unsigned lines;      /* that were printed, up to one more */
	uint64_t size;       /* bytes that were printed */
	bool terminal;       /* it is text for a terminal */
	struct plain plain;  /* what was written there */
	/* The name of the file that a page goes to, or NULL, and that file. */
	const char *page;
	FILE *file;
};

/* Returns the byte after the first line of the SIZE bytes at TEXT. */
static const char *after_line(const char *text, size_t size)
{
	const char *end = size != 0 ? memchr(text, '\n', size) : NULL;

	return end != NULL ? end + 1 : NULL;
}

/* Counts lines until it is known that there are more than those of a head. */
static void count_lines(struct stream *stream, const char *text, size_t size)
{
	const char *end = text + size;

	while (stream->lines <= stream->head_lines &&
	       (text = after_line(text, (size_t)(end - text))) != NULL)
		stream->lines++;
}

static int write_stream(void *context, const void *data, size_t size)
{
	struct stream *stream = context;
	const char *text = data, *after;

	count_lines(stream, text, size);
	if (stream->name != NULL) {
		fputs("==> ", stdout);
		plain_print(stdout, stream->name, strlen(stream->name));
		fputs(" <==\n", stdout);
		stream->name = NULL;
	}
	if (stream->skip_line) {
		after = after_line(text, size);
		if (after == NULL)
			return 0;
		stream->skip_line = false;
		size -= (size_t)(after - text);
		text = after;
	}
	stream->size += size;
	/* Text of a trace is not to command the terminal it is written to. */
	if (stream->terminal)
		plain_write(stdout, &stream->plain, text, size);
	else
		fwrite(text, 1, size, stdout);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : errno;
}

/* Writes to the page's file, which is opened when there is something to write.
 */
static int write_page(void *context, const void *data, size_t size)
{
	struct stream *stream = context;

	if (stream->file == NULL)
		stream->file = fopen(stream->page, "wb");
	if (stream->file == NULL)
		return errno;
	return fwrite(data, 1, size, stream->file) == size ? 0 : errno;
}

/*
 * The page's file, or standard output, by way of STREAM if that is STREAMED, or
 * if it is text for a terminal.
 */
static struct gtrace_output output_of(const struct jobs *jobs,
				      struct stream *stream, bool streamed)
{
	const struct settings *settings = jobs->settings;
	struct gtrace_output output = {
		.size = sizeof(output), .context = stream, .fd = STDOUT_FILENO};

	stream->terminal = settings->request.format == GTRACE_FORMAT_TEXT &&
			   settings->page == NULL &&
			   !jobs_want(jobs, REPORT_PROFILE | REPORT_TIMELINE) &&
			   isatty(STDOUT_FILENO);
	stream->plain.has_lines = true;
	if (settings->page != NULL && strcmp(settings->page, "-") != 0) {
		stream->page = settings->page;
		output.write = write_page;
	} else if (streamed || stream->terminal) {
		output.write = write_stream;
	}
	return output;
}

/* Sets ERROR to what the errno CODE says of WHAT. */
static enum gtrace_status fail(struct gtrace_error *error, const char *what,
			       int code)
{
	*error = (struct gtrace_error){.status = GTRACE_ERROR_WRITE,
				       .system_error = code};
	snprintf(error->message, sizeof(error->message), "%s: %s", what,
		 error_text_of(code).text);
	return error->status;
}

/*
 * Closes the page's file, if there is one, and removes it if it is not whole. A
 * trace that cannot be read leaves it as it was.
 */
static enum gtrace_status close_page(struct stream *stream,
				     enum gtrace_status status,
				     struct gtrace_error *error)
{
	int code = status == GTRACE_ERROR_WRITE ? error->system_error : 0;
	struct stat info;
	/* A device must not be removed. */
	bool is_regular = stream->file != NULL &&
			  fstat(fileno(stream->file), &info) == 0 &&
			  S_ISREG(info.st_mode);

	if (stream->file != NULL && fclose(stream->file) != 0 && code == 0)
		code = errno;
	if (code == 0 || stream->page == NULL)
		return status;
	if (is_regular)
		remove(stream->page);
	return fail(error, stream->page, code);
}

/* --------------------------------------------------------------- found -- */

static enum gtrace_status print_reports(struct jobs *jobs,
					struct gtrace_error *error)
{
	struct stream stream = {0};
	const struct gtrace_output output = output_of(jobs, &stream, false);
	const struct settings *settings = jobs->settings;
	enum gtrace_status status;

	if (!jobs_want(jobs, REPORTS_FOUND))
		return GTRACE_OK;
	status = gtrace_write(
		(const struct gtrace_reports *const *)jobs->reports,
		settings->files, settings->file_count, &jobs->settings->request,
		&output, error);
	if (status == GTRACE_OK)
		note_empty(jobs);
	return status;
}

/* What the verdict is about. */
static const char *find_limited(const struct settings *settings)
{
	bool slice = settings->max_slice != 0, stop = settings->max_stop != 0,
	     wait = settings->max_wait != 0, block = settings->max_block != 0;

	if (slice + stop + wait + block > 1)
		return "slice, stop, wait or block";
	return slice  ? "slice"
	       : stop ? "stop-the-world pause"
	       : wait ? "wait for a processor"
		      : "block at a lock";
}

/* Returns whether all output went where it is to go. */
static enum gtrace_status print_violations(struct jobs *jobs,
					   struct gtrace_error *error)
{
	const struct settings *settings = jobs->settings;
	size_t i;

	for (i = 0; i < settings->file_count; i++) {
		if (jobs->jobs[i].violations == NULL)
			continue;
		fputs(jobs->jobs[i].violations, stdout);
		jobs->violated = true;
	}
	if (!jobs->violated && jobs->failed == 0)
		note_none(jobs, find_limited(settings));
	if (fflush(stdout) == 0)
		return GTRACE_OK;
	return fail(error, "failed to write the report", errno);
}

/* Prints the summaries one after the other, under the names of the traces. */
static enum gtrace_status print_summaries(struct jobs *jobs,
					  struct gtrace_error *error)
{
	const struct settings *settings = jobs->settings;
	struct gtrace_request request = jobs->settings->request;
	struct stream stream = {0};
	struct gtrace_output output =
		output_of(jobs, &stream, settings->file_count > 1);
	enum gtrace_status status = GTRACE_OK;
	size_t i;

	for (i = 0; i < settings->file_count && status == GTRACE_OK; i++) {
		if (jobs->jobs[i].summary == NULL)
			continue;
		request.name = settings->files[i];
		if (request.format == GTRACE_FORMAT_TEXT &&
		    settings->file_count > 1)
			stream.name = request.name;
		status = gtrace_write_summary(jobs->jobs[i].summary, &request,
					      &output, error);
		stream.skip_line = request.format == GTRACE_FORMAT_CSV;
	}
	return status;
}

static enum gtrace_status print_comparison(struct jobs *jobs,
					   struct gtrace_error *error)
{
	struct stream stream = {0};
	const struct gtrace_output output = output_of(jobs, &stream, false);
	enum gtrace_status status;

	if (jobs->failed != 0)
		return GTRACE_OK;
	status = gtrace_print_comparison(
		jobs->jobs[0].summary, jobs->jobs[1].summary,
		jobs->settings->files, &jobs->settings->request, &output,
		error);
	return close_page(&stream, status, error);
}

/* ------------------------------------------------------------- streamed -- */

/* Prints what is streamed of trace NUMBER; of several, under its name. */
static enum gtrace_status print_trace(struct jobs *jobs, size_t number,
				      struct gtrace_error *error)
{
	const struct settings *settings = jobs->settings;
	bool several = settings->file_count > 1;
	bool text = jobs->settings->request.format == GTRACE_FORMAT_TEXT;
	struct stream stream = {
		.name = several && text ? settings->files[number] : NULL,
		.skip_line = jobs->headed,
		.head_lines = settings->request.format != GTRACE_FORMAT_JSON,
	};
	bool counted = jobs_want(jobs, REPORT_TIMELINE) ||
		       (settings->request.filter != NULL && settings->dump);
	struct gtrace_output output =
		output_of(jobs, &stream, several || counted);
	struct gtrace_request request = jobs->settings->request;
	struct gtrace **trace = &jobs->jobs[number].trace;
	bool first = !jobs_want(jobs, REPORTS_FOUND);
	enum gtrace_status status = GTRACE_OK;

	request.name = settings->files[number];
	if (*trace == NULL)
		status = jobs_open(jobs, number, trace, error);
	if (status == GTRACE_OK)
		status = close_page(
			&stream, gtrace_print(*trace, &request, &output, error),
			error);
	if (status == GTRACE_OK && jobs_want(jobs, REPORT_TIMELINE))
		note_size(jobs, stream.size);
	if (status == GTRACE_OK && first)
		jobs_say(jobs, number, *trace, NULL);
	if (status == GTRACE_OK &&
	    settings->request.format == GTRACE_FORMAT_CSV)
		jobs->headed = true;
	if (stream.lines > stream.head_lines)
		jobs->dumped = true;
	gtrace_close(*trace);
	*trace = NULL;
	meter_end(&jobs->jobs[number].meter);
	return status;
}

static enum gtrace_status print_traces(struct jobs *jobs,
				       struct gtrace_error *error)
{
	enum gtrace_status status;
	size_t i;

	for (i = 0; i < jobs->settings->file_count; i++) {
		if (jobs->jobs[i].failed)
			continue;
		status = print_trace(jobs, i, error);
		if (status == GTRACE_ERROR_WRITE)
			return status;
		if (status != GTRACE_OK)
			jobs_say(jobs, i, NULL, error);
	}
	if (!jobs->dumped && jobs->failed == 0 && jobs_want(jobs, REPORT_DUMP))
		note_none(jobs, "event");
	return GTRACE_OK;
}

enum gtrace_status jobs_print(struct jobs *jobs, struct gtrace_error *error)
{
	enum gtrace_status status;

	meter_hide();
	meter_go_on();
	if (jobs_want(jobs, REPORT_VERDICT))
		return print_violations(jobs, error);
	if (jobs_want(jobs, REPORT_SUMMARY))
		return print_summaries(jobs, error);
	if (jobs_want(jobs, REPORT_COMPARISON))
		return print_comparison(jobs, error);
	status = print_reports(jobs, error);
	if (status == GTRACE_OK && jobs_want(jobs, REPORTS_STREAMED))
		status = print_traces(jobs, error);
	return status;
}
