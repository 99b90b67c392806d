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

void gti_waits_count(struct waits *waits, uint32_t type, uint64_t length,
		     uint64_t busy, uint64_t stopped)
{
	struct wait_counts *row = &waits->rows[type];
	struct array *longer = &waits->longer;

	if (UNLIKELY(row->counts == NULL) && !prepare_row(waits, row))
		return;
	row->busy += busy;
	row->stopped += stopped;
	if (length < WAIT_SHORT)
		row->counts[length]++;
	else if (LIKELY(longer->count < longer->capacity) || make_room(waits))
		((struct sort_item *)longer->items)[longer->count++] =
			(struct sort_item){(int64_t)length, type};
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

#define QUANTILES 3

/* A row while waits are added to it, in the order of their lengths. */
struct summing {
	struct wait_row *row;
	uint64_t seen; /* waits so far */
	/*
	 * The number, from 1, of the wait that is the first quantile, of that
	 * which is the second and so on, and then one that no wait has.
	 */
	uint64_t ranks[QUANTILES + 1];
	int64_t lengths[QUANTILES]; /* of these */
	unsigned found;
};

static uint64_t rank_of(uint64_t count, unsigned permille)
{
	return count / 1000 * permille + (count % 1000 * permille + 999) / 1000;
}

/* Begins with ROW, the count of which is known. */
static void begin_row(struct summing *summing, struct wait_row *row)
{
	*summing = (struct summing){
		.row = row,
		.ranks = {rank_of(row->count, 500), rank_of(row->count, 990),
			  rank_of(row->count, 999), UINT64_MAX},
	};
}

/* Adds COUNT waits of LENGTH. */
static inline void add_waits(struct summing *summing, int64_t length,
			     uint64_t count)
{
	summing->seen += count;
	while (summing->seen >= summing->ranks[summing->found])
		summing->lengths[summing->found++] = length;
	summing->row->max = length;
	summing->row->sum = (int64_t)((uint64_t)summing->row->sum +
				      (uint64_t)length * count);
}

static void end_row(struct summing *summing)
{
	struct wait_row *row = summing->row;

	row->median = summing->lengths[0];
	row->p99 = summing->lengths[1];
	row->p999 = summing->lengths[2];
	row->idle = row->sum - row->busy - row->stopped;
}

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
 * Sorts the waits that are not short, digit by digit: there can be many.
 * Returns false if there is no memory.
 */
static bool sort_longer(struct waits *waits)
{
	struct array *longer = &waits->longer;
	size_t size = longer->capacity * sizeof(struct sort_item), i;
	struct sort_item *from = longer->items;
	struct sort_item *to = gti_allocate(waits->memory, size);
	uint64_t bits = 0;
	unsigned shift;

	if (to == NULL)
		return size == 0;
	for (i = 0; i < longer->count; i++)
		bits |= (uint64_t)from[i].key;
	for (shift = 0; shift < 64 && bits >> shift != 0; shift += DIGIT_BITS) {
		sort_by_digit(from, to, longer->count, shift);
		longer->items = to;
		to = from;
		from = longer->items;
	}
	gti_release(waits->memory, to, size);
	return true;
}

/* The rows of all types that have whole waits, and one of all of them. */
struct table {
	struct summing rows[WAIT_ROWS_MAX];
	struct summing all;
	uint32_t types[WAIT_ROWS_MAX]; /* of these rows */
	uint8_t row_of[WAIT_ROWS_MAX]; /* the number of a type's row */
	size_t count;
};

/* Sums up what is known of each row without looking at lengths. */
static void begin_table(const struct waits *waits, struct table *table,
			struct wait_results *results)
{
	const struct sort_item *longer = waits->longer.items;
	struct wait_row *all = &results->all;
	uint32_t type;
	size_t i;

	for (type = 1; type < WAIT_ROWS_MAX; type++) {
		const struct wait_counts *counts = &waits->rows[type];
		struct wait_row *row = &results->rows[table->count];

		if (counts->counts == NULL)
			continue;
		*row = (struct wait_row){.type = type,
					 .busy = (int64_t)counts->busy,
					 .stopped = (int64_t)counts->stopped};
		for (i = 0; i < WAIT_SHORT; i++)
			row->count += counts->counts[i];
		all->busy = (int64_t)((uint64_t)all->busy + counts->busy);
		all->stopped =
			(int64_t)((uint64_t)all->stopped + counts->stopped);
		table->row_of[type] = (uint8_t)table->count;
		table->types[table->count++] = type;
	}
	for (i = 0; i < waits->longer.count; i++)
		results->rows[table->row_of[longer[i].value]].count++;
	results->row_count = table->count;
}

/* Adds the waits of all rows. */
static void fill_table(const struct waits *waits, struct table *table)
{
	const struct sort_item *longer = waits->longer.items;
	size_t i, row;

	for (i = 0; i < WAIT_SHORT; i++)
		for (row = 0; row < table->count; row++) {
			uint64_t count =
				waits->rows[table->types[row]].counts[i];

			if (count == 0)
				continue;
			add_waits(&table->rows[row], (int64_t)i, count);
			add_waits(&table->all, (int64_t)i, count);
		}
	for (i = 0; i < waits->longer.count; i++) {
		row = table->row_of[longer[i].value];
		add_waits(&table->rows[row], longer[i].key, 1);
		add_waits(&table->all, longer[i].key, 1);
	}
}

bool gti_waits_rows(struct waits *waits, struct wait_results *results)
{
	struct table table = {.count = 0};
	size_t i;

	if (!sort_longer(waits))
		return false;
	begin_table(waits, &table, results);
	for (i = 0; i < table.count; i++) {
		results->all.count += results->rows[i].count;
		begin_row(&table.rows[i], &results->rows[i]);
	}
	begin_row(&table.all, &results->all);
	fill_table(waits, &table);
	for (i = 0; i < table.count; i++)
		end_row(&table.rows[i]);
	end_row(&table.all);
	results->whole = results->all.count;
	return true;
}
