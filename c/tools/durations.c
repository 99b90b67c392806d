/* SPDX-License-Identifier: BSD-3-Clause */
/* durations.c - lengths of time as Go writes them. */
#include "tools/durations.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct unit {
	const char *name;
	int64_t nanoseconds;
};

/* A unit that is the start of another one comes after it. */
static const struct unit units[] = {
	{"ns", 1},
	{"us", 1000},
	{"\xc2\xb5s", 1000}, /* the micro sign */
	{"\xce\xbcs", 1000}, /* the Greek letter */
	{"ms", 1000000},
	{"s", 1000000000},
	{"m", 60 * INT64_C(1000000000)},
	{"h", 3600 * INT64_C(1000000000)},
};

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

/* Writes VALUE / SCALE and UNIT, without zeros at the end of the fraction. */
static const char *print_fraction(char *to, size_t size, int64_t value,
				  int64_t scale, const char *unit)
{
	int length = snprintf(to, size, "%" PRId64, value / scale);
	size_t at = length > 0 ? (size_t)length : 0;
	int64_t rest = value % scale;

	if (rest != 0)
		to[at++] = '.';
	for (; rest != 0; rest %= scale) {
		scale /= 10;
		to[at++] = (char)('0' + rest / scale);
	}
	snprintf(to + at, size - at, "%s", unit);
	return to;
}

const char *duration_print(int64_t nanoseconds, char to[DURATION_SIZE])
{
	int64_t second = 1000000000, minutes = nanoseconds / (60 * second);
	int length = 0;

	if (nanoseconds == 0)
		return strcpy(to, "0s");
	if (nanoseconds < 1000)
		return print_fraction(to, DURATION_SIZE, nanoseconds, 1, "ns");
	if (nanoseconds < 1000000)
		return print_fraction(to, DURATION_SIZE, nanoseconds, 1000,
				      "us");
	if (nanoseconds < second)
		return print_fraction(to, DURATION_SIZE, nanoseconds, 1000000,
				      "ms");
	if (minutes >= 60)
		length = snprintf(to, DURATION_SIZE, "%" PRId64 "h",
				  minutes / 60);
	if (minutes > 0)
		length += snprintf(to + length, DURATION_SIZE - (size_t)length,
				   "%" PRId64 "m", minutes % 60);
	print_fraction(to + length, DURATION_SIZE - (size_t)length,
		       nanoseconds % (60 * second), second, "s");
	return to;
}
