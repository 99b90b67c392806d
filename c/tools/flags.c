/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.c - command line flags, read as Go's flag package reads them. */
#include "tools/flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/durations.h"

static const struct flag *find(const struct flag *flags, const char *name,
			       size_t size)
{
	for (; flags->name != NULL; flags++)
		if (strlen(flags->name) == size &&
		    memcmp(flags->name, name, size) == 0)
			return flags;
	return NULL;
}

const struct flag *flags_find(const struct flag *flags, const char *text)
{
	if (*text != '-')
		return NULL;
	text += text[1] == '-' ? 2 : 1;
	return find(flags, text, strcspn(text, "="));
}

static void *field_of(const struct flag *flag, void *values)
{
	return (char *)values + flag->offset;
}

bool flags_is_zero(const struct flag *flag, const void *values)
{
	const void *field = (const char *)values + flag->offset;

	switch (flag->kind) {
	case FLAG_SWITCH:
		return !*(const bool *)field;
	case FLAG_COUNT:
	case FLAG_DURATION:
		return *(const int64_t *)field == 0;
	case FLAG_MODE:
	case FLAG_CHOICE:
		return *(const int *)field == 0;
	case FLAG_IDS:
		return ((const struct flag_ids *)field)->count == 0;
	case FLAG_TEXT:
	case FLAG_FILE:
		break;
	}
	return *(const char *const *)field == NULL;
}

const char *flags_next_choice(const char *words, size_t *size)
{
	*size = strcspn(words, "|");
	return words[*size] == '|' ? words + *size + 1 : NULL;
}

/* ---------------------------------------------------------------- values -- */

/* Each of these returns NULL, or what is wrong with the text. */

static const char *parse_switch(const char *text, bool *value)
{
	static const char *const words[] = {"1",    "t",     "T",     "true",
					    "TRUE", "True",  "0",     "f",
					    "F",    "false", "FALSE", "False"};
	size_t count = sizeof(words) / sizeof(words[0]), i;

	for (i = 0; i < count; i++)
		if (strcmp(text, words[i]) == 0) {
			*value = i < count / 2;
			return NULL;
		}
	return "the value must be true or false";
}

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

static const char below_zero[] = "the number must not be negative";

static const char too_large[] = "the number is too large";

/*
 * Reads the number in the SIZE bytes at TEXT: decimal, octal with 0,
 * hexadecimal with 0x, and a sign. It is at most LIMIT, without the sign.
 */
static const char *parse_digits(const char *text, size_t size, uint64_t limit,
				uint64_t *value)
{
	static const char no_number[] = "the value must be a number";
	const char *end = text + size;
	unsigned base = 10, digit;

	if (size != 0 && (*text == '-' || *text == '+'))
		text++;
	if (end - text > 1 && *text == '0') {
		base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;
		text += base == 16 ? 2 : 1;
	}
	if (text == end)
		return no_number;
	for (*value = 0; text < end; text++) {
		digit = digit_of(*text);
		if (digit >= base)
			return no_number;
		if (*value > (limit - digit) / base)
			return too_large;
		*value = *value * base + digit;
	}
	return NULL;
}

static const char *parse_number(const char *text, int64_t *value)
{
	uint64_t number;
	const char *wrong =
		parse_digits(text, strlen(text), INT64_MAX, &number);

	if (wrong == NULL)
		*value = (int64_t)number;
	return wrong == NULL && *text == '-' && number != 0 ? below_zero
							    : wrong;
}

/* Reads a signed number, or an unsigned one, of 64 bits, as reports show. */
static const char *parse_id(const char *text, size_t size, int64_t *value)
{
	uint64_t limit = *text == '-' ? (uint64_t)INT64_MAX + 1 : UINT64_MAX;
	uint64_t number;
	const char *wrong = parse_digits(text, size, limit, &number);

	if (wrong == NULL)
		*value = (int64_t)(*text == '-' ? 0 - number : number);
	return wrong;
}

static const char *parse_ids(const char *text, struct flag_ids *list)
{
	const char *wrong;
	int64_t *ids;
	size_t size;

	free(list->ids);
	*list = (struct flag_ids){0};
	for (;; text += size + 1) {
		ids = realloc(list->ids, (list->count + 1) * sizeof(*ids));
		if (ids == NULL)
			return "out of memory";
		list->ids = ids;
		size = strcspn(text, ",");
		wrong = parse_id(text, size, &ids[list->count]);
		if (wrong == too_large)
			return wrong;
		if (wrong != NULL)
			return "the value must be numbers with commas between";
		list->count++;
		if (text[size] == '\0')
			return NULL;
	}
}

static const char *parse_choice(const struct flag *flag, const char *text,
				int *value)
{
	const char *word = flag->word, *next;
	int number = 1;
	size_t size;

	for (; word != NULL; word = next, number++) {
		next = flags_next_choice(word, &size);
		if (strlen(text) == size && memcmp(text, word, size) == 0) {
			*value = number;
			return NULL;
		}
	}
	return "there is no such value";
}

