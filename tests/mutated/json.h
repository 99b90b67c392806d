/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - whether text is JSON, and which of its numbers are negative. */
#ifndef GTRACE_TESTS_MUTATED_JSON_H_
#define GTRACE_TESTS_MUTATED_JSON_H_

#include <stddef.h>

/* The member that a number is the value of, or an element of; it may be "". */
struct json_key {
	const char *name;
	size_t size;
};

/*
 * Checks that the SIZE bytes at TEXT are one JSON value (RFC 8259), in valid
 * UTF-8 and without control characters. Calls EACH, if it is not NULL, for each
 * number below -1. Returns NULL, or where the fault is.
 */
const char *check_json(const char *text, size_t size,
		       void (*each)(struct json_key key, const char *number));

#endif /* GTRACE_TESTS_MUTATED_JSON_H_ */
