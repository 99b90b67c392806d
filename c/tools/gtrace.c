/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.c - the gtrace command: the reports of `go tool trace -diagreedy=N`
 * and `-dump`, and others, without Go.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/settings.h"

static enum exit_code run(struct jobs *jobs)
{
	struct gtrace_error error;

	if ((jobs->settings->reports & ~(unsigned)REPORTS_STREAMED) != 0)
		jobs_read(jobs);
	/* Nothing is printed if no trace can be read. */
	if (jobs->failed == jobs->settings->file_count)
		return EXIT_BAD_TRACE;
	if (jobs_print(jobs, &error) != GTRACE_OK) {
		/* No message if a pipe was closed at its other end. */
		if (error.system_error != EPIPE)
			error_note("%s", error.message);
		return EXIT_BAD_TRACE;
	}
	if (jobs->failed != 0)
		return EXIT_BAD_TRACE;
	return jobs->violated ? EXIT_VIOLATION : EXIT_GOOD;
}

static enum exit_code report(const struct settings *settings)
{
	struct jobs jobs;
	enum exit_code code = EXIT_BAD_TRACE;

	if (jobs_init(&jobs, settings))
		code = run(&jobs);
	else
		error_note("out of memory");
	jobs_free(&jobs);
	return code;
}

/* Prints the help, the version or a document if SETTINGS selects one. */
static bool print_about(const struct settings *settings)
{
	if (settings->all_help)
		help_long(stdout);
	else if (settings->help)
		help_short(stdout);
	else if (settings->version)
		printf("gtrace %s\n", gtrace_version());
	else if (settings->print != 0)
		help_document(stdout, settings->print);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	struct settings settings;
	enum exit_code code;

	/* Other programs may write to it, too: each line is written at once. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	code = settings_read(argc, argv, &settings);
	if (code != EXIT_GOOD) {
		/* Standard error says why. */
	} else if (!print_about(&settings)) {
		code = report(&settings);
	} else if (fflush(stdout) == 0 && !ferror(stdout)) {
		code = EXIT_GOOD;
	} else {
		code = EXIT_BAD_TRACE;
		if (errno != EPIPE)
			error_note("%s", error_text_of(errno).text);
	}
	settings_free(&settings);
	return (int)code;
}
