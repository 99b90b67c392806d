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
#include "report/names.h"

/* What a page is made of. */
struct html_report {
	const char *name; /* of the trace's file, without its directory */
	bool filtered;    /* slices and stops are those that pass filters */
	const struct gtrace_summary *summary;
	size_t stop_count; /* measured or inferred */
	/* So many slices and stops, the first ones, have pictures. */
	size_t slice_windows;
	size_t stop_windows;
	/* What was left out of a damaged trace, from this byte on; or NULL. */
	const struct gtrace_error *fault;
	uint64_t left_out_from;
	int64_t known_until; /* then events are missing; INT64_MAX: never */
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
	return slice->still_running ? (int64_t)((uint64_t)slice->start.ts +
						(uint64_t)slice->duration)
				    : slice->end.ts;
}

/* Part of a stop of the world that pictures mark. */
struct stop_times {
	int64_t from;  /* the request, or the earliest moment of it */
	int64_t stood; /* when the world stood; -1: not known */
	int64_t to;    /* when it was started again */
};

/* Returns false if STOP has no times that could be drawn. */
bool gti_stop_times(const struct gtrace_stop *stop, struct stop_times *times);

/* A page that is being written. */
struct page {
	struct writer *writer;
	const struct html_report *report;
	const char *const *next; /* piece of the template */
	size_t rows_left;        /* rows of slices and stops that are to come */
};

/* Write the page up to the data of its pictures, and what follows that. */
void gti_html_begin(struct page *page, struct writer *writer,
		    const struct html_report *report);
void gti_html_end(struct page *page);

/* ------------------------------------------------ between its own files -- */

/*
 * Writes FORMAT, HTML in which these stand for arguments:
 *
 *	%s  const char *: HTML of our own
 *	%t  const struct gtrace_string *: text, its first 300 characters
 *	%f  const struct gtrace_string *: a function, with its name as the title
 *	%n  const struct naming *: its function, and the caller
 *	%p  const struct gtrace_frame *: its place, with the file as the title
 *	%d  int64_t: a number
 *	%c  int64_t: a count, in groups of three digits
 *	%C  int64_t, const char *: a count and what is counted
 *	%T  int64_t: a duration, with all its digits as the title
 *	%m  int64_t: the time since the trace began
 *	%w  int, const char *: a mark of the colour of a work, and its word
 *	%l  int64_t: the letters of a stop, A to Z, AA, AB, ...
 *
 * Text of a trace gets into the page only by %t, %f, %n and %p, which escape
 * it, as the text of an element or in an attribute in double quotes.
 */
void gti_html(struct page *page, const char *format, ...);

/* Write the rows of slices, or of stops, and their tables. */
void gti_html_slices(struct page *page);
void gti_html_stops(struct page *page);

/* Writes what is said if there is no slice, or no stop. */
void gti_html_none(struct page *page, bool is_stop);

/* The row of the slice that the summary calls the longest; SIZE_MAX: none. */
size_t gti_html_longest(const struct html_report *report);

#endif /* GTRACE_REPORT_HTML_H_ */
