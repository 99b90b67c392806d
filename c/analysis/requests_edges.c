/* SPDX-License-Identifier: BSD-3-Clause */
/* requests_edges.c - what is between requests, and those that are not whole. */
#include "analysis/requests_parts.h"

#include "base/times.h"

/*
 * What is kept of the place of SERVING. NULL: it is not known that LIVED began
 * in its root, or there is no memory.
 */
static struct request_loop *loop_of(struct blocks *blocks,
				    const struct lived *lived,
				    const struct serving *serving)
{
	bool is_known =
		lived->root == blocks_place(blocks, serving->at)->root + 1;
	struct request_group *group =
		is_known ? gti_requests_group(blocks, serving->at) : NULL;

	if (group != NULL && group->loop == NULL) {
		group->loop = gti_allocate_zeroed(blocks->memory, 1,
						  sizeof(*group->loop));
		if (group->loop != NULL)
			group->loop->wait_max = -1;
	}
	blocks->failed |= is_known && (group == NULL || group->loop == NULL);
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

void gti_requests_first_wait(struct blocks *blocks, const struct lived *lived,
			     const struct serving *serving)
{
	add_edge(loop_of(blocks, lived, serving),
		 (int64_t)gti_lives_lived(lived->times));
}

void gti_requests_last(struct blocks *blocks, const struct lived *lived,
		       const struct serving *serving)
{
	if (serving->serves)
		add_edge(loop_of(blocks, lived, serving),
			 ns_between(serving->request.stay.begun, lived->until));
}

void gti_requests_waited(struct blocks *blocks, const struct lived *lived,
			 const struct serving *serving)
{
	struct request_loop *loop = loop_of(blocks, lived, serving);
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

/* What SERVING serves is not over, see gti_requests_open(). */
static void add_unended(struct blocks *blocks, const struct lived *lived,
			const struct serving *serving, uint32_t place)
{
	struct request_loop *loop = loop_of(blocks, lived, serving);
	struct stay stay = serving->request.stay;

	if (loop == NULL)
		return;
	gti_requests_stayed(&stay, lived);
	if (!requests_choose(blocks, stay.begun, stay.length))
		return;
	if (loop->unended++ != 0 && stay.length <= loop->unended_max)
		return;
	loop->unended_max = stay.length;
	loop->unended_g = stay.g;
	loop->unended_place = place;
}

void gti_requests_open(struct blocks *blocks, struct lived *lived,
		       uint32_t place, int64_t ticks)
{
	const struct server *server = (const struct server *)(void *)lived;
	const struct serving *serving = server->servings;

	if (serving != NULL)
		requests_bring_up(blocks, lived, ticks);
	for (; serving != NULL; serving = serving->next)
		if (serving->serves)
			add_unended(blocks, lived, serving, place);
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
