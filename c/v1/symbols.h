/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h - functions and lines of program counters. Traces of Go 1.5 and 1.6
 * do not have them; `go tool addr2line` looks them up in the traced program.
 */
#ifndef GTRACE_V1_SYMBOLS_H_
#define GTRACE_V1_SYMBOLS_H_

#include "base/map.h"
#include "base/memory.h"
#include "v1/addr2line.h"

/* Zero is the empty table. */
struct symbols {
	struct map number_of; /* program counter to its number */
	struct array pcs;     /* uint64_t */
	struct array places;  /* struct symbol, by number */
	struct answers answers;
};

struct symbol {
	struct gtrace_string function;
	struct gtrace_string file;
	int64_t line;
};

/* Adds PC to the table. Returns false if there is no memory. */
bool gti_symbols_want(struct symbols *symbols, uint64_t pc,
		      const struct gtrace_allocator *memory);

/*
 * Looks up all program counters, by running the command GO on the file BINARY.
 * To be called once. On failure the caller frees the table. Errors:
 * GTRACE_ERROR_SYMBOLS, _MEMORY.
 */
enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error);

/* Returns PC's symbol, valid until the table is freed. NULL: unknown. */
const struct symbol *gti_symbols_get(const struct symbols *symbols,
				     uint64_t pc);

void gti_symbols_free(struct symbols *symbols,
		      const struct gtrace_allocator *memory);

#endif /* GTRACE_V1_SYMBOLS_H_ */
