/* SPDX-License-Identifier: BSD-3-Clause */
/* decompress.c - other programs, which decompress traces. */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */

#include "tools/decompress.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/errors.h"
#include "tools/keep.h"
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

/* A trace that is decompressed while it is read. It is never freed. */
struct decompression {
	const struct decompressor *by;
	const char *path;
	struct child child;
	FILE *said;
	bool is_partial;
	bool ended;
	struct gtrace_error fault; /* its status is GTRACE_OK: there is none */
	struct decompression *next;
};

/* All of them. Each is changed only by the thread that reads its trace. */
static struct decompression *_Atomic decompressions;

static void add(struct decompression *self)
{
	self->next = decompressions;
	while (!atomic_compare_exchange_weak(&decompressions, &self->next,
					     self))
		;
}

const struct gtrace_error *decompress_fault(const char *path)
{
	const struct decompression *self = decompressions;

	while (self != NULL && self->path != path)
		self = self->next;
	return self != NULL && self->fault.status != GTRACE_OK ? &self->fault
							       : NULL;
}

/* It has failed, and has said why; that can begin with an empty line. */
static void note_fault(struct decompression *self)
{
	char line[256] = "\n";

	rewind(self->said);
	while (line[0] == '\n' &&
	       fgets(line, sizeof(line), self->said) != NULL)
		;
	line[strcspn(line, "\r\n")] = '\0';
	error_set(&self->fault, GTRACE_ERROR_OPEN, "%s cannot decompress it%s%s",
		  self->by->program, line[0] != '\0' ? ": " : "", line);
}

/* See struct keep_from: it has printed all. */
static bool end(void *context)
{
	const int only_warns = 2; /* of gzip: there is something after it */
	struct decompression *self = context;
	int code;

	if (!self->ended) {
		self->ended = true;
		code = child_end(&self->child);
		if (code != 0 && code != CHILD_LOST && code != only_warns)
			note_fault(self);
	}
	return self->fault.status == GTRACE_OK || self->is_partial;
}

static void close_all(void *context)
{
	struct decompression *self = context;

	if (!self->ended) {
		child_stop(&self->child);
		child_end(&self->child);
	}
	fclose(self->said);
}

enum gtrace_status decompress_open(const struct decompressor *by,
				   const struct child *child, FILE *said,
				   const char *path,
				   const struct gtrace_options *options,
				   struct gtrace **trace,
				   struct gtrace_error *error)
{
	struct decompression *self = calloc(1, sizeof(*self));
	const struct keep_from from = {
		.fd = child->out,
		.is_piped = is_stdin(path) && keep_is_for(STDIN_FILENO),
		.end = end,
		.close = close_all,
		.context = self,
	};

	if (self == NULL) {
		struct child copy = *child;

		child_stop(child);
		child_end(&copy);
		fclose(said);
		return error_set(error, GTRACE_ERROR_MEMORY, "out of memory");
	}
	*self = (struct decompression){
		.by = by,
		.path = path,
		.child = *child,
		.said = said,
		.is_partial = options->partial != GTRACE_PARTIAL_NO,
	};
	add(self);
	return keep_open_from(&from, options, trace, error);
}
