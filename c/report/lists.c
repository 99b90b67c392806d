/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - the lists of reports, from one or more traces. */
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "report/text.h"

/* From this version on events have threads. */
#define VERSION_THREADS 1022

/* The name of trace AT as it is to be shown; NULL: not. */
static const char *name_of(const struct written *written, size_t at)
{
	if (written->request->format == GTRACE_FORMAT_TEXT &&
	    written->count < 2)
		return NULL;
	return written->names != NULL ? written->names[at] : NULL;
}

/* A line about trace AT, which can be without reports. */
static struct line line_of(const struct written *written, size_t at,
			   struct writer *writer)
{
	const struct gtrace_reports *reports = written->reports[at];

	return (struct line){
		.writer = writer,
		.format = written->request->format,
		.trace = name_of(written, at),
		.in_ticks = reports != NULL && reports->in_ticks,
		.has_record = reports != NULL && reports->has_record,
		.has_threads = reports != NULL &&
			       reports->trace_version >= VERSION_THREADS,
	};
}

/* ----------------------------------------------------------------- lists -- */

/* In the order in which they are printed. */
enum list {
	LIST_SLICES,
	LIST_STOPS,
	LIST_INFERRED,
	LIST_UNMEASURED,
	LIST_WAITS,
	LIST_DELAYS,
	LIST_BLOCKS,
	LIST_RESTS, /* blocks at rest */
	LIST_GOROUTINES,
	LIST_REQUESTS,
	LISTS
};

/* A list. Members of structs are given by their offsets. */
struct kind {
	size_t wanted; /* in the request: how many items to write */
	size_t report; /* in struct gtrace_reports */
	size_t items;  /* in the report: pointers to what is listed */
	size_t count;
	size_t keys[2]; /* in an item */
	const struct field *fields;
	item_text *text; /* NULL: none */
	item_text *brief;
	/*
	 * What comes before it in text: of each report, and of all, a format of
	 * how many there are, and what these are. NULL: nothing.
	 */
	sums_text *sums;
	const char *head;
	const char *counted;
	/* In short: the head of no item, of one, of so many; NULL: none. */
	const char *heads[3];
	sums_text *brief_sums; /* NULL: sums, with rounded times */
	bool whole;            /* JSON and CSV have all items */
};

#define REPORT(request, name, type, list, number)                              \
	.wanted = offsetof(struct gtrace_request, request),                    \
	.report = offsetof(struct gtrace_reports, name),                       \
	.items = offsetof(struct type, list),                                  \
	.count = offsetof(struct type, number)
#define KEYS(type, first, second)                                              \
	.keys = {offsetof(struct type, first), offsetof(struct type, second)}

