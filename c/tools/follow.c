/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.c - prints what happens in a trace while it comes: -follow. */
#define _POSIX_C_SOURCE 200809L /* strndup */

#include "tools/follow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/durations.h"
#include "tools/errors.h"
#include "tools/fetch.h"
#include "tools/jobs.h"
#include "tools/lately.h"
#include "tools/plain.h"
#include "tools/screen.h"
#include "tools/start.h"
#include "tools/totals.h"
#include "tools/verdict.h"

/* Lines of violations that are printed of a generation, without -rows. */
#define ROWS 10

/* A violation of the present generation. */
struct line {
	int64_t at;
	int64_t length;
	size_t order; /* as they came */
	char *text;
};

struct follow {
	const char *name;
	struct line *lines;
	size_t count, capacity;
	uint64_t more; /* that are not kept, for lack of memory */
	bool violated;
	bool draws; /* a table, on a terminal */
	struct screen screen;
	struct lately lately;
	bool failed;   /* the output cannot be written */
	int64_t start; /* of the trace, since 1970; INT64_MIN: not known */
};

/* ----------------------------------------------------------------- lines -- */

static void forget(struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->count; i++)
		free(follow->lines[i].text);
	follow->count = 0;
	follow->more = 0;
}

/* Adds a line. Returns false if there is no memory. */
static bool add(struct follow *follow, struct line line)
{
	size_t capacity = follow->capacity != 0 ? follow->capacity * 2 : 16;
	struct line *lines = follow->lines;

	if (follow->count == follow->capacity) {
		lines = realloc(lines, capacity * sizeof(*lines));
		if (lines == NULL)
			return false;
		follow->lines = lines;
		follow->capacity = capacity;
	}
	line.order = follow->count;
	lines[follow->count++] = line;
	return true;
}

static void take_line(void *context, int64_t at, int64_t length,
		      const char *text, size_t size)
{
	struct follow *follow = context;
	const struct line line = {at, length, 0, strndup(text, size)};

	if (line.text == NULL || !add(follow, line)) {
		free(line.text);
		follow->more++;
	}
}

static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Prints the longest ones, and how many there are beside these. */
static void print_lines(struct follow *follow)
{
	size_t rows = settings.request.rows != 0 ? settings.request.rows : ROWS;
	uint64_t more = follow->more;
	size_t i;

	if (follow->count > 1)
		qsort(follow->lines, follow->count, sizeof(*follow->lines),
		      compare);
	for (i = 0; i < follow->count && i < rows; i++) {
		totals_time(stdout, follow->start, follow->lines[i].at);
		puts(follow->lines[i].text);
	}
	more += follow->count - i;
	if (more != 0) {
		plain_print(stdout, follow->name, strlen(follow->name));
		printf(": and %" PRIu64 " more\n", more);
	}
	follow->violated |= follow->count + follow->more != 0;
	forget(follow);
}

/* ----------------------------------------------------------- generations -- */

/* Whether standard output still takes what is printed. */
static bool flush(struct follow *follow)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	if (!follow->failed && errno != EPIPE)
		error_note("%s", error_text_of(errno).text);
	follow->failed = true;
	return false;
}

/* The file that has the trace. NULL: it is not kept. */
static const char *file_of(const struct follow *follow)
{
	struct stat info;

	if (jobs.records)
		return fetch_file();
	return !is_stdin(follow->name) && stat(follow->name, &info) == 0 &&
			       S_ISREG(info.st_mode)
		       ? follow->name
		       : NULL;
}

/* Prints what went on in GENERATION, the summary of which cannot be made. */
static void print_failure(const struct gtrace_generation *generation,
			  const struct gtrace_error *error)
{
	totals_when(stdout, generation->start, generation->from);
	plain_print(stdout, error->message, strlen(error->message));
	putchar('\n');
}

static void print_generation(struct follow *follow,
			     const struct gtrace_generation *generation)
{
	struct lately *lately = &follow->lately;
	struct gtrace_summary *summary = NULL;
	struct gtrace_error error;
	enum gtrace_status status =
		gtrace_summarise(generation->trace, NULL, &summary, &error);

	if (status == GTRACE_OK)
		lately_take(lately, generation, summary);
	if (settings.request.format == GTRACE_FORMAT_JSON)
		totals_object(stdout, generation, summary, lately,
			      file_of(follow));
	else if (status != GTRACE_OK)
		print_failure(generation, &error);
	else if (follow->draws)
		screen_draw(&follow->screen, generation, summary, lately,
			    file_of(follow));
	else
		totals_line(stdout, generation, summary);
	gtrace_summary_free(summary);
}

static int take_generation(void *context,
			   const struct gtrace_generation *generation)
{
	struct follow *follow = context;

	if (follow->start == INT64_MIN && generation->start != INT64_MIN)
		follow->start = generation->start - generation->from;
	if (settings_limits())
		print_lines(follow);
	else
		print_generation(follow, generation);
	return !flush(follow);
}

static void begin_again(void *context)
{
	forget(context);
}

/* Prints the summary of all that was read. */
static enum gtrace_status print_summary(struct gtrace *trace, const char *name,
					struct gtrace_error *error)
{
	const struct gtrace_request request = {.size = sizeof(request),
					       .report = GTRACE_REPORT_SUMMARY,
					       .name = name,
					       .width = settings.request.width};
	const struct gtrace_output output = {.size = sizeof(output),
					     .fd = STDOUT_FILENO};

	putchar('\n');
	if (fflush(stdout) != 0)
		return GTRACE_OK;
	return gtrace_print(trace, &request, &output, error);
}

static enum gtrace_status follow_trace(struct follow *follow,
				       struct gtrace *trace,
				       struct gtrace_error *error)
{
	const struct verdict_follower follower = {
		.line = take_line,
		.generation = take_generation,
		.again = begin_again,
		.context = follow,
	};
	enum gtrace_status status;

	if (follow->draws)
		screen_begin(&follow->screen);
	status = verdict_follow(trace, follow->name, &follower, error);
	if (follow->draws)
		screen_end(&follow->screen);
	if (status != GTRACE_OK || follow->failed)
		return status;
	status = jobs_finish(0, status, error);
	if (status == GTRACE_OK && settings_limits())
		print_lines(follow); /* what is not over at the end */
	else if (status == GTRACE_OK &&
		 settings.request.format == GTRACE_FORMAT_TEXT)
		status = print_summary(trace, settings.files[0], error);
	return status;
}

enum exit_code follow_run(void)
{
	struct follow follow = {.name = settings.files[0], .start = INT64_MIN};
	struct gtrace_error error;
	struct gtrace *trace = NULL;
	enum gtrace_status status = jobs_open(0, &trace, &error);

	follow.draws = !settings_limits() &&
		       settings.request.format == GTRACE_FORMAT_TEXT &&
		       screen_is_there();
	if (status == GTRACE_OK)
		status = follow_trace(&follow, trace, &error);
	flush(&follow);
	if (trace == NULL)
		status = jobs_finish(0, status, &error);
	jobs_say(0, trace, status == GTRACE_OK ? NULL : &error);
	gtrace_close(trace);
	status = jobs_finish(0, status, &error);
	forget(&follow);
	free(follow.lines);
	lately_free(&follow.lately);
	if (status != GTRACE_OK || follow.failed)
		return EXIT_BAD_TRACE;
	return follow.violated ? EXIT_VIOLATION : EXIT_GOOD;
}
