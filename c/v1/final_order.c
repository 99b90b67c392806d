/* SPDX-License-Identifier: BSD-3-Clause */
/* final_order.c - the events of a trace, in merge order or in final order. */
#include "v1/final_order.h"

#include "base/sort.h"

enum gtrace_status gti_source_init(struct event_source *source,
				   const struct index *index, unsigned flags,
				   const struct array *exits,
				   const uint64_t *dropped,
				   struct gtrace_error *error)
{
	source->index = index;
	source->is_1_5 = index->rules.version < VERSION_MERGED;
	source->final = exits != NULL && !source->is_1_5;
	source->held = NULL;
	source->dropped = dropped;
	if (source->final) {
		source->next_exit = exits->items;
		source->exits_left = exits->count;
	}
	if (source->is_1_5)
		return gti_order_1_5_init(&source->order_1_5, index,
					  (flags & MERGE_STOP_AT_FAULT) != 0,
					  error);
	return gti_merge_init(&source->merge, index, flags, error);
}

void gti_source_free(struct event_source *source)
{
	if (source->is_1_5)
		gti_order_1_5_free(&source->order_1_5);
	else
		gti_merge_free(&source->merge);
}

/* Holds the next event in merge order that is not a moved exit. */
static enum gtrace_status hold_next(struct event_source *source,
				    struct gtrace_error *error)
{
	enum gtrace_status status;

	do
		status = gti_merge_next(&source->merge, &source->held, error);
	while (status == GTRACE_OK && source->held != NULL &&
	       merge_is_moved(&source->merge, source->held));
	return status;
}

static bool exit_is_next(const struct event_source *source)
{
	const struct moment *exit;

	if (source->exits_left == 0)
		return false;
	if (source->held == NULL)
		return true;
	exit = &source->next_exit->at;
	if (exit->ticks != source->held->ticks)
		return exit->ticks < source->held->ticks;
	return exit->rank < source->merge.position - 1;
}

static enum gtrace_status next_final(struct event_source *source,
				     struct event **event,
				     struct gtrace_error *error)
{
	enum gtrace_status status;

	if (source->held == NULL) {
		status = hold_next(source, error);
		if (status != GTRACE_OK)
			return status;
	}
	if (exit_is_next(source)) {
		*event = &source->exit;
		source->exits_left--;
		return gti_merge_read_exit(&source->merge, source->next_exit++,
					   &source->exit, error);
	}
	*event = source->held;
	source->held = NULL;
	return GTRACE_OK;
}

static bool is_dropped(const struct event_source *source, uint64_t ordinal)
{
	return ordinal <= source->index->events &&
	       (source->dropped[ordinal / 64] >> ordinal % 64 & 1) != 0;
}

enum gtrace_status gti_source_next(struct event_source *source,
				   struct event **event,
				   struct gtrace_error *error)
{
	enum gtrace_status status;

	do {
		if (source->is_1_5)
			status = gti_order_1_5_next(&source->order_1_5, event,
						    error);
		else if (source->final)
			status = next_final(source, event, error);
		else
			status = gti_merge_next(&source->merge, event, error);
	} while (status == GTRACE_OK && *event != NULL &&
		 source->dropped != NULL &&
		 is_dropped(source, (*event)->ordinal));
	return status;
}

enum gtrace_status
gti_source_run(struct event_source *source,
	       bool (*visit)(void *context, struct event *event), void *context,
	       bool *stopped, struct gtrace_error *error)
{
	enum gtrace_status status;
	struct event *event;

	if (!source->is_1_5 && !source->final)
		return gti_merge_run(&source->merge, visit, context, stopped,
				     error);
	*stopped = false;
	for (;;) {
		status = gti_source_next(source, &event, error);
		if (status != GTRACE_OK || event == NULL)
			return status;
		if (!visit(context, event)) {
			*stopped = true;
			return GTRACE_OK;
		}
	}
}

uint64_t gti_source_unread(const struct event_source *source)
{
	return source->is_1_5 ? gti_order_1_5_unread(&source->order_1_5)
			      : gti_merge_unread(&source->merge);
}

struct array gti_source_take_exits(struct event_source *source)
{
	struct array exits = {0};

	if (source->is_1_5)
		return exits;
	exits = source->merge.exits;
	source->merge.exits = (struct array){0};
	gti_sort(exits.items, exits.count, sizeof(struct moved_exit),
		 gti_compare_moments);
	return exits;
}
