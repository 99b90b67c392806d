/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.c - sorts in place.
 *
 * Go's sorts must make the same comparisons and swaps as in Go, because these
 * decide the order of equal keys. Ranges of items are half-open, from LO to
 * before HI.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

/* -------------------------------------------------- elements of any size -- */

/* Swaps two structs. The size of one is a multiple of that of a pointer. */
static void swap_words(unsigned char *a, unsigned char *b, size_t size)
{
	size_t i;

	for (i = 0; i < size; i += sizeof(uintptr_t)) {
		uintptr_t x, y;

		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		memcpy(a + i, &y, sizeof(y));
		memcpy(b + i, &x, sizeof(x));
	}
}

/* Moves element AT of a heap down to its place. */
static void move_down(unsigned char *e, size_t at, size_t count, size_t size,
		      compare_function *compare)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= count)
			return;
		if (child + 1 < count &&
		    compare(e + child * size, e + (child + 1) * size) < 0)
			child++;
		if (compare(e + at * size, e + child * size) >= 0)
			return;
		swap_words(e + at * size, e + child * size, size);
		at = child;
	}
}

void gti_heap_down(void *elements, size_t count, size_t size,
		   compare_function *compare)
{
	move_down(elements, 0, count, size, compare);
}

void gti_heap_up(void *elements, size_t count, size_t size,
		 compare_function *compare)
{
	unsigned char *e = elements;
	size_t at = count - 1, parent;

	for (; at > 0; at = parent) {
		parent = (at - 1) / 2;
		if (compare(e + parent * size, e + at * size) >= 0)
			return;
		swap_words(e + parent * size, e + at * size, size);
	}
}

void gti_sort(void *elements, size_t count, size_t size,
	      compare_function *compare)
{
	unsigned char *e = elements;
	size_t i;

	for (i = count / 2; i-- > 0;)
		move_down(e, i, count, size, compare);
	for (i = count; i-- > 1;) {
		swap_words(e, e + i * size, size);
		move_down(e, 0, i, size, compare);
	}
}

/* --------------------------------------------------- parts of Go's sorts -- */

/* Up to this many items are sorted by insertion. */
#define INSERTION_MAX 12

static size_t bit_length(size_t n)
{
	return n == 0 ? 0 : 1 + highest_bit(n);
}

static inline bool less(const struct sort_item *a, const struct sort_item *b)
{
	return a->key < b->key;
}

static inline void swap(struct sort_item *a, struct sort_item *b)
{
	struct sort_item moved = *a;

	*a = *b;
	*b = moved;
}

static int compare_keys(const void *a, const void *b)
{
	return less(b, a) - less(a, b);
}

static void sort_by_heap(struct sort_item *e, size_t lo, size_t hi)
{
	gti_sort(e + lo, hi - lo, sizeof(*e), compare_keys);
}

static void sort_by_insertion(struct sort_item *e, size_t lo, size_t hi)
{
	size_t i, at;

	for (i = lo + 1; i < hi; i++) {
		struct sort_item moved = e[i];

		for (at = i; at > lo && moved.key < e[at - 1].key; at--)
			e[at] = e[at - 1];
		e[at] = moved;
	}
}

/* -------------------------------------------------- quicksort, as Go 1.8 -- */

/* Ranges longer than this get their pivot from nine items, not from three. */
#define QUICK_NINE_ABOVE 40
/* The last, short ranges are first swapped over this distance. */
#define QUICK_GAP 6
/* Fewer items than this, from the pivot's equals on: expect many equals. */
#define QUICK_FEW 5

/* Sorts three items so that the median is at X. */
static void sort_three(struct sort_item *x, struct sort_item *y,
		       struct sort_item *z)
{
	if (less(x, y))
		swap(x, y);
	if (less(z, x)) {
		swap(z, x);
		if (less(x, y))
			swap(x, y);
	}
}

static void pivot_to_front(struct sort_item *e, size_t lo, size_t hi)
{
	size_t middle = lo + (hi - lo) / 2, last = hi - 1;
	size_t step = (hi - lo) / 8;

	if (hi - lo > QUICK_NINE_ABOVE) {
		sort_three(&e[lo], &e[lo + step], &e[lo + 2 * step]);
		sort_three(&e[middle], &e[middle - step], &e[middle + step]);
		sort_three(&e[last], &e[last - step], &e[last - 2 * step]);
	}
	sort_three(&e[lo], &e[middle], &e[last]);
}

/*
 * The first item of the range is the pivot, and the items in [*b, *c) equal it.
 * Adds up to three others that do, and returns their number.
 */
