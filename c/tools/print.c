/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - prints what was found in the traces. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/jobs.h"

static enum gtrace_status print_reports(struct jobs *jobs,
					struct gtrace_error *error)
{
	const struct gtrace_output output = {.size = sizeof(output),
					     .fd = STDOUT_FILENO};
	const struct settings *settings = jobs->settings;
	const struct reports *reports = &jobs->reports;
	enum gtrace_status status = GTRACE_OK;

	if (jobs_want(jobs, REPORT_GREEDY))
		status = gtrace_write_greedy(
			(const struct gtrace_greedy_report *const *)
				reports->greedy,
			settings->files, settings->file_count, &jobs->request,
			&output, error);
	if (status == GTRACE_OK && jobs_want(jobs, REPORT_STOPS))
		status = gtrace_write_stops(
			(const struct gtrace_stop_report *const *)
				reports->stops,
			settings->files, settings->file_count, &jobs->request,
			&output, error);
	return status;
}

/* Returns whether all output went where it is to go. */
static enum gtrace_status print_violations(struct jobs *jobs,
					   struct gtrace_error *error)
{
	size_t i;

	for (i = 0; i < jobs->settings->file_count; i++)
		if (jobs->jobs[i].violations != NULL)
			fputs(jobs->jobs[i].violations, stdout);
	if (fflush(stdout) == 0)
		return GTRACE_OK;
	*error = (struct gtrace_error){.status = GTRACE_ERROR_WRITE,
				       .system_error = errno};
	snprintf(error->message, sizeof(error->message),
		 "failed to write the report: %s", strerror(errno));
	return error->status;
}

/* ----------------------------------------------------------------- dumps -- */

/* A dump, one of several. */
struct dump {
	const char *name; /* to print before it, or NULL */
	bool skip_line;   /* leave out its first line */
};

static int write_all(const char *data, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

static int write_dump(void *context, const void *data, size_t size)
{
	struct dump *dump = context;
	const char *text = data, *end;
	int code = 0;

	if (dump->name != NULL) {
		code = write_all("==> ", 4);
		if (code == 0)
			code = write_all(dump->name, strlen(dump->name));
		if (code == 0)
			code = write_all(" <==\n", 5);
		dump->name = NULL;
	}
	if (code == 0 && dump->skip_line && size > 0) {
		end = memchr(text, '\n', size);
		dump->skip_line = end == NULL;
		end = end != NULL ? end + 1 : text + size;
		size -= (size_t)(end - text);
		text = end;
	}
	return code != 0 ? code : write_all(text, size);
}

/* Prints every event of trace NUMBER; of several, under the trace's name. */
static enum gtrace_status print_dump(struct jobs *jobs, size_t number,
				     struct gtrace_error *error)
{
	const struct settings *settings = jobs->settings;
	bool several = settings->file_count > 1;
	bool text = jobs->request.format == GTRACE_FORMAT_TEXT;
	struct dump dump = {
		.name = several && text ? settings->files[number] : NULL,
		.skip_line = number > 0 && settings->format == FORMAT_CSV,
	};
	struct gtrace_output output = {.size = sizeof(output),
				       .write = several ? write_dump : NULL,
				       .context = &dump,
				       .fd = STDOUT_FILENO};
	struct gtrace_request request = jobs->request;
	struct gtrace **trace = &jobs->jobs[number].trace;
	bool first = !jobs_want(jobs, REPORT_GREEDY | REPORT_STOPS);
	enum gtrace_status status = GTRACE_OK;

	request.name = settings->files[number];
	if (*trace == NULL)
		status = jobs_open(jobs, number, trace, error);
	if (status == GTRACE_OK && first)
		jobs_note_unit(jobs, number, *trace);
	if (status == GTRACE_OK)
		status = gtrace_print_events(*trace, &request, &output, error);
	if (status == GTRACE_OK && first)
		jobs_note_left_out(jobs, number, *trace);
	gtrace_close(*trace);
	*trace = NULL;
	meter_end(&jobs->jobs[number].meter);
	return status;
}

static enum gtrace_status print_dumps(struct jobs *jobs,
				      struct gtrace_error *error)
{
	enum gtrace_status status;
	size_t i;

	for (i = 0; i < jobs->settings->file_count; i++) {
		if (jobs->jobs[i].failed)
			continue;
		status = print_dump(jobs, i, error);
		if (status == GTRACE_ERROR_WRITE)
			return status;
		if (status != GTRACE_OK)
			jobs_complain(jobs, i, error);
	}
	return GTRACE_OK;
}

enum gtrace_status jobs_print(struct jobs *jobs, struct gtrace_error *error)
{
	enum gtrace_status status;

	meter_hide(&jobs->meter);
	meter_go_on(&jobs->meter);
	if (jobs_want(jobs, REPORT_VERDICT))
		return print_violations(jobs, error);
	status = print_reports(jobs, error);
	if (status == GTRACE_OK && jobs_want(jobs, REPORT_DUMP))
		status = print_dumps(jobs, error);
	return status;
}
