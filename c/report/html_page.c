/* SPDX-License-Identifier: BSD-3-Clause */
/* html_page.c - a report in one HTML file. */
#include <string.h>

#include "report/html.h"

/* ------------------------------------------------------------------ head -- */

/* The policy comes first: nothing is loaded, no script but ours runs. */
static void write_head(struct page *page, struct gtrace_string name)
{
	size_t i;

	gti_page_put(page,
		     "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
		     "<meta http-equiv=Content-Security-Policy "
		     "content=\"default-src "
		     "'none'; style-src 'unsafe-inline'; script-src 'sha256-");
	gti_page_put(page, gti_html_script_hash);
	gti_page_put(page, "'; base-uri 'none'; form-action 'none'\"><meta "
			   "name=viewport content=\"width=device-width, "
			   "initial-scale=1\"><meta name=color-scheme "
			   "content=\"light dark\"><title>");
	gti_page_text(page, name);
	gti_page_put(page, " \xe2\x80\x93 gtrace</title><style>");
	for (i = 0; gti_html_style[i] != NULL; i++)
		gti_page_put(page, gti_html_style[i]);
	gti_page_put(page, "</style></head>\n<body>");
}

static void write_about(struct page *page, const struct html_report *report,
			struct gtrace_string name)
{
	const struct gtrace_stop_report *stops = report->stops;
	const struct overview *overview = &report->lanes->overview;
	unsigned version = report->stops->trace_version;

	gti_page_put(page, "<p class=about><b>");
	gti_page_text(page, name);
	gti_page_format(page,
			"</b><span title=\"the version in the header of the "
			"file\">trace of Go %u.%u</span><span>",
			version / 1000, version % 1000);
	gti_page_counted(page, overview->processors, "processor");
	gti_page_put(page, "</span><span>");
	gti_page_duration(page, overview->length);
	gti_page_put(page, "</span><span>");
	gti_page_counted(page, report->summary->slices.count, "slice");
	gti_page_put(page, "</span><span>");
	gti_page_counted(page,
			 stops->measured + stops->unmeasured + stops->inferred,
			 "stop");
	gti_page_put(page, " of the world</span>");
	if (report->filtered)
		gti_page_put(page, "<span class=warning>only what passes the "
				   "filters</span>");
	if (report->fault != NULL)
		gti_page_format(page,
				"<span class=warning>damaged: read up to byte "
				"%llu</span>",
				(unsigned long long)report->left_out_from);
	gti_page_put(page, "</p>");
}

/* Writes TEXT with a no-break space between a number and what it counts. */
static void write_sentence(struct page *page, struct gtrace_string text)
{
	struct gtrace_string piece = {text.data, 0};
	size_t i;

	for (i = 0; i < text.size; i++) {
		piece.size++;
		if (text.data[i] != ' ' || i == 0 || text.data[i - 1] < '0' ||
		    text.data[i - 1] > '9')
			continue;
		piece.size--;
		gti_page_text(page, piece);
		gti_page_put(page, "\xc2\xa0");
		piece = (struct gtrace_string){text.data + i + 1, 0};
	}
	gti_page_text(page, piece);
}

static void write_headline(struct page *page,
			   const struct gtrace_summary *summary)
{
	gti_page_put(page, "<h1>");
	write_sentence(page, summary->headline);
	gti_page_put(page, "</h1><p class=faint>");
	write_sentence(page, summary->explanation);
	gti_page_put(page, "</p>");
}

/* Ends a hint on what is made from all slices, filtered or not. */
static void write_unfiltered(struct page *page,
			     const struct html_report *report)
{
	gti_page_put(page, report->filtered
				   ? " The filters do not apply here.</p>"
				   : "</p>");
}

/* --------------------------------------------------------------- lengths -- */

static uint64_t sum_of(const struct share *share)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < WORKS; i++)
		sum += share->ns[i];
	return sum;
}

static void write_percent(struct page *page, const struct shown *share)
{
	gti_page_put(page, "<span>");
	gti_page_shown(page, share);
	gti_page_put(page, "</span>");
}

