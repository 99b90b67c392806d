/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.h - sorts in place.
 *
 * Go's parsers sort events by time with sort.Sort, which is not stable, and the
 * order of events with equal times shows in their output. So three of the sorts
 * here move items just as a release of Go does.
 */
#ifndef GTRACE_BASE_SORT_H_
#define GTRACE_BASE_SORT_H_

#include <stddef.h>
#include <stdint.h>

/* VALUE says which item it is: a stream, a cursor, a sample. */
struct sort_item {
	int64_t key;
	uint32_t value;
};

typedef void sort_function(struct sort_item *items, size_t count);

/*
 * Sort the COUNT items by their keys, and leave those with equal keys in the
 * order in which sort.Sort leaves them: that of Go 1.8 (a quicksort), of Go
 * 1.19 (a pdqsort), and of Go 1.27 (the same, with other random numbers).
 */
sort_function gti_sort_go1_8, gti_sort_go1_19, gti_sort_go1_27;

/* As for qsort(). */
typedef int compare_function(const void *a, const void *b);

/*
 * Sorts COUNT elements of SIZE bytes, a multiple of 8, by means of a heap.
 * qsort() is not used, because it may allocate memory that does not come from
 * the caller's allocator. Elements that are equal end up in no particular
 * order.
 */
void gti_sort(void *elements, size_t count, size_t size,
	      compare_function *compare);

/*
 * A heap of COUNT such elements, the greatest one first. The last one is new:
 * moves it up to its place. The first one is: moves it down.
 */
void gti_heap_up(void *elements, size_t count, size_t size,
		 compare_function *compare);
void gti_heap_down(void *elements, size_t count, size_t size,
		   compare_function *compare);

#endif /* GTRACE_BASE_SORT_H_ */
