/* SPDX-License-Identifier: BSD-3-Clause */
/* fail.c - filling in struct gtrace_error. */
#define _POSIX_C_SOURCE 200809L

#include "base/fail.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum gtrace_status gti_fail(struct gtrace_error *error,
			    enum gtrace_status status, uint64_t offset,
			    const char *format, ...)
{
	static const char cut[] = "...";
	va_list list;
	int length;

	if (error == NULL)
		return status;
	error->status = status;
	error->system_error = 0;
	error->offset = offset;
	va_start(list, format);
	length =
		vsnprintf(error->message, sizeof(error->message), format, list);
	va_end(list);
	if (length >= (int)sizeof(error->message))
		memcpy(error->message + sizeof(error->message) - sizeof(cut),
		       cut, sizeof(cut));
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

/* Writes the message for errno CODE to the SIZE bytes at BUFFER. */
static void write_reason(int code, char *buffer, size_t size)
{
	if (!ERROR_TEXT(strerror_r(code, buffer, size), buffer, size))
		snprintf(buffer, size, "errno %d", code);
	/* Go writes these in lower case: "no such file or directory". */
	if (isupper((unsigned char)buffer[0]) &&
	    !isupper((unsigned char)buffer[1]))
		buffer[0] = (char)tolower((unsigned char)buffer[0]);
}

enum gtrace_status gti_fail_system(struct gtrace_error *error,
				   enum gtrace_status status, uint64_t offset,
				   int code, const char *format, ...)
{
	char what[GTRACE_MESSAGE_SIZE], reason[128];
	va_list list;

	if (error == NULL)
		return status;
	va_start(list, format);
	vsnprintf(what, sizeof(what), format, list);
	va_end(list);
	write_reason(code, reason, sizeof(reason));
	gti_fail(error, status, offset, "%s: %s", what, reason);
	error->system_error = code;
	return status;
}
