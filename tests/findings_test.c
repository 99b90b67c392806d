/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings_test.c - the summary, the profiles and the timeline of every trace
 * of testdata against what visitors are told, slice by slice, stop by stop. And
 * a profile of very many goroutines.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/builder.h"
#include "tests/reports.h"
#include "tests/tracer.h"
#include "tests/traces.h"

/* What visitors are told. */
struct told {
	int64_t *lengths;
	size_t count;
	size_t capacity;
	uint64_t sum;
	uint64_t goroutines; /* sum of length by goroutine, mixed */
	uint64_t stops;
	uint64_t stopping;
	uint64_t phases; /* of stops, from the request to the end */
	uint64_t unheld; /* of that, while no goroutine had the processor */
	int64_t longest;
	uint64_t tracer_count;
	int64_t tracer_sum;
	int64_t tracer_max;
	int64_t workers[3]; /* sums of those of the collector, by mode */
};

static uint64_t mix(int64_t g, int64_t length)
{
	return (uint64_t)length * ((uint64_t)g * 0x9e3779b97f4a7c15u + 1);
}

/* Up to Go 1.21 the start of a worker has its mode as a string. */
static void tell_worker(struct told *told, const struct gtrace_slice *slice)
{
	static const char *const modes[] = {"GC (dedicated)", "GC (fractional)",
					    "GC (idle)"};
	int mode = slice->gc_worker - GTRACE_WORK_GC_DEDICATED, i;

	for (i = 0; i < 3; i++)
		if (slice->start.string_count == 1 &&
		    slice->start.strings[0].size == strlen(modes[i]) &&
		    memcmp(slice->start.strings[0].data, modes[i],
			   strlen(modes[i])) == 0)
			assert_int_equal(mode, i);
	if (slice->gc_worker != 0)
		told->workers[mode] += slice->duration;
}

static int tell_slice(void *context, const struct gtrace_slice *slice)
{
	struct told *told = context;

	if (told->count == told->capacity) {
		told->capacity = told->capacity * 2 + 64;
		told->lengths = realloc(told->lengths,
					told->capacity * sizeof(int64_t));
		assert_non_null(told->lengths);
	}
	told->lengths[told->count++] = slice->duration;
	told->sum += (uint64_t)slice->duration;
	told->goroutines += mix(slice->g, slice->duration);
	tell_worker(told, slice);
	if (!is_slice_of_tracer(slice) || slice->gc_worker != 0)
		return 0;
	told->tracer_count++;
	told->tracer_sum += slice->duration;
	if (slice->duration > told->tracer_max)
		told->tracer_max = slice->duration;
	return 0;
}

static int tell_stop(void *context, const struct gtrace_stop *stop)
{
	struct told *told = context;

	if (!stop->measured)
		return 0;
	told->stops++;
	told->stopping += (uint64_t)stop->stopping;
	told->phases += (uint64_t)(stop->ended - stop->requested);
	if (stop->late_count != 0)
		told->unheld += (uint64_t)stop->stopping;
	if (stop->late_count != 0 && stop->late->how != GTRACE_LATE_SCHEDULER)
		told->unheld -= (uint64_t)stop->late->own;
	if (stop->stopping + stop->stopped > told->longest)
		told->longest = stop->stopping + stop->stopped;
	return 0;
}

static int compare_lengths(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Asks the visitors. Returns false if the trace is at fault, as *ERROR says. */
static bool ask(struct gtrace *trace, struct told *told,
		struct gtrace_error *error)
{
	struct gtrace_request request = REQUEST(.details = 1);
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .slice = tell_slice, .context = told};
	struct gtrace_reports *reports;
	enum gtrace_status status;

	*told = (struct told){.longest = -1};
	/* Visitors are told of slices below zero, which are an error. */
	status = make_greedy(trace, 1, &reports, error);
	gtrace_reports_free(reports);
	if (status != GTRACE_OK)
		return false;
	if (gtrace_visit(trace, &request, &visitor, error) != GTRACE_OK)
		return false;
	if (visit_stops(trace, tell_stop, told, error) != GTRACE_OK)
		return false;
	if (told->count != 0)
		qsort(told->lengths, told->count, sizeof(int64_t),
		      compare_lengths);
	return true;
}

