/* SPDX-License-Identifier: BSD-3-Clause */
/* reports.h - shorthands for calls of the public interface. */
#ifndef GTRACE_TESTS_REPORTS_H_
#define GTRACE_TESTS_REPORTS_H_

#include <gtrace/gtrace.h>

#define OPTIONS(...)                                                           \
	((struct gtrace_options){.size = sizeof(struct gtrace_options),        \
				 __VA_ARGS__})
#define OUTPUT(...)                                                            \
	((struct gtrace_output){.size = sizeof(struct gtrace_output),          \
				__VA_ARGS__})
#define REQUEST(...)                                                           \
	((struct gtrace_request){.size = sizeof(struct gtrace_request),        \
				 __VA_ARGS__})

static inline enum gtrace_status make_greedy(struct gtrace *trace, size_t n,
					     struct gtrace_reports **out,
					     struct gtrace_error *error)
{
	struct gtrace_request request = {.size = sizeof(request), .n = n};

	return gtrace_analyse(trace, &request, out, error);
}

static inline enum gtrace_status
print_greedy(struct gtrace *trace, size_t n, const struct gtrace_output *output,
	     struct gtrace_error *error)
{
	struct gtrace_request request = {.size = sizeof(request), .n = n};

	return gtrace_print(trace, &request, output, error);
}

static inline enum gtrace_status print_dump(struct gtrace *trace,
					    const struct gtrace_output *output,
					    struct gtrace_error *error)
{
	struct gtrace_request request = REQUEST(.report = GTRACE_REPORT_DUMP);

	return gtrace_print(trace, &request, output, error);
}

/* Prints REPORT, with the fields of REQUEST. */
static inline enum gtrace_status
print_report(struct gtrace *trace, enum gtrace_report report,
	     struct gtrace_request request, const struct gtrace_output *output,
	     struct gtrace_error *error)
{
	request.report = (int)report;
	return gtrace_print(trace, &request, output, error);
}

static inline enum gtrace_status
visit_slices(struct gtrace *trace,
	     int (*each)(void *context, const struct gtrace_slice *slice),
	     void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .slice = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}

static inline enum gtrace_status
visit_stops(struct gtrace *trace,
	    int (*each)(void *context, const struct gtrace_stop *stop),
	    void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .stop = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}

static inline enum gtrace_status
visit_events(struct gtrace *trace,
	     int (*each)(void *context, const struct gtrace_event *event),
	     void *context, struct gtrace_error *error)
{
	struct gtrace_visitor visitor = {
		.size = sizeof(visitor), .event = each, .context = context};

	return gtrace_visit(trace, NULL, &visitor, error);
}

#endif /* GTRACE_TESTS_REPORTS_H_ */
