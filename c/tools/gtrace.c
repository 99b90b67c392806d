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

/* Prints the help, the version or a document if a flag selects one. */
static bool print_about(void)
{
	if (settings.all_help)
		help_long(stdout);
	else if (settings.help)
		help_short(stdout);
	else if (settings.version)
		printf("gtrace %s\n", gtrace_version());
	else if (settings.print != 0)
		help_document(stdout, settings.print);
	else
		return false;
	return true;
}

int main(int argc, char **argv)
{
	enum exit_code code;

	/* Other programs may write to it, too: each line is written at once. */
	setvbuf(stderr, NULL, _IOLBF, 0);
	code = settings_read(argc, argv);
	if (code != EXIT_GOOD) {
		/* Standard error says why. */
	} else if (!print_about()) {
		code = jobs_run();
	} else if (fflush(stdout) == 0 && !ferror(stdout)) {
		code = EXIT_GOOD;
	} else {
		code = EXIT_BAD_TRACE;
		if (errno != EPIPE)
			error_note("%s", error_text_of(errno).text);
	}
	settings_free();
	return (int)code;
}
