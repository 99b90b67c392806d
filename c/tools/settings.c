/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - reads the command line, and checks that its parts agree. */
#define _POSIX_C_SOURCE   200809L /* getdelim */
#define _FILE_OFFSET_BITS 64

#include "tools/settings.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/start.h"

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
static bool check_report(const struct flag *report)
{
	const struct flag *flag;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (is_given(flag) && (flag->goes_with & report->selects) == 0)
			return help_wrong("-%s does not go with -%s",
					  flag->name, report->name);
	return true;
}

/* Whether FLAG must not be 0: it means nothing, not even "no flag". */
static bool needs_more_than_0(const struct flag *flag)
{
	if (flag->kind == FLAG_COUNT)
		return flag->selects == 0 && (!settings.request.collections ||
					      strcmp(flag->name, "rows") != 0);
	return flag->kind == FLAG_DURATION &&
	       (flag->selects == REPORT_VERDICT ||
		strcmp(flag->name, "to") == 0);
}

static bool check_zeros(void)
{
	const struct flag *flag;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (was_given(flag) && flags_is_zero(flag) &&
		    needs_more_than_0(flag))
			return help_wrong(
				"-%s=0: the value must be more than 0",
				flag->name);
	return true;
}

/* Finds the reports that are asked for, and flags that do not go with them. */
static bool check_flags(void)
{
	const struct flag *flag;

	for (flag = settings_flags; flag->name != NULL; flag++)
		if (is_given(flag)) {
			settings.reports |= flag->selects;
			if (flag->group == GROUP_FILTERS)
				settings.request.filter = &settings.filter;
		}
	if (settings.reports == 0)
		settings.reports = REPORT_SUMMARY;
	if (settings.request.collections && !was_given(flags_find("-rows")))
		settings.request.rows = ROWS;
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->selects != 0 && is_given(flag) && !check_report(flag))
			return false;
	/* A page is how the comparison is printed, and no report of its own. */
	if (settings.compare)
		settings.reports = REPORT_COMPARISON;
	return true;
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
	return 0;
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
	};
	struct gtrace_request *request = &settings.request;

	settings.filter.g = settings.g.ids;
	settings.filter.g_count = settings.g.count;
	settings.filter.p = settings.p.ids;
	settings.filter.p_count = settings.p.count;
	settings.options.frequency = (int64_t)settings.frequency;
	request->report = settings.page != NULL ? GTRACE_REPORT_PAGE
			  : settings.timeline   ? GTRACE_REPORT_TIMELINE
						: reports[settings.profile];
	request->brief = settings.format == FORMAT_SHORT;
	if (settings.format != 0 && !request->brief)
		request->format = settings.format - FORMAT_TEXT;
	request->details =
		request->format != GTRACE_FORMAT_TEXT || request->brief;
	request->width = terminal_width();
	request->by_cpu = settings.by == BY_CPU;
	if (settings.page != NULL)
		request->n = request->stops = request->rows;
	if (settings.compare)
		request->blocks = SIZE_MAX;
}

/* ---------------------------------------------------------------- values -- */

static bool check_function(const char *function)
{
	char message[128];
	regex_t compiled;
	int code;

	if (function == NULL)
		return true;
	code = regcomp(&compiled, function, REG_EXTENDED | REG_NOSUB);
	if (code == 0) {
		regfree(&compiled);
		return true;
	}
	regerror(code, &compiled, message, sizeof(message));
	return help_wrong("-func=%s: %s", function, message);
}

struct rule {
	bool is_broken;
	const char *message;
};

/* Prints the message of the first of COUNT RULES that is broken. */
static bool check_rules(const struct rule *rules, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (rules[i].is_broken)
			return help_wrong("%s", rules[i].message);
	return true;
}

