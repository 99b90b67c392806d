/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edit_fuzzer.c - makes traces of any trace: what is written of all of it is a
 * trace of the same size, with its names or with others, and a part is no
 * larger. Of what cannot be read, nothing is written.
 */
#include <string.h>

#include <gtrace/gtrace.h>

#include "fuzz/fuzz.h"

struct bytes {
	uint8_t *data;
	size_t size;
};

static int keep(void *context, const void *data, size_t size)
{
	struct bytes *bytes = context;
	uint8_t *grown = realloc(bytes->data, bytes->size + size + 1);

	check(grown != NULL);
	bytes->data = grown;
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
	return 0;
}

/* Whether BYTES are a trace that can be read. */
static int is_trace(const struct bytes *bytes)
{
	struct gtrace *trace;
	int good = gtrace_open_memory(bytes->data, bytes->size, NULL, &trace,
				      NULL) == GTRACE_OK &&
		   gtrace_check(trace, NULL) == GTRACE_OK;

	gtrace_close(trace);
	return good;
}

/* Makes what EDIT asks for of TRACE. */
static enum gtrace_status make(struct gtrace *trace, struct gtrace_edit edit,
			       struct bytes *to)
{
	const struct gtrace_output output = {
		.size = sizeof(output), .write = keep, .context = to};
	enum gtrace_status status;

	edit.size = sizeof(edit);
	*to = (struct bytes){.data = NULL};
	status = gtrace_edit(&trace, 1, &edit, &output, NULL, NULL);
	check(status == GTRACE_OK || to->size == 0);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace *trace;
	struct bytes made;

	if (gtrace_open_memory(data, size, NULL, &trace, NULL) != GTRACE_OK)
		return 0;
	if (make(trace, (struct gtrace_edit){.from = 0}, &made) == GTRACE_OK) {
		check(made.size <= size && is_trace(&made));
		check(memcmp(made.data, data, made.size) == 0);
	}
	free(made.data);
	if (make(trace, (struct gtrace_edit){.anonymise = 1, .salt = "salt"},
		 &made) == GTRACE_OK)
		check(made.size <= size && is_trace(&made));
	free(made.data);
	/* The state before its begin may be missing in a part. */
	if (make(trace, (struct gtrace_edit){.from = -1}, &made) == GTRACE_OK)
		check(made.size <= size);
	free(made.data);
	gtrace_close(trace);
	return 0;
}
