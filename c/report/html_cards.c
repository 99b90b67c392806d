/* SPDX-License-Identifier: BSD-3-Clause */
/* html_cards.c - what an HTML report says in short. */
#include "report/html.h"

/* How much of SLICE was spent on a stop that its goroutine asked for. */
static int64_t asked_in(const struct gtrace_slice *slice,
			const struct marks *marks)
{
	int64_t end = slice->still_running ? INT64_MAX : slice->end.ts;
	int64_t sum = 0, from, to;
	struct stop_times times;
	size_t i;

	for (i = 0; i < marks->stop_count; i++) {
		if (marks->stops[i]->inferred ||
		    marks->stops[i]->g != slice->g ||
		    !gti_stop_times(marks->stops[i], &times))
			continue;
		from = times.from > slice->start.ts ? times.from
						    : slice->start.ts;
		to = times.to < end ? times.to : end;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

static bool is_of_program(const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);

	return naming.frame != NULL && (naming.work == GTRACE_WORK_PROGRAM ||
					naming.work == GTRACE_WORK_SYSCALL);
}

size_t gti_html_first_slice(const struct html_report *report)
{
	const struct marks *marks = report->marks;
	size_t first = SIZE_MAX, i;
	int64_t most = -1, own;

	for (i = 0; i < marks->slice_count; i++) {
		const struct gtrace_slice *slice = marks->slices[i];

		if (!is_of_program(slice))
			continue;
		own = slice->duration - asked_in(slice, marks);
		if (own > most) {
			most = own;
			first = i;
		}
	}
	return first == SIZE_MAX && marks->slice_count != 0 ? 0 : first;
}

/* The innermost frame that tells where SLICE could be stopped. */
static const struct gtrace_frame *place_of(const struct gtrace_slice *slice)
{
	return gti_name_slice(slice).frame;
}

static void write_longer(struct page *page, const struct marks *marks,
			 size_t chosen)
{
	struct naming naming = gti_name_slice(marks->slices[0]);

	if (chosen == 0)
		return;
	gti_page_put(page, "<p class=faint>Longer: <a href=\"#s1\">");
	gti_page_naming(page, &naming);
	gti_page_put(page, "</a>");
	if (naming.frame != NULL)
		gti_page_format(page, " (%s)",
				gti_work_name(gti_html_work_of_slice(
					marks->slices[0])));
	gti_page_put(page, ", ");
	gti_page_duration(page, marks->slices[0]->duration);
	gti_page_put(page, ".</p>");
}

/* Which stops waited for SLICE. */
static void write_waiters(struct page *page, const struct html_report *report,
			  const struct gtrace_slice *slice)
{
	const struct marks *marks = report->marks;
	bool any = false;
	size_t i;

	for (i = 0; i < marks->stop_count; i++) {
		const struct gtrace_stop *stop = marks->stops[i];

		if (stop->late_count == 0 || stop->inferred ||
		    !gti_html_is_late_in(&stop->late[0], slice))
			continue;
		gti_page_format(page,
				"<p>Stop <a href=\"#w%s\">%s</a> waited "
				"for it.</p>",
				gti_page_letters(i).text,
				gti_page_letters(i).text);
		any = true;
	}
	if (!any && report->stops->measured != 0)
		gti_page_put(page, "<p class=faint>No stop of the world waited "
				   "for it.</p>");
}

static void write_slice_card(struct page *page,
			     const struct html_report *report)
{
	const struct marks *marks = report->marks;
	size_t i = gti_html_first_slice(report);
	const struct gtrace_frame *place;
	const struct gtrace_slice *slice;
	struct naming naming;

	gti_page_put(page, "<div class=card><h2>Longest slice");
	if (i == SIZE_MAX) {
		gti_page_put(page, "</h2>");
		gti_html_no_slice(page, report);
		gti_page_put(page, "</div>");
		return;
	}
	slice = marks->slices[i];
	naming = gti_name_slice(slice);
	if (is_of_program(slice))
		gti_page_put(page, " of the program");
	gti_page_put(page, "</h2><p class=big>");
	gti_page_duration(page, slice->duration);
	gti_page_format(page, " <a href=\"#s%zu\">", i + 1);
	gti_page_naming(page, &naming);
	gti_page_put(page, "</a>");
	gti_page_caller(page, &naming);
	gti_page_format(page,
			"</p><p>Slice %zu: G%lld kept P%lld without a "
			"break, from ",
			i + 1, (long long)slice->g, (long long)slice->p);
	gti_page_moment(page, slice->start.ts);
	place = place_of(slice);
	if (place != NULL) {
		gti_page_put(page, ", at ");
		gti_page_place(page, place);
	}
	gti_page_put(page, ". ");
	gti_page_work(page, gti_html_work_of_slice(slice));
	gti_page_put(page, "</p>");
	write_longer(page, marks, i);
	write_waiters(page, report, slice);
	gti_page_put(page, "</div>");
}

/* What is said of the stop that waited longest. */
static void write_wait(struct page *page, const struct gtrace_stop *stop)
{
	const struct gtrace_late *late = stop->late;
	struct naming asked = gti_name_stack(stop->frames, stop->frame_count);
	struct naming holder = gti_name_holder(stop);

	gti_page_put(page, "<p>");
	gti_page_put(page, "Stop A, <i>");
	gti_page_text(page, stop->kind);
	if (stop->late_count == 0)
		gti_page_put(page, "</i>: no processor was late. ");
	else if (holder.work == GTRACE_WORK_SCHEDULER)
		gti_page_format(page, "</i>: P%lld was the last to stop. ",
				(long long)late->p);
	else
		gti_page_format(page,
				"</i>: G%lld on P%lld was the last to stop. ",
				(long long)late->g, (long long)late->p);
	if (stop->late_count != 0)
		gti_page_work(page, holder.work);
	gti_page_put(page, "</p><p class=faint>Asked for by ");
	gti_page_naming(page, &asked);
	if (stop->stopped >= 0) {
		gti_page_put(page, ". The world then stood ");
		gti_page_duration(page, stop->stopped);
	}
	gti_page_put(page, ".</p>");
}

/* A stop for which the world stood longer than for the first one. */
static void write_longer_stand(struct page *page, const struct marks *marks)
{
	size_t longest = 0, i;

	for (i = 1; i < marks->stop_count; i++)
		if (marks->stops[i]->stopped > marks->stops[longest]->stopped)
			longest = i;
	if (longest == 0)
		return;
	gti_page_format(page,
			"<p class=faint>The world stood longest for stop <a "
			"href=\"#w%s\">%s</a>: ",
			gti_page_letters(longest).text,
			gti_page_letters(longest).text);
	gti_page_duration(page, marks->stops[longest]->stopped);
	gti_page_put(page, ".</p>");
}

static void write_stop_card(struct page *page, const struct html_report *report)
{
	const struct marks *marks = report->marks;
	const struct gtrace_stop *stop;
	struct naming naming;

	gti_page_put(page, "<div class=card><h2>Longest wait of a stop</h2>");
	if (marks->stop_count == 0) {
		gti_html_no_stop(page, report);
		gti_page_put(page, "</div>");
		return;
	}
	stop = marks->stops[0];
	if (!stop->inferred && stop->stopping == 0) {
		gti_page_put(page, "<p class=big>None</p>");
		write_wait(page, stop);
		write_longer_stand(page, marks);
		gti_page_put(page, "</div>");
		return;
	}
	gti_page_put(page, "<p class=big>");
	gti_page_put(page, stop->inferred ? "\xe2\x89\xa4 " : "");
	gti_page_duration(page,
			  stop->inferred ? stop->stopping_max : stop->stopping);
	naming = gti_name_holder(stop);
	if (naming.work == GTRACE_WORK_NONE) {
		gti_page_put(page, " <a href=\"#wA\">nobody");
	} else if (naming.work == GTRACE_WORK_SCHEDULER) {
		gti_page_put(page, " <a href=\"#wA\">" NO_GOROUTINE);
	} else {
		gti_page_put(page, " for <a href=\"#wA\">");
		gti_page_naming(page, &naming);
	}
	gti_page_put(page, "</a></p>");
	if (stop->inferred)
		gti_page_put(page, "<p>Stop A. A bound: the trace tells when "
				   "the world was started again, not when the "
				   "stop was requested.</p>");
	else
		write_wait(page, stop);
	write_longer_stand(page, marks);
	gti_page_put(page, "</div>");
}

/* The stops that waited for one kind of work. */
struct waiting {
	uint64_t stops;
	int64_t ns;
};

/* One line of the third card. */
static void write_share(struct page *page, const struct waiting *waiting,
			enum gtrace_work work, int64_t all)
{
	struct shown share;

	gti_page_put(page, waiting->stops != 0 || waiting->ns != 0
				   ? "<tr><td>"
				   : "<tr class=none><td>");
	gti_page_work(page, work);
	gti_page_put(page, "<td class=right>");
	if (waiting->stops == 0 && waiting->ns == 0) {
		gti_page_put(page, "\xe2\x80\x93<td class=right>\xe2\x80\x93"
				   "<td>");
		return;
	}
	gti_page_counted(page, waiting->stops, "stop");
	gti_page_put(page, "<td class=right>");
	if (waiting->ns == 0) {
		gti_page_put(page, "\xe2\x80\x93<td>");
		return;
	}
	gti_page_duration(page, waiting->ns);
	gti_page_put(page, "<td class=right>");
	gti_show_share(&share, (uint64_t)waiting->ns, (uint64_t)all,
		       &gti_look_page);
	gti_page_shown(page, &share);
}

static void write_waiting_card(struct page *page,
			       const struct html_report *report)
{
	const struct gtrace_summary *summary = report->summary;
	struct waiting waiting[WORKS] = {{0}};
	int64_t all = report->stops->all.stopping;
	size_t i;

	/* If no stop had to wait, the second card says so. */
	if (report->stops->measured == 0 || all == 0)
		return;
	for (i = 0; i < summary->holder_count; i++) {
		const struct gtrace_holder *holder = &summary->holders[i];

		waiting[holder->work].stops += holder->count;
		waiting[holder->work].ns += holder->stopping;
	}
	gti_page_put(page, "<div class=card><h2>What the stops waited for"
			   "</h2><div class=meter role=img aria-label=\"shares "
			   "of the waiting time\">");
	for (i = 0; i < WORKS; i++)
		if (waiting[i].ns != 0) {
			gti_page_format(page, "<i class=%s style=\"width:",
					gti_page_class((enum gtrace_work)i));
			gti_page_percent(page, waiting[i].ns, all);
			gti_page_put(page, "\"></i>");
		}
	gti_page_put(page, "</div><table>");
	for (i = 0; i < WORKS; i++)
		if (i <= GTRACE_WORK_NONE || waiting[i].stops != 0)
			write_share(page, &waiting[i], (enum gtrace_work)i,
				    all);
	gti_page_put(page, "</table></div>");
}

void gti_html_cards(struct page *page, const struct html_report *report)
{
	gti_page_put(page, "<section class=cards aria-label=\"in short\">");
	write_slice_card(page, report);
	write_stop_card(page, report);
	write_waiting_card(page, report);
	gti_page_put(page, "</section>\n");
}
