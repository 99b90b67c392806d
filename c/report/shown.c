/* SPDX-License-Identifier: BSD-3-Clause */
/* shown.c - names and numbers as they are shown to people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/utf8.h"
#include "report/names.h"

/* A name that is cut keeps this many characters on either side of "…". */
#define HEAD_CHARACTERS 24
#define TAIL_CHARACTERS 35

_Static_assert(HEAD_CHARACTERS + 1 + TAIL_CHARACTERS == SHOWN_CHARACTERS,
	       "a name that is cut is as long as can be");

#define ELLIPSIS "\xe2\x80\xa6"

static const char *const seconds[] = {"ns", "\xc2\xb5s", "ms", "s"};
static const char *const ticks[] = {"t", "kt", "Mt", "Gt"};

const struct look gti_look_terminal = {" ", " ", seconds};
const struct look gti_look_page = {"\xe2\x80\x89", "\xc2\xa0", seconds};
static const struct look look_ticks = {" ", " ", ticks};
static const struct look look_exact = {"", "us", NULL};
static const struct look look_exact_ticks = {"", " ticks", NULL};

const struct look *gti_look_of(bool in_ticks)
{
	return in_ticks ? &look_ticks : &gti_look_terminal;
}

const struct look *gti_look_exact(bool in_ticks)
{
	return in_ticks ? &look_exact_ticks : &look_exact;
}

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

static void add(struct shown *to, const char *text, size_t size, size_t columns)
{
	memcpy(to->text + to->size, text, size);
	to->size += size;
	to->columns += columns;
	to->text[to->size] = '\0';
}

static void clear(struct shown *to)
{
	to->size = 0;
	to->columns = 0;
	to->text[0] = '\0';
}

/* Shows NAME in LIMIT columns, its head and its tail only if it is longer. */
static void show(struct shown *to, struct gtrace_string name, bool brackets,
		 size_t limit)
{
	struct reading reading = {
		.text = utf8_of(name.data, name.size),
		.brackets = brackets && has_pairs(name),
	};
	struct reading counted = reading;
	size_t tail = limit * TAIL_CHARACTERS / SHOWN_CHARACTERS;
	size_t left = 0, head = limit - 1 - tail;
	bool is_cut;

	clear(to);
	while (counted.text.next < counted.text.end)
		left += next_piece(&counted).columns;
	is_cut = left > limit;
	while (reading.text.next < reading.text.end) {
		struct piece piece = next_piece(&reading);

		if (!is_cut || left <= tail) {
			add(to, piece.text, piece.size, piece.columns);
		} else if (to->columns + piece.columns <= head) {
			add(to, piece.text, piece.size, piece.columns);
		} else if (head != 0) {
			head = 0;
			add(to, ELLIPSIS, 3, 1);
		}
		left -= piece.columns;
	}
}

/* ----------------------------------------------------------------- names -- */

/* Of a longer name only the first and the last half as many bytes count. */
#define NAME_BYTES 4096

/* NAME, without its middle in WITHIN if it is so long that reading it costs. */
static struct gtrace_string bound_name(struct gtrace_string name,
				       char within[NAME_BYTES])
{
	if (name.size <= NAME_BYTES)
		return name;
	memcpy(within, name.data, NAME_BYTES / 2);
	memcpy(within + NAME_BYTES / 2, name.data + name.size - NAME_BYTES / 2,
	       NAME_BYTES / 2);
	return (struct gtrace_string){within, NAME_BYTES};
}

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

void gti_show_function(struct shown *to, struct gtrace_string function)
{
	char within[NAME_BYTES];
	size_t path;

	function = bound_name(function, within);
	path = path_size(function);
	function.data += path;
	function.size -= path;
	show(to, function, true, SHOWN_CHARACTERS);
}

void gti_show_text(struct shown *to, struct gtrace_string text)
{
	char within[NAME_BYTES];

	show(to, bound_name(text, within), false, SHOWN_CHARACTERS);
}

void gti_shorten(struct shown *shown, size_t columns)
{
	struct shown whole = *shown;
	struct gtrace_string text = {whole.text, whole.size};

	if (shown->columns > columns && columns != 0)
		show(shown, text, false, columns);
}

void gti_show_naming(struct shown *to, const struct naming *naming)
{
	static const struct gtrace_string none = {"(no stack)", 10};

	if (naming->frame == NULL || naming->frame->function.size == 0)
		show(to, none, false, SHOWN_CHARACTERS);
	else
		gti_show_function(to, naming->frame->function);
}

/* FILE:LINE, of the file's name the last ELEMENTS. */
static void show_place(struct shown *to, const struct gtrace_frame *frame,
		       size_t elements)
{
	char within[NAME_BYTES], line[DECIMAL_MAX + 1];
	struct gtrace_string file = bound_name(frame->file, within);
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
	add(to, ":", 1, 1);
	at = (size_t)(gti_put_decimal(line, frame->line) - line);
	add(to, line, at, at);
}

