/* SPDX-License-Identifier: BSD-3-Clause */
/* every_report.c - prints all that can be printed of a trace. */
#include "tests/mutated/every_report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mutated/json.h"
#include "tests/mutated/sums.h"
#include "tests/reports.h"

/* Longer outputs are cut off: the size of a report is no matter of this. */
#define OUTPUT_MAX ((size_t)4 << 20)

#define ITEMS 5

static struct {
	char *bytes;
	size_t size;
	size_t capacity;
} written;

/* What the trace before had. */
static struct gtrace_summary *last_summary;
static struct gtrace_reports *last_reports;

static const char *doing = "";
static size_t chosen;

static _Noreturn void complain(const char *what, const char *detail)
{
	fprintf(stderr, "every_report: %s: %s: %s\n", doing, what, detail);
	abort();
}

static void require(bool holds, const char *what)
{
	if (!holds)
		complain(what, "does not hold");
}

static int keep(void *context, const void *data, size_t size)
{
	(void)context;
	if (written.size + size > OUTPUT_MAX)
		return 1;
	if (written.size + size > written.capacity) {
		written.capacity = 2 * (written.size + size);
		written.bytes = realloc(written.bytes, written.capacity);
		if (written.bytes == NULL)
			abort();
	}
	memcpy(written.bytes + written.size, data, size);
	written.size += size;
	return 0;
}

static struct gtrace_output output_of_test(void)
{
	written.size = 0;
	return OUTPUT(.write = keep);
}

/* ------------------------------------------------------------------ JSON -- */

/* Members that are no lengths, sums nor counts: any number is right. */
static const char *const any_number[] = {
	"g",
	"p",
	"m",
	"by",
	"args",
	"ts",
	"start",
	"end",
	"pc",
	"off_cpu_p",
	"max_by",
	"line",
	"max_g",
	"worst_g",
	"open_g",
	"worst_start",
	"max_start",
	"from",
	"to",
	"first_time",
	"heap_alloc",
	"heap_goal",
	"heap_start",
	"heap_end",
	"heap_live",
	"ended",
	"requested",
	"requested_min",
	"requested_max",
	"obtained",
	"restarting",
	"restarted",
	"gave_up",
	"left",
	"ran",
	"ran_p",
	"sweep_begin",
	"sweep_end",
	"term_begin",
	"done",
	"released",
	"goroutine",
	"bytes",
	"link",
	"sweep_g",
};

static void check_number(struct json_key key, const char *number)
{
	size_t i;
	char name[64];

	for (i = 0; i < sizeof(any_number) / sizeof(any_number[0]); i++)
		if (strlen(any_number[i]) == key.size &&
		    memcmp(any_number[i], key.name, key.size) == 0)
			return;
	snprintf(name, sizeof(name), "%.*s is %s", (int)key.size, key.name,
		 number);
	complain("a negative number", name);
}

static void check_one_json(const char *text, size_t size,
			   void (*each)(struct json_key key,
					const char *number))
{
	const char *fault = check_json(text, size, each);
	char near[80];

	if (fault == NULL)
		return;
	snprintf(near, sizeof(near), "%.*s",
		 (int)(text + size - fault > 60 ? 60 : text + size - fault),
		 fault);
	complain("no JSON from here on", near);
}

/* Checks each line. Returns how many there are. */
static size_t check_json_lines(void)
{
	char *at = written.bytes, *end, *line;
	size_t count = 0;

	if (written.size == 0)
		return 0;
	end = at + written.size;
	for (; at < end; at = line + 1, count++) {
		line = memchr(at, '\n', (size_t)(end - at));
		require(line != NULL, "a line ends");
		check_one_json(at, (size_t)(line - at), check_number);
	}
	return count;
}

/* The data of the pictures of a page. */
static void check_page(void)
{
	static const char begin[] =
		"<script type=\"application/json\" id=data>";
	char *at, *end;

	keep(NULL, "", 1);
	at = strstr(written.bytes, begin);
	if (at == NULL)
		return;
	at += sizeof(begin) - 1;
	end = strstr(at, "</script>");
	require(end != NULL, "the data ends");
	check_one_json(at, (size_t)(end - at), NULL);
}

