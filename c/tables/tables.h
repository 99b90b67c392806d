/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h - what is known of traces as tables, for engines that read Parquet.
 *
 * Of each trace each table has a file,
 * FOLDER/TABLE/LABEL=VALUE/.../HASH.parquet with the SHA-256 of the trace. Its
 * bytes depend on the trace and its name alone.
 */
#ifndef GTRACE_TABLES_TABLES_H_
#define GTRACE_TABLES_TABLES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tables/rows.h"
#include "tables/sha256.h"

/* What the traces have in common, such as the host that they are from. */
struct tables_label {
	const char *name; /* as tables_may_label() allows */
	const char *value;
};

struct tables_request {
	const char *folder;
	const struct tables_label *labels;
	size_t label_count;
	bool is_csv; /* in place of Parquet */
};

/* The trace that tables are about. */
struct tables_trace {
	struct gtrace *trace;
	const char *name;             /* what table traces has as its name */
	char hash[SHA256_DIGITS + 1]; /* the SHA-256 of its content */
};

/*
 * Whether a label can have the name: letters, digits and _, no digit first, and
 * no column of a table.
 */
bool tables_may_label(const char *name);

/*
 * Sets HASH to the SHA-256 of FILE from where it is on, up to its end. Returns
 * 0, or the errno value of what failed.
 */
int tables_hash(FILE *file, char hash[SHA256_DIGITS + 1]);

/* Whether all files of the trace with HASH are there. */
bool tables_are_there(const struct tables_request *request, const char *hash);

/*
 * Writes the tables of TRACE. On failure no file is new, unless files could not
 * be renamed. Threads may write different traces, or one, at the same time.
 *
 * Errors: those of gtrace_analyse(), and GTRACE_ERROR_WRITE.
 */
enum gtrace_status tables_write(const struct tables_request *request,
				const struct tables_trace *trace,
				struct gtrace_error *error);

#endif /* GTRACE_TABLES_TABLES_H_ */
