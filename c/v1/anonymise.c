/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anonymise.c - writes a trace with other names. Strings and messages get
 * others of the same length, so that all else keeps its place.
 */
#include <string.h>

#include "base/fail.h"
#include "base/leb128.h"
#include "v1/trace.h"

/* From this version on traces have strings. */
#define VERSION_WITH_STRINGS 1007

struct anonymiser {
	const struct v1_trace *trace;
	const struct renaming *renaming;
	struct map roles; /* by id of a string: enum text_role */
	uint8_t *text;    /* TEXT_MAX bytes: one that is changed */
	struct writer *writer;
	size_t written; /* bytes of the file */
};

/* ----------------------------------------------------------------- roles -- */

static struct gtrace_string text_with_id(const struct v1_trace *trace,
					 uint64_t id)
{
	uint64_t packed = dictionary_get(&trace->index.strings, id);

	return (struct gtrace_string){
		(const char *)trace->input->data + (packed >> TEXT_SIZE_BITS),
		(size_t)(packed & (((uint64_t)1 << TEXT_SIZE_BITS) - 1)),
	};
}

/* String ID is used as ROLE, among others. False: there is no memory. */
static bool put_role(struct anonymiser *own, uint64_t id, enum text_role role)
{
	uint64_t *place = gti_map_put(&own->roles, id, &own->trace->memory);

	if (place == NULL)
		return false;
	if (*place < (uint64_t)role)
		*place = (uint64_t)role;
	return true;
}

/* A frame has the FUNCTION and the FILE with these ids. */
static bool put_frame(struct anonymiser *own, uint64_t function, uint64_t file)
{
	const uint64_t *known = gti_map_get(&own->roles, function);
	bool is_standard = known != NULL && *known >= TEXT_FUNCTION
				   ? *known == TEXT_STANDARD_FUNCTION
				   : own->renaming->is_standard(text_with_id(
					     own->trace, function));

	return put_role(own, function,
			is_standard ? TEXT_STANDARD_FUNCTION : TEXT_FUNCTION) &&
	       put_role(own, file,
			is_standard ? TEXT_STANDARD_FILE : TEXT_FILE);
}

/* Finds the roles of the strings of the stack from OFFSET up to END. */
static bool find_roles(struct anonymiser *own, size_t offset, size_t end_offset)
{
	const uint8_t *p = own->trace->input->data + offset;
	const uint8_t *end = own->trace->input->data + end_offset;
	bool is_sized = *p++ >= SIZED_FIRST_BYTE;
	uint64_t values[4] = {0};
	unsigned i;

	/* The size, the id, the number of frames. */
	for (i = is_sized ? 0 : 1; i < 3; i++)
		if (leb128_read(&p, end, &values[0]) != LEB128_GOOD)
			return true;
	while (p < end) {
		for (i = 0; i < 4; i++)
			if (leb128_read(&p, end, &values[i]) != LEB128_GOOD)
				return true;
		if (!put_frame(own, values[1], values[2]))
			return false;
	}
	return true;
}

/* --------------------------------------------------------------- writing -- */

/* Writes what is before END as it is. */
static void copy_until(struct anonymiser *own, size_t end)
{
	const uint8_t *data = own->trace->input->data;
	size_t size;

	for (; own->written < end; own->written += size) {
		size = end - own->written;
		if (size > WRITER_BUFFER)
			size = WRITER_BUFFER;
		gti_write_bytes(own->writer, data + own->written, size);
	}
}

/* Writes the text at OFFSET with another name. */
static void write_renamed(struct anonymiser *own, enum text_role role,
			  size_t offset, size_t size)
{
	copy_until(own, offset);
	memcpy(own->text, own->trace->input->data + offset, size);
	own->renaming->rename(own->renaming->context, role, own->text, size);
	gti_write_bytes(own->writer, own->text, size);
	own->written += size;
}

/* Writes what is before the text of RECORD, which ends at END, and the text. */
static void write_new_text(struct anonymiser *own, const struct record *record,
			   size_t end)
{
	const uint64_t *role;
	size_t size = record->text;

	if (record->type == EV_STRING) {
		size = (size_t)record->values[1];
		role = gti_map_get(&own->roles, record->values[0]);
		write_renamed(own,
			      role != NULL ? (enum text_role) * role
					   : TEXT_OTHER,
			      end - size, size);
	} else if (size != 0) {
		write_renamed(own, TEXT_OTHER, end - size, size);
	}
}

/* Goes through all records, to find the roles or to write. */
static enum gtrace_status each_record(struct anonymiser *own, bool writes,
				      struct gtrace_error *error)
{
	const struct v1_trace *trace = own->trace;
	struct reader reader = {
		.data = trace->input->data,
		.size = trace->input->size,
		.offset = HEADER_SIZE,
		.rules = &trace->index.rules,
		.memory = &trace->memory,
		.error = error,
	};
	struct record record;
	enum gtrace_status status;

	for (;;) {
		status = gti_record_read(&reader, &record);
		if (status != GTRACE_OK || record.type == EV_NONE)
			return status;
		if (writes)
			write_new_text(own, &record, reader.offset);
		else if (record.type == EV_STACK &&
			 !find_roles(own, record.offset, reader.offset))
			return gti_fail_memory(error);
	}
}

enum gtrace_status gti_v1_anonymise(void *self,
				    const struct generation_place *place,
				    const struct renaming *renaming,
				    struct writer *writer,
				    struct gtrace_error *error)
{
	struct v1_trace *trace = self;
	struct anonymiser own = {
		.trace = trace, .renaming = renaming, .writer = writer};
	enum gtrace_status status = GTRACE_OK;

	(void)place;
	own.text = gti_allocate_zeroed(&trace->memory, TEXT_MAX, 1);
	if (own.text == NULL)
		return gti_fail_memory(error);
	if (trace->index.rules.version >= VERSION_WITH_STRINGS)
		status = each_record(&own, false, error);
	if (status == GTRACE_OK)
		status = each_record(&own, true, error);
	if (status == GTRACE_OK)
		copy_until(&own, trace->input->size);
	gti_map_free(&own.roles, &trace->memory);
	gti_release(&trace->memory, own.text, TEXT_MAX);
	return status;
}
