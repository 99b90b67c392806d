/* SPDX-License-Identifier: BSD-3-Clause */
/* html_cards.c - what an HTML report says in short. */
#include "report/html.h"

size_t gti_html_first_slice(const struct html_report *report)
{
	const struct gtrace_longest *longest = report->summary->longest;
	const struct marks *marks = report->marks;
	size_t i = 0;

	while (longest != NULL && i < marks->slice_count &&
	       (marks->slices[i]->start.ts != longest->start ||
		marks->slices[i]->p != longest->p))
		i++;
	return i;
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

/* The name of LONGEST; FRAMES has room for its two functions. */
static struct naming name_longest(const struct gtrace_longest *longest,
				  struct gtrace_frame frames[2])
{
	frames[0] = (struct gtrace_frame){.function = longest->function};
	frames[1] = (struct gtrace_frame){.function = longest->caller};
	return (struct naming){
		.frame = &frames[0],
		.caller = longest->caller.size != 0 ? &frames[1] : NULL,
	};
}

/* LONGEST is row I, if there is such a row. */
static void write_longest(struct page *page, const struct marks *marks,
			  const struct gtrace_longest *longest, size_t i)
{
	struct gtrace_frame frames[2];
	struct naming naming = name_longest(longest, frames);
	bool is_row = i < marks->slice_count;

	gti_page_put(page, " of the program</h2><p class=big>");
	gti_page_duration(page, longest->own);
	gti_page_put(page, " ");
	if (is_row)
		gti_page_format(page, "<a href=\"#s%zu\">", i + 1);
	gti_page_naming(page, &naming);
	gti_page_put(page, is_row ? "</a>" : "");
	gti_page_caller(page, &naming);
	gti_page_put(page, "</p><p>");
	if (is_row)
		gti_page_format(page, "Slice %zu: ", i + 1);
	gti_page_format(page, "G%lld kept P%lld without a break, from ",
			(long long)longest->g, (long long)longest->p);
	gti_page_moment(page, longest->start);
	if (longest->own != longest->duration) {
		gti_page_put(page, ", for ");
		gti_page_duration(page, longest->duration);
		gti_page_put(page, " with the stops of the world that it "
				   "requested");
	}
}

/* Only the runtime ran. */
static void write_first(struct page *page, const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);

	gti_page_put(page, "</h2><p class=big>");
	gti_page_duration(page, slice->duration);
	gti_page_put(page, " <a href=\"#s1\">");
	gti_page_naming(page, &naming);
	gti_page_put(page, "</a>");
	gti_page_caller(page, &naming);
	gti_page_format(page,
			"</p><p>Slice 1: G%lld kept P%lld without a break, "
			"from ",
			(long long)slice->g, (long long)slice->p);
	gti_page_moment(page, slice->start.ts);
}

static void write_slice_card(struct page *page,
			     const struct html_report *report)
{
	const struct gtrace_longest *longest = report->summary->longest;
	const struct marks *marks = report->marks;
	size_t i = gti_html_first_slice(report);
	const struct gtrace_slice *slice =
		i < marks->slice_count ? marks->slices[i] : NULL;

	gti_page_put(page, "<div class=card><h2>Longest slice");
	if (longest != NULL) {
		write_longest(page, marks, longest, i);
	} else if (slice != NULL) {
		write_first(page, slice);
	} else {
		gti_page_put(page, "</h2>");
		gti_html_no_slice(page, report);
	}
	if (slice != NULL) {
		const struct gtrace_frame *place = gti_name_slice(slice).frame;

		if (place != NULL) {
			gti_page_put(page, ", at ");
			gti_page_place(page, place);
		}
		gti_page_put(page, ". ");
		gti_page_work(page, gti_html_work_of_slice(slice));
		gti_page_put(page, "</p>");
		write_longer(page, marks, i);
		write_waiters(page, report, slice);
	} else if (longest != NULL) {
		gti_page_put(page, ".</p>");
	}
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