static bool check_values(void)
{
	const struct gtrace_request *request = &settings.request;
	bool is_csv = request->format == GTRACE_FORMAT_CSV;
	bool are_several = (settings.reports & (settings.reports - 1)) != 0;
	bool is_of_blocks = request->report == GTRACE_REPORT_BLOCK_PROFILE ||
			    request->report == GTRACE_REPORT_UNBLOCK_PROFILE ||
			    request->report == GTRACE_REPORT_ASSIST_PROFILE ||
			    settings.max_block != 0;
	bool has_rows = settings.page != NULL || request->collections ||
			(settings.reports == REPORT_SUMMARY &&
			 request->format == GTRACE_FORMAT_JSON);
	bool no_record = settings.options.sched == NULL;
	const struct rule rules[] = {
		{is_csv && are_several,
		 "-format=csv is for one report at a time"},
		{is_csv && settings.compare, "-format=csv is not for -compare"},
		{settings.frequency != 0 && !settings.options.partial,
		 "-frequency is for -partial only"},
		{settings.filter.p_count != 0 && is_of_blocks,
		 "-p is not for blocks and assists: these are on no processor"},
		{request->rows != 0 && !has_rows,
		 "-rows is for -html, -gctrace, and for the summary with "
		 "-format=json"},
		{settings.filter.to != 0 &&
			 settings.filter.to <= settings.filter.from,
		 "-to is not after -from"},
		{no_record && request->by_cpu, "-by=cpu needs -sched=FILE"},
		{no_record && request->report == GTRACE_REPORT_CPU_PROFILE,
		 "-pprof=cpu needs -sched=FILE"},
	};

	return check_rules(rules, sizeof(rules) / sizeof(rules[0])) &&
	       check_function(settings.filter.function);
}

/* ----------------------------------------------------------------- files -- */

/* Returns whether standard input is a file or a pipe. */
static bool is_given_input(void)
{
	struct stat info;

	return fstat(STDIN_FILENO, &info) == 0 &&
	       (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode));
}

/*
 * Prints that there is no file among the COUNT arguments at ALL. Where a flag
 * took the last one as its value, that may have been meant as the file.
 */
static bool no_file(int count, char **all)
{
	const struct flag *flag = NULL;

	if (count > 2 && strcmp(all[count - 1], "--") != 0 &&
	    flags_find(all[count - 1]) == NULL)
		flag = flags_find(all[count - 2]);
	if (flag == NULL)
		return help_wrong("no trace file given%s",
				  is_given_input() ? ": - is standard input"
						   : "");
	return help_wrong("no trace file given: %s is the value of %s",
			  all[count - 1], all[count - 2]);
}

/*
 * After a flag whose value can be left out, BEFORE, the FILE is no value, but
 * may have been meant as one.
 */
static bool check_mode(const char *before, const char *file)
{
	const struct flag *flag = flags_find(before);

	if (flag == NULL || flag->kind != FLAG_SWITCH || flag->word == NULL ||
	    strchr(before, '=') != NULL || strcmp(flag->word, file) != 0)
		return true;
	return help_wrong("%s %s: the value is given as %s=%s", before, file,
			  before, file);
}

/* Looks for flags among the COUNT arguments at FILES. */
static bool check_places(int count, char **files)
{
	const struct flag *flag;
	int i;

	for (i = 1; i < count; i++) {
		flag = flags_find(files[i]);
		if (flag != NULL)
			return help_wrong(
				"%s comes after %s: flags come before "
				"the files",
				files[i], files[0]);
	}
	return true;
}

static bool check_page(void)
{
	const char *page = settings.page;

	if (page != NULL && flags_find(page) != NULL)
		return help_wrong("-html needs a value: -html=FILE");
	if (page != NULL && !start_may_be_replaced(page))
		return help_wrong(
			"-html=%s: the file exists and is not an HTML "
			"page, so it is not overwritten",
			page);
	return true;
}

static bool check_output(void)
{
	bool are_several = settings.file_count > 1;
	const struct rule rules[] = {
		{settings.compare && settings.file_count != 2,
		 "-compare takes two traces, the old one and the new one"},
		{settings.options.sched != NULL && are_several,
		 "-sched is for one trace"},
		{settings.timeline && are_several,
		 "-timeline is for one trace"},
		{settings.page != NULL && are_several && !settings.compare,
		 "-html is for one trace, or for two with -compare"},
		{settings.profile && are_several, "-pprof is for one trace"},
		{settings.profile && isatty(STDOUT_FILENO),
		 "-pprof does not write to a terminal: give it a file, as in "
		 "gtrace -pprof=greedy trace.out >slices.pb"},
	};

	return check_page() &&
	       check_rules(rules, sizeof(rules) / sizeof(rules[0]));
}

