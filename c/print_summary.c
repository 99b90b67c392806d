/* SPDX-License-Identifier: BSD-3-Clause */
/* print_summary.c - summaries and their comparison, written. */
#include <string.h>

#include "base/fail.h"
#include "front.h"
#include "report/compare.h"
#include "report/fields.h"
#include "report/summary.h"

/* Functions that a comparison lists if the caller does not say how many. */
#define COMPARED 10

enum gtrace_status gtrace_write_summary(const struct gtrace_summary *summary,
					const struct gtrace_request *given,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = gti_summary_memory(summary);
	struct gtrace_request request = {.size = sizeof(request)};
	enum gtrace_status status = GTRACE_OK;
	struct writer writer;

	if (given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
	if (status == GTRACE_OK)
		status = gti_check_format(request.format, error);
	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, memory, error);
	if (status != GTRACE_OK)
		return status;
	if (request.format == GTRACE_FORMAT_TEXT) {
		gti_text_summary(&writer, summary);
	} else {
		gti_write_line_head(&writer, request.format,
				    gti_summary_fields);
		gti_write_line(
			&(struct line){.writer = &writer,
				       .format = request.format,
				       .trace = request.name,
				       .in_ticks = summary->in_ticks != 0},
			gti_summary_fields, summary);
	}
	return gti_writer_finish(&writer, error);
}

enum gtrace_status gti_print_summary(struct gtrace *trace,
				     const struct gtrace_request *request,
				     const struct gtrace_output *output,
				     struct gtrace_error *error)
{
	struct gtrace_summary *summary;
	enum gtrace_status status =
		gtrace_summarise(trace, request, &summary, error);

	if (status != GTRACE_OK)
		return status;
	status = gtrace_write_summary(summary, request, output, error);
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
	struct gtrace_request request = {.size = sizeof(request)};
	struct comparison comparison = {.before = before, .after = after};
	enum gtrace_status status = GTRACE_OK;
	struct writer writer;

	if (before->in_ticks || after->in_ticks)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a comparison needs the tick frequency, which "
				"a trace lacks");
	if (names != NULL)
		memcpy(comparison.names, names, sizeof(comparison.names));
	if (given != NULL)
		status =
			gti_copy_sized(&request, sizeof(request), given, error);
	if (status == GTRACE_OK)
		status = gti_check_format(request.format, error);
	if (status == GTRACE_OK && request.format == GTRACE_FORMAT_CSV)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a comparison is not printed as CSV");
	if (status == GTRACE_OK && !gti_compare(&comparison, memory))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, memory, error);
	if (status == GTRACE_OK) {
		if (request.format == GTRACE_FORMAT_JSON)
			gti_write_line(&(struct line){.writer = &writer},
				       gti_comparison_fields, &comparison);
		else
			gti_text_comparison(&writer, &comparison,
					    request.n != 0 ? request.n
							   : COMPARED);
		status = gti_writer_finish(&writer, error);
	}
	gti_compare_free(&comparison, memory);
	return status;
}
