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
#include "report/sentence.h"

/* One of the two traces. */
struct compared_amount {
	uint64_t count;
	int64_t sum;
	int64_t max;  /* -1: not known */
	int64_t rate; /* sum for each second of the trace */
};

/* A function in both. */
struct compared {
	struct gtrace_frame frame; /* the line is that of one of the traces */
	enum gtrace_work work;
	const char *kind; /* of blocks, findings: a constant; otherwise NULL */
	bool is_finding;  /* its function is told if it has one */
	struct compared_amount before;
	struct compared_amount after;
	int64_t change; /* of the rate */
};

/* What is compared of functions. */
enum compared_list {
	COMPARED_SLICES,   /* those that end there */
	COMPARED_DELAYS,   /* how long these made others wait */
	COMPARED_HOLDERS,  /* what stops waited for */
	COMPARED_BLOCKS,   /* of goroutines that were not at rest */
	COMPARED_FINDINGS, /* by kind and function */
	COMPARED_LISTS
};

/*
 * In both traces, before and after, a number of slices, waits, stops or times
 * without an event, in thousandths for each second; or of these a time in
 * nanoseconds, less than 0 if there is none.
 */
struct compared_length {
	const char *label; /* of a time it begins with a space */
	int64_t values[2];
};

#define COMPARED_LENGTHS 21

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

/*
 * Sets LENGTHS to those of both traces, and returns how many they are: those of
 * times without an event come last, and are left out if neither has any.
 */
size_t gti_compare_lengths(const struct comparison *comparison,
			   struct compared_length lengths[COMPARED_LENGTHS]);

/* How many of LIST change, which come first, but at most WANTED. */
size_t gti_compare_changed(const struct array *list, size_t wanted);

/* Writes the comparison, with at most WANTED functions of each sort. */
void gti_text_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted);
void gti_html_comparison(struct writer *writer,
			 const struct comparison *comparison, size_t wanted);

/* ------------------------------------------------------------- sentences -- */

/*
 * Adds what became of the first finding of the old trace, or how the new one
 * is. Returns false, and adds nothing, if neither is of a function.
 */
bool gti_say_outcome(struct sentence *to, const struct comparison *comparison);

/* The change of LENGTH in percent, or how many times as much it is. */
void gti_say_change(struct sentence *to, const struct compared_length *length);

/* RATE is a number in thousandths. */
void gti_say_rate(struct sentence *to, int64_t rate);

/* What COMPARED is called, and where it is. */
void gti_say_compared(struct sentence *to, const struct compared *compared);

#endif /* GTRACE_REPORT_COMPARE_H_ */
