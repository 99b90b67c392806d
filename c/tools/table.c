/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.c - the one table of flags. The parser, the help, the man page and the
 * completions are made from it, and so are the errors for flags that do not go
 * together.
 */
#include "tools/settings.h"

const char *const settings_groups[GROUP_COUNT] = {
	[GROUP_REPORTS] = "Reports", [GROUP_VERDICT] = "Verdict",
	[GROUP_FILTERS] = "Filters", [GROUP_REQUESTS] = "Requests",
	[GROUP_TRACES] = "Traces",   [GROUP_TABLES] = "Tables",
	[GROUP_OUTPUT] = "Output",   [GROUP_INPUT] = "Input",
	[GROUP_OTHER] = "Other",     [GROUP_ABOUT] = "About",
};

struct settings settings = {
	.request.size = sizeof(settings.request),
	.options.size = sizeof(settings.options),
	.filter.size = sizeof(settings.filter),
};

const struct flag settings_flags[] = {
	{"diagreedy", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_GREEDY,
	 REPORTS_LISTS, &settings.request.n,
	 "the N longest slices: which goroutine kept a processor",
	 "A slice is a stretch of time over which one goroutine keeps one "
	 "processor. Each is printed with its length and the stacks where it "
	 "began and ended. Takes about a kilobyte of memory a slice. "
	 "N = 0 is the same as no flag, here and below."},
	{"stw", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_STOPS, REPORTS_LISTS,
	 &settings.request.stops,
	 "the N longest stop-the-world pauses: what held them up",
	 "A table of all pauses by kind, and those that took longest to begin, "
	 "each with the goroutine that requested it and the processors that "
	 "were given up late."},
	{"wait", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_WAITS, REPORTS_LISTS,
	 &settings.request.waits,
	 "the N longest waits for a processor: behind whom",
	 "A goroutine waits from the event that makes it ready to the one with "
	 "which it runs. A table of all waits by that event, and the longest, "
	 "each with its time while all processors were busy, one was idle, or "
	 "the world was stopped, and the slices that it waited behind. -g and "
	 "-func select the goroutines that wait, -p the processors on which "
	 "they run then, and -min the length of the wait."},
	{"delay", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_DELAYS, REPORTS_LISTS,
	 &settings.request.delays, "the N slices that made others wait longest",
	 "While goroutines wait and all processors are busy, each processor "
	 "has an equal part in the waiting. The delay of a slice is the part "
	 "of its processor during the slice. Filters select slices, as with "
	 "-diagreedy."},
	{"block", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_BLOCKS, REPORTS_LISTS,
	 &settings.request.blocks,
	 "the N places where goroutines were blocked longest",
	 "A goroutine is blocked while it waits for a lock, a channel, the "
	 "network and the like, and in a system call. A table by kind, and the "
	 "places with the greatest sums, each with the stacks of the events "
	 "that ended the blocks, such as unlocks. Places where goroutines "
	 "mostly wait for work are added up at the end: receives, selects, "
	 "conditions, network, sleeps. -g and -user select the goroutines that "
	 "are blocked, -func their functions or the place, and -from, -to and "
	 "-min the time and the length of a block. There is no -p."},
	{"goroutines", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_GOROUTINES,
	 REPORTS_LISTS, &settings.request.goroutines,
	 "goroutines by function: where their time went",
	 "By the function that goroutines start with: how many there were, how "
	 "long they lived, ran, were ready, were blocked, in system calls, and "
	 "assisted the collector; and the longest block and the longest wait "
	 "for a processor. The N functions whose goroutines lived longest; "
	 "with -format=json all. -g prints goroutines one by one."},
	{"requests", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_REQUESTS,
	 REPORTS_LISTS, &settings.request.requests,
	 "requests, tasks and regions: where their time went",
	 "A request is what a goroutine does between two waits at the place "
	 "that its loop comes back to. By the function that the goroutines "
	 "start with, by task and by region: how many, how long, and how long "
	 "goroutines ran, were ready and were blocked meanwhile; and the N "
	 "longest."},
	{"critical-path", "N", FLAG_COUNT, GROUP_REPORTS, REPORT_PATHS,
	 REPORTS_LISTS, &settings.request.paths,
	 "what slow requests waited for, one thing after the other",
	 "Where a goroutine is blocked, the path goes on with the one that "
	 "ended the block, and so on, down to what ran, was ready, in a system "
	 "call, or waited for no goroutine. Of the N kinds of requests with "
	 "the greatest sum, see -requests: what the slow ones spent more time "
	 "on than typical ones, and the paths of the N longest. With -g, the "
	 "paths of these goroutines, from -from to -to."},
	{"gctrace", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_COLLECTIONS,
	 REPORTS_LISTS, &settings.request.collections,
	 "garbage collections, as GODEBUG=gctrace=1 prints them",
	 "The lines are those that Go 1.6 to 1.17 print. After them come the "
	 "collections that the program waited for longest, and the functions "
	 "and goroutines that were held longest by mark assists. Of the "
	 "filters, only -from and -to select collections."},
	{"schedtrace", "TIME", FLAG_DURATION, GROUP_REPORTS, REPORT_SCHED,
	 REPORTS_LISTS, &settings.request.sched,
	 "the scheduler every TIME: GODEBUG's 100 is 100ms here",
	 "A line each, with what GODEBUG prints, and means over the interval: "
	 "at most 50,000, and one for each 8 bytes of the trace. Of the "
	 "filters, only -from and -to select lines."},
	{"dump", NULL, FLAG_SWITCH, GROUP_OUTPUT, REPORT_DUMP, REPORTS_LISTS,
	 &settings.dump, "every event",
	 "The events of several traces are printed one trace after the other, "
	 "each under its name."},

	{"pprof", "greedy|stw|wait|delay|block|unblock|assist|cpu|path",
	 FLAG_CHOICE, GROUP_REPORTS, REPORT_PROFILE, REPORT_PROFILE,
	 &settings.profile, "profiles",
	 "A profile of one trace, to a file or a pipe. greedy: the number of "
	 "slices and their total length, by the stack where they end. stw: the "
	 "number of stop-the-world pauses and the total time from the "
	 "request until the last processor was given up, by the stack of the "
	 "goroutine that kept it; the time in which none did is that of (no "
	 "goroutine). wait: the "
	 "number of waits for a processor and their total length, by the stack "
	 "of the event that made the goroutine ready, without those that began "
	 "before the trace or are not over at its end. delay: the number of "
	 "slices that made others wait while all processors were busy, and "
	 "their delay, by the stack where they end. block: the number and the "
	 "length of blocks by the stack where goroutines were blocked, see "
	 "-block; unblock: by the stack of the event that ended each. assist: "
	 "the number of mark assists and the time for which these held their "
	 "goroutines, by the stack where each began, see -gctrace. cpu: the "
	 "number of slices and the time that their threads were on a CPU, "
	 "which takes -sched. path: the time of the critical paths of all "
	 "requests, see -critical-path, by kind, by the stacks at which "
	 "goroutines of the chain were blocked, and below them that of the "
	 "one that held them up."},
	{"compare", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_COMPARISON,
	 REPORT_COMPARISON | REPORT_PAGE | REPORT_VERDICT, &settings.compare,
	 "two traces, old and new: what grew and what shrank",
	 "The number and the lengths of slices, of waits for a processor and "
	 "of stop-the-world pauses in each trace, and by function the time of "
	 "the slices that end in it and their delay, and that for which "
	 "goroutines were blocked, the largest change first."},
	{"timeline", NULL, FLAG_SWITCH, GROUP_REPORTS, REPORT_TIMELINE,
	 REPORT_TIMELINE, &settings.timeline,
	 "slices, pauses and collections for ui.perfetto.dev",
	 "One trace in Chrome's trace event format (JSON), with one track for "
	 "each processor, for goroutines that were blocked longest, and for "
	 "what the slowest requests waited for, with arrows along that; and "
	 "counters of the heap, its goal and ready goroutines. -from and -to "
	 "select a part of it."},

	{"html", "FILE", FLAG_FILE, GROUP_REPORTS, REPORT_PAGE,
	 REPORT_PAGE | REPORT_COMPARISON, &settings.page,
	 "an HTML page: pictures, slices, pauses",
	 "One trace, or with -compare two, in one HTML file of at most 2 MB "
	 "that loads no other file. If FILE is - the page goes to standard "
	 "output. A file that exists is "
	 "overwritten only if it is empty or an HTML page."},
	{"tables", "DIR", FLAG_FILE, GROUP_TABLES, REPORT_TABLES, REPORT_TABLES,
	 &settings.tables,
	 "all of each trace as tables, for engines that read Parquet",
	 "Each trace has a file in each table, DIR/TABLE/HASH.parquet, with "
	 "the "
	 "SHA-256 of the trace. A file is there whole or not at all, and is "
	 "not written again: DIR can get traces from many runs and hosts. "
	 "Prints nothing. c/tables/README.md describes the tables."},
	{"label", "NAME=VALUE", FLAG_LABELS, GROUP_TABLES, 0, REPORT_TABLES,
	 &settings.labels, "one more column of all tables, as for a host",
	 "Can be given several times. The files are then in DIR/TABLE/"
	 "NAME=VALUE/, where engines find the column: as partitions of Hive."},
	{"tables-format", "parquet|csv", FLAG_CHOICE, GROUP_TABLES, 0,
	 REPORT_TABLES, &settings.tables_format,
	 "how tables are written, parquet unless given", NULL},
	{"rows", "N", FLAG_COUNT, GROUP_OUTPUT, 0,
	 REPORT_PAGE | REPORT_SUMMARY | REPORTS_LISTS | REPORT_PROFILE |
		 REPORT_FOLLOW,
	 &settings.request.rows,
	 "rows: -html, -gctrace (10 if not given), JSON summary",
	 "With -critical-path and -pprof=path, how many transitions of "
	 "goroutines are kept at once, 4194304 if it is not given: what a "
	 "request needs that is older is dropped, and unknown."},
	{"root", "REGEXP", FLAG_TEXT, GROUP_REQUESTS, 0,
	 REPORT_REQUESTS | REPORT_PATHS | REPORT_PROFILE,
	 &settings.request.root,
	 "only requests of functions, tasks, regions that match", NULL},
	{"at", "REGEXP", FLAG_TEXT, GROUP_REQUESTS, 0,
	 REPORT_REQUESTS | REPORT_PATHS | REPORT_PROFILE, &settings.request.at,
	 "requests are between waits in functions that match", NULL},

	{"cut", "FROM,TO", FLAG_TEXT, GROUP_TRACES, REPORT_EDIT, REPORT_EDIT,
	 &settings.cut, "with -o: a trace of what was between two times",
	 "The parts of the trace, of about a second each, that have something "
	 "of that time are copied as they are; other programs read them, too. "
	 "Times are those of the reports of the trace; -2s is two seconds "
	 "before the end, and no time is the begin or the end. "
	 "-cut=around:TIME "
	 "takes a second before that time and one after it. Prints what the "
	 "new trace covers: its own times begin anew. What lies within is the "
	 "same in both; what began before, such as a slice, a wait or a "
	 "region, "
	 "has no begin. A trace of Go 1.21 or older has no such parts."},
	{"join", NULL, FLAG_SWITCH, GROUP_TRACES, REPORT_EDIT, REPORT_EDIT,
	 &settings.join, "with -o: one trace of several of one process",
	 "Such as the dumps of a flight recorder, in any order. Parts that "
	 "several have are taken once. Traces of several processes are "
	 "refused, and those between which a part is missing. With -cut, times "
	 "are those of the joined trace."},
	{"anonymise", NULL, FLAG_SWITCH, GROUP_TRACES, REPORT_EDIT, REPORT_EDIT,
	 &settings.anonymise,
	 "with -o: a trace without names that tell something",
	 "Functions and files outside of the standard library, log messages "
	 "and "
	 "their categories, tasks, regions, labels and types get names of the "
	 "same length, and times of day are 0. All reports show the same "
	 "picture. It does not hide when things happened, the shapes of "
	 "stacks, "
	 "numbers of lines, addresses, lengths of names, and which functions "
	 "of "
	 "the standard library a program uses."},
	{"salt", "TEXT", FLAG_TEXT, GROUP_TRACES, 0, REPORT_EDIT,
	 &settings.salt,
	 "with -anonymise: the same new names in several traces",
	 "Traces with the same TEXT have the same names for the same things. "
	 "Who knows it can find out a name by trying. Without it, names are "
	 "others each time."},
	{"no-join", NULL, FLAG_SWITCH, GROUP_TRACES, 0,
	 REPORTS_ALL & ~REPORT_EDIT, &settings.no_join,
	 "count what several traces have in common for each",
	 "Without this flag, traces that overlap, such as dumps of one flight "
	 "recorder, are reported on as one, and standard error says it: else "
	 "reports of all would count the same seconds several times. A report "
	 "calls them after the first one; times are those of the joined "
	 "trace."},
	{"o", "FILE", FLAG_FILE, GROUP_TRACES, 0, REPORTS_ALL, &settings.output,
	 "the file of the new trace; - is standard output",
	 "It has another name until it is whole. A trace that is read is never "
	 "overwritten, nor a file that is no trace. Without -cut and -join, "
	 "the file that a trace is recorded to, see -seconds, which must not "
	 "exist; without -o it is named after the host and the time."},

	{"max-slice", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT | REPORT_COMPARISON | REPORT_FOLLOW,
	 &settings.max_slice, "a line for each longer slice, and exit status 3",
	 "The time for which the thread certainly had no CPU does not count: "
	 "off_cpu_min of -format=json, for which the trace needs a CPU profile "
	 "from the same run; or with -sched the time for which it was "
	 "preempted. What is likely or open counts, and the line says it."},
	{"max-stop", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT | REPORT_COMPARISON | REPORT_FOLLOW, &settings.max_stop,
	 "a line for each longer stop-the-world pause, and exit status 3",
	 "The length of a pause is the time that it waited for processors "
	 "and the time from then to the restart. For an inferred one (Go 1.20 "
	 "and older) it is the least that it can be."},
	{"max-wait", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT | REPORT_COMPARISON | REPORT_FOLLOW, &settings.max_wait,
	 "a line for each longer wait for a processor, and exit status 3",
	 "The longest wait first, with the slice that it was behind longest. "
	 "Takes about a kilobyte of memory a line."},
	{"max-block", "TIME", FLAG_DURATION, GROUP_VERDICT, REPORT_VERDICT,
	 REPORT_VERDICT | REPORT_COMPARISON | REPORT_FOLLOW,
	 &settings.max_block,
	 "a line for each longer block at a lock, and exit status 3",
	 "In the order in which they end, with the goroutine that ended them, "
	 "and who held the lock longest, if another one did. Blocks of other "
	 "kinds are in no verdict. If nothing "
	 "is longer than these flags allow, nothing is printed and the exit "
	 "status is 0. If a trace cannot be read the exit status is 1."},
	{"follow", NULL, FLAG_SWITCH, GROUP_VERDICT, REPORT_FOLLOW,
	 REPORT_FOLLOW | REPORT_VERDICT, &settings.follow,
	 "while a trace comes: a line each second, or for each violation",
	 "For a trace of Go 1.22 or later that comes through a pipe, or of a "
	 "URL, for 600 seconds or -seconds=N. A line of "
	 "totals for each of its generations, about a second, and its finding; "
	 "on a terminal a table that is drawn again, with the worst finding "
	 "of the last ten seconds and of all, until q or Ctrl-C; with "
	 "-format=json an object; at the end the summary of all. With limits, "
	 "such as -max-slice=20ms, a line for each violation, the longest "
	 "first, at most 10 a generation, or -rows=N. A line appears when its "
	 "generation is complete: up to Go 1.25 that is when the next one "
	 "begins. What is known of times without a CPU is not: it needs the "
	 "whole trace."},
	{"noise", "N%", FLAG_PERCENT, GROUP_OTHER, 0,
	 REPORT_COMPARISON | REPORT_VERDICT, &settings.noise,
	 "with -compare: a line for what is worse by more, and status 3",
	 "Worse are findings of the new trace, in a second of it, that are 1 % "
	 "of the total time or more; 99th percentiles of slices, waits and "
	 "pauses, if each trace has 100; and the longest slice, pause, wait or "
	 "block, if it exceeds its limit -max-slice, -max-stop, -max-wait or "
	 "-max-block. N of 20 is 20 %."},

	{"g", "ID,...", FLAG_IDS, GROUP_FILTERS, 0,
	 REPORTS_FILTERED | REPORT_GOROUTINES | REPORT_PATHS | REPORT_FOLLOW,
	 &settings.g, "only these goroutines",
	 "Reports print the number of a goroutine as G, and as g in JSON. The "
	 "reports cover what passes all filters. A stop-the-world pause passes "
	 "if the goroutine that requested it passes, or one that held it up."},
	{"p", "N,...", FLAG_IDS, GROUP_FILTERS, 0,
	 (REPORTS_FILTERED & ~REPORT_BLOCKS) | REPORT_FOLLOW, &settings.p,
	 "only these processors", NULL},
	{"func", "REGEXP", FLAG_TEXT, GROUP_FILTERS, 0,
	 REPORTS_FILTERED | REPORT_FOLLOW, &settings.filter.function,
	 "only where a function in a stack matches",
	 "A POSIX extended regular expression. It is compared with each "
	 "function in the stacks, and with the goroutine's first function."},
	{"from", "TIME", FLAG_MOMENT, GROUP_FILTERS, 0, REPORTS_CUT,
	 &settings.from,
	 "only what ends at this time since the first event, or later",
	 "-200ms is that long before the end of the trace, and 15:04:05.123 a "
	 "time of day in UTC, which the summary shows: in traces of Go 1.25 "
	 "and later."},
	{"to", "TIME", FLAG_MOMENT, GROUP_FILTERS, 0, REPORTS_CUT, &settings.to,
	 "only what begins before this time, likewise", NULL},
	{"min", "TIME", FLAG_DURATION, GROUP_FILTERS, 0,
	 REPORTS_FILTERED & ~(REPORT_DUMP | REPORT_VERDICT),
	 &settings.filter.min,
	 "only slices, pauses, waits, blocks of this length or more", NULL},
	{"requests-over", "TIME", FLAG_DURATION, GROUP_REQUESTS, 0,
	 REPORTS_FILTERED | REPORT_REQUESTS | REPORT_PATHS,
	 &settings.filter.requests_over,
	 "only inside requests that took longer",
	 "Of -requests and -critical-path, only the requests, tasks and "
	 "regions that took longer; of all else, what their goroutines did "
	 "meanwhile."},
	{"user", NULL, FLAG_SWITCH, GROUP_FILTERS, 0,
	 REPORTS_FILTERED | REPORT_FOLLOW, &settings.filter.user,
	 "without goroutines of the runtime and the tracer", NULL},

	{"format", "text|json|csv|short|github|junit", FLAG_CHOICE,
	 GROUP_OUTPUT, 0,
	 REPORTS_LISTS | REPORT_SUMMARY | REPORT_COMPARISON | REPORT_VERDICT |
		 REPORT_FOLLOW,
	 &settings.format, "how a report is printed",
	 "json prints one object a line, csv a table with a header; times are "
	 "in nanoseconds. csv allows one report at a time, and not -compare. "
	 "short is text with rounded times and without addresses; text has all "
	 "digits, the events and the addresses. Without this flag -diagreedy "
	 "and -dump are text, all other lists are short. For limits and "
	 "-noise: github prints annotations for GitHub Actions, at the line of "
	 "the program if its file is in GITHUB_WORKSPACE; junit prints a "
	 "report, with a case for each limit and trace."},
	{"max-output", "N", FLAG_SIZE, GROUP_OUTPUT, 0,
	 REPORTS_LISTS | REPORT_SUMMARY | REPORT_COMPARISON,
	 &settings.max_output,
	 "with -format=json: at most N bytes, such as 8kB",
	 "Rows that have place are whole; of one that is too long, arrays have "
	 "only their first elements, and the member left_out says how many are "
	 "missing. A last line says how many rows are. Rows also get next, the "
	 "flags of a report on what their goroutine waited for meanwhile."},
	{"quiet", NULL, FLAG_SWITCH, GROUP_OTHER, 0, REPORTS_ALL,
	 &settings.quiet, "print no progress line on the terminal",
	 "Without this flag a progress line is shown after one second, if "
	 "standard error is a terminal."},

	{"files-from", "FILE", FLAG_FILE, GROUP_INPUT, 0, REPORTS_ALL,
	 &settings.files_from, "also the traces that FILE names, one a line",
	 "If FILE is - the names are read from standard input."},
	{"seconds", "N", FLAG_COUNT, GROUP_OTHER, 0, REPORTS_ALL,
	 &settings.seconds, "of a program at a URL, record N seconds (5)",
	 "A file that is http://HOST:PORT or HOST:PORT is a program that "
	 "serves "
	 "net/http/pprof: curl records a trace from it, or the program that "
	 "GTRACE_FETCH names, which is called as curl -fsSN URL. Without a "
	 "path, that of the trace is meant. Ctrl-C ends the recording early."},
	{"j", "N", FLAG_COUNT, GROUP_INPUT, 0, REPORTS_ALL, &settings.threads,
	 "read N traces at a time",
	 "Without this flag two, if there are at least two processors. One "
	 "trace alone is read on two processors too, but with -j=1."},
	{"partial", "unfinished", FLAG_SWITCH, GROUP_INPUT, 0, REPORTS_ALL,
	 &settings.options.partial,
	 "of a damaged trace, report what comes before the damage",
	 "Standard error names the fault and what was left out. A trace of Go "
	 "1.21 or older that was cut off lacks its tick frequency and most of "
	 "its stacks; times are then in ticks. -partial=unfinished also "
	 "reports what can be read of the generation that a trace of Go 1.22 "
	 "or later ends in."},
	{"frequency", "HZ", FLAG_COUNT, GROUP_INPUT, 0, REPORTS_ALL,
	 &settings.frequency,
	 "with -partial: ticks per second, if the trace lacks them",
	 "Times are then in nanoseconds. On x86-64 the frequency is that of "
	 "the processor's time stamp counter divided by 64; on arm64 it is "
	 "62500000."},
	{"sched", "FILE", FLAG_FILE, GROUP_INPUT, 0, REPORTS_WITH_CPU,
	 &settings.options.sched,
	 "the kernel's record: when threads of slices had a CPU",
	 "For one trace of Go 1.22 or later: what perf script --ns or "
	 "trace-cmd report -t prints of the event sched_switch, recorded with "
	 "CLOCK_MONOTONIC while the trace was. Slices then have the time for "
	 "which their thread was on a CPU: in the summary, -diagreedy, "
	 "-delay, -stw, -pprof, -timeline, -html and verdicts. Other reports "
	 "do not have the times of single slices."},
	{"threads", "FILE", FLAG_FILE, GROUP_OTHER, 0, REPORT_SUMMARY,
	 &settings.options.threads,
	 "the kernel's accounts of threads, before and after",
	 "For one trace: lines of `before` or `after`, the number of a thread "
	 "and what its /proc/PID/task/THREAD/schedstat has. How long threads "
	 "were on a CPU and waited for one bounds what the machine took."},

	{"by", "length|cpu", FLAG_CHOICE, GROUP_OTHER, 0, REPORT_GREEDY,
	 &settings.by, "with -sched: rank slices by their time on a CPU", NULL},
	{"binary", "FILE", FLAG_FILE, GROUP_OTHER, 0, REPORTS_ALL,
	 &settings.options.binary,
	 "the program that was traced: for Go 1.6 and older",
	 "Traces of Go 1.5 and 1.6 contain no function names. gtrace runs `go "
	 "tool addr2line` to find them, which needs an installed Go. If two "
	 "files are given and the first is an executable, it is the program, "
	 "as with go tool trace."},
	{"h", NULL, FLAG_SWITCH, GROUP_ABOUT, 0, REPORTS_ALL, &settings.help,
	 "a short help", NULL},
	{"help", NULL, FLAG_SWITCH, GROUP_ABOUT, 0, REPORTS_ALL,
	 &settings.all_help, "the full help", NULL},
	{"version", NULL, FLAG_SWITCH, GROUP_ABOUT, 0, REPORTS_ALL,
	 &settings.version, "the version of gtrace", NULL},
	{"print", "man|bash|zsh|skill", FLAG_CHOICE, GROUP_ABOUT, 0,
	 REPORTS_ALL, &settings.print,
	 "the man page, a shell's completion, or a text for agents",
	 "skill: how to go from \"it is slow\" to a cause with these commands, "
	 "what each number means, and what not to conclude."},
	{.name = NULL},
};
