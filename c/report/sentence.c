/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.c - text for people, made by formats. */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */

#include "report/sentence.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/output.h"
#include "base/strings.h"
#include "report/block_kinds.h"

struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks)
{
	*to = '\0';
	return (struct sentence){
		.to = to, .left = size - 1, .in_ticks = in_ticks};
}

struct sentence gti_sentence_to(struct writer *writer, enum look look,
				bool in_ticks)
{
	return (struct sentence){
		.writer = writer, .look = look, .in_ticks = in_ticks};
}

void gti_sentence_add(struct sentence *to, const char *bytes, size_t size)
{
	if (to->writer != NULL) {
		gti_write_bytes(to->writer, bytes, size);
		return;
	}
	if (size > to->left)
		return;
	memcpy(to->to, bytes, size);
	to->to += size;
	to->left -= size;
	*to->to = '\0';
}

/* How many columns TEXT has, which is UTF-8. */
static size_t columns_of(const char *text)
{
	size_t columns = 0;

	for (; *text != '\0'; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* --------------------------------------------------------------- numbers -- */

static void add_text(struct sentence *to, const char *text)
{
	gti_sentence_add(to, text, strlen(text));
}

static void add_number(struct sentence *to, int64_t number)
{
	char digits[DECIMAL_MAX + 1];

	gti_sentence_add(to, digits,
			 (size_t)(gti_put_signed(digits, number) - digits));
}

/* The spaces between digits, and before a unit. */
static const struct {
	const char *group, *unit;
} spaces[] = {
	[LOOK_SCREEN] = {" ", " "},
	[LOOK_PAGE] = {"\xe2\x80\x89", "\xc2\xa0"},
	[LOOK_TITLE] = {",", " "},
	[LOOK_EXACT] = {"", ""},
};

static void add_unit(struct sentence *to, const char *unit)
{
	add_text(to, spaces[to->look].unit);
	add_text(to, unit);
}

static void add_count(struct sentence *to, uint64_t count)
{
	char digits[DECIMAL_MAX + 1];
	size_t size = (size_t)(gti_put_decimal(digits, count) - digits);
	size_t first = (size + 2) % 3 + 1, i;

	gti_sentence_add(to, digits, first);
	for (i = first; i < size; i += 3) {
		add_text(to, spaces[to->look].group);
		gti_sentence_add(to, digits + i, 3);
	}
}

/* VALUE divided by UNIT, which is 10 to the power of DECIMALS, rounded. */
static void add_fixed(struct sentence *to, uint64_t value, unsigned decimals)
{
	char digits[DECIMAL_MAX + 1];
	uint64_t unit = 1;
	unsigned i;

	for (i = 0; i < decimals; i++)
		unit *= 10;
	add_count(to, value / unit);
	if (decimals == 0)
		return;
	/* With a 1 before them, which is left out, zeros stay. */
	gti_put_decimal(digits, unit + value % unit);
	*digits = '.';
	gti_sentence_add(to, digits, 1 + decimals);
}

static uint64_t divide_rounded(uint64_t value, uint64_t by)
{
	return value / by + (value % by >= by - by / 2);
}

/* Adds the sign of NS. Returns its size. */
static uint64_t add_sign(struct sentence *to, int64_t ns)
{
	if (ns < 0)
		add_text(to, "-");
	return ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
}

/* TIME with all its digits, without its unit. */
static void add_exact(struct sentence *to, int64_t time)
{
	char digits[DECIMAL_MAX + 1];

	if (to->in_ticks)
		add_number(to, time);
	else
		gti_sentence_add(
			to, digits,
			(size_t)(gti_put_micros(digits, time) - digits));
}

/* TIME with three significant digits. */
static void add_duration(struct sentence *to, int64_t time)
{
	static const char *const units[][4] = {{"ns", "\xc2\xb5s", "ms", "s"},
					       {"t", "kt", "Mt", "Gt"}};
	uint64_t value = add_sign(to, time), scale = 1, shown = value;
	unsigned unit = 0, decimals = 0;

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
	add_fixed(to, shown, decimals);
	add_unit(to, units[to->in_ticks][unit]);
}

/* The argument of a VERB that is a time. */
static void add_time(struct sentence *to, char verb, int64_t time)
{
	if (time == TIME_UNKNOWN) {
		add_text(to, "-");
	} else if (verb == 'M') {
		add_fixed(to, divide_rounded(add_sign(to, time), 1000), 3);
		add_unit(to, "ms");
	} else if (verb == 't' && to->look != LOOK_EXACT) {
		add_duration(to, time);
	} else {
		add_exact(to, time);
		if (verb == 't')
			add_text(to, to->in_ticks ? " ticks" : "us");
	}
}

/* The argument of a VERB that is a number, -1 if it is not known. */
static void add_known(struct sentence *to, char verb, int64_t value)
{
	to->look = LOOK_EXACT;
	if (value == -1)
		add_text(to, "-");
	else if (verb == 'h')
		add_fixed(to, add_sign(to, value), 2);
	else if (verb == 'm' && !to->in_ticks)
		add_fixed(to, add_sign(to, value / 1000), 3);
	else
		add_number(to, value);
}

static void add_share(struct sentence *to, uint64_t part, uint64_t whole)
{
	double share = whole != 0 ? 100.0 * (double)part / (double)whole : 0;

	add_count(to, (uint64_t)(share + 0.5));
	add_unit(to, "%");
}

/* ---------------------------------------------------------------- format -- */

/* What stands in a format for an argument. */
struct verb {
	bool left; /* how it is aligned in its columns */
	size_t width;
	char letter;
};

/* Adds TEXT, which has so many COLUMNS. */
static void add_aligned(struct sentence *to, const struct verb *verb,
			struct gtrace_string text, size_t columns)
{
	size_t i;

	if (verb->left)
		gti_sentence_add(to, text.data, text.size);
	for (i = columns; i < verb->width; i++)
		gti_sentence_add(to, " ", 1);
	if (!verb->left)
		gti_sentence_add(to, text.data, text.size);
}

static void add_frame(struct sentence *to, const struct gtrace_frame *frame)
{
	if (frame == NULL || frame->function.size == 0)
		add_text(to, "(no stack)");
	else
		gti_say(to, "%i", frame->function);
	if (frame != NULL && frame->file.size != 0)
		gti_say(to, " (%b)", frame);
}

/* Adds the argument of VERB, which is a number. */
static void add_numeric(struct sentence *to, char verb, va_list *arguments)
{
	uint64_t part;

	if (verb == 'c' || verb == 'C') {
		add_count(to, va_arg(*arguments, uint64_t));
	} else if (verb == 'p') {
		part = va_arg(*arguments, uint64_t);
		add_share(to, part, va_arg(*arguments, uint64_t));
	} else if (verb == 'd') {
		add_number(to, va_arg(*arguments, int64_t));
	} else if (verb == 't' || verb == 'u' || verb == 'M') {
		add_time(to, verb, va_arg(*arguments, int64_t));
	} else {
		add_known(to, verb, va_arg(*arguments, int64_t));
	}
}

/* Adds the argument of VERB to TO, a buffer of its own. */
static void add_shown(struct sentence *to, char verb, va_list *arguments)
{
	if (verb == 'n')
		gti_show_text(to, va_arg(*arguments, struct gtrace_string),
			      SHOWN_CHARACTERS);
	else if (verb == 'i')
		gti_show_function(to, va_arg(*arguments, struct gtrace_string));
	else if (verb == 'l' || verb == 'b')
		gti_show_place(to,
			       va_arg(*arguments, const struct gtrace_frame *),
			       verb == 'l' ? 2 : 1);
	else
		add_numeric(to, verb, arguments);
}

/* Adds the argument of VERB, cut if it is aligned to the left. */
static void add_cell(struct sentence *to, const struct verb *verb,
		     va_list *arguments)
{
	char text[SHOWN_SIZE], cut[SHOWN_SIZE];
	struct sentence cell =
		gti_sentence_begin(text, sizeof(text), to->in_ticks);
	struct gtrace_string shown = {text, 0};
	size_t columns = 0;

	cell.look = to->look;
	add_shown(&cell, verb->letter, arguments);
	shown.size = (size_t)(cell.to - text);
	if (verb->width != 0)
		columns = columns_of(text);
	if (verb->left && columns > verb->width) {
		cell = gti_sentence_begin(cut, sizeof(cut), false);
		gti_show_text(&cell, shown, verb->width);
		shown = string_of(cut);
	}
	add_aligned(to, verb, shown, columns);
	if (verb->letter == 'C')
		gti_say(to, " %s%s", va_arg(*arguments, const char *),
			strcmp(text, "1") == 0 ? "" : "s");
}

static void add_argument(struct sentence *to, const struct verb *verb,
			 va_list *arguments)
{
	struct gtrace_string text;

	if (verb->letter == '%') {
		add_text(to, "%");
	} else if (verb->letter == 'f') {
		add_frame(to, va_arg(*arguments, const struct gtrace_frame *));
	} else if (verb->letter == 's' || verb->letter == 'S') {
		text = verb->letter == 'S'
			       ? va_arg(*arguments, struct gtrace_string)
			       : string_of(va_arg(*arguments, const char *));
		add_aligned(to, verb, text, text.size);
	} else {
		add_cell(to, verb, arguments);
	}
}

void gti_say(struct sentence *to, const char *format, ...)
{
	const char *at;
	va_list arguments;

	va_start(arguments, format);
	while ((at = strchr(format, '%')) != NULL) {
		struct verb verb = {.left = *++at == '-'};

		gti_sentence_add(to, format, (size_t)(at - 1 - format));
		at += verb.left;
		if (*at == '*') {
			verb.width = va_arg(arguments, size_t);
			at++;
		}
		for (; *at >= '0' && *at <= '9'; at++)
			verb.width = 10 * verb.width + (size_t)(*at - '0');
		verb.letter = *at;
		add_argument(to, &verb, &arguments);
		format = at + 1;
	}
	va_end(arguments);
	gti_sentence_add(to, format, strlen(format));
}

void gti_sentence_version(struct sentence *sentence, unsigned version)
{
	static const struct {
		unsigned version;
		const char *others;
	} shared[] = {
		{1005, " or 1.6"},  {1011, " to 1.18"}, {1019, " or 1.20"},
		{1023, " or 1.24"}, {1026, " or 1.27"},
	};
	size_t i;

	gti_say(sentence, "Go %d.%d", (int64_t)(version / 1000),
		(int64_t)(version % 1000));
	for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (shared[i].version == version)
			gti_say(sentence, shared[i].others);
}

bool gti_sentence_inner(struct sentence *sentence, struct gtrace_string inner,
			struct gtrace_string function)
{
	struct gtrace_string in_c = gti_name_in_c(inner);

	if (inner.size == 0 || string_equals(inner, function))
		return false;
	if (in_c.size != 0) {
		gti_say(sentence, ", in C (%n)", in_c);
		return true;
	}
	gti_say(sentence,
		gti_block_waits(inner) ? ", until it blocked in %i" : ", in %i",
		inner);
	return true;
}

void gti_sentence_work(struct sentence *sentence, enum gtrace_work work)
{
	if (work == GTRACE_WORK_SYSCALL || work >= GTRACE_WORK_GC_DEDICATED)
		gti_say(sentence, " (%s)", gtrace_work_name(work));
}

/* ----------------------------------------------------------------- lines -- */

#define SCREEN_WIDTH 80

/*
 * The size in bytes of what fits into a line, up to a space or the end. Numbers
 * have spaces in them and before their units, so a line does not end with a
 * digit.
 */
static size_t line_size(struct gtrace_string text)
{
	size_t columns = 0, size = 0, fits = 0;
	bool in_number = false;

	for (; size < text.size; size++) {
		char c = text.data[size];

		if (c == ' ' && !in_number && columns <= SCREEN_WIDTH)
			fits = size;
		in_number = c >= '0' && c <= '9';
		columns += ((unsigned char)c & 0xc0) != 0x80;
	}
	return columns <= SCREEN_WIDTH || fits == 0 ? text.size : fits;
}

void gti_table_lines(struct writer *writer, struct gtrace_string text)
{
	while (text.size != 0) {
		size_t size = line_size(text);

		gti_write_bytes(writer, text.data, size);
		write_text(writer, "\n");
		size += size < text.size;
		text.data += size;
		text.size -= size;
	}
}

void gti_sentence_date(struct sentence *sentence, int64_t time)
{
	const int64_t second = 1000000000;
	time_t whole = (time_t)(time / second);
	char seconds[40], text[48];
	struct tm utc;

	if (gmtime_r(&whole, &utc) == NULL ||
	    strftime(seconds, sizeof(seconds), "%Y-%m-%d %H:%M:%S", &utc) == 0)
		return;
	snprintf(text, sizeof(text), "%s.%03u UTC", seconds,
		 (unsigned)(time % second / 1000000));
	gti_say(sentence, "%s", text);
}
