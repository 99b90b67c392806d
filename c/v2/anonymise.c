/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * anonymise.c - writes a generation with other names. Strings get others of the
 * same length, so that all else keeps its place.
 */
#include <string.h>

#include "base/fail.h"
#include "base/leb128.h"
#include "v2/table.h"
#include "v2/trace.h"

/* What is needed for one generation. */
struct anonymiser {
	struct source *source;
	const struct gtrace_allocator *memory;
	const struct renaming *renaming;
	struct generation tables;
	struct map roles;             /* by id of a string: enum text_role */
	uint8_t data[BATCH_SIZE_MAX]; /* of a batch, to be changed */
};

/* Reads COUNT values from *P on, before END. The generation was checked. */
static bool take_values(const uint8_t **p, const uint8_t *end, uint64_t *values,
			unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (leb128_read(p, end, &values[i]) != LEB128_GOOD)
			return false;
	return true;
}

/* ----------------------------------------------------------------- roles -- */

/* String ID is used as ROLE, among others. False: there is no memory. */
static bool put_role(struct anonymiser *own, uint64_t id, enum text_role role)
{
	uint64_t *place = gti_map_put(&own->roles, id, own->memory);

	if (place == NULL)
		return false;
	if (*place < (uint64_t)role)
		*place = (uint64_t)role;
	return true;
}

/* The role of the function with string ID, which can be known. */
static enum text_role role_of(const struct anonymiser *own, uint64_t id)
{
	const uint64_t *place = gti_map_get(&own->roles, id);

	if (place != NULL && *place >= TEXT_FUNCTION)
		return (enum text_role) * place;
	return own->renaming->is_standard(gti_v2_text(&own->tables, id))
		       ? TEXT_STANDARD_FUNCTION
		       : TEXT_FUNCTION;
}

/* Finds the roles of strings in a batch of stacks. */
static bool find_roles(struct anonymiser *own, const struct batch *batch)
{
	const uint8_t *p = own->source->data + batch->data + 1;
	const uint8_t *end = p - 1 + batch->size;
	uint64_t head[2], frame[4];
	enum text_role role;

	while (p < end) {
		p++;
		if (!take_values(&p, end, head, 2))
			return true; /* the file was changed meanwhile */
		for (; head[1] > 0; head[1]--) {
			if (!take_values(&p, end, frame, 4))
				return true;
			role = role_of(own, frame[1]);
			if (!put_role(own, frame[1], role) ||
			    !put_role(own, frame[2],
				      role == TEXT_STANDARD_FUNCTION
					      ? TEXT_STANDARD_FILE
					      : TEXT_FILE))
				return false;
		}
	}
	return true;
}

/* --------------------------------------------------------------- batches -- */

/* Replaces the strings of a batch. */
static void replace_strings(struct anonymiser *own, size_t size)
{
	const uint8_t *p = own->data + 1, *end = own->data + size;
	const uint64_t *role;
	uint64_t head[2];

	while (p < end) {
		p++;
		if (!take_values(&p, end, head, 2) ||
		    head[1] > (uint64_t)(end - p))
			return;
		role = gti_map_get(&own->roles, head[0]);
		own->renaming->rename(
			own->renaming->context,
			role != NULL ? (enum text_role) * role : TEXT_OTHER,
			own->data + (p - own->data), (size_t)head[1]);
		p += head[1];
	}
}

/* Makes the value from FROM to END 0, in as many bytes. */
static void clear_value(uint8_t *from, const uint8_t *end)
{
	for (; from + 1 < end; from++)
		*from = 0x80;
	if (from < end)
		*from = 0;
}

