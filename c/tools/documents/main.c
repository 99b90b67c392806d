/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - documents -print=man|bash|zsh: prints what gtrace does with the
 * flag. A build for another machine has to compile this for its own machine,
 * but not the library.
 */
#include <stdio.h>

#include "tools/settings.h"

int main(int argc, char **argv)
{
	int first;

	if (flags_parse(argc, argv, &first) != EXIT_GOOD ||
	    settings.print == 0) {
		fputs("usage: documents -print=man|bash|zsh\n", stderr);
		return EXIT_BAD_USAGE;
	}
	help_document(stdout, settings.print);
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_BAD_TRACE;
}
