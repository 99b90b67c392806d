/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.c - checks regular expressions of the command line. */
#define _POSIX_C_SOURCE 200809L

#include "tools/expression.h"

#include <regex.h>
#include <string.h>

#include "tools/settings.h"

/* Writes how EXPRESSION is written if it is a name, in SIZE bytes at TO. */
static void write_escaped(const char *expression, char *to, size_t size)
{
	for (; *expression != '\0' && size > 2; expression++, size--) {
		if (strchr("\\.*+?()[]{}|^$", *expression) != NULL) {
			*to++ = '\\';
			size--;
		}
		*to++ = *expression;
	}
	*to = '\0';
}

void expression_check(const char *name, const char *expression)
{
	char message[128], escaped[512];
	regex_t compiled;
	int code;

	if (expression == NULL)
		return;
	code = regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB);
	if (code == 0) {
		regfree(&compiled);
		return;
	}
	regerror(code, &compiled, message, sizeof(message));
	/* The name of a method. */
	if (strstr(expression, "(*") != NULL) {
		write_escaped(expression, escaped, sizeof(escaped));
		help_wrong(EXIT_BAD_USAGE, "-%s=%s: %s: as a name it is '%s'",
			   name, expression, message, escaped);
	}
	help_wrong(EXIT_BAD_USAGE, "-%s=%s: %s", name, expression, message);
}
