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

void gti_long_requests_sort(struct long_requests *all)
{
	if (all->times.count > 1)
		gti_sort(all->times.items, all->times.count,
			 sizeof(struct long_request), compare_long);
	unite(all);
}

/* The last time of G that begins AT a time or before. NULL: there is none. */
static const struct long_request *find_last(const struct long_requests *all,
					    uint64_t g, int64_t at)
{
	const struct long_request key = {.g = g, .from = at};
	size_t low = 0, high = all->times.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_long(time_at(all, middle), &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low != 0 && time_at(all, low - 1)->g == g ? time_at(all, low - 1)
							 : NULL;
}

bool gti_long_requests_have(const struct long_requests *all, uint64_t g,
			    int64_t from, int64_t to)
{
	const struct long_request *last =
		find_last(all, g, from < to ? to - 1 : to);

	if (last == NULL)
		return false;
	return from < to ? last->to > from : last->to >= from;
}

void gti_long_requests_free(struct long_requests *all)
{
	if (all->memory == NULL)
		return;
	gti_array_free(&all->times, sizeof(struct long_request), all->memory);
}
