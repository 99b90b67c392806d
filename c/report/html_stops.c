/* SPDX-License-Identifier: BSD-3-Clause */
/* html_stops.c - stops of the world, as rows of an HTML report. */
#include <string.h>

#include "report/html.h"

#define LATE_SHOWN 12

/* The runtime has fewer kinds; a damaged trace can have one a stop. */
#define KINDS_SHOWN 30

/* The runtime's own total is shown where it is this much more. */
#define TOTAL_MORE 500000

static int64_t length_of(const struct gtrace_stop *stop)
{
	return stop->inferred ? stop->stopping_max : stop->stopping;
}

/* ----------------------------------------------------------------- kinds -- */

static void write_cell(struct page *page, const char *class, int64_t ns)
{
	gti_page_format(page, "<td class=\"%s\">", class);
	if (ns >= 0)
		gti_page_duration(page, ns);
	else
		gti_page_put(page, "\xe2\x80\x93");
}

static void write_kind(struct page *page, const struct gtrace_stop_kind *kind,
		       const char *name)
{
	gti_page_put(page, name != NULL ? "<tr class=all><td>" : "<tr><td>");
	if (name != NULL)
		gti_page_put(page, name);
	else
		gti_page_text(page, kind->kind);
	gti_page_put(page, "<td class=right>");
	gti_page_count(page, name != NULL ? kind->measured : kind->count);
	write_cell(page, "right", kind->stopping);
	write_cell(page, "right narrow", kind->median);
	write_cell(page, "right narrow", kind->p99);
	write_cell(page, "right", kind->max);
	write_cell(page, "right", kind->stopped);
}

/* Whether kind A of the table comes before B: the largest sum first. */
static bool comes_before(const struct gtrace_stop_report *stops, size_t a,
			 size_t b)
{
	int64_t x = stops->kinds[a].stopping, y = stops->kinds[b].stopping;

	return x != y ? x > y : a < b;
}

static void write_kinds(struct page *page,
			const struct gtrace_stop_report *stops)
{
	size_t last = SIZE_MAX, next, row, i;

	if (stops->kind_count == 0)
		return;
	gti_page_put(page,
		     "<div class=wide-table><table><thead><tr><th>kind<th "
		     "class=right>stops<th class=right>to stop, sum<th "
		     "class=\"right narrow\">median<th class=\"right narrow\">"
		     "p99<th class=right>max<th class=right>stood, sum<tbody>");
	for (row = 0; row < stops->kind_count && row < KINDS_SHOWN; row++) {
		next = SIZE_MAX;
		for (i = 0; i < stops->kind_count; i++)
			if ((last == SIZE_MAX ||
			     comes_before(stops, last, i)) &&
			    (next == SIZE_MAX || comes_before(stops, i, next)))
				next = i;
		write_kind(page, &stops->kinds[next], NULL);
		last = next;
	}
	if (stops->measured != 0)
		write_kind(page, &stops->all, "all measured");
	gti_page_put(page, "</table></div>");
	if (row < stops->kind_count)
		gti_page_format(page, "<p class=faint>%zu more kinds</p>",
				stops->kind_count - row);
}

/* ------------------------------------------------------------------ rows -- */

static void write_holder(struct page *page, const struct gtrace_stop *stop)
{
	struct naming naming = gti_name_holder(stop);

	if (gti_is_goroutine(&naming))
		gti_page_naming(page, &naming);
	else
		gti_page_format(page, "<span class=faint>%s</span>",
				naming.work == GTRACE_WORK_NONE ? "nobody"
								: NO_GOROUTINE);
}

static void write_meter(struct page *page, const struct gtrace_stop *stop,
			int64_t scale)
{
	gti_page_format(page, "<span class=meter><i class=%s style=\"width:",
			stop->inferred ? "bound" : "stopping");
	gti_page_percent(page, length_of(stop), scale);
	gti_page_put(page, "\"></i>");
	if (stop->stopped > 0) {
		gti_page_put(page, "<i class=standing style=\"width:");
		gti_page_percent(page, stop->stopped, scale);
		gti_page_put(page, "\"></i>");
	}
	gti_page_put(page, "</span>");
}

