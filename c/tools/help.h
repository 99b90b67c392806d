/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the help, the man page and the completions, from the flags. */
#ifndef GTRACE_TOOLS_HELP_H_
#define GTRACE_TOOLS_HELP_H_

#include <stdio.h>

#include "tools/flags.h"

/* An example of use, without the program's name, and what it is for. */
struct example {
	const char *command;
	const char *purpose;
};

/* They end with a NULL. */
extern const struct example help_examples[];

/* Sentences that the help and the man page share. */
extern const char help_subject[];
extern const char help_files[];

/* What each exit status means; ends with a NULL. */
extern const char *const help_exits[];

/* Prints the help that fits a screen of 80 by 24. */
void help_short(FILE *to);

/* Prints all of it. */
void help_long(FILE *to);

/* Prints the one line about FLAG. */
void help_flag(FILE *to, const struct flag *flag);

/* Writes -NAME, or -NAME=WORD, to TO, which has SIZE bytes. */
void help_spell(const struct flag *flag, char *to, size_t size);

void print_man(FILE *to);
void print_bash(FILE *to);
void print_zsh(FILE *to);

#endif /* GTRACE_TOOLS_HELP_H_ */
