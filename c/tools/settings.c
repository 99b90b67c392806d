/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - reads the command line, and checks that its parts agree. */
#include "tools/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "tools/help.h"

/*
 * Prints what is wrong with the command line, and the line of the help about
 * FLAG, or where the help is if that is NULL. Returns false.
 */
static bool bad_usage(const struct flag *flag, const char *format, ...)
{
	va_list arguments;

	fputs("gtrace: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	if (flag != NULL)
		help_flag(stderr, flag);
	else
		fputs("  gtrace -h lists the flags\n", stderr);
	return false;
}

static bool is_given(const struct settings *settings, uint64_t given,
		     const struct flag *flag)
{
	return (given >> (flag - settings_flags) & 1) != 0 &&
	       !flags_is_zero(flag, settings);
}

/* Finds the reports that are asked for, and flags that do not go with them. */
static bool check_flags(struct settings *settings, uint64_t given)
{
	const struct flag *flag, *report;

	for (report = settings_flags; report->name != NULL; report++)
		if (report->selects != 0 && is_given(settings, given, report))
			settings->reports |= report->selects;
	for (report = settings_flags; report->name != NULL; report++) {
		if (report->selects == 0 || !is_given(settings, given, report))
			continue;
		for (flag = settings_flags; flag->name != NULL; flag++)
			if (is_given(settings, given, flag) &&
			    (flag->goes_with & report->selects) == 0)
				return bad_usage(flag,
						 "-%s does not go with -%s",
						 flag->name, report->name);
	}
	if (settings->reports == 0)
		return bad_usage(NULL, "no report selected: give "
				       "-diagreedy=N, -stw=N or -dump");
	if (settings->format == FORMAT_JSON &&
	    settings->reports != REPORT_STOPS)
		return bad_usage(flags_find(settings_flags, "-format"),
				 "-format=json is for -stw only");
	return true;
}

/* Looks for flags among the COUNT arguments at FILES. */
static bool check_places(int count, char **files)
{
	const struct flag *flag;
	int i;

	for (i = 1; i < count; i++) {
		flag = flags_find(settings_flags, files[i]);
		if (flag != NULL)
			return bad_usage(flag,
					 "%s comes after %s: flags come before "
					 "the files",
					 files[i], files[0]);
	}
	return true;
}

/* Returns whether FILE begins as an executable file does. */
static bool is_executable(const char *name)
{
	static const char *const magic[] = {
		"\177ELF",          /* Linux and most others */
		"\xcf\xfa\xed\xfe", /* macOS, 64 bits */
		"\xce\xfa\xed\xfe", /* 32 bits */
		"MZ",               /* Windows */
	};
	FILE *file = fopen(name, "rb");
	char start[4] = {0};
	size_t i;

	if (file == NULL)
		return false;
	if (fread(start, 1, sizeof(start), file) != sizeof(start))
		start[0] = '\0';
	fclose(file);
	for (i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if (memcmp(start, magic[i], strlen(magic[i])) == 0)
			return true;
	return false;
}

static bool take_files(struct settings *settings, int count, char **files)
{
	if (!check_places(count, files))
		return false;
	if (count == 0)
		return bad_usage(NULL, "no trace file given");
	if (count == 2 && settings->binary == NULL && is_executable(files[0])) {
		settings->binary = files[0];
		files++;
		count--;
	}
	if (count > 1)
		return bad_usage(NULL, "too many files");
	settings->trace = files[0];
	return true;
}

bool settings_read(int argc, char **argv, struct settings *settings)
{
	struct flags_result result;

	*settings = (struct settings){0};
	if (!flags_parse(settings_flags, argc, argv, settings, &result))
		return bad_usage(result.at_fault, "%s", result.message);
	if (settings->help || settings->all_help || settings->version ||
	    settings->print != 0)
		return true;
	return take_files(settings, argc - result.first, argv + result.first) &&
	       check_flags(settings, result.given);
}
