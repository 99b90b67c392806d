/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - the order of slices and stops from several traces. */
#include "report/lists.h"

#include "base/sort.h"
#include "report/fields.h"
#include "report/stops_text.h"
#include "report/text.h"

static int compare_slices(const void *a, const void *b)
{
	const struct listed_slice *x = a, *y = b;

	if (x->slice->duration != y->slice->duration)
		return x->slice->duration > y->slice->duration ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

void gti_sort_slices(struct listed_slice *slices, size_t count)
{
	if (count > 1)
		gti_sort(slices, count, sizeof(*slices), compare_slices);
}

/* For descending order; 0 if equal. */
static int compare_times(int64_t a, int64_t b)
{
	return (a < b) - (a > b);
}

/* Fields that a list does not use are -1 in all its stops. */
static int compare_stops(const void *a, const void *b)
{
	const struct listed_stop *x = a, *y = b;
	int order = compare_times(x->stop->stopping, y->stop->stopping);

	if (order == 0)
		order = compare_times(x->stop->stopping_min,
				      y->stop->stopping_min);
	if (order == 0)
		order = compare_times(x->stop->stopping_max,
				      y->stop->stopping_max);
	if (order == 0)
		order = (x->place > y->place) - (x->place < y->place);
	return order;
}

void gti_sort_stops(struct listed_stop *stops, size_t count)
{
	if (count > 1)
		gti_sort(stops, count, sizeof(*stops), compare_stops);
}

void gti_write_slices_head(struct writer *writer, size_t count, int format)
{
	if (format == GTRACE_FORMAT_TEXT)
		gti_text_greedy_head(writer, count);
	else
		gti_write_line_head(writer, format, gti_slice_fields);
}

void gti_write_slice(struct writer *writer, const struct listed_slice *listed,
		     int format)
{
	const struct line line = {.writer = writer,
				  .format = format,
				  .trace = listed->trace,
				  .in_ticks = listed->in_ticks};

	if (format == GTRACE_FORMAT_TEXT)
		gti_text_slice(writer, listed);
	else
		gti_write_line(&line, gti_slice_fields, listed->slice);
}

void gti_write_stop(struct writer *writer, const struct listed_stop *listed,
		    int format)
{
	const struct line line = {.writer = writer,
				  .format = format,
				  .trace = listed->trace,
				  .in_ticks = listed->in_ticks};

	if (format != GTRACE_FORMAT_TEXT)
		gti_write_line(&line, gti_stop_fields, listed->stop);
	else if (listed->stop->measured || listed->stop->inferred)
		gti_text_stop(writer, listed);
}
