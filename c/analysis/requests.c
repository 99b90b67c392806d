/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - requests, tasks and regions. */
#include "analysis/requests.h"

#include <string.h>

#include "analysis/blocks.h"
#include "analysis/requests_parts.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"

void gti_requests_want(struct blocks *blocks, size_t most, bool by_place)
{
	blocks->lives.pool.size = sizeof(struct server);
	blocks->requests.wanted = true;
	blocks->requests.most = most;
	blocks->requests.by_place = by_place;
	blocks->requests.over = -1;
	blocks->requests.spans = (struct pool){.memory = blocks->memory,
					       .size = sizeof(struct span)};
	blocks->requests.servings = (struct pool){
		.memory = blocks->memory, .size = sizeof(struct serving)};
}

/* Leaves the first COUNT of LONGEST, requests. */
static void leave_first(struct array *longest, size_t count,
			const struct gtrace_allocator *memory)
{
	struct request *request;

	while (longest->count > count) {
		request = (struct request *)longest->items + --longest->count;
		gti_release(memory, request->parts,
			    request->part_count * sizeof(*request->parts));
	}
}

/* Forgets what is not over. */
void gti_requests_forget_open(struct requests *requests,
			      const struct gtrace_allocator *memory)
{
	gti_pool_free(&requests->spans);
	gti_pool_free(&requests->servings);
	gti_map_free(&requests->open, memory);
}

void gti_requests_restart(struct requests *requests,
			  const struct gtrace_allocator *memory)
{
	size_t i;

	requests->ends = false;
	if (!requests->wanted)
		return;
	for (i = 0; i < requests->groups.count; i++) {
		struct request_group *group = requests_group(requests, i);

		leave_first(&group->longest, 0, memory);
		gti_array_free(&group->longest, sizeof(struct request), memory);
		gti_array_free(&group->spans, sizeof(struct request_span),
			       memory);
		gti_array_free(&group->open, sizeof(struct request_span),
			       memory);
		gti_release(memory, group->loop, sizeof(*group->loop));
	}
	gti_array_free(&requests->groups, sizeof(struct request_group), memory);
	gti_requests_forget_open(requests, memory);
}

/* -------------------------------------------------------------- requests -- */

static int compare_requests(const void *a, const void *b)
{
	const struct stay *x = &((const struct request *)a)->stay;
	const struct stay *y = &((const struct request *)b)->stay;

	if (x->length != y->length)
		return x->length > y->length ? -1 : 1;
	if (x->begun != y->begun)
		return x->begun < y->begun ? -1 : 1;
	return (x->g > y->g) - (x->g < y->g);
}

/* Leaves only the MOST longest requests of GROUP, in order. */
void gti_requests_cut(struct request_group *group, size_t most,
		      const struct gtrace_allocator *memory)
{
	struct array *longest = &group->longest;

	if (longest->count > 1)
		gti_sort(longest->items, longest->count, sizeof(struct request),
			 compare_requests);
	if (longest->count < most)
		return;
	leave_first(longest, most, memory);
	group->least = ((struct request *)longest->items)[most - 1].stay.length;
}

/* Adds the group of the place with NAME. NULL: there is no memory. */
static struct request_group *add_group(struct blocks *blocks, uint32_t name)
{
	const struct request_group group = {
		.name = name,
		.max = -1,
	};
	struct array *groups = &blocks->requests.groups;
	struct request_group *added =
		array_add(groups, &group, sizeof(group), blocks->memory);

	if (added != NULL)
		blocks_place(blocks, name)->loop.group =
			(uint32_t)groups->count;
	return added;
}

struct request_group *gti_requests_group(struct blocks *blocks, uint32_t name)
{
	uint32_t number = blocks_place(blocks, name)->loop.group;

	return number != 0 ? requests_group(&blocks->requests, number - 1)
			   : add_group(blocks, name);
}

