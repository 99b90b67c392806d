/* SPDX-License-Identifier: BSD-3-Clause */
/* html_rows.c - the lists of an HTML report; those of slices and stops. */
#include "report/html.h"

/* Of the stacks of samples, the most frequent ones are shown. */
#define SAMPLES_SHOWN 3
#define FRAMES_SHOWN  64

/* Of the late processors of a stop, those that were last. */
#define LATE_SHOWN 12

/* The runtime's own length of a stop is told if it is so much more, in ns. */
#define COUNTED_MORE 500000

/* The runtime has fewer kinds; a damaged trace can have one a stop. */
#define KINDS_SHOWN 30

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     1000
#define LINE_BYTES_MAX 16000
/* What comes after all rows, with the script. */
#define REST_BYTES 60000

/* ------------------------------------------------------------------ rows -- */

static bool fits(const struct page *page, size_t bytes)
{
	return writer_size(page->writer) + bytes + REST_BYTES < PAGE_SIZE_MAX;
}

/* What a row is named after, and its work. */
static void write_what(struct page *page, const struct row *row)
{
	gti_html(page, "<span class=\"what%s\">",
		 row->instead == NULL && gti_is_goroutine(row->naming)
			 ? ""
			 : " faint");
	if (row->instead != NULL)
		gti_html(page, "%s", row->instead);
	else
		gti_html(page, "%n", row->naming);
	if (row->kind != NULL)
		gti_html(page, " <small>%t%s</small>", row->kind, row->note);
	gti_html(page,
		 row->instead != NULL ? "</span><span></span>" : "</span>%w",
		 row->naming);
}

static void write_where(struct page *page, const struct row *row)
{
	if (row->g != NULL)
		gti_html(page, "G%d", *row->g);
	if (row->g != NULL && row->p != NULL)
		gti_html(page, " on ");
	if (row->p != NULL)
		gti_html(page, "P%d", *row->p);
}

bool gti_html_begin_row(struct page *page, const struct row *row)
{
	const char *rank = row->by_letters ? "%l" : "%d";
	int64_t number = (int64_t)row->number + !row->by_letters;
	size_t i;

	gti_html(page, "<details class=row%s id=%s",
		 row->is_open ? " open" : "", row->list);
	gti_html(page, rank, number);
	gti_html(page, " data-of=\"");
	for (i = 0; i < row->number_count; i++)
		gti_html(page, i != 0 ? " %d" : "%d", row->numbers[i]);
	gti_html(page, "\"><summary><span class=rank>");
	gti_html(page, rank, number);
	gti_html(page, "</span><span class=length>%s%T</span>",
		 row->is_bound ? BOUND : "", row->length);
	write_what(page, row);
	gti_html(page, "<span class=aside>%s", row->aside);
	if (row->aside_ns >= 0)
		gti_html(page, " %T", row->aside_ns);
	gti_html(page, "</span><span class=where>");
	write_where(page, row);
	gti_html(page, "</span></summary><div class=body>");
	if (fits(page, page->rows_left * LINE_BYTES + BODY_BYTES))
		return true;
	gti_html(page, "<p class=faint>Left out: the file would be over "
		       "2 MB.</p>");
	return false;
}

void gti_html_list(struct page *page, enum html_list list,
		   void (*write)(struct page *page, size_t i))
{
	size_t count = page->report->counts[list], i;

	if (count == 0)
		gti_html_none(page, list);
	for (i = 0; i < count; i++) {
		page->rows_left--;
		if (!fits(page, LINE_BYTES_MAX)) {
			gti_html(page, "<p>The rest is left out: the file "
				       "would be over 2 MB.</p>");
			return;
		}
		write(page, i);
		gti_html(page, "</div></details>\n");
	}
}

void gti_html_stack(struct page *page, const struct gtrace_frame *frames,
		    size_t count)
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
			 &frames[i] == naming_own(&naming) ? " class=named"
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
	gti_html_stack(page, end->frames, end->frame_count);
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
	gti_html_stack(page, start->frames, start->frame_count);
	write_slice_end(page, slice);
	for (i = 0; i < slice->sample_count && i < SAMPLES_SHOWN; i++) {
		gti_html(page, "<div><h3>Sampled inside <small>%C</small></h3>",
			 (int64_t)slice->samples[i].count, "CPU sample");
		gti_html_stack(page, slice->samples[i].frames,
			       slice->samples[i].frame_count);
	}
	gti_html(page, "</div>");
}