/* ------------------------------------------------------------ CSV, text -- */

/* Checks that all records have as many fields. Returns how many there are. */
static size_t check_csv(void)
{
	size_t records = 0, fields = 1, first = 0, i;
	bool quoted = false;

	for (i = 0; i < written.size; i++) {
		char c = written.bytes[i];

		if (c == '"')
			quoted = !quoted;
		else if (!quoted && c == ',')
			fields++;
		if (quoted || c != '\n')
			continue;
		first = records++ == 0 ? fields : first;
		require(fields == first, "records have as many fields");
		fields = 1;
	}
	require(!quoted && written.size != 0 && written.bytes[i - 1] == '\n',
		"the last record ends");
	return records;
}

/*
 * Entries of the short form: each follows an empty line, and its first line
 * does not begin with a tab.
 */
static size_t count_short(void)
{
	size_t count = 0, i;

	for (i = 2; i < written.size; i++)
		if (written.bytes[i - 1] == '\n' &&
		    written.bytes[i - 2] == '\n' &&
		    strchr("\t\n", written.bytes[i]) == NULL)
			count++;
	return count;
}

/* ----------------------------------------------------------------- print -- */

static const struct gtrace_error no_error;

/* A trace, and how its first report failed. */
struct subject {
	struct gtrace *trace;
	struct gtrace_error error;
	int64_t interval; /* of samples of the scheduler */
	/* A summary and a page of a part of a trace need one. */
	bool no_slice;
};

/*
 * A report that is not made of an accepted trace says why: it is too large, it
 * is one of a trace in ticks, or of lengths that do not fit.
 */
static void check_status(const struct subject *subject,
			 enum gtrace_status status,
			 const struct gtrace_error *error)
{
	if (status != GTRACE_OK)
		require(status == error->status && error->message[0] != '\0',
			"a message");
	if (subject->error.status == GTRACE_ERROR_LENGTH ||
	    status == GTRACE_ERROR_LENGTH || subject->no_slice)
		return;
	if (subject->error.status != GTRACE_OK)
		require(status == GTRACE_ERROR_ARGUMENT ||
				(status == subject->error.status &&
				 strcmp(error->message,
					subject->error.message) == 0),
			"fails as the first report does");
	else if (status == GTRACE_ERROR_ARGUMENT)
		require(gtrace_in_ticks(subject->trace), "it has no ticks");
	else if (status != GTRACE_OK && status != GTRACE_ERROR_WRITE)
		complain("an accepted trace", error->message);
}

static bool print(const struct subject *subject, struct gtrace_request request)
{
	struct gtrace_output output = output_of_test();
	struct gtrace_error error = no_error;
	enum gtrace_status status =
		gtrace_print(subject->trace, &request, &output, &error);

	check_status(subject, status, &error);
	if (status == GTRACE_OK && request.report == GTRACE_REPORT_TIMELINE)
		check_one_json(written.bytes, written.size - 1, NULL);
	else if (status == GTRACE_OK && request.report == GTRACE_REPORT_PAGE)
		check_page();
	else if (status == GTRACE_OK && request.format == GTRACE_FORMAT_JSON)
		check_json_lines();
	else if (status == GTRACE_OK && request.format == GTRACE_FORMAT_CSV)
		check_csv();
	return status == GTRACE_OK;
}

/* All lists. */
static struct gtrace_request all_lists(const struct subject *subject)
{
	return REQUEST(.n = ITEMS, .stops = ITEMS, .waits = ITEMS,
		       .delays = ITEMS, .blocks = ITEMS, .goroutines = ITEMS,
		       .requests = ITEMS, .paths = ITEMS, .collections = 1,
		       .rows = ITEMS, .sched = subject->interval, .details = 1,
		       .parts = 20);
}

/* One of the lists; a number of them is LISTS. */
enum { LISTS = 10, COLLECTIONS = 7, PATHS = 8 };

