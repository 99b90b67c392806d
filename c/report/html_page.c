/* SPDX-License-Identifier: BSD-3-Clause */
/* html_page.c - the template of an HTML report, and what is said in short. */
#include <string.h>

#include "report/diagnosis.h"
#include "report/html.h"
#include "report/page_data.inc"

/* So many functions, and so many findings, are listed in short. */
#define LISTED 5

struct stop_times gti_stop_times(const struct gtrace_stop *stop)
{
	struct stop_times times = {stop->requested, stop->obtained,
				   stop->restarted};

	if (stop->inferred)
		times = (struct stop_times){stop->requested_min, -1, stop->ts};
	else if (times.to == -1)
		times.to = stop->ended;
	if (times.from < 0)
		return (struct stop_times){-1, -1, -1};
	if (times.to < times.from)
		times.to = times.stood > times.from ? times.stood : times.from;
	return times;
}

void gti_html_none(struct page *page, enum html_list list)
{
	static const char *const names[HTML_LISTS] = {
		"slice", "wait for a processor",
		"block (but for those at rest)", "stop of the world"};
	const struct html_report *report = page->report;

	if (report->filtered)
		gti_html(page, "<p>No %s passes the filters.</p>", names[list]);
	else if (list == HTML_SLICES)
		gti_html(page, "<p>No goroutine ran in this trace.</p>");
	else
		gti_html(page, "<p>No %s %s.</p>", names[list],
			 list == HTML_STOPS &&
					 report->summary->stops->unmeasured != 0
				 ? "can be measured"
				 : "in this trace");
}

/* ------------------------------------------------------------------ head -- */

static void write_file_name(struct page *page)
{
	gti_html(page, "%e", page->report->name);
}

static void write_about(struct page *page)
{
	const struct html_report *report = page->report;
	const struct gtrace_summary *summary = report->summary;
	const struct gtrace_stop_report *stops = summary->stops;

	gti_html(page,
		 "<span title=\"the version in the header of the file\">"
		 "version %d.%d</span><span>%C</span><span>%T</span>"
		 "<span>%C</span><span>%C of the world</span>",
		 (int64_t)(summary->trace_version / 1000),
		 (int64_t)(summary->trace_version % 1000), summary->procs,
		 "processor", summary->length, (int64_t)summary->slices.count,
		 "slice",
		 (int64_t)(stops->measured + stops->unmeasured +
			   stops->inferred),
		 "stop");
	if (report->filtered)
		gti_html(page, "<span class=warning>only what passes the "
			       "filters</span>");
	if (report->fault != NULL)
		gti_html(page,
			 "<span class=warning>damaged: read up to byte %d"
			 "</span>",
			 (int64_t)report->left_out_from);
}

static void write_headline(struct page *page)
{
	gti_html(page, "<h1>%t</h1><p class=faint>%t</p>",
		 &page->report->summary->headline,
		 &page->report->summary->explanation);
}

/* ----------------------------------------------------------------- cards -- */

/* The card of FINDING: what it is, the function of the program, the sentence.
 */
static void write_finding(struct page *page,
			  const struct gtrace_finding *finding)
{
	struct shown share;

	gti_show_share(&share, (uint64_t)finding->permille, 1000,
		       &gti_look_page);
	gti_html(page,
		 "<div class=card><h2>%s, %s of the time</h2>"
		 "<p class=big>%T",
		 finding->name, share.text, finding->harm);
	if (finding->frame.function.size != 0)
		gti_html(page, " %f <small>%p</small>",
			 &finding->frame.function, &finding->frame);
	gti_html(page,
		 "</p><p>%t.</p><p class=faint><code>gtrace %t</code></p>"
		 "</div>",
		 &finding->text, &finding->next);
}

