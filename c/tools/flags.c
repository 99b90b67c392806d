/* SPDX-License-Identifier: BSD-3-Clause */
/* flags.c - command line flags, read as Go's flag package reads them. */
#include "tools/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/durations.h"

/* Returns the name in ARGUMENT, which is a flag, and what follows it. */
static const char *name_of(const char *argument)
{
	return argument + (argument[1] == '-' ? 2 : 1);
}

const struct flag *flags_named(const char *text, const char *ends)
{
	const struct flag *flag;
	const char *name;
	size_t size;

	if (*text != '-')
		return NULL;
	name = name_of(text);
	size = strcspn(name, ends);
	for (flag = settings_flags; flag->name != NULL; flag++)
		if (strlen(flag->name) == size &&
		    memcmp(flag->name, name, size) == 0)
			return flag;
	return NULL;
}

const struct flag *flags_find(const char *text)
{
	return flags_named(text, "=");
}

bool flags_is_zero(const struct flag *flag)
{
	if (flag->kind == FLAG_COUNT || flag->kind == FLAG_PERCENT ||
	    flag->kind == FLAG_SIZE)
		return *(const size_t *)flag->field == 0;
	if (flag->kind == FLAG_DURATION)
		return *(const int64_t *)flag->field == 0;
	if (flag->kind == FLAG_MOMENT) {
		const struct flag_moment *moment = flag->field;

		return moment->time == 0 && !moment->is_clock;
	}
	return flag->kind == FLAG_SWITCH && *(const int *)flag->field == 0;
}

/* ---------------------------------------------------------------- values -- */

/* Each of these returns NULL, or what is wrong with the text. */

static const char below_zero[] = "the number must not be negative";

static const char too_large[] = "the number is too large";

/*
 * Reads the number at *TEXT, and moves *TEXT after it: decimal, octal with 0,
 * hexadecimal with 0x, and a sign, with which *VALUE is modulo 2^64. It is at
 * most LIMIT, without the sign.
 */
static const char *parse_digits(const char **text, uint64_t limit,
				uint64_t *value)
{
	bool is_negative = **text == '-';
	const char *digits = *text + (is_negative || **text == '+');
	char *end;

	if (*digits < '0' || *digits > '9')
		return "the value must be a number";
	errno = 0;
	*value = strtoull(digits, &end, 0);
	*text = end;
	if (errno != 0 || *value > limit)
		return too_large;
	if (is_negative)
		*value = 0 - *value;
	return NULL;
}

/* Reads a number, after which UNIT may stand. */
static const char *parse_count(const char *text, const char *unit,
			       size_t *value)
{
	const uint64_t limit = SIZE_MAX < INT64_MAX ? SIZE_MAX : INT64_MAX;
	uint64_t number = 0;
	const char *wrong = parse_digits(&text, limit, &number);

	*value = (size_t)number;
	if (*text != '\0' && strcmp(text, unit) != 0)
		return "the value must be a number";
	return wrong == NULL && number > limit ? below_zero : wrong;
}

static const char *parse_size(const char *text, size_t *value)
{
	const char *unit = text + strspn(text, "0123456789");
	size_t times = strcmp(unit, "kB") == 0   ? 1000
		       : strcmp(unit, "MB") == 0 ? 1000000
						 : 1;
	const char *wrong = parse_count(text, times != 1 ? unit : "", value);

	if (wrong == NULL && *value > SIZE_MAX / 4 / times)
		return too_large;
	*value *= times;
	return wrong;
}

/* Reads signed numbers, or unsigned ones, of 64 bits, as reports show. */
static const char *parse_ids(const char *text, struct flag_ids *list)
{
	const uint64_t least = (uint64_t)INT64_MAX + 1; /* without its sign */
	const char *wrong;
	uint64_t number = 0;
	int64_t *ids;

	free(list->ids);
	*list = (struct flag_ids){0};
	do {
		ids = realloc(list->ids, (list->count + 1) * sizeof(*ids));
		if (ids == NULL)
			return "out of memory";
		list->ids = ids;
		wrong = parse_digits(&text, *text == '-' ? least : UINT64_MAX,
				     &number);
		if (wrong == too_large)
			return wrong;
		if (wrong != NULL || (*text != ',' && *text != '\0'))
			return "the value must be numbers with commas between";
		ids[list->count++] = (int64_t)number;
	} while (*text++ == ',');
	return NULL;
}

