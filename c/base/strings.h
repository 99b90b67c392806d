/* SPDX-License-Identifier: BSD-3-Clause */
/* strings.h - texts with their sizes. */
#ifndef GTRACE_BASE_STRINGS_H_
#define GTRACE_BASE_STRINGS_H_

#include <stdbool.h>
#include <string.h>

#include <gtrace/gtrace.h>

/* TEXT up to its NUL; NULL is as the empty one. */
static inline struct gtrace_string string_of(const char *text)
{
	return (struct gtrace_string){text, text != NULL ? strlen(text) : 0};
}

/* The order of A and B by their bytes, as that of memcmp(). */
static inline int string_compare(struct gtrace_string a, struct gtrace_string b)
{
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size != 0 ? memcmp(a.data, b.data, size) : 0;

	if (order != 0)
		return order;
	return a.size < b.size ? -1 : a.size > b.size;
}

static inline bool string_equals(struct gtrace_string a, struct gtrace_string b)
{
	return a.size == b.size && string_compare(a, b) == 0;
}

static inline bool string_is(struct gtrace_string text, const char *word)
{
	return string_equals(text, string_of(word));
}

static inline bool string_begins(struct gtrace_string text, const char *prefix)
{
	size_t size = strlen(prefix);

	return text.size >= size && memcmp(text.data, prefix, size) == 0;
}

#endif /* GTRACE_BASE_STRINGS_H_ */
