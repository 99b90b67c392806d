/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.h - a report in one HTML file. It loads nothing. What it finds can be
 * read without its script, which draws the pictures: page/ has the template.
 */
#ifndef GTRACE_REPORT_HTML_H_
#define GTRACE_REPORT_HTML_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/output.h"
#include "base/texts.h"
#include "base/times.h"

struct lanes;

/* The lists of a page. */
enum html_list {
	HTML_SLICES,
	HTML_WAITS,
	HTML_BLOCKS,
	HTML_STOPS,
	/* Lists from here on have no windows. */
	HTML_WINDOWS,
	HTML_PATHS = HTML_WINDOWS,
	HTML_GOROUTINES,
	HTML_LENGTHS, /* a table that the script makes */
	HTML_LISTS
};

/* What a page is made of. */
struct html_report {
	const char *name; /* of the trace's file, without its directory */
	bool filtered;    /* slices and stops are those that pass filters */
	const struct gtrace_summary *summary;
	const struct gtrace_path_report *paths;
	const struct gtrace_goroutine_report *goroutines;
	size_t counts[HTML_LISTS]; /* rows; stops: measured or inferred */
	/* Of these, the first ones, have pictures. */
	size_t windows[HTML_WINDOWS];
	/* What was left out of a damaged trace, from this byte on; or NULL. */
	const struct gtrace_error *fault;
	uint64_t left_out_from;
	int64_t known_until; /* then events are missing; INT64_MAX: never */
	/*
	 * What the pictures show: the names in them, by number, and what writes
	 * the rest as one object of JSON without "<". Times are in nanoseconds
	 * since the trace began; those of bars, since their window begins.
	 */
	const struct texts *names;
	void (*write_data)(struct writer *writer,
			   const struct html_report *report);
	const struct lanes *lanes;
};

/* Returns stop I of the page: those that were measured come first. */
static inline const struct gtrace_stop *
html_stop(const struct html_report *report, size_t i)
{
	const struct gtrace_stop_report *stops = report->summary->stops;

	return i < stops->stop_count
		       ? stops->stops[i]
		       : stops->inferred_stops[i - stops->stop_count];
}

/* Returns when SLICE ended, as far as the trace tells. */
static inline int64_t html_slice_end(const struct gtrace_slice *slice)
{
	return slice->still_running ? add_ns(slice->start.ts, slice->duration)
				    : slice->end.ts;
}

/* Returns when the goroutine of WAIT ran, or would have. */
static inline int64_t html_wait_end(const struct gtrace_wait *wait)
{
	return add_ns(wait->start, wait->length);
}

/* Returns when the longest block at PLACE ended. */
static inline int64_t html_block_end(const struct gtrace_block_place *place)
{
	return add_ns(place->max_start, place->max);
}

/* Part of a stop-the-world pause that pictures mark. */
struct stop_times {
	int64_t from;  /* the request, or the earliest moment of it */
	int64_t stood; /* when the world stood; -1: not known */
	int64_t to;    /* when it was started again */
};

/* Returns -1 three times if STOP has no times that could be drawn. */
struct stop_times gti_stop_times(const struct gtrace_stop *stop);

/* What a page calls the trace in the file NAME, which can be NULL. */
const char *gti_html_name(const char *name);

/* Writes the page of REPORT. */
void gti_write_page(struct writer *writer, const struct html_report *report);

#endif /* GTRACE_REPORT_HTML_H_ */
