/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the one table of flags. The parser, the help, the man page and the
 * completions are made from it, and so are the errors for flags that do not go
 * together.
 */
#include "tools/settings.h"

const char *const settings_groups[GROUP_COUNT] = {
	[GROUP_REPORTS] = "Reports",
	[GROUP_OUTPUT] = "Output",
	[GROUP_INPUT] = "Input",
	[GROUP_OTHER] = "Other",
};

#define AT(field) offsetof(struct settings, field)

const struct flag settings_flags[] = {
	{"diagreedy", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_GREEDY,
	 REPORTS_TEXT, AT(diagreedy),
	 "the N longest slices: which goroutine kept a processor",
	 "A slice is a stretch of time over which one goroutine keeps one "
	 "processor. Each is printed with its length and the stacks where it "
	 "began and ended. Takes about a kilobyte of memory a slice."},
	{"stw", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_STOPS, REPORTS_TEXT,
	 AT(stops), "the N longest stops of the world: what held them up",
	 "A table of all stops by kind, and those that took longest, each with "
	 "the goroutine that asked for it and the processors that were given "
	 "up late."},
	{"dump", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_DUMP, REPORTS_TEXT,
	 AT(dump), "every event", NULL},

	{"format", "text|json", FLAG_CHOICE, GROUP_OUTPUT, 0, REPORTS_ALL,
	 AT(format), "how a report is printed",
	 "json is one object a line, with times in nanoseconds; for -stw "
	 "only."},

	{"partial", NULL, FLAG_SWITCH, GROUP_INPUT, 0, REPORTS_ALL, AT(partial),
	 "of a damaged trace, report what comes before the damage",
	 "What was left out is said on standard error."},
	{"binary", "FILE", FLAG_FILE, GROUP_INPUT, 0, REPORTS_ALL, AT(binary),
	 "the program that was traced: for Go 1.6 and older",
	 "Traces of Go 1.5 and 1.6 have no names in them; `go tool addr2line` "
	 "is asked for those, so a Go is needed too. Two files of which the "
	 "first is an executable are read as program and trace, as by go tool "
	 "trace."},

	{"h", NULL, FLAG_SWITCH, GROUP_OTHER, 0, REPORTS_ALL, AT(help),
	 "a screen of help", NULL},
	{"help", NULL, FLAG_SWITCH, GROUP_OTHER, 0, REPORTS_ALL, AT(all_help),
	 "all of the help", NULL},
	{"version", NULL, FLAG_SWITCH, GROUP_OTHER, 0, REPORTS_ALL, AT(version),
	 "the version of gtrace", NULL},
	{"print", "man|bash|zsh", FLAG_CHOICE, GROUP_OTHER, 0, REPORTS_ALL,
	 AT(print), "the man page, or completion for a shell", NULL},
	{.name = NULL},
};
