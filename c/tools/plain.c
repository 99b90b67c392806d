/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c - text from files and their names, for terminals. */
#include "tools/plain.h"

#include <stdbool.h>
#include <string.h>

size_t plain_put(struct plain *plain, char byte, char *to)
{
	unsigned char c = (unsigned char)byte;
	bool follows = c >= 0x80 && c < 0xc0 && plain->left != 0;
	bool control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;

	/* U+0080 to U+009F in UTF-8, or as bytes of their own. */
	if (c >= 0x80 && c < 0xa0)
		control = !follows || plain->lead == 0xc2;
	plain->lead = follows ? 0 : c;
	if (follows)
		plain->left--;
	else
		plain->left = c < 0xc2 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	*to = byte;
	if (!control)
		return 1;
	memcpy(to, "\xef\xbf\xbd", PLAIN_MAX);
	return PLAIN_MAX;
}

void plain_print(FILE *to, const char *text, size_t size)
{
	char previous = 0;
	size_t i;

	for (i = 0; i < size; previous = text[i++])
		fputc((unsigned char)plain_byte(previous, text[i]), to);
}