/* --------------------------------------------------------------- summary -- */

/* GOT is the nearest-rank quantile, but for 0.4 percent. */
static void check_quantile(const struct told *told, unsigned permille,
			   int64_t got)
{
	size_t rank = (told->count * permille + 999) / 1000;
	int64_t want = told->count != 0 ? told->lengths[rank - 1] : 0;
	double error = (double)(got > want ? got - want : want - got);

	if (error > (double)want / 256)
		fail_msg("quantile %u: %jd, not %jd", permille, (intmax_t)got,
			 (intmax_t)want);
}

static bool is_same(struct gtrace_string a, struct gtrace_string b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* No function stands twice. */
static void check_functions(const struct gtrace_summary *summary)
{
	const struct gtrace_function *functions = summary->functions;
	size_t i, j;

	for (i = 0; i < summary->function_count; i++)
		for (j = 0; j < i; j++)
			if (functions[i].work == functions[j].work &&
			    is_same(functions[i].frame.function,
				    functions[j].frame.function))
				fail_msg("%.*s twice",
					 (int)functions[i].frame.function.size,
					 functions[i].frame.function.data);
}

static void check_slices(const struct gtrace_summary *summary,
			 const struct told *told)
{
	const struct gtrace_distribution *slices = &summary->slices;
	uint64_t count = 0, sum = 0;
	int64_t max = 0, workers[3] = {0};
	size_t i;

	assert_int_equal(slices->count, told->count);
	assert_int_equal(slices->sum, told->sum);
	if (told->count != 0)
		assert_int_equal(slices->max, told->lengths[told->count - 1]);
	check_quantile(told, 500, slices->median);
	check_quantile(told, 990, slices->p99);
	check_quantile(told, 999, slices->p999);
	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *at = &summary->functions[i];

		count += at->count;
		sum += (uint64_t)at->sum;
		if (at->max > max)
			max = at->max;
		assert_true(i == 0 || at->sum <= at[-1].sum);
		if (at->work >= GTRACE_WORK_GC_DEDICATED)
			workers[at->work - GTRACE_WORK_GC_DEDICATED] += at->sum;
		else
			assert_true(at->work == GTRACE_WORK_PROGRAM ||
				    at->work == GTRACE_WORK_RUNTIME ||
				    at->work == GTRACE_WORK_TRACER);
	}
	assert_int_equal(count, told->count);
	assert_int_equal(sum, told->sum);
	assert_int_equal(max, slices->max);
	assert_memory_equal(workers, told->workers, sizeof(workers));
	check_functions(summary);
	assert_int_equal(summary->tracer_count, told->tracer_count);
	assert_int_equal(summary->tracer_sum, told->tracer_sum);
	assert_int_equal(summary->tracer_max, told->tracer_max);
}

static void check_stops(const struct gtrace_summary *summary,
			const struct told *told)
{
	const struct gtrace_stop *longest = summary->longest_stop;
	uint64_t count = 0, stopping = 0, unheld = 0;
	size_t i;

	assert_int_equal(summary->stops->measured, told->stops);
	for (i = 0; i < summary->holder_count; i++) {
		count += summary->holders[i].count;
		stopping += (uint64_t)summary->holders[i].sum;
		if (summary->holders[i].work == GTRACE_WORK_SCHEDULER)
			unheld += (uint64_t)summary->holders[i].sum;
	}
	assert_int_equal(count, told->stops);
	assert_int_equal(stopping, told->stopping);
	assert_int_equal(unheld, told->unheld);
	assert_int_equal(longest != NULL, told->stops != 0);
	if (longest != NULL)
		assert_int_equal(longest->stopping + longest->stopped,
				 told->longest);
}

/* The delay of the slices in REPORT that are named as FUNCTION is. */
static int64_t delay_of(const struct gtrace_delay_report *report,
			const struct gtrace_function *function)
{
	static const struct gtrace_string none = {"", 0};
	int64_t delay = 0;
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct gtrace_slice *slice = report->slices[i];
		const struct gtrace_frame *own =
			slice->caller != NULL ? slice->caller : slice->frame;

		if (is_same(own != NULL ? own->function : none,
			    function->frame.function))
			delay += slice->delay;
	}
	return delay;
}