static int64_t samples_of(const struct gtrace_slice *slice)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < slice->sample_count; i++)
		count += slice->samples[i].count;
	return (int64_t)count;
}

static void write_slice_facts(struct page *page,
			      const struct gtrace_slice *slice)
{
	int64_t samples = samples_of(slice);

	gti_html(
		page,
		"<dl class=facts><div><dt>ran<dd>%m to %m</div><div><dt>system "
		"calls inside<dd>",
		slice->start.ts, html_slice_end(slice));
	if (slice->syscalls == 0)
		gti_html(page, "none");
	else if (slice->syscall_ns >= 0)
		gti_html(page, "%c, %T", (int64_t)slice->syscalls,
			 slice->syscall_ns);
	else
		gti_html(page, "%c, their time is not recorded",
			 (int64_t)slice->syscalls);
	gti_html(page, "</div><div><dt>CPU samples inside<dd>");
	gti_html(page, samples != 0 ? "%c" : "none", samples);
	gti_html(page, "</div></dl>");
}

static void write_slice(struct page *page, size_t i)
{
	const struct gtrace_slice *slice =
		page->report->summary->greedy->slices[i];
	struct naming naming = slice_naming(slice);
	const int64_t numbers[] = {slice->start.ts, html_slice_end(slice),
				   slice->p, slice->g, slice->duration};
	const struct row row = {
		.list = "s",
		.number = i,
		.is_open = i == page->open,
		.length = slice->duration,
		.naming = &naming,
		.aside =
			slice->delay != 0 ? "delayed others" : "delayed no goroutine",
		.aside_ns = slice->delay != 0 ? slice->delay : -1,
		.g = &slice->g,
		.p = &slice->p,
		.numbers = numbers,
		.number_count = sizeof(numbers) / sizeof(numbers[0]),
	};

	if (gti_html_begin_row(page, &row)) {
		write_slice_facts(page, slice);
		write_stacks(page, slice);
	}
}

static bool is_of_program(const struct gtrace_slice *slice)
{
	return slice->work == GTRACE_WORK_PROGRAM ||
	       slice->work == GTRACE_WORK_SYSCALL;
}

/* The row of the slice of the program with the greatest `own`, else the first.
 */
static size_t find_open(const struct gtrace_greedy_report *greedy)
{
	size_t open = SIZE_MAX, i;

	for (i = 0; i < greedy->count; i++)
		if (is_of_program(greedy->slices[i]) &&
		    (open == SIZE_MAX ||
		     greedy->slices[i]->own > greedy->slices[open]->own))
			open = i;
	return open != SIZE_MAX ? open : 0;
}

void gti_html_slices(struct page *page)
{
	page->open = find_open(page->report->summary->greedy);
	gti_html_list(page, HTML_SLICES, write_slice);
}

/* ----------------------------------------------------------------- kinds -- */

static void write_kind(struct page *page, const struct gtrace_stop_kind *kind,
		       uint64_t count)
{
	gti_html(page, "<td>%c<td>%K<td>%K<td>%K<td>%K<td>%K", (int64_t)count,
		 kind->stopping, kind->median, kind->p99, kind->max,
		 kind->stopped);
}

void gti_html_kinds(struct page *page)
{
	const struct gtrace_stop_report *stops = page->report->summary->stops;
	size_t i;

	for (i = 0; i < stops->kind_count && i < KINDS_SHOWN; i++) {
		gti_html(page, "<tr><td>%t", &stops->kinds[i].kind);
		write_kind(page, &stops->kinds[i], stops->kinds[i].count);
	}
	if (stops->kind_count != 0 && stops->measured != 0) {
		gti_html(page, "<tr class=all><td>all measured");
		write_kind(page, &stops->all, stops->all.measured);
	}
	if (i < stops->kind_count)
		gti_html(page, "<tr><td class=faint>%d more kinds",
			 (int64_t)(stops->kind_count - i));
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
		gti_html_stack(page, late->frames, late->frame_count);
	}
}

