/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.h - two traces side by side: how lengths are distributed, and which
 * functions take more or less time.
 *
 * Traces are of different lengths, so what is compared of a function is its
 * time for each second of the trace.
 */
#ifndef GTRACE_REPORT_COMPARE_H_
#define GTRACE_REPORT_COMPARE_H_

#include <stdbool.h>

#include <gtrace/gtrace.h>

#include "base/memory.h"
#include "base/output.h"

/* One of the two traces. */
struct compared_amount {
	uint64_t count;
	int64_t sum;
	int64_t max;     /* -1: not known */
	int64_t rate;    /* sum for each second of the trace */
	int64_t off_cpu; /* as in struct gtrace_holder, in such a second */
};

/* A function in both. */
struct compared {
	struct gtrace_string function;
	struct gtrace_string file; /* and the line, of one of the traces */
	uint64_t line;
	enum gtrace_work work;
	const char *kind; /* of blocks, a constant; otherwise NULL */
	struct compared_amount before;
	struct compared_amount after;
	int64_t change; /* of the rate */
};

/* What is compared of functions. */
enum compared_list {
	COMPARED_SLICES,  /* those that end there */
	COMPARED_DELAYS,  /* how long these made others wait */
	COMPARED_HOLDERS, /* what stops waited for */
	COMPARED_BLOCKS,  /* of goroutines that were not at rest */
	COMPARED_LISTS
};

struct comparison {
	const struct gtrace_summary *before;
	const struct gtrace_summary *after;
	const char *names[2];               /* of the traces; NULL: none */
	struct array lists[COMPARED_LISTS]; /* struct compared */
};

/*
 * Compares the two summaries that COMPARISON has, the largest change first.
 * Returns false if there is no memory; to be freed anyway.
 */
bool gti_compare(struct comparison *comparison,
		 const struct gtrace_allocator *memory);

void gti_compare_free(struct comparison *comparison,
		      const struct gtrace_allocator *memory);

/* SUM in a trace of LENGTH, for each second of it. */
int64_t gti_compare_rate(int64_t sum, int64_t length);

/* Writes the comparison, with at most WANTED functions of each sort. */
void gti_text_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted);

#endif /* GTRACE_REPORT_COMPARE_H_ */
