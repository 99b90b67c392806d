/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - what the command says of traces that cannot be read. */
#define _POSIX_C_SOURCE 200809L

#include "tools/errors.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/decompress.h"
#include "tools/durations.h"
#include "tools/meter.h"
#include "tools/plain.h"
#include "tools/settings.h"
#include "tools/start.h"

/* From this version on a trace consists of generations. */
#define VERSION_GENERATIONS 1022

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

/* ---------------------------------------------------------------- damage -- */

/* What partial reports of a trace would be. */
struct partial {
	bool known;      /* the file was read once more */
	uint64_t slices; /* how many there are with -partial=unfinished */
	uint64_t good;   /* and how many of them with -partial */
	int64_t end;     /* when its last event is */
	bool in_ticks;   /* its times are in ticks */
	bool one_end;    /* Go 1.21 or older: stacks are at the end */
	bool cut_off;    /* what ends it is the end of the file */
};

static void look_at(struct gtrace *trace, struct partial *partial)
{
	const struct gtrace_error *reason;
	struct gtrace_summary *summary;

	partial->in_ticks = gtrace_in_ticks(trace) != 0;
	partial->one_end = gtrace_trace_version(trace) < VERSION_GENERATIONS;
	if (gtrace_summarise(trace, NULL, &summary, NULL) == GTRACE_OK) {
		partial->slices = summary->slices.count;
		partial->good = summary->slices_good;
		partial->end = summary->origin + summary->length;
	}
	gtrace_summary_free(summary);
	/* A generation that ends early can show as another fault. */
	partial->cut_off = !partial->one_end &&
			   gtrace_left_out(trace, NULL, NULL, &reason) &&
			   reason->status == GTRACE_ERROR_CUT_OFF;
}

/* Reads the file, if it can be read, with MODE, a value of options.partial. */
static struct partial read_again(const char *path, int mode)
{
	struct gtrace_options options = settings.options;
	struct partial partial = {.known = start_file_size(path) != 0};
	struct gtrace *trace;

	if (!partial.known)
		return partial;
	options.partial = mode;
	if (start_open(path, &options, &trace, NULL) == GTRACE_OK)
		look_at(trace, &partial);
	gtrace_close(trace);
	return partial;
}

int64_t damage_find_end(const char *path)
{
	struct partial partial = read_again(path, settings.options.partial);

	return partial.known ? partial.end : INT64_MAX;
}

/* What a trace of Go 1.21 or older has at its end, and so is missing. */
static const char *missing(const struct partial *partial)
{
	if (!partial->one_end)
		return "";
	if (partial->in_ticks)
		return ", before its tick frequency and most of its stacks";
	return ", before the last of its stacks";
}

static const char *advice(const struct partial *partial)
{
	if (!partial->known)
		return "-partial reports the events before that, if any";
	if (partial->good == 0 && partial->slices > 0)
		return "-partial=unfinished reports what can be read of the "
		       "last generation";
	if (partial->slices == 0)
		return "no slice comes before that, so -partial does not help: "
		       "record the trace again";
	if (partial->in_ticks)
		return "-partial reports the events before that, in ticks, or "
		       "with -frequency=HZ in nanoseconds";
	return "-partial reports the events before that";
}

static const char only_header[] =
	"the file ends after its header: record the trace again, up to the "
	"return of trace.Stop\n";

/*
 * Prints what can be done about ERROR, a fault of the trace. The file is read
 * once more, to find out whether a partial report of it would have a slice.
 */
static void explain_damage(FILE *to, const char *path,
			   const struct gtrace_error *error)
{
	uint64_t size = start_file_size(path);
	struct partial partial;

	/* What follows the header can be a fault, too. */
	if (size == HEADER_SIZE ||
	    (size == 0 && error->status == GTRACE_ERROR_EMPTY &&
	     error->offset == HEADER_SIZE)) {
		fputs(only_header, to);
		return;
	}
	partial = read_again(path, GTRACE_PARTIAL_UNFINISHED);
	if (settings.options.partial)
		fprintf(to,
			"no slice comes before the fault at byte %" PRIu64
			"%s\n",
			error->offset,
			settings.options.partial == GTRACE_PARTIAL_GOOD &&
					partial.slices > 0
				? "; -partial=unfinished reports what can be "
				  "read of the last generation"
				: ": record the trace again");
	else if (partial.cut_off || error->status == GTRACE_ERROR_CUT_OFF)
		fprintf(to, "the file ends early, %s byte %" PRIu64 "%s; %s\n",
			partial.known ? "at" : "after",
			partial.known ? size : error->offset, missing(&partial),
			advice(&partial));
	else
		fprintf(to, "damaged at byte %" PRIu64 "; %s\n", error->offset,
			advice(&partial));
}

