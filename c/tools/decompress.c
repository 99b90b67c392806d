/* SPDX-License-Identifier: BSD-3-Clause */
/* decompress.c - other programs, which decompress traces. */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */

#include "tools/decompress.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/errors.h"
#include "tools/start.h"

#define DECOMPRESSORS 2

static const struct decompressor decompressors[DECOMPRESSORS] = {
	{"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"}};

bool decompress_begins(const char *bytes, size_t size, const char *want)
{
	size_t least = strlen(want);

	return memcmp(bytes, want, size < least ? size : least) == 0;
}

bool decompress_may_begin(const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < DECOMPRESSORS; i++)
		if (decompress_begins(bytes, size, decompressors[i].magic))
			return true;
	return false;
}

const struct decompressor *decompress_find(const char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < DECOMPRESSORS; i++)
		if (size >= strlen(decompressors[i].magic) &&
		    decompress_begins(bytes, size, decompressors[i].magic))
			return &decompressors[i];
	return NULL;
}

bool decompress_start(struct child *child, const struct decompressor *by,
		      const char *path, int errors)
{
	const char *arguments[] = {by->program, "-dc", NULL};
	int fd = STDIN_FILENO, code;

	if (!is_stdin(path))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	code = child_start(child, arguments, fd, errors);
	if (!is_stdin(path))
		close(fd);
	return code == 0;
}

/* BY has failed, which has SAID why; that can begin with an empty line. */
static void fail_decompressor(const struct decompressor *by, FILE *said,
			      struct gtrace_error *error)
{
	char line[256] = "\n";

	rewind(said);
	while (line[0] == '\n' && fgets(line, sizeof(line), said) != NULL)
		;
	line[strcspn(line, "\r\n")] = '\0';
	error_set(error, GTRACE_ERROR_OPEN, "%s cannot decompress it%s%s",
		  by->program, line[0] != '\0' ? ": " : "", line);
}

enum gtrace_status decompress_end(const struct decompressor *by,
				  struct child *child, FILE *said,
				  bool is_partial, struct gtrace **trace,
				  struct gtrace_error *error,
				  enum gtrace_status status)
{
	const int only_warns = 2; /* of gzip: there is something after it */
	int code = child_end(child);

	if (code == 0 || code == CHILD_LOST || code == only_warns ||
	    (is_partial && status == GTRACE_OK))
		return status;
	gtrace_close(*trace);
	*trace = NULL;
	fail_decompressor(by, said, error);
	return error->status;
}
