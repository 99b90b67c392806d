/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - writes the report in one HTML file. */
#define _POSIX_C_SOURCE 200809L

#include "tools/page.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/errors.h"

/* The file is opened when there is something to write. */
struct page_file {
	const char *name;
	FILE *file;
};

static int write_page(void *context, const void *data, size_t size)
{
	struct page_file *page = context;

	if (page->file == NULL)
		page->file = fopen(page->name, "wb");
	if (page->file == NULL)
		return errno;
	return fwrite(data, 1, size, page->file) == size ? 0 : errno;
}

/* Sets ERROR to what CODE says of the file NAME. */
static enum gtrace_status fail(struct gtrace_error *error, const char *name,
			       int code)
{
	*error = (struct gtrace_error){.status = GTRACE_ERROR_WRITE,
				       .system_error = code};
	snprintf(error->message, sizeof(error->message), "%s: %s", name,
		 error_text_of(code).text);
	return error->status;
}

/* Whether the page goes to a file that may be removed, and not to a device. */
static bool is_regular_file(const struct page_file *page)
{
	struct stat status;

	return page->file != NULL && fstat(fileno(page->file), &status) == 0 &&
	       S_ISREG(status.st_mode);
}

/* Closes the file, and removes it if it is not whole. */
static enum gtrace_status finish(struct page_file *page,
				 enum gtrace_status status,
				 struct gtrace_error *error)
{
	int code = status == GTRACE_ERROR_WRITE ? error->system_error : 0;
	bool is_regular = is_regular_file(page);

	if (page->file != NULL && fclose(page->file) != 0 && code == 0)
		code = errno;
	if (code == 0)
		return status;
	if (is_regular)
		remove(page->name);
	return fail(error, page->name, code);
}

enum gtrace_status page_print(struct gtrace *trace,
			      const struct gtrace_request *request,
			      const struct settings *settings,
			      struct gtrace_error *error)
{
	struct page_file page = {.name = settings->page};
	struct gtrace_output output = {.size = sizeof(output),
				       .write = write_page,
				       .context = &page,
				       .fd = STDOUT_FILENO};
	bool to_stdout = strcmp(settings->page, "-") == 0;
	enum gtrace_status status;

	if (to_stdout)
		output.write = NULL;
	status = gtrace_print(trace, request, &output, error);
	return to_stdout ? status : finish(&page, status, error);
}
