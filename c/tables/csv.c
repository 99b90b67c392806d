/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - writes a table as CSV. */
#include "tables/csv.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "tables/clean.h"

void csv_begin(FILE *file, const struct columns *columns)
{
	size_t i;

	for (i = 0; i < columns->count; i++)
		fprintf(file, "%s%s", i != 0 ? "," : "",
			columns->columns[i].name);
	fputs("\r\n", file);
}

/* Whether TEXT has to be between quotation marks. */
static bool needs_quotes(struct gtrace_string text)
{
	size_t i;

	for (i = 0; i < text.size; i++)
		if (strchr(",\"\r\n", text.data[i]) != NULL)
			return true;
	return text.size == 0;
}

static void add_text(FILE *file, struct gtrace_string text)
{
	size_t i;

	if (!needs_quotes(text)) {
		fwrite(text.data, 1, text.size, file);
		return;
	}
	fputc('"', file);
	for (i = 0; i < text.size; i++) {
		if (text.data[i] == '"')
			fputc('"', file);
		fputc(text.data[i], file);
	}
	fputc('"', file);
}

/* The day number DAYS since 1970, as year, month and day. */
static void print_day(FILE *file, int64_t days)
{
	/* Years begin in March, so that a leap day is their last one. */
	int64_t shifted = days + 719468, era, day, year, month;

	era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	day = shifted - era * 146097;
	year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	day -= 365 * year + year / 4 - year / 100;
	month = (5 * day + 2) / 153;
	day -= (153 * month + 2) / 5;
	month += month < 10 ? 3 : -9;
	fprintf(file, "%04" PRId64 "-%02" PRId64 "-%02" PRId64,
		year + era * 400 + (month <= 2), month, day + 1);
}

/* The time MICROSECONDS since 1970, in UTC. */
static void print_time(FILE *file, int64_t microseconds)
{
	const int64_t day = INT64_C(86400000000);
	int64_t days = microseconds / day, rest = microseconds % day;

	if (rest < 0) {
		rest += day;
		days--;
	}
	print_day(file, days);
	fprintf(file, " %02d:%02d:%02d.%06d", (int)(rest / 3600000000),
		(int)(rest / 60000000 % 60), (int)(rest / 1000000 % 60),
		(int)(rest % 1000000));
}

static void add_number(FILE *file, enum column_type type, int64_t number)
{
	if (number == COLUMN_NONE)
		return;
	if (type == COLUMN_TRUTH)
		fputs(number != 0 ? "true" : "false", file);
	else if (type == COLUMN_TIME)
		print_time(file, number);
	else
		fprintf(file, "%" PRId64, number);
}

void csv_add(FILE *file, const struct columns *columns, const void *row,
	     struct bytes *scratch)
{
	const struct column *column = columns->columns;
	struct gtrace_string text;
	size_t i;

	for (i = 0; i < columns->count; i++, column++) {
		if (i != 0)
			fputc(',', file);
		if (column->type != COLUMN_TEXT) {
			add_number(file, column->type,
				   column_number(column, row));
			continue;
		}
		text = column_text(column, row);
		if (text.data != NULL)
			add_text(file, clean_text(text, scratch));
	}
	fputs("\r\n", file);
}