static void write_length(struct page *page, const struct gtrace_stop *stop)
{
	gti_page_put(page, "<span class=length>");
	if (stop->inferred && stop->stopping_max > 0)
		gti_page_put(page, "\xe2\x89\xa4 "); /* at most */
	gti_page_duration(page, length_of(stop));
	gti_page_put(page, "</span>");
}

static void write_line(struct page *page, const struct gtrace_stop *stop,
		       size_t i, int64_t scale)
{
	struct naming holder = gti_name_holder(stop);

	gti_page_format(page, "<summary><span class=rank>%s</span>",
			gti_page_letters(i).text);
	write_length(page, stop);
	write_meter(page, stop, scale);
	gti_page_put(page, "<span class=what>");
	write_holder(page, stop);
	gti_page_put(page, " <small>");
	gti_page_text(page, stop->kind);
	gti_page_put(page, stop->inferred ? ", bounds only" : "");
	gti_page_put(page, "</small></span>");
	gti_page_work(page, holder.work);
	gti_page_put(page, "<span class=where>");
	if (gti_is_goroutine(&holder))
		gti_page_format(page, "G%lld on ", (long long)stop->late[0].g);
	if (stop->late_count != 0)
		gti_page_format(page, "P%lld", (long long)stop->late[0].p);
	gti_page_put(page, "</span></summary>");
}

/* ----------------------------------------------------------------- facts -- */

static void write_duration_fact(struct page *page, const char *name, int64_t ns)
{
	gti_page_format(page, "<div><dt>%s</dt><dd>", name);
	gti_page_duration(page, ns);
	gti_page_put(page, "</dd></div>");
}

static void write_facts(struct page *page, const struct gtrace_stop *stop)
{
	gti_page_put(page, "<dl class=facts><div><dt>requested</dt><dd>at ");
	gti_page_moment(page, stop->requested);
	gti_page_format(page, ", P%lld</dd></div>", (long long)stop->p);
	write_duration_fact(page, "to stop", stop->stopping);
	if (gti_unheld(stop) > 0)
		write_duration_fact(page, "of that, no goroutine",
				    gti_unheld(stop));
	if (stop->stopped >= 0)
		write_duration_fact(page, "stood", stop->stopped);
	if (stop->total - stop->stopping - stop->stopped > TOTAL_MORE)
		write_duration_fact(page, "the runtime counts", stop->total);
	write_duration_fact(page, "processor time lost waiting", stop->waited);
	if (stop->procs > 0)
		gti_page_format(page,
				"<div><dt>idle</dt><dd>%lld of %lld processors"
				"</dd></div>",
				(long long)stop->idle, (long long)stop->procs);
	gti_page_put(page, "</dl>");
}

static void write_bounds(struct page *page, const struct html_report *report,
			 const struct gtrace_stop *stop)
{
	unsigned version = report->stops->trace_version;

	gti_page_format(page,
			"<p class=warning>Bounds only. Go %u.%u records the "
			"moment when the world was started again (",
			version / 1000, version % 1000);
	gti_page_moment(page, stop->ts);
	gti_page_put(page, "), not the request. The request came at ");
	gti_page_moment(page, stop->requested_min);
	gti_page_put(page, " or later.</p>");
}

static const char *how_words(enum gtrace_late_how how)
{
	switch (how) {
	case GTRACE_LATE_RAN:
		return "ran Go code";
	case GTRACE_LATE_SYSCALL:
		return "was in a system call";
	case GTRACE_LATE_SCHEDULER:
		return "no goroutine";
	}
	return "";
}

