/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - text from files and their names, for terminals. */
#ifndef GTRACE_TOOLS_PLAIN_H_
#define GTRACE_TOOLS_PLAIN_H_

#include <stddef.h>
#include <stdio.h>

/*
 * Returns BYTE of a text, in which PREVIOUS is before it; or ? if a terminal
 * could take it for a command, or a reader of lines for the end of one: control
 * characters, and those from U+0080 to U+009F in UTF-8.
 */
static inline char plain_byte(char previous, char byte)
{
	unsigned char c = (unsigned char)byte;

	if (c < ' ' || c == 0x7f ||
	    ((unsigned char)previous == 0xc2 && c >= 0x80 && c < 0xa0))
		return '?';
	return byte;
}

/* Where a text of many lines stands, which is zero before its first byte. */
struct plain {
	unsigned char lead; /* the first byte of a character in UTF-8 */
	unsigned char left; /* bytes that are to follow it */
};

/* The most bytes that stand for one. */
#define PLAIN_MAX 3

/*
 * Writes the next BYTE of a text to TO, U+FFFD in place of a control character
 * other than a tab or the end of a line. Returns how many bytes that are.
 */
size_t plain_put(struct plain *plain, char byte, char *to);

/* Prints the SIZE bytes at TEXT, each as plain_byte returns it. */
void plain_print(FILE *to, const char *text, size_t size);

#endif /* GTRACE_TOOLS_PLAIN_H_ */
