/* SPDX-License-Identifier: BSD-3-Clause */
/* durations.c - lengths of time as Go writes them. */
#include "tools/durations.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

struct unit {
	const char *name;
	int64_t nanoseconds;
	int digits; /* of a fraction */
};

/*
 * A unit that is the start of another one comes after it; otherwise the
 * shortest comes first. The name that is printed is the last one.
 */
static const struct unit units[] = {
	{"ns", 1, 0},           {"\xc2\xb5s", 1000, 3}, /* the micro sign */
	{"\xce\xbcs", 1000, 3},                         /* the Greek letter */
	{"us", 1000, 3},        {"ms", 1000000, 6},     {"s", SECOND, 9},
	{"m", MINUTE, 0},       {"h", HOUR, 0},
};
static const struct unit *const seconds = &units[5];

static const char no_number[] = "a duration is a number and a unit, such as "
				"1.5s or 300ms";
static const char no_unit[] = "a unit is missing (ns, us, ms, s, m or h)";
static const char too_long[] = "the duration is too long";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the unit that TEXT begins with, NULL if it is none. */
static const struct unit *find_unit(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strncmp(text, units[i].name, strlen(units[i].name)) == 0)
			return &units[i];
	return NULL;
}

/*
 * Reads a number and its unit at *TEXT, adds them to *SUM, and moves *TEXT
 * after them. Digits of a fraction that are less than a nanosecond are cut off.
 */
static const char *parse_part(const char **text, int64_t *sum)
{
	const char *p = *text, *fraction;
	const struct unit *unit;
	int64_t whole = 0, part = 0, scale;
	bool digits = false;

	for (; is_digit(*p); p++, digits = true) {
		if (whole > (INT64_MAX - (*p - '0')) / 10)
			return too_long;
		whole = whole * 10 + (*p - '0');
	}
	fraction = *p == '.' ? p + 1 : NULL;
	if (fraction != NULL)
		for (p++; is_digit(*p); p++)
			digits = true;
	if (!digits)
		return no_number;
	unit = find_unit(p);
	if (unit == NULL)
		return no_unit;
	scale = unit->nanoseconds;
	for (; fraction != NULL && is_digit(*fraction); fraction++) {
		/* The digit's worth is exact as long as the unit's tenth is. */
		part = part + (*fraction - '0') * (scale / 10);
		scale /= 10;
	}
	if (whole > (INT64_MAX - part) / unit->nanoseconds ||
	    *sum > INT64_MAX - part - whole * unit->nanoseconds)
		return too_long;
	*sum += whole * unit->nanoseconds + part;
	*text = p + strlen(unit->name);
	return NULL;
}

const char *duration_parse(const char *text, int64_t *nanoseconds)
{
	const char *wrong;

	*nanoseconds = 0;
	if (strcmp(text, "0") == 0)
		return NULL;
	if (*text == '-')
		return "a duration must not be negative";
	if (*text == '+')
		text++;
	do {
		wrong = parse_part(&text, nanoseconds);
	} while (wrong == NULL && *text != '\0');
	return wrong;
}

struct duration duration_text(int64_t nanoseconds)
{
	struct duration to = {"0s"};
	const struct unit *unit = seconds;
	int64_t part = nanoseconds % MINUTE;
	char *end = to.text;

	if (nanoseconds == 0)
		return to;
	if (nanoseconds >= HOUR)
		end += sprintf(end, "%" PRId64 "h", nanoseconds / HOUR);
	if (nanoseconds >= MINUTE)
		end += sprintf(end, "%" PRId64 "m",
			       nanoseconds % HOUR / MINUTE);
	while (unit->nanoseconds > nanoseconds)
		unit--;
	end += sprintf(end, "%" PRId64 ".%0*" PRId64, part / unit->nanoseconds,
		       unit->digits, part % unit->nanoseconds);
	/* Without zeros at the end of the fraction. */
	while (end[-1] == '0')
		end--;
	if (end[-1] == '.')
		end--;
	strcpy(end, unit->name);
	return to;
}

/* Reads two digits at *TEXT, of a number below LIMIT, and moves *TEXT on. */
static bool parse_two(const char **text, int limit, int64_t *value)
{
	const char *p = *text;

	if (!is_digit(p[0]) || !is_digit(p[1]))
		return false;
	*value = (p[0] - '0') * 10 + (p[1] - '0');
	*text = p + 2;
	return *value < limit;
}

const char *time_of_day_parse(const char *text, int64_t *nanoseconds)
{
	static const char wrong[] =
		"a time of day is written as 15:04, 15:04:05 or 15:04:05.123";
	int64_t hours, minutes, whole = 0, part = 0, scale = SECOND;

	*nanoseconds = 0;
	if (!parse_two(&text, 24, &hours) || *text++ != ':' ||
	    !parse_two(&text, 60, &minutes))
		return wrong;
	if (*text == ':') {
		text++;
		if (!parse_two(&text, 60, &whole))
			return wrong;
		if (*text == '.' && !is_digit(*++text))
			return wrong;
		for (; scale > 1 && is_digit(*text); text++)
			part += (*text - '0') * (scale /= 10);
		while (scale == 1 && is_digit(*text))
			text++;
	}
	if (*text != '\0' || (scale < SECOND && text[-1] == '.'))
		return wrong;
	*nanoseconds = hours * HOUR + minutes * MINUTE + whole * SECOND + part;
	return NULL;
}
