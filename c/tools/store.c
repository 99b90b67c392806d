/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - writes what is known of traces as tables. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "tools/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables/tables.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/settings.h"
#include "tools/start.h"

static struct tables_request request;

/* Sets *LABEL to what TEXT, NAME=VALUE, is. */
static void read_label(const char *text, struct tables_label *label)
{
	char *copy = strdup(text);

	if (copy == NULL) {
		error_note("out of memory");
		exit(EXIT_BAD_TRACE);
	}
	label->name = copy;
	copy += strcspn(copy, "=");
	*copy = '\0';
	label->value = copy + 1;
}

/* Checks LABELS, COUNT of them. */
static void check_labels(const struct tables_label *labels, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		if (!tables_may_label(labels[i].name))
			help_wrong(EXIT_BAD_USAGE,
				   "-label=%s=%s: a name has letters, digits "
				   "and _, and is none of a column",
				   labels[i].name, labels[i].value);
		for (j = 0; j < i; j++)
			if (strcasecmp(labels[j].name, labels[i].name) == 0)
				help_wrong(EXIT_BAD_USAGE,
					   "-label=%s is given twice",
					   labels[i].name);
	}
}

void store_check(void)
{
	const struct flag_labels *given = &settings.labels;
	struct tables_label *labels = calloc(given->count + 1, sizeof(*labels));
	size_t i;

	if (labels == NULL) {
		error_note("out of memory");
		exit(EXIT_BAD_TRACE);
	}
	for (i = 0; i < given->count; i++)
		read_label(given->texts[i], &labels[i]);
	check_labels(labels, given->count);
	request = (struct tables_request){
		.folder = settings.tables,
		.labels = labels,
		.label_count = given->count,
		.is_csv = settings.tables_format == TABLES_CSV,
	};
	for (i = 0; i < settings.file_count; i++)
		if (is_stdin(settings.files[i]))
			help_wrong(EXIT_BAD_USAGE,
				   "-tables reads traces twice, so it takes no "
				   "standard input");
}

/* tables_hash() of the trace NUMBER, which may have no file of its own. */
static int hash_trace(size_t number, char hash[SHA256_DIGITS + 1])
{
	FILE *joined = jobs.traces[number].joined, *file = joined;
	int code;

	if (joined != NULL)
		rewind(joined);
	else
		file = fopen(settings.files[number], "rb");
	if (file == NULL)
		return errno;
	code = tables_hash(file, hash);
	if (joined == NULL)
		fclose(file);
	return code;
}

enum gtrace_status store_write(size_t number, struct gtrace *trace,
			       struct gtrace_error *error)
{
	struct tables_trace of = {.trace = trace,
				  .name = settings.files[number]};
	int code = hash_trace(number, of.hash);

	if (code != 0) {
		error_set(error, GTRACE_ERROR_READ, "%s",
			  error_text_of(code).text);
		error->system_error = code;
		return GTRACE_ERROR_READ;
	}
	if (tables_are_there(&request, of.hash))
		return GTRACE_OK;
	return tables_write(&request, &of, error);
}