static const char *parse_mode(const struct flag *flag, const char *text,
			      int *value)
{
	bool on;

	if (parse_choice(flag, text, value) == NULL) {
		++*value;
		return NULL;
	}
	if (parse_switch(text, &on) != NULL)
		return "there is no such value";
	*value = on;
	return NULL;
}

static const char *parse_value(const struct flag *flag, const char *text,
			       void *field)
{
	switch (flag->kind) {
	case FLAG_SWITCH:
		return parse_switch(text, field);
	case FLAG_COUNT:
		return parse_number(text, field);
	case FLAG_DURATION:
		return duration_parse(text, field);
	case FLAG_MODE:
		return parse_mode(flag, text, field);
	case FLAG_CHOICE:
		return parse_choice(flag, text, field);
	case FLAG_IDS:
		return parse_ids(text, field);
	case FLAG_TEXT:
	case FLAG_FILE:
		break;
	}
	*(const char **)field = text;
	return *text == '\0' ? "the value is empty" : NULL;
}

/* ----------------------------------------------------------------- parse -- */

/* Returns whether at most EDITS changes of a character make A of B. */
static bool is_near(const char *a, const char *b, int edits)
{
	for (; *a != '\0' && *a == *b; a++)
		b++;
	if (*a == *b)
		return true;
	if (edits == 0)
		return false;
	return (*a != '\0' && is_near(a + 1, b, edits - 1)) ||
	       (*b != '\0' && is_near(a, b + 1, edits - 1)) ||
	       (*a != '\0' && *b != '\0' && is_near(a + 1, b + 1, edits - 1));
}

/*
 * Returns the flag that NAME is likely to mean: one of which NAME is a part, or
 * which is a part of it, or else one that differs from it in two characters.
 * NULL: none, or NAME is too short to tell.
 */
static const struct flag *find_meant(const struct flag *flags, const char *name)
{
	const struct flag *flag;
	size_t size = strlen(name);

	for (flag = flags; flag->name != NULL && size > 2; flag++)
		if (strstr(flag->name, name) != NULL ||
		    (strlen(flag->name) > 2 &&
		     strstr(name, flag->name) != NULL))
			return flag;
	for (flag = flags; flag->name != NULL && size > 2; flag++)
		if (strlen(flag->name) > 2 &&
		    is_near(flag->name, name, size > 3 ? 2 : 1))
			return flag;
	return NULL;
}

/* Sets RESULT to there being no flag NAME, as in ARGUMENT. */
static void miss_flag(const struct flag *flags, const char *argument,
		      const char *name, struct flags_result *result)
{
	char word[32];
	const struct flag *meant;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "="), name);
	meant = find_meant(flags, word);
	snprintf(result->message, FLAGS_MESSAGE_SIZE,
		 "there is no flag %.99s%s%s%s", argument,
		 meant != NULL ? ": did you mean -" : "",
		 meant != NULL ? meant->name : "", meant != NULL ? "?" : "");
	result->at_fault = meant;
}

/* Reads the flag at ARGUMENTS, of which COUNT are left. Returns how many. */
static int parse_flag(const struct flag *flags, int count, char **arguments,
		      void *values, struct flags_result *result)
{
	const char *name = arguments[0] + (arguments[0][1] == '-' ? 2 : 1);
	size_t size = strcspn(name, "=");
	const struct flag *flag = find(flags, name, size);
	const char *value, *wrong;
	int used = 1;

	result->at_fault = flag;
	if (flag == NULL) {
		miss_flag(flags, arguments[0], name, result);
		return 0;
	}
	if (name[size] == '=') {
		value = name + size + 1;
	} else if (flag->kind == FLAG_SWITCH || flag->kind == FLAG_MODE) {
		value = "true";
	} else if (count > 1) {
		value = arguments[used++];
	} else {
		snprintf(result->message, FLAGS_MESSAGE_SIZE,
			 "-%s needs a value: -%s=%s", flag->name, flag->name,
			 flag->word);
		return 0;
	}
	wrong = parse_value(flag, value, field_of(flag, values));
	if (wrong != NULL) {
		result->is_negative = wrong == below_zero;
		snprintf(result->message, FLAGS_MESSAGE_SIZE, "-%s=%.80s: %s",
			 flag->name, value, wrong);
		return 0;
	}
	result->given |= UINT64_C(1) << (flag - flags);
	return used;
}

bool flags_parse(const struct flag *flags, int count, char **arguments,
		 void *values, struct flags_result *result)
{
	int used, i;

	*result = (struct flags_result){0};
	for (i = 1; i < count; i += used) {
		if (arguments[i][0] != '-' || arguments[i][1] == '\0')
			break;
		if (strcmp(arguments[i], "--") == 0) {
			i++;
			break;
		}
		used = parse_flag(flags, count - i, arguments + i, values,
				  result);
		if (used == 0)
			return false;
	}
	result->first = i;
	return true;
}