/* Makes the time of day in the batch of the clock 0. */
static void clear_time_of_day(struct anonymiser *own, size_t size)
{
	const uint8_t *p = own->data + 1, *end = own->data + size, *first;
	uint64_t values[2];

	while (p < end) {
		if (*p++ != BYTE_CLOCK_SNAPSHOT) {
			if (!take_values(&p, end, values, 1))
				return;
			continue;
		}
		if (!take_values(&p, end, values, 2))
			return;
		first = p;
		if (!take_values(&p, end, values, 1))
			return;
		clear_value(own->data + (first - own->data), p);
		first = p;
		if (!take_values(&p, end, values, 1))
			return;
		clear_value(own->data + (first - own->data), p);
	}
}

/* In data of experiments, only names of types are known. */
enum { ALLOC_FREE_TYPES = 0, TYPE_VALUES = 5 };

/*
 * Replaces the names of types in the data of experiment AllocFree. What is not
 * as it writes that is made zeros.
 */
static void replace_types(struct anonymiser *own, size_t size)
{
	const uint8_t *p = own->data + 1, *end = own->data + size, *first;
	uint64_t values[TYPE_VALUES];

	if (size == 0)
		return;
	while (p < end && own->data[0] == ALLOC_FREE_TYPES) {
		first = p;
		if (!take_values(&p, end, values, TYPE_VALUES) ||
		    values[4] > (uint64_t)(end - p)) {
			p = first;
			break;
		}
		own->renaming->rename(own->renaming->context, TEXT_OTHER,
				      own->data + (p - own->data),
				      (size_t)values[4]);
		p += values[4];
	}
	memset(own->data + (p - own->data), 0, (size_t)(end - p));
}

static void write_batch(struct anonymiser *own, const struct batch *batch,
			struct writer *writer)
{
	const uint8_t *data = own->source->data;

	memcpy(own->data, data + batch->data, batch->size);
	if (batch->kind == BATCH_STRINGS)
		replace_strings(own, batch->size);
	else if (batch->kind == BATCH_SYNC &&
		 own->source->version >= VERSION_GO_1_25)
		clear_time_of_day(own, batch->size);
	else if (batch->kind == BATCH_EXPERIMENT)
		replace_types(own, batch->size);
	gti_write_bytes(writer, data + batch->offset,
			(size_t)(batch->data - batch->offset));
	gti_write_bytes(writer, own->data, batch->size);
}

/* Goes through the batches of PLACE. WRITER NULL: finds the roles. */
static bool each_batch(struct anonymiser *own,
		       const struct generation_place *place,
		       struct writer *writer)
{
	uint64_t offset = place->begin;
	struct gtrace_error ignored;
	struct batch batch;

	while (offset < place->end &&
	       gti_v2_batch_read(own->source, offset, &batch, &ignored) ==
		       BATCH_READ) {
		if (writer != NULL)
			write_batch(own, &batch, writer);
		else if (batch.kind == BATCH_STACKS && !find_roles(own, &batch))
			return false;
		offset = batch_end(&batch);
	}
	return true;
}

enum gtrace_status gti_v2_anonymise(void *self,
				    const struct generation_place *place,
				    const struct renaming *renaming,
				    struct writer *writer,
				    struct gtrace_error *error)
{
	struct v2_trace *trace = self;
	struct anonymiser *own =
		gti_allocate_zeroed(&trace->memory, 1, sizeof(*own));
	enum generation_status status;
	bool good;

	if (own == NULL)
		return gti_fail_memory(error);
	own->source = &trace->source;
	own->memory = &trace->memory;
	own->renaming = renaming;
	gti_v2_generation_init(&own->tables, own->source, own->memory);
	own->tables.only_tables = true;
	status = gti_v2_generation_read(&own->tables, place->begin, false,
					error);
	good = status == GENERATION_READ && each_batch(own, place, NULL);
	if (status == GENERATION_READ && !good)
		gti_fail_memory(error);
	if (good)
		each_batch(own, place, writer);
	gti_map_free(&own->roles, own->memory);
	gti_v2_generation_free(&own->tables);
	gti_release(&trace->memory, own, sizeof(*own));
	return good ? GTRACE_OK : error->status;
}
