/* SPDX-License-Identifier: BSD-3-Clause */
/* html_write.c - the pieces that an HTML page is made of. */
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "report/html.h"

/* Longer texts are cut off. */
#define TEXT_CHARACTERS 300

#define ELLIPSIS "\xe2\x80\xa6"

static void put(struct page *page, const char *html)
{
	gti_write_bytes(page->writer, html, strlen(html));
}

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

static void put_text(struct page *page, const char *text, size_t size)
{
	struct utf8 at = utf8_of(text, size);
	size_t left = TEXT_CHARACTERS;
	const char *instead;

	while (gti_utf8_next(&at)) {
		if (left-- == 0) {
			put(page, ELLIPSIS);
			return;
		}
		instead = escape(&at);
		if (instead != NULL)
			put(page, instead);
		else
			gti_write_bytes(page->writer, at.at, at.size);
	}
}

static void put_function(struct page *page,
			 const struct gtrace_string *function)
{
	struct gtrace_frame frame = {.function = *function};
	struct naming naming = {.frame = &frame};
	struct shown shown;

	gti_show_naming(&shown, &naming);
	gti_html(page, "<code class=fn title=\"%t\">%e</code>", function,
		 shown.text);
}

static void put_naming(struct page *page, const struct naming *naming)
{
	static const struct gtrace_string none = {"", 0};
	const struct gtrace_frame *own = naming_own(naming);

	if (!gti_is_goroutine(naming)) {
		put(page, naming->work == GTRACE_WORK_NONE ? NO_PROCESSOR
			  : naming->off_cpu		   ? NO_CPU
							   : NO_GOROUTINE);
		return;
	}
	put_function(page, own != NULL ? &own->function : &none);
	if (naming->caller != NULL)
		gti_html(page, "<small>, in %f</small>",
			 &naming->frame->function);
}

static void put_work(struct page *page, const struct naming *naming)
{
	bool known =
		naming->work != GTRACE_WORK_RUNTIME || gti_is_named(naming);

	gti_html(page, "<span class=\"work k%d\"><i></i>%s</span>",
		 (int64_t)(known ? naming->work : WORK_UNKNOWN),
		 gti_naming_word(naming));
}

static void put_place(struct page *page, const struct gtrace_frame *frame)
{
	struct shown shown;

	gti_show_place(&shown, frame);
	gti_html(page, "<span class=place title=\"%t:%d\">%e</span>",
		 &frame->file, (int64_t)frame->line, shown.text);
}

static void put_decimal(struct page *page, int64_t value)
{
	char *to = writer_reserve(page->writer, DECIMAL_MAX);

	writer_commit(page->writer, gti_put_signed(to, value));
}

/* Writes A, B, ..., Z, AA, AB, ... for 0 and on. */
static void put_letters(struct page *page, int64_t i)
{
	char letter = (char)('A' + i % 26);

	if (i >= 26)
		put_letters(page, i / 26 - 1);
	gti_write_bytes(page->writer, &letter, 1);
}

/* Writes the duration NS, with all its digits as the title. */
static void put_duration(struct page *page, int64_t ns)
{
	static const struct look look = {",", " ", NULL};
	struct shown digits, shown;

	gti_show_count(&digits, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns,
		       &look);
	gti_show_duration(&shown, ns, &gti_look_page);
	gti_html(page, "<span class=num title=\"%s%s ns\">%s</span>",
		 ns < 0 ? "-" : "", digits.text, shown.text);
}

/* Writes VALUE as VERB shows it: d, l, T, K, m, c or C. */
static void put_number(struct page *page, char verb, int64_t value)
{
	struct shown shown;

	if (verb == 'd') {
		put_decimal(page, value);
	} else if (verb == 'l') {
		put_letters(page, value);
	} else if (verb == 'K' && value < 0) {
		put(page, "\xe2\x80\x93");
	} else if (verb == 'K' || verb == 'T') {
		put_duration(page, value);
	} else {
		if (verb == 'm')
			gti_show_moment(&shown, value, &gti_look_page);
		else
			gti_show_count(&shown, (uint64_t)value, &gti_look_page);
		gti_html(page, "<span class=num>%s</span>", shown.text);
	}
}

/* Writes the argument of VERB that is not a number. */
static void put_argument(struct page *page, char verb, const void *argument)
{
	const struct gtrace_string *text = argument;

	if (verb == 's')
		put(page, argument);
	else if (verb == 'e')
		put_text(page, argument, strlen(argument));
	else if (verb == 't')
		put_text(page, text->data, text->size);
	else if (verb == 'f')
		put_function(page, text);
	else if (verb == 'n')
		put_naming(page, argument);
	else if (verb == 'w')
		put_work(page, argument);
	else
		put_place(page, argument);
}

static void put_verb(struct page *page, char verb, va_list *arguments)
{
	int64_t value;

	if (strchr("setfnpw", verb) != NULL) {
		put_argument(page, verb, va_arg(*arguments, const void *));
	} else {
		value = va_arg(*arguments, int64_t);
		put_number(page, verb, value);
		if (verb == 'C')
			gti_html(page, " %s%s",
				 va_arg(*arguments, const char *),
				 value == 1 ? "" : "s");
	}
}

void gti_html(struct page *page, const char *format, ...)
{
	const char *verb;
	va_list arguments;

	va_start(arguments, format);
	while ((verb = strchr(format, '%')) != NULL) {
		gti_write_bytes(page->writer, format, (size_t)(verb - format));
		put_verb(page, verb[1], &arguments);
		format = verb + 2;
	}
	va_end(arguments);
	put(page, format);
}
