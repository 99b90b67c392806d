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
	flags_parse(argc, argv);
	if (settings.print == 0)
		help_wrong(EXIT_BAD_USAGE, "-print=man|bash|zsh is needed");
	help_document(stdout, settings.print);
	return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_BAD_TRACE;
}
