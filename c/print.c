/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - the reports that are printed. */
#include "base/fail.h"
#include "front.h"

static printer *const printers[] = {
	[GTRACE_REPORT_LONGEST] = gti_print_longest,
	[GTRACE_REPORT_DUMP] = gti_print_dump,
	[GTRACE_REPORT_SUMMARY] = gti_print_summary,
	[GTRACE_REPORT_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_STOP_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_TIMELINE] = gti_print_timeline,
	[GTRACE_REPORT_PAGE] = gti_print_page,
	[GTRACE_REPORT_WAIT_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_DELAY_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_BLOCK_PROFILE] = gti_print_block_profile,
	[GTRACE_REPORT_UNBLOCK_PROFILE] = gti_print_block_profile,
	[GTRACE_REPORT_CPU_PROFILE] = gti_print_profile,
};

enum gtrace_status gti_print_begin(struct writer *writer,
				   struct gtrace_request *request,
				   const struct gtrace_request *given,
				   const struct gtrace_output *given_output,
				   const struct gtrace_allocator *memory,
				   struct gtrace_error *error)
{
	struct gtrace_output output;
	enum gtrace_status status = GTRACE_OK;

	*request = (struct gtrace_request){.format = GTRACE_FORMAT_TEXT};
	if (given != NULL)
		status =
			gti_copy_sized(request, sizeof(*request), given, error);
	request->size = sizeof(*request);
	if (status == GTRACE_OK && (request->format < GTRACE_FORMAT_TEXT ||
				    request->format > GTRACE_FORMAT_CSV))
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "an unknown format");
	if (status == GTRACE_OK)
		status = gti_copy_sized(&output, sizeof(output), given_output,
					error);
	if (status == GTRACE_OK)
		status = gti_writer_init(writer, &output, memory, error);
	return status;
}

enum gtrace_status gti_print_end(struct writer *writer,
				 enum gtrace_status status,
				 struct gtrace_error *error)
{
	if (status == GTRACE_OK)
		return gti_writer_finish(writer, error);
	writer_commit(writer, writer->buffer);
	gti_writer_finish(writer, NULL);
	return status;
}

enum gtrace_status gtrace_print(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_output *output,
				struct gtrace_error *error)
{
	struct gtrace_request request;
	struct writer writer;
	enum gtrace_status status = gti_print_begin(
		&writer, &request, given, output, &trace->memory, error);

	if (status != GTRACE_OK)
		return status;
	if (request.report < GTRACE_REPORT_LONGEST ||
	    request.report > GTRACE_REPORT_CPU_PROFILE)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "an unknown value of request.report");
	else
		status = printers[request.report](trace, &request, &writer,
						  error);
	return gti_print_end(&writer, status, error);
}
