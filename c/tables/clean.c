/* SPDX-License-Identifier: BSD-3-Clause */
/* clean.c - texts of a trace as UTF-8. */
#include "tables/clean.h"

#include "base/utf8.h"

/* Whether all of TEXT is printable ASCII, as most names are. */
static bool is_plain(struct gtrace_string text)
{
	return gti_plain_size((const unsigned char *)text.data, text.size,
			      '"') == text.size;
}

struct gtrace_string clean_text(struct gtrace_string text,
				struct bytes *scratch)
{
	struct utf8 left = utf8_of(text.data, text.size);

	if (text.size <= CLEAN_MAX && is_plain(text))
		return text;
	bytes_clear(scratch);
	while (gti_utf8_next(&left) && scratch->size + left.size <= CLEAN_MAX)
		bytes_add(scratch, left.at, left.size);
	return (struct gtrace_string){(const char *)scratch->data,
				      scratch->size};
}
