/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c - text from files and their names, for terminals. */
#include "tools/plain.h"

#include <string.h>

/* Prints the next character of a text. */
static void put(FILE *to, const struct plain *plain, const struct utf8 *text)
{
	unsigned char byte = text->next[-1];
	bool spaces = plain->has_lines && (byte == '\n' || byte == '\t');

	/* A byte that is not UTF-8 stays, unless it is a control by itself. */
	if (text->bad && byte >= 0xa0)
		fputc(byte, to);
	else if (!text->bad && gti_utf8_is_hidden(text) && !spaces)
		fputs(UTF8_REPLACEMENT, to);
	else
		fwrite(text->at, 1, text->size, to);
}

/* Prints what is held, but not a character that more bytes may belong to. */
static void put_held(FILE *to, struct plain *plain, bool more)
{
	struct utf8 text = utf8_of((const char *)plain->held, plain->count);
	size_t left = plain->count;

	while (left != 0 && !(more && gti_utf8_is_cut(text.next, left))) {
		gti_utf8_next(&text);
		put(to, plain, &text);
		left = (size_t)(text.end - text.next);
	}
	memmove(plain->held, text.next, left);
	plain->count = left;
}

void plain_write(FILE *to, struct plain *plain, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		plain->held[plain->count++] = (unsigned char)text[i];
		put_held(to, plain, true);
	}
}

void plain_print(FILE *to, const char *text, size_t size)
{
	struct plain plain = {.has_lines = false};

	plain_write(to, &plain, text, size);
	put_held(to, &plain, false);
}

void plain_json(FILE *to, const char *text, size_t size)
{
	struct utf8 next = utf8_of(text, size);

	while (gti_utf8_next(&next))
		if (next.bad || gti_utf8_is_hidden(&next))
			fputs(UTF8_REPLACEMENT, to);
		else if (*next.at == '"' || *next.at == '\\')
			fprintf(to, "\\%c", *next.at);
		else
			fwrite(next.at, 1, next.size, to);
}

bool plain_needs_quotes(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./,:=@%^+-";

	return *name == '\0' || name[strspn(name, plain)] != '\0';
}
