/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c - records of comma-separated values. */
#include "report/csv.h"

#include <string.h>

#include "base/utf8.h"

static void write_text(struct writer *writer, const char *text)
{
	gti_write_bytes(writer, text, strlen(text));
}

static void write_signed(struct writer *writer, int64_t value)
{
	char *to = writer_reserve(writer, DECIMAL_MAX);

	writer_commit(writer, gti_put_signed(to, value));
}

static void write_unsigned(struct writer *writer, uint64_t value)
{
	char *to = writer_reserve(writer, DECIMAL_MAX);

	writer_commit(writer, gti_put_decimal(to, value));
}

/* Begins a field. */
static void begin(struct csv *csv)
{
	if (csv->comma)
		gti_write_bytes(csv->writer, ",", 1);
	csv->comma = true;
}

void gti_csv_end_record(struct csv *csv)
{
	gti_write_bytes(csv->writer, "\r\n", 2);
	csv->comma = false;
}

void gti_csv_signed(struct csv *csv, int64_t value)
{
	begin(csv);
	write_signed(csv->writer, value);
}

void gti_csv_unsigned(struct csv *csv, uint64_t value)
{
	begin(csv);
	write_unsigned(csv->writer, value);
}

void gti_csv_bool(struct csv *csv, bool value)
{
	begin(csv);
	write_text(csv->writer, value ? "true" : "false");
}

void gti_csv_empty(struct csv *csv)
{
	begin(csv);
}

/* ---------------------------------------------------------------- texts -- */

/* Writes the part of a quoted field that VALUE makes. */
static void write_quoted(struct writer *writer, struct gtrace_string value)
{
	const unsigned char *bytes = (const unsigned char *)value.data;
	size_t at = 0, size;

	while (at < value.size) {
		size = gti_plain_size(bytes + at, value.size - at, '"');
		gti_write_bytes(writer, bytes + at, size);
		at += size;
		if (at == value.size)
			break;
		size = gti_utf8_size(bytes + at, value.size - at);
		if (bytes[at] == '"')
			gti_write_bytes(writer, "\"\"", 2);
		else if (size < 2)
			gti_write_bytes(writer, "\xef\xbf\xbd", 3);
		else
			gti_write_bytes(writer, bytes + at, size);
		at += size + (size == 0);
	}
}

void gti_csv_string(struct csv *csv, struct gtrace_string value)
{
	begin(csv);
	if (gti_plain_size((const unsigned char *)value.data, value.size,
			   ',') == value.size) {
		gti_write_bytes(csv->writer, value.data, value.size);
		return;
	}
	gti_write_bytes(csv->writer, "\"", 1);
	write_quoted(csv->writer, value);
	gti_write_bytes(csv->writer, "\"", 1);
}

void gti_csv_text(struct csv *csv, const char *value)
{
	struct gtrace_string string = {value,
				       value != NULL ? strlen(value) : 0};

	gti_csv_string(csv, string);
}

void gti_csv_texts(struct csv *csv, const char *const *texts, size_t count)
{
	size_t i;

	begin(csv);
	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(csv->writer, " -> ");
		write_text(csv->writer, texts[i]);
	}
}

void gti_csv_head(struct writer *writer, const char *const *names, size_t count)
{
	struct csv csv = {.writer = writer};
	size_t i;

	for (i = 0; i < count; i++)
		gti_csv_text(&csv, names[i]);
	gti_csv_end_record(&csv);
}

/* --------------------------------------------------------------- frames -- */

/* Writes frames within quotes: function, file, colon, line. */
static void write_frames(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(writer, " <- ");
		write_quoted(writer, frames[i].function);
		write_text(writer, " ");
		write_quoted(writer, frames[i].file);
		write_text(writer, ":");
		write_unsigned(writer, frames[i].line);
	}
}

void gti_csv_frames(struct csv *csv, const struct gtrace_frame *frames,
		    size_t count)
{
	begin(csv);
	if (count == 0)
		return;
	gti_write_bytes(csv->writer, "\"", 1);
	write_frames(csv->writer, frames, count);
	gti_write_bytes(csv->writer, "\"", 1);
}

void gti_csv_samples(struct csv *csv, const struct gtrace_samples *samples,
		     size_t count)
{
	size_t i;

	begin(csv);
	if (count == 0)
		return;
	gti_write_bytes(csv->writer, "\"", 1);
	for (i = 0; i < count; i++) {
		if (i != 0)
			write_text(csv->writer, " | ");
		write_unsigned(csv->writer, samples[i].count);
		write_text(csv->writer, ": ");
		write_frames(csv->writer, samples[i].frames,
			     samples[i].frame_count);
	}
	gti_write_bytes(csv->writer, "\"", 1);
}
