/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - what the command says of traces that cannot be read. */
#define _POSIX_C_SOURCE 200809L

#include "tools/errors.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/damage.h"
#include "tools/plain.h"
#include "tools/start.h"

struct error_text error_text_of(int code)
{
	struct error_text error;

	snprintf(error.text, sizeof(error.text), "%s", strerror(code));
	error.text[0] = (char)tolower((unsigned char)error.text[0]);
	return error;
}

static void print_versions(FILE *to)
{
	const unsigned *version = gtrace_trace_versions();

	fputs("gtrace reads traces of Go 1.5 to Go 1.27 (trace versions", to);
	for (; *version != 0; version++)
		fprintf(to, " %u.%u", *version / 1000, *version % 1000);
	fputs(")\n", to);
}

/* ---------------------------------------------------------------- errors -- */

/* NAME is not a file. Prints what it may be. */
static void print_no_file(FILE *to, const char *name)
{
	/* Many commands have subcommands of these names. */
	if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
		fputs("gtrace -h prints the help, and gtrace -version the "
		      "version\n",
		      to);
	else if (strncmp(name, "http://", 7) == 0 ||
		 strncmp(name, "https://", 8) == 0)
		fprintf(to,
			"gtrace reads files: curl -s '%s' | gtrace [flags] "
			"-\n",
			name);
}

/* Prints what can be done about ERROR. */
static void print_hint(FILE *to, const char *path,
		       const struct gtrace_error *error,
		       const struct gtrace_options *options,
		       const struct start *start)
{
	switch (error->status) {
	case GTRACE_ERROR_OPEN:
		print_no_file(to, path);
		break;
	case GTRACE_ERROR_READ:
	case GTRACE_ERROR_HEADER:
		start_explain(to, path, start);
		break;
	case GTRACE_ERROR_VERSION:
		print_versions(to);
		break;
	case GTRACE_ERROR_RECORD:
	case GTRACE_ERROR_ARGS:
	case GTRACE_ERROR_ORDER:
	case GTRACE_ERROR_STATE:
	case GTRACE_ERROR_EMPTY:
	case GTRACE_ERROR_CUT_OFF:
		damage_explain(to, path, options, error);
		break;
	default:
		break;
	}
}

/* Returns MESSAGE without "open NAME: " at its start, which would be twice. */
static const char *without_name(const char *message, const char *name)
{
	size_t size = strlen(name);

	if (strncmp(message, "open ", 5) == 0 &&
	    strncmp(message + 5, name, size) == 0 &&
	    strncmp(message + 5 + size, ": ", 2) == 0)
		return message + 5 + size + 2;
	return message;
}

/* ----------------------------------------------------------------- lines -- */

char *error_describe(const char *path, const struct gtrace_options *options,
		     const struct gtrace *trace,
		     const struct gtrace_error *error,
		     const struct start *start)
{
	char *lines = NULL;
	size_t size;
	FILE *to = open_memstream(&lines, &size);

	if (to == NULL)
		return NULL;
	if (error == NULL) {
		damage_note(to, path, trace, options);
	} else {
		fprintf(to, "%s\n", without_name(error->message, path));
		print_hint(to, path, error, options, start);
	}
	if (fclose(to) == 0)
		return lines;
	free(lines);
	return NULL;
}

static const char *shown(const char *path)
{
	if (*path == '\0')
		return "\"\"";
	return is_stdin(path) ? "standard input" : path;
}

void error_print(const char *path, const char *lines, bool as_one)
{
	const char *name = shown(path);
	bool named = false;
	size_t size;

	if (lines == NULL)
		lines = "out of memory";
	while (*lines != '\0') {
		size = strcspn(lines, "\n");
		if (!as_one || !named) {
			plain_print(stderr, name, strlen(name));
			fputs(": ", stderr);
			named = true;
		}
		plain_print(stderr, lines, size);
		lines += size + (lines[size] == '\n');
		fputs(as_one && *lines != '\0' ? "; " : "\n", stderr);
	}
}
