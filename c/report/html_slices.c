/* SPDX-License-Identifier: BSD-3-Clause */
/* html_slices.c - the longest slices, as rows of an HTML report. */
#include <string.h>

#include "report/html.h"

/* Of the stacks of samples, the most frequent ones are shown. */
#define SAMPLES_SHOWN 3
#define FRAMES_SHOWN  64

/* Functions in the line above the rows. */
#define FUNCTIONS_SHOWN 5

enum gtrace_work gti_html_work_of_slice(const struct gtrace_slice *slice)
{
	struct naming naming = gti_name_slice(slice);

	if (naming.work == GTRACE_WORK_SYSCALL)
		return naming.work;
	return naming.frame != NULL ? naming.work : WORK_UNKNOWN;
}

/* Times of stops and of slices differ by a little: see struct gtrace_stop. */
bool gti_html_is_late_in(const struct gtrace_late *late,
			 const struct gtrace_slice *slice)
{
	int64_t from, to;

	if (late->p != slice->p || late->g != slice->g ||
	    late->how == GTRACE_LATE_SCHEDULER)
		return false;
	from = late->start > slice->start.ts ? late->start : slice->start.ts;
	to = slice->still_running || late->left < slice->end.ts ? late->left
								: slice->end.ts;
	return to - from > (late->left - late->start) / 2;
}

/* ---------------------------------------------------------------- stacks -- */

void gti_html_frames(struct page *page, const struct gtrace_frame *frames,
		     size_t count)
{
	struct naming naming = gti_name_stack(frames, count);
	size_t i;

	if (count == 0) {
		gti_page_put(page, "<p class=faint>The trace has no stack "
				   "here.</p>");
		return;
	}
	gti_page_put(page, "<ol class=stack>");
	for (i = 0; i < count && i < FRAMES_SHOWN; i++) {
		gti_page_put(page, &frames[i] == naming.frame
					   ? "<li class=named>"
				   : gti_is_runtime_frame(&frames[i])
					   ? "<li class=of-runtime>"
					   : "<li>");
		gti_page_function(page, frames[i].function);
		gti_page_put(page, " ");
		gti_page_place(page, &frames[i]);
		gti_page_put(page, "</li>");
	}
	if (i < count)
		gti_page_format(page, "<li>%zu more frames</li>", count - i);
	gti_page_put(page, "</ol>");
}

static void write_samples(struct page *page, const struct gtrace_slice *slice)
{
	size_t i;

	for (i = 0; i < slice->sample_count && i < SAMPLES_SHOWN; i++) {
		gti_page_put(page, "<div><h3>Sampled inside <small>");
		gti_page_counted(page, slice->samples[i].count, "CPU sample");
		gti_page_put(page, "</small></h3>");
		gti_html_frames(page, slice->samples[i].frames,
				slice->samples[i].frame_count);
		gti_page_put(page, "</div>");
	}
}

static void write_stacks(struct page *page, const struct gtrace_slice *slice)
{
	gti_page_put(page, "<div class=stacks><div><h3>Began <small>");
	/* The stack can be that of an event that led to the start. */
	if (slice->start.walk_count != 0)
		gti_page_format(page, "after %s ", slice->start.walk[0]);
	gti_page_put(page, "at</small></h3>");
	gti_html_frames(page, slice->start.frames, slice->start.frame_count);
	gti_page_put(page, "</div><div>");
	if (slice->still_running) {
		gti_page_put(page, "<h3>Still running</h3><p class=faint>The "
				   "trace ends before the slice does.</p>");
	} else {
		gti_page_put(page, "<h3>Could be stopped <small>just after "
				   "what held the processor</small></h3>");
		gti_html_frames(page, slice->end.frames,
				slice->end.frame_count);
	}
	gti_page_put(page, "</div>");
	write_samples(page, slice);
	gti_page_put(page, "</div>");
}

/* ----------------------------------------------------------------- facts -- */

static void write_end(struct page *page, const struct gtrace_slice *slice)
{
	const struct gtrace_event *end = &slice->end;

	gti_page_put(page, "<div><dt>ended by</dt><dd>");
	if (slice->still_running)
		gti_page_put(page, "the end of the trace");
	else
		gti_page_format(page, "%s", end->name);
	if (!slice->still_running && end->string_count != 0 &&
	    end->strings[0].size != 0) {
		gti_page_put(page, " (");
		gti_page_text(page, end->strings[0]);
		gti_page_put(page, ")");
	}
	gti_page_put(page, "</dd></div>");
}