/*
 * REPORT has all slices that made goroutines wait. Delays are rounded down to
 * nanoseconds, slice by slice, in all, and by function.
 */
static void check_delays(const struct gtrace_summary *summary,
			 const struct gtrace_delay_report *report)
{
	int64_t delay = 0, length = 0, named = 0;
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < summary->function_count; i++) {
		const struct gtrace_function *at = &summary->functions[i];

		delay += at->delay;
		count += at->delaying;
		length += at->delaying_sum;
		if (summary->delaying_count != 0 &&
		    is_same(at->frame.function,
			    summary->delaying[0]->frame.function))
			named += at->delay;
	}
	assert_true(delay <= report->behind);
	assert_true(delay + (int64_t)summary->function_count >= report->behind);
	assert_int_equal(summary->delays->behind, report->behind);
	assert_int_equal(summary->delays->waited, report->waited);
	assert_int_equal(count, report->count);
	for (i = 0; i < report->count; i++)
		length -= report->slices[i]->duration;
	assert_int_equal(length, 0);
	for (i = 0; i + 1 < summary->delaying_count; i++)
		assert_true(summary->delaying[i]->delay >=
			    summary->delaying[i + 1]->delay);
	if (summary->delaying_count == 0)
		return;
	delay = delay_of(report, summary->delaying[0]);
	assert_true(delay <= named &&
		    delay + (int64_t)summary->slices.count >= named);
}

/* The lists are those of the reports. */
static void check_lists(struct gtrace *trace,
			const struct gtrace_summary *summary)
{
	struct gtrace_request request = {.size = sizeof(request),
					 .n = 3,
					 .stops = 3,
					 .waits = 1,
					 .delays = SIZE_MAX};
	struct gtrace_reports *reports;
	size_t i;

	assert_int_equal(gtrace_analyse(trace, &request, &reports, NULL),
			 GTRACE_OK);
	assert_int_equal(summary->greedy->count, reports->greedy->count);
	for (i = 0; i < reports->greedy->count; i++)
		assert_int_equal(summary->greedy->slices[i]->start.offset,
				 reports->greedy->slices[i]->start.offset);
	assert_int_equal(summary->stops->stop_count,
			 reports->stops->stop_count);
	for (i = 0; i < reports->stops->stop_count; i++)
		assert_int_equal(summary->stops->stops[i]->number,
				 reports->stops->stops[i]->number);
	assert_int_equal(summary->stops->all.stopping,
			 reports->stops->all.stopping);
	for (i = 0; i < reports->greedy->count; i++)
		assert_true(reports->greedy->slices[i]->delay >= 0 &&
			    reports->greedy->slices[i]->delay <=
				    reports->delays->behind);
	assert_int_equal(summary->waits->whole, reports->waits->whole);
	assert_int_equal(summary->waits->all.sum, reports->waits->all.sum);
	assert_int_equal(summary->waits->all.p999, reports->waits->all.p999);
	check_delays(summary, reports->delays);
	gtrace_reports_free(reports);
}

static void check_facts(const struct gtrace_summary *summary)
{
	assert_true(summary->goroutines >= summary->goroutines_created);
	assert_true(summary->goroutines >= summary->goroutines_alive);
	assert_true(summary->goroutines_alive > 0);
	assert_true(summary->events > 0);
	assert_true(summary->procs > 0);
	assert_true(summary->collecting >= 0);
	assert_true(summary->collecting <= summary->length);
	assert_true(summary->headline.size > 0);
	assert_true(summary->time >= summary->length);
}

/* ------------------------------------------------------------------ text -- */

/* What was written. */
struct text {
	char *bytes;
	size_t size;
	size_t capacity;
};

static int collect(void *context, const void *data, size_t size)
{
	struct text *text = context;

	while (text->size + size > text->capacity) {
		text->capacity = text->capacity * 2 + 4096;
		text->bytes = realloc(text->bytes, text->capacity);
		assert_non_null(text->bytes);
	}
	memcpy(text->bytes + text->size, data, size);
	text->size += size;
	return 0;
}

