/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printed.h - prints the reports of built traces, in both orders, for tests
 * with cmocka. Only a test includes it, after cmocka.h.
 */
#ifndef GTRACE_TESTS_PRINTED_H_
#define GTRACE_TESTS_PRINTED_H_

#include <stdint.h>

#include <gtrace/gtrace.h>

#include "testing.h"
#include "tests/builder.h"
#include "tests/reports.h"
#include "tests/text.h"

/* Prints the N longest slices, or the dump if N is 0. */
static inline enum gtrace_status
print_in_order(const struct builder *b, size_t n,
	       const struct gtrace_options *options, int final,
	       struct text *text, struct gtrace_error *error)
{
	struct gtrace_output output = text_output(text);
	enum gtrace_status status;
	struct gtrace *trace;

	status = gtrace_open_memory(b->bytes, b->size, options, &trace, error);
	if (status == GTRACE_OK && final)
		gti_test_final_order(trace);
	if (status == GTRACE_OK && n != 0)
		status = print_greedy(trace, n, &output, error);
	else if (status == GTRACE_OK)
		status = print_dump(trace, &output, error);
	gtrace_close(trace);
	return status;
}

/*
 * The same in merge order, and once more in final order, which agree. Traces of
 * Go 1.5 have fake_go.sh to name their addresses.
 */
static inline enum gtrace_status print(const struct builder *b, size_t n,
				       struct text *text,
				       struct gtrace_error *error)
{
	struct gtrace_options options =
		OPTIONS(.binary = "program", .go_command = "tests/fake_go.sh");
	enum gtrace_status status =
		print_in_order(b, n, &options, 0, text, error);
	static struct text other;
	struct gtrace_error again = {.message = ""};

	assert_int_equal(print_in_order(b, n, &options, 1, &other, &again),
			 status);
	assert_string_equal(other.bytes, text->bytes);
	if (status != GTRACE_OK) {
		assert_string_equal(again.message, error->message);
		assert_int_equal(again.offset, error->offset);
	}
	return status;
}

/* Both reports fail with this error, and print nothing. */
static inline void expect_error(const struct builder *b,
				enum gtrace_status status, uint64_t offset,
				const char *message)
{
	static struct text text;
	struct gtrace_error error = {.message = ""};
	size_t n;

	for (n = 0; n < 2; n++) {
		assert_int_equal(print(b, n, &text, &error), status);
		assert_int_equal(error.status, status);
		assert_string_equal(error.message, message);
		assert_int_equal(error.offset, offset);
		assert_int_equal(text.size, 0);
	}
}

#endif /* GTRACE_TESTS_PRINTED_H_ */
