/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - what went on in a generation, in a line or an object. */
#include "tools/totals.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plain.h"

#define SECOND INT64_C(1000000000)

/* So many functions are in an object. */
#define FUNCTIONS_MAX 10

struct totals {
	int64_t length;
	int64_t procs;
	int64_t ran;   /* how long goroutines ran, in sum */
	int64_t ready; /* and waited for a processor */
	int64_t wait_max;
	int64_t collecting;
	uint64_t collections;
	uint64_t pauses;
	int64_t pause_max; /* until the world stood, and stood */
	int64_t lost;      /* certainly or most likely without a CPU */
	int64_t tracer;
};

void totals_time(FILE *to, int64_t start, int64_t at)
{
	int64_t ms;

	if (at < 0 || start < 0 || start > INT64_MAX - at)
		return;
	ms = (start + at) / 1000000 % (24 * 3600 * 1000);
	fprintf(to, "%02" PRId64 ":%02" PRId64 ":%02" PRId64 ".%03" PRId64 " ",
		ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

static int64_t pause_of(const struct gtrace_stop *stop)
{
	if (stop == NULL)
		return 0;
	return (stop->stopping > 0 ? stop->stopping : 0) +
	       (stop->stopped > 0 ? stop->stopped : 0);
}

static struct totals totals_of(const struct gtrace_summary *summary)
{
	const struct gtrace_wait_report *waits = summary->waits;
	const struct gtrace_class_sum *lost = summary->machine.classes;
	struct totals totals = {
		.length = summary->length,
		.procs = summary->procs,
		.ran = summary->slices.sum,
		.ready = waits->all.sum + waits->cut_sum,
		.wait_max = waits->all.max,
		.collecting = summary->collecting,
		.collections = summary->collections,
		.pauses = summary->stops->all.count,
		.pause_max = pause_of(summary->longest_stop),
		.lost = lost[GTRACE_SILENT_CERTAIN].sum +
			lost[GTRACE_SILENT_LIKELY].sum,
		.tracer = summary->tracer_sum,
	};

	if (waits->cut_max > totals.wait_max)
		totals.wait_max = waits->cut_max;
	return totals;
}

/* PART in percent of WHOLE. */
static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* How long all processors together had. */
static int64_t time_of(const struct totals *totals)
{
	if (totals->procs <= 0 || totals->length > INT64_MAX / totals->procs)
		return 0;
	return totals->length * totals->procs;
}

struct duration totals_text(int64_t length)
{
	static const char *const names[] = {"µs", "ms", "s"};
	struct duration text;
	double value = (double)length;
	size_t unit = 0;

	if (length < 1000) {
		snprintf(text.text, sizeof(text.text), "%" PRId64 " ns",
			 length);
		return text;
	}
	for (value /= 1000; value >= 999.5 && unit < 2; value /= 1000)
		unit++;
	snprintf(text.text, sizeof(text.text), "%.*f %s",
		 value < 9.995   ? 2
		 : value < 99.95 ? 1
				 : 0,
		 value, names[unit]);
	return text;
}

static void print_totals(FILE *to, const struct totals *totals)
{
	int64_t time = time_of(totals);

	fprintf(to, "%" PRId64 " P%s busy %.0f %% · ready %.1f", totals->procs,
		totals->procs == 1 ? "" : "s", percent(totals->ran, time),
		percent(totals->ready, totals->length) / 100);
	if (totals->wait_max != 0)
		fprintf(to, ", longest wait %s",
			totals_text(totals->wait_max).text);
	fprintf(to, " · GC %.0f %% · pauses %" PRIu64,
		percent(totals->collecting, totals->length), totals->pauses);
	if (totals->pause_max != 0)
		fprintf(to, ", longest %s",
			totals_text(totals->pause_max).text);
	fprintf(to, " · machine %.0f %% · tracer %.0f %%",
		percent(totals->lost, time), percent(totals->tracer, time));
}

void totals_when(FILE *to, int64_t start, int64_t from)
{
	if (start != INT64_MIN)
		totals_time(to, start, 0);
	else
		fprintf(to, "%s ", totals_text(from).text);
}

void totals_print(FILE *to, const struct gtrace_generation *generation,
		  const struct gtrace_summary *summary)
{
	struct totals totals = totals_of(summary);

	totals_when(to, generation->start, generation->from);
	print_totals(to, &totals);
}

void totals_line(FILE *to, const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary)
{
	totals_print(to, generation, summary);
	fputs(" · ", to);
	plain_print(to, summary->headline.data, summary->headline.size);
	fputc('\n', to);
}

/* ------------------------------------------------------------- functions -- */

static int64_t cost_of(const struct gtrace_function *function)
{
	return function->sum / 2 + function->delay / 2 + function->blocked / 2;
}

static int compare(const void *a, const void *b)
{
	int64_t x = cost_of(*(const struct gtrace_function *const *)a);
	int64_t y = cost_of(*(const struct gtrace_function *const *)b);

	return x == y ? 0 : x > y ? -1 : 1;
}

const struct gtrace_function **
totals_functions(const struct gtrace_summary *summary)
{
	size_t count = summary->function_count, i;
	const struct gtrace_function **functions =
		calloc(count + 1, sizeof(*functions));

	if (functions == NULL)
		return NULL;
	for (i = 0; i < count; i++)
		functions[i] = &summary->functions[i];
	qsort(functions, count, sizeof(*functions), compare);
	return functions;
}

/* ------------------------------------------------------------------ JSON -- */

static void print_string(FILE *to, const char *name, const char *text,
			 size_t size)
{
	fprintf(to, ",\"%s\":\"", name);
	plain_json(to, text, size);
	fputc('"', to);
}

static void print_function(FILE *to, const struct gtrace_function *function)
{
	fprintf(to,
		"{\"ran\":%" PRId64 ",\"delayed\":%" PRId64
		",\"blocked\":%" PRId64 ",\"ready_p99\":%" PRId64
		",\"count\":%" PRIu64,
		function->sum, function->delay, function->blocked,
		function->ready_p99, function->count);
	print_string(to, "fn", function->frame.function.data,
		     function->frame.function.size);
	fputc('}', to);
}

/* Prints the functions that cost most. */
static void print_functions(FILE *to, const struct gtrace_summary *summary)
{
	const struct gtrace_function **functions = totals_functions(summary);
	size_t i;

	fputs(",\"functions\":[", to);
	for (i = 0; functions != NULL && functions[i] != NULL &&
		    i < FUNCTIONS_MAX;
	     i++) {
		if (i != 0)
			fputc(',', to);
		print_function(to, functions[i]);
	}
	fputc(']', to);
	free(functions);
}

/* Prints FOUND, if there is one, with the command for it in the file NAME. */
static void print_found(FILE *to, const char *member, const struct found *found,
			const char *name)
{
	char *command;

	if (found == NULL)
		return;
	fprintf(to,
		",\"%s\":{\"generation\":%" PRIu64 ",\"from\":%" PRId64
		",\"to\":%" PRId64 ",\"harm\":%" PRId64,
		member, found->number, found->from, found->to, found->harm);
	if (found->start != INT64_MIN)
		fprintf(to, ",\"start\":%" PRId64, found->start);
	print_string(to, "text", found->text, strlen(found->text));
	command = lately_command(found, name);
	if (command != NULL)
		print_string(to, "command", command, strlen(command));
	free(command);
	fputc('}', to);
}

void totals_object(FILE *to, const struct gtrace_generation *generation,
		   const struct gtrace_summary *summary,
		   const struct lately *lately, const char *name)
{
	struct totals totals = {.procs = 0};

	if (summary != NULL)
		totals = totals_of(summary);
	fprintf(to,
		"{\"generation\":%" PRIu64 ",\"begin\":%" PRIu64
		",\"end\":%" PRIu64 ",\"from\":%" PRId64 ",\"to\":%" PRId64,
		generation->number, generation->begin, generation->end,
		generation->from, generation->to);
	if (generation->start != INT64_MIN)
		fprintf(to, ",\"start\":%" PRId64, generation->start);
	fprintf(to,
		",\"procs\":%" PRId64 ",\"length\":%" PRId64 ",\"ran\":%" PRId64
		",\"ready\":%" PRId64 ",\"wait_max\":%" PRId64
		",\"collections\":%" PRIu64 ",\"collecting\":%" PRId64
		",\"pauses\":%" PRIu64 ",\"pause_max\":%" PRId64
		",\"off_cpu\":%" PRId64 ",\"tracer\":%" PRId64,
		totals.procs, totals.length, totals.ran, totals.ready,
		totals.wait_max, totals.collections, totals.collecting,
		totals.pauses, totals.pause_max, totals.lost, totals.tracer);
	if (summary != NULL) {
		print_string(to, "headline", summary->headline.data,
			     summary->headline.size);
		print_functions(to, summary);
	}
	print_found(to, "recent", lately_recent(lately), NULL);
	print_found(to, "worst", lately_worst(lately), name);
	fputs("}\n", to);
}
