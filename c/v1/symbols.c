/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.c - asks `go tool addr2line` for functions and lines.
 *
 * The questions go through a temporary file and not through a pipe, so that
 * never_ready waits for the other with both pipes full.
 */
#define _POSIX_C_SOURCE 200809L

#include "v1/symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

extern char **environ;

#define READ_STEP ((size_t)64 << 10)

bool gti_symbols_want(struct symbols *symbols, uint64_t pc,
		      const struct gtrace_allocator *memory)
{
	uint64_t *number;

	if (gti_map_get(&symbols->number_of, pc) != NULL)
		return true;
	if (!gti_array_reserve(&symbols->pcs, sizeof(pc), memory))
		return false;
	number = gti_map_put(&symbols->number_of, pc, memory);
	if (number == NULL)
		return false;
	*number = symbols->pcs.count;
	((uint64_t *)symbols->pcs.items)[symbols->pcs.count++] = pc;
	return true;
}

const struct symbol *gti_symbols_get(const struct symbols *symbols, uint64_t pc)
{
	const uint64_t *number = gti_map_get(&symbols->number_of, pc);

	if (number == NULL || *number >= symbols->places.count)
		return NULL;
	return (const struct symbol *)symbols->places.items + *number;
}

void gti_symbols_free(struct symbols *symbols,
		      const struct gtrace_allocator *memory)
{
	gti_map_free(&symbols->number_of, memory);
	gti_array_free(&symbols->pcs, sizeof(uint64_t), memory);
	gti_array_free(&symbols->places, sizeof(struct symbol), memory);
	gti_release(memory, symbols->text, symbols->text_room);
	*symbols = (struct symbols){0};
}

static enum gtrace_status fail_because(int code, const char *what,
				       struct gtrace_error *error)
{
	char text[128];

	return gti_fail_system(error, GTRACE_ERROR_SYMBOLS, 0, code,
			       "failed to %s addr2line: %s", what,
			       gti_errno_text(code, text, sizeof(text)));
}

/* Opens a file that has the questions in it. NULL: errno tells why not. */
static FILE *write_questions(const struct symbols *symbols)
{
	const uint64_t *pcs = symbols->pcs.items;
	FILE *file = tmpfile();
	size_t i;

	if (file == NULL)
		return NULL;
	/* A program counter of a stack is that behind the call. */
	for (i = 0; i < symbols->pcs.count; i++)
		fprintf(file, "0x%" PRIx64 "\n", pcs[i] - 1);
	if (fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0)
		return file;
	fclose(file);
	return NULL;
}

/* Starts the command with its input from IN and its output to OUT. */
static int start(pid_t *pid, const char *go, const char *binary, int in,
		 int out)
{
	char *arguments[] = {(char *)(uintptr_t)go, (char *)(uintptr_t) "tool",
			     (char *)(uintptr_t) "addr2line",
			     (char *)(uintptr_t)binary, NULL};
	posix_spawn_file_actions_t actions;
	int code = posix_spawn_file_actions_init(&actions);

	if (code != 0)
		return code;
	code = posix_spawn_file_actions_adddup2(&actions, in, 0);
	if (code == 0)
		code = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (code == 0)
		code = posix_spawnp(pid, go, &actions, NULL, arguments,
				    environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* Reads FD to its end into the text. Returns 0, an errno value, or ENOMEM. */
static int read_answers(struct symbols *symbols, int fd, size_t *size,
			const struct gtrace_allocator *memory)
{
	*size = 0;
	for (;;) {
		ssize_t n;

		if (symbols->text_room - *size < READ_STEP) {
			size_t room = symbols->text_room * 2 + READ_STEP;
			char *text =
				memory->resize(memory->context, symbols->text,
					       symbols->text_room, room);

			if (text == NULL)
				return ENOMEM;
			symbols->text = text;
			symbols->text_room = room;
		}
		n = read(fd, symbols->text + *size, symbols->text_room - *size);
		if (n == 0)
			return 0;
		if (n > 0)
			*size += (size_t)n;
		else if (errno != EINTR)
			return errno;
	}
}

static enum gtrace_status ask(struct symbols *symbols, const char *go,
			      const char *binary, size_t *size,
			      const struct gtrace_allocator *memory,
			      struct gtrace_error *error)
{
	FILE *questions = write_questions(symbols);
	int answers[2], code;
	pid_t pid;

	if (questions == NULL)
		return fail_because(errno, "write to", error);
	if (pipe(answers) != 0) {
		code = errno;
		fclose(questions);
		return fail_because(code, "pipe", error);
	}
	code = start(&pid, go, binary, fileno(questions), answers[1]);
	close(answers[1]);
	fclose(questions);
	if (code != 0) {
		close(answers[0]);
		if (code == ENOENT && strchr(go, '/') == NULL)
			return gti_fail_system(
				error, GTRACE_ERROR_SYMBOLS, 0, code,
				"failed to start addr2line: exec: \"%s\": "
				"executable file not found in $PATH",
				go);
		return fail_because(code, "start", error);
	}
	code = read_answers(symbols, answers[0], size, memory);
	close(answers[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (code == ENOMEM)
		return gti_fail_memory(error);
	return code == 0 ? GTRACE_OK : fail_because(code, "read from", error);
}

/* The next line of the text, which ends at END. False: there is none. */
static bool next_line(char **at, char *end, struct gtrace_string *line)
{
	char *newline = memchr(*at, '\n', (size_t)(end - *at));

	if (newline == NULL)
		return false;
	line->data = *at;
	line->size = (size_t)(newline - *at);
	*newline = '\0';
	*at = newline + 1;
	return true;
}

/* Takes a line number off the end of a file's name, if there is one. */
static void split_line(struct symbol *symbol)
{
	const char *name = symbol->file.data;
	const char *digits;
	size_t colon = symbol->file.size;
	long long line;
	char *end;

	while (colon > 0 && name[colon - 1] != ':')
		colon--;
	if (colon == 0 || colon == symbol->file.size)
		return;
	digits = name + colon;
	if (strspn(digits + (*digits == '-' || *digits == '+'), "0123456789") +
		    (*digits == '-' || *digits == '+') !=
	    symbol->file.size - colon)
		return;
	errno = 0;
	line = strtoll(digits, &end, 10);
	if (errno != 0 || end == digits || *end != '\0')
		return;
	symbol->line = line;
	symbol->file.size = colon - 1;
}

enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error)
{
	enum gtrace_status status;
	size_t size = 0, i;
	char *at, *end;

	status = ask(symbols, go, binary, &size, memory, error);
	if (status != GTRACE_OK)
		return status;
	at = symbols->text;
	end = at + size;
	for (i = 0; i < symbols->pcs.count; i++) {
		struct symbol *symbol;

		if (!gti_array_reserve(&symbols->places, sizeof(*symbol),
				       memory))
			return gti_fail_memory(error);
		symbol = (struct symbol *)symbols->places.items + i;
		symbol->line = 0;
		if (!next_line(&at, end, &symbol->function) ||
		    !next_line(&at, end, &symbol->file))
			return gti_fail(error, GTRACE_ERROR_SYMBOLS, 0,
					"failed to read from addr2line: EOF");
		split_line(symbol);
		symbols->places.count++;
	}
	return GTRACE_OK;
}