/* The late processors. The script needs them all; one alone is not shown. */
static void write_late(struct page *page, const struct gtrace_stop *stop,
		       int64_t from)
{
	const struct gtrace_late *late = stop->late;
	size_t i;

	gti_html(page,
		 "<div class=late%s><h3>Late processors</h3><div "
		 "class=wide-table><table><thead><tr><th>P<th class=right>"
		 "given up %s<th>what it did<th>goroutine<tbody>",
		 stop->late_count < 2 ? " hidden" : "",
		 stop->inferred ? "at" : "after");
	for (i = 0; i < stop->late_count && i < LATE_SHOWN; i++, late++) {
		struct naming naming = gti_name_late(late);

		gti_html(page, "<tr data-of=\"%d %d %d %d %d %d\"><td>P%d",
			 late->p, late->g, (int64_t)late->how, late->start,
			 late->left, late->gave_up, late->p);
		gti_html(page,
			 stop->inferred ? "<td class=right>%m<td>%w<td>"
					: "<td class=right>%T<td>%w<td>",
			 late->gave_up - (stop->inferred ? 0 : from), &naming);
		if (gti_is_goroutine(&naming))
			gti_html(page, "G%d ", late->g);
		gti_html(page, "%n", &naming);
	}
	gti_html(page, "</table></div>");
	if (i < stop->late_count)
		gti_html(page, "<p class=faint>%d more</p>",
			 (int64_t)(stop->late_count - i));
	gti_html(page, "</div>");
}

static void write_stop_facts(struct page *page, const struct gtrace_stop *stop,
			     const struct stop_times *times)
{
	if (stop->inferred) {
		gti_html(page,
			 "<p class=warning>Bounds only: the trace has the "
			 "moment when the world was started again, %m, not the "
			 "request, which came at %m or later.</p>",
			 times->to, times->from);
		return;
	}
	gti_html(page,
		 "<dl class=facts><div><dt>requested<dd>at %m, P%d</div><div>"
		 "<dt>to stop<dd>%T</div>",
		 times->from, stop->p, stop->stopping);
	if (gti_unheld(stop) > 0)
		gti_html(page, "<div><dt>of that, no goroutine<dd>%T</div>",
			 gti_unheld(stop));
	if (stop->stopped >= 0)
		gti_html(page, "<div><dt>stood<dd>%T</div>", stop->stopped);
	if (stop->total - stop->stopping - stop->stopped > COUNTED_MORE)
		gti_html(page, "<div><dt>the runtime counts<dd>%T</div>",
			 stop->total);
	gti_html(page, "<div><dt>processor time lost waiting<dd>%T</div>",
		 stop->waited);
	if (stop->procs > 0)
		gti_html(page, "<div><dt>idle<dd>%d of %d processors</div>",
			 stop->idle, stop->procs);
	gti_html(page, "</dl>");
}

static void write_stop_body(struct page *page, const struct gtrace_stop *stop,
			    const struct naming *holder,
			    const struct stop_times *times)
{
	write_stop_facts(page, stop, times);
	write_held(page, stop, holder);
	gti_html(page, "<div><h3>Requested by <small>G%d on P%d</small></h3>",
		 stop->g, stop->p);
	gti_html_stack(page, stop->frames, stop->frame_count);
	gti_html(page, "</div>");
	if (stop->late_count != 0)
		write_late(page, stop, times->from);
}

static void write_stop(struct page *page, size_t i)
{
	const struct gtrace_stop *stop = html_stop(page->report, i);
	struct naming holder = gti_name_holder(stop);
	struct stop_times times = gti_stop_times(stop);
	const int64_t numbers[] = {
		times.from,  times.stood,         times.to,
		stop->ended, stop->inferred,      stop->p,
		stop->g,     html_stopping(stop), stop->stopped,
	};
	const struct row row = {
		.list = "w",
		.number = i,
		.by_letters = true,
		.is_open = i == 0,
		.is_bound = stop->inferred && stop->stopping_max > 0,
		.length = html_stopping(stop),
		.naming = &holder,
		.kind = &stop->kind,
		.note = stop->inferred ? ", bounds only" : "",
		.aside = stop->stopped >= 0 ? "stood" : "",
		.aside_ns = stop->stopped,
		.g = gti_is_goroutine(&holder) ? &stop->late->g : NULL,
		.p = stop->late_count != 0 ? &stop->late->p : NULL,
		.numbers = numbers,
		.number_count = sizeof(numbers) / sizeof(numbers[0]),
	};

	if (gti_html_begin_row(page, &row))
		write_stop_body(page, stop, &holder, &times);
}

void gti_html_stops(struct page *page)
{
	const struct gtrace_stop_report *stops = page->report->summary->stops;

	if (stops->kind_count != 0 && stops->unmeasured != 0)
		gti_html(page,
			 "<p class=faint>%c not measured: the trace does not "
			 "hold all that was done from their request to their "
			 "end. The stop that starts a trace is recorded when "
			 "the world stands already.</p>",
			 (int64_t)stops->unmeasured);
	gti_html_list(page, HTML_STOPS, write_stop);
}
