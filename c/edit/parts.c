/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.c - the generations that a new trace is made of. */
#include "edit/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/guard.h"
#include "base/sort.h"

void gti_parts_free(struct parts *parts)
{
	gti_array_free(&parts->list, sizeof(struct part), parts->memory);
}

bool gti_parts_add(struct parts *parts, struct input *input, size_t file,
		   const struct generation_place *places, size_t count,
		   uint64_t end, int64_t last)
{
	size_t i;

	for (i = 0; i < count && places[i].end <= end; i++) {
		const struct part part = {
			.input = input,
			.file = file,
			.begin = places[i].begin,
			.end = places[i].end,
			.number = places[i].number,
			.from = places[i].time,
			.least = places[i].least,
			.to = i + 1 < count ? places[i + 1].time : last,
		};

		if (array_add(&parts->list, &part, sizeof(part),
			      parts->memory) == NULL)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ join -- */

/* Holds a name in a message. */
struct called {
	char text[256];
};

/* What the trace of PART is called. */
static struct called name_of(const struct parts *parts, const struct part *part)
{
	const char *name =
		parts->names != NULL ? parts->names[part->file] : NULL;
	struct called called;

	if (name != NULL)
		snprintf(called.text, sizeof(called.text), "%s", name);
	else
		snprintf(called.text, sizeof(called.text), "trace %zu",
			 part->file + 1);
	return called;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct part *one = a, *other = b;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return (one->file > other->file) - (one->file < other->file);
}

/* Checks that the parts of each trace have numbers in a row. */
static enum gtrace_status check_rows(const struct parts *parts,
				     struct gtrace_error *error)
{
	const struct part *list = parts_list(parts);
	size_t i;

	for (i = 1; i < parts->list.count; i++)
		if (list[i].file == list[i - 1].file &&
		    list[i].number != list[i - 1].number + 1)
			return gti_fail(
				error, GTRACE_ERROR_ARGUMENT, list[i].begin,
				"generation %" PRIu64
				" of %s comes after %" PRIu64
				", so that it cannot be joined",
				list[i].number, name_of(parts, &list[i]).text,
				list[i - 1].number);
	return GTRACE_OK;
}

/* Sets *SAME to whether PART and OTHER are the same bytes. */
static enum gtrace_status compare_bytes(const struct part *part,
					const struct part *other, bool *same,
					struct gtrace_error *error)
{
	uint64_t size = part->end - part->begin;
	enum gtrace_status status = GTRACE_OK;
	struct guard guard, inner;

	gti_guard_enter(&guard, part->input);
	gti_guard_enter(&inner, other->input);
	*same = size == other->end - other->begin &&
		memcmp(part->input->data + part->begin,
		       other->input->data + other->begin, (size_t)size) == 0;
	status = gti_guard_leave(&inner, status, error);
	return gti_guard_leave(&guard, status, error);
}

#define NO_GAPS                                                                \
	": no reader takes a trace with a gap; join those before it, and "     \
	"those after it"

/* Checks that NEXT can come after PART, the part before it. */
static enum gtrace_status check_next(const struct parts *parts,
				     const struct part *part,
				     const struct part *next,
				     struct gtrace_error *error)
{
	struct called name = name_of(parts, part);
	struct called other = name_of(parts, next);

	if (next->number == part->number + 2)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"generation %" PRIu64
				" is missing between %s and %s" NO_GAPS,
				part->number + 1, name.text, other.text);
	if (next->number > part->number + 2)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"generations %" PRIu64 " to %" PRIu64
				" are missing between %s and %s" NO_GAPS,
				part->number + 1, next->number - 1, name.text,
				other.text);
	if (next->from <= part->from)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"generation %" PRIu64
				" of %s begins before generation %" PRIu64
				" of %s: they are not of one process",
				next->number, other.text, part->number,
				name.text);
	return GTRACE_OK;
}

/* Checks that OTHER, of another trace, is PART, which has the same number. */
static enum gtrace_status unite(const struct parts *parts,
				const struct part *part,
				const struct part *other,
				struct gtrace_error *error)
{
	bool same;
	enum gtrace_status status = compare_bytes(part, other, &same, error);

	if (status == GTRACE_OK && !same)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"generation %" PRIu64
				" of %s is not that of %s: they are not of one "
				"process",
				part->number, name_of(parts, other).text,
				name_of(parts, part).text);
	return status;
}

