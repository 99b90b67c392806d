/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c - reports, made from one trace or several, in any format. */
#include "base/fail.h"
#include "front.h"
#include "report/fields.h"
#include "report/lists.h"
#include "report/stops_text.h"
#include "report/text.h"

/* The lists of stops that a report has. */
enum stop_list { STOPS_MEASURED, STOPS_INFERRED, STOPS_UNMEASURED, STOP_LISTS };

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The name of trace AT as it is to be shown; NULL: not. */
static const char *name_of(const struct written *written, size_t at)
{
	if (written->format == GTRACE_FORMAT_TEXT && written->count < 2)
		return NULL;
	return written->names != NULL ? written->names[at] : NULL;
}

/* --------------------------------------------------------------- greedy -- */

static size_t count_slices(const struct written *written)
{
	size_t total = 0, at;

	for (at = 0; at < written->count; at++)
		if (written->greedy[at] != NULL)
			total += written->greedy[at]->count;
	return total;
}

static struct listed_slice listed_slice(const struct written *written,
					size_t at, size_t number)
{
	struct listed_slice listed = {
		.slice = written->greedy[at]->slices[number],
		.trace = name_of(written, at),
		.trace_version = written->greedy[at]->trace_version,
		.in_ticks = written->greedy[at]->in_ticks != 0,
	};

	return listed;
}

/* Writes the first COUNT slices of several reports, which have TOTAL. */
static bool merge_slices(const struct written *written, size_t count,
			 size_t total, struct writer *writer)
{
	struct listed_slice *slices =
		gti_allocate_zeroed(writer->memory, total, sizeof(*slices));
	size_t place = 0, at, i;

	if (slices == NULL)
		return false;
	for (at = 0; at < written->count; at++) {
		const struct gtrace_greedy_report *report = written->greedy[at];

		for (i = 0; report != NULL && i < report->count; i++) {
			slices[place] = listed_slice(written, at, i);
			slices[place].place = place;
			place++;
		}
	}
	gti_sort_slices(slices, total);
	gti_write_slices_head(writer, count, written->format);
	for (i = 0; i < count; i++)
		gti_write_slice(writer, &slices[i], written->format);
	gti_release(writer->memory, slices, total * sizeof(*slices));
	return true;
}

bool gti_write_greedy(const struct written *written, size_t wanted,
		      struct writer *writer)
{
	size_t total = count_slices(written), count = total, i;
	struct listed_slice listed;

	if (wanted != 0)
		count = min_size(wanted, total);
	if (written->count > 1 && total != 0)
		return merge_slices(written, count, total, writer);
	gti_write_slices_head(writer, count, written->format);
	for (i = 0; i < count; i++) {
		listed = listed_slice(written, 0, i);
		gti_write_slice(writer, &listed, written->format);
	}
	return true;
}

/* ---------------------------------------------------------------- stops -- */

static size_t list_of(const struct gtrace_stop_report *report,
		      enum stop_list list,
		      const struct gtrace_stop *const **stops)
{
	*stops = NULL;
	if (report == NULL)
		return 0;
	switch (list) {
	case STOPS_MEASURED:
		*stops = report->stops;
		return report->stop_count;
	case STOPS_INFERRED:
		*stops = report->inferred_stops;
		return report->inferred_count;
	default:
		*stops = report->unmeasured_stops;
		return report->unmeasured_count;
	}
}

static size_t count_stops(const struct written *written, enum stop_list list)
{
	const struct gtrace_stop *const *stops;
	size_t total = 0, at;

	for (at = 0; at < written->count; at++)
		total += list_of(written->stops[at], list, &stops);
	return total;
}

/* As text: the sums of each report. */
static void write_sums(const struct written *written, struct writer *writer)
{
	size_t at;

	for (at = 0; at < written->count; at++) {
		if (written->stops[at] == NULL)
			continue;
		gti_text_trace(writer, "", name_of(written, at));
		gti_text_stops_sums(writer, written->stops[at]);
	}
}

/* As text: the line before COUNT stops of LIST. */
static void write_list_head(const struct written *written, enum stop_list list,
			    size_t count, struct writer *writer)
{
	uint64_t inferred = 0;
	size_t at;

	for (at = 0; at < written->count; at++)
		if (written->stops[at] != NULL)
			inferred += written->stops[at]->inferred;
	if (list == STOPS_MEASURED)
		gti_text_stops_head(writer, count);
	else if (list == STOPS_INFERRED && inferred != 0)
		gti_text_inferred_head(writer, inferred);
}

