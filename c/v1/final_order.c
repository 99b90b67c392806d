/* SPDX-License-Identifier: BSD-3-Clause */
/* final_order.c - the events of a trace, in merge order or in final order. */
#include "v1/final_order.h"

#include "base/fail.h"
#include "base/sort.h"
#include "v1/lookup.h"

enum gtrace_status gti_source_init(struct event_source *source,
				   const struct index *index, unsigned flags,
				   const struct array *exits,
				   const uint64_t *futile,
				   struct gtrace_error *error)
{
	bool is_1_5 = index->rules.version < VERSION_MERGED;
	enum gtrace_status status;

	*source = (struct event_source){
		.index = index,
		.is_1_5 = is_1_5,
		.final = exits != NULL && !is_1_5,
		.futile = futile,
	};
	if (source->final) {
		source->next_exit = exits->items;
		source->exits_left = exits->count;
	}
	if (is_1_5) {
		status = gti_order_1_5_init(&source->order_1_5, index,
					    (flags & MERGE_STOP_AT_FAULT) != 0,
					    error);
		source->first_ticks = source->order_1_5.first_ticks;
		source->goroutines = &source->order_1_5.goroutines;
	} else {
		status = gti_merge_init(&source->merge, index, flags, error);
		source->first_ticks = source->merge.first_ticks;
		source->goroutines = &source->merge.decoder.goroutines;
	}
	return status;
}

void gti_source_free(struct event_source *source)
{
	if (source->is_1_5)
		gti_order_1_5_free(&source->order_1_5);
	else
		gti_merge_free(&source->merge);
}

static bool pass_on(struct event_source *source, struct event *event)
{
	if (source->futile != NULL && gti_futile_drops(source, event))
		return true;
	source->visited++;
	source->stopped = !source->visit(source->context, event);
	return !source->stopped;
}

static bool pass_exit(struct event_source *source,
		      const struct moved_exit *moved)
{
	struct merge *merge = &source->merge;
	struct event *event = &source->exit;
	struct goroutine *goroutine;

	event->type = EV_GO_SYS_EXIT;
	event->offset = moved->offset;
	event->ordinal = moved->ordinal;
	event->ticks = moved->at.ticks;
	event->stack = gti_lookup_args(merge->index, event);
	event->g = event->args[0];
	event->p = PROCESSOR_SYSCALL;
	event->p_slot = merge->syscall_slot;
	event->m = ID_NONE;
	source->failed = !goroutines_find(&merge->decoder.goroutines, event->g,
					  &goroutine);
	event->g_record = goroutine;
	event->target_record = goroutine;
	return !source->failed && pass_on(source, event);
}

/* Returns whether an exit that happened at EXIT comes before EVENT. */
static bool is_before(const struct event_source *source,
		      const struct moment *exit, const struct event *event)
{
	if (exit->ticks != event->ticks)
		return exit->ticks < event->ticks;
	return exit->rank < source->merge.position - 1;
}

/* Passes on the exits that come before EVENT; NULL: all that are left. */
static bool pass_exits(struct event_source *source, const struct event *event)
{
	while (source->exits_left != 0 &&
	       (event == NULL ||
		is_before(source, &source->next_exit->at, event))) {
		source->exits_left--;
		if (!pass_exit(source, source->next_exit++))
			return false;
	}
	return true;
}

/* Passes on EVENT, just merged, in final order. */
static bool pass_merged(void *context, struct event *event)
{
	struct event_source *source = context;

	/* This exit has moved to where it happened. */
	if (event->type == EV_GO_SYS_EXIT &&
	    event->ticks != source->merge.ticks)
		return true;
	return pass_exits(source, event) && pass_on(source, event);
}

static enum gtrace_status run_1_5(struct event_source *source,
				  struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	do
		status = gti_order_1_5_next(&source->order_1_5, &event, error);
	while (status == GTRACE_OK && event != NULL && pass_on(source, event));
	return status;
}

enum gtrace_status gti_source_run(struct event_source *source,
				  event_visitor *visit, void *context,
				  struct gtrace_error *error)
{
	enum gtrace_status status;

	source->visit = visit;
	source->context = context;
	if (source->is_1_5)
		return run_1_5(source, error);
	if (!source->final)
		return gti_merge_run(&source->merge, visit, context, error);
	status = gti_merge_run(&source->merge, pass_merged, source, error);
	if (status == GTRACE_OK && !source->stopped && !source->failed)
		pass_exits(source, NULL);
	return source->failed ? gti_fail_memory(error) : status;
}

uint64_t gti_source_unread(const struct event_source *source)
{
	return source->is_1_5 ? gti_order_1_5_unread(&source->order_1_5)
			      : gti_merge_unread(&source->merge);
}

struct array gti_source_take_exits(struct event_source *source)
{
	struct array exits = source->merge.exits;

	source->merge.exits = (struct array){0};
	gti_sort(exits.items, exits.count, sizeof(struct moved_exit),
		 gti_compare_moments);
	return exits;
}
