/* SPDX-License-Identifier: BSD-3-Clause */
/* long_requests.c - times of goroutines, to be asked. */
#include "analysis/long_requests.h"

#include "base/array.h"
#include "base/sort.h"

static struct long_request *time_at(const struct long_requests *all, size_t i)
{
	return (struct long_request *)all->times.items + i;
}

bool gti_long_requests_add(struct long_requests *all,
			   const struct long_request *one)
{
	return array_add(&all->times, one, sizeof(*one), all->memory) != NULL;
}

static int compare_long(const void *a, const void *b)
{
	const struct long_request *x = a, *y = b;

	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Makes one of times that overlap. */
static void unite(struct long_requests *all)
{
	size_t count = 0, i;

	for (i = 0; i < all->times.count; i++) {
		const struct long_request *one = time_at(all, i);
		struct long_request *last =
			count != 0 ? time_at(all, count - 1) : NULL;

		if (last == NULL || last->g != one->g || last->to < one->from)
			*time_at(all, count++) = *one;
		else if (last->to < one->to)
			last->to = one->to;
	}
	all->times.count = count;
}

bool gti_long_requests_index(struct long_requests *all)
{
	size_t i;

	if (all->times.count > 1)
		gti_sort(all->times.items, all->times.count,
			 sizeof(struct long_request), compare_long);
	unite(all);
	for (i = 0; i < all->times.count; i++) {
		uint64_t g = time_at(all, i)->g;
		uint64_t *begin = gti_map_put(&all->by_g, g, all->memory);
		uint64_t *end = gti_map_put(&all->ends, g, all->memory);

		if (begin == NULL || end == NULL)
			return false;
		if (*begin == 0)
			*begin = i + 1;
		*end = i + 1;
	}
	return true;
}

bool gti_long_requests_have(const struct long_requests *all, uint64_t g,
			    int64_t from, int64_t to)
{
	const uint64_t *begin = gti_map_get(&all->by_g, g);
	const struct long_request *times;
	size_t count, until;

	if (begin == NULL)
		return false;
	times = time_at(all, *begin - 1);
	count = (size_t)(*gti_map_get(&all->ends, g) - (*begin - 1));
	/* The last one that begins before the end. */
	until = count_until(times, count, sizeof(*times),
			    offsetof(struct long_request, from),
			    from < to ? to - 1 : to);
	if (until == 0)
		return false;
	return from < to ? times[until - 1].to > from
			 : times[until - 1].to >= from;
}

void gti_long_requests_free(struct long_requests *all)
{
	if (all->memory == NULL)
		return;
	gti_array_free(&all->times, sizeof(struct long_request), all->memory);
	gti_map_free(&all->by_g, all->memory);
	gti_map_free(&all->ends, all->memory);
}