static unsigned find_equals(struct sort_item *e, size_t lo, size_t hi,
			    size_t *b, size_t *c)
{
	const struct sort_item *pivot = &e[lo];
	size_t middle = lo + (hi - lo) / 2;
	unsigned found = 0;

	if (!less(pivot, &e[hi - 1])) {
		swap(&e[*c], &e[hi - 1]);
		(*c)++;
		found++;
	}
	if (!less(&e[*b - 1], pivot)) {
		(*b)--;
		found++;
	}
	if (!less(&e[middle], pivot)) {
		swap(&e[middle], &e[*b - 1]);
		(*b)--;
		found++;
	}
	return found;
}

/* Moves the pivot's equals in [a, b) to its end. Returns where they begin. */
static size_t gather_equals(struct sort_item *e, const struct sort_item *pivot,
			    size_t a, size_t b)
{
	for (;;) {
		while (a < b && !less(&e[b - 1], pivot))
			b--;
		while (a < b && less(&e[a], pivot))
			a++;
		if (a >= b)
			return b;
		swap(&e[a++], &e[--b]);
	}
}

/*
 * Moves items less than a pivot to the front of the range, greater ones to its
 * end, and the pivot, with all or some of its equals, to [*first, *last).
 */
static void quick_partition(struct sort_item *e, size_t lo, size_t hi,
			    size_t *first, size_t *last)
{
	const struct sort_item *pivot = &e[lo];
	size_t a = lo + 1, b, c = hi - 1;
	bool many_equals;

	pivot_to_front(e, lo, hi);
	while (a < c && less(&e[a], pivot))
		a++;
	for (b = a;;) {
		while (b < c && !less(pivot, &e[b]))
			b++;
		while (b < c && less(pivot, &e[c - 1]))
			c--;
		if (b >= c)
			break;
		swap(&e[b++], &e[--c]);
	}
	many_equals = hi - c < QUICK_FEW;
	if (!many_equals && hi - c < (hi - lo) / 4)
		many_equals = find_equals(e, lo, hi, &b, &c) > 1;
	if (many_equals)
		b = gather_equals(e, pivot, a, b);
	swap(&e[lo], &e[b - 1]);
	*first = b - 1;
	*last = c;
}

static void quick(struct sort_item *e, size_t lo, size_t hi, size_t depth)
{
	size_t first, last, i;

	while (hi - lo > INSERTION_MAX) {
		if (depth-- == 0) {
			sort_by_heap(e, lo, hi);
			return;
		}
		quick_partition(e, lo, hi, &first, &last);
		if (first - lo < hi - last) {
			quick(e, lo, first, depth);
			lo = last;
		} else {
			quick(e, last, hi, depth);
			hi = first;
		}
	}
	for (i = lo + QUICK_GAP; i < hi; i++)
		if (less(&e[i], &e[i - QUICK_GAP]))
			swap(&e[i], &e[i - QUICK_GAP]);
	sort_by_insertion(e, lo, hi);
}

void gti_sort_go1_8(struct sort_item *items, size_t count)
{
	quick(items, 0, count, 2 * bit_length(count));
}

/* ------------------------------------------ pdqsort, as Go 1.19 and 1.27 -- */

/* Shorter ranges get their pivot from three items, longer ones from nine. */
#define PDQ_NINE_FROM 50
/* Swaps that choosing a pivot from nine items takes at most. */
#define PDQ_SWAPS_MAX 12
/* Longer ranges may have this many items moved to see whether that sorts. */
#define PDQ_MOVES 5

enum hint { HINT_NONE, HINT_RISING, HINT_FALLING };

/* Returns the index of the median. Adds the swaps needed to *SWAPS. */
static size_t median(const struct sort_item *e, size_t a, size_t b, size_t c,
		     unsigned *swaps)
{
	size_t moved;

	if (less(&e[b], &e[a])) {
		moved = a;
		a = b;
		b = moved;
		++*swaps;
	}
	if (less(&e[c], &e[b])) {
		b = c;
		++*swaps;
		if (less(&e[b], &e[a])) {
			b = a;
			++*swaps;
		}
	}
	return b;
}

static size_t choose_pivot(const struct sort_item *e, size_t lo, size_t hi,
			   enum hint *hint)
{
	size_t quarter = (hi - lo) / 4, pivot;
	size_t i = lo + quarter, j = i + quarter, k = j + quarter;
	unsigned swaps = 0;

	if (hi - lo >= PDQ_NINE_FROM) {
		i = median(e, i - 1, i, i + 1, &swaps);
		j = median(e, j - 1, j, j + 1, &swaps);
		k = median(e, k - 1, k, k + 1, &swaps);
	}
	pivot = median(e, i, j, k, &swaps);
	*hint = swaps == 0               ? HINT_RISING
		: swaps == PDQ_SWAPS_MAX ? HINT_FALLING
					 : HINT_NONE;
	return pivot;
}

static void reverse(struct sort_item *e, size_t lo, size_t hi)
{
	while (lo + 1 < hi)
		swap(&e[lo++], &e[--hi]);
}

