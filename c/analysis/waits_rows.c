/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits_rows.c - how the lengths of waits are distributed, by the type of the
 * event that began them.
 *
 * Quantiles are exact. So short lengths are counted one by one, and the others,
 * which hardly ever are equal, are kept.
 */
#include "analysis/lengths.h"
#include "analysis/waits_hooks.h"
#include "base/sort.h"

/* Waits of ROW that are shorter than LEAST, and short, need only be counted. */
static void set_fast(const struct waits *waits, struct wait_counts *row,
		     int64_t least)
{
	row->fast = 0;
	if (row->counts != NULL && !waits_takes_all(waits))
		row->fast = least < WAIT_SHORT ? (uint64_t)least : WAIT_SHORT;
}

void gti_waits_set_least(struct waits *waits, int64_t least)
{
	unsigned i;

	waits->least_length = least;
	for (i = 0; i < WAIT_BEFORE; i++)
		set_fast(waits, &waits->rows[i], least);
}

static NOINLINE bool prepare_row(struct waits *waits, struct wait_counts *row)
{
	row->counts = gti_allocate_zeroed(waits->memory, WAIT_SHORT,
					  sizeof(*row->counts));
	waits->failed |= row->counts == NULL;
	set_fast(waits, row, waits->least_length);
	return row->counts != NULL;
}

static NOINLINE bool make_room(struct waits *waits)
{
	if (!gti_array_reserve(&waits->longer, sizeof(struct sort_item),
			       waits->memory))
		waits->failed = true;
	return !waits->failed;
}

void gti_waits_count(struct waits *waits, struct wait_counts *row,
		     uint64_t length, uint64_t busy, uint64_t stopped)
{
	struct array *longer = &waits->longer;

	if (UNLIKELY(row->counts == NULL) && !prepare_row(waits, row))
		return;
	row->busy += busy;
	row->stopped += stopped;
	if (length < WAIT_SHORT)
		row->counts[length]++;
	else if (LIKELY(longer->count < longer->capacity) || make_room(waits))
		((struct sort_item *)longer->items)[longer->count++] =
			(struct sort_item){(int64_t)length,
					   (uint32_t)(row - waits->rows)};
}

void gti_waits_free_rows(struct waits *waits)
{
	unsigned i;

	for (i = 0; i < WAIT_BEFORE; i++)
		gti_release(waits->memory, waits->rows[i].counts,
			    WAIT_SHORT * sizeof(*waits->rows[i].counts));
	gti_array_free(&waits->longer, sizeof(struct sort_item), waits->memory);
}

/* ------------------------------------------------------------- quantiles -- */

#define DIGIT_BITS 11

static inline size_t digit_at(const struct sort_item *item, unsigned shift)
{
	return (uint64_t)item->key >> shift & ((1 << DIGIT_BITS) - 1);
}

/* Moves the COUNT items FROM to TO, by the digit of their keys at SHIFT. */
static void sort_by_digit(const struct sort_item *from, struct sort_item *to,
			  size_t count, unsigned shift)
{
	size_t places[1 << DIGIT_BITS] = {0}, place = 0, i;

	for (i = 0; i < count; i++)
		places[digit_at(&from[i], shift)]++;
	for (i = 0; i < 1 << DIGIT_BITS; i++) {
		place += places[i];
		places[i] = place - places[i];
	}
	for (i = 0; i < count; i++)
		to[places[digit_at(&from[i], shift)]++] = from[i];
}

/*
 * Sorts the waits that are not short, digit by digit: there can be many. SPARE
 * holds as many. Returns these two, the sorted one first.
 */
static void sort_longer(struct waits *waits, struct sort_item **spare)
{
	struct array *longer = &waits->longer;
	struct sort_item *from = longer->items;
	uint64_t bits = 0;
	unsigned shift;
	size_t i;

	for (i = 0; i < longer->count; i++)
		bits |= (uint64_t)from[i].key;
	for (shift = 0; shift < 64 && bits >> shift != 0; shift += DIGIT_BITS) {
		sort_by_digit(from, *spare, longer->count, shift);
		longer->items = *spare;
		*spare = from;
		from = longer->items;
	}
}

