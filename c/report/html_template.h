/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_template.h - what the template of a page calls. Only html_page.c, which
 * includes the template after it, includes it.
 */
#ifndef GTRACE_REPORT_HTML_TEMPLATE_H_
#define GTRACE_REPORT_HTML_TEMPLATE_H_

#include <string.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/block_kinds.h"
#include "report/compare.h"
#include "report/diagnosis.h"
#include "report/html.h"
#include "report/next.h"
#include "report/paths.h"
#include "report/sentence.h"
#include "report/text.h"

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     1000
#define LINE_BYTES_MAX 16000
/* What comes after all rows, with the script. */
#define REST_BYTES 60000

/* A path has at most so many different stacks, and all paths of so many bytes.
 */
#define PATH_STACKS_MAX 100
#define PATHS_BYTES     400000

/* ---------------------------------------------------------------- values -- */

/* More findings have no cards. */
#define FINDINGS_SHOWN 5

/* A page that is being written. */
struct page {
	struct writer *writer;
	struct sentence to; /* numbers, and HTML of our own */
	const struct html_report *report;
	size_t rows_left;     /* rows of all lists that are to come */
	uint64_t paths_begin; /* the size before the first critical path */
	/* Those that have cards, and the sections in their order. */
	const struct gtrace_finding *findings[FINDINGS_SHOWN];
	size_t finding_count;
	enum html_list sections[HTML_LISTS];
	size_t section_count;
};

/* A critical path that is being written. */
struct path_page {
	const struct gtrace_path *path;
	size_t number; /* from 1 on */
	struct path_part parts[PATH_PARTS_MAX];
	size_t count;
	/* The stacks that it has so far, and the parts that these are in. */
	const struct gtrace_frame *stacks[PATH_STACKS_MAX];
	size_t places[PATH_STACKS_MAX];
	size_t stack_count;
	size_t part; /* the one that is being written */
	/* The last one before it that is not short; NULL: none. */
	const struct gtrace_segment *last;
};

/* Longer texts are cut off, and longer sentences, of which there are few. */
#define TEXT_CHARACTERS     300
#define SENTENCE_CHARACTERS 1000

#define ELLIPSIS       "\xe2\x80\xa6"
#define NO_BREAK_SPACE "\xc2\xa0"

/* What stands for a character in text and attributes; NULL: itself. */
static const char *escape(const struct utf8 *text)
{
	switch (*text->at) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return gti_utf8_is_hidden(text) ? UTF8_REPLACEMENT : NULL;
	}
}

/*
 * Writes TEXT as HTML of an element or attribute: its first 300 characters, or
 * 1,000 if it is sentences, in which units stay with their numbers.
 */
static void write_escaped(struct page *page, const struct gtrace_string *text,
			  bool is_sentence)
{
	struct utf8 at = utf8_of(text->data, text->size);
	size_t left = is_sentence ? SENTENCE_CHARACTERS : TEXT_CHARACTERS;
	bool after_digit = false;
	const char *instead;

	while (gti_utf8_next(&at)) {
		if (left-- == 0) {
			write_text(page->writer, ELLIPSIS);
			return;
		}
		/* Numbers stay with units, but names not with places. */
		instead = after_digit && *at.at == ' ' && at.next != at.end &&
					  *at.next != '('
				  ? NO_BREAK_SPACE
				  : escape(&at);
		after_digit = is_sentence && *at.at >= '0' && *at.at <= '9';
		if (instead != NULL)
			write_text(page->writer, instead);
		else
			gti_write_bytes(page->writer, at.at, at.size);
	}
}

static void write_plain(struct page *page, const char *text)
{
	const struct gtrace_string string = {text, strlen(text)};

	write_escaped(page, &string, false);
}

static void write_integer(struct page *page, int64_t value)
{
	gti_write_signed(page->writer, value);
}

/* Writes A to Z, AA, AB, ... for I from 0 on. */
static void write_letters(struct page *page, int64_t i)
{
	if (i >= 26)
		write_letters(page, i / 26 - 1);
	write_byte(page->writer, (char)('A' + i % 26));
}

/* ------------------------------------------------------------------ rows -- */

static bool fits(const struct page *page, size_t bytes)
{
	return writer_size(page->writer) + bytes + REST_BYTES < PAGE_SIZE_MAX;
}

