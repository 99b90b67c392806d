/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.h - characters of texts that can hold any bytes. */
#ifndef GTRACE_BASE_UTF8_H_
#define GTRACE_BASE_UTF8_H_

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the size of the UTF-8 character that begins with AT, of which SIZE
 * bytes, at least one, are there; 0 if there is none. (RFC 3629: the shortest
 * form, no surrogates, nothing beyond U+10FFFF.)
 */
size_t gti_utf8_size(const unsigned char *at, size_t size);

/*
 * Returns how many of the SIZE bytes at BYTES, from the first one on, are
 * printable ASCII characters other than a quotation mark and EXCEPT.
 */
size_t gti_plain_size(const unsigned char *bytes, size_t size,
		      unsigned char except);

/*
 * Whether the character of SIZE bytes at AT is not to be shown: controls (C0,
 * C1, DEL), and marks that break lines or turn the direction of writing.
 */
bool gti_utf8_is_hidden(const unsigned char *at, size_t size);

#endif /* GTRACE_BASE_UTF8_H_ */