static struct gtrace_request one_list(const struct subject *subject,
				      size_t list)
{
	const struct gtrace_request all = all_lists(subject);
	struct gtrace_request request = REQUEST(.rows = ITEMS);

	switch (list) {
	case 0:
		request.n = all.n;
		break;
	case 1:
		request.stops = all.stops;
		break;
	case 2:
		request.waits = all.waits;
		break;
	case 3:
		request.delays = all.delays;
		break;
	case 4:
		request.blocks = all.blocks;
		break;
	case 5:
		request.goroutines = all.goroutines;
		break;
	case 6:
		request.requests = all.requests;
		break;
	case COLLECTIONS:
		request.collections = all.collections;
		break;
	case PATHS:
		request.paths = all.paths;
		break;
	default:
		request.sched = all.sched;
	}
	return request;
}

static void print_list(const struct subject *subject, size_t list)
{
	struct gtrace_request request = one_list(subject, list);
	size_t items = SIZE_MAX, brief;

	doing = "a list as text";
	print(subject, request);
	request.brief = 1;
	doing = "a list as short text";
	brief = print(subject, request) ? count_short() : SIZE_MAX;
	request.brief = 0;
	doing = "a list as JSON";
	request.format = GTRACE_FORMAT_JSON;
	if (print(subject, request))
		items = check_json_lines();
	doing = "a list as CSV";
	request.format = GTRACE_FORMAT_CSV;
	if (!print(subject, request))
		return;
	/* Of these two, lines also have sums. */
	if (list == COLLECTIONS || list == PATHS)
		items = check_csv() - 1;
	require(items == check_csv() - 1, "as many records as lines of JSON");
	if (list == 0 || list == 2 || list == 3)
		require(brief == items, "as many as in JSON");
}

static void print_summaries(const struct subject *subject)
{
	int format;

	doing = "summary";
	for (format = GTRACE_FORMAT_TEXT; format <= GTRACE_FORMAT_CSV;
	     format++) {
		print(subject,
		      REQUEST(.report = GTRACE_REPORT_SUMMARY, .format = format,
			      .n = chosen % 4, .stops = chosen % 3,
			      .rows = chosen % 5,
			      .width = chosen % 2 == 0 ? 0 : 80, .waits = 3,
			      .delays = 3, .blocks = 3, .collections = 1));
		print(subject,
		      REQUEST(.report = GTRACE_REPORT_DUMP, .format = format));
	}
}

static void print_others(const struct subject *subject,
			 const struct gtrace_filter *filter)
{
	int report;

	doing = "profiles, timeline, page";
	for (report = GTRACE_REPORT_PROFILE;
	     report <= GTRACE_REPORT_PATH_PROFILE; report++)
		if (report != GTRACE_REPORT_CPU_PROFILE)
			print(subject,
			      REQUEST(.report = report,
				      .filter =
					      report != GTRACE_REPORT_PATH_PROFILE
						      ? filter
						      : NULL));
}

/* --------------------------------------------------------------- filters -- */

static const int64_t some_ids[] = {0, 1, 2, 5, 7, -1};

static const struct gtrace_filter filters[] = {
	{.size = sizeof(filters[0]), .user = 1},
	{.size = sizeof(filters[0]), .function = "main"},
	{.size = sizeof(filters[0]), .g = some_ids, .g_count = 6},
	{.size = sizeof(filters[0]), .p = some_ids, .p_count = 2},
	{.size = sizeof(filters[0]), .min = 1000},
	{.size = sizeof(filters[0]), .from = 1000, .to = 50000000},
	{.size = sizeof(filters[0]), .from = 10, .min = 5, .user = 1},
	{.size = sizeof(filters[0]), .to = INT64_MAX},
};

static void print_filtered(const struct subject *subject,
			   const struct gtrace_filter *filter)
{
	struct gtrace_request request = all_lists(subject);
	int format;

	request.filter = filter;
	doing = "lists with a filter";
	print(subject, request);
	request.format = GTRACE_FORMAT_JSON;
	print(subject, request);
	for (format = GTRACE_FORMAT_TEXT; format <= GTRACE_FORMAT_JSON;
	     format++)
		print(subject, REQUEST(.report = GTRACE_REPORT_SUMMARY,
				       .filter = filter, .format = format,
				       .n = 2, .waits = 2, .blocks = 2));
	print(subject, REQUEST(.report = GTRACE_REPORT_DUMP, .filter = filter));
	print_others(subject, filter);
}

