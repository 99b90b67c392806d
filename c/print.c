/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c - the reports that are printed. */
#include "base/fail.h"
#include "front.h"

typedef enum gtrace_status printer(struct gtrace *trace,
				   const struct gtrace_request *request,
				   const struct gtrace_output *output,
				   struct gtrace_error *error);

static printer *const printers[] = {
	[GTRACE_REPORT_LONGEST] = gti_print_longest,
	[GTRACE_REPORT_DUMP] = gti_print_dump,
	[GTRACE_REPORT_SUMMARY] = gti_print_summary,
	[GTRACE_REPORT_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_STOP_PROFILE] = gti_print_profile,
	[GTRACE_REPORT_TIMELINE] = gti_print_timeline,
	[GTRACE_REPORT_PAGE] = gti_print_page,
};

enum gtrace_status gtrace_print(struct gtrace *trace,
				const struct gtrace_request *given,
				const struct gtrace_output *output,
				struct gtrace_error *error)
{
	struct gtrace_request request;
	enum gtrace_status status =
		gti_copy_sized(&request, sizeof(request), given, error);

	if (status != GTRACE_OK)
		return status;
	if (request.report < GTRACE_REPORT_LONGEST ||
	    request.report > GTRACE_REPORT_PAGE)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"an unknown value of request.report");
	request.size = sizeof(request);
	return printers[request.report](trace, &request, output, error);
}
