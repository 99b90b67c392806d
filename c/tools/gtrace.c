/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.c - the gtrace command: the reports of `go tool trace -diagreedy=N`
 * and `-dump`, and others, without Go.
 */
#include <errno.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/settings.h"

#if defined(__wasi__)
#include <unistd.h>
#endif

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
	/* Other programs may write to it, too: each line is written at once. */
	setvbuf(stderr, NULL, _IOLBF, 0);
#if defined(__wasi__)
	/*
	 * All files of a host are below /, and it can show by this folder which
	 * names are relative. Where there is none, all are.
	 */
	chdir("/.here");
#endif
	settings_read(argc, argv);
	if (!print_about())
		return (int)jobs_run();
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_GOOD;
	if (errno != EPIPE)
		error_note("%s", error_text_of(errno).text);
	return EXIT_BAD_TRACE;
}
