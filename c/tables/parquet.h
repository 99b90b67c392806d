/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parquet.h - writes a Parquet file of flat columns.
 *
 * A file is groups of rows, and a footer that says where they are. A group has
 * a chunk for each column: numbers in one page, as differences; texts in two,
 * the distinct ones and the number of each. It holds what memory holds of the
 * table: PARQUET_ROWS rows, or less if their texts take much.
 */
#ifndef GTRACE_TABLES_PARQUET_H_
#define GTRACE_TABLES_PARQUET_H_

#include <stdbool.h>
#include <stdio.h>

#include "tables/column.h"

/* Rows of a group, and bytes of the distinct texts of one of its columns. */
#define PARQUET_ROWS       65536
#define PARQUET_TEXT_BYTES (4 << 20)

struct parquet;

/*
 * Begins a table of COLUMNS, which must outlive it, in FILE, which stays the
 * caller's. Returns NULL if there is no memory.
 */
struct parquet *parquet_open(FILE *file, const struct columns *columns);

/* Adds ROW, a struct of the table. Its texts can be any bytes, see clean.h. */
void parquet_add(struct parquet *parquet, const void *row);

/* Whether something failed: what is added then is not written. */
bool parquet_failed(const struct parquet *parquet);

/*
 * Writes what is left and the footer, and frees PARQUET. Returns 0, or the
 * errno value of what failed.
 */
int parquet_close(struct parquet *parquet);

#endif /* GTRACE_TABLES_PARQUET_H_ */
