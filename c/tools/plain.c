/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c - text from files and their names, for terminals. */
#include "tools/plain.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The first byte of U+0080 to U+00BF, printed with the second, if at all. */
#define HELD 0xc2

/* Prints the next BYTE of a text. */
static void put(FILE *to, struct plain *plain, char byte)
{
	unsigned char c = (unsigned char)byte;
	bool follows = c >= 0x80 && c < 0xc0 && plain->left != 0;
	bool spaces = plain->has_lines && (c == '\n' || c == '\t');
	bool control = (c < ' ' && !spaces) || c == 0x7f;

	/* U+0080 to U+009F in UTF-8, or as bytes of their own. */
	if (c >= 0x80 && c < 0xa0)
		control = !follows || plain->lead == HELD;
	if (plain->lead == HELD && !(follows && control))
		fputc(HELD, to);
	plain->lead = follows ? 0 : c;
	if (follows)
		plain->left--;
	else
		plain->left = c < 0xc2 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	if (control)
		fputs(REPLACEMENT, to);
	else if (c != HELD)
		fputc(c, to);
}

void plain_write(FILE *to, struct plain *plain, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		put(to, plain, text[i]);
}

void plain_print(FILE *to, const char *text, size_t size)
{
	struct plain plain = {.has_lines = false};

	plain_write(to, &plain, text, size);
	if (plain.lead == HELD)
		fputc(HELD, to);
}
