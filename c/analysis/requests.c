/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - requests, tasks and regions. */
#include "analysis/requests.h"

#include <string.h>

#include "analysis/blocks.h"
#include "base/array.h"
#include "base/sort.h"

/* The number of places kept at which a goroutine has waited once. */
#define SEEN 8

/* A task or a region that is not over. */
struct span {
	struct span *next;   /* of those of the goroutine */
	struct span **link;  /* what points to it */
	struct lived *lived; /* NULL: the goroutine has ended */
	uint32_t name;
	struct request request; /* `times`: at its begin, or see `lived` */
};

/* The life of a goroutine in full, which can serve requests. */
struct server {
	struct lived lived; /* first: see struct lives */
	uint32_t seen[SEEN];
	size_t seen_count;
	bool waits;  /* for a request */
	bool serves; /* `request`, whose `times` are those at its begin */
	struct request request;
	struct span *spans; /* that it began and are not over */
};

void gti_requests_want(struct blocks *blocks, size_t most, bool by_place)
{
	blocks->lives.pool.size = sizeof(struct server);
	blocks->requests.wanted = true;
	blocks->requests.most = most;
	blocks->requests.by_place = by_place;
	blocks->requests.settled = by_place;
	blocks->requests.spans = (struct pool){.memory = blocks->memory,
					       .size = sizeof(struct span)};
}

static struct request_group *group_at(const struct requests *requests, size_t i)
{
	return (struct request_group *)requests->groups.items + i;
}

void gti_requests_restart(struct requests *requests,
			  const struct gtrace_allocator *memory)
{
	size_t i;

	if (!requests->wanted)
		return;
	for (i = 0; i < requests->groups.count; i++) {
		gti_array_free(&group_at(requests, i)->longest,
			       sizeof(struct request), memory);
		gti_array_free(&group_at(requests, i)->spans,
			       sizeof(struct request_span), memory);
	}
	gti_array_free(&requests->groups, sizeof(struct request_group), memory);
	gti_pool_free(&requests->spans);
	gti_map_free(&requests->open, memory);
}

/* -------------------------------------------------------------- requests -- */

static int compare_requests(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	if (x->begun != y->begun)
		return x->begun < y->begun ? -1 : 1;
	return (x->g > y->g) - (x->g < y->g);
}

/* Leaves only the MOST longest requests of GROUP, in order. */
static void cut(struct request_group *group, size_t most)
{
	struct array *longest = &group->longest;

	if (longest->count > 1)
		gti_sort(longest->items, longest->count, sizeof(struct request),
			 compare_requests);
	if (longest->count < most)
		return;
	longest->count = most;
	group->least = ((struct request *)longest->items)[most - 1].length;
}

/* The group of the place with NAME. NULL: there is no memory. */
static struct request_group *find_group(struct blocks *blocks, uint32_t name)
{
	const struct request_group group = {.name = name, .max = -1};
	struct array *groups = &blocks->requests.groups;
	uint32_t *number = &blocks_place(blocks, name)->loop.group;

	if (*number != 0)
		return group_at(&blocks->requests, *number - 1);
	if (array_add(groups, &group, sizeof(group), blocks->memory) == NULL)
		return NULL;
	*number = (uint32_t)groups->count;
	return group_at(&blocks->requests, *number - 1);
}

/* REQUEST of GROUP was ended by goroutine G. */
static void keep_span(struct blocks *blocks, struct request_group *group,
		      const struct request *request, uint64_t g)
{
	const struct request_span span = {request->begun, request->length, g};

	if (blocks->requests.keeps_all &&
	    array_add(&group->spans, &span, sizeof(span), blocks->memory) ==
		    NULL)
		blocks->failed = true;
}

/*
 * REQUEST, which goroutine G ended, belongs to the group of the place with
 * NAME.
 */
static void add(struct blocks *blocks, uint32_t name,
		const struct request *request, uint64_t g)
{
	struct request_group *group = find_group(blocks, name);
	size_t most = blocks->requests.most, i;
	struct array *longest;

	blocks->failed |= group == NULL;
	if (blocks->failed)
		return;
	group->count++;
	for (i = 0; i < LIFE_STATES; i++)
		group->times[i] += request->times[i];
	if (request->length > group->max)
		group->max = request->length;
	blocks_add_length(blocks, &group->lengths,
			  rough_class((uint64_t)request->length));
	keep_span(blocks, group, request, g);
	longest = &group->longest;
	if (longest->count >= most && request->length < group->least)
		return;
	if (array_add(longest, request, sizeof(*request), blocks->memory) ==
	    NULL)
		blocks->failed = true;
	else if (longest->count / 2 >= most)
		cut(group, most);
}

