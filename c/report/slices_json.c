/* SPDX-License-Identifier: BSD-3-Clause */
/* slices_json.c - slices and events as JSON Lines. */
#include "report/events.h"
#include "report/json.h"
#include "report/lists.h"

void gti_json_event(struct json *json, const struct gtrace_event *event)
{
	size_t i;

	gti_json_unsigned(json, "n", event->number);
	gti_json_unsigned(json, "offset", event->offset);
	gti_json_unsigned(json, "type", event->type);
	gti_json_text(json, "name", event->name);
	gti_json_signed(json, "ts", event->ts);
	gti_json_signed(json, "m", event->m);
	gti_json_signed(json, "p", event->p);
	gti_json_signed(json, "g", event->g);
	gti_json_unsigned(json, "stack_id", event->stack_id);
	gti_json_open(json, "args", '[');
	for (i = 0; i < event->arg_count; i++)
		gti_json_unsigned(json, NULL, event->args[i]);
	gti_json_close(json, ']');
	gti_json_open(json, "strings", '[');
	for (i = 0; i < event->string_count; i++)
		gti_json_string(json, NULL, event->strings[i]);
	gti_json_close(json, ']');
}

/* --------------------------------------------------------------- slices -- */

/* An event that starts or ends a slice. */
static void write_end(struct json *json, const char *name,
		      const struct gtrace_event *event)
{
	size_t i;

	gti_json_open(json, name, '{');
	gti_json_event(json, event);
	gti_json_open(json, "walk", '[');
	for (i = 0; i < event->walk_count; i++)
		gti_json_text(json, NULL, event->walk[i]);
	gti_json_close(json, ']');
	gti_json_frames(json, "stack", event->frames, event->frame_count);
	gti_json_close(json, '}');
}

static void write_samples(struct json *json, const struct gtrace_slice *slice)
{
	size_t i;

	gti_json_open(json, "samples", '[');
	for (i = 0; i < slice->sample_count; i++) {
		const struct gtrace_samples *samples = &slice->samples[i];

		gti_json_open(json, NULL, '{');
		gti_json_unsigned(json, "count", samples->count);
		gti_json_frames(json, "stack", samples->frames,
				samples->frame_count);
		gti_json_close(json, '}');
	}
	gti_json_close(json, ']');
}

void gti_json_slice(struct writer *writer, const struct listed_slice *listed)
{
	const struct gtrace_slice *slice = listed->slice;
	struct json json = {.writer = writer};
	uint64_t end = (uint64_t)slice->start.ts + (uint64_t)slice->duration;

	gti_json_open(&json, NULL, '{');
	gti_json_trace(&json, listed->trace);
	gti_json_unit(&json, listed->in_ticks);
	gti_json_signed(&json, "duration", slice->duration);
	gti_json_signed(&json, "own", slice->own);
	gti_json_signed(&json, "start", slice->start.ts);
	gti_json_signed(&json, "end", (int64_t)end);
	gti_json_signed(&json, "m", slice->m);
	gti_json_signed(&json, "p", slice->p);
	gti_json_signed(&json, "g", slice->g);
	gti_json_string(&json, "function", slice->function);
	gti_json_bool(&json, "system", slice->system != 0);
	gti_json_bool(&json, "still_running", slice->still_running != 0);
	gti_json_unsigned(&json, "syscalls", slice->syscalls);
	gti_json_signed(&json, "syscall_ns", slice->syscall_ns);
	write_end(&json, "started_by", &slice->start);
	if (slice->still_running)
		gti_json_null(&json, "ended_by");
	else
		write_end(&json, "ended_by", &slice->end);
	write_samples(&json, slice);
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
}

/* --------------------------------------------------------------- events -- */

void gti_json_dump_stack(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count)
{
	/* It is the last member of its object. */
	struct json json = {.writer = writer, .comma = true};

	gti_json_frames(&json, "stack", frames, count);
}

void gti_json_dump_head(struct dump_text *dump)
{
	(void)dump;
}

bool gti_json_dump_event(struct dump_text *dump,
			 const struct gtrace_event *event, uint64_t stack)
{
	struct json json = {.writer = dump->writer};

	gti_json_open(&json, NULL, '{');
	gti_json_trace(&json, dump->trace);
	gti_json_unit(&json, dump->in_ticks);
	gti_json_event(&json, event);
	gti_json_unsigned(&json, "link", event->link);
	if (event->frame_count != 0)
		gti_json_dump_stack(dump->writer, event->frames,
				    event->frame_count);
	else if (!stack_texts_write(&dump->stacks, dump->writer, stack))
		return false;
	gti_json_close(&json, '}');
	gti_json_end_line(&json);
	return true;
}
