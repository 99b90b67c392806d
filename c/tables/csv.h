/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h - writes a table as CSV (RFC 4180), with a header. */
#ifndef GTRACE_TABLES_CSV_H_
#define GTRACE_TABLES_CSV_H_

#include <stdio.h>

#include "tables/bytes.h"
#include "tables/column.h"

/* Writes the names of COLUMNS. Errors are those of FILE. */
void csv_begin(FILE *file, const struct columns *columns);

/*
 * Writes ROW, a struct of the table. Where there is no value nothing is
 * written; a text that is empty is "". SCRATCH is for texts, see clean.h.
 */
void csv_add(FILE *file, const struct columns *columns, const void *row,
	     struct bytes *scratch);

#endif /* GTRACE_TABLES_CSV_H_ */
