/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c - structs as lines of JSON or records of CSV, by their fields. */
#include <stdio.h>

#include "base/strings.h"
#include "base/times.h"
#include "report/block_kinds.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/stack_texts.h"
#include "report/text.h"

/* ---------------------------------------------------------------- values -- */

/* The member of TYPE, which is no pointer, at OFFSET. */
#define AT(type, item, offset)                                                 \
	(*(const type *)(const void *)((const char *)(item) + (offset)))

/* Whether JSON has FIELD, which is of a kind before FIELD_TRACE. */
static bool is_there(const struct field *field, const void *item)
{
	switch (field->kind) {
	case FIELD_TEXT:
		return field_pointer(item, field->offset) != NULL;
	case FIELD_SIGNED_IF:
		return AT(int, item, field->other) != 0;
	case FIELD_KNOWN:
		return AT(int64_t, item, field->offset) != -1;
	default:
		return true;
	}
}

/* The text of FIELD, of a kind from FIELD_STRING on; it can be in BUFFER. */
static struct gtrace_string string_at(const struct field *field,
				      const void *item,
				      char buffer[JSON_NUMBER_MAX])
{
	static const char *const hows[] = {
		[GTRACE_LATE_SCHEDULER] = "scheduler",
		[GTRACE_LATE_RAN] = "ran",
		[GTRACE_LATE_SYSCALL] = "syscall",
	};
	unsigned version;

	switch (field->kind) {
	case FIELD_TEXT:
		return string_of(field_pointer(item, field->offset));
	case FIELD_HOW:
		return string_of(
			hows[AT(enum gtrace_late_how, item, field->offset)]);
	case FIELD_BLOCK:
		return string_of(gtrace_block_name(
			AT(enum gtrace_block_kind, item, field->offset)));
	case FIELD_SILENT:
		return string_of(gtrace_silent_name(
			AT(enum gtrace_silent_class, item, field->offset)));
	case FIELD_WORK:
		return string_of(gti_work_word(
			AT(enum gtrace_work, item, field->offset),
			AT(struct gtrace_string, item, field->other).size !=
				0));
	case FIELD_VERSION:
		version = AT(unsigned, item, field->offset);
		snprintf(buffer, JSON_NUMBER_MAX, "%u.%u", version / 1000,
			 version % 1000);
		return string_of(buffer);
	default:
		return AT(struct gtrace_string, item, field->offset);
	}
}

/* Writes VALUE at TO with three digits after the point. Returns the end. */
static char *put_thousandths(char *to, double value)
{
	uint64_t all =
		value < 1e15 ? (uint64_t)(value * 1000 + 0.5) : (uint64_t)1e18;
	char *end = gti_put_decimal(to, all / 1000);

	/* With a 1 before them, which becomes the point, zeros stay. */
	to = end;
	end = gti_put_decimal(to, 1000 + all % 1000);
	*to = '.';
	return end;
}

/* Writes FIELD, of a kind before FIELD_STRING, at TO. Returns the end. */
static char *put_number(char *to, const struct field *field, const void *item)
{
	int64_t number;

	switch (field->kind) {
	case FIELD_UNSIGNED:
		return gti_put_decimal(to, AT(uint64_t, item, field->offset));
	case FIELD_COUNT:
		return gti_put_decimal(to, AT(size_t, item, field->offset));
	case FIELD_TYPE:
		return gti_put_decimal(to, AT(unsigned, item, field->offset));
	case FIELD_FLAG:
		return gti_put_text(to, AT(int, item, field->offset) != 0
						? "true"
						: "false");
	case FIELD_DECIMAL:
		return put_thousandths(to, AT(double, item, field->offset));
	default:
		number = AT(int64_t, item, field->offset);
		if (field->kind == FIELD_SUM)
			number =
				add_ns(number, AT(int64_t, item, field->other));
		return gti_put_signed(to, number);
	}
}

/* The struct that FIELD of ITEM is, NULL if there is none. */
static const void *part_at(const struct field *field, const void *item)
{
	const void *at = (const char *)item + field->offset;

	switch (field->kind) {
	case FIELD_UNLESS:
		return AT(int, item, field->other) != 0 ? NULL : at;
	case FIELD_FIRST:
		return AT(size_t, item, field->other) != 0
			       ? field_pointer(item, field->offset)
			       : NULL;
	case FIELD_POINTER:
	case FIELD_GIVEN:
		return field_pointer(item, field->offset);
	default:
		return at;
	}
}

