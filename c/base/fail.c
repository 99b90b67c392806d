/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.c - filling in struct gtrace_error. */
#define _POSIX_C_SOURCE 200809L

#include "base/fail.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void fill(struct gtrace_error *error, enum gtrace_status status,
		 uint64_t offset, int code, const char *format, va_list list)
	PRINTF_LIKE(5, 0);

static void fill(struct gtrace_error *error, enum gtrace_status status,
		 uint64_t offset, int code, const char *format, va_list list)
{
	static const char cut[] = "...";
	int length;

	error->status = status;
	error->system_error = code;
	error->offset = offset;
	length =
		vsnprintf(error->message, sizeof(error->message), format, list);
	if (length >= (int)sizeof(error->message))
		memcpy(error->message + sizeof(error->message) - sizeof(cut),
		       cut, sizeof(cut));
}

enum gtrace_status gti_fail(struct gtrace_error *error,
			    enum gtrace_status status, uint64_t offset,
			    const char *format, ...)
{
	va_list list;

	if (error != NULL) {
		va_start(list, format);
		fill(error, status, offset, 0, format, list);
		va_end(list);
	}
	return status;
}

enum gtrace_status gti_fail_system(struct gtrace_error *error,
				   enum gtrace_status status, uint64_t offset,
				   int code, const char *format, ...)
{
	va_list list;

	if (error != NULL) {
		va_start(list, format);
		fill(error, status, offset, code, format, list);
		va_end(list);
	}
	return status;
}

enum gtrace_status gti_fail_memory(struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_MEMORY, 0, "out of memory");
}

/*
 * What strerror_r() returns is a status in POSIX, and the text, which need not
 * be in the buffer, if the GNU system headers are asked for all they have.
 */
static bool posix_text(int status, char *buffer, size_t size)
{
	(void)buffer;
	(void)size;
	return status == 0;
}

static bool gnu_text(const char *text, char *buffer, size_t size)
{
	if (text != buffer)
		snprintf(buffer, size, "%s", text);
	return true;
}

#define ERROR_TEXT(result, buffer, size)                                       \
	_Generic((result), int : posix_text, char * : gnu_text)(result,        \
								buffer, size)

const char *gti_errno_text(int code, char *buffer, size_t size)
{
	if (!ERROR_TEXT(strerror_r(code, buffer, size), buffer, size))
		snprintf(buffer, size, "errno %d", code);
	/* Go writes these in lower case: "no such file or directory". */
	if (isupper((unsigned char)buffer[0]) &&
	    !isupper((unsigned char)buffer[1]))
		buffer[0] = (char)tolower((unsigned char)buffer[0]);
	return buffer;
}