static void write_calls(struct page *page, const struct gtrace_slice *slice)
{
	gti_page_put(page, "<div><dt>system calls inside</dt><dd>");
	if (slice->syscalls == 0) {
		gti_page_put(page, "none");
	} else {
		gti_page_count(page, slice->syscalls);
		gti_page_put(page, ", ");
		if (slice->syscall_ns >= 0)
			gti_page_duration(page, slice->syscall_ns);
		else
			gti_page_put(page, "their time is not recorded");
	}
	gti_page_put(page, "</dd></div>");
}

static uint64_t samples_of(const struct gtrace_slice *slice)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < slice->sample_count; i++)
		count += slice->samples[i].count;
	return count;
}

/* How the goroutine of SLICE was related to STOP; NULL: not. */
static const char *relation(const struct gtrace_slice *slice,
			    const struct gtrace_stop *stop)
{
	int64_t end = slice->still_running ? INT64_MAX : slice->end.ts;
	size_t i;

	for (i = 0; i < stop->late_count; i++)
		if (gti_html_is_late_in(&stop->late[i], slice))
			return stop->inferred ? "may have held up"
			       : i == 0       ? "held up"
					      : "late for";
	if (!stop->inferred && stop->g == slice->g && stop->p == slice->p &&
	    stop->requested >= slice->start.ts && stop->requested < end)
		return "asked for";
	return NULL;
}

/* Writes how SLICE was related to stops. LINKS: as links. */
static void write_relations(struct page *page, const struct marks *marks,
			    const struct gtrace_slice *slice, bool links)
{
	const char *words, *separator = "";
	struct letters letters;
	size_t i;

	for (i = 0; i < marks->stop_count; i++) {
		words = relation(slice, marks->stops[i]);
		if (words == NULL)
			continue;
		letters = gti_page_letters(i);
		gti_page_format(page, "%s%s ", separator, words);
		if (links)
			gti_page_format(page, "<a href=\"#w%s\">",
					letters.text);
		gti_page_format(page, "stop %s%s", letters.text,
				links ? "</a>" : "");
		separator = ", ";
	}
}

static bool has_relation(const struct marks *marks,
			 const struct gtrace_slice *slice)
{
	size_t i;

	for (i = 0; i < marks->stop_count; i++)
		if (relation(slice, marks->stops[i]) != NULL)
			return true;
	return false;
}

static void write_facts(struct page *page, const struct html_report *report,
			const struct gtrace_slice *slice)
{
	gti_page_put(page, "<dl class=facts><div><dt>ran</dt><dd>");
	gti_page_moment(page, slice->start.ts);
	gti_page_put(page, " to ");
	gti_page_moment(page, slice->still_running
				      ? report->lanes->overview.length
				      : slice->end.ts);
	gti_page_put(page, "</dd></div>");
	write_end(page, slice);
	write_calls(page, slice);
	gti_page_put(page, "<div><dt>CPU samples inside</dt><dd>");
	if (samples_of(slice) != 0)
		gti_page_count(page, samples_of(slice));
	else
		gti_page_put(page, "none");
	gti_page_put(page, "</dd></div>");
	if (has_relation(report->marks, slice)) {
		gti_page_put(page, "<div><dt>stops</dt><dd>");
		write_relations(page, report->marks, slice, true);
		gti_page_put(page, "</dd></div>");
	}
	gti_page_put(page, "</dl>");
}

/* ------------------------------------------------------------------ rows -- */

static void write_line(struct page *page, const struct html_report *report,
		       const struct gtrace_slice *slice, size_t i)
{
	struct naming naming = gti_name_slice(slice);
	enum gtrace_work work = gti_html_work_of_slice(slice);

	gti_page_format(page,
			"<summary><span class=rank>%zu</span><span "
			"class=length>",
			i + 1);
	gti_page_duration(page, slice->duration);
	gti_page_format(page,
			"</span><span class=meter><i class=%s style=\"width:",
			gti_page_class(work));
	gti_page_percent(page, slice->duration,
			 report->marks->slices[0]->duration);
	gti_page_put(page, "\"></i></span><span class=what>");
	gti_page_naming(page, &naming);
	gti_page_caller(page, &naming);
	if (has_relation(report->marks, slice)) {
		gti_page_put(page, " <small>");
		write_relations(page, report->marks, slice, false);
		gti_page_put(page, "</small>");
	}
	gti_page_put(page, "</span>");
	gti_page_work(page, work);
	gti_page_format(page,
			"<span class=where>G%lld on P%lld</span></summary>",
			(long long)slice->g, (long long)slice->p);
}

