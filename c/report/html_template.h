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
#include "report/sentence.h"

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     1000
#define LINE_BYTES_MAX 16000
/* What comes after all rows, with the script. */
#define REST_BYTES 60000

/* ---------------------------------------------------------------- values -- */

/* A page that is being written. */
struct page {
	struct writer *writer;
	struct sentence to; /* numbers, and HTML of our own */
	const struct html_report *report;
	size_t rows_left; /* rows of all lists that are to come */
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
	char *to = writer_reserve(page->writer, DECIMAL_MAX);

	writer_commit(page->writer, gti_put_signed(to, value));
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

#endif /* GTRACE_REPORT_HTML_TEMPLATE_H_ */
