/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - what is known of a trace as tables. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "tables/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "tables/work.h"

/* ---------------------------------------------------------------- labels -- */

/* Whether a table has the column NAME, in any case: engines do not tell. */
static bool is_column(const char *name)
{
	unsigned table;
	size_t i;

	for (table = 0; table < TABLE_COUNT; table++)
		for (i = 0; i < rows_tables[table].count; i++)
			if (strcasecmp(rows_tables[table].columns[i].name,
				       name) == 0)
				return true;
	return false;
}

bool tables_may_label(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_",
			  digits[] = "0123456789";
	size_t first = strspn(name, letters), i = first;

	while (name[i] != '\0' && (strchr(letters, name[i]) != NULL ||
				   strchr(digits, name[i]) != NULL))
		i++;
	return first != 0 && name[i] == '\0' && !is_column(name);
}

/* Returns "NAME=VALUE,..." to be freed; NULL: no memory. */
static char *join_labels(const struct tables_request *request)
{
	struct bytes text = {0};
	size_t i;

	for (i = 0; i < request->label_count; i++) {
		const struct tables_label *label = &request->labels[i];

		if (i != 0)
			bytes_add_byte(&text, ',');
		bytes_add(&text, label->name, strlen(label->name));
		bytes_add_byte(&text, '=');
		bytes_add(&text, label->value, strlen(label->value));
	}
	bytes_add_byte(&text, '\0');
	if (!text.failed)
		return (char *)text.data;
	bytes_free(&text);
	return NULL;
}

/* ----------------------------------------------------------------- files -- */

int tables_hash(FILE *file, char hash[SHA256_DIGITS + 1])
{
	static const size_t size = 64 << 10;
	unsigned char *block = malloc(size);
	struct sha256 sum;
	size_t got;
	int code = 0;

	if (block == NULL)
		return ENOMEM;
	sha256_begin(&sum);
	errno = 0;
	while ((got = fread(block, 1, size, file)) != 0)
		sha256_add(&sum, block, got);
	if (ferror(file))
		code = errno != 0 ? errno : EIO;
	free(block);
	sha256_end(&sum, hash);
	return code;
}

bool tables_are_there(const struct tables_request *request, const char *hash)
{
	unsigned table;
	bool is_there = true;

	for (table = 0; table < TABLE_COUNT && is_there; table++) {
		char *path = files_path(request, table, hash);

		is_there = path != NULL && access(path, F_OK) == 0;
		free(path);
	}
	return is_there;
}

/* ---------------------------------------------------------------- tables -- */

static enum gtrace_status fail_memory(struct gtrace_error *error)
{
	*error = (struct gtrace_error){.status = GTRACE_ERROR_MEMORY,
				       .message = "out of memory"};
	return GTRACE_ERROR_MEMORY;
}

static enum gtrace_status write_all(struct work *work, const char *labels,
				    struct gtrace_error *error)
{
	enum gtrace_status status = work_visit(work, error);

	if (status == GTRACE_OK)
		status = work_report(work, error);
	if (status == GTRACE_OK)
		status = work_generations(work, error);
	if (status == GTRACE_OK)
		status = work_summarise(work, labels, error);
	if (status == GTRACE_OK && work->stacks.failed)
		status = fail_memory(error);
	return status;
}

enum gtrace_status tables_write(const struct tables_request *request,
				const struct tables_trace *trace,
				struct gtrace_error *error)
{
	struct work work = {.of = trace};
	char *labels = join_labels(request);
	struct gtrace_error fault;
	enum gtrace_status status, closed;

	if (labels == NULL)
		return fail_memory(error);
	work.files = files_open(request, trace->hash, error);
	if (work.files == NULL) {
		free(labels);
		return error->status;
	}
	status = write_all(&work, labels, error);
	closed = files_close(work.files, status == GTRACE_OK, &fault);
	if (closed != GTRACE_OK) {
		*error = fault;
		status = closed;
	}
	free(work.stacks.ids);
	free(labels);
	return status;
}
