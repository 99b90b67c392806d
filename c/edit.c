/* SPDX-License-Identifier: BSD-3-Clause */
/* edit.c - makes a trace of a part of another one, or of several. */
#include <gtrace/edit.h>

#include <inttypes.h>

#include "base/fail.h"
#include "base/times.h"
#include "edit/names.h"
#include "edit/parts.h"
#include "run.h"

enum gtrace_status gtrace_check(struct gtrace *trace,
				struct gtrace_error *error)
{
	const struct wanted wanted = {.context = NULL};

	return gti_run(trace, &wanted, error);
}

/* What is made of traces. */
struct edit_work {
	struct gtrace *const *traces;
	size_t count;
	struct gtrace_edit asked;
	struct parts parts;
	struct name_key key; /* of new names */
	int64_t origin;      /* ticks of the first event */
	struct gtrace_edited made;
};

/* ----------------------------------------------------------------- parts -- */

/* Puts the name of trace NUMBER, one of several, before the message of ERROR.
 */
static enum gtrace_status name_error(const struct edit_work *work,
				     size_t number, enum gtrace_status status,
				     struct gtrace_error *error)
{
	const char *const *names = work->asked.names;
	const struct gtrace_error fault = *error;

	if (work->count == 1)
		return status;
	if (names != NULL && names[number] != NULL)
		gti_fail(error, status, fault.offset, "%s: %s", names[number],
			 fault.message);
	else
		gti_fail(error, status, fault.offset, "trace %zu: %s",
			 number + 1, fault.message);
	error->system_error = fault.system_error;
	return status;
}

/* Reads trace NUMBER, and adds its generations. */
static enum gtrace_status read_parts(struct edit_work *work, size_t number,
				     struct gtrace_error *error)
{
	struct gtrace *trace = work->traces[number];
	const struct generation_place *places;
	enum gtrace_status status;
	uint64_t end = UINT64_MAX;
	int64_t last;
	size_t count;

	if (trace->format->generations == NULL)
		return gti_fail(
			error, GTRACE_ERROR_ARGUMENT, 0,
			"a trace of Go 1.21 or older cannot be cut or "
			"joined: its strings and stacks are at its end, "
			"and it is one part");
	if (trace->facts.version != work->traces[0]->facts.version)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"traces of versions 1.%u and 1.%u cannot be "
				"joined",
				work->traces[0]->facts.version % 1000,
				trace->facts.version % 1000);
	status = gtrace_check(trace, error);
	if (status != GTRACE_OK)
		return name_error(work, number, status, error);
	places = trace->format->generations(trace->self, &count, &last);
	if (trace->left_out.reason.status != GTRACE_OK)
		end = trace->left_out.offset;
	if (!gti_parts_add(&work->parts, &trace->input, number, places, count,
			   end, last))
		return gti_fail_memory(error);
	return GTRACE_OK;
}

/* Adds the generations of TRACE to PLACES by what the file alone shows. */
static enum gtrace_status walk(struct gtrace *trace, struct array *places,
			       struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	if (!trace->format->walk(trace->self, places, &trace->memory))
		status = gti_fail_memory(error);
	return gti_guard_leave(&guard, status, error);
}

/* TIME since the first event, of which those below 0 are since END. */
static int64_t time_of(int64_t time, int64_t end)
{
	if (time >= 0)
		return time;
	return time + end > 0 ? time + end : 0;
}

/* The time from the first event to TICKS. */
static int64_t since_origin(const struct edit_work *work, int64_t ticks)
{
	return length_between(work->origin, ticks);
}

/* The parts, at least one, have ticks: then they have times. */
static void to_times(struct edit_work *work)
{
	struct part *list = parts_list(&work->parts);
	size_t i;

	work->origin = list[0].from;
	for (i = 0; i < work->parts.list.count; i++) {
		list[i].from = since_origin(work, list[i].from);
		list[i].to = since_origin(work, list[i].to);
	}
}

static enum gtrace_status fail_empty(int64_t end, struct gtrace_error *error)
{
	return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
			"nothing is in that time: the trace ends at "
			"%" PRId64 ".%06" PRId64 " s",
			end / 1000000000, end % 1000000000 / 1000);
}

/* Leaves the parts in the time that is asked for. */
static enum gtrace_status cut(struct edit_work *work,
			      struct gtrace_error *error)
{
	struct parts *parts = &work->parts;
	struct part *list = parts_list(parts);
	int64_t end, from, to;

