/* SPDX-License-Identifier: BSD-3-Clause */
/* html_write.c - the pieces that an HTML page is made of. */
#include "report/html_write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define FORMAT_MAX 1000

_Static_assert(FORMAT_MAX < WRITER_RESERVE_MAX, "it fits");

/* Longer texts are cut off. */
#define TEXT_CHARACTERS 300

#define ELLIPSIS    "\xe2\x80\xa6"

static void put_bytes(struct page *page, const char *bytes, size_t size)
{
	gti_write_bytes(page->writer, bytes, size);
	page->size += size;
}

/* Of a row: what it shows when it is opened, its line, and at the worst. */
#define BODY_BYTES     60000
#define LINE_BYTES     900
#define LINE_BYTES_MAX 16000
/* What comes after all rows. */
#define REST_BYTES 40000

bool gti_page_fits_body(const struct page *page)
{
	return page->size + page->rows_left * LINE_BYTES + BODY_BYTES +
		       REST_BYTES <
	       PAGE_SIZE_MAX;
}

bool gti_page_fits_row(const struct page *page)
{
	return page->size + LINE_BYTES_MAX + REST_BYTES < PAGE_SIZE_MAX;
}

void gti_page_put(struct page *page, const char *html)
{
	put_bytes(page, html, strlen(html));
}

void gti_page_format(struct page *page, const char *format, ...)
{
	char *to = writer_reserve(page->writer, FORMAT_MAX + 1);
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(to, FORMAT_MAX + 1, format, arguments);
	va_end(arguments);
	if (size < 0)
		return;
	if (size > FORMAT_MAX)
		size = FORMAT_MAX;
	writer_commit(page->writer, to + size);
	page->size += (uint64_t)size;
}

/* ------------------------------------------------------------------ text -- */

/* What stands for the character at AT in text and attributes; NULL: itself. */
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

static void put_text(struct page *page, struct gtrace_string text, size_t max)
{
	struct utf8 at = utf8_of(text.data, text.size);
	const char *instead;

	while (gti_utf8_next(&at)) {
		if (max-- == 0) {
			gti_page_put(page, ELLIPSIS);
			return;
		}
		instead = escape(&at);
		if (instead != NULL)
			gti_page_put(page, instead);
		else
			put_bytes(page, (const char *)at.at, at.size);
	}
}

void gti_page_text(struct page *page, struct gtrace_string text)
{
	put_text(page, text, TEXT_CHARACTERS);
}

void gti_page_shown(struct page *page, const struct shown *shown)
{
	struct gtrace_string text = {shown->text, shown->size};

	put_text(page, text, SIZE_MAX);
}

void gti_page_function(struct page *page, struct gtrace_string function)
{
	struct shown shown;

	gti_show_function(&shown, function);
	gti_page_put(page, "<code class=fn title=\"");
	gti_page_text(page, function);
	gti_page_put(page, "\">");
	gti_page_shown(page, &shown);
	gti_page_put(page, "</code>");
}

void gti_page_naming(struct page *page, const struct naming *naming)
{
	if (naming->frame != NULL)
		gti_page_function(page, naming->frame->function);
	else
		gti_page_put(page, "<span class=faint>(no stack)</span>");
}

void gti_page_caller(struct page *page, const struct naming *naming)
{
	if (naming->caller == NULL)
		return;
	gti_page_put(page, " <small>in ");
	gti_page_function(page, naming->caller->function);
	gti_page_put(page, "</small>");
}

void gti_page_place(struct page *page, const struct gtrace_frame *frame)
{
	struct shown shown;

	gti_show_place(&shown, frame);
	gti_page_put(page, "<span class=place title=\"");
	gti_page_text(page, frame->file);
	gti_page_format(page, ":%" PRIu64 "\">", frame->line);
	gti_page_shown(page, &shown);
	gti_page_put(page, "</span>");
}

/* --------------------------------------------------------------- numbers -- */

void gti_page_bare_duration(struct page *page, int64_t ns)
{
	struct shown shown;

	gti_show_duration(&shown, ns, &gti_look_page);
	gti_page_shown(page, &shown);
}

void gti_page_duration(struct page *page, int64_t ns)
{
	static const struct look digits = {",", " ", NULL};
	struct shown shown;

	gti_show_count(&shown, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns,
		       &digits);
	gti_page_put(page, "<span class=num title=\"");
	gti_page_put(page, ns < 0 ? "-" : "");
	gti_page_shown(page, &shown);
	gti_page_put(page, " ns\">");
	gti_page_bare_duration(page, ns);
	gti_page_put(page, "</span>");
}