/* Whether another line fits, and those of the rows that are to come. */
static bool fits_line(const struct page *page)
{
	return fits(page, page->rows_left * LINE_BYTES + LINE_BYTES_MAX);
}

/* Whether row I of LIST comes next. Writes so if it does not fit. */
static bool has_row(struct page *page, enum html_list list, size_t i)
{
	if (i == page->report->counts[list])
		return false;
	page->rows_left--;
	if (fits(page, LINE_BYTES_MAX))
		return true;
	write_text(page->writer, "<p>The rest is left out: the file would be "
				 "over 2 MB.</p>");
	return false;
}

/*
 * Whether a row shows more than its line: if that fits, and the lines of the
 * rows after it. Writes so if it does not.
 */
static bool shows_body(struct page *page)
{
	if (fits(page, page->rows_left * LINE_BYTES + BODY_BYTES))
		return true;
	write_text(page->writer, "<p class=faint>Left out: the file would be "
				 "over 2 MB.</p>");
	return false;
}

/* What is said of a list without rows. */
static const char *no_rows(const struct html_report *report)
{
	return report->filtered ? "passes the filters" : "in this trace";
}

/* -------------------------------------------------------------- sections -- */

/* A section: its address, heading, and the flag that prints the same. */
struct html_section {
	const char *id;
	const char *heading;
	const char *flag; /* NULL: none */
};

static const struct html_section html_sections[HTML_LISTS] = {
	[HTML_SLICES] = {"slices", "Longest slices", "-diagreedy"},
	[HTML_WAITS] = {"waits", "Longest waits for a processor", "-wait"},
	[HTML_BLOCKS] = {"blocks", "Where goroutines were blocked longest",
			 "-block"},
	[HTML_STOPS] = {"stops", "Stop-the-world pauses", "-stw"},
	[HTML_PATHS] = {"requests", "Why the slowest requests were slow",
			"-critical-path"},
	[HTML_GOROUTINES] = {"goroutines", "Goroutines by function",
			     "-goroutines"},
	[HTML_LENGTHS] = {"lengths", "How long slices were", NULL},
};

/* The lists of findings; HTML_LISTS stands for the whole trace. */
static enum html_list list_of(const struct gtrace_finding *finding)
{
	static const enum html_list lists[NEXT_LISTS] = {
		[NEXT_WHOLE] = HTML_LISTS, [NEXT_SLICES] = HTML_SLICES,
		[NEXT_WAITS] = HTML_WAITS, [NEXT_BLOCKS] = HTML_BLOCKS,
		[NEXT_STOPS] = HTML_STOPS, [NEXT_GOROUTINES] = HTML_GOROUTINES,
	};

	return lists[gti_next_list(finding)];
}

/* The section that shows FINDING. */
static const struct html_section *
section_of(const struct gtrace_finding *finding)
{
	static const struct html_section whole = {"whole", "The whole trace",
						  NULL};
	enum html_list list = list_of(finding);

	return list != HTML_LISTS ? &html_sections[list] : &whole;
}

/* Adds the section of LIST, if it is not there yet. */
static void add_section(struct page *page, enum html_list list)
{
	size_t i;

	for (i = 0; i < page->section_count; i++)
		if (page->sections[i] == list)
			return;
	page->sections[page->section_count++] = list;
}

/* Sets the findings that have cards; sections are in the order of these. */
static void set_sections(struct page *page)
{
	static const enum html_list others[] = {
		HTML_PATHS, HTML_SLICES,     HTML_WAITS,  HTML_BLOCKS,
		HTML_STOPS, HTML_GOROUTINES, HTML_LENGTHS};
	const struct gtrace_summary *summary = page->report->summary;
	size_t i;

	for (i = 0; i < summary->finding_count && i < FINDINGS_SHOWN; i++) {
		const struct gtrace_finding *finding = &summary->findings[i];

		if (!gti_is_notable(summary, finding))
			continue;
		page->findings[page->finding_count++] = finding;
		if (list_of(finding) != HTML_LISTS)
			add_section(page, list_of(finding));
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i] != HTML_PATHS ||
		    page->report->counts[HTML_PATHS] != 0)
			add_section(page, others[i]);
}

