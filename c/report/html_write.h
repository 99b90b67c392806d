/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_write.h - the pieces that an HTML page is made of.
 *
 * Text of a trace is written as the text of an element or as the value of an
 * attribute in double quotes, and nowhere else; each of the five characters
 * that have a meaning there is escaped.
 */
#ifndef GTRACE_REPORT_HTML_WRITE_H_
#define GTRACE_REPORT_HTML_WRITE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

#include "base/compiler.h"
#include "base/output.h"
#include "report/names.h"

/* A page that is being written. */
struct page {
	struct writer *writer;
	uint64_t size;    /* bytes so far */
	size_t rows_left; /* rows of slices and stops that are to come */
};

/* The most bytes of a page. */
#define PAGE_SIZE_MAX 2000000

/*
 * Whether what a row shows when it is opened fits, if the lines of the rows
 * after it are not unusually long.
 */
bool gti_page_fits_body(const struct page *page);

/* Whether another row fits, however long its names are. */
bool gti_page_fits_row(const struct page *page);

/* Writes HTML, a literal. */
void gti_page_put(struct page *page, const char *html);

/* Writes numbers and words of our own, at most 1,000 bytes. */
void gti_page_format(struct page *page, const char *format, ...)
	PRINTF_LIKE(2, 3);

/* Writes TEXT escaped, its first 300 characters. */
void gti_page_text(struct page *page, struct gtrace_string text);

/* Writes a name or a number as it is shown. */
void gti_page_shown(struct page *page, const struct shown *shown);

/* Writes a name of a function, with its full name as the title. */
void gti_page_function(struct page *page, struct gtrace_string function);

/* The same of what a stack is named after. */
void gti_page_naming(struct page *page, const struct naming *naming);

/* Writes " in " and the caller that NAMING has, if it has one. */
void gti_page_caller(struct page *page, const struct naming *naming);

/* Writes the place of FRAME, with its whole file name as the title. */
void gti_page_place(struct page *page, const struct gtrace_frame *frame);

/* Writes NS, with all its digits as the title. */
void gti_page_duration(struct page *page, int64_t ns);

/* Writes NS without a title: for attributes and lines of text. */
void gti_page_bare_duration(struct page *page, int64_t ns);

/* Writes NS since the trace began. */
void gti_page_moment(struct page *page, int64_t ns);

void gti_page_count(struct page *page, uint64_t count);

/* Writes COUNT as text alone, for pictures and titles. */
void gti_page_bare_count(struct page *page, uint64_t count);

/* Writes NS, a round number: 5 ms and not 5.00 ms. */
void gti_page_round(struct page *page, int64_t ns);

/* Writes COUNT and WORD, with an s if there is not just one. */
void gti_page_counted(struct page *page, uint64_t count, const char *word);

/* Writes PART of WHOLE, as "46.349%". */
void gti_page_percent(struct page *page, int64_t part, int64_t whole);

/* Writes a mark of WORK's colour with its word. */
void gti_page_work(struct page *page, enum gtrace_work work);

/* The class of WORK in style sheets. */
const char *gti_page_class(enum gtrace_work work);

/* The letters that stand for stop I: A to Z, AA, AB, ... */
struct letters {
	char text[16];
};

struct letters gti_page_letters(size_t i);

#endif /* GTRACE_REPORT_HTML_WRITE_H_ */