static struct field_view view_of(const void *item, struct naming naming)
{
	const struct gtrace_frame *frame =
		naming.frame != NULL ? naming.frame : &gti_no_frame;

	return (struct field_view){
		.item = item,
		.p = -1,
		.g = -1,
		.function = frame->function,
		.caller =
			(naming.caller != NULL ? naming.caller : &gti_no_frame)
				->function,
		.file = frame->file,
		.line = frame->line,
		.work = gti_naming_word(&naming),
	};
}

static struct field_view view_of_stop(const struct gtrace_stop *stop)
{
	struct naming naming = gti_name_holder(stop);
	struct field_view view = view_of(stop, naming);

	if (stop->late_count != 0)
		view.p = stop->late->p;
	if (gti_is_goroutine(&naming))
		view.g = stop->late->g;
	return view;
}

/* ---------------------------------------------------------------- fields -- */

/* A line that is being written. */
struct record {
	const struct line *line;
	struct json json; /* CSV has its values without their names */
	int in;           /* the format */
};

static void write_fields(struct record *to, const struct field *field,
			 const void *item);

/* Begins a field of CSV. */
static inline void begin(struct json *csv)
{
	writer_commit(csv->writer, json_begin(csv, NULL));
}

static void write_text_field(struct record *to, const char *name,
			     struct gtrace_string text)
{
	if (to->in == IN_JSON) {
		gti_json_string(&to->json, name, text);
		return;
	}
	begin(&to->json);
	gti_csv_string(to->json.writer, text);
}

static void write_value(struct record *to, const struct field *field,
			const void *item)
{
	char buffer[JSON_NUMBER_MAX], *at;

	if (to->in == IN_JSON && !is_there(field, item))
		return;
	if (field->kind >= FIELD_STRING) {
		write_text_field(to, field->name,
				 string_at(field, item, buffer));
		return;
	}
	at = json_begin(&to->json, to->in == IN_JSON ? field->name : NULL);
	writer_commit(to->json.writer, put_number(at, field, item));
}

/* Writes an object of JSON. */
static void write_object(struct record *to, const char *name,
			 const struct field *fields, const void *item)
{
	gti_json_open(&to->json, name, '{');
	write_fields(to, fields, item);
	gti_json_close(&to->json, '}');
}

/* Writes ITEM of an array of JSON. */
static void write_item(struct record *to, const struct field *field,
		       const void *item)
{
	struct field_view view;

	switch (field->kind) {
	case FIELD_NUMBERS:
		gti_json_unsigned(&to->json, NULL, *(const uint64_t *)item);
		break;
	case FIELD_STRINGS:
		gti_json_string(&to->json, NULL,
				*(const struct gtrace_string *)item);
		break;
	case FIELD_TEXTS:
		gti_json_text(&to->json, NULL, *(const char *const *)item);
		break;
	case FIELD_SLICES:
		item = field_pointer(item, 0);
		view = view_of(item, slice_naming(item));
		write_object(to, NULL, field->of, &view);
		break;
	case FIELD_STOPS:
		view = view_of_stop(field_pointer(item, 0));
		write_object(to, NULL, field->of, &view);
		break;
	default:
		write_object(to, NULL, field->of, item);
		break;
	}
}

static void write_items(struct record *to, const struct field *field,
			const void *item)
{
	const char *items = field_pointer(item, field->offset);
	size_t count = AT(size_t, item, field->other), i;

	if (to->in != IN_JSON) {
		begin(&to->json);
		gti_csv_array(to->json.writer, field->kind, items, count);
		return;
	}
	if (count == 0 && field->kind == FIELD_SOME)
		return;
	gti_json_open(&to->json, field->name, '[');
	for (i = 0; i < count; i++)
		write_item(to, field, items + i * field->size);
	gti_json_close(&to->json, ']');
}

static void write_part(struct record *to, const struct field *field,
		       const void *item)
{
	const void *part = item != NULL ? part_at(field, item) : NULL;

	if (to->in != IN_JSON || field->name == NULL)
		write_fields(to, field->of, part);
	else if (part == NULL && field->kind == FIELD_GIVEN)
		return;
	else if (part == NULL)
		writer_commit(to->json.writer,
			      gti_put_text(json_begin(&to->json, field->name),
					   "null"));
	else
		write_object(to, field->name, field->of, part);
}

/* In CSV all fields of a struct that is not there are empty. */
static void write_none(struct record *to, const struct field *field)
{
	size_t columns = gti_csv_columns(field->kind);

	do
		begin(&to->json);
	while (columns-- > 1);
}

