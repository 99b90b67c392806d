/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the help, the man page and the completions, from the flags. */
#ifndef GTRACE_TOOLS_HELP_H_
#define GTRACE_TOOLS_HELP_H_

#include <stdio.h>

#include "tools/settings.h"

/* Prints the help that fits a screen of 80 by 24. */
void help_short(FILE *to);

/* Prints all of it. */
void help_long(FILE *to);

/*
 * Prints to stderr what is wrong with the command line, and the line of the
 * help about FLAG, or where the help is if that is NULL. Returns false.
 */
bool help_wrong(const struct flag *flag, const char *format, ...);

/* Prints what the word NUMBER, from 1, of -print names. */
void help_document(FILE *to, int number);

#endif /* GTRACE_TOOLS_HELP_H_ */