	if (parts->list.count == 0)
		return gti_fail(error, GTRACE_ERROR_EMPTY, 0,
				"no generation is complete");
	work->origin = list[0].from;
	end = since_origin(work, list[parts->list.count - 1].to);
	from = time_of(work->asked.from, end);
	to = work->asked.to == 0 ? INT64_MAX : time_of(work->asked.to, end);
	work->made.length = end;
	if (to == 0)
		return fail_empty(end, error);
	if (from >= to)
		return gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				"the end of the time is not after its begin");
	to_times(work);
	gti_parts_cut(parts, from, to);
	if (parts->list.count == 0)
		return fail_empty(end, error);
	return GTRACE_OK;
}

/* Calls the functions of VISITOR for PART. Returns whether one ends it. */
static bool visit_part(const struct part *part,
		       const struct gtrace_trace_part_visitor *visitor)
{
	const struct gtrace_trace_part made = {
		.number = part->number,
		.offset = part->begin,
		.size = part->end - part->begin,
		.start = part->from,
		.end = part->to,
	};
	uint64_t at = part->begin, size;
	bool ends = false;

	for (; visitor->bytes != NULL && at < part->end && !ends; at += size) {
		size = part->end - at;
		if (size > WRITER_BUFFER)
			size = WRITER_BUFFER;
		ends = visitor->bytes(visitor->context, part->input->data + at,
				      (size_t)size) != 0;
	}
	gti_input_done_with(part->input, (size_t)part->begin,
			    (size_t)part->end);
	return ends || (visitor->part != NULL &&
			visitor->part(visitor->context, &made) != 0);
}

/* visit_part() for all parts of WORK, of one trace. */
static enum gtrace_status
visit_parts(const struct edit_work *work,
	    const struct gtrace_trace_part_visitor *visitor,
	    struct gtrace_error *error)
{
	const struct part *list = parts_list(&work->parts);
	bool ends = false;
	struct guard guard;
	size_t i;

	gti_guard_enter(&guard, &work->traces[0]->input);
	for (i = 0; i < work->parts.list.count && !ends; i++)
		ends = visit_part(&list[i], visitor);
	return gti_guard_leave(&guard, GTRACE_OK, error);
}

enum gtrace_status
gtrace_visit_trace_parts(struct gtrace *trace,
			 const struct gtrace_trace_part_visitor *given,
			 struct gtrace_error *error)
{
	struct edit_work work = {.traces = &trace, .count = 1};
	struct gtrace_trace_part_visitor visitor;
	struct gtrace_error fault;
	enum gtrace_status status =
		gti_copy_sized(&visitor, sizeof(visitor), given, error);

	if (status != GTRACE_OK || trace->format->generations == NULL)
		return status;
	work.parts.memory = &trace->memory;
	status = read_parts(&work, 0, &fault);
	if (status == GTRACE_OK && work.parts.list.count != 0) {
		to_times(&work);
		status = visit_parts(&work, &visitor, &fault);
	}
	gti_parts_free(&work.parts);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	return status;
}

enum gtrace_status gtrace_group(struct gtrace *const *traces, size_t count,
				size_t *groups, struct gtrace_error *error)
{
	const struct gtrace_allocator *memory = &traces[0]->memory;
	struct parts parts = {.memory = memory};
	enum gtrace_status status = GTRACE_OK;
	struct array places = {.items = NULL};
	size_t i;

	for (i = 0; i < count && status == GTRACE_OK; i++) {
		groups[i] = i;
		places.count = 0;
		if (traces[i]->format->walk == NULL)
			continue;
		status = walk(traces[i], &places, error);
		if (status == GTRACE_OK &&
		    !gti_parts_add(&parts, &traces[i]->input, i, places.items,
				   places.count, UINT64_MAX, 0))
			status = gti_fail_memory(error);
	}
	if (status == GTRACE_OK)
		status = gti_parts_group(&parts, groups, error);
	gti_array_free(&places, sizeof(struct generation_place), memory);
	gti_parts_free(&parts);
	return status;
}

/* ----------------------------------------------------------------- write -- */

/* Writes the header of PART's file: what is before its first generation. */
static enum gtrace_status copy_header(const struct edit_work *work,
				      struct writer *writer,
				      const struct part *part,
				      struct gtrace_error *error)
{
	const struct gtrace *trace = work->traces[part->file];
	struct part header = *part;
	const struct generation_place *places;
	int64_t last;
	size_t count;

	places = trace->format->generations(trace->self, &count, &last);
	header.begin = 0;
	header.end = places[0].begin;
	return gti_part_copy(writer, &header, error);
}

/* Writes PLACE of TRACE, or all of it if that is NULL, with other names. */
static enum gtrace_status rename_place(const struct edit_work *work,
				       struct gtrace *trace,
				       const struct generation_place *place,
				       struct writer *writer,
				       struct gtrace_error *error)
{
	const struct renaming renaming = {
		.context = &work->key,
		.is_standard = gti_name_is_standard,
		.rename = gti_name_replace,
	};
	struct gtrace_error fault;
	enum gtrace_status status;
	struct guard guard;