enum gtrace_status gti_parts_join(struct parts *parts,
				  struct gtrace_error *error)
{
	enum gtrace_status status = check_rows(parts, error);
	struct part *list = parts_list(parts), *last = list;
	size_t count = 0, i;
	bool again = false;

	gti_sort(list, parts->list.count, sizeof(*list), compare_numbers);
	for (i = 0; i < parts->list.count && status == GTRACE_OK; i++) {
		if (count != 0 && list[i].number == last->number) {
			status = unite(parts, last, &list[i], error);
			parts->shared += !again;
			again = true;
			continue;
		}
		again = false;
		if (count != 0) {
			status = check_next(parts, last, &list[i], error);
			last->to = list[i].from;
		}
		last = &list[count++];
		*last = list[i];
	}
	parts->list.count = count;
	return status;
}

/* --------------------------------------------------------------- overlap -- */

/* Most parts of other processes differ in so many bytes: those have times. */
#define FIRST_BYTES 32

/* Sets the mark of PART. */
static enum gtrace_status mark_part(struct part *part,
				    struct gtrace_error *error)
{
	const uint8_t *bytes = part->input->data + part->begin;
	uint64_t size = part->end - part->begin, i;
	struct guard guard;

	gti_guard_enter(&guard, part->input);
	for (i = 0; i < size && i < FIRST_BYTES; i++)
		part->mark = (part->mark ^ bytes[i]) * UINT64_C(0x100000001b3);
	return gti_guard_leave(&guard, GTRACE_OK, error);
}

/* By number, size and mark. */
static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *other = b;
	uint64_t size = one->end - one->begin, than = other->end - other->begin;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	if (size != than)
		return size < than ? -1 : 1;
	return (one->mark > other->mark) - (one->mark < other->mark);
}

/* The first trace of the group of trace FILE. */
static size_t first_of(const size_t *groups, size_t file)
{
	while (groups[file] != file)
		file = groups[file];
	return file;
}

/* The groups of traces ONE and OTHER are one. */
static void merge_groups(size_t *groups, size_t one, size_t other)
{
	one = first_of(groups, one);
	other = first_of(groups, other);
	if (one < other)
		groups[other] = one;
	else
		groups[one] = other;
}

enum gtrace_status gti_parts_group(struct parts *parts, size_t *groups,
				   struct gtrace_error *error)
{
	struct part *list = parts_list(parts);
	enum gtrace_status status = GTRACE_OK;
	size_t i;
	bool same;

	for (i = 0; i < parts->list.count && status == GTRACE_OK; i++)
		status = mark_part(&list[i], error);
	gti_sort(list, parts->list.count, sizeof(*list), compare_parts);
	for (i = 1; i < parts->list.count && status == GTRACE_OK; i++) {
		if (compare_parts(&list[i - 1], &list[i]) != 0)
			continue;
		status = compare_bytes(&list[i - 1], &list[i], &same, error);
		if (status == GTRACE_OK && same)
			merge_groups(groups, list[i - 1].file, list[i].file);
	}
	for (i = 0; i < parts->list.count; i++)
		groups[list[i].file] = first_of(groups, list[i].file);
	return status;
}

/* ------------------------------------------------------------- cut, copy -- */

void gti_parts_cut(struct parts *parts, int64_t from, int64_t to)
{
	struct part *list = parts_list(parts);
	size_t count = 0, i;

	for (i = 0; i < parts->list.count; i++)
		if (list[i].to > from && list[i].from < to)
			list[count++] = list[i];
	parts->list.count = count;
}

enum gtrace_status gti_part_copy(struct writer *writer, const struct part *part,
				 struct gtrace_error *error)
{
	uint64_t offset = part->begin, size;
	struct guard guard;

	gti_guard_enter(&guard, part->input);
	for (; offset < part->end && writer->failure == 0; offset += size) {
		size = part->end - offset;
		if (size > WRITER_BUFFER)
			size = WRITER_BUFFER;
		gti_write_bytes(writer, part->input->data + offset,
				(size_t)size);
	}
	gti_input_done_with(part->input, (size_t)part->begin,
			    (size_t)part->end);
	return gti_guard_leave(&guard, GTRACE_OK, error);
}
