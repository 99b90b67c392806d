/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lists.h - the lists that reports consist of, each beside its text. They are
 * written in the order of base/reports.h.
 */
#ifndef GTRACE_REPORT_LISTS_H_
#define GTRACE_REPORT_LISTS_H_

#include "base/reports.h"
#include "report/text.h"

/* Writes REPORT of one trace as JSON or CSV. */
typedef void report_lines(const struct line *line, const void *report);

/*
 * A list of a report, or all of a report that is written trace by trace.
 * Members of structs are given by their offsets.
 */
struct list {
	const struct field *fields; /* NULL: the report has no more lists */
	size_t report;              /* in struct gtrace_reports */
	/* Trace by trace: its text and its lines. NULL: it is one list of all.
	 */
	sums_text *each_text;
	report_lines *each_lines;
	bool each_rounds; /* times of its short text are rounded */
	/* In the report: pointers to what is listed. */
	size_t items;
	size_t count;
	size_t keys[2];  /* in an item */
	size_t cpu_key;  /* in place of the first with by_cpu; 0: none */
	item_text *text; /* NULL: none */
	item_text *brief;
	/*
	 * What comes before it in text: of each report, and of all, a format of
	 * how many there are, and what these are. NULL: nothing.
	 */
	sums_text *sums;
	const char *head;
	const char *counted;
	/* In short: the head of no item, of one, of so many; NULL: none. */
	const char *heads[3];
	sums_text *brief_sums; /* NULL: sums, with rounded times */
	/*
	 * In the report, uint64_t: the head is about so many, and left out if
	 * there are none; 0: about those that are listed.
	 */
	size_t head_count;
	bool whole; /* JSON and CSV have all items */
};

#define LIST_REPORT(name) .report = offsetof(struct gtrace_reports, name)
#define LIST_ITEMS(type, list, number)                                         \
	.items = offsetof(struct type, list),                                  \
	.count = offsetof(struct type, number)
#define LIST_KEYS(type, first, second)                                         \
	.keys = {offsetof(struct type, first), offsetof(struct type, second)}

#define LISTS_OF(NAME, name, ...) extern const struct list gti_##name##_lists[];
REPORTS(LISTS_OF)
#undef LISTS_OF

/* Writes the COUNT structs of SIZE at ITEMS as lines. */
void gti_write_lines(const struct line *line, const struct field *fields,
		     const void *items, size_t count, size_t size);

#endif /* GTRACE_REPORT_LISTS_H_ */
