/* SPDX-License-Identifier: BSD-3-Clause */
/* judged_leaks.c - goroutines that grow in number, and are blocked for ever. */
#include "analysis/causes_parts.h"
#include "analysis/judged.h"
#include "base/array.h"
#include "base/sort.h"
#include "base/times.h"

#define LEAK_LEAST    10
#define LEAK_ENDED    10 /* times as many are not over as are */
#define LEAK_QUARTERS 3

/* Whether the COUNT blocks at OPEN, of one spot, are a leak. Sets LEAK. */
static bool find_leak(const struct judged *judged,
		      const struct cause_open *open, size_t count,
		      struct judged_leak *leak)
{
	const struct causes *causes = judged->causes;
	const struct cause_waits *waits = causes_waits(causes, open->spot);
	unsigned kind = causes_spot(causes, open->spot)->kind;
	uint64_t quarters[4] = {0};
	size_t i;

	*leak = (struct judged_leak){.spot = open->spot};
	if (kind == GTRACE_BLOCK_NETWORK || kind == GTRACE_BLOCK_SLEEP)
		return false;
	for (i = 0; i < count; i++) {
		int64_t after = ns_between(causes->first, open[i].since);

		if (!open[i].created)
			continue;
		leak->count++;
		leak->sum = add_ns(leak->sum,
				   ns_between(open[i].since, causes->last));
		quarters[judged->length / 4 > 0 && after >= 0
				 ? after / (judged->length / 4) < 4
					   ? after / (judged->length / 4)
					   : 3
				 : 0]++;
	}
	for (i = 0; i < LEAK_QUARTERS; i++)
		if (quarters[i] == 0)
			return false;
	return leak->count >= LEAK_LEAST &&
	       waits->count <= leak->count / LEAK_ENDED;
}

static int by_spot(const void *a, const void *b)
{
	const struct cause_open *x = a, *y = b;

	if (x->spot != y->spot)
		return x->spot < y->spot ? -1 : 1;
	return (x->since > y->since) - (x->since < y->since);
}

void gti_judge_leaks(struct judged *judged)
{
	struct array *open = &judged->causes->open;
	struct cause_open *items = open->items;
	struct judged_leak leak;
	size_t i, end;

	for (i = 0; i < open->count; i++)
		items[i].spot = causes_first(judged->causes, items[i].spot);
	if (open->count > 1)
		gti_sort(open->items, open->count, sizeof(*items), by_spot);
	for (i = 0; i < open->count; i = end) {
		for (end = i + 1; end < open->count; end++)
			if (items[end].spot != items[i].spot)
				break;
		if (find_leak(judged, items + i, end - i, &leak) &&
		    array_add(&judged->leaks, &leak, sizeof(leak),
			      judged->causes->memory) == NULL)
			judged->failed = true;
	}
}
