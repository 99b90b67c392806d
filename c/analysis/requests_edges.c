/* SPDX-License-Identifier: BSD-3-Clause */
/* requests_edges.c - what is between requests, and those that are not whole. */
#include "analysis/requests_parts.h"

#include "base/times.h"

/* The group of the loop of the goroutines of LIVED. NULL: there is none. */
static struct request_group *group_of(struct blocks *blocks,
				      const struct lived *lived)
{
	uint32_t at = lived->root == 0 || !blocks->requests.settled
			      ? 0
			      : blocks_place(blocks, lived->root - 1)->loop.at;
	struct request_group *group =
		at == 0 ? NULL : gti_requests_group(blocks, at - 1);

	blocks->failed |= at != 0 && group == NULL;
	return group;
}

uint64_t gti_requests_lived(const uint64_t times[LIFE_STATES])
{
	struct gtrace_times sum;

	gti_lives_sum(times, 0, &sum);
	return (uint64_t)sum.lived;
}

/* A goroutine of GROUP, if there is one, has not waited for LENGTH. */
static void add_edge(struct request_group *group, int64_t length)
{
	if (group == NULL || length <= 0)
		return;
	group->edges++;
	group->edge_time += (uint64_t)length;
}

static const struct serving *serving_of(const struct lived *lived)
{
	return ((const struct server *)(const void *)lived)->serving;
}

void gti_requests_first_wait(struct blocks *blocks, const struct lived *lived)
{
	add_edge(group_of(blocks, lived),
		 (int64_t)gti_requests_lived(lived->times));
}

void gti_requests_last(struct blocks *blocks, const struct lived *lived)
{
	const struct serving *serving = serving_of(lived);

	if (serving != NULL && serving->serves)
		add_edge(group_of(blocks, lived),
			 ns_between(serving->request.stay.begun, lived->until));
}

void gti_requests_waited(struct blocks *blocks, const struct lived *lived)
{
	const struct serving *serving = serving_of(lived);
	struct request_group *group = group_of(blocks, lived);
	int64_t length = ns_between(serving->waits_since, lived->until);

	if (group == NULL)
		return;
	length = length > 0 ? length : 0;
	group->waits++;
	blocks_add_length_of(blocks, &group->wait_lengths, group->waits,
			     (uint64_t)group->wait_max, (uint64_t)length);
	if (length > group->wait_max)
		group->wait_max = length;
}

void gti_requests_open(struct blocks *blocks, struct lived *lived,
		       uint32_t place, int64_t ticks)
{
	const struct server *server = (const struct server *)(void *)lived;
	struct request_group *group;
	struct stay stay;

	if (server->serving == NULL || !server->serving->serves)
		return;
	group = group_of(blocks, lived);
	if (group == NULL)
		return;
	requests_bring_up(blocks, lived, ticks);
	stay = server->serving->request.stay;
	gti_requests_stayed(&stay, lived);
	if (group->unended++ != 0 &&
	    stay.length <= group->unended_longest.length)
		return;
	group->unended_longest = stay;
	group->unended_place = place;
}

uint64_t gti_requests_edge_time(const struct request_group *group)
{
	uint64_t longest = group->max > 0 ? (uint64_t)group->max : 0;

	return group->edges != 0 &&
			       group->edge_time / group->edges / 2 > longest
		       ? group->edges * 2 * longest
		       : group->edge_time;
}