/* REQUEST begins now in LIVED. */
static void begin(struct request *request, const struct lived *lived)
{
	request->begun = lived->until;
	request->g = lived->g;
	request->part_count = 0;
	memcpy(request->times, lived->times, sizeof(request->times));
}

/* REQUEST, which began in LIVED, has taken all until now. */
static void end(struct request *request, const struct lived *lived)
{
	unsigned i;

	request->length =
		(int64_t)((uint64_t)lived->until - (uint64_t)request->begun);
	if (request->length < 0) /* in damaged traces */
		request->length = 0;
	for (i = 0; i < LIFE_STATES; i++)
		request->times[i] = lived->times[i] - request->times[i];
}

/* ----------------------------------------------------------------- loops -- */

/*
 * Whether SERVER, which waits at the place with NAME, has waited there before,
 * and nowhere since that has less DEPTH.
 */
static bool has_seen(const struct blocks *blocks, struct server *server,
		     uint32_t name, uint32_t depth)
{
	uint32_t *seen = server->seen;
	bool found = false;
	size_t kept = 0, i;

	for (i = 0; i < server->seen_count; i++) {
		if (blocks_place(blocks, seen[i])->loop.depth > depth)
			continue;
		found |= seen[i] == name;
		seen[kept++] = seen[i];
	}
	if (!found && kept < SEEN)
		kept++;
	if (!found)
		seen[kept - 1] = name;
	server->seen_count = kept;
	return found;
}

/*
 * SERVER waits at the place with NAME. If it loops around that, and no place of
 * less depth is known, this is the place of its ROOT.
 */
static void find_loop(const struct blocks *blocks, struct server *server,
		      uint32_t name, struct loop_place *root)
{
	uint32_t depth = blocks_place(blocks, name)->loop.depth;

	if ((root->at == 0 ||
	     blocks_place(blocks, root->at - 1)->loop.depth > depth) &&
	    has_seen(blocks, server, name, depth))
		root->at = name + 1;
}

void gti_requests_blocked(struct blocks *blocks, const struct block *block)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	uint32_t name = block->place - 1;
	const struct block_place *place = blocks_place(blocks, name);
	bool by_place = blocks->requests.by_place;
	struct loop_place *root;

	if (server == NULL || !place->loop.waits)
		return;
	root = &blocks_place(blocks, place->root)->loop;
	if (!root->wanted)
		return;
	if (!blocks->requests.settled) {
		find_loop(blocks, server, name, root);
		return;
	}
	if (by_place && root->at == 0)
		root->at = name + 1;
	if (!by_place && root->at != name + 1)
		return;
	if (server->serves) {
		end(&server->request, &server->lived);
		add(blocks, root->at - 1, &server->request, server->lived.g);
	}
	server->serves = false;
	server->waits = true;
}

void gti_requests_unblocked(const struct block *block)
{
	struct server *server = (struct server *)(void *)block->life.lived;

	if (server == NULL || !server->waits)
		return;
	server->waits = false;
	server->serves = true;
	begin(&server->request, &server->lived);
}

void gti_requests_took(struct lived *lived, uint32_t place, uint64_t length)
{
	struct server *server = (struct server *)(void *)lived;
	struct request_part *parts = server->request.parts, *least = parts;
	size_t count = server->request.part_count, i;

	if (!server->serves)
		return;
	for (i = 0; i < count && parts[i].place != place; i++)
		if (parts[i].time < least->time)
			least = &parts[i];
	if (i < count) {
		parts[i].time += length;
	} else if (count < REQUEST_PARTS) {
		parts[server->request.part_count++] =
			(struct request_part){place, length};
	} else if (length > least->time) {
		*least = (struct request_part){place, length};
	}
}

