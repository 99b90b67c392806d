/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - the help, man page and shell completions, from the flags. */
#include "tools/settings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plain.h"

#define WIDTH     79
#define MAN_WIDTH 70

/* Sentences that the help and the man page share. */
static const char subject[] =
	"Says what stalls a Go program, from its execution "
	"trace (Go 1.5 to 1.27).";
static const char about_files[] =
	"Without a report or verdict flag, gtrace prints a "
	"summary of each trace. The file - is standard "
	"input, and http://HOST:PORT or HOST:PORT is a program to "
	"record, see -seconds. A file can be compressed with gzip or "
	"zstd. Flags are written as -x, --x, -x=value or -x "
	"value, before or after the files; -- ends them. An N that "
	"is left out is 10. A TIME is written as a "
	"duration in Go, such as 1.5s or 300ms, and a number "
	"as in Go's flags: 0x10 is 16, and 010 is 8.";

/* What each exit status means; ends with a NULL. */
static const char *const exits[] = {
	"no error",
	"a trace cannot be read, a report cannot be written, or its N is "
	"negative",
	"the command line is wrong",
	"a slice, a pause, a wait or a block is longer than -max-slice, "
	"-max-stop, -max-wait or -max-block, or something is worse by more "
	"than -noise",
	NULL,
};

/* Examples of use, without the program's name, and what each is for. */
static const struct example {
	const char *command;
	const char *purpose;
} examples[] = {
	{"-diagreedy=10 -user trace.out",
	 "the ten longest slices, without the runtime's own goroutines"},
	{"-max-stop=1ms *.trace",
	 "for scripts: exit status 3 if a stop-the-world pause is longer"},
	{NULL, NULL},
};

struct spelled {
	char text[64];
};

/* Returns -NAME, or -NAME=WORD. */
static struct spelled spell(const struct flag *flag)
{
	struct spelled to;

	if (flag->word == NULL)
		snprintf(to.text, sizeof(to), "-%s", flag->name);
	else
		snprintf(to.text, sizeof(to),
			 flag->kind == FLAG_SWITCH ? "-%s[=%s]" : "-%s=%s",
			 flag->name, flag->word);
	return to;
}

/* Prints the SIZE bytes of the word at TEXT, as troff reads them. */
static void man_word(FILE *to, const char *text, size_t size)
{
	static const char special[] = "-\\'`";
	static const char *const names[] = {"\\-", "\\e", "\\(aq", "\\(ga"};
	const char *found;

	for (; size > 0; text++, size--) {
		found = strchr(special, *text);
		if (found != NULL)
			fputs(names[found - special], to);
		else
			fputc(*text, to);
	}
}

/*
 * Prints TEXT word by word in lines of WIDTH, each of which begins with INDENT
 * spaces; *COLUMN is the current column of the line, and is updated. The lines
 * of a man page, IS_MAN, are shorter, and end where a sentence does.
 */
static void print_words(FILE *to, const char *text, size_t indent,
			size_t *column, bool is_man)
{
	size_t width = is_man ? MAN_WIDTH : WIDTH, size;
	bool ends = false;

	for (; *text != '\0'; text += size + (text[size] == ' ')) {
		size = strcspn(text, " ");
		if (*column > indent && (ends || *column + 1 + size > width)) {
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
		if (is_man)
			man_word(to, text, size);
		else
			fwrite(text, 1, size, to);
		*column += size;
		ends = is_man && size > 0 && text[size - 1] == '.';
	}
}

static void print_paragraph(FILE *to, const char *text, size_t indent)
{
	size_t column = 0;

	print_words(to, text, indent, &column, false);
	fputc('\n', to);
}

static void print_flag(FILE *to, const struct flag *flag)
{
	fprintf(to, "  %-18s  %s\n", spell(flag).text, flag->brief);
}

/* Holds a message with the longest name of a file. */
#define MESSAGE_SIZE 8192

_Noreturn void help_wrong(enum exit_code code, const char *format, ...)
{
	const struct flag *flag = NULL;
	char message[MESSAGE_SIZE], *word;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	fputs("gtrace: ", stderr);
	plain_print(stderr, message, strlen(message));
	fputc('\n', stderr);
	for (word = message; flag == NULL && word != NULL;) {
		flag = flags_named(word, " =:?");
		word = strchr(word, ' ');
		if (word != NULL)
			word++;
	}
	if (flag != NULL)
		print_flag(stderr, flag);
	else
		fputs("  gtrace -h lists the flags\n", stderr);
	exit((int)code);
}

/* Prints all flags of GROUP into lines that begin with its name. */
static void print_group(FILE *to, unsigned group)
{
	const struct flag *flag;
	size_t column = 0, indent = 10;

	column = (size_t)fprintf(to, "%s:", settings_groups[group]);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->group == group)
			print_words(to, spell(flag).text, indent, &column,
				    false);
	fputc('\n', to);
}

