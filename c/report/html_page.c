/* SPDX-License-Identifier: BSD-3-Clause */
/* html_page.c - the template of an HTML report, and what is said in short. */
#include <string.h>

#include "report/html.h"
#include "report/page_data.inc"

/* So many functions, and so many that held up stops, are listed in short. */
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

/* The row of the slice of P that starts at START; SIZE_MAX: none. */
static size_t find_row(const struct html_report *report, int64_t p,
		       int64_t start)
{
	const struct gtrace_greedy_report *greedy = report->summary->greedy;
	size_t i;

	for (i = 0; i < greedy->count; i++)
		if (greedy->slices[i]->p == p &&
		    greedy->slices[i]->start.ts == start)
			return i;
	return SIZE_MAX;
}

size_t gti_html_longest(const struct html_report *report)
{
	const struct gtrace_longest *longest = report->summary->longest;

	return longest != NULL ? find_row(report, longest->p, longest->start)
			       : SIZE_MAX;
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
		 "trace of Go %d.%d</span><span>%C</span><span>%T</span>"
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

static void write_longest(struct page *page,
			  const struct gtrace_longest *longest)
{
	size_t row = gti_html_longest(page->report);

	gti_html(page, "<p class=big>%T ", longest->own);
	if (row != SIZE_MAX)
		gti_html(page, "<a id=longest href=\"#s%d\">%f</a>",
			 (int64_t)row + 1, &longest->function);
	else
		gti_html(page, "%f", &longest->function);
	if (longest->inner.size != 0)
		gti_html(page, ", <small>in %f</small>", &longest->inner);
	gti_html(page, "</p><p>G%d kept P%d without a break, from %m on",
		 longest->g, longest->p, longest->start);
	if (longest->own != longest->duration)
		gti_html(page,
			 ", for %T with the stops of the world that it "
			 "requested",
			 longest->duration);
	gti_html(page, ".</p>");
}

static void write_longest_slice(struct page *page)
{
	const struct gtrace_summary *summary = page->report->summary;

	if (summary->greedy->count == 0)
		gti_html_none(page, HTML_SLICES);
	else if (summary->longest != NULL)
		write_longest(page, summary->longest);
	else
		gti_html(page, "<p class=big>None</p>");
	if (summary->tracer_count != 0)
		gti_html(
			page,
			"<p class=faint>The tracer itself: %C, %T, the longest "
			"%T.</p>",
			(int64_t)summary->tracer_count, "slice",
			summary->tracer_sum, summary->tracer_max);
}

static void write_longest_stop(struct page *page)
{
	const struct gtrace_stop *longest = page->report->summary->longest_stop;
	const struct gtrace_stop *stop;
	struct naming holder;

	if (page->report->counts[HTML_STOPS] == 0) {
		gti_html_none(page, HTML_STOPS);
		return;
	}
	stop = html_stop(page->report, 0);
	holder = gti_name_holder(stop);
	gti_html(page,
		 "<p class=big>%s%T <a href=\"#wA\">%n</a></p><p>Stop A, "
		 "<i>%t</i>. %w</p>",
		 stop->inferred ? BOUND : "", html_stopping(stop), &holder,
		 &stop->kind, &holder);
	if (stop->inferred)
		gti_html(page, "<p>A bound: the trace tells when the world was "
			       "started again, not when the stop was requested."
			       "</p>");
	else
		gti_html(page, "<p class=faint>The world then stood %T.</p>",
			 stop->stopped);
	if (longest != NULL && longest->number != stop->number)
		gti_html(page,
			 "<p class=faint>Longest with the time it stood: "
			 "<i>%t</i>, %T to stop, stood %T.</p>",
			 &longest->kind, longest->stopping, longest->stopped);
}

/* The slice that delayed others longest. */
static void write_delayed(struct page *page)
{
	const struct gtrace_delay_report *delays =
		page->report->summary->delays;
	const struct gtrace_slice *slice;
	struct naming naming;
	size_t row;

	if (delays->count == 0) {
		gti_html(page, "<p>No goroutine waited behind a slice.</p>");
		return;
	}
	slice = delays->slices[0];
	naming = slice_naming(slice);
	row = find_row(page->report, slice->p, slice->start.ts);
	gti_html(page, "<p class=big>%T ", slice->delay);
	if (row != SIZE_MAX)
		gti_html(page, "<a href=\"#s%d\">%n</a>", (int64_t)row + 1,
			 &naming);
	else
		gti_html(page, "%n", &naming);
	gti_html(page,
		 "</p><p>So long goroutines waited, in sum, because G%d kept "
		 "P%d "
		 "for %T, from %m on. %w</p><p class=faint>All slices: %T.</p>",
		 slice->g, slice->p, slice->duration, slice->start.ts, &naming,
		 delays->behind);
}

/* What held up the stops. If none had to wait, the card before says so. */
static void write_holders(struct page *page)
{
	const struct gtrace_summary *summary = page->report->summary;
	int64_t all = summary->stops->all.stopping;
	struct shown share;
	size_t i;

	if (summary->stops->measured == 0 || all == 0)
		return;
	for (i = 0; i < summary->holder_count && i < LISTED; i++) {
		const struct gtrace_holder *holder = &summary->holders[i];
		const struct gtrace_frame frame = {.function =
							   holder->function};
		const struct naming naming = {.frame = &frame,
					      .work = holder->work};

		gti_show_share(&share, (uint64_t)holder->stopping,
			       (uint64_t)all, &gti_look_page);
		gti_html(page, "<tr><td>%w ", &naming);
		if (gti_is_named(&naming))
			gti_html(page, "%f", &holder->function);
		gti_html(page, "<td>%C<td>%T<td>%s", (int64_t)holder->count,
			 "stop", holder->stopping, share.text);
	}
	if (i < summary->holder_count)
		gti_html(page, "<tr><td class=faint>%d more",
			 (int64_t)(summary->holder_count - i));
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
			 i != 0 ? "; " : " By where they end: ",
			 &summary->functions[i].function,
			 (int64_t)summary->functions[i].count,
			 summary->functions[i].sum);
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
	{"{{longest}}", write_longest_slice},
	{"{{stop}}", write_longest_stop},
	{"{{holders}}", write_holders},
	{"{{delayed}}", write_delayed},
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
