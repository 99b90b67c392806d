/* SPDX-License-Identifier: BSD-3-Clause */
/* symbols.c - functions and lines, as `go tool addr2line` answers. */
#define _POSIX_C_SOURCE 200809L

#include "v1/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/*
 * The command failed, or printed too few answers if IS_SHORT.
 */
static enum gtrace_status fail_ended(const struct command_end *ending,
				     bool is_short, struct gtrace_error *error)
{
	const char *how = ending->by_signal ? "signal" : "exit status";
	int number = ending->number;

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

static enum gtrace_status take_answers(struct symbols *symbols,
				       const struct command_end *ending,
				       struct gtrace_error *error)
{
	const char *at = (const char *)symbols->answers.data;
	const char *end = at + symbols->answers.size;
	struct symbol *list = symbols->list.items;
	size_t i;

	for (i = 0; i < symbols->list.count; i++) {
		if (!next_line(&at, end, &list[i].function) ||
		    !next_line(&at, end, &list[i].file))
			return fail_ended(ending, true, error);
		split_line(&list[i]);
	}
	if (ending->number != 0)
		return fail_ended(ending, false, error);
	return GTRACE_OK;
}

enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error)
{
	struct command_end ending = {false, 0};
	enum gtrace_status status =
		gti_addr2line(go, binary, symbols, &ending, memory, error);

	if (status == GTRACE_OK)
		status = take_answers(symbols, &ending, error);
	return status;
}
