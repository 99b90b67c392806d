/* SPDX-License-Identifier: BSD-3-Clause */
/* field_values.c - what a field is in a struct, and lines of fields. */
#include <stdio.h>

#include "base/strings.h"
#include "report/block_kinds.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/names.h"

/* The member of TYPE, which is no pointer, at OFFSET. */
#define AT(type, item, offset)                                                 \
	(*(const type *)(const void *)((const char *)(item) + (offset)))

bool gti_field_is_there(const struct field *field, const void *item)
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

struct gtrace_string gti_field_string(const struct field *field,
				      const void *item,
				      char buffer[FIELD_NUMBER_MAX])
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
		return string_of(gti_block_word(
			AT(enum gtrace_block_kind, item, field->offset)));
	case FIELD_WORK:
		return string_of(gti_work_word(
			AT(enum gtrace_work, item, field->offset),
			AT(struct gtrace_string, item, field->other).size !=
				0));
	case FIELD_VERSION:
		version = AT(unsigned, item, field->offset);
		snprintf(buffer, FIELD_NUMBER_MAX, "%u.%u", version / 1000,
			 version % 1000);
		return string_of(buffer);
	default:
		return AT(struct gtrace_string, item, field->offset);
	}
}

char *gti_put_field(char *to, const struct field *field, const void *item)
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
	default:
		number = AT(int64_t, item, field->offset);
		if (field->kind == FIELD_SUM)
			number = (int64_t)((uint64_t)number +
					   (uint64_t)AT(int64_t, item,
							field->other));
		return gti_put_signed(to, number);
	}
}

/* ----------------------------------------------------------------- parts -- */

const void *gti_field_part(const struct field *field, const void *item)
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
