/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - reads the command line, and checks that its parts agree. */
#define _POSIX_C_SOURCE   200809L /* getdelim */
#define _FILE_OFFSET_BITS 64

#include "tools/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/edit.h"
#include "tools/errors.h"
#include "tools/expression.h"
#include "tools/fetch.h"
#include "tools/list.h"
#include "tools/start.h"
#include "tools/store.h"
#include "tools/url.h"

#if HAS_TERMINALS
#include <sys/ioctl.h>
#endif

/* Rows of the tables of collections, unless -rows says how many. */
#define ROWS 10

/* ----------------------------------------------------------------- flags -- */

static bool was_given(const struct flag *flag)
{
	return (settings.given >> (flag - settings_flags) & 1) != 0;
}

static bool is_given(const struct flag *flag)
{
	return was_given(flag) && !flags_is_zero(flag);
}

/* Looks for a flag that does not go with REPORT, which is one. */
static void check_report(const struct flag *report)
{
	const struct flag *flag;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (is_given(flag) && (flag->goes_with & report->selects) == 0)
			help_wrong(EXIT_BAD_USAGE, "-%s does not go with -%s",
				   flag->name, report->name);
}

/* Looks for a flag that does not go with the summary, but with a report. */
static void check_summary(void)
{
	const struct flag *flag, *report = settings_flags;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (is_given(flag) && (flag->goes_with & REPORT_SUMMARY) == 0) {
			while ((flag->goes_with & report->selects) == 0)
				report++;
			help_wrong(EXIT_BAD_USAGE, "-%s needs -%s", flag->name,
				   report->name);
		}
}

/* Whether FLAG must not be 0: it means nothing, not even "no flag". */
static bool needs_more_than_0(const struct flag *flag)
{
	if (flag->kind == FLAG_PERCENT || flag->kind == FLAG_SIZE)
		return true;
	if (flag->kind == FLAG_COUNT)
		return flag->selects == 0 && (!settings.request.collections ||
					      strcmp(flag->name, "rows") != 0);
	return (flag->kind == FLAG_DURATION &&
		flag->selects == REPORT_VERDICT) ||
	       (flag->kind == FLAG_MOMENT && strcmp(flag->name, "to") == 0);
}

/* Finds the reports that are asked for, and flags that do not go with them. */
static void check_flags(void)
{
	const struct flag *flag;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (was_given(flag) && flags_is_zero(flag) &&
		    needs_more_than_0(flag))
			help_wrong(EXIT_BAD_USAGE,
				   "-%s=0: the value must be more than 0",
				   flag->name);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (is_given(flag)) {
			settings.reports |= flag->selects;
			if (flag->group == GROUP_FILTERS ||
			    flag->field == &settings.filter.requests_over)
				settings.request.filter = &settings.filter;
		}
	if (settings.reports == 0) {
		settings.reports = REPORT_SUMMARY;
		check_summary();
	}
	if (settings.request.paths != 0 ||
	    settings.request.report == GTRACE_REPORT_PATH_PROFILE)
		settings.request.kept = settings.request.rows;
	if (settings.request.collections && !was_given(flags_find("-rows")))
		settings.request.rows = ROWS;
	/* Limits are how a trace is followed, and no report of their own. */
	if (settings.follow)
		settings.reports = REPORT_FOLLOW;
	for (flag = settings_flags; flag->name != NULL; flag++)
		if ((flag->selects & settings.reports) != 0 && is_given(flag))
			check_report(flag);
	/* A page is how the comparison is printed, and no report of its own. */
	if (settings.compare)
		settings.reports = REPORT_COMPARISON;
}

/* ---------------------------------------------------------- what follows -- */

/* The width of standard output; 0: it is no terminal. */
static size_t terminal_width(void)
{
#if HAS_TERMINALS
	const size_t usual = 80;
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0
		       ? size.ws_col
		       : usual;
#else
	return isatty(STDOUT_FILENO) ? 80 : 0;
#endif
}