/* Findings that could be headlines. */
static void write_findings(struct page *page)
{
	const struct gtrace_summary *summary = page->report->summary;
	size_t i;

	for (i = 0; i < summary->finding_count && i < LISTED; i++)
		if (summary->findings[i].permille >= NOTABLE_PERMILLE)
			write_finding(page, &summary->findings[i]);
}

/* The functions in which slices took the most time in all. */
static void write_functions(struct page *page)
{
	const struct gtrace_summary *summary = page->report->summary;
	size_t i;

	gti_html(page, "<p class=faint>%d of %C.",
		 (int64_t)summary->greedy->count,
		 (int64_t)summary->slices.count, "slice");
	for (i = 0; i < summary->function_count && i < LISTED; i++)
		gti_html(page, "%s%f %c\xc3\x97, %T",
			 i != 0 ? "; " : " By function: ",
			 &summary->functions[i].function,
			 (int64_t)summary->functions[i].count,
			 summary->functions[i].sum);
	if (summary->tracer_count != 0)
		gti_html(page, "; the tracer itself %c\xc3\x97, %T",
			 (int64_t)summary->tracer_count, summary->tracer_sum);
	gti_html(page, "</p>");
}

/* -------------------------------------------------------------- template -- */

static void write_unfiltered(struct page *page)
{
	if (page->report->filtered)
		gti_html(page, " The filters do not apply here.");
}

static void write_made(struct page *page)
{
	gti_html(page,
		 "<code>gtrace -diagreedy=%d</code>, <code>gtrace -stw=%d"
		 "</code>, <code>gtrace -wait=%d</code>, <code>gtrace -block=%d"
		 "</code>. Made by gtrace %s from %C.",
		 (int64_t)page->report->counts[HTML_SLICES],
		 (int64_t)page->report->counts[HTML_STOPS],
		 (int64_t)page->report->counts[HTML_WAITS],
		 (int64_t)page->report->counts[HTML_BLOCKS], gtrace_version(),
		 (int64_t)page->report->summary->events, "event");
}

/* So much of a page, and no name in a picture is added. */
#define NAMES_END 1400000

static void write_names(struct page *page)
{
	const struct texts *names = page->report->names;
	struct gtrace_string name;
	uint32_t i;

	for (i = 0; i < texts_count(names); i++) {
		name = texts_at(names, i);
		gti_html(page,
			 writer_size(page->writer) < NAMES_END ? "%f"
							       : "<i></i>",
			 &name);
	}
}

static void write_data(struct page *page)
{
	page->report->write_data(page->writer, page->report);
}

/* What is written where the template has {{NAME}}. */
static const struct {
	const char *name;
	void (*write)(struct page *page);
} places[] = {
	{"{{title}}", write_file_name},
	{"{{about}}", write_about},
	{"{{headline}}", write_headline},
	{"{{findings}}", write_findings},
	{"{{data}}", write_data},
	{"{{names}}", write_names},
	{"{{functions}}", write_functions},
	{"{{slices}}", gti_html_slices},
	{"{{waits}}", gti_html_waits},
	{"{{sums}}", gti_html_sums},
	{"{{blocked}}", gti_html_blocked},
	{"{{blocks}}", gti_html_blocks},
	{"{{kinds}}", gti_html_kinds},
	{"{{stops}}", gti_html_stops},
	{"{{made}}", write_made},
	{"{{unfiltered}}", write_unfiltered},
};

void gti_write_page(struct writer *writer, const struct html_report *report)
{
	struct page page = {.writer = writer, .report = report};
	const size_t count = sizeof(places) / sizeof(places[0]);
	const char *const *piece;
	size_t i;

	for (i = 0; i < HTML_LISTS; i++)
		page.rows_left += report->counts[i];
	for (piece = page_pieces; *piece != NULL; piece++) {
		for (i = 0; i < count; i++)
			if (strcmp(*piece, places[i].name) == 0)
				break;
		if (i < count)
			places[i].write(&page);
		else
			gti_write_bytes(writer, *piece, strlen(*piece));
	}
}
