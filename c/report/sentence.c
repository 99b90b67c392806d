/* SPDX-License-Identifier: BSD-3-Clause */
/* sentence.c - text for people, made by formats. */
#include "report/sentence.h"

#include <stdarg.h>
#include <string.h>

#include "base/output.h"
#include "base/strings.h"
#include "report/block_kinds.h"

struct sentence gti_sentence_begin(char *to, size_t size, bool in_ticks)
{
	*to = '\0';
	return (struct sentence){NULL, to, size - 1, gti_look_of(in_ticks),
				 in_ticks};
}

struct sentence gti_sentence_to(struct writer *writer, bool in_ticks)
{
	return (struct sentence){.writer = writer,
				 .look = gti_look_of(in_ticks),
				 .in_ticks = in_ticks};
}

static void add_bytes(struct sentence *sentence, const char *bytes, size_t size)
{
	if (sentence->writer != NULL) {
		gti_write_bytes(sentence->writer, bytes, size);
		return;
	}
	if (size > sentence->left)
		return;
	memcpy(sentence->to, bytes, size);
	sentence->to += size;
	sentence->left -= size;
	*sentence->to = '\0';
}

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
		add_bytes(to, text.data, text.size);
	for (i = columns; i < verb->width; i++)
		add_bytes(to, " ", 1);
	if (!verb->left)
		add_bytes(to, text.data, text.size);
}

static void add_frame(struct sentence *to, const struct gtrace_frame *frame)
{
	struct naming naming = {.frame = frame};
	struct shown shown;

	gti_show_naming(&shown, &naming);
	gti_say(to, "%s", shown.text);
	if (frame == NULL || frame->file.size == 0)
		return;
	gti_show_base(&shown, frame);
	gti_say(to, " (%s)", shown.text);
}

/* Shows the argument of a VERB that is a time. */
static void show_time(struct shown *to, char verb, int64_t time,
		      const struct look *look)
{
	if (time == TIME_UNKNOWN)
		gti_show_text(to, string_of("-"));
	else if (verb == 't')
		gti_show_duration(to, time, look);
	else
		gti_show_exact(to, time, look);
}

/* Shows the argument of a VERB that is a number, -1 if it is not known. */
static void show_known(struct shown *to, char verb, int64_t value,
		       bool in_ticks)
{
	if (value == -1)
		gti_show_text(to, string_of("-"));
	else if (verb == 'h')
		gti_show_parts(to, value, 2);
	else if (verb == 'm' && !in_ticks)
		gti_show_parts(to, value / 1000, 3);
	else
		gti_show_number(to, value);
}

/* Shows the argument of VERB, which is a name or a number. */
static void show_argument(struct shown *shown, char verb, va_list *arguments,
			  const struct sentence *to)
{
	uint64_t part;

	if (verb == 'n') {
		gti_show_text(shown, va_arg(*arguments, struct gtrace_string));
	} else if (verb == 'd') {
		gti_show_number(shown, va_arg(*arguments, int64_t));
	} else if (verb == 'p') {
		part = va_arg(*arguments, uint64_t);
		gti_show_share(shown, part, va_arg(*arguments, uint64_t),
			       &gti_look_terminal);
	} else if (verb == 't' || verb == 'u') {
		show_time(shown, verb, va_arg(*arguments, int64_t), to->look);
	} else if (verb == 'k' || verb == 'h' || verb == 'm') {
		show_known(shown, verb, va_arg(*arguments, int64_t),
			   to->in_ticks);
	} else {
		gti_show_count(shown, va_arg(*arguments, uint64_t),
			       &gti_look_terminal);
	}
}

static void add_argument(struct sentence *to, const struct verb *verb,
			 va_list *arguments)
{
	struct gtrace_string text;
	struct shown shown;

	if (verb->letter == '%') {
		add_bytes(to, "%", 1);
	} else if (verb->letter == 'f') {
		add_frame(to, va_arg(*arguments, const struct gtrace_frame *));
	} else if (verb->letter == 's' || verb->letter == 'S') {
		text = verb->letter == 'S'
			       ? va_arg(*arguments, struct gtrace_string)
			       : string_of(va_arg(*arguments, const char *));
		add_aligned(to, verb, text, text.size);
	} else {
		show_argument(&shown, verb->letter, arguments, to);
		if (verb->left)
			gti_shorten(&shown, verb->width);
		text = (struct gtrace_string){shown.text, shown.size};
		add_aligned(to, verb, text, shown.columns);
		if (verb->letter == 'C')
			gti_say(to, " %s%s", va_arg(*arguments, const char *),
				strcmp(shown.text, "1") == 0 ? "" : "s");
	}
}

void gti_say(struct sentence *to, const char *format, ...)
{
	const char *at;
	va_list arguments;

	va_start(arguments, format);
	while ((at = strchr(format, '%')) != NULL) {
		struct verb verb = {.left = *++at == '-'};

		add_bytes(to, format, (size_t)(at - 1 - format));
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
	add_bytes(to, format, strlen(format));
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
	struct shown shown;

	if (inner.size == 0 || string_equals(inner, function))
		return false;
	gti_show_function(&shown, inner);
	gti_say(sentence,
		gti_block_waits(inner) ? ", until it blocked in %s" : ", in %s",
		shown.text);
	return true;
}

void gti_sentence_work(struct sentence *sentence, enum gtrace_work work)
{
	if (work == GTRACE_WORK_SYSCALL || work >= GTRACE_WORK_GC_DEDICATED)
		gti_say(sentence, " (%s)", gti_work_name(work));
}

/* ----------------------------------------------------------------- lines -- */

#define SCREEN_WIDTH 80

/* The size of the first COLUMNS of TEXT, which is UTF-8. */
static size_t columns_size(const char *text, size_t columns)
{
	size_t size = 0;

	while (text[size] != '\0') {
		if (((unsigned char)text[size] & 0xc0) != 0x80 &&
		    columns-- == 0)
			break;
		size++;
	}
	return size;
}

void gti_table_last(struct writer *writer, const char *text, size_t columns)
{
	size_t size = strlen(text);
	bool is_cut = columns != 0 && columns_size(text, columns) < size;

	if (is_cut)
		size = columns_size(text, columns - 1);
	gti_write_bytes(writer, text, size);
	write_text(writer, is_cut ? "\xe2\x80\xa6\n" : "\n");
}

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
