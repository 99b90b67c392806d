/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - the file of -files-from, which has a name on each line. */
#include "tools/list.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/errors.h"
#include "tools/settings.h"
#include "tools/start.h"

/* More than a path can have on the systems that there are. */
#define NAME_SIZE (64 << 10)

/* Ends, as WHAT is wrong with the list of names. */
static _Noreturn void bad_list(const char *what)
{
	help_wrong(EXIT_BAD_USAGE, "-files-from=%s: %s", settings.files_from,
		   what);
}

/*
 * Reads the next line of FILE, with CR LF at its end in Windows, into LINE, of
 * NAME_SIZE bytes. Returns false if there is none.
 */
static bool read_name(FILE *file, char *line)
{
	size_t size = 0;
	int byte;

	while ((byte = getc(file)) != EOF && byte != '\n') {
		/* Such as a trace, or what find -print0 prints. */
		if (byte == '\0')
			bad_list("it has a zero byte, so it is no list of "
				 "names");
		if (size + 1 == NAME_SIZE)
			bad_list("it has a line that is too long for the name "
				 "of a file");
		line[size++] = (char)byte;
	}
	if (size > 0 && line[size - 1] == '\r')
		size--;
	line[size] = '\0';
	return byte != EOF || size > 0;
}

/* Gives ADD the names that are lines of FILE. */
static void add_lines(FILE *file, void (*add)(const char *name))
{
	static char line[NAME_SIZE];

	while (read_name(file, line))
		if (line[0] != '\0')
			add(line);
	if (ferror(file))
		bad_list(error_text_of(errno).text);
}

void list_read(void (*add)(const char *name))
{
	FILE *file = is_stdin(settings.files_from)
			     ? stdin
			     : fopen(settings.files_from, "r");

	if (file == NULL)
		bad_list(error_text_of(errno).text);
	add_lines(file, add);
	if (file != stdin)
		fclose(file);
	if (settings.file_count == 0)
		bad_list("it names no file");
}
