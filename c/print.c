/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - the reports, of one trace or several, as text, JSON or CSV. */
#include <string.h>

#include "base/fail.h"
#include "front.h"
#include "report/compare.h"
#include "report/fields.h"
#include "report/text.h"

/* Functions that a comparison lists if the caller does not say how many. */
#define COMPARED 10

enum gtrace_status gti_open_writer(struct writer *writer,
				   const struct gtrace_output *given,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error)
{
	struct gtrace_output output;
	enum gtrace_status status =
		gti_copy_sized(&output, sizeof(output), given, error);

	return status == GTRACE_OK
		       ? gti_writer_init(writer, &output, memory, error)
		       : status;
}

enum gtrace_status gti_close_writer(struct writer *writer,
				    enum gtrace_status status,
				    struct gtrace_error *error)
{
	if (status == GTRACE_OK)
		return gti_writer_finish(writer, error);
	writer_commit(writer, writer->buffer);
	gti_writer_finish(writer, NULL);
	return status;
}

/* ----------------------------------------------------------------- lists -- */

/* Fails with GTRACE_ERROR_ARGUMENT if REQUEST cannot be printed. */
static enum gtrace_status check_printed(const struct gtrace_request *request,
					struct gtrace_error *error)
{
	if (request->format == GTRACE_FORMAT_CSV &&
	    gti_count_lists(request) > 1)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"CSV output holds one report; set one of %s",
				gti_name_lists("").text);
	return GTRACE_OK;
}

static enum gtrace_status print_longest(struct gtrace *trace,
					const struct gtrace_request *given,
					struct writer *writer,
					struct gtrace_error *error)
{
	struct gtrace_request request = *given;
	struct gtrace_reports *reports;
	const struct written written = {
		.reports = (const struct gtrace_reports *const *)&reports,
		.names = &request.name,
		.count = 1,
		.request = &request,
	};
	enum gtrace_status status = check_printed(&request, error);

	if (status != GTRACE_OK)
		return status;
	request.details |= request.format != GTRACE_FORMAT_TEXT;
	status = gtrace_analyse(trace, &request, &reports, error);
	if (status == GTRACE_OK && !gti_write_reports(&written, writer))
		status = gti_fail_memory(error);
	gtrace_reports_free(reports);
	return status;
}

enum gtrace_status gtrace_write(const struct gtrace_reports *const *reports,
				const char *const *names, size_t count,
				const struct gtrace_request *given,
				const struct gtrace_output *output,
				struct gtrace_error *error)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct gtrace_request request;
	struct writer writer;
	const struct written written = {reports, names, count, &request};
	enum gtrace_status status =
		gti_take_request(&request, given, REQUEST_LISTS, error);

	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, &memory, error);
	if (status != GTRACE_OK)
		return status;
	status = check_printed(&request, error);
	if (status == GTRACE_OK && !gti_write_reports(&written, &writer))
		status = gti_fail_memory(error);
	return gti_close_writer(&writer, status, error);
}

/* --------------------------------------------------------------- summary -- */

static size_t least(size_t a, size_t b)
{
	return b == 0 || a < b ? a : b;
}

static void write_summary(const struct gtrace_summary *summary,
			  const struct gtrace_request *request,
			  struct writer *writer)
{
	const struct line line = {
		.writer = writer,
		.format = request->format,
		.trace = request->name,
		.in_ticks = summary->in_ticks != 0,
	};
	struct gtrace_summary cut = *summary;

	if (request->format == GTRACE_FORMAT_TEXT) {
		gti_text_summary(writer, summary, request->name,
				 request->width);
		return;
	}
	gti_write_line_head(&line, gti_summary_fields);
	cut.function_count = least(cut.function_count, request->rows);
	cut.holder_count = least(cut.holder_count, request->rows);
	cut.finding_count = least(cut.finding_count, request->rows);
	gti_write_line(&line, gti_summary_fields, &cut);
}

enum gtrace_status gtrace_write_summary(const struct gtrace_summary *summary,
					const struct gtrace_request *given,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	struct gtrace_request request;
	struct writer writer;
	enum gtrace_status status =
		gti_take_request(&request, given, REQUEST_SUMMARY, error);

	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output,
					 gti_summary_memory(summary), error);
	if (status != GTRACE_OK)
		return status;
	write_summary(summary, &request, &writer);
	return gti_close_writer(&writer, status, error);
}

