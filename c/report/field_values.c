/* SPDX-License-Identifier: BSD-3-Clause */
/* field_values.c - what a field is in a struct, and lines of fields. */
#include <stdio.h>
#include <string.h>

#include "report/csv.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/names.h"

/* The member of TYPE, which is no pointer, at OFFSET. */
#define AT(type, item, offset)                                                 \
	(*(const type *)(const void *)((const char *)(item) + (offset)))

static struct gtrace_string text_of(const char *text)
{
	struct gtrace_string string = {text, text != NULL ? strlen(text) : 0};

	return string;
}

static const char *how_name(enum gtrace_late_how how)
{
	switch (how) {
	case GTRACE_LATE_RAN:
		return "ran";
	case GTRACE_LATE_SYSCALL:
		return "syscall";
	case GTRACE_LATE_SCHEDULER:
		break;
	}
	return "scheduler";
}

static struct gtrace_string string_of(struct field_value *value,
				      const struct field *field,
				      const void *item)
{
	unsigned version;

	switch (field->kind) {
	case FIELD_TEXT:
		return text_of(field_pointer(item, field->offset));
	case FIELD_HOW:
		return text_of(how_name(
			AT(enum gtrace_late_how, item, field->offset)));
	case FIELD_WORK:
		return text_of(gti_work_word(
			AT(enum gtrace_work, item, field->offset),
			AT(struct gtrace_string, item, field->other).size !=
				0));
	case FIELD_VERSION:
		version = AT(unsigned, item, field->offset);
		snprintf(value->digits, sizeof(value->digits), "%u.%u",
			 version / 1000, version % 1000);
		return text_of(value->digits);
	default:
		return AT(struct gtrace_string, item, field->offset);
	}
}

/* Returns the end of the number in `digits`. */
static char *put_number(char *digits, const struct field *field,
			const void *item)
{
	int64_t number;

	switch (field->kind) {
	case FIELD_UNSIGNED:
		return gti_put_decimal(digits,
				       AT(uint64_t, item, field->offset));
	case FIELD_COUNT:
		return gti_put_decimal(digits, AT(size_t, item, field->offset));
	case FIELD_TYPE:
		return gti_put_decimal(digits,
				       AT(unsigned, item, field->offset));
	case FIELD_FLAG:
		return gti_put_text(digits, AT(int, item, field->offset) != 0
						    ? "true"
						    : "false");
	default:
		number = AT(int64_t, item, field->offset);
		if (field->kind == FIELD_SUM)
			number = (int64_t)((uint64_t)number +
					   (uint64_t)AT(int64_t, item,
							field->other));
		return gti_put_signed(digits, number);
	}
}

bool gti_field_value(struct field_value *value, const struct field *field,
		     const void *item)
{
	value->is_string = field->kind >= FIELD_STRING;
	if (value->is_string) {
		value->text = string_of(value, field, item);
		return field->kind != FIELD_TEXT || value->text.data != NULL;
	}
	value->text.data = value->digits;
	value->text.size = (size_t)(put_number(value->digits, field, item) -
				    value->digits);
	if (field->kind == FIELD_SIGNED_IF)
		return AT(int, item, field->other) != 0;
	return field->kind != FIELD_KNOWN ||
	       AT(int64_t, item, field->offset) != -1;
}

/* ----------------------------------------------------------------- parts -- */

const void *gti_field_part(const struct field *field, const void *item)
{
	static const struct gtrace_longest none = {
		.function = {"", 0}, .caller = {"", 0}, .own = -1};
	const void *at = (const char *)item + field->offset;

	switch (field->kind) {
	case FIELD_UNLESS:
		return AT(int, item, field->other) != 0 ? NULL : at;
	case FIELD_FIRST:
		return AT(size_t, item, field->other) != 0
			       ? field_pointer(item, field->offset)
			       : NULL;
	case FIELD_LONGEST:
		at = field_pointer(item, field->offset);
		return at != NULL ? at : &none;
	case FIELD_POINTER:
		return field_pointer(item, field->offset);
	default:
		return at;
	}
}

const void *gti_field_items(const struct field *field, const void *item,
			    size_t *count)
{
	*count = AT(size_t, item, field->other);
	return field_pointer(item, field->offset);
}

static struct field_view view_of(const void *item, struct naming naming)
{
	static const struct gtrace_string none = {"", 0};
	const struct gtrace_frame *frame = naming.frame;

	return (struct field_view){
		.item = item,
		.p = -1,
		.g = -1,
		.function = frame != NULL ? frame->function : none,
		.caller =
			naming.caller != NULL ? naming.caller->function : none,
		.file = frame != NULL ? frame->file : none,
		.line = frame != NULL ? frame->line : 0,
		.work = gti_naming_word(&naming),
	};
}

struct field_view gti_field_view(const struct field *field, const void *at)
{
	const void *item = field_pointer(at, 0);
	const struct gtrace_stop *stop = item;
	struct naming naming;
	struct field_view view;

	if (field->kind == FIELD_SLICES)
		return view_of(item, slice_naming(item));
	naming = gti_name_holder(stop);
	view = view_of(item, naming);
	if (stop->late_count != 0)
		view.p = stop->late->p;
	if (gti_is_goroutine(&naming))
		view.g = stop->late->g;
	return view;
}

/* ----------------------------------------------------------------- lines -- */

void gti_write_later(const struct line *line, const struct gtrace_event *event)
{
	struct stack_texts *stacks = line->stacks;

	if (event->frame_count != 0)
		stacks->write(line->writer, event->frames, event->frame_count);
	else if (!stack_texts_write(stacks, line->writer, line->stack))
		*line->failed = true;
}

void gti_write_line(const struct line *line, const struct field *fields,
		    const void *item)
{
	if (line->format == GTRACE_FORMAT_CSV)
		gti_csv_line(line, fields, item);
	else
		gti_json_line(line, fields, item);
}

void gti_write_line_head(struct writer *writer, int format,
			 const struct field *fields)
{
	if (format == GTRACE_FORMAT_CSV)
		gti_csv_head(writer, fields);
}