#define USAGE "Usage: gtrace [flags] trace.out|URL..."

static void print_usage(FILE *to)
{
	fputs(USAGE "\n", to);
	print_paragraph(to, subject, 0);
}

void help_short(FILE *to)
{
	const struct flag *flag;
	unsigned group;

	fputs(USAGE "\n", to);
	fprintf(to,
		"%s (without such a flag: a summary; -help describes all "
		"flags):\n",
		settings_groups[GROUP_REPORTS]);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->group == GROUP_REPORTS)
			print_flag(to, flag);
	for (group = GROUP_REPORTS + 1; group < GROUP_ABOUT; group++)
		print_group(to, group);
}

void help_long(FILE *to)
{
	const struct example *example;
	const struct flag *flag;
	unsigned group;
	size_t i;

	print_usage(to);
	print_paragraph(to, about_files, 0);
	for (group = 0; group < GROUP_COUNT; group++) {
		fprintf(to, "\n%s:\n", settings_groups[group]);
		for (flag = settings_flags; flag->name != NULL; flag++) {
			if (flag->group != group)
				continue;
			print_flag(to, flag);
			if (flag->help != NULL)
				print_paragraph(to, flag->help, 8);
		}
	}
	fputs("\nExit status:\n", to);
	for (i = 0; exits[i] != NULL; i++)
		fprintf(to, "  %zu  %s\n", i, exits[i]);
	fputs("\nExamples:\n", to);
	for (example = examples; example->command != NULL; example++)
		fprintf(to, "  gtrace %s\n        %s\n", example->command,
			example->purpose);
}

/* ------------------------------------------------------------------- man -- */

static void man_text(FILE *to, const char *text)
{
	size_t column = 0;

	print_words(to, text, 0, &column, true);
	fputc('\n', to);
}

static void man_flags(FILE *to)
{
	const struct flag *flag;
	unsigned group;

	for (group = 0; group < GROUP_COUNT; group++) {
		fprintf(to, ".SS %s\n", settings_groups[group]);
		for (flag = settings_flags; flag->name != NULL; flag++) {
			if (flag->group != group)
				continue;
			fputs(".TP\n.B ", to);
			man_text(to, spell(flag).text);
			man_text(to, flag->brief);
			if (flag->help != NULL) {
				fputs(".IP\n", to);
				man_text(to, flag->help);
			}
		}
	}
}