	gti_guard_enter(&guard, &trace->input);
	status = trace->format->anonymise(trace->self, place, &renaming, writer,
					  &fault);
	if (status != GTRACE_OK)
		*error = fault;
	if (place != NULL)
		gti_input_done_with(&trace->input, (size_t)place->begin,
				    (size_t)place->end);
	return gti_guard_leave(&guard, status, error);
}

static enum gtrace_status write_part(const struct edit_work *work,
				     const struct part *part,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	const struct generation_place place = {
		.begin = part->begin, .end = part->end, .number = part->number};

	if (!work->asked.anonymise)
		return gti_part_copy(writer, part, error);
	return rename_place(work, work->traces[part->file], &place, writer,
			    error);
}

static enum gtrace_status write_parts(struct edit_work *work,
				      struct writer *writer,
				      struct gtrace_error *error)
{
	const struct part *list = parts_list(&work->parts);
	enum gtrace_status status = copy_header(work, writer, &list[0], error);
	size_t i;

	for (i = 0; i < work->parts.list.count && status == GTRACE_OK; i++)
		status = write_part(work, &list[i], writer, error);
	work->made.bytes = writer_size(writer);
	return status;
}

/* Writes a trace of Go 1.21 or older with other names. */
static enum gtrace_status write_old(struct edit_work *work,
				    const struct gtrace_output *output,
				    struct gtrace_error *error)
{
	struct gtrace *trace = work->traces[0];
	enum gtrace_status status = gtrace_check(trace, error);
	struct writer writer;

	if (status == GTRACE_OK && trace->left_out.reason.status != GTRACE_OK) {
		/* What cannot be read could have names. */
		*error = trace->left_out.reason;
		status = error->status;
	}
	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, work->parts.memory,
					 error);
	if (status != GTRACE_OK)
		return status;
	status = rename_place(work, trace, NULL, &writer, error);
	work->made.bytes = writer_size(&writer);
	return gti_close_writer(&writer, status, error);
}

static void fill(struct edit_work *work)
{
	const struct parts *parts = &work->parts;
	const struct part *first = parts_list(parts);
	const struct part *last = first + parts->list.count - 1;

	work->made.generations = parts->list.count;
	work->made.shared = parts->shared;
	work->made.first = first->number;
	work->made.last = last->number;
	work->made.from = first->from;
	work->made.to = last->to;
	work->made.origin = ns_between(work->origin, first->least);
}

static enum gtrace_status make(struct edit_work *work,
			       const struct gtrace_output *output,
			       struct gtrace_error *error)
{
	enum gtrace_status status = GTRACE_OK;
	struct writer writer;
	size_t i;

	for (i = 0; i < work->count && status == GTRACE_OK; i++)
		status = read_parts(work, i, error);
	if (status == GTRACE_OK && work->count > 1)
		status = gti_parts_join(&work->parts, error);
	if (status == GTRACE_OK)
		status = cut(work, error);
	if (status == GTRACE_OK)
		status = gti_open_writer(&writer, output, work->parts.memory,
					 error);
	if (status != GTRACE_OK)
		return status;
	fill(work);
	status = write_parts(work, &writer, error);
	return gti_close_writer(&writer, status, error);
}

enum gtrace_status gtrace_edit(struct gtrace *const *traces, size_t count,
			       const struct gtrace_edit *edit,
			       const struct gtrace_output *output,
			       struct gtrace_edited *edited,
			       struct gtrace_error *error)
{
	struct edit_work work = {.traces = traces, .count = count};
	struct gtrace_error fault;
	enum gtrace_status status =
		gti_copy_sized(&work.asked, sizeof(work.asked), edit, error);

	if (status == GTRACE_OK && count == 0)
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "there is no trace");
	if (status == GTRACE_OK &&
	    !work.asked.anonymise != (work.asked.salt == NULL))
		status = gti_fail(error, GTRACE_ERROR_ARGUMENT, 0,
				  "a salt is for new names, which need one");
	if (status != GTRACE_OK)
		return status;
	work.parts.memory = &traces[0]->memory;
	work.parts.names = work.asked.names;
	if (work.asked.anonymise)
		work.key = gti_name_key(work.asked.salt);
	if (work.asked.anonymise && count == 1 && work.asked.from == 0 &&
	    work.asked.to == 0 && traces[0]->format->generations == NULL)
		status = write_old(&work, output, &fault);
	else
		status = make(&work, output, &fault);
	gti_parts_free(&work.parts);
	if (status != GTRACE_OK && error != NULL)
		*error = fault;
	if (status == GTRACE_OK && edited != NULL)
		*edited = work.made;
	return status;
}