/* Adds a copy of REQUEST to LONGEST. Returns false if there is no memory. */
static bool add_copy(struct array *longest, const struct request *request,
		     const struct gtrace_allocator *memory)
{
	size_t size = request->part_count * sizeof(*request->parts);
	struct request copy = *request;

	copy.parts = size != 0 ? gti_allocate(memory, size) : NULL;
	if (size != 0 && copy.parts == NULL)
		return false;
	if (size != 0)
		memcpy(copy.parts, request->parts, size);
	if (array_add(longest, &copy, sizeof(copy), memory) != NULL)
		return true;
	gti_release(memory, copy.parts, size);
	return false;
}

/* REQUEST of GROUP was ended by goroutine G. */
static void keep_span(struct blocks *blocks, struct request_group *group,
		      const struct request *request, uint64_t g)
{
	const struct request_span span = {
		request->stay.begun, request->stay.length, g, request->stay.g};

	if (blocks->requests.keeps_all &&
	    array_add(&group->spans, &span, sizeof(span), blocks->memory) ==
		    NULL)
		blocks->failed = true;
}

/*
 * REQUEST, which goroutine G ended, belongs to the group of the place with
 * NAME.
 */
void gti_requests_add(struct blocks *blocks, uint32_t name,
		      const struct request *request, uint64_t g)
{
	struct request_group *group = gti_requests_group(blocks, name);
	int64_t length = request->stay.length;
	size_t most = blocks->requests.most, i;
	struct array *longest;

	blocks->failed |= group == NULL;
	if (blocks->failed)
		return;
	group->served += (uint64_t)length;
	if (length > group->greatest)
		group->greatest = length;
	if (length <= blocks->requests.over ||
	    !requests_choose(blocks, request->stay.begun, length))
		return;
	group->count++;
	for (i = 0; i < LIFE_STATES; i++)
		group->times[i] += request->stay.times[i];
	blocks_add_length_of(blocks, &group->lengths, group->count,
			     (uint64_t)group->max, (uint64_t)length);
	if (length > group->max)
		group->max = length;
	keep_span(blocks, group, request, g);
	longest = &group->longest;
	if (longest->count >= most && length < group->least)
		return;
	if (!add_copy(longest, request, blocks->memory))
		blocks->failed = true;
	else if (longest->count / 2 >= most)
		gti_requests_cut(group, most, blocks->memory);
}

/* STAY begins now in LIVED. */
void gti_requests_stay(struct stay *stay, const struct lived *lived)
{
	stay->begun = lived->until;
	stay->g = lived->g;
	memcpy(stay->times, lived->times, sizeof(stay->times));
}

/* STAY, which began in LIVED, has taken all until now. */
void gti_requests_stayed(struct stay *stay, const struct lived *lived)
{
	unsigned i;

	stay->length = ns_between(stay->begun, lived->until);
	if (stay->length < 0) /* in damaged traces */
		stay->length = 0;
	for (i = 0; i < LIFE_STATES; i++)
		stay->times[i] = lived->times[i] - stay->times[i];
}

/* ----------------------------------------------------------------- loops -- */

static uint32_t depth_of(const struct blocks *blocks, uint32_t name)
{
	return blocks_place(blocks, name)->loop.depth;
}

/* Whether the place with NAME is the loop of its root, or can become that. */
static bool can_loop(const struct blocks *blocks, uint32_t name)
{
	uint32_t at = requests_root(blocks, name)->at;

	return at == 0 || at == name + 1 ||
	       depth_of(blocks, at - 1) > depth_of(blocks, name);
}

/* Forgets what SERVER did around places that cannot be loops any more. */
static void forget_places(struct blocks *blocks, struct server *server)
{
	struct serving **link = &server->servings, *serving;

	while ((serving = *link) != NULL) {
		if (can_loop(blocks, serving->at)) {
			link = &serving->next;
			continue;
		}
		*link = serving->next;
		gti_pool_give(&blocks->requests.servings, serving);
	}
}

/* A new one is the first of SERVER. NULL: there is no memory. */
static struct serving *add_serving(struct blocks *blocks, struct server *server)
{
	struct serving *serving = gti_pool_take(&blocks->requests.servings);

	blocks->failed |= serving == NULL;
	if (serving == NULL)
		return NULL;
	serving->next = server->servings;
	server->servings = serving;
	return serving;
}

