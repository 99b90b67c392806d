/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.c - how many of many times are before certain ones.
 *
 * In a long piece what is asked for is searched; of a short one each time is
 * searched among what is asked for.
 */
#include "run/ranks.h"

#include <stdlib.h>

void gtrace_ranks_init(struct ranks *ranks,
		       const struct gtrace_allocator *memory)
{
	*ranks = (struct ranks){.memory = memory};
}

void gtrace_ranks_free(struct ranks *ranks)
{
	gtrace_array_free(&ranks->times, sizeof(int64_t), ranks->memory);
	gtrace_array_free(&ranks->pieces, sizeof(uint32_t), ranks->memory);
	gtrace_array_free(&ranks->asked, sizeof(int64_t), ranks->memory);
	gtrace_array_free(&ranks->found, sizeof(struct rank), ranks->memory);
}

bool gtrace_ranks_begin_piece(struct ranks *ranks)
{
	struct array *pieces = &ranks->pieces;
	const uint32_t *begun = pieces->items;
	size_t at = ranks->times.count;

	if (pieces->count != 0 && begun[pieces->count - 1] == at)
		return true;
	if (at > UINT32_MAX ||
	    !gtrace_array_reserve(pieces, sizeof(uint32_t), ranks->memory))
		return false;
	((uint32_t *)pieces->items)[pieces->count++] = (uint32_t)at;
	return true;
}

static bool append(struct array *times, int64_t time,
		   const struct gtrace_allocator *memory)
{
	if (!gtrace_array_reserve(times, sizeof(time), memory))
		return false;
	((int64_t *)times->items)[times->count++] = time;
	return true;
}

bool gtrace_ranks_add(struct ranks *ranks, int64_t time)
{
	return append(&ranks->times, time, ranks->memory);
}

bool gtrace_ranks_ask(struct ranks *ranks, int64_t time)
{
	return append(&ranks->asked, time, ranks->memory);
}

/* How many of the COUNT times at SORTED are less than TIME. */
static size_t count_below(const int64_t *sorted, size_t count, int64_t time)
{
	size_t low = 0;

	while (count > 0) {
		size_t half = count / 2;

		if (sorted[low + half] < time) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Brings what is asked for in order, each once. */
static void sort_asked(struct array *asked)
{
	int64_t *times = asked->items;
	size_t count = 0, i;

	if (asked->count == 0)
		return;
	qsort(times, asked->count, sizeof(*times), compare_times);
	for (i = 1; i < asked->count; i++)
		if (times[i] != times[count])
			times[++count] = times[i];
	asked->count = count + 1;
}

/* A rank of nothing for each time that is asked for. */
static bool reserve_found(struct ranks *ranks)
{
	struct array *found = &ranks->found;

	while (found->count < ranks->asked.count) {
		if (!gtrace_array_reserve(found, sizeof(struct rank),
					  ranks->memory))
			return false;
		((struct rank *)found->items)[found->count++] =
			(struct rank){.below = 0};
	}
	return true;
}

/* Counts the COUNT times at PIECE. */
static void look_into(const struct ranks *ranks, const int64_t *piece,
		      size_t count)
{
	const int64_t *asked = ranks->asked.items;
	struct rank *found = ranks->found.items;
	size_t asked_count = ranks->asked.count;
	size_t i, at;

	if (count < asked_count) {
		for (i = 0; i < count; i++) {
			at = count_below(asked, asked_count, piece[i]);
			if (at < asked_count && asked[at] == piece[i])
				found[at++].same++;
			if (at < asked_count)
				found[at].more++;
		}
		return;
	}
	for (i = 0; i < asked_count; i++) {
		at = count_below(piece, count, asked[i]);
		found[i].below += at;
		for (; at < count && piece[at] == asked[i]; at++)
			found[i].same++;
	}
}

bool gtrace_ranks_find(struct ranks *ranks)
{
	const uint32_t *pieces = ranks->pieces.items;
	const int64_t *times = ranks->times.items;
	struct rank *found;
	uint64_t more = 0;
	size_t i, end;

	sort_asked(&ranks->asked);
	if (!reserve_found(ranks))
		return false;
	if (ranks->times.count == 0 || ranks->asked.count == 0)
		return true;
	for (i = 0; i < ranks->pieces.count; i++) {
		end = i + 1 < ranks->pieces.count ? pieces[i + 1]
						  : ranks->times.count;
		look_into(ranks, times + pieces[i], end - pieces[i]);
	}
	found = ranks->found.items;
	for (i = 0; i < ranks->found.count; i++) {
		more += found[i].more;
		found[i].below += more;
	}
	return true;
}

const struct rank *gtrace_ranks_of(const struct ranks *ranks, int64_t time)
{
	return (const struct rank *)ranks->found.items +
	       count_below(ranks->asked.items, ranks->asked.count, time);
}

void gtrace_ranks_clear(struct ranks *ranks)
{
	ranks->times.count = 0;
	ranks->pieces.count = 0;
	ranks->asked.count = 0;
	ranks->found.count = 0;
}
