/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c - text from files and their names, for terminals. */
#include "tools/plain.h"

void plain_print(FILE *to, const char *text, size_t size)
{
	char previous = 0;
	size_t i;

	for (i = 0; i < size; previous = text[i++])
		fputc((unsigned char)plain_byte(previous, text[i]), to);
}
