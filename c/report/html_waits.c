/* SPDX-License-Identifier: BSD-3-Clause */
/* html_waits.c - waits for a processor on an HTML page. */
#include <string.h>

#include "report/html.h"

static void write_sum(struct page *page, const struct gtrace_wait_row *row)
{
	gti_html(page, "<td>%c<td>%T<td>%T<td>%T<td>%T<td>%T<td>%T<td>%T",
		 (int64_t)row->count, row->sum, row->median, row->p99, row->max,
		 row->busy, row->idle, row->stopped);
}

void gti_html_sums(struct page *page)
{
	const struct gtrace_wait_report *waits = page->report->summary->waits;
	size_t i;

	for (i = 0; i < waits->row_count; i++) {
		gti_html(page, "<tr><td>after %s", waits->rows[i].event);
		write_sum(page, &waits->rows[i]);
	}
	if (waits->row_count != 0) {
		gti_html(page, "<tr class=all><td>all that are whole");
		write_sum(page, &waits->all);
	}
}

/* The slices that kept WAIT. */
static void write_kept(struct page *page, const struct gtrace_wait *wait)
{
	size_t i;

	gti_html(page,
		 "<div class=late><h3>Kept by</h3><div class=wide-table><table>"
		 "<thead><tr><th>P<th class=right>overlap<th class=right>of"
		 "<th class=right>in calls<th>what it did<th>goroutine<tbody>");
	for (i = 0; i < wait->kept_count; i++) {
		const struct gtrace_kept *kept = &wait->kept[i];
		struct naming naming = gti_name_kept(kept);

		gti_html(page,
			 "<tr><td>P%d<td class=right>%T<td class=right>%T"
			 "<td class=right>%K<td>%w<td>G%d %n",
			 kept->p, kept->overlap, kept->length, kept->calls,
			 &naming, kept->g, &naming);
	}
	if (wait->kept_more != 0)
		gti_html(page,
			 "<tr><td><td class=right>%T<td colspan=4 class=faint>"
			 "%C more",
			 wait->kept_more_overlap, (int64_t)wait->kept_more,
			 "slice");
	if (wait->kept_none != 0)
		gti_html(page,
			 "<tr><td><td class=right>%T<td colspan=4 "
			 "class=faint>" NO_GOROUTINE,
			 wait->kept_none);
	gti_html(page, "</table></div></div>");
}

static void write_wait_body(struct page *page, const struct gtrace_wait *wait)
{
	const struct gtrace_event *ready = &wait->ready;

	gti_html(
		page,
		"<dl class=facts><div><dt>waited<dd>G%d, %m to %m%s</div><div>"
		"<dt>all processors busy<dd>%T</div><div><dt>one was free<dd>%T"
		"</div><div><dt>the world stopped<dd>%T</div></dl>"
		"<div class=stacks><div><h3>Made ready by <small>%s%s%t, G%d "
		"on "
		"P%d</small></h3>",
		wait->g, wait->start, html_wait_end(wait),
		wait->before  ? ", since before the trace"
		: !wait->over ? ", not over"
			      : "",
		wait->busy, wait->idle, wait->stopped, ready->name,
		wait->reason.size != 0 ? " " : "", &wait->reason, ready->g,
		ready->p);
	gti_html_stack(page, ready->frames, ready->frame_count);
	if (wait->kept_count != 0) {
		gti_html(page,
			 "<div><h3>Kept longest by <small>G%d on P%d</small>"
			 "</h3>",
			 wait->kept->g, wait->kept->p);
		gti_html_stack(page, wait->kept->at.frames,
			       wait->kept->at.frame_count);
	}
	gti_html(page, "</div>");
	if (wait->kept_count != 0 || wait->kept_none != 0)
		write_kept(page, wait);
}

/* Why WAIT took so long, if no processor kept it most of the time; or NULL. */
static const char *not_busy(const struct gtrace_wait *wait)
{
	if (wait->stopped > wait->busy && wait->stopped >= wait->idle)
		return "the world was stopped";
	return wait->idle > wait->busy ? "a processor was free" : NULL;
}

static void write_wait(struct page *page, size_t i)
{
	const struct gtrace_wait *wait = page->report->summary->waits->waits[i];
	struct naming naming = {.work = GTRACE_WORK_SCHEDULER};
	const struct gtrace_string event = {wait->ready.name,
					    strlen(wait->ready.name)};
	const int64_t numbers[] = {wait->start, html_wait_end(wait),
				   wait->g,     wait->length,
				   wait->busy,  wait->stopped};
	const struct row row = {
		.list = "r",
		.number = i,
		.is_open = i == 0,
		.length = wait->length,
		.naming = &naming,
		.instead = not_busy(wait),
		.kind = &event,
		.note = wait->over ? " made it ready"
				   : " made it ready, not over",
		.aside = "busy",
		.aside_ns = wait->busy,
		.g = &wait->g,
		.p = wait->over ? &wait->ran_p : NULL,
		.numbers = numbers,
		.number_count = sizeof(numbers) / sizeof(numbers[0]),
	};

	if (wait->kept_count != 0)
		naming = gti_name_kept(wait->kept);
	if (gti_html_begin_row(page, &row))
		write_wait_body(page, wait);
}

void gti_html_waits(struct page *page)
{
	gti_html_list(page, HTML_WAITS, write_wait);
}
