/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - filters as the public interface has them. */
#include "base/fail.h"
#include "front.h"

/* Up to this version functions have their names from a program. */
#define VERSION_WITHOUT_NAMES 1006

static bool lets_all_pass(const struct gtrace_filter *asked)
{
	return asked->g_count == 0 && asked->p_count == 0 &&
	       asked->function == NULL && asked->from == 0 && asked->to == 0 &&
	       asked->min == 0 && asked->user == 0;
}

bool gti_is_filtered(const struct gtrace_filter *given)
{
	struct gtrace_filter asked;

	return given != NULL &&
	       gti_copy_sized(&asked, sizeof(asked), given, NULL) ==
		       GTRACE_OK &&
	       !lets_all_pass(&asked);
}

/* Finds the names of functions before the pass that needs them. */
static enum gtrace_status find_names(struct gtrace *trace,
				     const struct filter *filter,
				     struct gtrace_error *error)
{
	struct observer nothing = {.memory = &trace->memory};

	if (!filter->by_names ||
	    trace->format->version(trace->self) > VERSION_WITHOUT_NAMES)
		return GTRACE_OK;
	return gti_check_trace(trace, &nothing, error);
}

enum gtrace_status gti_open_filter(struct gtrace *trace,
				   const struct gtrace_filter *given,
				   struct filter *filter, struct filter **used,
				   struct gtrace_error *error)
{
	struct gtrace_filter asked;
	enum gtrace_status status;

	*filter = (struct filter){.failed = false};
	*used = NULL;
	if (given == NULL)
		return GTRACE_OK;
	status = gti_copy_sized(&asked, sizeof(asked), given, error);
	if (status != GTRACE_OK || lets_all_pass(&asked))
		return status;
	if (gtrace_in_ticks(trace) &&
	    (asked.from != 0 || asked.to != 0 || asked.min != 0))
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"a filter has times, but those of the trace "
				"are in ticks, as its tick frequency is cut "
				"off");
	status = gti_filter_init(filter, &asked, trace->format, trace->self,
				 &trace->memory, error);
	if (status != GTRACE_OK)
		return status;
	status = find_names(trace, filter, error);
	if (status != GTRACE_OK)
		gti_filter_free(filter);
	else
		*used = filter;
	return status;
}