/* --------------------------------------------------------------- structs -- */

/* A slice below zero is an error of reports, but not for a visitor. */
static int see_slice(void *context, const struct gtrace_slice *slice)
{
	const struct subject *subject = context;

	require(subject->error.status == GTRACE_ERROR_LENGTH ||
			(slice->duration >= 0 && slice->own >= 0),
		"a slice's length");
	return 0;
}

static int see_stop(void *context, const struct gtrace_stop *stop)
{
	(void)context;
	require(stop->number != 0, "a number");
	return 0;
}

static int see_event(void *context, const struct gtrace_event *event)
{
	(void)context;
	require(event->number != 0 && event->name != NULL, "a number, a name");
	return 0;
}

static int see_collection(void *context, int64_t begin, int64_t end)
{
	(void)context;
	(void)begin;
	(void)end;
	return 0;
}

static int see_block(void *context, const struct gtrace_block *block)
{
	(void)context;
	require(block->length >= 0, "a block's length");
	return 0;
}

static int see_heap(void *context, int64_t ts, int64_t bytes, int is_goal)
{
	(void)context;
	(void)ts;
	(void)bytes;
	return is_goal < 0;
}

static void visit(struct subject *subject)
{
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.context = subject,
		.slice = see_slice,
		.stop = see_stop,
		.event = see_event,
		.collection = see_collection,
		.block = see_block,
		.heap = see_heap,
	};
	struct gtrace_request details = REQUEST(.details = 1);
	struct gtrace_error error = no_error;

	doing = "visitor";
	check_status(subject,
		     gtrace_visit(subject->trace, &details, &visitor, &error),
		     &error);
}

static void write_two(const struct gtrace_reports *reports,
		      const struct subject *subject)
{
	static const char *const names[] = {"one", "two"};
	const struct gtrace_reports *both[] = {reports, last_reports};
	struct gtrace_request request = all_lists(subject);
	struct gtrace_output output = output_of_test();
	struct gtrace_error error;

	doing = "lists of two traces";
	if (gtrace_write(both, names, 2, &request, &output, &error) !=
		    GTRACE_OK &&
	    error.status != GTRACE_ERROR_WRITE)
		complain("lists", error.message);
	output = output_of_test();
	request.format = GTRACE_FORMAT_JSON;
	if (gtrace_write(both, names, 2, &request, &output, &error) !=
	    GTRACE_OK)
		require(error.status == GTRACE_ERROR_WRITE, "JSON of lists");
	else
		check_json_lines();
}

/* Returns the number of items of its reports in JSON. */
static size_t items_of(const struct gtrace_reports *reports)
{
	return reports->greedy->count + reports->stops->stop_count +
	       reports->stops->inferred_count +
	       reports->stops->unmeasured_count + reports->waits->count +
	       reports->delays->count + reports->blocks->place_count +
	       reports->blocks->rest_count + reports->goroutines->count +
	       reports->requests->count + reports->sched->count;
}

/* The lists in one pass, as structs and as text. */
static void analyse(const struct subject *subject)
{
	struct gtrace_request request = all_lists(subject);
	struct gtrace_error error = no_error;
	struct gtrace_reports *reports;
	struct gtrace_output output = output_of_test();
	enum gtrace_status status =
		gtrace_analyse(subject->trace, &request, &reports, &error);
	const struct gtrace_reports *one = reports;
	const char *fault;

	doing = "all lists";
	check_status(subject, status, &error);
	require((status == GTRACE_OK) == (reports != NULL), "reports");
	if (reports == NULL)
		return;
	fault = find_wrong_sum(reports);
	if (fault != NULL)
		complain("sums", fault);
	request.format = GTRACE_FORMAT_JSON;
	if (gtrace_write(&one, NULL, 1, &request, &output, &error) == GTRACE_OK)
		require(check_json_lines() >= items_of(reports),
			"a line for each item");
	write_two(reports, subject);
	gtrace_reports_free(last_reports);
	last_reports = reports;
}