static void write_late(struct page *page, const struct gtrace_stop *stop,
		       const struct gtrace_late *late)
{
	struct naming naming = gti_name_late(late);

	gti_page_format(page, "<tr><td>P%lld<td class=right>",
			(long long)late->p);
	if (stop->inferred)
		gti_page_moment(page, late->gave_up);
	else
		gti_page_duration(page, late->gave_up - stop->requested);
	gti_page_format(page, "<td>%s<td>", how_words(late->how));
	if (late->how == GTRACE_LATE_SCHEDULER) {
		gti_page_put(page, "\xe2\x80\x93");
		return;
	}
	gti_page_format(page, "G%lld ", (long long)late->g);
	gti_page_naming(page, &naming);
}

static void write_late_ones(struct page *page, const struct gtrace_stop *stop)
{
	size_t i;

	if (stop->late_count < 2)
		return;
	gti_page_format(page,
			"<h3>Late processors</h3><div class=wide-table><table>"
			"<thead><tr><th>P<th class=right>%s<th>what it did<th>"
			"goroutine<tbody>",
			stop->inferred ? "given up at" : "given up after");
	for (i = 0; i < stop->late_count && i < LATE_SHOWN; i++)
		write_late(page, stop, &stop->late[i]);
	gti_page_put(page, "</table></div>");
	if (i < stop->late_count)
		gti_page_format(page, "<p class=faint>%zu more</p>",
				stop->late_count - i);
}

/* ---------------------------------------------------------------- stacks -- */

/* A link to the slice that LATE was late in, if it has a row. */
static void write_slice(struct page *page, const struct marks *marks,
			const struct gtrace_late *late)
{
	size_t i;

	for (i = 0; i < marks->slice_count; i++)
		if (gti_html_is_late_in(late, marks->slices[i])) {
			gti_page_format(page,
					"<p>It is <a href=\"#s%zu\">slice "
					"%zu</a>, ",
					i + 1, i + 1);
			gti_page_duration(page, marks->slices[i]->duration);
			gti_page_put(page, " long.</p>");
			return;
		}
}

/* No goroutine had LATE for most of the time for which STOP waited. */
static void write_unheld(struct page *page, const struct gtrace_stop *stop,
			 const struct gtrace_late *late)
{
	gti_page_format(page, "P%lld</small></h3><p class=faint>",
			(long long)late->p);
	if (late->own > 0) {
		gti_page_format(page, "G%lld had it for ", (long long)late->g);
		gti_page_duration(page, late->own);
		gti_page_put(page, " after the request. Otherwise no");
	} else {
		gti_page_put(page, "No");
	}
	gti_page_format(page,
			" goroutine had it%s: its thread was looking for work, "
			"or was waiting for a CPU.</p></div>",
			stop->inferred ? "" : " since the request");
}

static void write_held(struct page *page, const struct html_report *report,
		       const struct gtrace_stop *stop)
{
	const struct gtrace_late *late = stop->late;

	gti_page_format(page, "<div><h3>%s <small>",
			stop->inferred ? "Last to give up" : "Held up by");
	if (stop->late_count == 0) {
		gti_page_put(page,
			     "nobody</small></h3><p class=faint>All other "
			     "processors were idle: the world stood at "
			     "once.</p></div>");
		return;
	}
	if (gti_name_holder(stop).work == GTRACE_WORK_SCHEDULER) {
		write_unheld(page, stop, late);
		return;
	}
	gti_page_format(page, "G%lld on P%lld, %s</small></h3>",
			(long long)late->g, (long long)late->p,
			late->how == GTRACE_LATE_SYSCALL
				? "where it entered the system call"
				: "where it could be stopped");
	gti_html_frames(page, late->frames, late->frame_count);
	write_slice(page, report->marks, late);
	gti_page_put(page, "</div>");
}

static void write_stacks(struct page *page, const struct html_report *report,
			 const struct gtrace_stop *stop)
{
	gti_page_put(page, "<div class=stacks>");
	write_held(page, report, stop);
	gti_page_format(page,
			"<div><h3>Asked for by <small>G%lld on P%lld</small>"
			"</h3>",
			(long long)stop->g, (long long)stop->p);
	gti_html_frames(page, stop->frames, stop->frame_count);
	gti_page_put(page, "</div></div>");
}

