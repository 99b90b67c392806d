/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - traces with parts in common are reported on as one. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "tools/overlap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/errors.h"
#include "tools/jobs.h"
#include "tools/scratch.h"
#include "tools/start.h"

/* All traces that can overlap, and their names. */
static struct {
	struct gtrace **traces;
	const char **names;
	size_t *numbers; /* in settings.files */
	size_t *groups;
	size_t count;
	/* A group, while it is joined. */
	struct gtrace **members;
	const char **member_names;
	size_t member_count;
	/* What was joined. */
	size_t traces_joined;
	uint64_t shared;
} all;

/* Opens the trace NUMBER, if it is one of generations in a file. */
static void open_trace(size_t number)
{
	const char *name = settings.files[number];
	struct gtrace_options options = {.size = sizeof(options)};
	struct gtrace *trace;

	if (is_stdin(name) || start_file_size(name) == 0 ||
	    !start_has_generations(name))
		return;
	/* What is wrong with it is said when it is read. */
	if (gtrace_open_path(name, &options, &trace, NULL) != GTRACE_OK)
		return;
	all.traces[all.count] = trace;
	all.names[all.count] = name;
	all.numbers[all.count++] = number;
}

static bool open_traces(void)
{
	size_t count = settings.file_count, i;

	all.traces = calloc(count, sizeof(*all.traces));
	all.names = calloc(count, sizeof(*all.names));
	all.numbers = calloc(count, sizeof(*all.numbers));
	all.groups = calloc(count, sizeof(*all.groups));
	all.members = calloc(count, sizeof(*all.members));
	all.member_names = calloc(count, sizeof(*all.member_names));
	if (all.traces == NULL || all.names == NULL || all.numbers == NULL ||
	    all.groups == NULL || all.members == NULL ||
	    all.member_names == NULL)
		return false;
	for (i = 0; i < count; i++)
		open_trace(i);
	return true;
}

static void close_traces(void)
{
	size_t i;

	for (i = 0; i < all.count; i++)
		gtrace_close(all.traces[i]);
	free(all.traces);
	free(all.names);
	free(all.numbers);
	free(all.groups);
	free(all.members);
	free(all.member_names);
}

/* Sets the members to those of GROUP. */
static void find_members(size_t group)
{
	size_t i;

	all.member_count = 0;
	for (i = group; i < all.count; i++)
		if (all.groups[i] == group) {
			all.members[all.member_count] = all.traces[i];
			all.member_names[all.member_count++] = all.names[i];
		}
}

static int write_to(void *context, const void *data, size_t size)
{
	return fwrite(data, 1, size, context) == size ? 0 : errno;
}

/* Writes the members as one trace to TO, which may be NULL with errno set. */
static enum gtrace_status join_members(FILE *to, struct gtrace_edited *made,
				       struct gtrace_error *error)
{
	const struct gtrace_edit edit = {.size = sizeof(edit),
					 .names = all.member_names};
	const struct gtrace_output output = {
		.size = sizeof(output), .write = write_to, .context = to};
	enum gtrace_status status = GTRACE_ERROR_WRITE;

	error->system_error = errno;
	if (to != NULL)
		status = gtrace_edit(all.members, all.member_count, &edit,
				     &output, made, error);
	if (status == GTRACE_OK && fflush(to) != 0) {
		error->system_error = errno;
		status = GTRACE_ERROR_WRITE;
	}
	if (status == GTRACE_ERROR_WRITE)
		snprintf(error->message, sizeof(error->message),
			 "no temporary file for them: %s",
			 error_text_of(error->system_error).text);
	return status;
}

/* Whether the joined trace in FILE can be read. */
static enum gtrace_status check_joined(FILE *file, struct gtrace_error *error)
{
	struct gtrace *trace;
	enum gtrace_status status =
		gtrace_open_fd(fileno(file), NULL, &trace, error);

	if (status == GTRACE_OK)
		status = gtrace_check(trace, error);
	gtrace_close(trace);
	return status;
}

/* The name of the joined members: no memory, that of the first one. */
static const char *name_joined(void)
{
	const char *first = all.member_names[0];
	size_t size = strlen(first) + 40;
	char *name = malloc(size);

	if (name == NULL)
		return first;
	snprintf(name, size, "%s and %zu more", first, all.member_count - 1);
	return name;
}

/* The members of GROUP, joined in FILE, are one trace from now on. */
static void replace_members(size_t group, FILE *file)
{
	const char *name = name_joined();
	const char **first = &settings.files[all.numbers[group]], **other;
	size_t i;

	jobs.traces[all.numbers[group]].joined = file;
	if (*first != name)
		free((void *)*first);
	*first = name;
	for (i = group + 1; i < all.count; i++) {
		if (all.groups[i] != group)
			continue;
		other = &settings.files[all.numbers[i]];
		free((void *)*other);
		*other = NULL;
	}
}

static void join_group(size_t group)
{
	struct gtrace_edited made;
	struct gtrace_error error;
	enum gtrace_status status;
	FILE *file;

	find_members(group);
	if (all.member_count < 2)
		return;
	file = scratch_file();
	status = join_members(file, &made, &error);
	if (status == GTRACE_OK)
		status = check_joined(file, &error);
	if (status == GTRACE_OK) {
		replace_members(group, file);
		all.traces_joined += all.member_count;
		all.shared += made.shared;
		return;
	}
	if (file != NULL)
		fclose(file);
	error_note("%s and %zu more traces overlap, but are counted one by "
		   "one: %s",
		   all.member_names[0], all.member_count - 1, error.message);
}

/* Removes the traces that are part of others. */
static void remove_members(void)
{
	size_t count = 0, i;

	for (i = 0; i < settings.file_count; i++)
		if (settings.files[i] != NULL) {
			jobs.traces[count] = jobs.traces[i];
			settings.files[count++] = settings.files[i];
		}
	settings.file_count = count;
}

/* Whether there can be a file for what is joined. */
static bool can_join(void)
{
#if HAS_TEMPORARY_FILES
	return true; /* else it is said of the traces */
#else
	FILE *file = scratch_file();

	if (file != NULL)
		fclose(file);
	return file != NULL;
#endif
}

void overlap_join(void)
{
	size_t count = settings.file_count, i;

	if (!can_join())
		return;
	if (open_traces() && all.count > 1 &&
	    gtrace_group(all.traces, all.count, all.groups, NULL) == GTRACE_OK)
		for (i = 0; i < all.count; i++)
			if (all.groups[i] == i)
				join_group(i);
	close_traces();
	if (all.traces_joined == 0)
		return;
	remove_members();
	error_note("%zu of %zu traces overlap: %" PRIu64
		   " generation%s counted once",
		   all.traces_joined, count, all.shared,
		   all.shared == 1 ? " was" : "s were");
}
