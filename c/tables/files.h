/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h - the files of one trace, one for each table. */
#ifndef GTRACE_TABLES_FILES_H_
#define GTRACE_TABLES_FILES_H_

#include "tables/bytes.h"
#include "tables/tables.h"

struct files;

/* Returns the path of the file of TABLE, to be freed; NULL: no memory. */
char *files_path(const struct tables_request *request, enum table table,
		 const char *hash);

/*
 * Begins the files of the trace with HASH. Returns NULL on failure, which is
 * GTRACE_ERROR_MEMORY or _WRITE.
 */
struct files *files_open(const struct tables_request *request, const char *hash,
			 struct gtrace_error *error);

/* Adds ROW, a struct of TABLE, the trace of which is set here. */
void files_add(struct files *files, enum table table, void *row);

/* Whether there is something that cannot be written. */
bool files_failed(const struct files *files);

/*
 * Ends the files: they get their names, if KEEP is true and nothing failed;
 * else there are none. Frees FILES.
 */
enum gtrace_status files_close(struct files *files, bool keep,
			       struct gtrace_error *error);

#endif /* GTRACE_TABLES_FILES_H_ */
