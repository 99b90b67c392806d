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
#include "report/names.h"

struct lanes;

/* What a page is made of. */
struct html_report {
	const char *name; /* of the trace's file, without its directory */
	bool filtered;    /* slices and stops are those that pass filters */
	const struct gtrace_summary *summary;
	size_t stop_count;    /* measured or inferred */
	size_t slice_windows; /* so many slices, the first ones, have pictures
			       */
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

/* Returns how long STOP waited; BOUND comes before it if it is inferred. */
static inline int64_t html_stopping(const struct gtrace_stop *stop)
{
	return stop->inferred ? stop->stopping_max : stop->stopping;
}

#define BOUND "\xe2\x89\xa4 " /* less or equal */

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

/* Returns -1 three times if STOP has no times that could be drawn. */
struct stop_times gti_stop_times(const struct gtrace_stop *stop);

/* Writes the page of REPORT. */
void gti_write_page(struct writer *writer, const struct html_report *report);

/* ------------------------------------------------ between its own files -- */

/* A page that is being written. */
struct page {
	struct writer *writer;
	const struct html_report *report;
	size_t rows_left; /* rows of all lists that are to come */
};

/*
 * Writes FORMAT, HTML in which these stand for arguments:
 *
 *	%s  const char *: HTML of our own
 *	%t  const struct gtrace_string *: text, its first 300 characters
 *	%f  const struct gtrace_string *: a function, with its name as the title
 *	%n  const struct naming *: its function and the caller, or what a stop
 *	    waited for instead
 *	%p  const struct gtrace_frame *: its place, with the file as the title
 *	%d  int64_t: a number
 *	%c  int64_t: a count, in groups of three digits
 *	%C  int64_t, const char *: a count and what is counted
 *	%T  int64_t: a duration, with all its digits as the title
 *	%K  int64_t: a duration; none if it is negative
 *	%m  int64_t: the time since the trace began
 *	%w  int, const char *: a mark of the colour of a work, and its word
 *	%l  int64_t: the letters of a stop, A to Z, AA, AB, ...
 *
 * Text of a trace gets into the page only by %t, %f, %n and %p, which escape
 * it, as the text of an element or in an attribute in double quotes.
 */
void gti_html(struct page *page, const char *format, ...);

/*
 * Write a list: a row for each slice, or each stop. html_rows.c has a function
 * for each sort of rows.
 */
void gti_html_slices(struct page *page);
void gti_html_stops(struct page *page);

/* Writes the rows of the table of kinds of stops. */
void gti_html_kinds(struct page *page);

/* Writes what is said if there is no slice, or no stop. */
void gti_html_none(struct page *page, bool is_stop);

/* The row of the slice that the summary calls the longest; SIZE_MAX: none. */
size_t gti_html_longest(const struct html_report *report);

#endif /* GTRACE_REPORT_HTML_H_ */
