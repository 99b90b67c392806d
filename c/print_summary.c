/* SPDX-License-Identifier: BSD-3-Clause */
/* print_summary.c - summaries and their comparison, written. */
#include <string.h>

#include "base/fail.h"
#include "front.h"
#include "report/compare.h"
#include "report/fields.h"
#include "report/text.h"

/* Functions that a comparison lists if the caller does not say how many. */
#define COMPARED 10

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
		gti_text_summary(writer, summary, request->width);
		return;
	}
	gti_write_line_head(writer, request->format, gti_summary_fields);
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
		gti_print_begin(&writer, &request, given, output,
				gti_summary_memory(summary), error);

	if (status != GTRACE_OK)
		return status;
	write_summary(summary, &request, &writer);
	return gti_print_end(&writer, status, error);
}

enum gtrace_status gti_print_summary(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	struct gtrace_summary *summary;
	enum gtrace_status status =
		gtrace_summarise(trace, request, &summary, error);

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
	enum gtrace_status status = gti_print_begin(&writer, &request, given,
						    output, memory, error);

	if (status != GTRACE_OK)
		return status;
	if (names != NULL)
		memcpy(comparison.names, names, sizeof(comparison.names));
	if (before->in_ticks || after->in_ticks)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a comparison needs the tick frequency, "
				  "which a trace lacks");
	else if (request.format == GTRACE_FORMAT_CSV)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a comparison is not printed as CSV");
	else if (!gti_compare(&comparison, memory))
		status = gti_fail_memory(error);
	else if (request.format == GTRACE_FORMAT_JSON)
		gti_write_line(&(struct line){.writer = &writer},
			       gti_comparison_fields, &comparison);
	else
		gti_text_comparison(&writer, &comparison,
				    request.n != 0 ? request.n : COMPARED);
	gti_compare_free(&comparison, memory);
	return gti_print_end(&writer, status, error);
}