void gti_show_place(struct shown *to, const struct gtrace_frame *frame)
{
	show_place(to, frame, 2);
}

void gti_show_base(struct shown *to, const struct gtrace_frame *frame)
{
	show_place(to, frame, 1);
}

/* --------------------------------------------------------------- numbers -- */

static void add_look(struct shown *to, const char *space)
{
	add(to, space, strlen(space), 1);
}

static void add_digits(struct shown *to, uint64_t value)
{
	char digits[DECIMAL_MAX + 1];
	size_t size = (size_t)(gti_put_decimal(digits, value) - digits);

	add(to, digits, size, size);
}

static void add_count(struct shown *to, uint64_t count, const struct look *look)
{
	char digits[DECIMAL_MAX + 1];
	size_t size = (size_t)(gti_put_decimal(digits, count) - digits), i;

	for (i = 0; i < size; i++) {
		if (i != 0 && (size - i) % 3 == 0)
			add_look(to, look->group);
		add(to, digits + i, 1, 1);
	}
}

/* VALUE divided by UNIT, which is 10 to the power of DECIMALS, rounded. */
static void add_fixed(struct shown *to, uint64_t value, unsigned decimals,
		      const struct look *look)
{
	uint64_t unit = 1;
	unsigned i;

	for (i = 0; i < decimals; i++)
		unit *= 10;
	add_count(to, value / unit, look);
	if (decimals == 0)
		return;
	add(to, ".", 1, 1);
	for (unit /= 10; unit != 0; unit /= 10)
		add_digits(to, value / unit % 10);
}

static uint64_t divide_rounded(uint64_t value, uint64_t by)
{
	return value / by + (value % by >= by - by / 2);
}

/* The size of NS, which is less than 0 if NEGATIVE. */
static uint64_t magnitude(int64_t ns)
{
	return ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
}

static void add_unit(struct shown *to, const char *unit)
{
	const char *at;
	size_t columns = 0;

	for (at = unit; *at != '\0'; at++)
		columns += ((unsigned char)*at & 0xc0) != 0x80;
	add(to, unit, (size_t)(at - unit), columns);
}

void gti_show_number(struct shown *to, int64_t number)
{
	char digits[DECIMAL_MAX + 1];
	size_t size = (size_t)(gti_put_signed(digits, number) - digits);

	clear(to);
	add(to, digits, size, size);
}

void gti_show_parts(struct shown *to, int64_t number, int decimals)
{
	int64_t unit = decimals == 2 ? 100 : 1000;

	to->size = to->columns =
		(size_t)snprintf(to->text, sizeof(to->text), "%" PRId64 ".%0*d",
				 number / unit, decimals, (int)(number % unit));
}

void gti_show_exact(struct shown *to, int64_t time, const struct look *look)
{
	char digits[DECIMAL_MAX + 1];
	size_t size = (size_t)(gti_put_micros(digits, time) - digits);

	if (look == &look_exact_ticks) {
		gti_show_number(to, time);
		return;
	}
	clear(to);
	add(to, digits, size, size);
}

void gti_show_duration(struct shown *to, int64_t ns, const struct look *look)
{
	uint64_t value = magnitude(ns), scale = 1, shown = value;
	unsigned unit = 0, decimals = 0;

	if (look->units == NULL) {
		gti_show_exact(to, ns, look);
		add_unit(to, look->unit);
		return;
	}
	/* From 999.5 on the next unit; in it, three digits. */
	while (unit < 3 && divide_rounded(value, scale) >= 1000) {
		unit++;
		scale *= 1000;
	}
	if (unit != 0) {
		decimals = 2;
		shown = divide_rounded(value, scale / 100);
		for (; decimals > 0 && shown >= 1000; decimals--)
			shown = divide_rounded(value, decimals == 2 ? scale / 10
								    : scale);
	}
	clear(to);
	if (ns < 0)
		add(to, "-", 1, 1);
	add_fixed(to, shown, decimals, look);
	add_look(to, look->unit);
	add_unit(to, look->units[unit]);
}

void gti_show_moment(struct shown *to, int64_t ns, const struct look *look)
{
	clear(to);
	if (ns < 0)
		add(to, "-", 1, 1);
	add_fixed(to, divide_rounded(magnitude(ns), 1000), 3, look);
	add_look(to, look->unit);
	add(to, "ms", 2, 2);
}

void gti_show_count(struct shown *to, uint64_t count, const struct look *look)
{
	clear(to);
	add_count(to, count, look);
}

void gti_show_share(struct shown *to, uint64_t part, uint64_t whole,
		    const struct look *look)
{
	double share = whole != 0 ? 100.0 * (double)part / (double)whole : 0;

	clear(to);
	add_count(to, (uint64_t)(share + 0.5), look);
	add_look(to, look->unit);
	add(to, "%", 1, 1);
}
