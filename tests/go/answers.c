/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * answers.c - reads traces from standard input, each after a line with its
 * size, and writes what the library makes of each: a line with the status and
 * the size of a text and of a list, and these. The text is the dump, or the
 * message; the list has the start, length, thread, processor and goroutine of
 * each slice.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gtrace/gtrace.h>

#include "tests/reports.h"

/* More slices than a trace has. */
#define MANY ((size_t)1 << 24)

/* A text that grows. */
struct text {
	char *bytes;
	size_t size;
	FILE *to;
};

static void begin_text(struct text *text)
{
	text->to = open_memstream(&text->bytes, &text->size);
	if (text->to == NULL)
		abort();
}

static void end_text(struct text *text)
{
	if (fclose(text->to) != 0)
		abort();
}

static int write_text(void *context, const void *data, size_t size)
{
	return fwrite(data, 1, size, context) == size ? 0 : -1;
}

static void list_slices(const struct gtrace_greedy_report *greedy, FILE *to)
{
	size_t i;

	for (i = 0; i < greedy->count; i++) {
		const struct gtrace_slice *slice = greedy->slices[i];

		fprintf(to,
			"%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			" %" PRId64 "\n",
			slice->start.ts, slice->duration, slice->m, slice->p,
			slice->g);
	}
}

static enum gtrace_status make_both(struct gtrace *trace, FILE *dump,
				    FILE *list, struct gtrace_error *error)
{
	struct gtrace_output output =
		OUTPUT(.write = write_text, .context = dump);
	struct gtrace_reports *reports;
	enum gtrace_status status = print_dump(trace, &output, error);

	if (status == GTRACE_OK)
		status = make_greedy(trace, MANY, &reports, error);
	if (status == GTRACE_OK) {
		list_slices(reports->greedy, list);
		gtrace_reports_free(reports);
	}
	return status;
}

static void answer(const void *data, size_t size)
{
	struct text dump, list;
	struct gtrace_error error;
	struct gtrace *trace;
	enum gtrace_status status;

	begin_text(&dump);
	begin_text(&list);
	status = gtrace_open_memory(data, size, NULL, &trace, &error);
	if (status == GTRACE_OK) {
		status = make_both(trace, dump.to, list.to, &error);
		gtrace_close(trace);
	}
	end_text(&dump);
	end_text(&list);
	/* A report that fails writes nothing. */
	if (status != GTRACE_OK && dump.size == 0) {
		free(dump.bytes);
		begin_text(&dump);
		fputs(error.message, dump.to);
		end_text(&dump);
	}
	printf("%d %zu %zu\n", (int)status, dump.size, list.size);
	fwrite(dump.bytes, 1, dump.size, stdout);
	fwrite(list.bytes, 1, list.size, stdout);
	fflush(stdout);
	free(dump.bytes);
	free(list.bytes);
}

int main(void)
{
	size_t size;

	while (scanf("%zu", &size) == 1 && getchar() == '\n') {
		void *data = malloc(size + 1);

		if (data == NULL || fread(data, 1, size, stdin) != size)
			return 1;
		answer(data, size);
		free(data);
	}
	return 0;
}