/* Returns which of WORDS, with | between, TEXT is, from 1; 0: none. */
static int number_of(const char *words, const char *text)
{
	size_t size;
	int number;

	for (number = 1;; number++, words += size + 1) {
		size = strcspn(words, "|");
		if (strlen(text) == size && memcmp(text, words, size) == 0)
			return number;
		if (words[size] == '\0')
			return 0;
	}
}

static const char *parse_choice(const char *words, const char *text, int *value)
{
	*value = number_of(words, text);
	return *value != 0 ? NULL : "there is no such value";
}

static const char *parse_switch(const char *words, const char *text, int *value)
{
	int truth = number_of("1|t|T|true|TRUE|True", text);
	const char *wrong;

	if (truth != 0 || number_of("0|f|F|false|FALSE|False", text) != 0) {
		*value = truth != 0;
		return NULL;
	}
	if (words == NULL)
		return "the value must be true or false";
	wrong = parse_choice(words, text, value);
	*value += 1; /* after that of true */
	return wrong;
}

/* Adds TEXT to LIST. Which names there can be is checked later. */
static const char *parse_label(const char *text, struct flag_labels *list)
{
	size_t count = list->count + 1, size = strcspn(text, "=");
	const char **texts;

	if (size == 0 || text[size] == '\0' || text[size + 1] == '\0')
		return "the value must be NAME=VALUE";
	texts = realloc(list->texts, count * sizeof(*texts));
	if (texts == NULL)
		return "out of memory";
	texts[count - 1] = text;
	*list = (struct flag_labels){texts, count};
	return NULL;
}

/* Reads a duration, one after a minus, or a time of day. */
static const char *parse_moment(const char *text, struct flag_moment *moment)
{
	const char *wrong = NULL;
	bool is_before = *text == '-';

	*moment = (struct flag_moment){.is_clock = strchr(text, ':') != NULL};
	if (moment->is_clock)
		return time_of_day_parse(text, &moment->time);
	wrong = duration_parse(text + is_before, &moment->time);
	if (wrong == NULL && is_before && moment->time == 0)
		wrong = "-0 is no time before the end";
	if (is_before)
		moment->time = -moment->time;
	return wrong;
}

static const char *parse_value(const struct flag *flag, const char *text,
			       void *field)
{
	switch (flag->kind) {
	case FLAG_SWITCH:
		return parse_switch(flag->word, text, field);
	case FLAG_COUNT:
		return parse_count(text, "", field);
	case FLAG_SIZE:
		return parse_size(text, field);
	case FLAG_PERCENT:
		return parse_count(text, "%", field);
	case FLAG_DURATION:
		return duration_parse(text, field);
	case FLAG_MOMENT:
		return parse_moment(text, field);
	case FLAG_CHOICE:
		return parse_choice(flag->word, text, field);
	case FLAG_IDS:
		return parse_ids(text, field);
	case FLAG_LABELS:
		return parse_label(text, field);
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
static const struct flag *find_meant(const char *name)
{
	const struct flag *flag;
	size_t size = strlen(name);

	for (flag = settings_flags; flag->name != NULL && size > 2; flag++)
		if (strstr(flag->name, name) != NULL ||
		    (strlen(flag->name) > 2 &&
		     strstr(name, flag->name) != NULL))
			return flag;
	for (flag = settings_flags; flag->name != NULL && size > 2; flag++)
		if (strlen(flag->name) > 2 &&
		    is_near(flag->name, name, size > 3 ? 2 : 1))
			return flag;
	return NULL;
}

/* Ends, as there is no flag ARGUMENT. */
static _Noreturn void miss_flag(const char *argument)
{
	const char *name = name_of(argument);
	char word[32];
	const struct flag *meant;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "="), name);
	meant = find_meant(word);
	if (meant == NULL)
		help_wrong(EXIT_BAD_USAGE, "there is no flag %.99s", argument);
	help_wrong(EXIT_BAD_USAGE, "there is no flag %.99s: did you mean -%s?",
		   argument, meant->name);
}