/* Sets what follows from the values of flags. */
static void complete(void)
{
	/* In the order of the words of -pprof. */
	static const int reports[] = {
		GTRACE_REPORT_DUMP,
		GTRACE_REPORT_PROFILE,
		GTRACE_REPORT_STOP_PROFILE,
		GTRACE_REPORT_WAIT_PROFILE,
		GTRACE_REPORT_DELAY_PROFILE,
		GTRACE_REPORT_BLOCK_PROFILE,
		GTRACE_REPORT_UNBLOCK_PROFILE,
		GTRACE_REPORT_ASSIST_PROFILE,
		GTRACE_REPORT_CPU_PROFILE,
		GTRACE_REPORT_PATH_PROFILE,
	};
	struct gtrace_request *request = &settings.request;

	settings.filter.from = settings.from.time;
	settings.filter.from_clock = settings.from.is_clock;
	settings.filter.to = settings.to.time;
	settings.filter.to_clock = settings.to.is_clock;
	settings.filter.g = settings.g.ids;
	settings.filter.g_count = settings.g.count;
	settings.filter.p = settings.p.ids;
	settings.filter.p_count = settings.p.count;
	settings.options.frequency = (int64_t)settings.frequency;
	request->report = settings.page != NULL ? GTRACE_REPORT_PAGE
			  : settings.timeline   ? GTRACE_REPORT_TIMELINE
						: reports[settings.profile];
	if (settings.format != 0 && settings.format < FORMAT_SHORT)
		request->format = settings.format - FORMAT_TEXT;
	request->width = terminal_width();
	request->by_cpu = settings.by == BY_CPU;
	if (settings.page != NULL)
		request->n = request->stops = request->rows;
	if (settings.compare)
		request->blocks = SIZE_MAX;
}

/* Sets how the reports that are asked for are printed. */
static void complete_format(void)
{
	struct gtrace_request *request = &settings.request;

	request->brief = settings.format == FORMAT_SHORT ||
			 (settings.format == 0 &&
			  (settings.reports & REPORTS_SHORT) != 0);
	request->details =
		request->format != GTRACE_FORMAT_TEXT || request->brief;
}

struct gtrace_request settings_request(int report, const char *name)
{
	const struct gtrace_request *all = &settings.request;
	struct gtrace_request request = {.size = sizeof(request),
					 .filter = all->filter,
					 .name = name,
					 .report = report};

	if (report == GTRACE_REPORT_DUMP)
		request.format = all->format;
	if (report == GTRACE_REPORT_PATH_PROFILE) {
		request.root = all->root;
		request.at = all->at;
		request.kept = all->kept;
	}
	if (report == GTRACE_REPORT_PAGE) {
		request.n = all->n;
		request.stops = all->stops;
	}
	if (report != GTRACE_REPORT_LONGEST && report != GTRACE_REPORT_SUMMARY)
		return request;
	request = *all;
	request.name = name;
	request.report = 0;
	if (report == GTRACE_REPORT_LONGEST)
		request.width = 0;
	return request;
}

/* ---------------------------------------------------------------- values -- */

struct rule {
	bool is_broken;
	const char *message;
};

/* Ends with the message of the first of COUNT RULES that is broken, if any. */
static void check_rules(const struct rule *rules, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (rules[i].is_broken)
			help_wrong(EXIT_BAD_USAGE, "%s", rules[i].message);
}