/* ------------------------------------------------------- values of rows -- */

/* Whether the runtime preempted a goroutine by EVENT. */
static bool was_preempted(const struct gtrace_event *event)
{
	return strcmp(event->name, "GoPreempt") == 0 ||
	       (event->string_count != 0 &&
		string_is(event->strings[0], "preempted"));
}

/* How long goroutines with these TIMES were blocked, or in system calls. */
static int64_t blocked_in(const struct gtrace_times *times)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		sum = add_ns(sum, times->blocked[i]);
	return sum;
}

/* How many CPU samples are in SLICE. */
static int64_t count_samples(const struct gtrace_slice *slice)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < slice->sample_count; i++)
		count += slice->samples[i].count;
	return (int64_t)count;
}

static bool is_of_program(const struct gtrace_slice *slice)
{
	return slice->work == GTRACE_WORK_PROGRAM ||
	       slice->work == GTRACE_WORK_SYSCALL;
}

/* The row of the slice of the program with the greatest `own`, or 0. */
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

/* What the row of WAIT is named after. */
static struct naming wait_naming(const struct gtrace_wait *wait)
{
	return wait->kept_count != 0
		       ? gti_name_kept(wait->kept)
		       : (struct naming){.work = GTRACE_WORK_SCHEDULER};
}

/*
 * Why WAIT took so long, if no processor kept it most of the time; or NULL.
 */
static const char *not_busy(const struct gtrace_wait *wait)
{
	if (wait->stopped > wait->busy && wait->stopped >= wait->idle)
		return "the world was stopped";
	return wait->idle > wait->busy ? "a processor was free" : NULL;
}

/* How long STOP waited; at most, if it is inferred. */
static int64_t stopping_of(const struct gtrace_stop *stop)
{
	return stop->inferred ? stop->stopping_max : stop->stopping;
}

/* ----------------------------------------------------------------- paths -- */

/* The number of a stack that is empty, and of one that is left out. */
#define PATH_NO_STACK SIZE_MAX
#define PATH_LEFT_OUT (SIZE_MAX - 1)

/*
 * The number of the COUNT FRAMES among the stacks of SHOWN, to which they are
 * added if they are new. Equal stacks of one report have the same address.
 */
static size_t path_stack_at(const struct page *page, struct path_page *shown,
			    const struct gtrace_frame *frames, size_t count,
			    bool *is_new)
{
	size_t i;

	*is_new = false;
	if (count == 0)
		return PATH_NO_STACK;
	for (i = 0; i < shown->stack_count; i++)
		if (shown->stacks[i] == frames)
			return i;
	if (i == PATH_STACKS_MAX ||
	    writer_size(page->writer) > page->paths_begin + PATHS_BYTES ||
	    !fits(page, page->rows_left * LINE_BYTES + BODY_BYTES))
		return PATH_LEFT_OUT;
	shown->stacks[i] = frames;
	shown->places[i] = shown->part;
	shown->stack_count++;
	*is_new = true;
	return i;
}

/* The number of a state's colour in the style sheet. */
static unsigned path_colour(enum path_state state)
{
	static const unsigned colours[PATH_STATES] = {0, 11, 12, 2, 10, 9};

	return colours[state];
}

static const char *path_state_word(enum path_state state)
{
	static const char *const words[PATH_STATES] = {
		"ran",         "mark assist", "ready",
		"system call", "blocked",     "absent or unknown"};

	return words[state];
}

/* What ended a block that SEGMENT is, but for the network that it waited for.
 */
static const char *path_by_word(const struct gtrace_segment *segment)
{
	static const char *const words[][2] = {
		{"goroutine", ", ended by a goroutine"},
		{"timer", ", ended by a timer"},
		{"runtime", ", ended by the runtime"},
		{"not over", ", not over"},
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(segment->by, words[i][0]) == 0)
			return words[i][1];
	return "";
}

/* What the stack of a segment in STATE is. */
static const char *path_stack_words(enum path_state state)
{
	switch (state) {
	case PATH_RAN:
		return "Ran, up to";
	case PATH_READY:
		return "Was to go on at";
	default:
		return "At";
	}
}

#endif /* GTRACE_REPORT_HTML_TEMPLATE_H_ */
