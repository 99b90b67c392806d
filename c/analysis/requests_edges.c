/* SPDX-License-Identifier: BSD-3-Clause */
/* requests_edges.c - what is between requests, and those that are not whole. */
#include "analysis/requests_parts.h"

#include "base/times.h"

/* The loop of the goroutines of LIVED. NULL: there is none, or no memory. */
static struct request_loop *loop_of(struct blocks *blocks,
				    const struct lived *lived)
{
	uint32_t at = lived->root == 0 || !blocks->requests.settled
			      ? 0
			      : blocks_place(blocks, lived->root - 1)->loop.at;
	struct request_group *group =
		at == 0 ? NULL : gti_requests_group(blocks, at - 1);

	if (group != NULL && group->loop == NULL) {
		group->loop = gti_allocate_zeroed(blocks->memory, 1,
						  sizeof(*group->loop));
		if (group->loop != NULL)
			group->loop->wait_max = -1;
	}
	blocks->failed |= at != 0 && (group == NULL || group->loop == NULL);
	return group == NULL ? NULL : group->loop;
}

/* A goroutine of LOOP, if there is one, has not waited for LENGTH. */
static void add_edge(struct request_loop *loop, int64_t length)
{
	if (loop == NULL || length <= 0)
		return;
	loop->edges++;
	loop->edge_time += (uint64_t)length;
}

static const struct serving *serving_of(const struct lived *lived)
{
	return ((const struct server *)(const void *)lived)->serving;
}

void gti_requests_first_wait(struct blocks *blocks, const struct lived *lived)
{
	add_edge(loop_of(blocks, lived),
		 (int64_t)gti_lives_lived(lived->times));
}

void gti_requests_last(struct blocks *blocks, const struct lived *lived)
{
	const struct serving *serving = serving_of(lived);

	if (serving != NULL && serving->serves)
		add_edge(loop_of(blocks, lived),
			 ns_between(serving->request.stay.begun, lived->until));
}

void gti_requests_waited(struct blocks *blocks, const struct lived *lived)
{
	const struct serving *serving = serving_of(lived);
	struct request_loop *loop = loop_of(blocks, lived);
	int64_t length = ns_between(serving->waits_since, lived->until);

	length = length > 0 ? length : 0;
	if (loop == NULL ||
	    !requests_choose(blocks, serving->waits_since, length))
		return;
	loop->waits++;
	blocks_add_length_of(blocks, &loop->wait_lengths, loop->waits,
			     (uint64_t)loop->wait_max, (uint64_t)length);
	if (length > loop->wait_max)
		loop->wait_max = length;
}

void gti_requests_open(struct blocks *blocks, struct lived *lived,
		       uint32_t place, int64_t ticks)
{
	const struct server *server = (const struct server *)(void *)lived;
	struct request_loop *loop;
	struct stay stay;

	if (server->serving == NULL || !server->serving->serves)
		return;
	loop = loop_of(blocks, lived);
	if (loop == NULL)
		return;
	requests_bring_up(blocks, lived, ticks);
	stay = server->serving->request.stay;
	gti_requests_stayed(&stay, lived);
	if (!requests_choose(blocks, stay.begun, stay.length))
		return;
	if (loop->unended++ != 0 && stay.length <= loop->unended_max)
		return;
	loop->unended_max = stay.length;
	loop->unended_g = stay.g;
	loop->unended_place = place;
}

uint64_t gti_requests_edge_time(const struct request_group *group)
{
	uint64_t longest = (uint64_t)group->greatest;
	const struct request_loop *loop = group->loop;

	if (loop == NULL || loop->edges == 0)
		return 0;
	return loop->edge_time / loop->edges / 2 > longest
		       ? loop->edges * 2 * longest
		       : loop->edge_time;
}