bool gti_html_take_row(struct page *page)
{
	page->rows_left--;
	if (gti_page_fits_row(page))
		return true;
	gti_page_put(page, "<p>The rest is left out: the file would be over "
			   "2 MB.</p>");
	return false;
}

static void write_body(struct page *page, const struct html_report *report,
		       size_t i)
{
	const struct gtrace_slice *slice = report->marks->slices[i];

	if (!gti_page_fits_body(page)) {
		gti_page_put(page, "<p class=faint>Left out: the file would be "
				   "over 2 MB.</p>");
		return;
	}
	write_facts(page, report, slice);
	gti_page_put(page, "<h3>What all processors did around it <small>0 is "
			   "where the slice began</small></h3>");
	if (report->windows[i] != NULL)
		gti_draw_slice(page, report->windows[i], report->marks, i);
	else
		gti_page_put(page, "<p class=faint>No picture: the file would "
				   "be over 2 MB.</p>");
	write_stacks(page, slice);
}

static void write_row(struct page *page, const struct html_report *report,
		      size_t i, bool open)
{
	const struct gtrace_slice *slice = report->marks->slices[i];

	gti_page_format(page, "<details class=row id=s%zu%s>", i + 1,
			open ? " open" : "");
	write_line(page, report, slice, i);
	gti_page_put(page, "<div class=body>");
	write_body(page, report, i);
	gti_page_put(page, "</div></details>\n");
}

static bool is_same(struct gtrace_string a, struct gtrace_string b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* Slices that have one name. */
struct group {
	struct gtrace_string function;
	uint64_t count;
	int64_t sum;
};

/* The functions of the rows with the largest sums, in one line. */
static void write_functions(struct page *page, const struct marks *marks)
{
	struct group groups[64], largest;
	size_t count = 0, shown, i, j;
	struct naming naming;

	for (i = 0; i < marks->slice_count; i++) {
		naming = gti_name_slice(marks->slices[i]);
		if (naming.frame == NULL)
			continue;
		for (j = 0; j < count; j++)
			if (is_same(groups[j].function, naming.frame->function))
				break;
		if (j == sizeof(groups) / sizeof(groups[0]))
			continue;
		if (j == count)
			groups[count++] = (struct group){
				.function = naming.frame->function};
		groups[j].count++;
		groups[j].sum += marks->slices[i]->duration;
	}
	for (shown = 0; shown < count && shown < FUNCTIONS_SHOWN; shown++) {
		for (j = shown, i = shown; i < count; i++)
			if (groups[i].sum > groups[j].sum)
				j = i;
		largest = groups[j];
		groups[j] = groups[shown];
		groups[shown] = largest;
		gti_page_put(page, shown == 0 ? ": " : ", ");
		gti_page_function(page, largest.function);
		gti_page_put(page, " ");
		gti_page_count(page, largest.count);
		gti_page_put(page, "\xc3\x97, ");
		gti_page_duration(page, largest.sum);
	}
	gti_page_put(page, ".</p>");
}

void gti_html_no_slice(struct page *page, const struct html_report *report)
{
	gti_page_put(page, report->filtered
				   ? "<p>No slice passes the filters.</p>"
				   : "<p>No goroutine ran in this trace.</p>");
}

void gti_html_slices(struct page *page, const struct html_report *report)
{
	const struct marks *marks = report->marks;
	size_t open = gti_html_first_slice(report), i;

	gti_page_put(page, "<section id=slices><h2>Longest slices</h2>");
	if (marks->slice_count == 0) {
		gti_html_no_slice(page, report);
		gti_page_put(page, "</section>\n");
		return;
	}
	gti_page_put(page,
		     "<p class=hint>A slice is the time over which one "
		     "goroutine kept one processor without a break. The "
		     "scheduler asks a goroutine to stop after 10 ms: one that "
		     "kept its processor longer could not be stopped, was in "
		     "the runtime or in a system call, or its thread got no "
		     "CPU.</p><p class=faint>The ");
	if (marks->slice_count == report->summary->slices.count) {
		gti_page_counted(page, marks->slice_count, "slice");
	} else {
		gti_page_format(page, "%zu longest of ", marks->slice_count);
		gti_page_count(page, report->summary->slices.count);
	}
	write_functions(page, marks);
	for (i = 0; i < marks->slice_count && gti_html_take_row(page); i++)
		write_row(page, report, i, i == open);
	gti_page_put(page, "</section>\n");
}