static void write_class(struct page *page, const struct length_class *class,
			unsigned i, uint64_t all, uint64_t most)
{
	uint64_t sum = sum_of(&class->share);
	struct shown share;
	unsigned work;

	gti_page_put(page, "<tr><td class=right>");
	if (i == 0) {
		gti_page_put(page, "under 1\xc2\xa0\xc2\xb5s");
	} else {
		gti_page_put(page, "from ");
		gti_page_round(page, gti_length_class_begin(i));
	}
	gti_page_put(page, "<td class=right>");
	if (class->count == 0) {
		gti_page_put(page, "\xe2\x80\x93<td><td>");
		return;
	}
	gti_page_count(page, class->count);
	gti_page_put(page, "<td class=right>");
	gti_page_duration(page, (int64_t)sum);
	gti_page_put(page, "<td><div>");
	for (work = 0; work < WORKS; work++)
		if (class->share.ns[work] != 0) {
			gti_page_format(page, "<i class=%s style=\"width:",
					gti_page_class((enum gtrace_work)work));
			/* The longest bar leaves space for its number. */
			gti_page_percent(page, (int64_t) class->share.ns[work],
					 (int64_t)(most / 10 * 11));
			gti_page_put(page, "\"></i>");
		}
	gti_show_share(&share, sum, all, &gti_look_page);
	if (sum >= all / 200)
		write_percent(page, &share);
	gti_page_put(page, "</div>");
}

static void write_lengths(struct page *page, const struct html_report *report)
{
	const struct lanes *lanes = report->lanes;
	uint64_t all = 0, most = 1, sum;
	unsigned first = LENGTH_CLASSES, last = 0, i;

	for (i = 0; i < LENGTH_CLASSES; i++) {
		if (lanes->lengths[i].count == 0)
			continue;
		sum = sum_of(&lanes->lengths[i].share);
		all += sum;
		most = sum > most ? sum : most;
		first = first < i ? first : i;
		last = i;
	}
	if (first == LENGTH_CLASSES)
		return;
	gti_page_put(page,
		     "<section id=lengths><h2>How long slices were</h2><p "
		     "class=hint>Bars: share of all the time in slices. A few "
		     "long bars at the top are what a stall looks like.");
	write_unfiltered(page, report);
	gti_page_put(
		page,
		"<table class=lengths><thead><tr><th class=right>length<th "
		"class=right>slices<th class=right>time in them<th>share"
		"<tbody>");
	for (i = last + 1; i-- > first;)
		write_class(page, &lanes->lengths[i], i, all, most);
	gti_page_put(page, "</table></section>\n");
}

/* ------------------------------------------------------------------ page -- */

static void write_overview(struct page *page, const struct html_report *report)
{
	if (report->lanes->overview.lanes == 0)
		return;
	gti_page_put(
		page,
		"<section id=whole><h2>The whole trace</h2><p class=hint>"
		"One lane for each processor; the filled height is the "
		"share of the time in which it ran goroutines. Numbers are "
		"the longest slices, letters the stops that took longest: "
		"they lead to their entries below.");
	write_unfiltered(page, report);
	gti_draw_overview(page, &report->lanes->overview, report->marks);
	gti_page_put(page, "</section>\n");
}

static void write_footer(struct page *page, const struct html_report *report,
			 struct gtrace_string name)
{
	gti_page_put(
		page,
		"<footer><h2>How to read this</h2><p>Times are exact to the "
		"clock of the trace unless a bound is given; hold the pointer "
		"on a number for nanoseconds, on a function for its full name. "
		"A stack tells where a goroutine <i>could</i> be stopped, so "
		"just after what held the processor. A trace does not see the "
		"operating system take a CPU away: a long slice without CPU "
		"samples (100 a second, if a CPU profile was taken too) may "
		"have waited for a CPU.</p><p>The same as text: ");
	gti_page_format(page,
			"<code>gtrace -diagreedy=%zu</code>, <code>gtrace "
			"-stw=%zu</code>. Made by gtrace %s from ",
			report->marks->slice_count, report->marks->stop_count,
			gtrace_version());
	gti_page_text(page, name);
	gti_page_put(page, ", ");
	gti_page_counted(page, report->summary->events, "event");
	gti_page_put(page, ". This file loads nothing and sends nothing.</p>"
			   "</footer>");
}

void gti_html_report(struct writer *writer, const struct html_report *report)
{
	struct gtrace_string name = {report->name, strlen(report->name)};
	struct page page = {
		.writer = writer,
		.rows_left =
			report->marks->slice_count + report->marks->stop_count,
	};

	write_head(&page, name);
	gti_draw_patterns(&page);
	gti_page_put(&page, "<main><header>");
	write_about(&page, report, name);
	write_headline(&page, report->summary);
	gti_page_put(&page, "</header>");
	gti_html_cards(&page, report);
	write_overview(&page, report);
	gti_html_slices(&page, report);
	gti_html_stops(&page, report);
	write_lengths(&page, report);
	write_footer(&page, report, name);
	gti_page_put(&page, "</main><script>");
	gti_page_put(&page, gti_html_script);
	gti_page_put(&page, "</script></body></html>\n");
}
