/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the one table of flags. The parser, the help, the man page and the
 * completions are made from it, and so are the errors for flags that do not go
 * together.
 */
#include "tools/settings.h"

const char *const settings_groups[GROUP_COUNT] = {
	[GROUP_REPORTS] = "Reports", [GROUP_VERDICT] = "Verdict",
	[GROUP_FILTERS] = "Filters", [GROUP_OUTPUT] = "Output",
	[GROUP_INPUT] = "Input",     [GROUP_OTHER] = "Other",
};

#define AT(field) offsetof(struct settings, field)

const struct flag settings_flags[] = {
	{"diagreedy", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_GREEDY,
	 REPORTS_LISTS, AT(diagreedy),
	 "the N longest slices: which goroutine kept a processor",
	 "A slice is a stretch of time over which one goroutine keeps one "
	 "processor. Each is printed with its length and the stacks where it "
	 "began and ended. Takes about a kilobyte of memory a slice."},
	{"stw", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_STOPS, REPORTS_LISTS,
	 AT(stops), "the N longest stops of the world: what held them up",
	 "A table of all stops by kind, and those that took longest, each with "
	 "the goroutine that asked for it and the processors that were given "
	 "up late."},
	{"dump", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_DUMP, REPORTS_LISTS,
	 AT(dump), "every event",
	 "Of several traces, those of each stand under its name."},

	{"pprof", "greedy|stw", FLAG_CHOICE, GROUP_REPORTS, REPORT_PROFILE,
	 REPORT_PROFILE, AT(profile), "slices or stops for go tool pprof",
	 "greedy: the number and the lengths of all slices, at the stacks "
	 "where "
	 "they end. stw: the same of stops of the world and the time that each "
	 "took to stop, at the stack that held it up. Of one trace, to a file "
	 "or a pipe."},
	{"compare", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_COMPARISON,
	 REPORT_COMPARISON, AT(compare),
	 "two traces, old and new: what grew and what shrank",
	 "How slices and stops of the world are distributed in each, and how "
	 "much time was spent in slices that end in each function, the largest "
	 "change first."},
	{"timeline", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_TIMELINE,
	 REPORT_TIMELINE, AT(timeline),
	 "slices, stops and collections for ui.perfetto.dev",
	 "Trace events as Chrome has them, in JSON, with a track a processor. "
	 "Of one trace; -from and -to select a part of it."},

	{"html", "FILE", FLAG_FILE, GROUP_REPORTS, REPORT_PAGE, REPORT_PAGE,
	 AT(page), "a page to look at: pictures, slices, stops",
	 "One HTML file of at most 2 MB, which loads nothing. Of one trace. A "
	 "FILE of - is standard output."},
	{"rows", "N", FLAG_COUNT, GROUP_OUTPUT, 0, REPORT_PAGE, AT(rows),
	 "so many slices and stops on the page, in place of 10", NULL},

	{"max-slice", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT, AT(max_slice),
	 "a line for each longer slice, and exit status 3", NULL},
	{"max-stop", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT, AT(max_stop),
	 "a line for each longer stop of the world, likewise",
	 "A stop is as long as the runtime takes it to be, from its request to "
	 "its end. Of a stop that was inferred (Go 1.20 and older) the lower "
	 "bound of the time until it was obtained counts. Both flags print "
	 "nothing where all is well. If a trace cannot be read the exit status "
	 "is 1."},

	{"g", "ID,...", FLAG_IDS, GROUP_FILTERS, 0, REPORTS_ALL, AT(g),
	 "only these goroutines",
	 "The reports cover what passes all filters. A stop of the world "
	 "passes by the goroutine that asked for it, or by one that held it "
	 "up."},
	{"p", "N,...", FLAG_IDS, GROUP_FILTERS, 0, REPORTS_ALL, AT(p),
	 "only these processors", NULL},
	{"func", "REGEXP", FLAG_TEXT, GROUP_FILTERS, 0, REPORTS_ALL,
	 AT(function), "only where a function in a stack matches",
	 "A POSIX extended regular expression. It matches a function in one of "
	 "the stacks, or the one that the goroutine began with."},
	{"from", "TIME", FLAG_DURATION, GROUP_FILTERS, 0, REPORTS_ALL, AT(from),
	 "only what ends after this time, from the first event", NULL},
	{"to", "TIME", FLAG_DURATION, GROUP_FILTERS, 0, REPORTS_ALL, AT(to),
	 "only what begins before this time", NULL},
	{"min", "TIME", FLAG_DURATION, GROUP_FILTERS, 0,
	 REPORTS_ALL & ~(REPORT_DUMP | REPORT_VERDICT), AT(min),
	 "only slices and stops of this length or more", NULL},
	{"user", NULL, FLAG_SWITCH, GROUP_FILTERS, 0, REPORTS_ALL, AT(user),
	 "without the goroutines of the runtime", NULL},

	{"format", "text|json|csv", FLAG_CHOICE, GROUP_OUTPUT, 0,
	 REPORTS_LISTS | REPORT_SUMMARY | REPORT_COMPARISON, AT(format),
	 "how a report is printed",
	 "json is one object a line, csv a table with a header; times are in "
	 "nanoseconds. csv is for one report at a time, and not for a "
	 "comparison."},
	{"quiet", NULL, FLAG_SWITCH, GROUP_OUTPUT, 0, REPORTS_ALL, AT(quiet),
	 "no line on the terminal that tells how far it is",
	 "That line comes after a second, and never in a pipe or a file."},

	{"files-from", "FILE", FLAG_FILE, GROUP_INPUT, 0, REPORTS_ALL,
	 AT(files_from), "also the traces that FILE names, one a line",
	 "A FILE of - is standard input."},
	{"j", "N", FLAG_COUNT, GROUP_INPUT, 0, REPORTS_ALL, AT(threads),
	 "read N traces at a time",
	 "Two are read at a time where there are processors for it."},
	{"partial", "unfinished", FLAG_MODE, GROUP_INPUT, 0, REPORTS_ALL,
	 AT(partial), "of a damaged trace, report what comes before the damage",
	 "What was left out is said on standard error. A trace of Go 1.21 or "
	 "older that was cut off lacks its tick frequency, and most of its "
	 "stacks: its times are then in ticks, which is said too. "
	 "-partial=unfinished also reports what can be read of the generation "
	 "that a trace of Go 1.22 or later ends in."},
	{"frequency", "HZ", FLAG_COUNT, GROUP_INPUT, 0, REPORTS_ALL,
	 AT(frequency), "with -partial: ticks per second, if they are cut off",
	 "Times are then in nanoseconds. On x86-64 a trace has a 64th of the "
	 "ticks of the processor's time stamp counter; on arm64 it has "
	 "62500000 a second."},
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
