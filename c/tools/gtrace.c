/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.c - the gtrace command: the reports of `go tool trace -diagreedy=N`
 * and `-dump`, without Go.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gtrace/gtrace.h>

#include "tools/flags.h"

enum exit_code { EXIT_GOOD = 0, EXIT_BAD_TRACE = 1, EXIT_BAD_USAGE = 2 };

struct settings {
	int64_t diagreedy;
	int64_t stw;
	const char *format; /* NULL: text */
	bool dump;
	bool partial;
	bool unfinished;
	bool help;
	bool version;
	const char *binary;
	const char *trace;
};

static void print_usage(FILE *to)
{
	fputs("Usage: gtrace [flags] [pkg.test] trace.out\n"
	      "\n"
	      "Reports on an execution trace written by Go 1.5 to Go 1.27.\n"
	      "A trace.out of - is standard input. pkg.test, the program that\n"
	      "was traced, is needed for traces of Go 1.6 and below.\n"
	      "\n"
	      "Flags:\n"
	      "\t-dump: dump all traced out as format text to stdout\n"
	      "\t-diagreedy=N: dump the top N greedy goroutines\n"
	      "\t-stw=N: who held up the stops of the world, the N that took "
	      "longest\n"
	      "\t-format=text|json: how -stw is printed; json: one object a "
	      "line\n"
	      "\t-partial: of a damaged trace, report the part before the "
	      "damage\n"
	      "\t-partial=unfinished: and what is left of the generation "
	      "that the\n"
	      "\t\tfile ends in\n"
	      "\t-version: print the version of gtrace\n"
	      "\t-h: print this text\n"
	      "\n"
	      "Exit status: 0, 1 if the trace cannot be read or the report\n"
	      "not be written, 2 if the command line is wrong.\n",
	      to);
}

static int bad_usage(const char *message)
{
	fprintf(stderr, "%s\n", message);
	print_usage(stderr);
	return EXIT_BAD_USAGE;
}

static bool is_json(const struct settings *settings)
{
	return settings->format != NULL &&
	       strcmp(settings->format, "json") == 0;
}

/* Checks -format. Returns as read_settings() does. */
static bool check_format(const struct settings *settings, int *code)
{
	if (settings->format != NULL && !is_json(settings) &&
	    strcmp(settings->format, "text") != 0) {
		*code = bad_usage("gtrace: -format is text or json");
		return false;
	}
	if (is_json(settings) && (settings->diagreedy != 0 || settings->dump)) {
		*code = bad_usage("gtrace: -format=json is for -stw only");
		return false;
	}
	return true;
}

/* Fills SETTINGS. Returns false if the command ends here, with exit *CODE. */
static bool read_settings(int argc, char **argv, struct settings *settings,
			  int *code)
{
	const struct flag flags[] = {
		{"diagreedy", .number = &settings->diagreedy},
		{"stw", .number = &settings->stw},
		{"format", .text = &settings->format},
		{"dump", .boolean = &settings->dump},
		{"partial", .boolean = &settings->partial, .word = "unfinished",
		 .by_word = &settings->unfinished},
		{"h", .boolean = &settings->help},
		{"help", .boolean = &settings->help},
		{"version", .boolean = &settings->version},
		{.name = NULL},
	};
	char message[FLAGS_MESSAGE_SIZE];
	int first = flags_parse(flags, argc, argv, message);

	*code = EXIT_GOOD;
	if (first < 0) {
		*code = bad_usage(message);
		return false;
	}
	if (settings->help) {
		print_usage(stdout);
		return false;
	}
	if (settings->version) {
		printf("gtrace %s\n", gtrace_version());
		return false;
	}
	if (argc - first < 1 || argc - first > 2) {
		*code = bad_usage(argc == first
					  ? "gtrace: no trace file given"
					  : "gtrace: too many arguments (flags "
					    "come before the files)");
		return false;
	}
	if (argc - first == 2)
		settings->binary = argv[first];
	settings->trace = argv[argc - 1];
	if (settings->diagreedy < 0) {
		fputs("diagreedyFlag N must be bigger than 0\n", stderr);
		*code = EXIT_BAD_TRACE;
		return false;
	}
	if (settings->stw < 0) {
		fputs("-stw=N: N must not be below 0\n", stderr);
		*code = EXIT_BAD_TRACE;
		return false;
	}
	if (settings->diagreedy == 0 && settings->stw == 0 && !settings->dump) {
		*code = bad_usage("gtrace: no report selected: give "
				  "-diagreedy=N, -stw=N or -dump");
		return false;
	}
	return check_format(settings, code);
}

