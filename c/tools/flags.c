/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.c - command line flags as Go's flag package takes them, and its words.
 */
#include "tools/flags.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct flag *find(const struct flag *flags, const char *name,
			       size_t size)
{
	for (; flags->name != NULL; flags++)
		if (strlen(flags->name) == size &&
		    memcmp(flags->name, name, size) == 0)
			return flags;
	return NULL;
}

static bool parse_boolean(const char *text, bool *value)
{
	static const char *const words[] = {"1",    "t",     "T",     "true",
					    "TRUE", "True",  "0",     "f",
					    "F",    "false", "FALSE", "False"};
	size_t count = sizeof(words) / sizeof(words[0]), i;

	for (i = 0; i < count; i++)
		if (strcmp(text, words[i]) == 0) {
			*value = i < count / 2;
			return true;
		}
	return false;
}

/* Decimal, octal with 0, hexadecimal with 0x. Returns what is wrong. */
static const char *parse_number(const char *text, int64_t *value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	long long number;
	char *end;

	if (!isdigit((unsigned char)*digits))
		return "invalid syntax";
	errno = 0;
	number = strtoll(text, &end, 0);
	if (*end != '\0')
		return "invalid syntax";
	if (errno == ERANGE)
		return "value out of range";
	*value = number;
	return NULL;
}

static bool set(const struct flag *flag, const char *text, char *message)
{
	const char *wrong;

	if (flag->boolean != NULL) {
		if (parse_boolean(text, flag->boolean))
			return true;
		snprintf(message, FLAGS_MESSAGE_SIZE,
			 "invalid boolean value \"%.60s\" for -%s: "
			 "strconv.ParseBool: parsing \"%.60s\": invalid "
			 "syntax",
			 text, flag->name, text);
		return false;
	}
	wrong = parse_number(text, flag->number);
	if (wrong == NULL)
		return true;
	snprintf(message, FLAGS_MESSAGE_SIZE,
		 "invalid value \"%.60s\" for flag -%s: strconv.ParseInt: "
		 "parsing \"%.60s\": %s",
		 text, flag->name, text, wrong);
	return false;
}

int flags_parse(const struct flag *flags, int count, char **arguments,
		char message[FLAGS_MESSAGE_SIZE])
{
	int i;

	for (i = 1; i < count; i++) {
		const char *name = arguments[i];
		const struct flag *flag;
		const char *value;
		size_t size;

		if (name[0] != '-' || name[1] == '\0')
			return i;
		if (strcmp(name, "--") == 0)
			return i + 1;
		name += name[1] == '-' ? 2 : 1;
		size = strcspn(name, "=");
		if (size == 0 || name[0] == '-') {
			snprintf(message, FLAGS_MESSAGE_SIZE,
				 "bad flag syntax: %.99s", arguments[i]);
			return -1;
		}
		flag = find(flags, name, size);
		if (flag == NULL) {
			snprintf(message, FLAGS_MESSAGE_SIZE,
				 "flag provided but not defined: -%.*s",
				 (int)(size > 99 ? 99 : size), name);
			return -1;
		}
		if (name[size] == '=') {
			value = name + size + 1;
		} else if (flag->boolean != NULL) {
			value = "true";
		} else if (i + 1 < count) {
			value = arguments[++i];
		} else {
			snprintf(message, FLAGS_MESSAGE_SIZE,
				 "flag needs an argument: -%s", flag->name);
			return -1;
		}
		if (!set(flag, value, message))
			return -1;
	}
	return i;
}