/* Moves a few items to their places. Returns whether the range is sorted. */
static bool sort_partially(struct sort_item *e, size_t lo, size_t hi)
{
	size_t i = lo + 1, j;
	unsigned moves;

	for (moves = 0; moves < PDQ_MOVES; moves++) {
		while (i < hi && !less(&e[i], &e[i - 1]))
			i++;
		if (i == hi)
			return true;
		if (hi - lo < PDQ_NINE_FROM)
			return false;
		swap(&e[i], &e[i - 1]);
		for (j = i - 1; j > lo && less(&e[j], &e[j - 1]); j--)
			swap(&e[j], &e[j - 1]);
		for (j = i + 1; j < hi && less(&e[j], &e[j - 1]); j++)
			swap(&e[j], &e[j - 1]);
	}
	return false;
}

/*
 * Breaks a pattern that makes pivots bad: swaps three items with any others.
 * The random numbers changed between the two (golang.org/issue/70144).
 */
static void scatter(struct sort_item *e, size_t lo, size_t hi, bool go1_27)
{
	size_t count = hi - lo, at = lo + count / 4 * 2 - 1, i, other;
	uint64_t random = count;
	uint64_t mask = ((uint64_t)2 << highest_bit(count)) - 1;

	for (i = 0; i < 3; i++) {
		random ^= random << 13;
		random ^= random >> (go1_27 ? 7 : 17);
		random ^= random << (go1_27 ? 17 : 5);
		other = (size_t)(random & mask);
		if (other >= count)
			other -= count;
		swap(&e[at + i], &e[lo + other]);
	}
}

/*
 * Moves items less than that at PIVOT to the front of the range, the others to
 * its end, and the pivot in between. Returns where it is. *PARTITIONED: no
 * other item has moved.
 */
static size_t pdq_partition(struct sort_item *e, size_t lo, size_t hi,
			    size_t pivot, bool *partitioned)
{
	size_t i = lo + 1, j = hi - 1;

	swap(&e[lo], &e[pivot]);
	for (*partitioned = true;; *partitioned = false) {
		while (i <= j && less(&e[i], &e[lo]))
			i++;
		while (i <= j && !less(&e[j], &e[lo]))
			j--;
		if (i > j)
			break;
		swap(&e[i++], &e[j--]);
	}
	swap(&e[j], &e[lo]);
	return j;
}

/*
 * Moves the items equal to that at PIVOT to the front of the range, in which no
 * item is less. Returns where the others begin.
 */
static size_t partition_equals(struct sort_item *e, size_t lo, size_t hi,
			       size_t pivot)
{
	size_t i = lo + 1, j = hi - 1;

	swap(&e[lo], &e[pivot]);
	for (;;) {
		while (i <= j && !less(&e[lo], &e[i]))
			i++;
		while (i <= j && less(&e[lo], &e[j]))
			j--;
		if (i > j)
			return i;
		swap(&e[i++], &e[j--]);
	}
}

/* After LIMIT unbalanced partitions it sorts the rest by a heap. */
static void pdq(struct sort_item *e, size_t lo, size_t hi, size_t limit,
		bool go1_27)
{
	bool balanced = true, partitioned = true;
	size_t pivot, middle, count;
	enum hint hint;

	while ((count = hi - lo) > INSERTION_MAX) {
		if (limit == 0) {
			sort_by_heap(e, lo, hi);
			return;
		}
		if (!balanced) {
			scatter(e, lo, hi, go1_27);
			limit--;
		}
		pivot = choose_pivot(e, lo, hi, &hint);
		if (hint == HINT_FALLING) {
			reverse(e, lo, hi);
			pivot = hi - 1 - (pivot - lo);
			hint = HINT_RISING;
		}
		if (balanced && partitioned && hint == HINT_RISING &&
		    sort_partially(e, lo, hi))
			return;
		if (lo > 0 && !less(&e[lo - 1], &e[pivot])) {
			lo = partition_equals(e, lo, hi, pivot);
			continue;
		}
		middle = pdq_partition(e, lo, hi, pivot, &partitioned);
		if (middle - lo < hi - middle) {
			balanced = middle - lo >= count / 8;
			pdq(e, lo, middle, limit, go1_27);
			lo = middle + 1;
		} else {
			balanced = hi - middle >= count / 8;
			pdq(e, middle + 1, hi, limit, go1_27);
			hi = middle;
		}
	}
	sort_by_insertion(e, lo, hi);
}

void gti_sort_go1_19(struct sort_item *items, size_t count)
{
	pdq(items, 0, count, bit_length(count), false);
}

void gti_sort_go1_27(struct sort_item *items, size_t count)
{
	pdq(items, 0, count, bit_length(count), true);
}