/* Adds a copy of NAME to settings.files. Returns false if there is no memory.
 */
static bool add_file(const char *name)
{
	size_t count = settings.file_count + 1;
	const char **files = realloc(settings.files, count * sizeof(*files));

	if (files == NULL)
		return false;
	settings.files = files;
	files[settings.file_count] = strdup(name);
	return files[settings.file_count++] != NULL;
}

/*
 * Adds the names that are lines of FILE, which can end with CR LF, as in
 * Windows. Returns NULL, or what is wrong.
 */
static const char *add_lines(FILE *file)
{
	const char *wrong = NULL;
	char *line = NULL;
	size_t capacity = 0;
	ssize_t size;

	while (wrong == NULL && (size = getline(&line, &capacity, file)) > 0) {
		/* Such as a trace, or what find -print0 prints. */
		if (strlen(line) < (size_t)size)
			wrong = "it has a zero byte, so it is no list of names";
		if (line[size - 1] == '\n')
			line[--size] = '\0';
		if (size > 0 && line[size - 1] == '\r')
			line[--size] = '\0';
		if (size > 0 && !add_file(line))
			wrong = strerror(errno);
	}
	if (wrong == NULL && !feof(file))
		wrong = strerror(errno);
	free(line);
	return wrong;
}

/* Adds the names in settings.files_from. Returns NULL, or what is wrong. */
static const char *add_list(void)
{
	const char *name = settings.files_from, *wrong;
	FILE *file = is_stdin(name) ? stdin : fopen(name, "r");

	if (file == NULL)
		return strerror(errno);
	wrong = add_lines(file);
	if (file != stdin)
		fclose(file);
	if (wrong == NULL && settings.file_count == 0)
		return "it names no file";
	return wrong;
}

/* Standard input can be read once. */
static bool check_stdin(void)
{
	size_t uses = 0, i;

	if (settings.files_from != NULL)
		uses = is_stdin(settings.files_from);
	for (i = 0; i < settings.file_count; i++)
		uses += is_stdin(settings.files[i]);
	return uses <= 1 || help_wrong("- (standard input) is given twice");
}

static enum exit_code take_files(int count, char **files)
{
	const char *wrong = NULL;

	if (count == 2 && settings.options.binary == NULL &&
	    settings.files_from == NULL && !settings.compare &&
	    start_is_program(files[0])) {
		settings.options.binary = files[0];
		files++;
		count--;
	}
	errno = 0;
	while (count-- > 0 && errno == 0)
		add_file(*files++);
	if (settings.files_from != NULL && errno == 0)
		wrong = add_list();
	if (errno == ENOMEM) {
		fputs("gtrace: out of memory\n", stderr);
		return EXIT_BAD_TRACE;
	}
	if (wrong != NULL)
		help_wrong("-files-from=%s: %s", settings.files_from, wrong);
	return wrong == NULL && check_stdin() && check_output()
		       ? EXIT_GOOD
		       : EXIT_BAD_USAGE;
}

/* Takes the files, from FIRST on, and checks that all of it goes together. */
static enum exit_code check(int argc, char **argv, int first)
{
	int count = argc - first;
	char **files = argv + first;

	if (settings.help || settings.all_help || settings.version ||
	    settings.print != 0)
		return EXIT_GOOD;
	if ((count == 0 && settings.files_from == NULL &&
	     !no_file(argc, argv)) ||
	    (count > 0 && !check_mode(files[-1], files[0])) ||
	    !check_places(count, files) || !check_zeros() || !check_flags() ||
	    !check_values())
		return EXIT_BAD_USAGE;
	return take_files(count, files);
}

enum exit_code settings_read(int argc, char **argv)
{
	enum exit_code code;
	int first;

	code = flags_parse(argc, argv, &first);
	if (code != EXIT_GOOD)
		return code;
	complete();
	return check(argc, argv, first);
}

void settings_free(void)
{
	free(settings.g.ids);
	free(settings.p.ids);
	while (settings.file_count > 0)
		free((void *)settings.files[--settings.file_count]);
	free(settings.files);
}
