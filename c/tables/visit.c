/* SPDX-License-Identifier: BSD-3-Clause */
/* visit.c - tables of what one pass over a trace gives. */
#include "tables/work.h"

/* Returns what ends the visit: whether something cannot be written. */
static int end_row(const struct work *work)
{
	return files_failed(work->files) || work->stacks.failed;
}

/* The first string of EVENT, which is a reason where an event has one. */
static struct gtrace_string reason_of(const struct gtrace_event *event)
{
	return event->string_count != 0 ? text_unless_empty(event->strings[0])
					: text_of(NULL);
}

/* ---------------------------------------------------------------- slices -- */

static int64_t count_samples(const struct gtrace_slice *slice)
{
	int64_t count = 0;
	size_t i;

	for (i = 0; i < slice->sample_count; i++)
		count += number_of(slice->samples[i].count);
	return count;
}

static int visit_slice(void *context, const struct gtrace_slice *slice)
{
	struct work *work = context;
	const struct gtrace_event *at =
		slice->still_running ? &slice->start : &slice->end;
	const struct named named = named_of(slice->frame, slice->caller);
	struct slices_row row = {
		.start_ns = slice->start.ts,
		.length_ns = slice->duration,
		.g = slice->g,
		.p = number_known(slice->p),
		.m = number_known(slice->m),
		.function = named.function,
		.inner_function = named.inner,
		.file = named.file,
		.line = named.line,
		.stack = work_stack(work, at->frames, at->frame_count),
		.still_running = slice->still_running,
		.work = text_of(gtrace_work_name(slice->work)),
		.goroutine = text_unless_empty(slice->function),
		.is_system = slice->system,
		.system_calls = number_of(slice->syscalls),
		.system_calls_ns = number_known(slice->syscall_ns),
		.samples = count_samples(slice),
		.pauses_ns = slice->duration - slice->own,
		.off_cpu_min_ns = slice->off_cpu_min,
		.off_cpu_likely_ns = slice->off_cpu_likely,
		.silent_ns = slice->silent,
		.silent = word_of_silence(slice->silent_class),
		.clock_changed = slice->clock_changed,
	};

	if (!slice->still_running) {
		row.event = text_of(at->name);
		row.reason = reason_of(at);
	}
	files_add(work->files, TABLE_SLICES, &row);
	return end_row(work);
}

/* ---------------------------------------------------------------- pauses -- */

static void add_late(struct work *work, const struct gtrace_stop *stop,
		     const struct gtrace_late *late)
{
	const struct named named = named_of(late->frame, late->caller);
	struct late_row row = {
		.pause = number_of(stop->number),
		.p = late->p,
		.how = word_of_late(late->how),
		.g = number_known(late->g),
		.start_ns = number_known(late->start),
		.left_ns = number_known(late->left),
		.gave_up_ns = late->gave_up,
		.own_ns = number_known(late->own),
		.event = text_of(late->event),
		.reason = text_unless_empty(late->reason),
		.function = named.function,
		.inner_function = named.inner,
		.stack = work_stack(work, late->frames, late->frame_count),
		.off_cpu_ns = late->off_cpu,
		.off_cpu = word_of_silence(late->off_cpu_class),
	};

	files_add(work->files, TABLE_LATE, &row);
}

static int visit_stop(void *context, const struct gtrace_stop *stop)
{
	struct work *work = context;
	struct pauses_row row = {
		.pause = number_of(stop->number),
		.kind = stop->kind,
		.measured = stop->measured,
		.inferred = stop->inferred,
		.at_ns = stop->ts,
		.g = number_known(stop->g),
		.p = number_known(stop->p),
		.requested_ns = number_known(stop->requested),
		.obtained_ns = number_known(stop->obtained),
		.restarting_ns = number_known(stop->restarting),
		.restarted_ns = number_known(stop->restarted),
		.ended_ns = number_known(stop->ended),
		.stopping_ns = number_known(stop->stopping),
		.stopped_ns = number_known(stop->stopped),
		.total_ns = number_known(stop->total),
		.waited_ns = number_known(stop->waited),
		.stopping_min_ns = number_known(stop->stopping_min),
		.stopping_max_ns = number_known(stop->stopping_max),
		.processors = stop->procs != 0 ? stop->procs : COLUMN_NONE,
		.idle = number_known(stop->idle),
		.late = (int64_t)stop->late_count,
		.function = named_of(stop->frame, NULL).function,
		.stack = work_stack(work, stop->frames, stop->frame_count),
		.clock_changed = stop->clock_changed,
	};
	size_t i;

	files_add(work->files, TABLE_PAUSES, &row);
	for (i = 0; i < stop->late_count; i++)
		add_late(work, stop, &stop->late[i]);
	return end_row(work);
}