/* The stops of LIST of all reports, in order, in STOPS. */
static void merge_stops(const struct written *written, enum stop_list list,
			struct listed_stop *stops)
{
	const struct gtrace_stop *const *from;
	size_t place = 0, count, at, i;

	for (at = 0; at < written->count; at++) {
		count = list_of(written->stops[at], list, &from);
		for (i = 0; i < count; i++, place++)
			stops[place] = (struct listed_stop){
				.stop = from[i],
				.trace = name_of(written, at),
				.in_ticks = written->stops[at]->in_ticks != 0,
				.place = place,
			};
	}
	gti_sort_stops(stops, place);
}

/* Writes LIST. STOPS can hold all its stops, if there are several reports. */
static void write_list(const struct written *written, enum stop_list list,
		       size_t wanted, struct listed_stop *stops,
		       struct writer *writer)
{
	size_t count = count_stops(written, list), i;
	const struct gtrace_stop *const *from = NULL;
	struct listed_stop listed;

	if (wanted != 0)
		count = min_size(wanted, count);
	if (written->format == GTRACE_FORMAT_TEXT)
		write_list_head(written, list, count, writer);
	if (stops != NULL)
		merge_stops(written, list, stops);
	else if (written->count != 0)
		list_of(written->stops[0], list, &from);
	for (i = 0; i < count; i++) {
		if (stops != NULL)
			listed = stops[i];
		else
			listed = (struct listed_stop){
				.stop = from[i],
				.trace = name_of(written, 0),
				.in_ticks = written->stops[0]->in_ticks != 0,
			};
		gti_write_stop(writer, &listed, written->format);
	}
}

bool gti_write_stops(const struct written *written, size_t wanted,
		     struct writer *writer)
{
	struct listed_stop *stops = NULL;
	size_t capacity = 1, list;

	for (list = 0; list < STOP_LISTS; list++)
		capacity += count_stops(written, (enum stop_list)list);
	if (written->count > 1) {
		stops = gti_allocate_zeroed(writer->memory, capacity,
					    sizeof(*stops));
		if (stops == NULL)
			return false;
	}
	if (written->format == GTRACE_FORMAT_TEXT)
		write_sums(written, writer);
	else
		gti_write_line_head(writer, written->format, gti_stop_fields);
	for (list = 0; list < STOP_LISTS; list++)
		write_list(written, (enum stop_list)list, wanted, stops,
			   writer);
	gti_release(writer->memory, stops, capacity * sizeof(*stops));
	return true;
}

/* ----------------------------------------------------------- interface -- */

/* Writes the greedy reports, or else those of stops, of WRITTEN. */
static enum gtrace_status write_reports(struct written *written,
					const struct gtrace_request *given,
					const struct gtrace_output *output,
					struct gtrace_error *error)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct gtrace_request request;
	struct writer writer;
	enum gtrace_status status = gti_print_begin(&writer, &request, given,
						    output, &memory, error);
	bool good;

	if (status != GTRACE_OK)
		return status;
	written->format = request.format;
	if (written->greedy != NULL)
		good = gti_write_greedy(written, request.n, &writer);
	else
		good = gti_write_stops(written, request.stops, &writer);
	if (!good)
		status = gti_fail_memory(error);
	return gti_print_end(&writer, status, error);
}

enum gtrace_status
gtrace_write_greedy(const struct gtrace_greedy_report *const *reports,
		    const char *const *names, size_t count,
		    const struct gtrace_request *request,
		    const struct gtrace_output *output,
		    struct gtrace_error *error)
{
	struct written written = {
		.greedy = reports, .names = names, .count = count};

	return write_reports(&written, request, output, error);
}

enum gtrace_status
gtrace_write_stops(const struct gtrace_stop_report *const *reports,
		   const char *const *names, size_t count,
		   const struct gtrace_request *request,
		   const struct gtrace_output *output,
		   struct gtrace_error *error)
{
	struct written written = {
		.stops = reports, .names = names, .count = count};

	return write_reports(&written, request, output, error);
}
