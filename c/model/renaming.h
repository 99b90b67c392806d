/* SPDX-License-Identifier: BSD-3-Clause */
/* renaming.h - what a format calls to replace the names in a trace. */
#ifndef GTRACE_MODEL_RENAMING_H_
#define GTRACE_MODEL_RENAMING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* What a string of a trace is used as. */
enum text_role {
	TEXT_OTHER, /* a message, a label, ...: by no frame */
	TEXT_FILE,
	TEXT_STANDARD_FILE, /* the file of a standard function */
	TEXT_FUNCTION,
	TEXT_STANDARD_FUNCTION,
};

struct renaming {
	const void *context;
	/* Whether FUNCTION is of the standard library. */
	bool (*is_standard)(struct gtrace_string function);
	/* Replaces the SIZE bytes at TEXT by as many others. */
	void (*rename)(const void *context, enum text_role role, uint8_t *text,
		       size_t size);
};

#endif /* GTRACE_MODEL_RENAMING_H_ */