/* --------------------------------------------------------------- section -- */

static void write_body(struct page *page, const struct html_report *report,
		       size_t i)
{
	const struct marks *marks = report->marks;
	const struct gtrace_stop *stop = marks->stops[i];
	const struct window *window = report->windows[marks->slice_count + i];

	if (!gti_page_fits_body(page)) {
		gti_page_put(page, "<p class=faint>Left out: the file would be "
				   "over 2 MB.</p>");
		return;
	}
	if (stop->inferred)
		write_bounds(page, report, stop);
	else
		write_facts(page, stop);
	gti_page_format(page,
			"<h3>What all processors did <small>0 is %s"
			"</small></h3>",
			stop->inferred ? "the earliest time of the request"
				       : "the request");
	if (window != NULL)
		gti_draw_stop(page, window, marks, i);
	else
		gti_page_put(page, "<p class=faint>No picture: the file would "
				   "be over 2 MB.</p>");
	write_stacks(page, report, stop);
	write_late_ones(page, stop);
}

static void write_row(struct page *page, const struct html_report *report,
		      size_t i, int64_t scale)
{
	const struct gtrace_stop *stop = report->marks->stops[i];

	gti_page_format(page, "<details class=\"row stop\" id=w%s%s>",
			gti_page_letters(i).text, i == 0 ? " open" : "");
	write_line(page, stop, i, scale);
	gti_page_put(page, "<div class=body>");
	write_body(page, report, i);
	gti_page_put(page, "</div></details>\n");
}

/* The longest that a row shows: one scale for all. */
static int64_t scale_of(const struct marks *marks)
{
	int64_t scale = 1, length;
	size_t i;

	for (i = 0; i < marks->stop_count; i++) {
		length = length_of(marks->stops[i]);
		if (marks->stops[i]->stopped > 0)
			length += marks->stops[i]->stopped;
		if (length > scale)
			scale = length;
	}
	return scale;
}

static void write_unmeasured(struct page *page,
			     const struct gtrace_stop_report *stops)
{
	if (stops->unmeasured == 0)
		return;
	gti_page_put(page, "<p class=faint>");
	gti_page_count(page, stops->unmeasured);
	gti_page_put(page,
		     " not measured: the trace does not hold all that was done "
		     "from their request to their end. The stop that starts a trace is "
		     "recorded when the world stands already.</p>");
}

void gti_html_no_stop(struct page *page, const struct html_report *report)
{
	if (report->filtered)
		gti_page_put(page, "<p>No stop of the world passes the "
				   "filters.</p>");
	else if (report->stops->unmeasured != 0)
		gti_page_put(page, "<p>No stop of the world can be measured."
				   "</p>");
	else
		gti_page_put(page, "<p>No stop of the world in this trace."
				   "</p>");
}

void gti_html_stops(struct page *page, const struct html_report *report)
{
	const struct gtrace_stop_report *stops = report->stops;
	const struct marks *marks = report->marks;
	int64_t scale = scale_of(marks);
	size_t i;

	gti_page_put(page, "<section id=stops><h2>Stops of the world</h2>");
	if (stops->measured + stops->inferred + stops->unmeasured == 0) {
		gti_html_no_stop(page, report);
		gti_page_put(page, "</section>\n");
		return;
	}
	gti_page_put(
		page,
		"<p class=hint>The runtime stops all processors for some "
		"phases of the garbage collector and for calls such as "
		"runtime.ReadMemStats. <b>To stop</b>: from the request "
		"until the last processor was given up. <b>Stood</b>: from "
		"then until the world ran again.");
	if (stops->measured != 0)
		gti_page_put(page, " Bars show both: solid up to the moment "
				   "when the world stood, hatched while it "
				   "stood.");
	gti_page_put(page, "</p>");
	write_kinds(page, stops);
	write_unmeasured(page, stops);
	for (i = 0; i < marks->stop_count && gti_html_take_row(page); i++)
		write_row(page, report, i, scale);
	gti_page_put(page, "</section>\n");
}
