/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h - functions and lines of program counters. Traces of Go 1.5 and 1.6
 * do not have them; `go tool addr2line` looks them up in the traced program.
 */
#ifndef GTRACE_V1_SYMBOLS_H_
#define GTRACE_V1_SYMBOLS_H_

#include "base/input.h"
#include "base/map.h"
#include "base/memory.h"

struct symbol {
	uint64_t pc;
	struct gtrace_string function;
	struct gtrace_string file;
	uint64_t line;
};

/* Zero is the empty table. */
struct symbols {
	struct array list;    /* struct symbol */
	struct map number_of; /* program counter to number in the list */
	struct input answers; /* what the command printed: their texts */
};

/* Adds PC to the table. Returns false if there is no memory. */
bool gti_symbols_want(struct symbols *symbols, uint64_t pc,
		      const struct gtrace_allocator *memory);

/*
 * Looks up all program counters, by running the command GO on the file BINARY.
 * A program counter is the return address of a call, so the address before it
 * is looked up. To be called once. On failure the caller frees the table.
 * Errors: GTRACE_ERROR_SYMBOLS, _READ, _MEMORY.
 */
enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error);

/*
 * Returns PC's symbol, valid until the table is freed. NULL: it was not looked
 * up. Call it after gti_symbols_resolve().
 */
const struct symbol *gti_symbols_get(const struct symbols *symbols,
				     uint64_t pc);

void gti_symbols_free(struct symbols *symbols,
		      const struct gtrace_allocator *memory);

#endif /* GTRACE_V1_SYMBOLS_H_ */
