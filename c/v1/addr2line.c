/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * addr2line.c - runs `go tool addr2line`.
 *
 * Questions and answers are passed in unnamed files. With pipes there could be
 * a deadlock: the child waits for its answers to be read while the parent waits
 * for its questions to be read.
 */
#define _GNU_SOURCE /* mkostemp */

#include "v1/symbols.h"

#include "base/fail.h"

#if HAS_PROCESSES
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"

extern char **environ;

/* Longest question, "0xffffffffffffffff\n". */
#define QUESTION_MAX 19

static enum gtrace_status fail_because(int code, const char *what,
				       struct gtrace_error *error)
{
	return gti_fail_system(error, GTRACE_ERROR_SYMBOLS, 0, code,
			       "failed to %s", what);
}

/*
 * Sets *FD to a file without a name, for WHAT. No other program inherits it,
 * not even one that another thread starts at this moment. The descriptor is
 * above 2, even if the program has closed its standard descriptors.
 */
static enum gtrace_status open_unnamed(int *fd, const char *what,
				       struct gtrace_error *error)
{
	const char *folder = getenv("TMPDIR");
	char path[PATH_MAX];
	int low;

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	if (snprintf(path, sizeof(path), "%s/gtrace_XXXXXX", folder) >=
	    (int)sizeof(path))
		return fail_because(ENAMETOOLONG, what, error);
	low = mkostemp(path, O_CLOEXEC);
	if (low < 0)
		return fail_because(errno, what, error);
	unlink(path);
	*fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (*fd < 0)
		fail_because(errno, what, error);
	close(low);
	return *fd < 0 ? GTRACE_ERROR_SYMBOLS : GTRACE_OK;
}

/* Writes the program counters to FD, for a child to read from its start. */
static enum gtrace_status write_questions(const struct symbols *symbols, int fd,
					  const struct gtrace_allocator *memory,
					  struct gtrace_error *error)
{
	const struct gtrace_output sink = {.fd = fd};
	const struct symbol *list = symbols->list.items;
	struct writer writer;
	char *line;
	size_t i;

	if (gti_writer_init(&writer, &sink, memory, error) != GTRACE_OK)
		return GTRACE_ERROR_MEMORY;
	for (i = 0; i < symbols->list.count; i++) {
		line = writer_reserve(&writer, QUESTION_MAX);
		/* A frame has the address that its call returns to. */
		line = gti_put_hex(line, list[i].pc - 1);
		*line++ = '\n';
		writer_commit(&writer, line);
	}
	gti_writer_finish(&writer, NULL);
	if (writer.failure == 0 && lseek(fd, 0, SEEK_SET) < 0)
		writer.failure = errno;
	if (writer.failure != 0)
		return fail_because(writer.failure, "write to addr2line",
				    error);
	return GTRACE_OK;
}

static enum gtrace_status fail_to_start(int code, const char *go,
					struct gtrace_error *error)
{
	if (strchr(go, '/') != NULL)
		return gti_fail_system(
			error, GTRACE_ERROR_SYMBOLS, 0, code,
			"failed to start addr2line: fork/exec %s", go);
	if (code != ENOENT && code != EACCES && code != ENOTDIR)
		return fail_because(code, "start addr2line", error);
	gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
		 "failed to start addr2line: exec: \"%s\": executable file not "
		 "found in $PATH",
		 go);
	if (error != NULL)
		error->system_error = code;
	return GTRACE_ERROR_SYMBOLS;
}

/*
 * Runs GO with `tool addr2line BINARY` from IN to OUT until it ends, and fills
 * ENDING.
 */
static enum gtrace_status run(const char *go, char *binary, int in, int out,
			      struct command_end *ending,
			      struct gtrace_error *error)
{
	char tool[] = "tool", addr2line[] = "addr2line";
	char *arguments[] = {(char *)(uintptr_t)go, tool, addr2line, binary,
			     NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid, waited;
	int code, status = 0;

	code = posix_spawn_file_actions_init(&actions);
	if (code != 0)
		return fail_because(code, "start addr2line", error);
	code = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (code == 0)
		code = posix_spawn_file_actions_adddup2(&actions, out,
							STDOUT_FILENO);
	if (code == 0)
		code = posix_spawnp(&pid, go, &actions, NULL, arguments,
				    environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code != 0)
		return fail_to_start(code, go, error);
	do
		waited = waitpid(pid, &status, 0);
	while (waited < 0 && errno == EINTR);
	/* Fails if the program ignores SIGCHLD or waits for any child. */
	if (waited < 0)
		status = 0;
	ending->by_signal = WIFSIGNALED(status);
	ending->number =
		ending->by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
	return GTRACE_OK;
}

/* Whatever the command prints is read to its end. */
static enum gtrace_status accept(const uint8_t *data, size_t size,
				 struct gtrace_error *error)
{
	(void)data;
	(void)size;
	(void)error;
	return GTRACE_OK;
}

/*
 * Returns a copy of the file name BINARY, of *SIZE bytes, that does not look
 * like a flag. NULL: no memory.
 */
static char *copy_name(const char *binary, size_t *size,
		       const struct gtrace_allocator *memory)
{
	const char *folder = binary[0] == '-' ? "./" : "";
	char *copy;

	*size = strlen(folder) + strlen(binary) + 1;
	copy = gti_allocate(memory, *size);
	if (copy != NULL)
		snprintf(copy, *size, "%s%s", folder, binary);
	return copy;
}

enum gtrace_status gti_addr2line(const char *go, const char *binary,
				 struct symbols *symbols,
				 struct command_end *ending,
				 const struct gtrace_allocator *memory,
				 struct gtrace_error *error)
{
	enum gtrace_status status;
	int in = -1, out = -1;
	size_t size;
	char *name = copy_name(binary, &size, memory);

	if (name == NULL)
		return gti_fail_memory(error);
	status = open_unnamed(&in, "pipe addr2line stdin", error);
	if (status == GTRACE_OK)
		status = open_unnamed(&out, "pipe addr2line stdout", error);
	if (status == GTRACE_OK)
		status = write_questions(symbols, in, memory, error);
	if (status == GTRACE_OK)
		status = run(go, name, in, out, ending, error);
	if (status == GTRACE_OK)
		status = gti_input_fd(&symbols->answers, out, "addr2line",
				      accept, memory, error);
	if (out >= 0)
		close(out);
	if (in >= 0)
		close(in);
	gti_release(memory, name, size);
	return status;
}
#else
enum gtrace_status gti_addr2line(const char *go, const char *binary,
				 struct symbols *symbols,
				 struct command_end *ending,
				 const struct gtrace_allocator *memory,
				 struct gtrace_error *error)
{
	(void)go;
	(void)binary;
	(void)symbols;
	(void)ending;
	(void)memory;
	return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
			"failed to start addr2line: programs cannot be started "
			"here");
}
#endif