static void print_versions(void)
{
	const unsigned *version = gtrace_trace_versions();

	fputs("gtrace: reads traces of Go 1.5 to Go 1.27 (trace versions",
	      stderr);
	for (; *version != 0; version++)
		fprintf(stderr, " %u.%u", *version / 1000, *version % 1000);
	fputs(")\n", stderr);
}

/* Prints what the user can do about a damaged trace. */
static void print_help(const struct settings *settings,
		       const struct gtrace_error *error)
{
	switch (error->status) {
	case GTRACE_ERROR_VERSION:
		print_versions();
		break;
	case GTRACE_ERROR_RECORD:
	case GTRACE_ERROR_ARGS:
	case GTRACE_ERROR_ORDER:
	case GTRACE_ERROR_STATE:
		if (settings->partial)
			fputs("gtrace: no event comes before the fault\n",
			      stderr);
		else
			fprintf(stderr,
				"gtrace: the trace is damaged at byte "
				"%" PRIu64
				"; give -partial to report the events before "
				"that\n",
				error->offset);
		break;
	default:
		break;
	}
}

static void print_error(const struct settings *settings,
			const struct gtrace_error *error)
{
	switch (error->status) {
	case GTRACE_ERROR_OPEN:
		fprintf(stderr, "failed to open trace file: %s\n",
			error->message);
		break;
	case GTRACE_ERROR_WRITE:
		/* No message: a pipe was closed at its other end. */
		if (error->system_error != EPIPE)
			fprintf(stderr, "%s\n", error->message);
		break;
	case GTRACE_ERROR_LENGTH:
		fprintf(stderr, "%s\n", error->message);
		break;
	default:
		fprintf(stderr, "failed to parse trace: %s\n", error->message);
		print_help(settings, error);
		break;
	}
}

static void print_left_out(const struct gtrace *trace)
{
	const struct gtrace_error *reason;
	uint64_t offset, size;

	if (gtrace_left_out(trace, &offset, &size, &reason))
		fprintf(stderr,
			"gtrace: the trace is at fault at byte %" PRIu64
			": %s; nothing was read from byte %" PRIu64
			" on (%" PRIu64 " bytes)\n",
			reason->offset, reason->message, offset, size);
}

static enum gtrace_status report(const struct settings *settings,
				 struct gtrace *trace,
				 struct gtrace_error *error)
{
	const struct gtrace_output output = {.size = sizeof(output),
					     .fd = STDOUT_FILENO};
	const struct gtrace_request request = {
		.size = sizeof(request),
		.n = (size_t)settings->diagreedy,
		.stops = (size_t)settings->stw,
		.format = is_json(settings) ? GTRACE_FORMAT_JSON
					    : GTRACE_FORMAT_TEXT,
	};
	enum gtrace_status status = GTRACE_OK;

	if (settings->diagreedy > 0 || settings->stw > 0)
		status = gtrace_print_reports(trace, &request, &output, error);
	if (status == GTRACE_OK && settings->dump)
		status = gtrace_print_dump(trace, &output, error);
	return status;
}

int main(int argc, char **argv)
{
	struct settings settings = {0};
	struct gtrace_options options = {.size = sizeof(options)};
	struct gtrace_error error;
	enum gtrace_status status;
	struct gtrace *trace;
	int code;

	if (!read_settings(argc, argv, &settings, &code))
		return code;
	options.binary = settings.binary;
	options.partial = settings.unfinished ? GTRACE_PARTIAL_UNFINISHED
					      : settings.partial;
	if (strcmp(settings.trace, "-") == 0)
		status = gtrace_open_fd(STDIN_FILENO, &options, &trace, &error);
	else
		status = gtrace_open_path(settings.trace, &options, &trace,
					  &error);
	if (status == GTRACE_OK) {
		status = report(&settings, trace, &error);
		if (status == GTRACE_OK)
			print_left_out(trace);
	}
	if (status != GTRACE_OK)
		print_error(&settings, &error);
	gtrace_close(trace);
	return status == GTRACE_OK ? EXIT_GOOD : EXIT_BAD_TRACE;
}
