/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - the help, from the table of flags. */
#include "tools/help.h"

#include <string.h>

#include "tools/settings.h"

#define WIDTH      79
#define SPELL_SIZE 64

const char help_subject[] = "Says what stalls a Go program, from its execution "
			    "trace (Go 1.5 to 1.27).";
const char help_files[] = "Without a report or verdict flag, gtrace prints a "
			  "summary of each trace. The file - is standard "
			  "input. Flags come before the files, as -x, --x, "
			  "-x=value or -x value. A TIME is written as a "
			  "duration in Go, such as 1.5s or 300ms, and a number "
			  "as in Go's flags: 0x10 is 16, and 010 is 8.";

const char *const help_exits[] = {
	"no error",
	"a trace cannot be read, a report cannot be written, or its N is "
	"negative",
	"the command line is wrong",
	"a slice, a stop, a wait or a block is longer than -max-slice, "
	"-max-stop, -max-wait or -max-block",
	NULL,
};

const struct example help_examples[] = {
	{"-diagreedy=10 -user trace.out",
	 "the ten longest slices, without the runtime's own goroutines"},
	{"-max-stop=1ms *.trace",
	 "for scripts: exit status 3 if a stop is longer"},
	{NULL, NULL},
};

void help_spell(const struct flag *flag, char *to, size_t size)
{
	if (flag->word == NULL)
		snprintf(to, size, "-%s", flag->name);
	else
		snprintf(to, size,
			 flag->kind == FLAG_MODE ? "-%s[=%s]" : "-%s=%s",
			 flag->name, flag->word);
}

/*
 * Prints TEXT word by word in lines of WIDTH, each of which begins with INDENT
 * spaces; *COLUMN is the current column of the line, and is updated.
 */
static void print_words(FILE *to, const char *text, size_t indent,
			size_t *column)
{
	while (*text != '\0') {
		size_t size = strcspn(text, " ");

		if (*column > indent && *column + 1 + size > WIDTH) {
			fputc('\n', to);
			*column = 0;
		}
		if (*column < indent) {
			fprintf(to, "%*s", (int)(indent - *column), "");
			*column = indent;
		} else if (*column > indent) {
			fputc(' ', to);
			(*column)++;
		}
		fwrite(text, 1, size, to);
		*column += size;
		text += size + (text[size] == ' ');
	}
}

static void print_paragraph(FILE *to, const char *text, size_t indent)
{
	size_t column = 0;

	print_words(to, text, indent, &column);
	fputc('\n', to);
}

void help_flag(FILE *to, const struct flag *flag)
{
	char spelled[SPELL_SIZE];

	help_spell(flag, spelled, sizeof(spelled));
	fprintf(to, "  %-18s  %s\n", spelled, flag->brief);
}

/* Prints all flags of GROUP into lines that begin with its name. */
static void print_group(FILE *to, unsigned group)
{
	const struct flag *flag;
	size_t column = 0, indent = 10;
	char spelled[SPELL_SIZE];

	column = (size_t)fprintf(to, "%s:", settings_groups[group]);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->group == group) {
			help_spell(flag, spelled, sizeof(spelled));
			print_words(to, spelled, indent, &column);
		}
	fputc('\n', to);
}

static void print_usage(FILE *to)
{
	fputs("Usage: gtrace [flags] trace.out...\n", to);
	print_paragraph(to, help_subject, 0);
}

void help_short(FILE *to)
{
	const struct flag *flag;
	unsigned group;

	print_usage(to);
	fprintf(to, "%s (without such a flag: a summary):\n",
		settings_groups[GROUP_REPORTS]);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->group == GROUP_REPORTS)
			help_flag(to, flag);
	for (group = GROUP_REPORTS + 1; group < GROUP_COUNT; group++)
		print_group(to, group);
	fputs("gtrace -help describes each flag and has examples.\n", to);
}

void help_long(FILE *to)
{
	const struct example *example;
	const struct flag *flag;
	unsigned group;
	size_t i;

	print_usage(to);
	print_paragraph(to, help_files, 0);
	for (group = 0; group < GROUP_COUNT; group++) {
		fprintf(to, "\n%s:\n", settings_groups[group]);
		for (flag = settings_flags; flag->name != NULL; flag++) {
			if (flag->group != group)
				continue;
			help_flag(to, flag);
			if (flag->help != NULL)
				print_paragraph(to, flag->help, 8);
		}
	}
	fputs("\nExit status:\n", to);
	for (i = 0; help_exits[i] != NULL; i++)
		fprintf(to, "  %zu  %s\n", i, help_exits[i]);
	fputs("\nExamples:\n", to);
	for (example = help_examples; example->command != NULL; example++)
		fprintf(to, "  gtrace %s\n        %s\n", example->command,
			example->purpose);
}