/* Ends, as FLAG took the next argument, VALUE, which it cannot have. */
static _Noreturn void miss_value(const struct flag *flag, const char *value)
{
	static const struct {
		const char *what, *example;
	} needs[] = {
		[FLAG_COUNT] = {"a number", "10"},
		[FLAG_PERCENT] = {"a number", "20%"},
		[FLAG_SIZE] = {"a number of bytes", "8kB"},
		[FLAG_DURATION] = {"a time", "10ms"},
		[FLAG_MOMENT] = {"a time", "10ms"},
		[FLAG_CHOICE] = {"a value", NULL}, /* its first word */
		[FLAG_IDS] = {"numbers", "1,2"},
		[FLAG_LABELS] = {"a name and a value", "host=a"},
	};
	const char *example = needs[flag->kind].example;

	if (example == NULL)
		example = flag->word;
	help_wrong(EXIT_BAD_USAGE,
		   "-%s needs %s, as in -%s=%.*s: %.80s was taken for it",
		   flag->name, needs[flag->kind].what, flag->name,
		   (int)strcspn(example, "|"), example, value);
}

/* Whether TEXT is a number, or begins like one, such as -1. */
static bool begins_number(const char *text)
{
	text += *text == '-' || *text == '+';
	return *text >= '0' && *text <= '9';
}

/* How long a list is if FLAG has no value and NEXT is none. NULL: it needs one.
 */
static const char *default_of(const struct flag *flag, const char *next)
{
	bool is_list = flag->kind == FLAG_COUNT && flag->selects != 0;

	return is_list && (next == NULL || !begins_number(next)) ? "10" : NULL;
}

/* Reads the flag at ARGUMENTS, of LEFT. Returns how many of them it takes. */
static int parse_flag(char **arguments, int left)
{
	const struct flag *flag = flags_find(arguments[0]);
	const char *value = strchr(arguments[0], '='), *wrong;
	const char *next = left > 1 ? arguments[1] : NULL;
	int used = 1;

	if (flag == NULL)
		miss_flag(arguments[0]);
	if (value != NULL)
		value++;
	else if (flag->kind == FLAG_SWITCH)
		value = "true";
	else if (default_of(flag, next) != NULL)
		value = default_of(flag, next);
	else if (next != NULL)
		value = arguments[used++];
	else
		help_wrong(EXIT_BAD_USAGE, "-%s needs a value: -%s=%s",
			   flag->name, flag->name, flag->word);
	wrong = parse_value(flag, value, flag->field);
	settings.given |= UINT64_C(1) << (flag - settings_flags);
	/* The status of go tool trace with these reports. */
	if (wrong == below_zero && flag->selects != 0)
		help_wrong(EXIT_BAD_TRACE, "-%s=%.80s: %s", flag->name, value,
			   wrong);
	if (wrong != NULL && used == 2 && *value != '\0' &&
	    strspn(value + (*value == '-'), "0123456789") == 0)
		miss_value(flag, value);
	if (wrong != NULL)
		help_wrong(EXIT_BAD_USAGE, "-%s=%.80s: %s", flag->name, value,
			   wrong);
	return used;
}

/* Moves the USED arguments at ARGUMENTS + FILES before those files. */
static void move_before(char **arguments, int files, int used)
{
	char *moved[2] = {arguments[files], arguments[files + used - 1]};

	memmove(arguments + used, arguments,
		(size_t)files * sizeof(*arguments));
	arguments[0] = moved[0];
	arguments[used - 1] = moved[1];
}

int flags_parse(int count, char **arguments)
{
	int first = 1, i = 1, used;
	bool ends = false;

	while (i < count && !ends) {
		if (arguments[i][0] != '-' || arguments[i][1] == '\0') {
			i++;
			continue;
		}
		ends = strcmp(arguments[i], "--") == 0;
		used = ends ? 1 : parse_flag(arguments + i, count - i);
		move_before(arguments + first, i - first, used);
		first += used;
		i += used;
	}
	return first;
}
