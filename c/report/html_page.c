/* SPDX-License-Identifier: BSD-3-Clause */
/* html_page.c - an HTML report: what the template in page/ calls. */
#include <string.h>

#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/compare.h"
#include "report/diagnosis.h"
#include "report/html.h"
#include "report/page_data.inc"

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     1000
#define LINE_BYTES_MAX 16000
/* What comes after all rows, with the script. */
#define REST_BYTES 60000

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

/* ------------------------------------------------------------------ rows -- */

static bool fits(const struct page *page, size_t bytes)
{
	return writer_size(page->writer) + bytes + REST_BYTES < PAGE_SIZE_MAX;
}

bool gti_html_has_row(struct page *page, enum html_list list, size_t i)
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

bool gti_html_shows_body(struct page *page)
{
	if (fits(page, page->rows_left * LINE_BYTES + BODY_BYTES))
		return true;
	write_text(page->writer, "<p class=faint>Left out: the file would be "
				 "over 2 MB.</p>");
	return false;
}

const char *gti_html_no_rows(const struct html_report *report)
{
	return report->filtered ? "passes the filters" : "in this trace";
}

int64_t gti_html_samples(const struct gtrace_slice *slice)
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

size_t gti_html_find_open(const struct gtrace_greedy_report *greedy)
{
	size_t open = SIZE_MAX, i;

	for (i = 0; i < greedy->count; i++)
		if (is_of_program(greedy->slices[i]) &&
		    (open == SIZE_MAX ||
		     greedy->slices[i]->own > greedy->slices[open]->own))
			open = i;
	return open != SIZE_MAX ? open : 0;
}

struct naming gti_html_wait_naming(const struct gtrace_wait *wait)
{
	return wait->kept_count != 0
		       ? gti_name_kept(wait->kept)
		       : (struct naming){.work = GTRACE_WORK_SCHEDULER};
}

const char *gti_html_not_busy(const struct gtrace_wait *wait)
{
	if (wait->stopped > wait->busy && wait->stopped >= wait->idle)
		return "the world was stopped";
	return wait->idle > wait->busy ? "a processor was free" : NULL;
}

const char *gti_html_name(const char *name)
{
	const char *slash = name != NULL ? strrchr(name, '/') : NULL;

	return name == NULL ? "trace" : slash != NULL ? slash + 1 : name;
}

static struct page page_to(struct writer *writer,
			   const struct html_report *report)
{
	return (struct page){
		.writer = writer,
		.to = {.writer = writer, .look = LOOK_PAGE},
		.report = report,
	};
}

void gti_html_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted)
{
	struct page page = page_to(writer, NULL);

	fill_comparison(&page, comparison, wanted);
}

void gti_write_page(struct writer *writer, const struct html_report *report)
{
	struct page page = page_to(writer, report);
	size_t i;

	for (i = 0; i < HTML_LISTS; i++)
		page.rows_left += report->counts[i];
	fill_page(&page);
}