static void compare(const struct gtrace_summary *summary)
{
	struct gtrace_output output = output_of_test();
	struct gtrace_error error = no_error;
	int format;

	doing = "comparison";
	for (format = GTRACE_FORMAT_TEXT; format <= GTRACE_FORMAT_CSV;
	     format++) {
		struct gtrace_request request =
			REQUEST(.format = format == GTRACE_FORMAT_JSON ? 1 : 0,
				.report = format == 2 ? GTRACE_REPORT_PAGE : 0);

		output = output_of_test();
		if (gtrace_print_comparison(last_summary, summary, NULL,
					    &request, &output,
					    &error) != GTRACE_OK)
			require(error.status == GTRACE_ERROR_ARGUMENT &&
					(summary->in_ticks ||
					 last_summary->in_ticks),
				"only for ticks");
		else if (format == GTRACE_FORMAT_JSON)
			check_one_json(written.bytes, written.size, NULL);
	}
}

static void summarise(struct subject *subject)
{
	struct gtrace_request request =
		REQUEST(.n = ITEMS, .waits = ITEMS, .delays = ITEMS,
			.blocks = ITEMS, .collections = 1, .rows = ITEMS);
	struct gtrace_error error = no_error;
	struct gtrace_summary *summary;
	enum gtrace_status status =
		gtrace_summarise(subject->trace, &request, &summary, &error);
	const char *fault;

	doing = "summary";
	check_status(subject, status, &error);
	require((status == GTRACE_OK) == (summary != NULL), "a summary");
	if (summary == NULL)
		return;
	fault = find_wrong_sum_of_summary(summary);
	if (fault != NULL)
		complain("sums", fault);
	subject->interval = summary->length / 16 + 1;
	if (last_summary != NULL)
		compare(summary);
	gtrace_summary_free(last_summary);
	last_summary = summary;
}

/* ------------------------------------------------------------------- all -- */

/* The first report says how the others fail, if they do. */
static void begin(struct subject *subject)
{
	struct gtrace_reports *reports;

	subject->error = no_error;
	subject->interval = INT64_MAX;
	if (make_greedy(subject->trace, 1, &reports, &subject->error) ==
	    GTRACE_OK) {
		subject->error = no_error;
		subject->no_slice = reports->greedy->count == 0;
	}
	gtrace_reports_free(reports);
}

static bool make_all_of(struct gtrace *trace)
{
	struct subject subject = {.trace = trace};
	size_t list;

	begin(&subject);
	summarise(&subject);
	analyse(&subject);
	for (list = 0; list < LISTS; list++)
		print_list(&subject, list);
	print_summaries(&subject);
	print_others(&subject, NULL);
	visit(&subject);
	print_filtered(&subject, &filters[chosen % 8]);
	return subject.error.status == GTRACE_OK;
}

/* Of what PARTIAL has of the trace. Returns whether there is a fault. */
static bool make_part(const void *data, size_t size, int partial)
{
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh",
			.partial = partial);
	struct gtrace *trace;
	struct gtrace_error error;
	bool good = gtrace_open_memory(data, size, &options, &trace, &error) ==
			    GTRACE_OK &&
		    make_all_of(trace);

	gtrace_close(trace);
	return good;
}

int make_every_report(const void *data, size_t size, size_t number)
{
	chosen = number;
	if (make_part(data, size, GTRACE_PARTIAL_NO))
		return 1;
	make_part(data, size, GTRACE_PARTIAL_GOOD);
	make_part(data, size, GTRACE_PARTIAL_UNFINISHED);
	return 0;
}

void forget_reports(void)
{
	gtrace_summary_free(last_summary);
	gtrace_reports_free(last_reports);
	last_summary = NULL;
	last_reports = NULL;
	free(written.bytes);
	memset(&written, 0, sizeof(written));
}
