/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - the columns of the tables. */
#include "tables/rows.h"

#define COLUMN_OF(row, type, name)                                             \
	{#name, COLUMN_##type, offsetof(struct row, name)},
#define ARRAY_OF(NAME, name)                                                   \
	static const struct column name##_columns[] = {                        \
		NAME##_COLUMNS(COLUMN_OF, name##_row)};
#define TABLE_OF(NAME, name)                                                   \
	[TABLE_##NAME] = {                                                     \
		#name,                                                         \
		name##_columns,                                                \
		sizeof(name##_columns) / sizeof(name##_columns[0]),            \
	},

TABLES(ARRAY_OF)

const struct columns rows_tables[TABLE_COUNT] = {TABLES(TABLE_OF)};
