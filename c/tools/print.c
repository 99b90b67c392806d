/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - prints what was found in the traces. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/baseline.h"
#include "tools/bound.h"
#include "tools/durations.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/plain.h"

/*
 * Reads all traces again, and returns when the longest of them ends. INT64_MAX:
 * one of them cannot be read again.
 */
static int64_t find_end(void)
{
	int64_t end = 0, found;
	size_t i;

	for (i = 0; i < settings.file_count; i++) {
		found = damage_find_end(settings.files[i]);
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
static void note_none(const char *what)
{
	bool is_known = settings.from.time > 0 && !settings.from.is_clock;
	int64_t end = is_known ? find_end() : INT64_MAX;
	bool is_early = end < settings.filter.from;

	if (settings.request.filter == NULL ||
	    (!is_early && jobs_want(REPORT_VERDICT)))
		return;
	if (!is_early)
		error_note("no %s passes the filters", what);
	else
		error_note("no %s passes the filters: the %strace ends at %s",
			   what, settings.file_count > 1 ? "longest " : "",
			   duration_text(end).text);
}

/* Viewers need seconds, and memory, for a timeline of more bytes. */
#define TIMELINE_LARGE 100000000

/* The least length of a slice that is suggested first. */
#define SHORT_NS 100000

/* Says how a timeline of SIZE bytes becomes smaller, if that is large. */
static void note_size(uint64_t size)
{
	int64_t min = settings.filter.min;

	if (size <= TIMELINE_LARGE)
		return;
	min = min < SHORT_NS ? SHORT_NS : min < INT64_MAX / 10 ? 10 * min : min;
	error_note("the timeline has %" PRIu64 " MB; -min leaves out shorter "
		   "slices and pauses, such as -min=%s",
		   size / 1000000, duration_text(min).text);
}

/* Says what critical paths did not keep. */
static void note_dropped(void)
{
	uint64_t dropped = 0;
	size_t i;

	for (i = 0; i < settings.file_count; i++)
		if (jobs.reports[i] != NULL && jobs.reports[i]->paths != NULL)
			dropped += jobs.reports[i]->paths->dropped;
	if (dropped != 0)
		error_note("parts of critical paths are unknown: %" PRIu64
			   " transitions of goroutines were dropped; -rows "
			   "says how many are kept at once",
			   dropped);
}

/* How much there is in each report, of all traces. */
static void count_found(uint64_t counts[LIST_COUNT])
{
	const struct gtrace_reports *found;
	size_t i;

#define COUNT_FOUND(NAME, report, asked, uses, filters, made, what, number)    \
	if (found->report != NULL)                                             \
		counts[LIST_##NAME] += number;

	for (i = 0; i < settings.file_count; i++) {
		found = jobs.reports[i];
		if (found == NULL)
			continue;
		REPORTS(COUNT_FOUND)
	}
#undef COUNT_FOUND
}

/* Says which reports on all traces the filters leave empty. */
static void note_empty(void)
{
#define WHAT(NAME, report, asked, uses, filters, made, what, number) what,
	static const char *const whats[] = {REPORTS(WHAT)};
#undef WHAT
	uint64_t counts[LIST_COUNT] = {0};
	size_t i;

	count_found(counts);
	note_dropped();
	for (i = 0; i < LIST_COUNT; i++)
		if (counts[i] == 0 && whats[i] != NULL && jobs_want(1u << i))
			note_none(whats[i]);
	if (counts[LIST_PATHS] == 0 && jobs_want(REPORT_PATHS))
		note_none(settings.g.count != 0 ? "goroutine" : "request");
	/* Those of -requests are not all in the filter. */
	if (counts[LIST_REQUESTS] == 0 && jobs_want(REPORT_REQUESTS) &&
	    !jobs_want(REPORT_PATHS) &&
	    (settings.request.root != NULL || settings.request.at != NULL ||
	     settings.filter.requests_over != 0))
		error_note("no request passes the filters");
}

/* -------------------------------------------------------------- output -- */

/* What is written to: the page's file, or standard output. */
static struct {
	struct gtrace_output to;
	const char *page;  /* the name of the page's file, or NULL */
	FILE *file;        /* NULL: that file, which is not yet open */
	const char *name;  /* to print before what comes next, or NULL */
	bool skip_line;    /* leave out the first line of what comes next */
	size_t head_lines; /* as many lines do not count as events */
	size_t lines;      /* that were printed, up to one more */
	uint64_t size;     /* bytes that were printed */
	bool terminal;     /* it is text for a terminal */
	struct plain plain;
} out;

/* Returns the byte after the first line of the SIZE bytes at TEXT. */
static const char *after_line(const char *text, size_t size)
{
	const char *end = size != 0 ? memchr(text, '\n', size) : NULL;

	return end != NULL ? end + 1 : NULL;
}

/* Counts lines until it is known that there are more than those of heads. */
static void count_lines(const char *text, size_t size)
{
	const char *end = text + size;

	while (out.lines <= out.head_lines &&
	       (text = after_line(text, (size_t)(end - text))) != NULL)
		out.lines++;
}

static int write_out(void *context, const void *data, size_t size)
{
	const char *text = data, *after;

	(void)context;
	if (out.file == NULL)
		out.file = fopen(out.page, "wb");
	if (out.file == NULL)
		return errno;
	if (settings.max_output != 0) {
		bound_write(data, size);
		return fflush(out.file) == 0 && !ferror(out.file) ? 0 : errno;
	}
	count_lines(text, size);
	if (out.name != NULL) {
		fputs("==> ", out.file);
		plain_print(out.file, out.name, strlen(out.name));
		fputs(" <==\n", out.file);
		out.name = NULL;
	}
	if (out.skip_line) {
		after = after_line(text, size);
		if (after == NULL)
			return 0;
		out.skip_line = false;
		size -= (size_t)(after - text);
		text = after;
	}
	out.size += size;
	/* Text of a trace is not to command the terminal it is written to. */
	if (out.terminal)
		plain_write(out.file, &out.plain, text, size);
	else
		fwrite(text, 1, size, out.file);
	return fflush(out.file) == 0 && !ferror(out.file) ? 0 : errno;
}

/* Of a bounded output, which part a row can have: with one row all of it. */
static size_t count_parts(void)
{
	const size_t most = 4;
	const struct gtrace_request *request = &settings.request;
	const size_t counts[] = {request->n,          request->stops,
				 request->waits,      request->delays,
				 request->blocks,     request->goroutines,
				 request->requests,   request->paths,
				 settings.file_count, 1};
	bool has_rows =
		settings.dump || request->collections || request->sched != 0;
	size_t parts = 1, i;

	if (settings.compare)
		return 1;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i] > parts)
			parts = counts[i];
	return has_rows || parts > most ? most : parts;
}

/* The library writes to standard output itself if nothing has to be changed. */
static void open_output(void)
{
	bool several = settings.file_count > 1 &&
		       jobs_want(REPORT_SUMMARY | REPORTS_STREAMED);
	bool counted = settings.timeline ||
		       (settings.request.filter != NULL && settings.dump);

	out.to.size = sizeof(out.to);
	out.to.fd = STDOUT_FILENO;
	out.file = stdout;
	if (settings.page != NULL && strcmp(settings.page, "-") != 0) {
		out.page = settings.page;
		out.file = NULL;
	}
	out.terminal = settings.request.format == GTRACE_FORMAT_TEXT &&
		       settings.page == NULL &&
		       !jobs_want(REPORT_PROFILE | REPORT_TIMELINE) &&
		       isatty(STDOUT_FILENO);
	out.plain.has_lines = true;
	if (several || counted || out.terminal || out.page != NULL ||
	    settings.max_output != 0)
		out.to.write = write_out;
	if (settings.max_output != 0)
		bound_begin(out.file, settings.max_output, count_parts());
}

/* Begins what is printed of REQUEST's trace, one of several. */
static void begin(const struct gtrace_request *request)
{
	if (settings.file_count > 1 && request->format == GTRACE_FORMAT_TEXT)
		out.name = request->name;
	/* Of a table, the first trace has the line with the names of fields. */
	out.skip_line = request->format == GTRACE_FORMAT_CSV && out.size != 0;
	out.head_lines += request->format != GTRACE_FORMAT_JSON;
}

/* Ends the program, as the output failed for the reason CODE, from errno. */
static _Noreturn void end_output(int code)
{
	struct stat info;

	/* A page that is not whole is removed, but not a device. */
	if (out.page != NULL && out.file != NULL &&
	    stat(out.page, &info) == 0 && S_ISREG(info.st_mode))
		remove(out.page);
	/* No message if a pipe was closed at its other end. */
	if (code != EPIPE)
		error_note("%s: %s",
			   out.page != NULL ? out.page
					    : "failed to write the report",
			   error_text_of(code).text);
	meter_hide();
	exit(EXIT_BAD_TRACE);
}

/* Ends the program if STATUS, which ERROR describes, is that of an error. */
static void need(enum gtrace_status status, const struct gtrace_error *error)
{
	if (status == GTRACE_OK)
		return;
	if (status == GTRACE_ERROR_WRITE)
		end_output(error->system_error);
	error_note("%s", error->message);
	meter_hide();
	exit(EXIT_BAD_TRACE);
}

/* --------------------------------------------------------------- found -- */

/* Writes what REQUEST asks of the reports that were found. */
static void write_lists(const struct gtrace_request *request)
{
	struct gtrace_error error;

	need(gtrace_write((const struct gtrace_reports *const *)jobs.reports,
			  settings.files, settings.file_count, request, &out.to,
			  &error),
	     &error);
}

/*
 * Without -format, text is short, but for the greedy report, which is that of
 * the proposal. It comes first.
 */
static void print_reports(void)
{
	struct gtrace_request request =
		settings_request(GTRACE_REPORT_LONGEST, NULL);
	const struct gtrace_request greedy = {.size = sizeof(greedy),
					      .n = request.n,
					      .by_cpu = request.by_cpu,
					      .filter = request.filter};

	if (settings.format == 0 && jobs_want(REPORT_GREEDY)) {
		write_lists(&greedy);
		request.n = 0;
		request.by_cpu = 0;
	}
	if (request.n != 0 || jobs_want(REPORTS_SHORT))
		write_lists(&request);
	note_empty();
}

/* What the verdict is about. */
static const char *find_limited(void)
{
	bool slice = settings.max_slice != 0, stop = settings.max_stop != 0,
	     wait = settings.max_wait != 0, block = settings.max_block != 0;

	if (slice + stop + wait + block > 1)
		return "slice, stop-the-world pause, wait or block";
	return slice  ? "slice"
	       : stop ? "stop-the-world pause"
	       : wait ? "wait for a processor"
		      : "block at a lock";
}

/* Prints TEXT, or ends the program. */
static void print_lines(const char *text)
{
	int code = write_out(NULL, text, strlen(text));

	if (code != 0)
		end_output(code);
}

static void print_violations(void)
{
	size_t i;

	for (i = 0; i < settings.file_count; i++) {
		const struct violations *found = &jobs.traces[i].violations;
		size_t what;

		for (what = 0; what < LIMITED_COUNT; what++)
			if (found->counts[what] != 0)
				jobs.violated = true;
		if (settings.format != FORMAT_JUNIT &&
		    found->lines[0] != NULL && *found->lines[0] != '\0')
			print_lines(found->lines[0]);
	}
	if (settings.format == FORMAT_JUNIT)
		junit_print(out.file);
	if (fflush(out.file) != 0 || ferror(out.file))
		end_output(errno);
	if (!jobs.violated && jobs.failed == 0)
		note_none(find_limited());
}

/* Prints the summaries one after the other, under the names of the traces. */
static void print_summaries(void)
{
	struct gtrace_request request;
	struct gtrace_error error;
	size_t i;

	for (i = 0; i < settings.file_count; i++) {
		if (jobs.traces[i].summary == NULL)
			continue;
		request = settings_request(GTRACE_REPORT_SUMMARY,
					   settings.files[i]);
		begin(&request);
		need(gtrace_write_summary(jobs.traces[i].summary, &request,
					  &out.to, &error),
		     &error);
	}
}

/* Prints what is worse, if that is asked for. */
static void print_worse(void)
{
	uint64_t count;
	char *lines;

	if (settings.noise == 0)
		return;
	lines = baseline_find(&count);
	if (lines == NULL) {
		error_note("out of memory");
		meter_hide();
		exit(EXIT_BAD_TRACE);
	}
	print_lines(lines);
	free(lines);
	jobs.violated = count != 0;
}

static void print_comparison(void)
{
	struct gtrace_request request =
		settings_request(GTRACE_REPORT_SUMMARY, NULL);
	struct gtrace_error error;

	if (jobs.failed != 0)
		return;
	if (settings.page != NULL)
		request.report = GTRACE_REPORT_PAGE;
	if (settings.format < FORMAT_GITHUB)
		need(gtrace_print_comparison(
			     jobs.traces[0].summary, jobs.traces[1].summary,
			     settings.files, &request, &out.to, &error),
		     &error);
	print_worse();
}

/* ------------------------------------------------------------- streamed -- */

/* Prints what is streamed of trace NUMBER; of several, under its name. */
static void print_trace(size_t number)
{
	const struct gtrace_request request = settings_request(
		settings.request.report, settings.files[number]);
	struct job *job = &jobs.traces[number];
	struct gtrace_error error;
	enum gtrace_status status = GTRACE_OK;

	begin(&request);
	if (job->trace == NULL)
		status = jobs_open(number, &job->trace, &error);
	if (status == GTRACE_OK)
		status = gtrace_print(job->trace, &request, &out.to, &error);
	if (status == GTRACE_ERROR_WRITE)
		end_output(error.system_error);
	if (status == GTRACE_OK && settings.timeline)
		note_size(out.size);
	if (status != GTRACE_OK)
		jobs_say(number, NULL, &error);
	else if (!jobs_want(REPORTS_FOUND))
		jobs_say(number, job->trace, NULL);
	gtrace_close(job->trace);
	job->trace = NULL;
	meter_end(&job->meter);
}

static void print_traces(void)
{
	size_t i;

	out.lines = out.head_lines = 0;
	for (i = 0; i < settings.file_count; i++)
		if (!jobs.traces[i].failed)
			print_trace(i);
	if (out.lines <= out.head_lines && jobs.failed == 0 && settings.dump)
		note_none("event");
}

void jobs_print(void)
{
	meter_hide();
	meter_go_on();
	open_output();
	if (jobs_want(REPORT_VERDICT))
		print_violations();
	else if (jobs_want(REPORT_SUMMARY))
		print_summaries();
	else if (jobs_want(REPORT_COMPARISON))
		print_comparison();
	if (jobs_want(REPORTS_FOUND))
		print_reports();
	if (jobs_want(REPORTS_STREAMED))
		print_traces();
	if (settings.max_output != 0) {
		bound_end();
		if (fflush(out.file) != 0 || ferror(out.file))
			end_output(errno);
	}
	if (out.page != NULL && out.file != NULL && fclose(out.file) != 0)
		end_output(errno);
}
