/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c - reports, made from one trace or several, in any format. */
#include "base/fail.h"
#include "front.h"

enum gtrace_status gti_check_lists(const struct gtrace_request *request,
				   struct gtrace_error *error)
{
	int count = (request->n != 0) + (request->stops != 0) +
		    (request->waits != 0) + (request->delays != 0) +
		    (request->blocks != 0) + (request->goroutines != 0) +
		    (request->requests != 0) +
		    (request->collections != 0) + (request->sched != 0);

	if (count == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"one of request.n, .stops, .waits, .delays, "
				".blocks, .goroutines, .requests, "
				".collections and .sched must be at "
				"least 1");
	if (request->sched < 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"request.sched is less than 0");
	if (request->format == GTRACE_FORMAT_CSV && count > 1)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"CSV output holds one report; set one of n, "
				"stops, waits, delays, blocks, goroutines, "
				"requests, collections and sched");
	return GTRACE_OK;
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
	enum gtrace_status status = gti_print_begin(&writer, &request, given,
						    output, &memory, error);

	if (status != GTRACE_OK)
		return status;
	status = gti_check_lists(&request, error);
	if (status == GTRACE_OK && !gti_write_reports(&written, &writer))
		status = gti_fail_memory(error);
	return gti_print_end(&writer, status, error);
}