/* Whether the line that has byte AT near its beginning is one flag. */
static bool is_flag(const struct text *text, size_t at)
{
	static const char flag[] = "-func='^";

	while (at > 0 && text->bytes[at - 1] != '\n')
		at--;
	return text->size - at > sizeof(flag) &&
	       memcmp(text->bytes + at, flag, sizeof(flag) - 1) == 0;
}

/* TEXT is a screen of 80 columns and 30 lines. */
static void check_screen(const struct text *text)
{
	size_t lines = 0, columns = 0, i;

	for (i = 0; i < text->size; i++) {
		unsigned char byte = (unsigned char)text->bytes[i];

		if (byte == '\n') {
			lines++;
			columns = 0;
			continue;
		}
		assert_true(byte >= 0x20 && byte != 0x7f);
		columns += (byte & 0xc0) != 0x80;
		/* A flag with a long name is not divided. */
		assert_true(columns <= 80 || is_flag(text, i - columns));
	}
	assert_true(lines <= 30);
	assert_int_equal(text->bytes[text->size - 1], '\n');
}

static size_t count_bytes(const struct text *text, char byte)
{
	size_t count = 0, i;

	for (i = 0; i < text->size; i++)
		count += text->bytes[i] == byte;
	return count;
}

static void check_text(const struct gtrace_summary *summary)
{
	struct gtrace_request request = {.size = sizeof(request)};
	struct text text = {NULL, 0, 0};
	struct gtrace_output output =
		OUTPUT(.write = collect, .context = &text);

	request.width = 80;
	assert_int_equal(gtrace_write_summary(summary, &request, &output, NULL),
			 GTRACE_OK);
	check_screen(&text);
	text.size = 0;
	request.format = GTRACE_FORMAT_JSON;
	request.name = "a\nb";
	assert_int_equal(gtrace_write_summary(summary, &request, &output, NULL),
			 GTRACE_OK);
	assert_true(text.size > 2);
	assert_ptr_equal(memchr(text.bytes, '\n', text.size),
			 text.bytes + text.size - 1);
	text.size = 0;
	request.format = GTRACE_FORMAT_CSV;
	assert_int_equal(gtrace_write_summary(summary, &request, &output, NULL),
			 GTRACE_OK);
	assert_int_equal(count_bytes(&text, '\n'), 2);
	free(text.bytes);
}

/* --------------------------------------------------------------- profile -- */

/* A message of protocol buffers that is being read. */
struct message {
	const unsigned char *at;
	const unsigned char *end;
};

/* A field of a message: a number, or a part. */
struct field {
	unsigned number;
	uint64_t value;
	struct message part;
};

static uint64_t read_number(struct message *message)
{
	uint64_t value = 0;
	unsigned shift = 0;
	unsigned char byte;

	do {
		assert_true(message->at < message->end && shift < 64);
		byte = *message->at++;
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte >= 0x80);
	return value;
}

static bool read_field(struct message *message, struct field *field)
{
	uint64_t tag;

	if (message->at == message->end)
		return false;
	tag = read_number(message);
	field->number = (unsigned)(tag >> 3);
	field->value = read_number(message);
	field->part = (struct message){message->at, message->at};
	assert_true((tag & 7) == 0 || (tag & 7) == 2);
	if ((tag & 7) == 0)
		return true;
	assert_true(field->value <= (uint64_t)(message->end - message->at));
	message->at += field->value;
	field->part.end = message->at;
	return true;
}

#define STRINGS_MAX 4096

/* What a profile holds. */
struct profile {
	struct message strings[STRINGS_MAX];
	size_t string_count;
	uint64_t locations;
	uint64_t functions;
	uint64_t max_location; /* that a sample names */
	uint64_t max_function;
	uint64_t max_string;
	uint64_t samples;
	uint64_t count;
	uint64_t time;
	uint64_t goroutines; /* as in struct told */
	uint64_t labelled;   /* samples of one goroutine */
};

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool is_string(const struct profile *profile, uint64_t number,
		      const char *text)
{
	const struct message *string = &profile->strings[number];

	return (size_t)(string->end - string->at) == strlen(text) &&
	       memcmp(string->at, text, strlen(text)) == 0;
}

