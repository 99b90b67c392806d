/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.h - text from files and their names, for terminals. */
#ifndef GTRACE_TOOLS_PLAIN_H_
#define GTRACE_TOOLS_PLAIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/utf8.h"

/* Where a text stands, which is zero before its first byte. */
struct plain {
	bool has_lines;        /* it may have tabs and ends of lines */
	unsigned char held[4]; /* of a character that may lack bytes */
	size_t count;
};

/*
 * Prints the next SIZE bytes of a text; U+FFFD for what a terminal could take
 * for a command, a reader of lines for the end of one, or a person for nothing,
 * see gti_utf8_is_hidden().
 */
void plain_write(FILE *to, struct plain *plain, const char *text, size_t size);

/* Prints all of a text that has no lines. */
void plain_print(FILE *to, const char *text, size_t size);

/*
 * Prints a text as the inside of a string of JSON, with U+FFFD also for bytes
 * that are not UTF-8.
 */
void plain_json(FILE *to, const char *text, size_t size);

/* Whether a shell takes NAME for a word only between quotes. */
bool plain_needs_quotes(const char *name);

#endif /* GTRACE_TOOLS_PLAIN_H_ */