/* clang-format off */
static const struct kind kinds[LISTS] = {
	[LIST_SLICES] = {
		REPORT(n, greedy, gtrace_greedy_report, slices, count),
		KEYS(gtrace_slice, duration, duration),
		gti_slice_fields, gti_text_slice, gti_short_slice, NULL,
		"finally the found toppest %d greedy goroutines info\n",
		.heads = {"no slice", "the longest slice",
			  "the %d longest slices"}},
	[LIST_STOPS] = {
		REPORT(stops, stops, gtrace_stop_report, stops, stop_count),
		KEYS(gtrace_stop, stopping, stopping),
		gti_stop_fields, gti_text_stop, gti_short_stop, gti_text_stops_sums,
		"the %d that took longest to stop\n",
		.heads = {NULL, "the pause that took longest to stop",
			  "the %d pauses that took longest to stop"}},
	[LIST_INFERRED] = {
		REPORT(stops, stops, gtrace_stop_report, inferred_stops,
		       inferred_count),
		KEYS(gtrace_stop, stopping_min, stopping_max),
		gti_stop_fields, gti_text_stop, gti_short_stop, NULL,
		"inferred from Gomaxprocs: %d, no begin event, bounds only\n",
		.heads = {NULL,
			  "a pause inferred from Gomaxprocs: bounds only, as "
			  "it has no begin event",
			  "%d pauses inferred from Gomaxprocs: bounds only, as "
			  "they have no begin event"}},
	/* Their times are -1, so that they stay in the order of the trace. */
	[LIST_UNMEASURED] = {
		REPORT(stops, stops, gtrace_stop_report, unmeasured_stops,
		       unmeasured_count),
		KEYS(gtrace_stop, stopping_min, stopping_max),
		gti_stop_fields, NULL, NULL, NULL, NULL},
	[LIST_WAITS] = {
		REPORT(waits, waits, gtrace_wait_report, waits, count),
		KEYS(gtrace_wait, length, length),
		gti_wait_fields, gti_text_wait, gti_short_wait, gti_text_waits_sums,
		"the %d longest\n",
		.heads = {NULL, "the longest wait", "the %d longest waits"}},
	[LIST_DELAYS] = {
		REPORT(delays, delays, gtrace_delay_report, slices, count),
		KEYS(gtrace_slice, delay, delay),
		gti_slice_fields, gti_text_delay, gti_short_delay, gti_text_delays_sums,
		"the %d slices that delayed others longest\n",
		.heads = {"no slice delayed others",
			  "the slice that delayed others longest",
			  "the %d slices that delayed others longest"}},
	[LIST_BLOCKS] = {
		REPORT(blocks, blocks, gtrace_block_report, places,
		       place_count),
		KEYS(gtrace_block_place, sum, sum),
		gti_block_fields, gti_text_block, gti_short_block, gti_text_blocks_sums,
		"the %C where goroutines were blocked longest\n", "place",
		{NULL, "the place where goroutines were blocked longest",
		 "the %d places where goroutines were blocked longest"}},
	/* Text has only their sums. */
	[LIST_RESTS] = {
		REPORT(blocks, blocks, gtrace_block_report, rests, rest_count),
		KEYS(gtrace_block_place, sum, sum),
		gti_block_fields, NULL, NULL, gti_text_rests_sums, NULL,
		.brief_sums = gti_short_rests_sums},
	[LIST_GOROUTINES] = {
		REPORT(goroutines, goroutines, gtrace_goroutine_report, rows,
		       count),
		KEYS(gtrace_goroutines, times.lived, times.lived),
		gti_goroutines_fields, gti_text_goroutines,
		gti_short_goroutines, gti_text_goroutines_sums, NULL, NULL,
		{NULL, "what lived longest", "the %d that lived longest"},
		.whole = true},
	[LIST_REQUESTS] = {
		REPORT(requests, requests, gtrace_request_report, rows, count),
		KEYS(gtrace_requests, times.lived, times.lived),
		gti_requests_fields, gti_text_requests, gti_short_requests,
		NULL, "the %C of requests that took longest\n", "kind",
		{"no requests", "the kind of requests that took longest",
		 "the %d kinds of requests that took longest"},
		.whole = true},
};
/* clang-format on */

static size_t size_at(const void *item, size_t offset)
{
	size_t size;

	memcpy(&size, (const char *)item + offset, sizeof(size));
	return size;
}

static int64_t key_at(const void *item, size_t offset)
{
	int64_t key;

	memcpy(&key, (const char *)item + offset, sizeof(key));
	return key;
}

/* The pointers to the items of KIND that REPORTS have, *COUNT of them. */
static const void *items_of(const struct gtrace_reports *reports,
			    const struct kind *kind, size_t *count)
{
	const void *report =
		reports != NULL ? field_pointer(reports, kind->report) : NULL;

	*count = report != NULL ? size_at(report, kind->count) : 0;
	return *count != 0 ? field_pointer(report, kind->items) : NULL;
}

/* How many items LIST has in all of WRITTEN. */
static size_t count_items(const struct written *written, enum list list)
{
	size_t total = 0, count, at;

	for (at = 0; at < written->count; at++) {
		items_of(written->reports[at], &kinds[list], &count);
		total += count;
	}
	return total;
}

