/* SPDX-License-Identifier: BSD-3-Clause */
/* damage.c - what the command says of traces that are damaged or cut off. */
#include "tools/damage.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* From this version on a trace consists of generations. */
#define VERSION_GENERATIONS 1022

#define HEADER_SIZE 16

/* What a partial report of a trace would be. */
struct partial {
	bool known;      /* the file was read once more */
	uint64_t slices; /* how many it has */
	int64_t end;     /* when its last event is */
	bool unfinished; /* it has one with -partial=unfinished only */
	bool in_ticks;   /* its times are in ticks */
	bool one_end;  /* Go 1.21 or older: stacks are at the end of the file */
	bool cut_off;  /* what ends it is the end of the file */
	uint64_t size; /* of the file, if more than 0 */
};

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

static bool get_info(const char *path, struct stat *info)
{
	return (is_stdin(path) ? fstat(STDIN_FILENO, info)
			       : stat(path, info)) == 0;
}

static bool can_be_read_again(const char *path)
{
	struct stat info;

	return get_info(path, &info) && S_ISREG(info.st_mode);
}

static void look_at(struct gtrace *trace, struct partial *partial)
{
	const struct gtrace_error *reason;
	struct gtrace_summary *summary;
	uint64_t offset, size;

	partial->in_ticks = gtrace_in_ticks(trace) != 0;
	partial->one_end = gtrace_trace_version(trace) < VERSION_GENERATIONS;
	if (gtrace_summarise(trace, NULL, &summary, NULL) == GTRACE_OK) {
		partial->slices = summary->slices.count;
		partial->end = summary->length;
	}
	gtrace_summary_free(summary);
	if (!gtrace_left_out(trace, &offset, &size, &reason))
		return;
	partial->size = offset + size;
	partial->cut_off = reason->status == GTRACE_ERROR_CUT_OFF;
}

/* Reads the file with MODE, a value of the option partial. */
static struct partial try_mode(const char *path,
			       const struct gtrace_options *given, int mode)
{
	struct gtrace_options options = *given;
	struct partial partial = {.known = true};
	enum gtrace_status status;
	struct gtrace *trace;

	options.partial = mode;
	status = is_stdin(path)
			 ? gtrace_open_fd(STDIN_FILENO, &options, &trace, NULL)
			 : gtrace_open_path(path, &options, &trace, NULL);
	if (status == GTRACE_OK)
		look_at(trace, &partial);
	gtrace_close(trace);
	return partial;
}

int64_t damage_find_end(const char *path, const struct gtrace_options *options)
{
	if (!can_be_read_again(path))
		return INT64_MAX;
	return try_mode(path, options, options->partial).end;
}

/*
 * Reads the file, which has ERROR. In a trace that consists of generations a
 * file that ends early can show as another fault: only an unfinished generation
 * is read to its end.
 */
static struct partial try_partial(const char *path,
				  const struct gtrace_options *options,
				  const struct gtrace_error *error)
{
	bool cut_off = error->status == GTRACE_ERROR_CUT_OFF;
	struct partial partial = {.cut_off = cut_off}, unfinished;

	if (!can_be_read_again(path))
		return partial;
	partial = try_mode(path, options, GTRACE_PARTIAL_GOOD);
	partial.cut_off = cut_off;
	if (partial.one_end || (partial.slices > 0 && cut_off))
		return partial;
	unfinished = try_mode(path, options, GTRACE_PARTIAL_UNFINISHED);
	partial.unfinished = partial.slices == 0 && unfinished.slices > 0;
	partial.cut_off |= unfinished.cut_off;
	return partial;
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
	if (partial->unfinished)
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

/* Whether the file is no pipe, and has the header of a trace only. */
static bool is_header(const char *path)
{
	struct stat info;

	return get_info(path, &info) && S_ISREG(info.st_mode) &&
	       info.st_size == HEADER_SIZE;
}

/* Whether ERROR comes right after the header. */
static bool is_empty(const struct gtrace_error *error)
{
	return error->status == GTRACE_ERROR_EMPTY &&
	       error->offset == HEADER_SIZE;
}

static void print_header(FILE *to)
{
	fputs("the file ends after its header: record the trace again, up to "
	      "the return of trace.Stop\n",
	      to);
}

void damage_explain(FILE *to, const char *path,
		    const struct gtrace_options *options,
		    const struct gtrace_error *error)
{
	struct partial partial;

	/* What follows the header can be a fault, too. */
	if (is_header(path) || (is_empty(error) && !can_be_read_again(path))) {
		print_header(to);
		return;
	}
	if (options->partial) {
		fprintf(to, "no slice comes before the fault at byte %" PRIu64,
			error->offset);
		if (options->partial == GTRACE_PARTIAL_GOOD &&
		    can_be_read_again(path) &&
		    try_mode(path, options, GTRACE_PARTIAL_UNFINISHED).slices >
			    0)
			fputs("; -partial=unfinished reports what can be read "
			      "of the last generation\n",
			      to);
		else
			fputs(": record the trace again\n", to);
		return;
	}
	partial = try_partial(path, options, error);
	if (partial.cut_off)
		fprintf(to, "the file ends early, %s byte %" PRIu64 "%s; %s\n",
			partial.known ? "at" : "after",
			partial.size != 0 ? partial.size : error->offset,
			missing(&partial), advice(&partial));
	else
		fprintf(to, "damaged at byte %" PRIu64 "; %s\n", error->offset,
			advice(&partial));
}

void damage_print_unit(FILE *to, const struct gtrace *trace,
		       const struct gtrace_options *options)
{
	int64_t frequency = gtrace_frequency(trace);

	if (frequency == 0)
		fputs("all times are in ticks: the file ends before its tick "
		      "frequency (-frequency=HZ: in nanoseconds)\n",
		      to);
	else if (options->frequency != 0 && frequency != options->frequency)
		fprintf(to,
			"-frequency is not used, the trace has its own: "
			"%" PRId64 "\n",
			frequency);
}

/*
 * Whether a report with -partial=unfinished would have more slices than one
 * with OPTIONS, which REASON ends.
 */
static bool unfinished_helps(const char *path,
			     const struct gtrace_options *options,
			     const struct gtrace_error *reason)
{
	if (!can_be_read_again(path))
		return reason->status == GTRACE_ERROR_CUT_OFF;
	return try_mode(path, options, GTRACE_PARTIAL_UNFINISHED).slices >
	       try_mode(path, options, GTRACE_PARTIAL_GOOD).slices;
}

void damage_print_left_out(FILE *to, const char *path,
			   const struct gtrace *trace,
			   const struct gtrace_options *options)
{
	const struct gtrace_error *reason;
	uint64_t offset, size;

	if (is_header(path)) {
		print_header(to);
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
	if (options->partial == GTRACE_PARTIAL_GOOD &&
	    gtrace_trace_version(trace) >= VERSION_GENERATIONS &&
	    unfinished_helps(path, options, reason))
		fputs("-partial=unfinished also reports what can be read of "
		      "the last generation\n",
		      to);
}
