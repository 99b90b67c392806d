/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c - columns of text on a terminal. */
#include "report/columns.h"

#include <string.h>

#include "base/strings.h"

void gti_table_text(struct writer *writer, const char *text)
{
	gti_write_bytes(writer, text, strlen(text));
}

static void write_spaces(struct writer *writer, size_t count)
{
	while (count-- > 0)
		gti_write_bytes(writer, " ", 1);
}

void gti_table_right(struct writer *writer, const struct shown *shown,
		     size_t width)
{
	if (shown->columns < width)
		write_spaces(writer, width - shown->columns);
	gti_write_bytes(writer, shown->text, shown->size);
}

void gti_table_left(struct writer *writer, struct shown *shown, size_t width)
{
	gti_shorten(shown, width);
	gti_write_bytes(writer, shown->text, shown->size);
	write_spaces(writer, width - shown->columns);
}

void gti_table_word(struct writer *writer, const char *word, size_t width)
{
	struct shown shown;

	gti_show_text(&shown, string_of(word));
	gti_table_left(writer, &shown, width);
}

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
	gti_table_text(writer, is_cut ? "\xe2\x80\xa6\n" : "\n");
}

/* The size in bytes of what fits into a line, up to a space or the end. */
static size_t line_size(struct gtrace_string text)
{
	size_t columns = 0, size = 0, fits = 0;

	for (; size < text.size; size++) {
		if (text.data[size] == ' ' && columns <= SCREEN_WIDTH)
			fits = size;
		columns += ((unsigned char)text.data[size] & 0xc0) != 0x80;
	}
	return columns <= SCREEN_WIDTH || fits == 0 ? text.size : fits;
}

void gti_table_lines(struct writer *writer, struct gtrace_string text)
{
	while (text.size != 0) {
		size_t size = line_size(text);

		gti_write_bytes(writer, text.data, size);
		gti_table_text(writer, "\n");
		size += size < text.size;
		text.data += size;
		text.size -= size;
	}
}

void gti_table_head(struct writer *writer, const char *head, size_t width)
{
	struct shown shown;

	gti_show_text(&shown, string_of(head));
	gti_table_right(writer, &shown, width);
}

void gti_table_duration(struct writer *writer, int64_t ns,
			const struct look *look, size_t width)
{
	struct shown shown;

	gti_show_duration(&shown, ns, look);
	gti_table_right(writer, &shown, width);
}

void gti_table_count(struct writer *writer, uint64_t count, size_t width)
{
	struct shown shown;

	gti_show_count(&shown, count, &gti_look_terminal);
	gti_table_right(writer, &shown, width);
}
