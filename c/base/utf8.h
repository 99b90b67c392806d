/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.h - characters of UTF-8 in text that may hold any bytes. */
#ifndef GTRACE_BASE_UTF8_H_
#define GTRACE_BASE_UTF8_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the size of the UTF-8 character that begins at AT, of which SIZE
 * bytes are there, at least one; 0 if there is none. (RFC 3629: the shortest
 * form, no surrogates, nothing beyond U+10FFFF.)
 */
size_t gti_utf8_size(const unsigned char *at, size_t size);

/* Returns the character of SIZE bytes at AT. */
uint32_t gti_utf8_character(const unsigned char *at, size_t size);

/*
 * Whether CHARACTER is not to be shown: controls (C0, C1, DEL), and marks that
 * break lines or turn the direction of writing.
 */
bool gti_utf8_is_hidden(uint32_t character);

#endif /* GTRACE_BASE_UTF8_H_ */