/*
 * That of SERVER at the place with NAME, where it waits now. If it is new and
 * there are too many, it takes the place of the one with the most calls. NULL:
 * there is no memory.
 */
static struct serving *serving_at(struct blocks *blocks, struct server *server,
				  uint32_t name)
{
	struct serving *serving, *deepest = server->servings;
	size_t count = 0;

	for (serving = deepest; serving != NULL; serving = serving->next) {
		if (serving->at == name)
			return serving;
		if (depth_of(blocks, serving->at) >
		    depth_of(blocks, deepest->at))
			deepest = serving;
		count++;
	}
	serving = count < SERVINGS ? add_serving(blocks, server) : deepest;
	if (serving != NULL)
		*serving = (struct serving){.next = serving->next, .at = name};
	return serving;
}

/* SERVER waits at the place of SERVING, which may turn out to be its loop. */
static void look_for_loop(const struct blocks *blocks, struct server *server,
			  struct serving *serving)
{
	uint32_t depth = depth_of(blocks, serving->at);
	struct serving *other;

	for (other = server->servings; other != NULL; other = other->next)
		if (depth_of(blocks, other->at) > depth)
			other->again = false;
	if (serving->again)
		requests_root(blocks, serving->at)->at = serving->at + 1;
	serving->again = true;
}

/* SERVER waits at the place of SERVING. */
static void begin_wait(struct blocks *blocks, struct server *server,
		       struct serving *serving)
{
	if (!serving->serves && !serving->waits)
		gti_requests_first_wait(blocks, &server->lived, serving);
	if (serving->serves) {
		gti_requests_stayed(&serving->request.stay, &server->lived);
		gti_requests_add(blocks, serving->at, &serving->request,
				 server->lived.g);
	}
	serving->serves = false;
	serving->waits = true;
	serving->waits_since = server->lived.until;
}

void gti_requests_blocked(struct blocks *blocks, const struct block *block)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	uint32_t name = block->place - 1;
	struct serving *serving;
	struct loop_place *root;

	if (server == NULL || !blocks_place(blocks, name)->loop.waits)
		return;
	root = requests_root(blocks, name);
	if (!root->wanted)
		return;
	if (blocks->requests.by_place && root->at == 0)
		root->at = name + 1;
	if (blocks->requests.by_place)
		name = root->at - 1;
	if (!can_loop(blocks, name))
		return;
	forget_places(blocks, server);
	serving = serving_at(blocks, server, name);
	if (serving == NULL)
		return;
	look_for_loop(blocks, server, serving);
	begin_wait(blocks, server, serving);
}

void gti_requests_unblocked(struct blocks *blocks, const struct block *block)
{
	struct server *server = (struct server *)(void *)block->life.lived;
	struct serving *serving = server != NULL ? server->servings : NULL;

	for (; serving != NULL; serving = serving->next) {
		if (!serving->waits)
			continue;
		gti_requests_waited(blocks, &server->lived, serving);
		serving->waits = false;
		serving->serves = true;
		serving->request.parts = serving->parts;
		serving->request.part_count = 0;
		gti_requests_stay(&serving->request.stay, &server->lived);
	}
}

/* A block at PLACE, of LENGTH, is part of what SERVING serves. */
static void add_part(struct serving *serving, uint32_t place, uint64_t length)
{
	struct request_part *parts = serving->parts, *least = parts;
	size_t count = serving->request.part_count, i;

	for (i = 0; i < count && parts[i].place != place; i++)
		if (parts[i].time < least->time)
			least = &parts[i];
	if (i < count) {
		parts[i].time += length;
	} else if (count < REQUEST_PARTS) {
		parts[serving->request.part_count++] =
			(struct request_part){place, length};
	} else if (length > least->time) {
		*least = (struct request_part){place, length};
	}
}

void gti_requests_took(struct lived *lived, uint32_t place, uint64_t length)
{
	struct serving *serving = ((struct server *)(void *)lived)->servings;

	for (; serving != NULL; serving = serving->next)
		if (serving->serves)
			add_part(serving, place, length);
}
