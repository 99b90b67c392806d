/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - the files of one trace, one for each table. */
#include "tables/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tables/csv.h"
#include "tables/parquet.h"
#include "tables/place.h"

struct files {
	char hash[SHA256_DIGITS + 1];
	bool is_csv;
	struct file {
		struct place place;
		struct parquet *parquet; /* NULL: it is CSV */
	} files[TABLE_COUNT];
	struct bytes scratch;
	bool is_stuck;     /* a row could not be added */
	int error;         /* errno of what failed first; 0: nothing */
	enum table failed; /* and in which table */
};

/* ------------------------------------------------------------------ path -- */

static void add_text(struct bytes *to, const char *text)
{
	bytes_add(to, text, strlen(text));
}

/* Adds the folder of LABEL. Readers of folders expect % before other bytes. */
static void add_label(struct bytes *to, const struct tables_label *label)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.-",
			  digits[] = "0123456789ABCDEF";
	const char *at;
	unsigned byte;

	add_text(to, "/");
	add_text(to, label->name);
	add_text(to, "=");
	for (at = label->value; *at != '\0'; at++) {
		byte = (unsigned char)*at;
		if (strchr(plain, *at) != NULL) {
			bytes_add_byte(to, byte);
			continue;
		}
		bytes_add_byte(to, '%');
		bytes_add_byte(to, (unsigned char)digits[byte >> 4]);
		bytes_add_byte(to, (unsigned char)digits[byte & 15]);
	}
}

char *files_path(const struct tables_request *request, enum table table,
		 const char *hash)
{
	struct bytes path = {0};
	size_t i;

	add_text(&path, request->folder);
	add_text(&path, "/");
	add_text(&path, rows_tables[table].name);
	for (i = 0; i < request->label_count; i++)
		add_label(&path, &request->labels[i]);
	add_text(&path, "/");
	add_text(&path, hash);
	add_text(&path, request->is_csv ? ".csv" : ".parquet");
	bytes_add_byte(&path, '\0');
	if (path.failed) {
		bytes_free(&path);
		return NULL;
	}
	return (char *)path.data;
}

/* ------------------------------------------------------------------ files --
 */

static void fail(struct files *files, enum table table, int code)
{
	if (files->error != 0 || code == 0)
		return;
	files->error = code;
	files->failed = table;
}

static void open_table(struct files *files,
		       const struct tables_request *request, enum table table)
{
	struct file *file = &files->files[table];
	char *path = files_path(request, table, files->hash);

	fail(files, table,
	     path != NULL ? place_open(&file->place, path) : ENOMEM);
	free(path);
	if (files->error != 0)
		return;
	if (files->is_csv) {
		csv_begin(file->place.file, &rows_tables[table]);
		return;
	}
	file->parquet = parquet_open(file->place.file, &rows_tables[table]);
	if (file->parquet == NULL)
		fail(files, table, ENOMEM);
}

struct files *files_open(const struct tables_request *request, const char *hash,
			 struct gtrace_error *error)
{
	struct files *files = calloc(1, sizeof(*files));
	unsigned table;

	if (files == NULL) {
		*error = (struct gtrace_error){.status = GTRACE_ERROR_MEMORY,
					       .message = "out of memory"};
		return NULL;
	}
	memcpy(files->hash, hash, sizeof(files->hash));
	files->is_csv = request->is_csv;
	for (table = 0; table < TABLE_COUNT && files->error == 0; table++)
		open_table(files, request, table);
	if (files->error == 0)
		return files;
	files_close(files, false, error);
	return NULL;
}

void files_add(struct files *files, enum table table, void *row)
{
	const struct columns *columns = &rows_tables[table];
	struct file *file = &files->files[table];

	/* The first column of each table. */
	*(struct gtrace_string *)row =
		(struct gtrace_string){files->hash, SHA256_DIGITS};
	if (file->parquet != NULL) {
		parquet_add(file->parquet, row);
		files->is_stuck |= parquet_failed(file->parquet);
		return;
	}
	csv_add(file->place.file, columns, row, &files->scratch);
	files->is_stuck |= ferror(file->place.file) != 0;
}

bool files_failed(const struct files *files)
{
	return files->is_stuck || files->scratch.failed;
}

/* Ends what is written of TABLE. */
static void end_table(struct files *files, enum table table)
{
	struct file *file = &files->files[table];

	if (file->parquet != NULL)
		fail(files, table, parquet_close(file->parquet));
	file->parquet = NULL;
	if (file->place.file != NULL)
		fail(files, table, place_end(&file->place));
}

static enum gtrace_status describe(const struct files *files,
				   struct gtrace_error *error)
{
	if (files->error == 0)
		return GTRACE_OK;
	*error = (struct gtrace_error){
		.status = files->error == ENOMEM ? GTRACE_ERROR_MEMORY
						 : GTRACE_ERROR_WRITE,
		.system_error = files->error,
	};
	snprintf(error->message, sizeof(error->message),
		 "failed to write table %s: %s",
		 rows_tables[files->failed].name, strerror(files->error));
	return error->status;
}

enum gtrace_status files_close(struct files *files, bool keep,
			       struct gtrace_error *error)
{
	enum gtrace_status status;
	unsigned table;

	for (table = 0; table < TABLE_COUNT; table++)
		end_table(files, table);
	fail(files, 0, files->scratch.failed ? ENOMEM : 0);
	/* The table of traces is last: a trace that is in it is in all. */
	for (table = TABLE_COUNT; keep && files->error == 0 && table > 0;
	     table--)
		fail(files, table - 1,
		     place_keep(&files->files[table - 1].place));
	for (table = 0; table < TABLE_COUNT; table++)
		place_free(&files->files[table].place);
	status = describe(files, error);
	bytes_free(&files->scratch);
	free(files);
	return status;
}