static void read_label(struct profile *profile, struct message label,
		       int64_t time)
{
	struct field key, value;

	assert_true(read_field(&label, &key) && read_field(&label, &value) &&
		    !read_field(&label, &value));
	assert_int_equal(key.number, 1);
	profile->max_string = max(profile->max_string, key.value);
	if (is_string(profile, key.value, "goroutine")) {
		/* A number; the work is that of a string. */
		assert_int_equal(value.number, 3);
		profile->goroutines += mix((int64_t)value.value, time);
		profile->labelled++;
		return;
	}
	assert_true(is_string(profile, key.value, "work") ||
		    is_string(profile, key.value, "phase"));
	assert_int_equal(value.number, 2);
	profile->max_string = max(profile->max_string, value.value);
}

static void read_sample(struct profile *profile, struct message sample)
{
	uint64_t count = 0, time = 0;
	struct field field;

	while (read_field(&sample, &field)) {
		if (field.number == 1) {
			assert_true(field.part.at < field.part.end);
			while (field.part.at < field.part.end)
				profile->max_location =
					max(profile->max_location,
					    read_number(&field.part));
		} else if (field.number == 2) {
			count = read_number(&field.part);
			time = read_number(&field.part);
			assert_ptr_equal(field.part.at, field.part.end);
		} else {
			assert_int_equal(field.number, 3);
			read_label(profile, field.part, (int64_t)time);
		}
	}
	profile->samples++;
	profile->count += count;
	profile->time += time;
}

static void read_location(struct profile *profile, struct message location)
{
	struct field field, line;

	while (read_field(&location, &field)) {
		if (field.number == 1)
			assert_int_equal(field.value, ++profile->locations);
		while (field.number == 4 && read_field(&field.part, &line))
			if (line.number == 1)
				profile->max_function =
					max(profile->max_function, line.value);
	}
}

static void read_function(struct profile *profile, struct message function)
{
	struct field field;

	while (read_field(&function, &field)) {
		if (field.number == 1)
			assert_int_equal(field.value, ++profile->functions);
		else
			profile->max_string =
				max(profile->max_string, field.value);
	}
}

static void read_profile(const struct text *text, struct profile *profile)
{
	const unsigned char *bytes = (const unsigned char *)text->bytes;
	struct message whole = {bytes, bytes + text->size}, again = whole;
	struct field field;

	*profile = (struct profile){.string_count = 0};
	while (read_field(&again, &field))
		if (field.number == 6) {
			assert_true(profile->string_count < STRINGS_MAX);
			profile->strings[profile->string_count++] = field.part;
		}
	assert_ptr_equal(profile->strings[0].at, profile->strings[0].end);
	while (read_field(&whole, &field)) {
		if (field.number == 2)
			read_sample(profile, field.part);
		else if (field.number == 4)
			read_location(profile, field.part);
		else if (field.number == 5)
			read_function(profile, field.part);
	}
	assert_true(profile->max_location <= profile->locations);
	assert_true(profile->max_function <= profile->functions);
	assert_true(profile->max_string < profile->string_count);
}

static void check_profile(struct gtrace *trace, const struct told *told,
			  enum gtrace_report what)
{
	static struct profile profile;
	struct text text = {NULL, 0, 0};
	struct gtrace_output output =
		OUTPUT(.write = collect, .context = &text);

	assert_int_equal(
		print_report(trace, what, REQUEST(.n = 0), &output, NULL),
		GTRACE_OK);
	read_profile(&text, &profile);
	if (what == GTRACE_REPORT_PROFILE) {
		assert_int_equal(profile.count, told->count);
		assert_int_equal(profile.time, told->sum);
		assert_int_equal(profile.goroutines, told->goroutines);
	} else {
		assert_int_equal(profile.count, told->stops);
		assert_int_equal(profile.time, told->phases);
	}
	free(text.bytes);
}

/* -------------------------------------------------------------- timeline -- */

/* The number after NAME in LINE, without its decimal point. */
static uint64_t number_after(const char *line, const char *name)
{
	const char *at = strstr(line, name);
	uint64_t value = 0;

	assert_non_null(at);
	for (at += strlen(name); (*at >= '0' && *at <= '9') || *at == '.'; at++)
		if (*at != '.')
			value = value * 10 + (uint64_t)(*at - '0');
	return value;
}