static void print_unit(FILE *to, const struct gtrace *trace)
{
	int64_t frequency = gtrace_frequency(trace);

	if (frequency == 0)
		fputs("all times are in ticks: the file ends before its tick "
		      "frequency (-frequency=HZ: in nanoseconds)\n",
		      to);
	else if (settings.options.frequency != 0 &&
		 frequency != settings.options.frequency)
		fprintf(to,
			"-frequency is not used, the trace has its own: "
			"%" PRId64 "\n",
			frequency);
}

/* Prints where times jump, as the frequency of the clock changes. */
static void print_clock(FILE *to, const struct gtrace *trace)
{
	int64_t jump;
	uint64_t changes = gtrace_clock_changes(trace, &jump);

	if (changes == 0)
		return;
	fprintf(to,
		"the frequency of the clock changes %" PRIu64
		" time%s, and times jump by up to %s%s; what lasts meanwhile "
		"is marked, makes no finding and exceeds no limit\n",
		changes, changes == 1 ? "" : "s", jump < 0 ? "-" : "",
		duration_text(jump < 0 ? -jump : jump).text);
}

/*
 * Whether a report with -partial=unfinished would have more slices than one
 * with -partial, which REASON ends.
 */
static bool unfinished_helps(const char *path,
			     const struct gtrace_error *reason)
{
	struct partial partial = read_again(path, GTRACE_PARTIAL_UNFINISHED);

	return partial.known ? partial.slices > partial.good
			     : reason->status == GTRACE_ERROR_CUT_OFF;
}

/*
 * Prints the unit of the times in the reports of TRACE, if that is a tick;
 * whether -frequency is not used; and what the reports left out, if
 * anything.
 */
static void note_damage(FILE *to, const char *path, const struct gtrace *trace)
{
	const struct gtrace_error *reason;
	uint64_t offset, size;

	print_unit(to, trace);
	print_clock(to, trace);
	if (start_file_size(path) == HEADER_SIZE) {
		fputs(only_header, to);
		return;
	}
	if (!gtrace_left_out(trace, &offset, &size, &reason))
		return;
	if (reason->status == GTRACE_ERROR_CUT_OFF)
		fprintf(to, "the file ends early, at byte %" PRIu64,
			offset + size);
	else
		fprintf(to, "at fault at byte %" PRIu64, reason->offset);
	fprintf(to,
		": %s; nothing was read from byte %" PRIu64 " on (%" PRIu64
		" byte%s)\n",
		reason->message, offset, size, size == 1 ? "" : "s");
	if (settings.options.partial == GTRACE_PARTIAL_GOOD &&
	    gtrace_trace_version(trace) >= VERSION_GENERATIONS &&
	    unfinished_helps(path, reason))
		fputs("-partial=unfinished also reports what can be read of "
		      "the last generation\n",
		      to);
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
}

/* Prints what can be done about ERROR. */
static void print_hint(FILE *to, const char *path,
		       const struct gtrace_error *error)
{
	switch (error->status) {
	case GTRACE_ERROR_OPEN:
		print_no_file(to, path);
		break;
	case GTRACE_ERROR_READ:
	case GTRACE_ERROR_HEADER:
		start_explain(to, path);
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
		explain_damage(to, path, error);
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

char *error_describe(const char *path, const struct gtrace *trace,
		     const struct gtrace_error *error)
{
	char *lines = NULL;
	size_t size;
	FILE *to = open_memstream(&lines, &size);

	if (to == NULL)
		return NULL;
	/* Why nothing more came is better than what the trace lacks. */
	if (error != NULL && decompress_fault(path) != NULL)
		error = decompress_fault(path);
	if (error == NULL) {
		note_damage(to, path, trace);
	} else {
		fprintf(to, "%s\n", without_name(error->message, path));
		print_hint(to, path, error);
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
	meter_hide();
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
	meter_go_on();
}

enum gtrace_status error_set(struct gtrace_error *error,
			     enum gtrace_status status, const char *format, ...)
{
	va_list arguments;

	*error = (struct gtrace_error){.status = status};
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	return status;
}

void error_note(const char *format, ...)
{
	char message[GTRACE_MESSAGE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	error_print("gtrace", message, true);
}
