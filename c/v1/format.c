/* SPDX-License-Identifier: BSD-3-Clause */
/* format.c - the format of Go 1.5 to 1.21, as a table of functions. */
#include "base/fail.h"
#include "v1/lookup.h"
#include "v1/record.h"
#include "v1/states.h"
#include "v1/trace.h"

/*
 * The texts of stacks in a dump may take a constant, and this many bytes for
 * each byte of input. Streams take memory too, so each counts for some input.
 */
#define STACK_TEXT_BASE       ((size_t)1 << 20)
#define STACK_TEXT_PER_BYTE   8
#define STREAM_COUNTS_AS_SIZE 16

static enum gtrace_status v1_check(const uint8_t *data, size_t size,
				   struct gtrace_error *error)
{
	unsigned version;

	return gti_header_read(data, size, &version, error);
}

static void describe(struct event_kind kinds[EVENT_TYPES],
		     const struct rules *rules)
{
	unsigned type;

	for (type = 0; type < EVENT_TYPES; type++) {
		const struct rule *rule = &rules->by_type[type];

		kinds[type] = (struct event_kind){
			.name = gti_event_name(type, rules->version),
			.number = type,
			.args = rule->args,
			.strings = rule->text == TEXT_NONE ? 0 : EVENT_STRINGS,
			.names_g = rule->owner == OWNER_STARTS ||
				   rule->owner == OWNER_ARGUMENT ||
				   rule->order == ORDER_CREATE ||
				   rule->order == ORDER_UNBLOCK,
		};
	}
}

static size_t text_budget(const struct index *index)
{
	size_t taken = index->streams.count * STREAM_COUNTS_AS_SIZE;
	size_t size = index->size > taken ? index->size - taken : 0;

	return STACK_TEXT_BASE + size * STACK_TEXT_PER_BYTE;
}

static enum gtrace_status v1_open(const struct format_options *options,
				  struct input *input, void **self,
				  struct format_facts *facts,
				  struct gtrace_error *error)
{
	struct v1_trace *trace =
		gti_allocate_zeroed(options->memory, 1, sizeof(*trace));
	enum gtrace_status status;

	if (trace == NULL)
		return gti_fail_memory(error);
	trace->memory = *options->memory;
	trace->input = input;
	trace->binary = options->binary;
	trace->go_command = options->go_command;
	trace->left_out = options->left_out;
	status = gti_index_init(&trace->index, input, options->left_out,
				options->frequency, &trace->memory, error);
	if (status != GTRACE_OK) {
		gti_release(options->memory, trace, sizeof(*trace));
		return status;
	}
	facts->version = trace->index.rules.version;
	facts->frequency = trace->index.ticks_per_second;
	facts->processors = (uint32_t)trace->index.streams.count;
	facts->text_budget = text_budget(&trace->index);
	facts->heap = EV_HEAP_ALLOC;
	facts->goal = EV_HEAP_GOAL;
	facts->preempt = EV_GO_PREEMPT;
	facts->unblocks = (uint64_t)1 << EV_GO_UNBLOCK |
			  (uint64_t)1 << EV_GO_UNBLOCK_LOCAL;
	describe(facts->kinds, &trace->index.rules);
	*self = trace;
	return GTRACE_OK;
}

static void v1_close(void *self)
{
	struct v1_trace *trace = self;
	struct gtrace_allocator memory = trace->memory;

	gti_v1_forget_order(trace);
	gti_symbols_free(&trace->symbols, &memory);
	gti_index_free(&trace->index);
	gti_release(&memory, trace, sizeof(*trace));
}

static uint64_t v1_stack_id(const void *self, uint64_t stack)
{
	return v1_is_1_5(self) && is_stack_of_pc(stack) ? 0 : stack;
}

static void v1_args(void *self, struct event *event)
{
	const struct v1_trace *trace = self;

	gti_lookup_args(&trace->index, event);
}

static size_t v1_strings(void *self, const struct event *event,
			 struct gtrace_string strings[EVENT_STRINGS])
{
	const struct v1_trace *trace = self;

	return gti_lookup_strings(&trace->index, event, strings);
}

static uint64_t v1_first_stack(void *self, const struct event *event,
			       uint64_t g)
{
	const struct v1_trace *trace = self;
	const struct states *states = trace->states;
	const struct goroutine *record = NULL;

	if (g == event->g)
		record = event->g_record; /* NULL: the event is a sample */
	if (record == NULL)
		record = goroutines_look(states->goroutines, g);
	return record != NULL ? record->first_stack : 0;
}

/* For tests. The reports must not change. */
static void v1_use_final_order(void *self)
{
	struct v1_trace *trace = self;

	trace->order = ORDER_FINAL;
}

const struct format gti_format_v1 = {
	.check = v1_check,
	.open = v1_open,
	.close = v1_close,
	.follow = gti_v1_follow,
	.prepare = gti_v1_prepare,
	.anonymise = gti_v1_anonymise,
	.stack_id = v1_stack_id,
	.frames_max = FRAMES_MAX,
	.frames = gti_v1_frames,
	.args = v1_args,
	.strings = v1_strings,
	.first_stack = v1_first_stack,
	.use_final_order = v1_use_final_order,
};