static int compare_listed(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	size_t i;

	for (i = 0; i < 2; i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] > y->keys[i] ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Sets LISTED to the items of LIST, in their order. */
static void find_items(const struct written *written, enum list list,
		       struct writer *writer, struct listed *listed)
{
	const struct kind *kind = &kinds[list];
	size_t place = 0, count, at, i;
	size_t key = list == LIST_SLICES && written->request->by_cpu
			     ? offsetof(struct gtrace_slice, on_cpu)
			     : kind->keys[0];
	const void *items, *item;

	for (at = 0; at < written->count; at++) {
		const struct line line = line_of(written, at, writer);

		items = items_of(written->reports[at], kind, &count);
		for (i = 0; i < count; i++, place++) {
			item = field_pointer(items, i * sizeof(item));
			listed[place] = (struct listed){
				.item = item,
				.line = line,
				.keys = {key_at(item, key),
					 key_at(item, kind->keys[1])},
				.place = place,
			};
		}
	}
	/* A report is in order, also where equal keys are. */
	if (written->count > 1 && place > 1)
		gti_sort(listed, place, sizeof(*listed), compare_listed);
}

/* ----------------------------------------------------------------- write -- */

/* Writes LISTED of KIND, in short if BRIEF. */
static void write_item(const struct kind *kind, const struct listed *listed,
		       bool brief)
{
	struct sentence to = gti_sentence_to(listed->line.writer,
					     brief ? LOOK_SCREEN : LOOK_EXACT,
					     listed->line.in_ticks);
	item_text *text = brief ? kind->brief : kind->text;

	if (listed->line.format != GTRACE_FORMAT_TEXT)
		gti_write_line(&listed->line, kind->fields, listed->item);
	else if (text != NULL)
		text(&to, listed);
}

/* The number of stops that were inferred. */
static uint64_t count_inferred(const struct written *written)
{
	const struct gtrace_reports *reports;
	uint64_t inferred = 0;
	size_t at;

	for (at = 0; at < written->count; at++) {
		reports = written->reports[at];
		if (reports != NULL && reports->stops != NULL)
			inferred += reports->stops->inferred;
	}
	return inferred;
}

/* Writes the head of the COUNT items of LIST. */
static void write_counted(const struct written *written, enum list list,
			  uint64_t count, struct sentence *to)
{
	const struct kind *kind = &kinds[list];
	const char *head = kind->heads[count < 2 ? count : 2];
	bool by_cpu = list == LIST_SLICES && written->request->by_cpu;

	if (!written->request->brief) {
		if (kind->head != NULL)
			gti_say(to, kind->head, count, kind->counted);
		return;
	}
	if (head != NULL)
		gti_say(to, head, count);
	if (head != NULL && by_cpu && count != 0)
		gti_say(to, ", by their time on a CPU");
	if (head != NULL)
		gti_say(to, count != 0 ? "\n\n" : "\n");
}

/* Writes what comes before the COUNT items of LIST in text. */
static void write_head(const struct written *written, enum list list,
		       uint64_t count, struct writer *writer)
{
	const struct kind *kind = &kinds[list];
	const enum look look =
		written->request->brief ? LOOK_SCREEN : LOOK_EXACT;
	const struct gtrace_reports *reports;
	struct sentence to = {.writer = writer, .look = look};
	sums_text *sums = look == LOOK_SCREEN && kind->brief_sums != NULL
				  ? kind->brief_sums
				  : kind->sums;
	size_t at;

	for (at = 0; sums != NULL && at < written->count; at++) {
		reports = written->reports[at];
		if (reports == NULL ||
		    field_pointer(reports, kind->report) == NULL)
			continue;
		to = gti_sentence_to(writer, look, reports->in_ticks != 0);
		gti_text_trace(&to, "", name_of(written, at));
		sums(&to, field_pointer(reports, kind->report));
	}
	if (list == LIST_INFERRED)
		count = count_inferred(written);
	if (list != LIST_INFERRED || count != 0)
		write_counted(written, list, count, &to);
}

static void write_list(const struct written *written, enum list list,
		       struct listed *listed, struct writer *writer)
{
	const struct kind *kind = &kinds[list];
	size_t count = size_at(written->request, kind->wanted);
	size_t total = count_items(written, list), i;
	bool text = written->request->format == GTRACE_FORMAT_TEXT;
	const struct line head = line_of(written, 0, writer);
	bool brief = text && written->request->brief;

	if (count == 0)
		return;
	if (total < count || (kind->whole && !text))
		count = total;
	find_items(written, list, writer, listed);
	if (text)
		write_head(written, list, count, writer);
	/* The first list of its report. */
	if (list == 0 || kind->report != kind[-1].report)
		gti_write_line_head(&head, kind->fields);
	for (i = 0; i < count && writer->failure == 0; i++)
		write_item(kind, &listed[i], brief);
}

/* ------------------------------------------------- one report each trace -- */

/* Writes the COUNT structs of SIZE at ITEMS as lines. */
static void write_items(const struct line *line, const struct field *fields,
			const void *items, size_t count, size_t size)
{
	size_t i;

	for (i = 0; i < count && line->writer->failure == 0; i++)
		gti_write_line(line, fields, (const char *)items + i * size);
}

/* Writes the report of collections as JSON or CSV. */
static void write_collections(const struct line *line,
			      const struct gtrace_collection_report *report)
{
	write_items(line, gti_collection_fields, report->collections,
		    report->count, sizeof(*report->collections));
	if (line->format != GTRACE_FORMAT_JSON || report->count == 0)
		return;
	gti_write_line(line, gti_total_fields, &report->total);
	write_items(line, gti_function_fields, report->functions,
		    report->function_count, sizeof(*report->functions));
	write_items(line, gti_goroutine_fields, report->goroutines,
		    report->goroutine_count, sizeof(*report->goroutines));
}

/* Writes REPORT as JSON: kinds that are compared, and all paths. */
static void write_paths(const struct line *line,
			const struct gtrace_path_report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_paths *kind = &report->kinds[i];

		if (kind->group != 0)
			gti_write_line(line, gti_paths_fields, kind);
		write_items(line, gti_path_fields, kind->paths,
			    kind->path_count, sizeof(*kind->paths));
	}
}

