/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request.c - which fields of a request count for which function. A field
 * that would have no effect is refused.
 */
#include <stdbool.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/reports.h"
#include "front.h"

/* What a request is for, as bits. */
enum {
	/* Lists, as structs and printed: one request makes and writes them. */
	FOR_LISTS = 1 << REQUEST_LISTS,
	/* The same of a summary and of a comparison. */
	FOR_SUMMARY = 1 << REQUEST_SUMMARY,
	FOR_COMPARISON = 1 << REQUEST_COMPARISON,
	FOR_VISIT = 1 << REQUEST_VISIT,
	FOR_FOLLOW = 1 << REQUEST_FOLLOW,
	FOR_DUMP = 1 << REQUEST_DUMP,
	FOR_PROFILE = 1 << REQUEST_PROFILE,
	FOR_PATH_PROFILE = 1 << REQUEST_PATH_PROFILE,
	FOR_TIMELINE = 1 << REQUEST_TIMELINE,
	FOR_PAGE = 1 << REQUEST_PAGE,
	FOR_SUMMARIES = FOR_SUMMARY | FOR_COMPARISON,
	FOR_PRINTED = FOR_LISTS | FOR_SUMMARIES | FOR_DUMP | FOR_PROFILE |
		      FOR_PATH_PROFILE | FOR_TIMELINE | FOR_PAGE,
};

static const char *const uses[] = {
	[REQUEST_LISTS] = "gtrace_analyse() and its lists",
	[REQUEST_SUMMARY] = "a summary",
	[REQUEST_COMPARISON] = "a comparison",
	[REQUEST_VISIT] = "gtrace_visit()",
	[REQUEST_FOLLOW] = "gtrace_follow()",
	[REQUEST_DUMP] = "a dump",
	[REQUEST_PROFILE] = "a profile",
	[REQUEST_PATH_PROFILE] = "a profile of paths",
	[REQUEST_TIMELINE] = "a timeline",
	[REQUEST_PAGE] = "a page",
};

/* A field of a struct: where it is, and what it counts for. */
struct counted_field {
	const char *name;
	size_t offset;
	size_t size;
	unsigned counts;
};

#define REQUEST(member, counts)                                                \
	{                                                                      \
#member, offsetof(struct gtrace_request, member),              \
			sizeof(((struct gtrace_request *)NULL)->member),       \
			counts                                                 \
	}

#define ASKED(NAME, report, asked, uses, ...) REQUEST(asked, uses),

/* Each field has a line; one without it is refused for all. */
/* clang-format off */
static const struct counted_field request_fields[] = {
	REPORTS(ASKED)
	REQUEST(format, FOR_LISTS | FOR_SUMMARIES | FOR_DUMP),
	REQUEST(filter, FOR_PRINTED | FOR_VISIT | FOR_FOLLOW),
	REQUEST(name, FOR_PRINTED),
	REQUEST(details, FOR_LISTS | FOR_SUMMARIES | FOR_VISIT),
	REQUEST(report, FOR_COMPARISON), /* gtrace_print() has looked at it */
	REQUEST(parts, FOR_LISTS | FOR_SUMMARIES),
	REQUEST(width, FOR_SUMMARIES),
	REQUEST(rows, FOR_LISTS | FOR_SUMMARIES),
	REQUEST(brief, FOR_LISTS | FOR_SUMMARIES),
	REQUEST(root, FOR_LISTS | FOR_PATH_PROFILE),
	REQUEST(at, FOR_LISTS | FOR_PATH_PROFILE),
	REQUEST(by_cpu, FOR_LISTS),
	REQUEST(kept, FOR_LISTS | FOR_PATH_PROFILE),
};
/* clang-format on */

#define REQUEST_FIELDS (sizeof(request_fields) / sizeof(request_fields[0]))

/* Whether any of the SIZE bytes at P is not 0. */
static bool is_set(const void *p, size_t size)
{
	const unsigned char *bytes = p;

	while (size-- > 0)
		if (*bytes++ != 0)
			return true;
	return false;
}

static enum gtrace_status fail_field(const char *name, enum request_use use,
				     struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
			"request.%s does not count for %s", name, uses[use]);
}

static enum gtrace_status check_fields(const struct gtrace_request *request,
				       enum request_use use,
				       struct gtrace_error *error)
{
	size_t i;

	for (i = 0; i < REQUEST_FIELDS; i++) {
		const struct counted_field *field = &request_fields[i];

		if ((field->counts & 1u << use) == 0 &&
		    is_set((const char *)request + field->offset, field->size))
			return fail_field(field->name, use, error);
	}
	return GTRACE_OK;
}

/* ----------------------------------------------------------------- lists -- */

/* Fails with NAME of a field that is SET, and for which NEEDED is not. */
static enum gtrace_status need(bool set, bool needed, const char *name,
			       const char *what, struct gtrace_error *error)
{
	return set && !needed
		       ? gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "request.%s counts only with %s", name, what)
		       : GTRACE_OK;
}

