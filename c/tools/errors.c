/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - what the command says of traces that cannot be read. */
#include "tools/errors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/damage.h"
#include "tools/start.h"

static const char *shown(const char *name)
{
	return strcmp(name, "-") == 0 ? "standard input" : name;
}

static void print_versions(const char *name)
{
	const unsigned *version = gtrace_trace_versions();

	fprintf(stderr,
		"%s: gtrace reads traces of Go 1.5 to Go 1.27 (trace versions",
		shown(name));
	for (; *version != 0; version++)
		fprintf(stderr, " %u.%u", *version / 1000, *version % 1000);
	fputs(")\n", stderr);
}

/* ---------------------------------------------------------------- errors -- */

/* Many commands have subcommands of these names. */
static bool is_subcommand(const char *name)
{
	return strcmp(name, "help") == 0 || strcmp(name, "version") == 0;
}

static bool is_address(const char *name)
{
	return strncmp(name, "http://", 7) == 0 ||
	       strncmp(name, "https://", 8) == 0;
}

/* NAME is not a file. Prints what it may be. */
static void print_no_file(const char *name)
{
	if (is_subcommand(name))
		fprintf(stderr,
			"%s: gtrace -h prints the help, and gtrace -version "
			"the version\n",
			name);
	else if (is_address(name))
		fprintf(stderr,
			"%s: gtrace reads files: curl -s '%s' | gtrace "
			"[flags] -\n",
			name, name);
}

/* Prints what can be done about ERROR. */
static void print_hint(const char *name, const struct gtrace_options *options,
		       const struct start *start,
		       const struct gtrace_error *error)
{
	switch (error->status) {
	case GTRACE_ERROR_OPEN:
		print_no_file(name);
		break;
	case GTRACE_ERROR_READ:
	case GTRACE_ERROR_HEADER:
		start_explain(stderr, shown(name), name, start);
		break;
	case GTRACE_ERROR_VERSION:
		print_versions(name);
		break;
	case GTRACE_ERROR_RECORD:
	case GTRACE_ERROR_ARGS:
	case GTRACE_ERROR_ORDER:
	case GTRACE_ERROR_STATE:
	case GTRACE_ERROR_EMPTY:
	case GTRACE_ERROR_CUT_OFF:
		damage_explain(stderr, shown(name), name, options, error);
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

void error_print(const char *name, const struct gtrace_error *error,
		 const struct gtrace_options *options,
		 const struct start *start)
{
	if (error->status == GTRACE_ERROR_WRITE) {
		/* No message: a pipe was closed at its other end. */
		if (error->system_error != EPIPE)
			fprintf(stderr, "gtrace: %s\n", error->message);
		return;
	}
	fprintf(stderr, "%s: %s\n", shown(name),
		without_name(error->message, name));
	if (options != NULL)
		print_hint(name, options, start, error);
}

void error_print_unit(const char *name, const struct gtrace *trace,
		      const struct gtrace_options *options)
{
	damage_print_unit(stderr, shown(name), trace, options);
}

void error_print_left_out(const char *name, const struct gtrace *trace,
			  const struct gtrace_options *options,
			  const struct start *start)
{
	if (start_is_header(start))
		fprintf(stderr,
			"%s: the file ends before the first event: record the "
			"trace again, up to the return of trace.Stop\n",
			shown(name));
	damage_print_left_out(stderr, shown(name), name, trace, options);
}
