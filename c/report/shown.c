/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c - names as they are shown to people. */
#include <string.h>

#include "base/utf8.h"
#include "report/sentence.h"

/* A name that is cut keeps this many characters on either side of "…". */
#define HEAD_CHARACTERS 24
#define TAIL_CHARACTERS 35

_Static_assert(HEAD_CHARACTERS + 1 + TAIL_CHARACTERS == SHOWN_CHARACTERS,
	       "a name that is cut is as long as can be");

#define ELLIPSIS "\xe2\x80\xa6"

/* ---------------------------------------------------------------- pieces -- */

/*
 * A name is shown piece by piece, so that no copy of it is needed: a piece is
 * one character of the name, a replacement, or "[…]".
 */
struct piece {
	const char *text;
	size_t size;
	size_t columns;
};

/* A place in a name. */
struct reading {
	struct utf8 text;
	bool brackets; /* what is between brackets is shown as "…" */
};

/* Whether each bracket of the name has its other one. */
static bool has_pairs(struct gtrace_string name)
{
	size_t open = 0, i;

	for (i = 0; i < name.size; i++) {
		if (name.data[i] == ']' && open-- == 0)
			return false;
		open += name.data[i] == '[';
	}
	return open == 0;
}

/* The byte after the bracket that closes the one at AT: brackets have pairs. */
static const unsigned char *after_bracket(const unsigned char *at)
{
	size_t open = 0;

	do {
		open += *at == '[';
		open -= *at++ == ']';
	} while (open != 0);
	return at;
}

/* Takes the next piece, of which there is one. */
static struct piece next_piece(struct reading *reading)
{
	static const struct piece bracket = {"[" ELLIPSIS "]", 5, 3};
	struct utf8 *text = &reading->text;

	if (reading->brackets && *text->next == '[') {
		text->next = after_bracket(text->next);
		return bracket;
	}
	gti_utf8_next(text);
	if (gti_utf8_is_hidden(text))
		return (struct piece){UTF8_REPLACEMENT, 3, 1};
	return (struct piece){(const char *)text->at, text->size, 1};
}

/*
 * Shows TEXT in LIMIT columns, its head and its tail only if it is longer. What
 * is between BRACKETS is shown as "…".
 */
static void show(struct sentence *to, struct gtrace_string text, bool brackets,
		 size_t limit)
{
	struct reading reading = {
		.text = utf8_of(text.data, text.size),
		.brackets = brackets && has_pairs(text),
	};
	struct reading counted = reading;
	size_t tail = limit * TAIL_CHARACTERS / SHOWN_CHARACTERS;
	size_t head = limit - 1 - tail, left = 0, used = 0;
	bool is_cut;

	/* Most are short, and plain. */
	if (text.size <= limit &&
	    gti_plain_size(reading.text.next, text.size, '[') == text.size) {
		gti_sentence_add(to, text.data, text.size);
		return;
	}
	while (counted.text.next < counted.text.end)
		left += next_piece(&counted).columns;
	is_cut = left > limit;
	while (reading.text.next < reading.text.end) {
		struct piece piece = next_piece(&reading);

		if (!is_cut || left <= tail || used + piece.columns <= head) {
			gti_sentence_add(to, piece.text, piece.size);
			used += piece.columns;
		} else if (head != 0) {
			head = 0;
			gti_sentence_add(to, ELLIPSIS, 3);
		}
		left -= piece.columns;
	}
}

/* Of a longer name only the first and the last half as many bytes count. */
#define NAME_BYTES 4096

/* TEXT, without its middle in WITHIN if it is so long that reading it costs. */
static struct gtrace_string bound(struct gtrace_string text,
				  char within[NAME_BYTES])
{
	if (text.size <= NAME_BYTES)
		return text;
	memcpy(within, text.data, NAME_BYTES / 2);
	memcpy(within + NAME_BYTES / 2, text.data + text.size - NAME_BYTES / 2,
	       NAME_BYTES / 2);
	return (struct gtrace_string){within, NAME_BYTES};
}

void gti_show_text(struct sentence *to, struct gtrace_string text, size_t limit)
{
	char within[NAME_BYTES];

	show(to, bound(text, within), false, limit);
}

/* ----------------------------------------------------------------- names -- */

/* Bytes of import paths as they stand in names of functions. */
static bool is_path_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') ||
	       (byte != '\0' && strchr("-._~/%+", byte) != NULL);
}

/* Whether NAME goes on at AT with "v", digits and a dot. */
static bool is_version(struct gtrace_string name, size_t at)
{
	size_t digits = at + 1;

	if (at >= name.size || name.data[at] != 'v')
		return false;
	while (digits < name.size && name.data[digits] >= '0' &&
	       name.data[digits] <= '9')
		digits++;
	return digits > at + 1 && digits < name.size &&
	       name.data[digits] == '.';
}

/*
 * The size of what is left out of NAME: the import path up to its last element,
 * or to the one before it if the last one is the major version of a module.
 */
static size_t path_size(struct gtrace_string name)
{
	size_t last = 0, before = 0, i;

	for (i = 0; i < name.size && is_path_byte(name.data[i]); i++)
		if (name.data[i] == '/') {
			before = last;
			last = i + 1;
		}
	/* A slash further on belongs to no path that is known. */
	if (i < name.size && name.data[i] != '[' && name.data[i] != '(' &&
	    memchr(name.data + i, '/', name.size - i) != NULL)
		return 0;
	return is_version(name, last) ? before : last;
}

void gti_show_function(struct sentence *to, struct gtrace_string function)
{
	char within[NAME_BYTES];
	size_t path;

	function = bound(function, within);
	path = path_size(function);
	function.data += path;
	function.size -= path;
	show(to, function, true, SHOWN_CHARACTERS);
}

void gti_show_place(struct sentence *to, const struct gtrace_frame *frame,
		    size_t elements)
{
	char within[NAME_BYTES], line[DECIMAL_MAX + 1] = ":";
	struct gtrace_string file = bound(frame->file, within);
	size_t slashes = 0, at = file.size;

	while (at > 0) {
		slashes += file.data[at - 1] == '/';
		if (slashes == elements)
			break;
		at--;
	}
	file.data += at;
	file.size -= at;
	show(to, file, false, SHOWN_CHARACTERS);
	at = (size_t)(gti_put_decimal(line + 1, frame->line) - line);
	gti_sentence_add(to, line, at);
}
