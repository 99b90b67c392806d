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

static void put_shown(struct page *page, const struct shown *shown)
{
	put_text(page, shown->text, shown->size);
}

static void put_function(struct page *page,
			 const struct gtrace_string *function)
{
	struct gtrace_frame frame = {.function = *function};
	struct naming naming = {.frame = &frame};
	struct shown shown;

	gti_show_naming(&shown, &naming);
	gti_html(page, "<code class=fn title=\"%t\">", function);
	put_shown(page, &shown);
	put(page, "</code>");
}

static void put_naming(struct page *page, const struct naming *naming)
{
	static const struct gtrace_string none = {"", 0};

	put_function(page,
		     naming->frame != NULL ? &naming->frame->function : &none);
	if (naming->caller != NULL)
		gti_html(page, " <small>in %f</small>",
			 &naming->caller->function);
}

static void put_place(struct page *page, const struct gtrace_frame *frame)
{
	struct shown shown;

	gti_show_place(&shown, frame);
	gti_html(page, "<span class=place title=\"%t:%d\">", &frame->file,
		 (int64_t)frame->line);
	put_shown(page, &shown);
	put(page, "</span>");
}

static void put_decimal(struct page *page, int64_t value)
{
	char *to = writer_reserve(page->writer, DECIMAL_MAX);

	writer_commit(page->writer, gti_put_signed(to, value));
}

/* Writes A, B, ..., Z, AA, AB, ... for 0 and on. */
static void put_letters(struct page *page, int64_t i)
{
	char reversed[16];
	size_t count = 0;

	for (i++; i != 0; i = (i - 1) / 26)
		reversed[count++] = (char)('A' + (i - 1) % 26);
	while (count-- > 0)
		gti_write_bytes(page->writer, reversed + count, 1);
}

/* Writes VALUE as VERB shows it: T, m or c. */
static void put_shown_number(struct page *page, char verb, int64_t value)
{
	static const struct look digits = {",", " ", NULL};
	struct shown shown;

	put(page, "<span class=num");
	if (verb == 'T') {
		gti_show_count(&shown,
			       value < 0 ? 0 - (uint64_t)value
					 : (uint64_t)value,
			       &digits);
		gti_html(page, " title=\"%s%s ns\"", value < 0 ? "-" : "",
			 shown.text);
		gti_show_duration(&shown, value, &gti_look_page);
	} else if (verb == 'm') {
		gti_show_moment(&shown, value, &gti_look_page);
	} else {
		gti_show_count(&shown, (uint64_t)value, &gti_look_page);
	}
	put(page, ">");
	put_shown(page, &shown);
	put(page, "</span>");
}

/* Writes the argument of VERB that is not a number. */
static void put_argument(struct page *page, char verb, const void *argument)
{
	const struct gtrace_string *text = argument;

	if (verb == 's')
		put(page, argument);
	else if (verb == 't')
		put_text(page, text->data, text->size);
	else if (verb == 'f')
		put_function(page, text);
	else if (verb == 'n')
		put_naming(page, argument);
	else
		put_place(page, argument);
}

static void put_verb(struct page *page, char verb, va_list *arguments)
{
	int64_t value;

	if (strchr("stfnp", verb) != NULL) {
		put_argument(page, verb, va_arg(*arguments, const void *));
		return;
	}
	if (verb == 'w') {
		value = va_arg(*arguments, int);
		gti_html(page, "<span class=\"work k%d\"><i></i>%s</span>",
			 value, va_arg(*arguments, const char *));
		return;
	}
	value = va_arg(*arguments, int64_t);
	if (verb == 'd')
		put_decimal(page, value);
	else if (verb == 'l')
		put_letters(page, value);
	else
		put_shown_number(page, verb == 'C' ? 'c' : verb, value);
	if (verb == 'C')
		gti_html(page, " %s%s", va_arg(*arguments, const char *),
			 value == 1 ? "" : "s");
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
