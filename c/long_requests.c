/* SPDX-License-Identifier: BSD-3-Clause */
/* long_requests.c - the requests that took longer than a filter says. */
#include "base/fail.h"
#include "base/times.h"
#include "run.h"

/* Adds SPANS, struct request_span. Returns false if there is no memory. */
static bool add_long(struct long_requests *all, const struct array *spans)
{
	const struct request_span *items = spans->items;
	size_t i;

	for (i = 0; i < spans->count; i++) {
		const struct long_request one = {
			.g = items[i].begun_by,
			.from = items[i].begun,
			.to = add_ns(items[i].begun, items[i].length),
		};

		if (!gti_long_requests_add(all, &one))
			return false;
	}
	return true;
}

static enum gtrace_status make_long(struct run *run, struct gtrace_error *error)
{
	const struct requests *requests = &run->blocks.requests;
	const struct request_group *groups = requests->groups.items;
	struct long_requests *all = run->wanted->context;
	bool good = true;
	size_t i;

	for (i = 0; i < requests->groups.count && good; i++)
		good = (groups[i].count == 0 ||
			add_long(all, &groups[i].spans)) &&
		       add_long(all, &groups[i].open);
	if (!good)
		return gti_fail_memory(error);
	gti_long_requests_sort(all);
	return GTRACE_OK;
}

/* Whether nothing is wanted but requests, which their length lets pass. */
static bool is_of_requests(const struct wanted *wanted)
{
	const struct gtrace_request *request = &wanted->request;
	int served = (request->requests != 0) + (request->paths != 0);

	return wanted->sinks == NULL && wanted->sums == SUMS_OF_NOTHING &&
	       !wanted->holders && !wanted->causes && served != 0 &&
	       gti_count_lists(request) == served;
}

enum gtrace_status gti_find_long_requests(struct gtrace *trace,
					  const struct wanted *wanted,
					  struct long_requests *all,
					  struct gtrace_error *error)
{
	struct gtrace_filter asked;
	enum gtrace_status status = gti_copy_sized(
		&asked, sizeof(asked), wanted->request.filter, error);
	const struct gtrace_filter longer = {
		.size = sizeof(longer), .requests_over = asked.requests_over};
	const struct wanted requests = {
		.request = {.requests = 1,
			    .root = wanted->request.root,
			    .at = wanted->request.at,
			    .filter = &longer},
		.spans = true,
		.make = make_long,
		.context = all,
	};

	if (status != GTRACE_OK || asked.requests_over <= 0 ||
	    gtrace_in_ticks(trace) || is_of_requests(wanted))
		return status;
	all->memory = &trace->memory;
	status = gti_run(trace, &requests, error);
	if (status != GTRACE_OK)
		gti_long_requests_free(all);
	return status;
}