void gti_page_moment(struct page *page, int64_t ns)
{
	struct shown shown;

	gti_show_moment(&shown, ns, &gti_look_page);
	gti_page_put(page, "<span class=num>");
	gti_page_shown(page, &shown);
	gti_page_put(page, "</span>");
}

void gti_page_round(struct page *page, int64_t ns)
{
	static const struct {
		int64_t ns;
		const char *name;
	} units[] = {{1000000000, "s"},
		     {1000000, "ms"},
		     {1000, "\xc2\xb5s"},
		     {1, "ns"}};
	unsigned i = 0;
	int64_t rest;

	while (ns < units[i].ns)
		i++;
	rest = 10 * (ns % units[i].ns) / units[i].ns;
	gti_page_format(page, "%lld", (long long)(ns / units[i].ns));
	if (rest != 0)
		gti_page_format(page, ".%lld", (long long)rest);
	gti_page_format(page, " %s", units[i].name);
}

void gti_page_bare_count(struct page *page, uint64_t count)
{
	struct shown shown;

	gti_show_count(&shown, count, &gti_look_page);
	gti_page_shown(page, &shown);
}

void gti_page_count(struct page *page, uint64_t count)
{
	gti_page_put(page, "<span class=num>");
	gti_page_bare_count(page, count);
	gti_page_put(page, "</span>");
}

void gti_page_counted(struct page *page, uint64_t count, const char *word)
{
	gti_page_count(page, count);
	gti_page_format(page, " %s%s", word, count == 1 ? "" : "s");
}

/* Without printf: its decimal point depends on the program's locale. */
void gti_page_percent(struct page *page, int64_t part, int64_t whole)
{
	int64_t thousandths =
		whole > 0 ? (int64_t)((double)part * 100000 / (double)whole +
				      (part < 0 ? -0.5 : 0.5))
			  : 0;
	char *to = writer_reserve(page->writer, 64), *begin = to;
	unsigned rest;

	if (thousandths < 0) {
		*to++ = '-';
		thousandths = -thousandths;
	}
	to = gti_put_signed(to, thousandths / 1000);
	rest = (unsigned)(thousandths % 1000);
	if (rest != 0) {
		*to++ = '.';
		*to++ = (char)('0' + rest / 100);
		if (rest % 100 != 0)
			*to++ = (char)('0' + rest / 10 % 10);
		if (rest % 10 != 0)
			*to++ = (char)('0' + rest % 10);
	}
	*to++ = '%';
	writer_commit(page->writer, to);
	page->size += (uint64_t)(to - begin);
}

/* ----------------------------------------------------------------- works -- */

static const struct {
	const char *class;
	const char *word;
	const char *title;
} works[] = {
	[GTRACE_WORK_PROGRAM] = {"program", "Program",
				 "code of the program or its libraries"},
	[GTRACE_WORK_RUNTIME] = {"runtime", "Runtime",
				 "frames of the Go runtime only: garbage "
				 "collector, scheduler"},
	[GTRACE_WORK_SYSCALL] = {"syscall", "System call",
				 "most of it was in system calls"},
	[GTRACE_WORK_SCHEDULER] = {"scheduler", "Scheduler or OS",
				   NO_GOROUTINE},
	[GTRACE_WORK_NONE] = {"nobody", "Nobody",
			      "all other processors were idle"},
	[GTRACE_WORK_TRACER] = {"tracer", "Tracer",
				"it runs only because a trace is recorded"},
	[GTRACE_WORK_GC_DEDICATED] = {"runtime", "GC dedicated",
				      "the garbage collector"},
	[GTRACE_WORK_GC_FRACTIONAL] = {"runtime", "GC fractional",
				       "the garbage collector"},
	[GTRACE_WORK_GC_IDLE] = {"runtime", "GC idle",
				 "the garbage collector, on a processor "
				 "without other work"},
	[WORK_UNKNOWN] = {"unknown", "Not known",
			  "the trace has no stack of it"},
};

const char *gti_page_class(enum gtrace_work work)
{
	return works[work].class;
}

void gti_page_work(struct page *page, enum gtrace_work work)
{
	gti_page_format(page,
			"<span class=work title=\"%s\"><i class=%s></i>%s"
			"</span>",
			works[work].title, works[work].class, works[work].word);
}

struct letters gti_page_letters(size_t i)
{
	struct letters letters;
	char reversed[sizeof(letters.text)];
	size_t count = 0, j;

	for (i++; i != 0; i = (i - 1) / 26)
		reversed[count++] = (char)('A' + (i - 1) % 26);
	for (j = 0; j < count; j++)
		letters.text[j] = reversed[count - 1 - j];
	letters.text[count] = '\0';
	return letters;
}
