/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.h - what the command line of gtrace asks for, and its flags. */
#ifndef GTRACE_TOOLS_SETTINGS_H_
#define GTRACE_TOOLS_SETTINGS_H_

#include <stdbool.h>
#include <stdint.h>

#include "tools/flags.h"

enum exit_code { EXIT_GOOD = 0, EXIT_BAD_TRACE = 1, EXIT_BAD_USAGE = 2 };

/* Reports, as bits; a flag asks for each. */
enum {
	REPORT_GREEDY = 1 << 0,
	REPORT_STOPS = 1 << 1,
	REPORT_DUMP = 1 << 2,
	/* Those that may be printed one after the other. */
	REPORTS_TEXT = REPORT_GREEDY | REPORT_STOPS | REPORT_DUMP,
	REPORTS_ALL = REPORTS_TEXT
};

/* The values of -format and -print, in the order of their words. */
enum { FORMAT_TEXT = 1, FORMAT_JSON = 2 };
enum { PRINT_MAN = 1, PRINT_BASH = 2, PRINT_ZSH = 3 };

struct settings {
	/* Flags; zero: not given. */
	int64_t diagreedy;
	int64_t stops;
	bool dump;
	int format;
	bool partial;
	const char *binary;
	int print;
	bool help;
	bool all_help;
	bool version;

	unsigned reports;  /* bits */
	const char *trace; /* "-": standard input */
};

/* Every flag of the command; the last one has no name. */
extern const struct flag settings_flags[];

/* Groups of flags, with the words that stand above each in the help. */
enum { GROUP_REPORTS, GROUP_OUTPUT, GROUP_INPUT, GROUP_OTHER, GROUP_COUNT };

extern const char *const settings_groups[GROUP_COUNT];

/*
 * Fills SETTINGS from the command line. On an error prints what is wrong and
 * the matching part of the help to stderr, and returns false. SETTINGS is to be
 * freed in any case.
 */
bool settings_read(int argc, char **argv, struct settings *settings);

#endif /* GTRACE_TOOLS_SETTINGS_H_ */