/* Writes the segments of the paths of REPORT as CSV. */
static void write_segments(const struct line *line,
			   const struct gtrace_path_report *report)
{
	size_t i, j, k;

	for (i = 0; i < report->count; i++)
		for (j = 0; j < report->kinds[i].path_count; j++)
			for (k = 0; k < report->kinds[i].paths[j].segment_count;
			     k++) {
				const struct gtrace_path *path =
					&report->kinds[i].paths[j];
				const struct segment_line segment = {
					path, &path->segments[k]};

				gti_write_line(line, gti_segment_fields,
					       &segment);
			}
}

/* The reports that are written trace by trace, in this order. */
enum each { EACH_COLLECTIONS, EACH_SCHED, EACH_PATHS, EACHES };

static const void *report_of(const struct gtrace_reports *reports,
			     enum each each)
{
	return each == EACH_COLLECTIONS ? (const void *)reports->collections
	       : each == EACH_SCHED     ? (const void *)reports->sched
					: (const void *)reports->paths;
}

/* Writes one of REPORTS as JSON or CSV. */
static void write_lines(const struct line *line,
			const struct gtrace_reports *reports, enum each each)
{
	if (each == EACH_COLLECTIONS)
		write_collections(line, reports->collections);
	else if (each == EACH_SCHED)
		write_items(line, gti_sched_fields, reports->sched->samples,
			    reports->sched->count,
			    sizeof(*reports->sched->samples));
	else if (line->format == GTRACE_FORMAT_JSON)
		write_paths(line, reports->paths);
	else
		write_segments(line, reports->paths);
}

/* Writes one report of trace AT. */
static void write_trace(const struct written *written, size_t at,
			enum each each, struct writer *writer)
{
	static sums_text *const texts[EACHES] = {
		[EACH_COLLECTIONS] = gti_text_collections,
		[EACH_SCHED] = gti_text_sched,
		[EACH_PATHS] = gti_text_paths,
	};
	const struct gtrace_reports *reports = written->reports[at];
	const struct line line = line_of(written, at, writer);
	bool rounds = each == EACH_PATHS && written->request->brief;
	struct sentence to = gti_sentence_to(
		writer, rounds ? LOOK_SCREEN : LOOK_EXACT, line.in_ticks);

	if (line.format != GTRACE_FORMAT_TEXT) {
		write_lines(&line, reports, each);
		return;
	}
	if (line.trace != NULL) {
		gti_say(&to, "==> ");
		gti_text_name(writer, line.trace);
		gti_say(&to, " <==\n");
	}
	texts[each](&to, report_of(reports, each));
}

/* Writes one report of all traces, if it is WANTED. */
static void write_each(const struct written *written, bool wanted,
		       enum each each, struct writer *writer)
{
	static const struct field *const fields[EACHES] = {
		[EACH_COLLECTIONS] = gti_collection_fields,
		[EACH_SCHED] = gti_sched_fields,
		[EACH_PATHS] = gti_segment_fields,
	};
	const struct line head = line_of(written, 0, writer);
	size_t at;

	if (!wanted)
		return;
	gti_write_line_head(&head, fields[each]);
	for (at = 0; at < written->count; at++) {
		const struct gtrace_reports *reports = written->reports[at];

		if (reports != NULL && report_of(reports, each) != NULL)
			write_trace(written, at, each, writer);
	}
}

/* ------------------------------------------------------------------- all -- */

bool gti_write_reports(const struct written *written, struct writer *writer)
{
	size_t most = 1, count, list;
	struct listed *listed;

	for (list = 0; list < LISTS; list++) {
		count = count_items(written, (enum list)list);
		most = count > most ? count : most;
	}
	listed = gti_allocate_zeroed(writer->memory, most, sizeof(*listed));
	if (listed == NULL)
		return false;
	for (list = 0; list < LISTS; list++)
		write_list(written, (enum list)list, listed, writer);
	write_each(written, written->request->collections != 0,
		   EACH_COLLECTIONS, writer);
	write_each(written, written->request->sched != 0, EACH_SCHED, writer);
	write_each(written, written->request->paths != 0, EACH_PATHS, writer);
	gti_release(writer->memory, listed, most * sizeof(*listed));
	return true;
}