bool gti_requests_settle(struct blocks *blocks)
{
	struct requests *requests = &blocks->requests;
	uint32_t name, *at;
	bool found = false;

	if (!requests->wanted || requests->settled)
		return false;
	for (name = 0; name < blocks->places.count && !blocks->failed; name++) {
		at = &blocks_place(blocks, name)->loop.at;
		found |= *at != 0;
		blocks->failed |= array_add(&requests->loops, at, sizeof(*at),
					    blocks->memory) == NULL;
	}
	requests->settled = true;
	return found && !blocks->failed;
}

/* ----------------------------------------------------------------- spans -- */

/* The times of LIVED are complete up to TICKS. */
static void bring_up(const struct blocks *blocks, struct lived *lived,
		     int64_t ticks)
{
	gti_life_goes_on(lived, lived->state, clock_ns(blocks->clock, ticks));
}

void gti_requests_begin(struct blocks *blocks, struct block *block, uint64_t id,
			const struct block_event *event)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	uint64_t *place;
	struct span *span;

	if (!blocks->requests.wanted || server == NULL)
		return;
	place = gti_map_put(&blocks->requests.open, id, blocks->memory);
	span = gti_pool_take(&blocks->requests.spans);
	blocks->failed |= place == NULL || span == NULL;
	if (blocks->failed)
		return;
	*place = (uint64_t)(uintptr_t)span;
	*span = (struct span){
		.lived = &server->lived,
		.name = gti_blocks_name(blocks, event),
		.next = server->spans,
		.link = &server->spans,
	};
	if (span->next != NULL)
		span->next->link = &span->next;
	server->spans = span;
	bring_up(blocks, &server->lived, event->ticks);
	begin(&span->request, &server->lived);
}

/* The goroutine of SPAN has no more part in it. */
static void leave(struct span *span)
{
	*span->link = span->next;
	if (span->next != NULL)
		span->next->link = span->link;
	end(&span->request, span->lived);
	span->lived = NULL;
}

void gti_requests_end(struct blocks *blocks, uint64_t id, uint64_t g,
		      int64_t ticks)
{
	uint64_t *place = gti_map_get(&blocks->requests.open, id);
	struct request *request;
	struct span *span;
	int64_t rest;

	if (place == NULL || blocks->failed)
		return;
	span = (struct span *)(uintptr_t)*place;
	request = &span->request;
	if (span->lived != NULL) {
		bring_up(blocks, span->lived, ticks);
		leave(span);
	}
	rest = (int64_t)((uint64_t)clock_ns(blocks->clock, ticks) -
			 (uint64_t)request->begun - (uint64_t)request->length);
	rest = rest > 0 ? rest : 0;
	request->times[LIFE_NONE] = (uint64_t)rest;
	request->length = (int64_t)((uint64_t)request->length + (uint64_t)rest);
	if (blocks_place(blocks, span->name)->loop.wanted)
		add(blocks, span->name, request, g);
	gti_pool_give(&blocks->requests.spans, span);
	gti_map_delete(&blocks->requests.open, id);
}

void gti_requests_leave(struct blocks *blocks, struct lived *lived,
			int64_t ticks)
{
	struct server *server = (struct server *)(void *)lived;

	bring_up(blocks, lived, ticks);
	while (server->spans != NULL)
		leave(server->spans);
}

/* ---------------------------------------------------------------- finish -- */

static uint64_t sum_of(const uint64_t times[LIFE_STATES])
{
	struct gtrace_times sum;

	gti_lives_sum(times, 0, &sum);
	return (uint64_t)sum.lived;
}

/* Whether the goroutines with the root of PLACE spend their lives in GROUP. */
static bool is_life(const struct blocks *blocks,
		    const struct block_place *place,
		    const struct request_group *group)
{
	const struct block_place *root = blocks_place(blocks, place->root);
	const struct lived *rows = blocks->lives.rows.items;

	return root->row != 0 &&
	       (blocks->requests.by_place ||
		sum_of(group->times) + place->sum >=
			sum_of(rows[root->row - 1].times) / 2);
}

void gti_requests_finish(struct blocks *blocks)
{
	const struct requests *requests = &blocks->requests;
	struct request_group *group;
	const struct block_place *place;
	size_t i;

	for (i = 0; i < requests->groups.count; i++) {
		group = group_at(requests, i);
		place = blocks_place(blocks, group->name);
		cut(group, requests->most);
		if (place->loop.waits && !is_life(blocks, place, group))
			group->count = 0;
	}
}
