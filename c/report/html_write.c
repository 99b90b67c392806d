/* SPDX-License-Identifier: BSD-3-Clause */
/* html_write.c - text and numbers on an HTML page. */
#include <string.h>

#include "base/utf8.h"
#include "report/html.h"

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

void gti_html_string(struct page *page, const struct gtrace_string *text,
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
		instead = after_digit && *at.at == ' ' ? NO_BREAK_SPACE
						       : escape(&at);
		after_digit = is_sentence && *at.at >= '0' && *at.at <= '9';
		if (instead != NULL)
			write_text(page->writer, instead);
		else
			gti_write_bytes(page->writer, at.at, at.size);
	}
}

void gti_html_text(struct page *page, const char *text)
{
	const struct gtrace_string string = {text, strlen(text)};

	gti_html_string(page, &string, false);
}

void gti_html_number(struct page *page, int64_t value)
{
	char *to = writer_reserve(page->writer, DECIMAL_MAX);

	writer_commit(page->writer, gti_put_signed(to, value));
}

void gti_html_letters(struct page *page, int64_t i)
{
	if (i >= 26)
		gti_html_letters(page, i / 26 - 1);
	write_byte(page->writer, (char)('A' + i % 26));
}
