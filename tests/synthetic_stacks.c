/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synthetic_stacks.c - the dictionary of a synthetic trace: a few hundred
 * stacks of 5 to 20 frames, in the functions of a made-up server.
 */
#include <stdio.h>

#include "synthetic_writer.h"

#define FUNCTIONS  400
#define FILES      40
#define FRAMES_MIN 5
#define FRAMES_MAX 20

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const packages[] = {
	"main",
	"net/http",
	"example.com/server/handler",
	"example.com/server/internal/storage",
	"encoding/json",
	"database/sql",
	"sync",
	"bufio",
};

static const char *const types[] = {"(*Conn)", "(*Pool)", "(*Decoder)",
				    "Handler", "(*cache)"};

static const char *const methods[] = {"serve", "Do",   "readLoop", "Wait",
				      "flush", "Lock", "acquire"};

static void function_name(char *name, size_t size, unsigned i)
{
	const char *package = packages[i % COUNT(packages)];
	const char *type = types[i / 3 % COUNT(types)];
	const char *method = methods[i / 7 % COUNT(methods)];

	if (i % 4 == 0)
		snprintf(name, size, "%s.%s%u", package, method, i);
	else
		snprintf(name, size, "%s.%s.%s.func%u", package, type, method,
			 i);
}

static void write_strings(struct builder *b)
{
	char name[128];
	unsigned i;

	for (i = 0; i < FUNCTIONS; i++) {
		function_name(name, sizeof(name), i);
		builder_string(b, STRING_FUNCTIONS + i, name);
	}
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/usr/src/%s/file%u.go",
			 packages[i % COUNT(packages)], i);
		builder_string(b, STRING_FUNCTIONS + FUNCTIONS + i, name);
	}
}

/* The next of a sequence that is good enough to choose frames with. */
static unsigned next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33);
}

static void write_stack(struct builder *b, uint64_t id, uint64_t *state)
{
	struct builder_frame frames[FRAMES_MAX];
	unsigned count =
		FRAMES_MIN + next(state) % (FRAMES_MAX - FRAMES_MIN + 1);
	unsigned i, function;

	for (i = 0; i < count; i++) {
		function = next(state) % FUNCTIONS;
		frames[i] = (struct builder_frame){
			.pc = 0x400000 + function * 0x200 + next(state) % 0x200,
			.function = STRING_FUNCTIONS + function,
			.file = STRING_FUNCTIONS + FUNCTIONS + function % FILES,
			.line = 1 + next(state) % 2000,
		};
	}
	builder_stack(b, id, frames, count);
}

void synthetic_stacks(struct builder *b, uint64_t seed)
{
	uint64_t state = seed;
	uint64_t id;

	/* Before 1007 stacks are program counters and there are no strings. */
	if (b->version >= 1007)
		write_strings(b);
	for (id = 1; id <= SYNTHETIC_STACKS; id++)
		write_stack(b, id, &state);
}
