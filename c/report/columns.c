/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c - columns of text on a terminal. */
#include "report/columns.h"

#include <string.h>

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
		write_text(writer, "\n");
		size += size < text.size;
		text.data += size;
		text.size -= size;
	}
}