static void print_man(FILE *to)
{
	const struct example *example;
	size_t i;

	fprintf(to, ".\\\" Made by gtrace -print=man.\n"
		    ".TH GTRACE 1 2026-11-22 \"gtrace " GTRACE_VERSION "\"\n"
		    ".SH NAME\n"
		    "gtrace \\- report on execution traces of Go\n"
		    ".SH SYNOPSIS\n"
		    ".B gtrace\n"
		    ".RI [ flags ]\n"
		    ".IR trace.out ...\n"
		    ".SH DESCRIPTION\n");
	man_text(to, subject);
	fputs(".PP\n", to);
	man_text(to, about_files);
	fputs(".SH OPTIONS\n", to);
	man_flags(to);
	fputs(".SH EXIT STATUS\n", to);
	for (i = 0; exits[i] != NULL; i++) {
		fprintf(to, ".TP\n.B %zu\n", i);
		man_text(to, exits[i]);
	}
	fputs(".SH EXAMPLES\n", to);
	for (example = examples; example->command != NULL; example++) {
		fputs(".TP\n.B gtrace ", to);
		man_text(to, example->command);
		man_text(to, example->purpose);
	}
	fputs(".SH SEE ALSO\n.BR go (1)\n", to);
}

/* ---------------------------------------------------------------- shells -- */

/* Prints all words of FLAG with a space between. */
static void print_choices(FILE *to, const struct flag *flag)
{
	const char *c;

	for (c = flag->word; *c != '\0'; c++)
		fputc(*c == '|' ? ' ' : *c, to);
}

/*
 * Bash breaks a word at =, so that the flag of a value is the word before the
 * last or the one before that.
 */
static void print_bash(FILE *to)
{
	const struct flag *flag;

	fputs("# Completion of gtrace for bash, made by gtrace -print=bash.\n"
	      "_gtrace()\n"
	      "{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]}\n"
	      "\tlocal flag=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tif [[ $word == = ]]; then\n"
	      "\t\tword=\n"
	      "\telif [[ $flag == = ]]; then\n"
	      "\t\tflag=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tfi\n"
	      "\tcase $flag in\n",
	      to);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (flag->kind == FLAG_CHOICE) {
			fprintf(to,
				"\t-%s | --%s)\n"
				"\t\tmapfile -t COMPREPLY < <(compgen -W '",
				flag->name, flag->name);
			print_choices(to, flag);
			fputs("' -- \"$word\")\n\t\treturn\n\t\t;;\n", to);
		}
	fputs("\tesac\n"
	      "\tif [[ $word != -* ]]; then\n"
	      "\t\tcompopt -o filenames 2>/dev/null\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W '",
	      to);
	for (flag = settings_flags; flag->name != NULL; flag++)
		fprintf(to, "%s-%s%s", flag == settings_flags ? "" : " ",
			flag->name, flag->kind != FLAG_SWITCH ? "=" : "");
	fputs("' -- \"$word\")\n"
	      "\t[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace "
	      "2>/dev/null\n"
	      "}\n"
	      "complete -F _gtrace gtrace\n",
	      to);
}

/* Prints TEXT within '...' of _arguments, where [ ] and : mean something. */
static void zsh_text(FILE *to, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\'", to);
		else if (strchr("[]:\\", *text) != NULL)
			fputc('\\', to);
		fputc(*text, to);
	}
}

static void print_zsh(FILE *to)
{
	const struct flag *flag;

	fputs("#compdef gtrace\n"
	      "# Completion of gtrace for zsh, made by gtrace -print=zsh.\n"
	      "_arguments \\\n",
	      to);
	for (flag = settings_flags; flag->name != NULL; flag++) {
		fprintf(to, "\t'-%s%s[", flag->name,
			flag->kind != FLAG_SWITCH ? "=" : "");
		zsh_text(to, flag->brief);
		fputc(']', to);
		if (flag->kind == FLAG_CHOICE) {
			fprintf(to, ":%s:(", flag->name);
			print_choices(to, flag);
			fputc(')', to);
		} else if (flag->kind != FLAG_SWITCH) {
			fprintf(to, ":%s:%s", flag->word,
				flag->kind == FLAG_FILE ? "_files" : "");
		}
		fputs("' \\\n", to);
	}
	fputs("\t'*:trace:_files'\n", to);
}

void help_document(FILE *to, int number)
{
	static void (*const documents[])(FILE * to) = {print_man, print_bash,
						       print_zsh, skill_print};

	documents[number - 1](to);
}
