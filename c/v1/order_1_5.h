/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order_1_5.h - the events of a Go 1.5 or 1.6 trace in order.
 *
 * Each event has a sequence number. That of an exit from a system call is of
 * the time when it happened, which may be long before its record. All events
 * are listed and sorted, which takes 56 bytes of memory for each.
 */
#ifndef GTRACE_V1_ORDER_1_5_H_
#define GTRACE_V1_ORDER_1_5_H_

#include "base/sort.h"
#include "model/event.h"
#include "v1/table.h"
#include "v1/goroutines.h"
#include "v1/index.h"

struct order_1_5 {
	const struct index *index;
	struct entry *entries;    /* one processor's after those of another */
	struct sort_item *sorted; /* by sequence number; values are indexes */
	size_t count;
	size_t next;
	size_t end; /* the entry at fault, or the number of entries */
	int64_t first_ticks;
	struct goroutines goroutines;
	struct event event;
	uint32_t timer_slot, syscall_slot;
};

/*
 * Lists and sorts the events in INDEX, which must outlive the order. Fails if
 * time stamps are out of order; with STOP_AT_FAULT the events before them can
 * be read, and gti_order_1_5_next() fails then. Errors, with nothing to free:
 * GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_order_1_5_init(struct order_1_5 *order,
				      const struct index *index,
				      bool stop_at_fault,
				      struct gtrace_error *error);

void gti_order_1_5_free(struct order_1_5 *order);

/*
 * Sets *EVENT to the next event, valid until the next call, or to NULL at the
 * end. Errors: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gti_order_1_5_next(struct order_1_5 *order,
				      struct event **event,
				      struct gtrace_error *error);

/* Returns the offset after which no event has been read. */
uint64_t gti_order_1_5_unread(const struct order_1_5 *order);

#endif /* GTRACE_V1_ORDER_1_5_H_ */
