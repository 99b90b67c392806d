/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symbols.h - functions and lines for program counters, which Go 1.5 and 1.6
 * traces leave to the binary: `go tool addr2line` is asked for them.
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

/* Wants PC named. Returns false if there is no memory. */
bool gti_symbols_want(struct symbols *symbols, uint64_t pc,
		      const struct gtrace_allocator *memory);

/*
 * Names all that is wanted, by running the command GO on the file BINARY. Done
 * once; free the table if it fails. Errors: GTRACE_ERROR_SYMBOLS, _MEMORY.
 */
enum gtrace_status gti_symbols_resolve(struct symbols *symbols, const char *go,
				       const char *binary,
				       const struct gtrace_allocator *memory,
				       struct gtrace_error *error);

/* What PC was named. Texts live until the table is freed. NULL: unknown. */
const struct symbol *gti_symbols_get(const struct symbols *symbols,
				     uint64_t pc);

void gti_symbols_free(struct symbols *symbols,
		      const struct gtrace_allocator *memory);

#endif /* GTRACE_V1_SYMBOLS_H_ */