static enum gtrace_status print_summary(struct gtrace *trace,
					const struct gtrace_request *request,
					struct writer *writer,
					struct gtrace_error *error)
{
	struct gtrace_request asked = *request;
	struct gtrace_summary *summary;
	enum gtrace_status status;

	asked.report = 0;
	status = gtrace_summarise(trace, &asked, &summary, error);
	if (status == GTRACE_OK)
		write_summary(summary, request, writer);
	gtrace_summary_free(summary);
	return status;
}

/* --------------------------------------------------------------- compare -- */

enum gtrace_status gtrace_print_comparison(const struct gtrace_summary *before,
					   const struct gtrace_summary *after,
					   const char *const *names,
					   const struct gtrace_request *given,
					   const struct gtrace_output *output,
					   struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = gti_summary_memory(before);
	struct comparison comparison = {.before = before, .after = after};
	struct gtrace_request request;
	struct writer writer;
	size_t wanted;
	enum gtrace_status status =
		gti_take_request(&request, given, REQUEST_COMPARISON, error);

	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, memory, error);
	if (status != GTRACE_OK)
		return status;
	wanted = request.n != 0 ? request.n : COMPARED;
	if (names != NULL)
		memcpy(comparison.names, names, sizeof(comparison.names));
	if (before->in_ticks || after->in_ticks)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a comparison needs the tick frequency, "
				  "which a trace lacks");
	else if (request.report != 0 && request.report != GTRACE_REPORT_PAGE)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "request.report of a comparison is a page or "
				  "0");
	else if (request.format == GTRACE_FORMAT_CSV)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a comparison is not printed as CSV");
	else if (!gti_compare(&comparison, memory))
		status = gti_fail_memory(error);
	else if (request.report == GTRACE_REPORT_PAGE)
		gti_html_comparison(&writer, &comparison, wanted);
	else if (request.format == GTRACE_FORMAT_JSON)
		gti_write_line(&(struct line){.writer = &writer},
			       gti_comparison_fields, &comparison);
	else
		gti_text_comparison(&writer, &comparison, wanted);
	gti_compare_free(&comparison, memory);
	return gti_close_writer(&writer, status, error);
}

/* ----------------------------------------------------------- all reports -- */

/* The others are profiles. */
static printer *const printers[GTRACE_REPORT_PATH_PROFILE + 1] = {
	[GTRACE_REPORT_LONGEST] = print_longest,
	[GTRACE_REPORT_DUMP] = gti_print_dump,
	[GTRACE_REPORT_SUMMARY] = print_summary,
	[GTRACE_REPORT_TIMELINE] = gti_print_timeline,
	[GTRACE_REPORT_PAGE] = gti_print_page,
};

static enum request_use use_of(int report)
{
	switch (report) {
	case GTRACE_REPORT_LONGEST:
		return REQUEST_LISTS;
	case GTRACE_REPORT_DUMP:
		return REQUEST_DUMP;
	case GTRACE_REPORT_SUMMARY:
		return REQUEST_SUMMARY;
	case GTRACE_REPORT_TIMELINE:
		return REQUEST_TIMELINE;
	case GTRACE_REPORT_PAGE:
		return REQUEST_PAGE;
	case GTRACE_REPORT_PATH_PROFILE:
		return REQUEST_PATH_PROFILE;
	default:
		return REQUEST_PROFILE;
	}
}

/* Copies the request GIVEN of what is printed, and checks it. */
static enum gtrace_status take_printed(struct gtrace_request *request,
				       const struct gtrace_request *given,
				       struct gtrace_error *error)
{
	struct gtrace_request rest;
	enum gtrace_status status =
		gti_copy_sized(request, sizeof(*request), given, error);

	if (status != GTRACE_OK)
		return status;
	request->size = sizeof(*request);
	if (request->report < GTRACE_REPORT_LONGEST ||
	    request->report > GTRACE_REPORT_PATH_PROFILE)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"an unknown value of request.report");
	rest = *request;
	rest.report = 0;
	return gti_check_request(&rest, use_of(request->report), error);
}

enum gtrace_status gtrace_print(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_output *output,
				struct gtrace_error *error)
{
	struct gtrace_request request;
	struct writer writer;
	enum gtrace_status status = take_printed(&request, given, error);

	if (status == GTRACE_OK)
		status =
			gti_open_writer(&writer, output, &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	if (printers[request.report] != NULL)
		status = printers[request.report](trace, &request, &writer,
						  error);
	else
		status = gti_print_profile(trace, &request, &writer, error);
	return gti_close_writer(&writer, status, error);
}