static void check_values(void)
{
	const struct gtrace_request *request = &settings.request;
	bool is_csv = request->format == GTRACE_FORMAT_CSV;
	bool are_several = (settings.reports & (settings.reports - 1)) != 0;
	bool is_of_blocks = request->report == GTRACE_REPORT_BLOCK_PROFILE ||
			    request->report == GTRACE_REPORT_UNBLOCK_PROFILE ||
			    request->report == GTRACE_REPORT_ASSIST_PROFILE ||
			    settings.max_block != 0;
	bool has_rows = settings.page != NULL || request->collections ||
			request->kept != 0 ||
			(settings.follow && settings_limits()) ||
			(settings.reports == REPORT_SUMMARY &&
			 request->format == GTRACE_FORMAT_JSON);
	bool no_record = settings.options.sched == NULL;
	bool is_of_paths = request->report == GTRACE_REPORT_PATH_PROFILE;
	const struct gtrace_filter *filter = &settings.filter;
	bool is_cut = filter->from != 0 || filter->to != 0 ||
		      filter->from_clock || filter->to_clock;
	bool is_of_ci = settings.format >= FORMAT_GITHUB;
	const struct rule rules[] = {
		{settings.follow && !settings_limits() &&
			 request->filter != NULL,
		 "filters go with -follow only if a limit is given, such as "
		 "-max-slice=20ms"},
		{settings.follow && settings.format != 0 &&
			 settings.format != FORMAT_TEXT &&
			 (settings.format != FORMAT_TEXT + GTRACE_FORMAT_JSON ||
			  settings_limits()),
		 "-follow prints text, or without limits -format=json"},
		{is_of_ci && settings.reports != REPORT_VERDICT &&
			 settings.noise == 0,
		 "-format=github and -format=junit are for limits, such as "
		 "-max-stop=1ms, and for -noise"},
		{!is_of_ci && settings.format > FORMAT_TEXT &&
			 settings.reports == REPORT_VERDICT,
		 "limits are told with -format=text, github or junit"},
		{settings.compare && settings_limits() && settings.noise == 0,
		 "limits go with -compare only if -noise is given"},
		{settings.max_output != 0 &&
			 request->format != GTRACE_FORMAT_JSON,
		 "-max-output is for -format=json"},
		{settings.noise != 0 && !settings.compare,
		 "-noise is for -compare"},
		{is_csv && are_several,
		 "-format=csv is for one report at a time"},
		{is_csv && settings.compare, "-format=csv is not for -compare"},
		{settings.frequency != 0 && !settings.options.partial,
		 "-frequency is for -partial only"},
		{filter->p_count != 0 && is_of_blocks,
		 "-p is not for blocks and assists: these are on no processor"},
		{request->rows != 0 && !has_rows,
		 "-rows is for -html, -gctrace, -critical-path, -pprof=path, "
		 "-follow with limits, and for the summary with -format=json"},
		{filter->to != 0 && filter->to <= filter->from &&
			 (filter->to < 0) == (filter->from < 0) &&
			 !settings.from.is_clock && !settings.to.is_clock,
		 "-to is not after -from"},
		{settings.profile && !is_of_paths &&
			 (request->root != NULL || request->at != NULL),
		 "-root and -at are for -pprof only with path"},
		{is_of_paths && (filter->p_count != 0 || filter->min != 0 ||
				 filter->function != NULL || filter->user != 0),
		 "-p, -func, -min and -user are not for -pprof=path"},
		{is_of_paths && settings.g.count == 0 && is_cut,
		 "-from and -to are for -pprof=path only with -g"},
		{filter->requests_over != 0 && settings.g.count != 0 &&
			 (request->paths != 0 || is_of_paths),
		 "-requests-over is for critical paths only without -g"},
		{request->paths != 0 && settings.g.count == 0 && is_cut,
		 "-from and -to are for -critical-path only with -g"},
		{no_record && request->by_cpu, "-by=cpu needs -sched=FILE"},
		{no_record && request->report == GTRACE_REPORT_CPU_PROFILE,
		 "-pprof=cpu needs -sched=FILE"},
	};

	check_rules(rules, sizeof(rules) / sizeof(rules[0]));
	expression_check("func", filter->function);
	expression_check("root", request->root);
	expression_check("at", request->at);
}

/* ----------------------------------------------------------------- files -- */

static _Noreturn void no_memory(void)
{
	fputs("gtrace: out of memory\n", stderr);
	exit(EXIT_BAD_TRACE);
}

/* Returns whether standard input is a file or a pipe. */
static bool is_given_input(void)
{
	struct stat info;

	return fstat(STDIN_FILENO, &info) == 0 &&
	       (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode));
}

/*
 * Ends, as there is no file among the COUNT arguments at ALL. Where a flag took
 * the last one as its value, that may have been meant as the file.
 */
static void miss_file(int count, char **all)
{
	if (count > 2 && strcmp(all[count - 1], "--") != 0 &&
	    flags_find(all[count - 1]) == NULL &&
	    flags_find(all[count - 2]) != NULL)
		help_wrong(EXIT_BAD_USAGE,
			   "no trace file given: %s is the value of %s",
			   all[count - 1], all[count - 2]);
	help_wrong(EXIT_BAD_USAGE, "no trace file given%s",
		   is_given_input() ? ": - is standard input" : "");
}

/*
 * Ends if FILE, the first one, comes after the argument BEFORE, a switch of
 * which it is a value: that was meant.
 */