static void check_timeline(struct gtrace *trace, const struct told *told)
{
	static const char slice[] = ",{\"ph\":\"X\",\"pid\":1,";
	struct text text = {NULL, 0, 0};
	struct gtrace_output output =
		OUTPUT(.write = collect, .context = &text);
	uint64_t count = 0, sum = 0;
	char *line, *rest = NULL;

	assert_int_equal(print_report(trace, GTRACE_REPORT_TIMELINE,
				      REQUEST(.n = 0), &output, NULL),
			 GTRACE_OK);
	collect(&text, "", 1);
	for (line = strtok_r(text.bytes, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		/* A processor can be held without one. */
		if (strncmp(line, slice, sizeof(slice) - 1) != 0 ||
		    strstr(line, "\"without a goroutine\"") != NULL)
			continue;
		count++;
		sum += number_after(line, "\"dur\":");
	}
	assert_int_equal(count, told->count);
	assert_int_equal(sum, told->sum);
	free(text.bytes);
}

/* ------------------------------------------------------- many goroutines -- */

#define CROWD    33000
#define LABELLED 30000

/* Each goroutine runs for one nanosecond. */
static void build_crowd(struct builder *b)
{
	uint64_t g;

	builder_open(b, 1008);
	builder_header(b);
	builder_batch(b, 0, 5);
	for (g = 1; g <= CROWD; g++) {
		BUILDER_EVENT(b, EV_GO_CREATE, 1, g, 0, 0);
		BUILDER_EVENT(b, EV_GO_START_LOCAL, 1, g);
		BUILDER_EVENT(b, EV_GO_END, 1);
	}
	builder_frequency(b, 1000000000);
}

/* The first ones have samples of their own, and the others have one. */
static void test_many_goroutines(void **state)
{
	static struct profile profile;
	struct text text = {NULL, 0, 0};
	struct gtrace_output output =
		OUTPUT(.write = collect, .context = &text);
	uint64_t goroutines = 0;
	struct gtrace *trace;
	struct builder b;
	int64_t g;

	(void)state;
	build_crowd(&b);
	assert_int_equal(
		gtrace_open_memory(b.bytes, b.size, NULL, &trace, NULL),
		GTRACE_OK);
	assert_int_equal(print_report(trace, GTRACE_REPORT_PROFILE,
				      REQUEST(.n = 0), &output, NULL),
			 GTRACE_OK);
	read_profile(&text, &profile);
	for (g = 1; g <= LABELLED; g++)
		goroutines += mix(g, 1);
	assert_int_equal(profile.labelled, LABELLED);
	assert_int_equal(profile.goroutines, goroutines);
	assert_int_equal(profile.samples, LABELLED + 1);
	assert_int_equal(profile.count, CROWD);
	assert_int_equal(profile.time, CROWD);
	gtrace_close(trace);
	builder_close(&b);
	free(text.bytes);
}

/* ------------------------------------------------------------ each trace -- */

static void check_trace(const char *path)
{
	struct gtrace_error error, fault;
	struct gtrace_summary *summary;
	struct gtrace *trace;
	struct told told;

	print_message("%s\n", path);
	if (gtrace_open_path(path, NULL, &trace, &error) != GTRACE_OK)
		return;
	if (ask(trace, &told, &error)) {
		if (gtrace_summarise(trace, NULL, &summary, &fault) !=
		    GTRACE_OK)
			fail_msg("%s", fault.message);
		check_slices(summary, &told);
		check_stops(summary, &told);
		check_facts(summary);
		check_lists(trace, summary);
		check_text(summary);
		check_profile(trace, &told, GTRACE_REPORT_PROFILE);
		check_profile(trace, &told, GTRACE_REPORT_STOP_PROFILE);
		check_timeline(trace, &told);
		gtrace_summary_free(summary);
	} else {
		assert_int_not_equal(
			gtrace_summarise(trace, NULL, &summary, &fault),
			GTRACE_OK);
		assert_null(summary);
		assert_string_equal(fault.message, error.message);
	}
	free(told.lengths);
	gtrace_close(trace);
}

static void test_every_trace(void **state)
{
	(void)state;
	assert_true(each_trace(check_trace) > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_trace),
		cmocka_unit_test(test_many_goroutines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
