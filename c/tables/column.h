/* SPDX-License-Identifier: BSD-3-Clause */
/* column.h - what tables consist of. */
#ifndef GTRACE_TABLES_COLUMN_H_
#define GTRACE_TABLES_COLUMN_H_

#include <stddef.h>
#include <stdint.h>

#include <gtrace/gtrace.h>

/* What a column holds, and the type of its member in the struct of a row. */
enum column_type {
	COLUMN_INT,   /* int64_t */
	COLUMN_ID,    /* int64_t, of which few differ */
	COLUMN_TIME,  /* int64_t: microseconds since 1970 in UTC */
	COLUMN_TRUTH, /* int64_t: 0 is false, others are true */
	COLUMN_TEXT   /* struct gtrace_string; data NULL: no value */
};

/* No value, of a number. */
#define COLUMN_NONE INT64_MIN

struct column {
	const char *name;
	enum column_type type;
	size_t offset; /* in the struct of a row */
};

/* A kind of table. Each row has a value or none for each column. */
struct columns {
	const char *name;
	const struct column *columns;
	size_t count;
};

static inline int64_t column_number(const struct column *column,
				    const void *row)
{
	return *(const int64_t *)(const void *)((const char *)row +
						column->offset);
}

static inline struct gtrace_string column_text(const struct column *column,
					       const void *row)
{
	return *(const struct gtrace_string *)(const void *)((const char *)row +
							     column->offset);
}

#endif /* GTRACE_TABLES_COLUMN_H_ */
