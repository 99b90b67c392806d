/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * firsts.h - keeps the first N of many things in an order.
 *
 * They are in a heap, an array of elements of one size, a multiple of 8. The
 * root is the last one of them in the order: the one that drops out next.
 */
#ifndef GTRACE_BASE_FIRSTS_H_
#define GTRACE_BASE_FIRSTS_H_

#include <stdbool.h>
#include <stddef.h>

/* Whether A comes before B in the order. */
typedef bool before_function(const void *a, const void *b);

/* The last one of the COUNT elements at HEAP was added. */
void gti_firsts_added(void *heap, size_t count, size_t size,
		      before_function *before);

/* The root was replaced by something else. */
void gti_firsts_replaced(void *heap, size_t count, size_t size,
			 before_function *before);

/* Puts the elements in order; then they are no heap any more. */
void gti_firsts_sort(void *heap, size_t count, size_t size,
		     before_function *before);

#endif /* GTRACE_BASE_FIRSTS_H_ */
