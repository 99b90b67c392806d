/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - the names of the traces to read. */
#define _POSIX_C_SOURCE 200809L

#include "tools/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char files_no_memory[] = "out of memory";

/* What is wrong, by errno. */
static const char *system_fault(void)
{
	return errno == ENOMEM ? files_no_memory : strerror(errno);
}

/*
 * Reads FILE to its end, and sets *TEXT to what is in it, with a final NUL.
 * Returns NULL, or what is wrong.
 */
static const char *read_text(FILE *file, char **text)
{
	size_t capacity = 0;
	ssize_t size = getdelim(text, &capacity, '\0', file);

	if (size < 0 && feof(file)) {
		free(*text);
		*text = calloc(1, 1);
		return *text != NULL ? NULL : files_no_memory;
	}
	if (size < 0)
		return system_fault();
	/* Such as a trace, or what find -print0 prints. */
	if (strlen(*text) < (size_t)size)
		return "it has a zero byte, so it is no list of names";
	return NULL;
}

static const char *read_list(const char *name, char **text)
{
	bool is_stdin = strcmp(name, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(name, "r");
	const char *wrong;

	if (file == NULL)
		return system_fault();
	wrong = read_text(file, text);
	if (!is_stdin)
		fclose(file);
	return wrong;
}

/* Returns how many lines TEXT has at most. */
static size_t count_lines(const char *text)
{
	size_t count = 1;

	for (; *text != '\0'; text++)
		count += *text == '\n';
	return count;
}

/* Lines of Windows end with CR LF. */
static void cut_cr(char *line)
{
	size_t size = strlen(line);

	if (size != 0 && line[size - 1] == '\r')
		line[size - 1] = '\0';
}

const char *files_collect(struct settings *settings, int count,
			  char **arguments)
{
	size_t capacity = (size_t)count;
	const char *wrong;
	char *line, *end;
	int i;

	if (settings->files_from != NULL) {
		wrong = read_list(settings->files_from, &settings->list);
		if (wrong != NULL)
			return wrong;
		capacity += count_lines(settings->list);
	}
	settings->files = calloc(capacity + 1, sizeof(*settings->files));
	if (settings->files == NULL)
		return files_no_memory;
	for (i = 0; i < count; i++)
		settings->files[settings->file_count++] = arguments[i];
	for (line = settings->list; line != NULL; line = end) {
		end = strchr(line, '\n');
		if (end != NULL)
			*end++ = '\0';
		cut_cr(line);
		if (*line != '\0')
			settings->files[settings->file_count++] = line;
	}
	return settings->file_count == 0 ? "it names no file" : NULL;
}
