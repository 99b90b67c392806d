/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - documents man|bash|zsh: prints what gtrace -print=man|bash|zsh does.
 * A build for another machine has to compile this for its own machine, but not
 * the library.
 */
#include <stdio.h>
#include <string.h>

#include "tools/help.h"

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*print)(FILE *to);
	} documents[] = {
		{"man", print_man},
		{"bash", print_bash},
		{"zsh", print_zsh},
	};
	size_t i;

	for (i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		if (argc == 2 && strcmp(argv[1], documents[i].name) == 0) {
			documents[i].print(stdout);
			return fflush(stdout) == 0 ? 0 : 1;
		}
	}
	fputs("usage: documents man|bash|zsh\n", stderr);
	return 2;
}