/* Writes FIELD, which is of the line; JSON leaves out what is usual. */
static void write_of_line(struct record *to, const struct field *field,
			  const void *item)
{
	const struct gtrace_event *event = item;
	const struct line *line = to->line;
	bool all = to->in != IN_JSON;

	if (field->kind == FIELD_LATER && event->frame_count != 0)
		gti_write_stack(line, event->frames, event->frame_count);
	else if (field->kind == FIELD_LATER)
		stack_texts_write(line);
	else if (field->kind == FIELD_RECORD)
		write_text_field(to, "record", string_of(field->name));
	else if (field->kind == FIELD_TRACE && (all || line->trace != NULL))
		write_text_field(to, field->name, string_of(line->trace));
	else if (field->kind == FIELD_UNIT && (all || line->in_ticks))
		write_text_field(to, field->name,
				 string_of(line->in_ticks ? "ticks" : "ns"));
}

/* ITEM is NULL if there is none, in CSV. */
static void write_fields(struct record *to, const struct field *field,
			 const void *item)
{
	for (; field->kind != FIELD_END; field++) {
		if ((field->in & to->in) == 0)
			continue;
		if (field->kind >= FIELD_PART)
			write_part(to, field, item);
		else if (item == NULL)
			write_none(to, field);
		else if (field->kind < FIELD_TRACE)
			write_value(to, field, item);
		else if (field->kind < FIELD_NUMBERS)
			write_of_line(to, field, item);
		else
			write_items(to, field, item);
	}
}

/* ----------------------------------------------------------------- lines -- */

/* The formats of fields that LINE has. */
static int formats_of(const struct line *line)
{
	if (line->format != GTRACE_FORMAT_CSV)
		return IN_JSON;
	return line->has_record ? IN_CSV | IN_CSV_CPU : IN_CSV;
}

void gti_write_line(const struct line *line, const struct field *fields,
		    const void *item)
{
	struct record to = {
		.line = line,
		.json = {.writer = line->writer},
		.in = formats_of(line),
	};

	if (to.in == IN_JSON) {
		write_object(&to, NULL, fields, item);
	} else {
		write_fields(&to, fields, item);
		write_byte(line->writer, '\r');
	}
	write_byte(line->writer, '\n');
}

static void write_json_stack(struct writer *writer,
			     const struct gtrace_frame *frames, size_t count)
{
	struct record to = {
		.json = {.writer = writer, .comma = true},
		.in = IN_JSON,
	};
	size_t i;

	gti_json_open(&to.json, "stack", '[');
	for (i = 0; i < count; i++)
		write_object(&to, NULL, gti_frame_fields, &frames[i]);
	gti_json_close(&to.json, ']');
}

void gti_write_stack(const struct line *line, const struct gtrace_frame *frames,
		     size_t count)
{
	if (line->format == GTRACE_FORMAT_TEXT) {
		gti_text_dump_stack(line, frames, count);
	} else if (line->format == GTRACE_FORMAT_JSON) {
		write_json_stack(line->writer, frames, count);
	} else {
		write_byte(line->writer, ',');
		gti_csv_array(line->writer, FIELD_STACK, frames, count);
	}
}

/* The columns of args are arg1, arg2 and arg3. */
static void write_column(struct json *csv, const char *prefix, const char *name,
			 size_t number)
{
	struct writer *writer = csv->writer;

	begin(csv);
	write_text(writer, prefix);
	gti_write_bytes(writer, name, strlen(name) - (number != 0));
	if (number != 0)
		write_byte(writer, (char)('0' + number));
}

/*
 * The names of the columns of FIELD and those after it, each after PREFIX, as
 * far as they are IN the format.
 */
static void write_names(struct json *csv, const char *prefix,
			const struct field *field, int in)
{
	size_t columns, i;

	for (; field->kind != FIELD_END; field++) {
		columns = gti_csv_columns(field->kind);
		if ((field->in & in) == 0)
			continue;
		if (field->kind >= FIELD_PART)
			write_names(csv,
				    field->name != NULL ? field->name : prefix,
				    field->of, in);
		else if (columns == 0)
			write_column(csv, prefix, field->name, 0);
		for (i = 1; i <= columns; i++)
			write_column(csv, prefix, field->name, i);
	}
}

void gti_write_line_head(const struct line *line, const struct field *fields)
{
	struct json csv = {.writer = line->writer};

	if (line->format != GTRACE_FORMAT_CSV)
		return;
	write_names(&csv, "", fields, formats_of(line));
	write_text(line->writer, "\r\n");
}
