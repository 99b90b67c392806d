/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - what the command says of traces that cannot be read. */
#include "tools/errors.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/damage.h"
#include "tools/files.h"

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

/* ----------------------------------------------------------- not a trace -- */

/* What is often given in place of a trace, by its first bytes. */
static const struct magic {
	const char *bytes;
	size_t size;
	const char *advice; /* with the name twice */
} magics[] = {
	{"\x1f\x8b", 2,
	 "%s: compressed with gzip: zcat %s | gtrace [flags] -\n"},
	{"\x28\xb5\x2f\xfd", 4,
	 "%s: compressed with zstd: zstdcat %s | gtrace [flags] -\n"},
	{"\xfd"
	 "7zXZ",
	 5, "%s: compressed with xz: xzcat %s | gtrace [flags] -\n"},
	{"BZh", 3, "%s: compressed with bzip2: bzcat %s | gtrace [flags] -\n"},
	{"PK\3\4", 4, "%s: a zip archive: unzip -p %s | gtrace [flags] -\n"},
	{"\177ELF", 4, "%s: a program: gtrace -binary=%s [flags] trace.out\n"},
};

/* Returns how many bytes of TEXT are printable ASCII. */
static size_t printable(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (!isprint((unsigned char)text[i]))
			break;
	return i;
}

/* Prints what the file NAME is in place of a trace, as far as is known. */
static void print_what_it_is(const char *name)
{
	static const char trace[] = "go 1.";
	char start[64];
	size_t size = files_peek(name, start, sizeof(start)), i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (size >= magics[i].size &&
		    memcmp(start, magics[i].bytes, magics[i].size) == 0) {
			fprintf(stderr, magics[i].advice, name, name);
			return;
		}
	if (size >= sizeof(trace) - 1 &&
	    memcmp(start, trace, sizeof(trace) - 1) == 0) {
		fprintf(stderr,
			"%s: the file ends in the header of a trace: record "
			"the trace again\n",
			name);
		return;
	}
	size = printable(start, size);
	if (size >= 8)
		fprintf(stderr, "%s: text, which begins with \"%.*s\"\n", name,
			(int)size, start);
}

/* ---------------------------------------------------------------- errors -- */

/* Prints what can be done about ERROR. */
static void print_hint(const char *name, const struct gtrace_options *options,
		       const struct gtrace_error *error)
{
	switch (error->status) {
	case GTRACE_ERROR_HEADER:
		print_what_it_is(name);
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
		 const struct gtrace_options *options)
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
		print_hint(name, options, error);
}

void error_print_unit(const char *name, const struct gtrace *trace,
		      const struct gtrace_options *options)
{
	damage_print_unit(stderr, shown(name), trace, options);
}

void error_print_left_out(const char *name, const struct gtrace *trace)
{
	damage_print_left_out(stderr, shown(name), trace);
}
