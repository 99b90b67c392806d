/* SPDX-License-Identifier: BSD-3-Clause */
/* html_rows.c - slices and stops of the world, as rows of an HTML report. */
#include "report/html.h"

/* Of the stacks of samples, the most frequent ones are shown. */
#define SAMPLES_SHOWN 3
#define FRAMES_SHOWN  64

/* The runtime has fewer kinds; a damaged trace can have one a stop. */
#define KINDS_SHOWN 30

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     900
#define LINE_BYTES_MAX 16000
/* What comes after all rows, with the script. */
#define REST_BYTES 60000

/* Takes the next row. If it does not fit, writes so and returns false. */
static bool take_row(struct page *page)
{
	page->rows_left--;
	if (writer_size(page->writer) + LINE_BYTES_MAX + REST_BYTES <
	    PAGE_SIZE_MAX)
		return true;
	gti_html(page, "<p>The rest is left out: the file would be over "
		       "2 MB.</p>");
	return false;
}

/*
 * Begins what the row shows when it is opened. If it does not fit, and the
 * lines of the rows after it, writes so and returns false.
 */
static bool begin_body(struct page *page)
{
	gti_html(page, "<div class=body>");
	if (writer_size(page->writer) + page->rows_left * LINE_BYTES +
		    BODY_BYTES + REST_BYTES <
	    PAGE_SIZE_MAX)
		return true;
	gti_html(page, "<p class=faint>Left out: the file would be over "
		       "2 MB.</p>");
	return false;
}

static void write_stack_list(struct page *page,
			     const struct gtrace_frame *frames, size_t count)
{
	struct naming naming = gti_name_stack(frames, count);
	size_t i;

	if (count == 0) {
		gti_html(page, "<p class=faint>The trace has no stack here."
			       "</p></div>");
		return;
	}
	gti_html(page, "<ol class=stack>");
	for (i = 0; i < count && i < FRAMES_SHOWN; i++)
		gti_html(page, "<li%s>%f %p</li>",
			 &frames[i] == naming.frame ? " class=named"
			 : gti_is_runtime_frame(&frames[i])
				 ? " class=of-runtime"
				 : "",
			 &frames[i].function, &frames[i]);
	if (i < count)
		gti_html(page, "<li>%d more frames</li>", (int64_t)(count - i));
	gti_html(page, "</ol></div>");
}

/* ---------------------------------------------------------------- slices -- */

static void write_slice_end(struct page *page, const struct gtrace_slice *slice)
{
	const struct gtrace_event *end = &slice->end;

	if (slice->still_running) {
		gti_html(page, "<div><h3>Still running</h3><p class=faint>The "
			       "trace ends before the slice does.</p></div>");
		return;
	}
	gti_html(page,
		 "<div><h3>Could be stopped <small>just after what held "
		 "the processor, by %s",
		 end->name);
	if (end->string_count != 0 && end->strings[0].size != 0)
		gti_html(page, " (%t)", &end->strings[0]);
	gti_html(page, "</small></h3>");
	write_stack_list(page, end->frames, end->frame_count);
}

static void write_stacks(struct page *page, const struct gtrace_slice *slice)
{
	const struct gtrace_event *start = &slice->start;
	size_t i;

	/* The stack can be that of an event that led to the start. */
	gti_html(page,
		 "<div class=stacks><div><h3>Began <small>%s%s at</small>"
		 "</h3>",
		 start->walk_count != 0 ? "after " : "",
		 start->walk_count != 0 ? start->walk[0] : "");
	write_stack_list(page, start->frames, start->frame_count);
	write_slice_end(page, slice);
	for (i = 0; i < slice->sample_count && i < SAMPLES_SHOWN; i++) {
		gti_html(page, "<div><h3>Sampled inside <small>%C</small></h3>",
			 (int64_t)slice->samples[i].count, "CPU sample");
		write_stack_list(page, slice->samples[i].frames,
				 slice->samples[i].frame_count);
	}
	gti_html(page, "</div>");
}

static void write_slice_row(struct page *page, const struct gtrace_slice *slice,
			    size_t i, bool open)
{
	struct naming naming = slice_naming(slice);
	bool known = naming.work == GTRACE_WORK_SYSCALL || naming.frame != NULL;

	gti_html(page,
		 "<details class=row id=s%d%s><summary><span class=rank>%d"
		 "</span><span class=length>%T</span><span class=what>%n"
		 "</span>%w<span class=where>G%d on P%d</span></summary>",
		 (int64_t)i + 1, open ? " open" : "", (int64_t)i + 1,
		 slice->duration, &naming,
		 (int)(known ? naming.work : WORK_UNKNOWN),
		 known ? gti_naming_word(&naming) : "unknown", slice->g,
		 slice->p);
	if (begin_body(page))
		write_stacks(page, slice);
	gti_html(page, "</div></details>\n");
}

void gti_html_slices(struct page *page)
{
	const struct gtrace_greedy_report *greedy =
		page->report->summary->greedy;
	size_t open = gti_html_longest(page->report), i;

	if (greedy->count == 0)
		gti_html_none(page, false);
	open = open == SIZE_MAX ? 0 : open;
	for (i = 0; i < greedy->count && take_row(page); i++)
		write_slice_row(page, greedy->slices[i], i, i == open);
}

/* ----------------------------------------------------------------- kinds -- */

