/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_rows.c - how the lengths of waits are distributed, by the type of the
 * event that began them.
 *
 * Quantiles are exact. So short lengths are counted one by one, and the others,
 * which hardly ever are equal, are kept.
 */
#include "analysis/waits_hooks.h"
#include "base/sort.h"

static struct wait_counts *counts_of(struct waits *waits, uint32_t type)
{
	struct wait_counts **counts = &waits->rows[type];

	if (*counts == NULL)
		*counts =
			gti_allocate_zeroed(waits->memory, 1, sizeof(**counts));
	return *counts;
}

/* Adds COUNT waits of LENGTH, which is short. */
static bool count_short(struct waits *waits, struct wait_counts *counts,
			uint64_t length, uint64_t count)
{
	uint64_t **page = &counts->pages[length >> COUNTS_PAGE_SHIFT];

	if (*page == NULL)
		*page = gti_allocate_zeroed(waits->memory, COUNTS_PAGE,
					    sizeof(**page));
	if (*page == NULL)
		return false;
	(*page)[length % COUNTS_PAGE] += count;
	return true;
}

static bool count_long(struct waits *waits, struct wait_counts *counts,
		       int64_t length)
{
	struct array *longer = &counts->longer;

	if (!gti_array_reserve(longer, sizeof(length), waits->memory))
		return false;
	((int64_t *)longer->items)[longer->count++] = length;
	return true;
}

bool gti_waits_count(struct waits *waits, uint32_t type,
		     const struct wait *wait)
{
	struct wait_counts *counts = counts_of(waits, type);

	if (counts == NULL)
		return false;
	counts->busy += (uint64_t)wait->busy;
	counts->stopped += (uint64_t)wait->stopped;
	return (uint64_t)wait->length < WAIT_SHORT
		       ? count_short(waits, counts, (uint64_t)wait->length, 1)
		       : count_long(waits, counts, wait->length);
}

void gti_waits_free_rows(struct waits *waits)
{
	unsigned i, j;

	for (i = 0; i < WAIT_ROWS_MAX; i++) {
		struct wait_counts *counts = waits->rows[i];

		if (counts == NULL)
			continue;
		for (j = 0; j < COUNTS_PAGES; j++)
			gti_release(waits->memory, counts->pages[j],
				    COUNTS_PAGE * sizeof(**counts->pages));
		gti_array_free(&counts->longer, sizeof(int64_t), waits->memory);
		gti_release(waits->memory, counts, sizeof(*counts));
		waits->rows[i] = NULL;
	}
}

/* ------------------------------------------------------------- quantiles -- */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* Adds the waits of COUNTS to ROW, except for quantiles. */
static void sum_up(const struct wait_counts *counts, struct wait_row *row)
{
	const int64_t *longer = counts->longer.items;
	uint64_t sum = 0, i, j;

	for (i = 0; i < COUNTS_PAGES; i++) {
		const uint64_t *page = counts->pages[i];

		for (j = 0; page != NULL && j < COUNTS_PAGE; j++) {
			if (page[j] == 0)
				continue;
			row->max = (int64_t)(i << COUNTS_PAGE_SHIFT | j);
			row->count += page[j];
			sum += page[j] * (uint64_t)row->max;
		}
	}
	for (i = 0; i < counts->longer.count; i++) {
		sum += (uint64_t)longer[i];
		if (longer[i] > row->max)
			row->max = longer[i];
	}
	row->count += counts->longer.count;
	row->sum = (int64_t)sum;
	row->busy = (int64_t)counts->busy;
	row->stopped = (int64_t)counts->stopped;
	row->idle = row->sum - row->busy - row->stopped;
}

/* The length of the wait number RANK, from 1; the longer ones are sorted. */
static int64_t length_at(const struct wait_counts *counts, uint64_t rank)
{
	uint64_t i, j;

	for (i = 0; i < COUNTS_PAGES; i++) {
		const uint64_t *page = counts->pages[i];

		for (j = 0; page != NULL && j < COUNTS_PAGE; j++) {
			if (page[j] >= rank)
				return (int64_t)(i << COUNTS_PAGE_SHIFT | j);
			rank -= page[j];
		}
	}
	return ((const int64_t *)counts->longer.items)[rank - 1];
}

static uint64_t rank_of(uint64_t count, unsigned permille)
{
	return count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
}

/* Fills in ROW, of waits that begin with an event of TYPE. */
static void make_row(const struct wait_counts *counts, uint32_t type,
		     struct wait_row *row)
{
	*row = (struct wait_row){.type = type};
	sum_up(counts, row);
	gti_sort(counts->longer.items, counts->longer.count, sizeof(int64_t),
		 compare);
	row->median = length_at(counts, rank_of(row->count, 500));
	row->p99 = length_at(counts, rank_of(row->count, 990));
	row->p999 = length_at(counts, rank_of(row->count, 999));
}

/* Adds the waits of FROM to TO. */
static bool add_counts(struct waits *waits, struct wait_counts *to,
		       const struct wait_counts *from)
{
	const int64_t *longer = from->longer.items;
	uint64_t i, j;

	for (i = 0; i < COUNTS_PAGES; i++)
		for (j = 0; from->pages[i] != NULL && j < COUNTS_PAGE; j++)
			if (from->pages[i][j] != 0 &&
			    !count_short(waits, to, i << COUNTS_PAGE_SHIFT | j,
					 from->pages[i][j]))
				return false;
	for (i = 0; i < from->longer.count; i++)
		if (!count_long(waits, to, longer[i]))
			return false;
	to->busy += from->busy;
	to->stopped += from->stopped;
	return true;
}

bool gti_waits_rows(struct waits *waits, struct wait_results *results)
{
	struct wait_counts *all;
	uint32_t type;

	/* No wait of a row has the type 0. */
	all = counts_of(waits, 0);
	if (all == NULL)
		return false;
	for (type = 1; type < WAIT_ROWS_MAX; type++) {
		const struct wait_counts *counts = waits->rows[type];

		if (counts == NULL)
			continue;
		make_row(counts, type, &results->rows[results->row_count++]);
		if (!add_counts(waits, all, counts))
			return false;
	}
	if (results->row_count != 0)
		make_row(all, 0, &results->all);
	results->whole = results->all.count;
	return true;
}