/* ---------------------------------------------------------------- blocks -- */

static int visit_block(void *context, const struct gtrace_block *block)
{
	struct work *work = context;
	const struct named at = named_of(block->frame, block->caller);
	struct blocks_row row = {
		.start_ns = block->start,
		.length_ns = block->length,
		.g = block->g,
		.kind = text_of(gtrace_block_name(block->kind)),
		.rest = block->rest,
		.function = at.function,
		.inner_function = at.inner,
		.file = at.file,
		.line = at.line,
		.stack = work_stack(work, block->frames, block->frame_count),
		.began_before = block->before,
		.is_over = block->over,
		.ended_by = text_of(block->by),
		.ender_g = number_known(block->by_g),
		.ender_function =
			named_of(block->by_frame, block->by_caller).function,
		.ender_stack = work_stack(work, block->by_frames,
					  block->by_frame_count),
		.silent_ns = block->silent,
		.off_cpu_min_ns = block->off_cpu_min,
		.clock_changed = block->clock_changed,
	};

	files_add(work->files, TABLE_BLOCKS, &row);
	return end_row(work);
}

/* ---------------------------------------------------------------- events -- */

static const char log_name[] = "UserLog", sample_name[] = "CPUSample";

/* The function of the innermost frame of EVENT. */
static struct gtrace_string innermost(const struct gtrace_event *event)
{
	return event->frame_count != 0
		       ? text_unless_empty(event->frames[0].function)
		       : text_of(NULL);
}

static void add_log(struct work *work, const struct gtrace_event *event)
{
	struct logs_row row = {
		.at_ns = event->ts,
		.g = number_known(event->g),
		.p = number_known(event->p),
		.m = number_known(event->m),
		.task = event->arg_count != 0 ? (int64_t)event->args[0]
					      : COLUMN_NONE,
		.function = innermost(event),
		.stack = work_stack(work, event->frames, event->frame_count),
	};

	if (event->string_count > 0)
		row.category = event->strings[0];
	if (event->string_count > 1)
		row.message = event->strings[1];
	files_add(work->files, TABLE_LOGS, &row);
}

static void add_sample(struct work *work, const struct gtrace_event *event)
{
	struct samples_row row = {
		.at_ns = event->ts,
		.g = number_known(event->g),
		.p = number_known(event->p),
		.m = number_known(event->m),
		.function = innermost(event),
		.stack = work_stack(work, event->frames, event->frame_count),
	};

	files_add(work->files, TABLE_SAMPLES, &row);
}

static int visit_event(void *context, const struct gtrace_event *event)
{
	struct work *work = context;

	if (strcmp(event->name, log_name) == 0)
		add_log(work, event);
	else
		add_sample(work, event);
	return end_row(work);
}

enum gtrace_status work_visit(struct work *work, struct gtrace_error *error)
{
	const struct gtrace_request request = {.size = sizeof(request),
					       .details = 1};
	static const char *const names[] = {log_name, sample_name, NULL};
	const struct gtrace_visitor visitor = {
		.size = sizeof(visitor),
		.event = visit_event,
		.event_names = names,
		.slice = visit_slice,
		.stop = visit_stop,
		.block = visit_block,
		.context = work,
	};

	return gtrace_visit(work->of->trace, &request, &visitor, error);
}