/* The numbers of KIND, of COUNT stops, which end a line of the table. */
static void write_numbers(struct page *page,
			  const struct gtrace_stop_kind *kind, uint64_t count)
{
	const int64_t times[] = {kind->stopping, kind->median, kind->p99,
				 kind->max, kind->stopped};
	size_t i;

	gti_html(page, "<td class=right>%c", (int64_t)count);
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		gti_html(page, i == 1 || i == 2 ? "<td class=\"right narrow\">"
						: "<td class=right>");
		gti_html(page, times[i] >= 0 ? "%T" : "\xe2\x80\x93", times[i]);
	}
}

static void write_kinds(struct page *page,
			const struct gtrace_stop_report *stops)
{
	size_t i;

	if (stops->kind_count == 0)
		return;
	gti_html(page,
		 "<div class=wide-table><table><thead><tr><th>kind<th "
		 "class=right>stops<th class=right>to stop, sum<th "
		 "class=\"right narrow\">median<th class=\"right narrow\">p99"
		 "<th class=right>max<th class=right>stood, sum<tbody>");
	for (i = 0; i < stops->kind_count && i < KINDS_SHOWN; i++) {
		gti_html(page, "<tr><td>%t", &stops->kinds[i].kind);
		write_numbers(page, &stops->kinds[i], stops->kinds[i].count);
	}
	if (stops->measured != 0) {
		gti_html(page, "<tr class=all><td>all measured");
		write_numbers(page, &stops->all, stops->all.measured);
	}
	gti_html(page, "</table></div>");
	if (i < stops->kind_count)
		gti_html(page, "<p class=faint>%d more kinds</p>",
			 (int64_t)(stops->kind_count - i));
	if (stops->unmeasured != 0)
		gti_html(page,
			 "<p class=faint>%c not measured: the trace does not "
			 "hold all that was done from their request to their "
			 "end. The stop that starts a trace is recorded when "
			 "the world stands already.</p>",
			 (int64_t)stops->unmeasured);
}

/* ----------------------------------------------------------------- stops -- */

/* What the last processor of STOP did, for which HOLDER stands. */
static void write_held(struct page *page, const struct gtrace_stop *stop,
		       const struct naming *holder)
{
	const struct gtrace_late *late = stop->late;

	gti_html(page, "<div class=stacks><div><h3>%s <small>",
		 stop->inferred ? "Last to give up" : "Held up by");
	if (stop->late_count == 0) {
		gti_html(page, NO_PROCESSOR
			 "</small></h3><p class=faint>All other "
			 "processors were idle: the world stood at once."
			 "</p></div>");
	} else if (!gti_is_goroutine(holder)) {
		gti_html(page,
			 "P%d</small></h3><p class=faint>No goroutine had it "
			 "for most of the time: its thread was looking for "
			 "work, or was waiting for a CPU.</p></div>",
			 late->p);
	} else {
		gti_html(page, "G%d on P%d, where it %s</small></h3>", late->g,
			 late->p,
			 late->how == GTRACE_LATE_SYSCALL
				 ? "entered the system call"
				 : "could be stopped");
		write_stack_list(page, late->frames, late->frame_count);
	}
}

static void write_line(struct page *page, const struct gtrace_stop *stop,
		       const struct naming *holder)
{
	int64_t length = stop->inferred ? stop->stopping_max : stop->stopping;

	gti_html(page, "<span class=length>%s%T</span><span class=what>",
		 stop->inferred && length > 0 ? "\xe2\x89\xa4 " : "", length);
	if (gti_is_goroutine(holder))
		gti_html(page, "%n", holder);
	else
		gti_html(page, "<span class=faint>%s</span>",
			 holder->work == GTRACE_WORK_NONE ? NO_PROCESSOR
							  : NO_GOROUTINE);
	gti_html(page, " <small>%t%s</small></span>%w<span class=where>",
		 &stop->kind, stop->inferred ? ", bounds only" : "",
		 (int)holder->work, gti_naming_word(holder));
	if (gti_is_goroutine(holder))
		gti_html(page, "G%d on ", stop->late[0].g);
	if (stop->late_count != 0)
		gti_html(page, "P%d", stop->late[0].p);
	gti_html(page, "</span></summary>");
}

static void write_stop_row(struct page *page, const struct gtrace_stop *stop,
			   size_t i)
{
	struct naming holder = gti_name_holder(stop);

	gti_html(page,
		 "<details class=\"row stop\" id=w%l%s><summary><span "
		 "class=rank>%l</span>",
		 (int64_t)i, i == 0 ? " open" : "", (int64_t)i);
	write_line(page, stop, &holder);
	if (begin_body(page)) {
		write_held(page, stop, &holder);
		gti_html(page,
			 "<div><h3>Requested by <small>G%d on P%d</small></h3>",
			 stop->g, stop->p);
		write_stack_list(page, stop->frames, stop->frame_count);
		gti_html(page, "</div>");
	}
	gti_html(page, "</div></details>\n");
}

void gti_html_stops(struct page *page)
{
	const struct html_report *report = page->report;
	size_t i;

	if (report->stop_count == 0)
		gti_html_none(page, true);
	write_kinds(page, report->summary->stops);
	for (i = 0; i < report->stop_count && take_row(page); i++)
		write_stop_row(page, html_stop(report, i), i);
}
