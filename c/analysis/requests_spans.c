/* SPDX-License-Identifier: BSD-3-Clause */
/* requests_spans.c - tasks and regions, and what is not over. */
#include "analysis/blocks.h"
#include "analysis/requests_parts.h"
#include "base/array.h"
#include "base/times.h"

/* ----------------------------------------------------------------- spans -- */

/* A span is the first one of LIST. NULL: there is no memory. */
static struct span *push(struct blocks *blocks, struct span **list)
{
	struct span *span = gti_pool_take(&blocks->requests.spans);

	if (span == NULL)
		return NULL;
	*span = (struct span){.is_open = true, .next = *list, .link = list};
	if (span->next != NULL)
		span->next->link = &span->next;
	*list = span;
	return span;
}

void gti_requests_begin(struct blocks *blocks, struct block *block, uint64_t id,
			const struct block_event *event)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	bool is_task = event->subject == SUBJECT_TASK;
	uint64_t *place = NULL;
	struct span *span;

	if (!blocks->requests.wanted || server == NULL)
		return;
	if (is_task)
		place = gti_map_put(&blocks->requests.open, id, blocks->memory);
	span = push(blocks, is_task ? &server->tasks : &server->regions);
	blocks->failed |= (is_task && place == NULL) || span == NULL;
	if (blocks->failed)
		return;
	if (is_task)
		*place = (uint64_t)(uintptr_t)span;
	span->lived = &server->lived;
	span->name = gti_blocks_name(blocks, event);
	span->is_task = is_task;
	requests_bring_up(blocks, &server->lived, event->ticks);
	gti_requests_stay(&span->stay, &server->lived);
}

/* The goroutine of SPAN has no more part in it. */
static void leave(struct span *span)
{
	*span->link = span->next;
	if (span->next != NULL)
		span->next->link = span->link;
	gti_requests_stayed(&span->stay, span->lived);
	span->lived = NULL;
}

/* Goroutine G ends SPAN at TICKS. */
static void end(struct blocks *blocks, struct span *span, uint64_t g,
		int64_t ticks)
{
	struct request request = {.part_count = 0};
	struct stay *stay = &span->stay;
	int64_t rest;

	if (span->lived != NULL) {
		requests_bring_up(blocks, span->lived, ticks);
		leave(span);
	}
	rest = ns_between(add_ns(stay->begun, stay->length),
			  clock_ns(blocks->clock, ticks));
	rest = rest > 0 ? rest : 0;
	stay->times[LIFE_NONE] = (uint64_t)rest;
	stay->length = add_ns(stay->length, rest);
	request.stay = *stay;
	if (blocks_place(blocks, span->name)->loop.wanted)
		gti_requests_add(blocks, span->name, &request, g);
	span->is_open = false;
	gti_pool_give(&blocks->requests.spans, span);
}

void gti_requests_end(struct blocks *blocks, uint64_t id, uint64_t g,
		      int64_t ticks)
{
	const uint64_t *place = gti_map_get(&blocks->requests.open, id);

	if (place == NULL || blocks->failed)
		return;
	end(blocks, (struct span *)(uintptr_t)*place, g, ticks);
	gti_map_delete(&blocks->requests.open, id);
}

void gti_requests_end_region(struct blocks *blocks, const struct block *block,
			     uint64_t g, const struct block_event *event)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	struct span *innermost = server != NULL && blocks->requests.wanted
					 ? server->regions
					 : NULL;

	if (innermost != NULL && !blocks->failed &&
	    innermost->name == gti_blocks_name(blocks, event))
		end(blocks, innermost, g, event->ticks);
}

/* STAY, of the group of the place with NAME, is not over at TICKS, the end. */
static void keep_open(struct blocks *blocks, uint32_t name,
		      const struct stay *stay, int64_t ticks)
{
	int64_t end = clock_ns(blocks->clock, ticks);
	const struct request_span span = {
		.begun = stay->begun,
		.length = length_between(stay->begun, end),
		.g = stay->g,
		.begun_by = stay->g,
	};
	struct request_group *group = gti_requests_group(blocks, name);

	blocks->failed |= group == NULL;
	if (group == NULL)
		return;
	group->opened += (uint64_t)span.length;
	if (blocks->requests.keeps_all && span.length > blocks->requests.over &&
	    requests_choose(blocks, span.begun, span.length) &&
	    array_add(&group->open, &span, sizeof(span), blocks->memory) ==
		    NULL)
		blocks->failed = true;
}

/* SERVER is done with the first place around which it may loop. */
static void leave_serving(struct blocks *blocks, struct server *server,
			  int64_t ticks)
{
	struct serving *serving = server->servings;

	gti_requests_last(blocks, &server->lived, serving);
	if (serving->serves && blocks->requests.ends)
		keep_open(blocks, serving->at, &serving->request.stay, ticks);
	server->servings = serving->next;
	gti_pool_give(&blocks->requests.servings, serving);
}

void gti_requests_leave(struct blocks *blocks, struct lived *lived,
			int64_t ticks)
{
	struct server *server = (struct server *)(void *)lived;

	requests_bring_up(blocks, lived, ticks);
	while (server->tasks != NULL)
		leave(server->tasks);
	while (server->regions != NULL) {
		server->regions->is_lost = !blocks->requests.ends;
		leave(server->regions);
	}
	while (server->servings != NULL)
		leave_serving(blocks, server, ticks);
}

/* ---------------------------------------------------------------- finish -- */

/*
 * Whether the place with NAME is the loop of its root, and the goroutines of
 * that spend their lives in requests that took SERVED.
 */
static bool is_life(const struct blocks *blocks, uint32_t name, uint64_t served)
{
	const struct block_place *place = blocks_place(blocks, name);
	const struct block_place *root = blocks_place(blocks, place->root);
	const struct life_row *rows = blocks->lives.rows.items;

	return root->loop.at == name + 1 && root->row != 0 &&
	       (blocks->requests.by_place || blocks->requests.by_root ||
		served + place->waited >= rows[root->row - 1].lived / 2);
}

/* Keeps the tasks and regions that are not over at TICKS. */
static void keep_spans(struct blocks *blocks, int64_t ticks)
{
	const struct pool *spans = &blocks->requests.spans;
	uint32_t i;

	for (i = 0; i < spans->used && !blocks->failed; i++) {
		const struct span *span = gti_pool_at(spans, i);

		if (span->is_open && !span->is_lost &&
		    blocks_place(blocks, span->name)->loop.wanted)
			keep_open(blocks, span->name, &span->stay, ticks);
	}
}

void gti_requests_finish(struct blocks *blocks, int64_t ticks)
{
	struct requests *requests = &blocks->requests;
	struct request_group *group;
	size_t i;

	keep_spans(blocks, ticks);
	gti_requests_forget_open(requests, blocks->memory);
	for (i = 0; i < requests->groups.count; i++) {
		group = requests_group(requests, i);
		gti_requests_cut(group, requests->most, blocks->memory);
		if (!blocks_place(blocks, group->name)->loop.waits)
			continue;
		if (!is_life(blocks, group->name,
			     group->served + gti_requests_edge_time(group)))
			group->count = 0;
		if (!is_life(blocks, group->name,
			     group->served + group->opened))
			group->open.count = 0;
	}
}
