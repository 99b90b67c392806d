/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.c - the gtrace command: the reports of `go tool trace -diagreedy=N`
 * and `-dump`, and others, without Go.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gtrace/gtrace.h>

#include "tools/errors.h"
#include "tools/help.h"
#include "tools/settings.h"

static enum gtrace_status report(const struct settings *settings,
				 struct gtrace *trace,
				 struct gtrace_error *error)
{
	const struct gtrace_output output = {.size = sizeof(output),
					     .fd = STDOUT_FILENO};
	const struct gtrace_request request = {
		.size = sizeof(request),
		.n = (size_t)settings->diagreedy,
		.stops = (size_t)settings->stops,
		.format = settings->format == FORMAT_JSON ? GTRACE_FORMAT_JSON
							  : GTRACE_FORMAT_TEXT,
	};
	enum gtrace_status status = GTRACE_OK;

	if (settings->reports & (REPORT_GREEDY | REPORT_STOPS))
		status = gtrace_print_reports(trace, &request, &output, error);
	if (status == GTRACE_OK && settings->reports & REPORT_DUMP)
		status = gtrace_print_dump(trace, &output, error);
	return status;
}

static enum exit_code read_trace(const struct settings *settings)
{
	struct gtrace_options options = {
		.size = sizeof(options),
		.binary = settings->binary,
		.partial = settings->partial,
	};
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;

	if (strcmp(settings->trace, "-") == 0)
		status = gtrace_open_fd(STDIN_FILENO, &options, &trace, &error);
	else
		status = gtrace_open_path(settings->trace, &options, &trace,
					  &error);
	if (status == GTRACE_OK) {
		status = report(settings, trace, &error);
		if (status == GTRACE_OK)
			error_print_left_out(settings->trace, trace);
	}
	if (status != GTRACE_OK)
		error_print(settings->trace, &error, true, settings->partial);
	gtrace_close(trace);
	return status == GTRACE_OK ? EXIT_GOOD : EXIT_BAD_TRACE;
}

/* Prints what SETTINGS asks for of the command itself, if it does. */
static bool print_about(const struct settings *settings)
{
	if (settings->all_help)
		help_long(stdout);
	else if (settings->help)
		help_short(stdout);
	else if (settings->version)
		printf("gtrace %s\n", gtrace_version());
	else if (settings->print == PRINT_MAN)
		print_man(stdout);
	else if (settings->print == PRINT_BASH)
		print_bash(stdout);
	else if (settings->print == PRINT_ZSH)
		print_zsh(stdout);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	struct settings settings;

	if (!settings_read(argc, argv, &settings))
		return EXIT_BAD_USAGE;
	if (!print_about(&settings))
		return read_trace(&settings);
	if (fflush(stdout) == 0)
		return EXIT_GOOD;
	if (errno != EPIPE)
		fprintf(stderr, "gtrace: %s\n", strerror(errno));
	return EXIT_BAD_TRACE;
}
