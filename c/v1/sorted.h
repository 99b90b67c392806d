/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sorted.h - the events of a Go 1.5 or 1.6 trace in order.
 *
 * In these each event has a sequence number, and an exit from a system call
 * has that of when it happened, anywhere before its record. All events are
 * listed and sorted, which takes 48 bytes of memory for each.
 */
#ifndef GTRACE_V1_SORTED_H_
#define GTRACE_V1_SORTED_H_

#include "event.h"
#include "v1/goroutines.h"
#include "v1/index.h"

struct sorted {
	const struct index *index;
	struct array entries; /* struct sorted_entry */
	size_t next;
	int64_t first_ticks;
	struct goroutines goroutines;
	struct event event;
	uint32_t timers_slot, syscalls_slot;
};

/*
 * Lists and sorts the events in INDEX, which must outlive it. Errors, with
 * nothing to free: GTRACE_ERROR_ORDER, _MEMORY.
 */
enum gtrace_status gtrace_sorted_init(struct sorted *sorted,
				      const struct index *index,
				      struct gtrace_error *error);

void gtrace_sorted_free(struct sorted *sorted);

/*
 * Sets *EVENT to the next event, good until the next call, or to NULL at the
 * end. Fails with GTRACE_ERROR_MEMORY.
 */
enum gtrace_status gtrace_sorted_next(struct sorted *sorted,
				      struct event **event,
				      struct gtrace_error *error);

#endif /* GTRACE_V1_SORTED_H_ */