static void check_place(const char *before, const char *file)
{
	const struct flag *flag = flags_find(before);

	if (flag != NULL && flag->kind == FLAG_SWITCH && flag->word != NULL &&
	    strchr(before, '=') == NULL && strcmp(flag->word, file) == 0)
		help_wrong(EXIT_BAD_USAGE, "%s %s: the value is given as %s=%s",
			   before, file, before, file);
}

static void check_page(const char *page)
{
	if (flags_find(page) != NULL)
		help_wrong(EXIT_BAD_USAGE, "-html needs a value: -html=FILE");
	if (!start_may_be_replaced(page))
		help_wrong(EXIT_BAD_USAGE,
			   "-html=%s: the file exists and is not an HTML page, "
			   "so it is not overwritten",
			   page);
}

/* Returns how many traces are to be recorded. */
static size_t count_recorded(void)
{
	size_t count = 0, i;

	for (i = 0; i < settings.file_count; i++) {
		bool is_recorded = fetch_is_for(settings.files[i]);

		count += is_recorded;
		if (is_recorded && settings.seconds != 0 &&
		    url_has_seconds(settings.files[i]))
			help_wrong(EXIT_BAD_USAGE,
				   "-seconds is given, and %s has its own",
				   settings.files[i]);
	}
	return count;
}

static void check_output(void)
{
	bool are_several = settings.file_count > 1;
	size_t recorded = count_recorded();
	const struct rule rules[] = {
		{settings.seconds != 0 && recorded == 0,
		 "-seconds is for a program at a URL, such as localhost:6060"},
		{settings.output != NULL && recorded != 1 &&
			 settings.reports != REPORT_EDIT,
		 "-o is for -cut, -join, and one program at a URL, such as "
		 "localhost:6060"},
		{settings.follow && are_several, "-follow is for one trace"},
		{settings.noise != 0 && settings.page != NULL,
		 "-noise does not go with -html"},
		{settings.compare && settings.file_count != 2,
		 "-compare takes two traces, the old one and the new one"},
		{settings.options.sched != NULL && are_several,
		 "-sched is for one trace"},
		{settings.options.threads != NULL && are_several,
		 "-threads is for one trace"},
		{settings.timeline && are_several,
		 "-timeline is for one trace"},
		{settings.page != NULL && are_several && !settings.compare,
		 "-html is for one trace, or for two with -compare"},
		{settings.profile && are_several, "-pprof is for one trace"},
		{settings.profile && isatty(STDOUT_FILENO),
		 "-pprof does not write to a terminal: give it a file, as in "
		 "gtrace -pprof=greedy trace.out >slices.pb"},
	};

	if (settings.page != NULL)
		check_page(settings.page);
	check_rules(rules, sizeof(rules) / sizeof(rules[0]));
}

static void add_file(const char *name)
{
	size_t count = settings.file_count + 1;
	const char **files = realloc(settings.files, count * sizeof(*files));

	if (files != NULL)
		files[count - 1] = strdup(name);
	if (files == NULL || files[count - 1] == NULL)
		no_memory();
	settings.files = files;
	settings.file_count = count;
}

/* Standard input can be read once. */
static void check_stdin(void)
{
	size_t uses = 0, i;

	if (settings.files_from != NULL)
		uses = is_stdin(settings.files_from);
	for (i = 0; i < settings.file_count; i++)
		uses += is_stdin(settings.files[i]);
	if (uses > 1)
		help_wrong(EXIT_BAD_USAGE, "- (standard input) is given twice");
}

static void take_files(int count, char **files)
{
	if (count == 2 && settings.options.binary == NULL &&
	    settings.files_from == NULL && !settings.compare &&
	    start_is_program(files[0])) {
		settings.options.binary = files[0];
		files++;
		count--;
	}
	while (count-- > 0)
		add_file(*files++);
	if (settings.files_from != NULL)
		list_read(add_file);
	check_stdin();
	check_output();
	edit_check();
}

void settings_read(int argc, char **argv)
{
	int first = flags_parse(argc, argv), count = argc - first;
	char **files = argv + first;

	complete();
	if (settings.help || settings.all_help || settings.version ||
	    settings.print != 0)
		return;
	if (count > 0)
		check_place(files[-1], *files);
	else if (settings.files_from == NULL)
		miss_file(argc, argv);
	check_flags();
	complete_format();
	check_values();
	take_files(count, files);
	if (settings.tables != NULL)
		store_check();
}
