/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * header.c - reads "go 1.N trace" and three NUL bytes.
 *
 * Go's reader scans the header with fmt.Fscanf("go 1.%d trace\x00\x00\x00"),
 * which takes a run of blanks, also those of Unicode, for each blank.
 */
#include <stdbool.h>
#include <string.h>

#include "base/fail.h"
#include "v2/batch.h"
#include "v2/format_v2.h"

struct scanner {
	const uint8_t *p;
	const uint8_t *end;
	bool cut_off; /* with more bytes, more could have been taken */
};

/* Takes TEXT, if it is next. */
static bool take(struct scanner *scanner, const char *text, size_t size)
{
	size_t left = (size_t)(scanner->end - scanner->p);

	if (left < size) {
		if (left == 0 || memcmp(scanner->p, text, left) == 0)
			scanner->cut_off = true;
		return false;
	}
	if (memcmp(scanner->p, text, size) != 0)
		return false;
	scanner->p += size;
	return true;
}

static bool take_text(struct scanner *scanner, const char *text)
{
	return take(scanner, text, strlen(text));
}

/* Takes a blank: any White_Space of Unicode but a newline. */
static bool take_blank(struct scanner *scanner)
{
	static const char *const blanks[] = {
		" ",
		"\t",
		"\v",
		"\f",
		"\xc2\x85",     /* U+0085 */
		"\xc2\xa0",     /* U+00A0 */
		"\xe1\x9a\x80", /* U+1680 */
		"\xe2\x80\xa8", /* U+2028 */
		"\xe2\x80\xa9", /* U+2029 */
		"\xe2\x80\xaf", /* U+202F */
		"\xe2\x81\x9f", /* U+205F */
		"\xe3\x80\x80", /* U+3000 */
	};
	const uint8_t *p = scanner->p;
	size_t i;

	/* A carriage return is a blank, unless a newline follows. */
	if (take_text(scanner, "\r")) {
		if (scanner->p == scanner->end)
			scanner->cut_off = true;
		else if (*scanner->p != '\n')
			return true;
		scanner->p = p;
		return false;
	}
	for (i = 0; i < sizeof(blanks) / sizeof(*blanks); i++)
		if (take_text(scanner, blanks[i]))
			return true;
	/* U+2000 to U+200A */
	if (scanner->end - p >= 3 && p[0] == 0xe2 && p[1] == 0x80 &&
	    p[2] >= 0x80 && p[2] <= 0x8a) {
		scanner->p += 3;
		return true;
	}
	return false;
}

static bool take_blanks(struct scanner *scanner, unsigned at_least)
{
	unsigned count = 0;

	while (take_blank(scanner))
		if (count < at_least)
			count++;
	return count >= at_least;
}

/* Takes digits, whose value is less than 2^32. */
static bool take_number(struct scanner *scanner, uint64_t *value)
{
	const uint8_t *first = scanner->p;

	*value = 0;
	while (scanner->p != scanner->end && *scanner->p >= '0' &&
	       *scanner->p <= '9' && *value <= UINT32_MAX)
		*value = *value * 10 + (uint64_t)(*scanner->p++ - '0');
	return scanner->p != first && *value <= UINT32_MAX;
}

enum gtrace_status gti_v2_header_read(struct source *source,
				      struct gtrace_error *error)
{
	/* An empty source may have no data, to which not even 0 is added. */
	static const uint8_t nothing[1];
	const uint8_t *data = source->size != 0 ? source->data : nothing;
	struct scanner scanner = {.p = data, .end = data + source->size};
	uint64_t version;

	if (!take_text(&scanner, "go") || !take_blanks(&scanner, 1) ||
	    !take_text(&scanner, "1.") || !take_blanks(&scanner, 0) ||
	    !take_number(&scanner, &version) || !take_blanks(&scanner, 1) ||
	    !take_text(&scanner, "trace") || !take(&scanner, "\0\0\0", 3))
		return gti_fail(error, GTRACE_ERROR_HEADER,
				scanner.cut_off ? source->size : 0,
				"not a Go execution trace");
	source->first = (uint64_t)(scanner.p - source->data);
	source->version = (unsigned)version;
	switch (source->version) {
#define VERSION_CASE(version) case version:
		V2_VERSION_LIST(VERSION_CASE)
#undef VERSION_CASE
		return GTRACE_OK;
	default:
		return gti_fail(error, GTRACE_ERROR_VERSION, 0,
				"traces of version 1.%u are not read",
				source->version);
	}
}