/* The waits of a row, by length. */
struct distribution {
	const uint64_t *counts; /* of the short ones */
	uint64_t shorts;        /* how many these are */
	const struct sort_item *longer;
	size_t count; /* of the longer ones */
};

static int64_t quantile(const struct distribution *of, unsigned permille)
{
	uint64_t rank = lengths_rank(of->shorts + of->count, permille);
	int64_t length = 0;

	if (rank > of->shorts)
		return of->longer[rank - of->shorts - 1].key;
	while (rank > of->counts[length])
		rank -= of->counts[length++];
	return length;
}

/* Fills in ROW, the busy and stopped time of which is known. */
static void fill_row(struct gtrace_wait_row *row, struct distribution *of)
{
	uint64_t sum = 0, i;

	for (i = 0; i < WAIT_SHORT; i++) {
		if (of->counts[i] == 0)
			continue;
		of->shorts += of->counts[i];
		sum += of->counts[i] * i;
		row->max = (int64_t)i;
	}
	for (i = 0; i < of->count; i++)
		sum += (uint64_t)of->longer[i].key;
	if (of->count != 0)
		row->max = of->longer[of->count - 1].key;
	row->count = of->shorts + of->count;
	row->sum = (int64_t)sum;
	row->median = quantile(of, 500);
	row->p99 = quantile(of, 990);
	row->p999 = quantile(of, 999);
	row->idle = row->sum - row->busy - row->stopped;
}

/* Fills in the row of TYPE. ITEMS holds as many as are not short. */
static void fill_type(const struct waits *waits, uint32_t type,
		      struct sort_item *items, struct gtrace_wait_row *row)
{
	const struct wait_counts *counts = &waits->rows[type];
	const struct sort_item *longer = waits->longer.items;
	struct distribution of = {.counts = counts->counts, .longer = items};
	size_t i;

	for (i = 0; i < waits->longer.count; i++) {
		items[of.count] = longer[i];
		of.count += longer[i].value == type;
	}
	*row = (struct gtrace_wait_row){
		.busy = (int64_t)counts->busy,
		.stopped = (int64_t)counts->stopped,
	};
	fill_row(row, &of);
}

/* Adds the waits of TYPE to the last ones of ALL, which then are those. */
static void join(struct waits *waits, uint32_t type, struct distribution *all,
		 struct gtrace_wait_row *row)
{
	struct wait_counts *counts = &waits->rows[type];
	size_t i;

	for (i = 0; all->counts != NULL && i < WAIT_SHORT; i++)
		counts->counts[i] += all->counts[i];
	all->counts = counts->counts;
	row->busy = (int64_t)((uint64_t)row->busy + counts->busy);
	row->stopped = (int64_t)((uint64_t)row->stopped + counts->stopped);
}

bool gti_waits_rows(struct waits *waits, struct wait_results *results)
{
	struct array *longer = &waits->longer;
	size_t size = longer->capacity * sizeof(struct sort_item);
	struct sort_item *spare = gti_allocate(waits->memory, size);
	struct distribution all = {.count = longer->count};
	uint32_t type;

	if (spare == NULL && size != 0)
		return false;
	sort_longer(waits, &spare);
	all.longer = longer->items;
	for (type = 1; type < WAIT_BEFORE; type++) {
		if (waits->rows[type].counts == NULL)
			continue;
		results->types[results->row_count] = type;
		fill_type(waits, type, spare,
			  &results->rows[results->row_count++]);
		join(waits, type, &all, &results->sums.all);
	}
	if (all.counts != NULL)
		fill_row(&results->sums.all, &all);
	results->sums.whole = results->sums.all.count;
	gti_release(waits->memory, spare, size);
	return true;
}
