/* SPDX-License-Identifier: BSD-3-Clause */
/* documents.c - man page and shell completions, from the table of flags. */
#include <stdbool.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "tools/help.h"
#include "tools/settings.h"

/* ------------------------------------------------------------------- man -- */

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

/* Prints TEXT, and ends the line after each sentence, and where it is long. */
static void man_text(FILE *to, const char *text)
{
	size_t column = 0, size;
	char last = ' ';

	for (; *text != '\0'; text += size + (text[size] == ' ')) {
		size = strcspn(text, " ");
		if (column > 0 && (last == '.' || column + size > 70)) {
			fputc('\n', to);
			column = 0;
		} else if (column > 0) {
			fputc(' ', to);
		}
		man_word(to, text, size);
		column += size + 1;
		if (size > 0)
			last = text[size - 1];
	}
	fputc('\n', to);
}

static void man_flags(FILE *to)
{
	const struct flag *flag;
	char spelled[64];
	unsigned group;

	for (group = 0; group < GROUP_COUNT; group++) {
		fprintf(to, ".SS %s\n", settings_groups[group]);
		for (flag = settings_flags; flag->name != NULL; flag++) {
			if (flag->group != group)
				continue;
			help_spell(flag, spelled, sizeof(spelled));
			fputs(".TP\n.B ", to);
			man_text(to, spelled);
			man_text(to, flag->brief);
			if (flag->help != NULL) {
				fputs(".IP\n", to);
				man_text(to, flag->help);
			}
		}
	}
}

void print_man(FILE *to)
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
	man_text(to, help_subject);
	fputs(".PP\n", to);
	man_text(to, help_files);
	fputs(".SH OPTIONS\n", to);
	man_flags(to);
	fputs(".SH EXIT STATUS\n", to);
	for (i = 0; help_exits[i] != NULL; i++) {
		fprintf(to, ".TP\n.B %zu\n", i);
		man_text(to, help_exits[i]);
	}
	fputs(".SH EXAMPLES\n", to);
	for (example = help_examples; example->command != NULL; example++) {
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

/* Whether FLAG cannot stand without a value. */
static bool takes_value(const struct flag *flag)
{
	return flag->word != NULL && flag->kind != FLAG_MODE;
}

/*
 * Bash breaks a word at =, so that the flag of a value is the word before the
 * last or the one before that.
 */
void print_bash(FILE *to)
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
			flag->name, takes_value(flag) ? "=" : "");
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

void print_zsh(FILE *to)
{
	const struct flag *flag;

	fputs("#compdef gtrace\n"
	      "# Completion of gtrace for zsh, made by gtrace -print=zsh.\n"
	      "_arguments \\\n",
	      to);
	for (flag = settings_flags; flag->name != NULL; flag++) {
		fprintf(to, "\t'-%s%s[", flag->name,
			takes_value(flag) ? "=" : "");
		zsh_text(to, flag->brief);
		fputc(']', to);
		if (flag->kind == FLAG_CHOICE) {
			fprintf(to, ":%s:(", flag->name);
			print_choices(to, flag);
			fputc(')', to);
		} else if (takes_value(flag)) {
			fprintf(to, ":%s:%s", flag->word,
				flag->kind == FLAG_FILE ? "_files" : "");
		}
		fputs("' \\\n", to);
	}
	fputs("\t'*:trace:_files'\n", to);
}
