/* SPDX-License-Identifier: BSD-3-Clause */
/* mutations_v1.c - changes traces up to Go 1.21, a record at a time. */
#include <stdbool.h>

#include "tests/model.h"
#include "tests/mutated/mutations.h"
#include "v1/table.h"

#define HEADER 16

/* Records have a timestamp before their values, and lengths, from 1.7 on. */
struct record {
	const uint8_t *from;
	const uint8_t *values;
	const uint8_t *end;
	unsigned type;
	unsigned count; /* of values */
	bool is_long;   /* their size is before them */
};

/* What changes, and where. */
struct plan {
	uint64_t how;
	uint64_t at; /* counts down records */
	uint64_t field;
	uint64_t value;
};

static const uint8_t *skip_bytes(const uint8_t *p, const uint8_t *end)
{
	uint64_t size = take_value(&p, end);

	return size < (uint64_t)(end - p) ? p + size : end;
}

static struct record read_record(const uint8_t *p, const uint8_t *end)
{
	struct record record = {.from = p, .type = *p & 0x3f};
	unsigned top = *p++ >> 6;

	record.values = p;
	if (record.type == EV_STRING) {
		take_value(&p, end);
		record.end = skip_bytes(p, end);
		return record;
	}
	record.is_long = top == 3;
	record.count = top + 1;
	if (record.is_long) {
		record.end = skip_bytes(p, end);
		take_value(&p, end);
		record.values = p;
		for (record.count = 0; p < record.end; record.count++)
			take_value(&p, record.end);
	} else {
		for (top++; top > 0; top--)
			take_value(&p, end);
		record.end = p;
	}
	if (record.type == EV_USER_LOG)
		record.end = skip_bytes(record.end, end);
	return record;
}

static void copy(struct builder *to, const struct record *record)
{
	builder_bytes(to, record->from, (size_t)(record->end - record->from));
}

/* The same record with value FIELD changed. */
static void rewrite(struct builder *to, const struct record *record,
		    const struct plan *plan)
{
	const uint8_t *p = record->values, *end = record->end;
	uint8_t bytes[64 * VALUE_BYTES], *q = bytes;
	uint64_t i, size;

	if (record->type == EV_STRING || record->type == EV_USER_LOG ||
	    record->count == 0 || record->count > 64) {
		copy(to, record);
		return;
	}
	for (i = 0; i < record->count; i++) {
		uint64_t value = take_value(&p, end);

		if (i == plan->field % record->count)
			value = plan->how == 0 ? plan->value
					       : value + plan->value;
		q = put_leb128(q, value);
	}
	size = (uint64_t)(q - bytes);
	builder_bytes(to, record->from, 1);
	if (record->is_long)
		builder_value(to, size);
	builder_bytes(to, bytes, (size_t)size);
}

static void change(struct builder *to, const struct record *record,
		   const struct plan *plan)
{
	struct record other = *record;
	uint8_t type;

	switch (plan->how) {
	case 0:
	case 1:
	case 2:
		rewrite(to, record, plan);
		break;
	case 3: /* left out */
		break;
	case 4: /* twice */
		copy(to, record);
		copy(to, record);
		break;
	case 5: /* another type with as many values */
		type = (uint8_t)((*record->from & 0xc0) | (plan->value % 50));
		builder_bytes(to, &type, 1);
		other.from++;
		copy(to, &other);
		break;
	default:
		copy(to, record);
	}
}

static uint64_t count_records(const struct builder *from)
{
	const uint8_t *p = from->bytes + HEADER,
		      *end = from->bytes + from->size;
	uint64_t count = 0;

	for (; p < end; count++)
		p = read_record(p, end).end;
	return count;
}

/* Times are in microseconds and less; a change of years is a rare one. */
static uint64_t some_time(uint64_t *seed)
{
	return random_below(seed, 2) == 0
		       ? UINT64_C(1) << random_below(seed, 40)
		       : hostile_value(seed);
}

void mutate_v1(struct builder *to, const struct builder *from, uint64_t *seed)
{
	const uint8_t *p, *end = from->bytes + from->size;
	struct plan plan = {.how = random_below(seed, 6)};

	if (from->size <= HEADER) {
		builder_bytes(to, from->bytes, from->size);
		return;
	}
	plan.at = random_below(seed, count_records(from));
	plan.field = random_below(seed, 3);
	plan.value = plan.how == 2 ? some_time(seed) : hostile_value(seed);
	if (plan.how == 2)
		plan.field = 0; /* of an event, when it happens */
	builder_bytes(to, from->bytes, HEADER);
	for (p = from->bytes + HEADER; p < end; plan.at--) {
		struct record record = read_record(p, end);

		if (plan.at == 0)
			change(to, &record, &plan);
		else
			copy(to, &record);
		p = record.end;
	}
}
