/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - text from files and their names, for terminals. */
#ifndef GTRACE_TOOLS_PLAIN_H_
#define GTRACE_TOOLS_PLAIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where a text stands, which is zero before its first byte. */
struct plain {
	bool has_lines;     /* it may have tabs and ends of lines */
	unsigned char lead; /* the first byte of a character in UTF-8 */
	unsigned char left; /* bytes that are to follow it */
};

/*
 * Prints the next BYTE of a text, or U+FFFD if a terminal could take it for a
 * command, or a reader of lines for the end of one: for a control character, up
 * to U+009F.
 */
void plain_put(struct plain *plain, char byte, FILE *to);

/* Prints the SIZE bytes at TEXT, which has no lines, as plain_put() does. */
void plain_print(FILE *to, const char *text, size_t size);

#endif /* GTRACE_TOOLS_PLAIN_H_ */