/* Whether PART of the filter applies to a list of REQUEST. */
static bool applies(const struct gtrace_request *request, unsigned part)
{
	unsigned parts = 0;

#define FILTERED(NAME, report, asked, uses, filters, ...)                      \
	parts |= request->asked != 0 ? (filters) : 0u;
	REPORTS(FILTERED)
#undef FILTERED
	return (parts & part) != 0;
}

/* What the lists of REQUEST make of the filter. */
static enum gtrace_status check_filter(const struct gtrace_request *request,
				       struct gtrace_error *error)
{
	struct gtrace_filter filter;
	bool of_g = applies(request, FILTER_G);
	bool all = applies(request, FILTER_OTHERS);
	enum gtrace_status status =
		gti_copy_sized(&filter, sizeof(filter), request->filter, error);
	const struct {
		bool set, needed;
		const char *name, *what;
	} fields[] = {
		{filter.g_count != 0, of_g, "filter.g",
		 "lists of slices, pauses, waits, blocks, goroutines or paths"},
		{filter.p_count != 0, all, "filter.p",
		 "lists of slices, pauses, waits or blocks"},
		{filter.function != NULL, all, "filter.function",
		 "lists of slices, pauses, waits or blocks"},
		{filter.min != 0, all, "filter.min",
		 "lists of slices, pauses, waits or blocks"},
		{filter.user != 0, all, "filter.user",
		 "lists of slices, pauses, waits or blocks"},
		{filter.requests_over != 0,
		 applies(request, FILTER_REQUESTS) ||
			 (request->paths != 0 && filter.g_count == 0),
		 "filter.requests_over",
		 "lists of slices, pauses, waits, blocks, requests or paths of "
		 "requests"},
	};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (status == GTRACE_OK)
			status = need(fields[i].set, fields[i].needed,
				      fields[i].name, fields[i].what, error);
	return status;
}

static enum gtrace_status check_lists(const struct gtrace_request *request,
				      struct gtrace_error *error)
{
	bool served = request->requests != 0 || request->paths != 0;
	enum gtrace_status status = GTRACE_OK;

	if (gti_count_lists(request) == 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"one of request%s must be at least 1",
				gti_name_lists(".").text);
	if (request->sched < 0)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"request.sched is less than 0");
	status = need(request->root != NULL, served, "root",
		      "request.requests and .paths", error);
	if (status == GTRACE_OK)
		status = need(request->at != NULL, served, "at",
			      "request.requests and .paths", error);
	if (status == GTRACE_OK)
		status = need(request->kept != 0, request->paths != 0, "kept",
			      "request.paths", error);
	if (status == GTRACE_OK)
		status = need(request->by_cpu != 0, request->n != 0, "by_cpu",
			      "request.n", error);
	if (status == GTRACE_OK)
		status = need(request->parts != 0, request->waits != 0, "parts",
			      "request.waits", error);
	return status == GTRACE_OK ? check_filter(request, error) : status;
}

struct list_names gti_name_lists(const char *before)
{
#define NAMED(NAME, report, asked, ...) #asked,
	static const char *const names[] = {REPORTS(NAMED)};
#undef NAMED
	struct list_names to = {.text = ""};
	size_t used = 0, i;

	for (i = 0; i < LIST_COUNT && used < sizeof(to.text); i++)
		used += (size_t)snprintf(to.text + used, sizeof(to.text) - used,
					 "%s%s%s",
					 i == 0                ? ""
					 : i + 1 == LIST_COUNT ? " and "
							       : ", ",
					 before, names[i]);
	return to;
}

int gti_count_lists(const struct gtrace_request *request)
{
#define COUNTED(NAME, report, asked, ...) +(request->asked != 0)
	return 0 REPORTS(COUNTED);
#undef COUNTED
}

enum gtrace_status gti_check_request(const struct gtrace_request *request,
				     enum request_use use,
				     struct gtrace_error *error)
{
	enum gtrace_status status = check_fields(request, use, error);

	if (status == GTRACE_OK && (request->format < GTRACE_FORMAT_TEXT ||
				    request->format > GTRACE_FORMAT_CSV))
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "an unknown value of request.format");
	if (status == GTRACE_OK && use == REQUEST_LISTS)
		status = check_lists(request, error);
	if (status == GTRACE_OK && use == REQUEST_PATH_PROFILE)
		status = check_filter(
			&(struct gtrace_request){.paths = 1,
						 .filter = request->filter},
			error);
	return status;
}

enum gtrace_status gti_take_request(struct gtrace_request *request,
				    const struct gtrace_request *given,
				    enum request_use use,
				    struct gtrace_error *error)
{
	enum gtrace_status status =
		gti_copy_sized(request, sizeof(*request), given, error);

	return status == GTRACE_OK ? gti_check_request(request, use, error)
				   : status;
}
