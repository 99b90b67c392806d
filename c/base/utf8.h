/* SPDX-License-Identifier: BSD-3-Clause */
/* utf8.h - characters of texts that can hold any bytes. */
#ifndef GTRACE_BASE_UTF8_H_
#define GTRACE_BASE_UTF8_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* U+FFFD, in place of a byte that is not UTF-8. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/*
 * A character of a text. (RFC 3629: the shortest form, no surrogates, nothing
 * beyond U+10FFFF.) A byte that begins none counts as one, which is `bad`.
 */
struct utf8 {
	const unsigned char *next, *end; /* what follows */
	const unsigned char *at;         /* its bytes; if bad, U+FFFD */
	size_t size;
	bool bad;
};

/* The SIZE bytes at TEXT, before the first character. */
static inline struct utf8 utf8_of(const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;

	return (struct utf8){.next = at, .end = size != 0 ? at + size : at};
}

/* Takes the next character. Returns false at the end. */
bool gti_utf8_next(struct utf8 *text);

/*
 * Returns how many of the SIZE bytes at BYTES, from the first one on, are
 * printable ASCII characters other than a quotation mark and EXCEPT.
 */
size_t gti_plain_size(const unsigned char *bytes, size_t size,
		      unsigned char except);

/* The number of the character, of which there is one. */
uint32_t gti_utf8_code(const struct utf8 *text);

/* Whether the character is a control: C0, DEL, C1, or one that ends lines. */
bool gti_utf8_is_control(const struct utf8 *text);

/*
 * Whether the character is not to be shown: controls, marks that turn the
 * direction of writing, and what cannot be seen, so that two names could look
 * the same.
 */
bool gti_utf8_is_hidden(const struct utf8 *text);

/* Whether the SIZE bytes at AT are a character that lacks bytes at its end. */
bool gti_utf8_is_cut(const unsigned char *at, size_t size);

#endif /* GTRACE_BASE_UTF8_H_ */
