/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - the text that a report writes, kept to be compared. Only a test
 * includes it, after cmocka.h. For longer reports it defines TEXT_SIZE first.
 */
#ifndef GTRACE_TESTS_TEXT_H_
#define GTRACE_TESTS_TEXT_H_

#include <stddef.h>
#include <string.h>

#include <gtrace/gtrace.h>

#ifndef TEXT_SIZE
#define TEXT_SIZE 65536
#endif

/* A text with a NUL after it. */
struct text {
	char bytes[TEXT_SIZE];
	size_t size;
};

static inline int text_append(void *context, const void *data, size_t size)
{
	struct text *text = context;

	assert_true(size < sizeof(text->bytes) - text->size);
	memcpy(text->bytes + text->size, data, size);
	text->size += size;
	text->bytes[text->size] = '\0';
	return 0;
}

/* Empties TEXT. Returns an output that appends to it. */
static inline struct gtrace_output text_output(struct text *text)
{
	struct gtrace_output output = {
		.size = sizeof(output), .write = text_append, .context = text};

	text->size = 0;
	text->bytes[0] = '\0';
	return output;
}

#endif /* GTRACE_TESTS_TEXT_H_ */
