/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.c - command line flags, and their errors, as in Go's flag package. */
#include "tools/flags.h"

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

static const char bad_syntax[] = "invalid syntax";
static const char out_of_range[] = "value out of range";

/* Returns what C is worth as a digit of any base, or 36. */
static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'z')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'Z')
		return (unsigned)(c - 'A') + 10;
	return 36;
}

/*
 * Reads decimal, octal with 0, hexadecimal with 0x. Returns what is wrong, as
 * Go 1.8 words it: of several things the leftmost one.
 */
static const char *parse_unsigned(const char *text, uint64_t *value)
{
	unsigned base = 10, digit;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (text[0] == '0' && text[1] != '\0') {
		base = 8;
		text++;
	}
	if (*text == '\0')
		return bad_syntax;
	for (*value = 0; *text != '\0'; text++) {
		digit = digit_of(*text);
		if (digit >= base)
			return bad_syntax;
		if (*value > (UINT64_MAX - digit) / base)
			return out_of_range;
		*value = *value * base + digit;
	}
	return NULL;
}

/* The same with a sign. */
static const char *parse_number(const char *text, int64_t *value)
{
	bool negative = *text == '-';
	const char *wrong;
	uint64_t size;

	wrong = parse_unsigned(text + (*text == '-' || *text == '+'), &size);
	if (wrong != NULL)
		return wrong;
	if (size > (uint64_t)INT64_MAX + negative)
		return out_of_range;
	*value = (int64_t)(negative ? 0 - size : size);
	return NULL;
}

static bool set(const struct flag *flag, const char *text, char *message)
{
	const char *wrong;

	if (flag->word != NULL) {
		*flag->by_word = strcmp(text, flag->word) == 0;
		if (*flag->by_word)
			text = "true";
	}
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
	if (flag->text != NULL) {
		*flag->text = text;
		return true;
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
