/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lately.h - the worst finding of the generations that ended in the last ten
 * seconds, and that of all.
 */
#ifndef GTRACE_TOOLS_LATELY_H_
#define GTRACE_TOOLS_LATELY_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* The first finding of a generation, if one stands out there. */
struct found {
	uint64_t number;  /* of the generation */
	int64_t from, to; /* see struct gtrace_generation */
	int64_t start;
	int64_t harm; /* for which it is ranked */
	char *text;   /* a sentence; NULL: none stands out */
};

/* Generations take about a second: of shorter ones, the least are left out. */
#define LATELY_MAX 64

/* Zero: nothing was found yet. To be freed by lately_free(). */
struct lately {
	/*
	 * Those that can be the worst one of the last ten seconds: each has
	 * less harm than those before it, which are over earlier.
	 */
	struct found recent[LATELY_MAX];
	size_t count;
	struct found worst; /* of all; its text is its own */
};

/* Takes what SUMMARY, of GENERATION, has found. */
void lately_take(struct lately *lately,
		 const struct gtrace_generation *generation,
		 const struct gtrace_summary *summary);

/* The worst finding of the last ten seconds. NULL: none stood out. */
const struct found *lately_recent(const struct lately *lately);

/* The worst finding of all. NULL: none stood out. */
const struct found *lately_worst(const struct lately *lately);

/*
 * The command that shows the generation of FOUND in the file NAME, as a shell
 * takes it, to be freed. NULL: NAME is, or has characters that a terminal must
 * not get, or there is no memory.
 */
char *lately_command(const struct found *found, const char *name);

void lately_free(struct lately *lately);

#endif /* GTRACE_TOOLS_LATELY_H_ */
