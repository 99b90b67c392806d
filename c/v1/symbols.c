/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.c - functions and lines, as `go tool addr2line` answers.
 *
 * Questions and answers are passed in unnamed files. With pipes there could be
 * a deadlock: the child waits for its answers to be read while the parent waits
 * for its questions to be read.
 */
#define _GNU_SOURCE /* mkostemp */

#include "v1/symbols.h"

#include "base/fail.h"

bool gti_symbols_want(struct symbols *symbols, uint64_t pc,
		      const struct gtrace_allocator *memory)
{
	struct symbol *list;
	uint64_t *number;

	if (gti_map_get(&symbols->number_of, pc) != NULL)
		return true;
	if (!gti_array_reserve(&symbols->list, sizeof(*list), memory))
		return false;
	number = gti_map_put(&symbols->number_of, pc, memory);
	if (number == NULL)
		return false;
	*number = symbols->list.count++;
	list = symbols->list.items;
	list[*number] = (struct symbol){.pc = pc};
	return true;
}

const struct symbol *gti_symbols_get(const struct symbols *symbols, uint64_t pc)
{
	const uint64_t *number = gti_map_get(&symbols->number_of, pc);

	if (number == NULL)
		return NULL;
	return (const struct symbol *)symbols->list.items + *number;
}

void gti_symbols_free(struct symbols *symbols,
		      const struct gtrace_allocator *memory)
{
	gti_map_free(&symbols->number_of, memory);
	gti_array_free(&symbols->list, sizeof(struct symbol), memory);
	gti_input_close(&symbols->answers);
	*symbols = (struct symbols){0};
}

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
 * Runs GO with `tool addr2line BINARY` from one of FILES to the other until it
 * ends, and sets *ENDED to its status. That is left if it cannot be known: the
 * program ignores SIGCHLD, or waits for any child.
 */
static enum gtrace_status run(const char *go, const char *binary,
			      const int files[2], int *ended,
			      struct gtrace_error *error)
{
	char tool[] = "tool", addr2line[] = "addr2line", name[PATH_MAX];
	char *arguments[] = {(char *)(uintptr_t)go, tool, addr2line, name,
			     NULL};
	posix_spawn_file_actions_t actions;
	pid_t pid, waited;
	int code;

	/* It must not look like a flag. */
	if (snprintf(name, sizeof(name), "%s%s", binary[0] == '-' ? "./" : "",
		     binary) >= (int)sizeof(name))
		return fail_because(ENAMETOOLONG, "start addr2line", error);
	code = posix_spawn_file_actions_init(&actions);
	if (code != 0)
		return fail_because(code, "start addr2line", error);
	code = posix_spawn_file_actions_adddup2(&actions, files[0],
						STDIN_FILENO);
	if (code == 0)
		code = posix_spawn_file_actions_adddup2(&actions, files[1],
							STDOUT_FILENO);
	if (code == 0)
		code = posix_spawnp(&pid, go, &actions, NULL, arguments,
				    environ);
	posix_spawn_file_actions_destroy(&actions);
	if (code != 0)
		return fail_to_start(code, go, error);
	do
		waited = waitpid(pid, ended, 0);
	while (waited < 0 && errno == EINTR);
	return GTRACE_OK;
}

/* All that the command prints is read. */
static enum gtrace_status accept(const uint8_t *data, size_t size,
				 struct gtrace_error *error)
{
	(void)data;
	(void)size;
	(void)error;
	return GTRACE_OK;
}

/* --------------------------------------------------------------- answers -- */

/* The command ended with STATUS, and printed too few answers if IS_SHORT. */
static enum gtrace_status fail_ended(int status, bool is_short,
				     struct gtrace_error *error)
{
	bool by_signal = WIFSIGNALED(status);
	const char *how = by_signal ? "signal" : "exit status";
	int number = by_signal ? WTERMSIG(status) : WEXITSTATUS(status);

	if (!is_short)
		return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
				"failed to run addr2line: %s %d", how, number);
	if (number == 0)
		return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
				"failed to read from addr2line: EOF");
	return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
			"failed to read from addr2line: EOF (%s %d)", how,
			number);
}

/* Takes the next line of the text, which ends at END. False: none is left. */
static bool next_line(const char **at, const char *end,
		      struct gtrace_string *line)
{
	size_t left = (size_t)(end - *at);
	const char *newline = left != 0 ? memchr(*at, '\n', left) : NULL;

	if (newline == NULL)
		return false;
	line->data = *at;
	line->size = (size_t)(newline - *at);
	*at = newline + 1;
	return true;
}

/*
 * Moves a line number from the end of the file's name, which a newline follows,
 * to the symbol.
 */
static void split_line(struct symbol *symbol)
{
	const char *name = symbol->file.data, *end = name + symbol->file.size;
	const char *number = end, *digits;
	long long line;

	while (number > name && number[-1] != ':')
		number--;
	if (number == name)
		return;
	digits = number + (*number == '-' || *number == '+');
	if (digits == end || digits + strspn(digits, "0123456789") != end)
		return;
	errno = 0;
	line = strtoll(number, NULL, 10);
	if (errno != 0)
		return;
	symbol->line = (uint64_t)line;
	symbol->file.size = (size_t)(number - 1 - name);
}

static enum gtrace_status take_answers(struct symbols *symbols, int ended,
				       struct gtrace_error *error)
{
	const char *at = (const char *)symbols->answers.data;
	const char *end = at + symbols->answers.size;
	struct symbol *list = symbols->list.items;
	size_t i;

	for (i = 0; i < symbols->list.count; i++) {
		if (!next_line(&at, end, &list[i].function) ||
		    !next_line(&at, end, &list[i].file))
			return fail_ended(ended, true, error);
		split_line(&list[i]);
	}
	if (ended != 0)
		return fail_ended(ended, false, error);
	return GTRACE_OK;
}

/* Runs the command, which reads from IN and writes to OUT. */
static enum gtrace_status ask(struct symbols *symbols, const char *go,
			      const char *binary, const int files[2],
			      const struct gtrace_allocator *memory,
			      struct gtrace_error *error)
{
	enum gtrace_status status;
	int ended = 0;

	status = write_questions(symbols, files[0], memory, error);
	if (status == GTRACE_OK)
		status = run(go, binary, files, &ended, error);
	if (status == GTRACE_OK)
		status = gti_input_fd(&symbols->answers, files[1], "addr2line",
				      accept, memory, error);
	if (status == GTRACE_OK)
		status = take_answers(symbols, ended, error);
	return status;
}

enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error)
{
	int files[2] = {-1, -1}, i;
	enum gtrace_status status;

	status = open_unnamed(&files[0], "pipe addr2line stdin", error);
	if (status == GTRACE_OK)
		status =
			open_unnamed(&files[1], "pipe addr2line stdout", error);
	if (status == GTRACE_OK)
		status = ask(symbols, go, binary, files, memory, error);
	for (i = 0; i < 2; i++)
		if (files[i] >= 0)
			close(files[i]);
	return status;
}
#else
enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error)
{
	(void)symbols;
	(void)go;
	(void)binary;
	(void)memory;
	return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
			"failed to start addr2line: programs cannot be started "
			"here");
}
#endif
