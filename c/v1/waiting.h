/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waiting.h - the streams of a merge whose next event is not ready.
 *
 * A hash table has a list of waiting streams for each goroutine, state and
 * sequence number. An event that changes a goroutine looks up the list of its
 * new state, and hardly any other stream is tested again.
 */
#ifndef GTRACE_V1_WAITING_H_
#define GTRACE_V1_WAITING_H_

#include "base/hash.h"
#include "v1/cursor.h"
#include "v1/frontier.h"

struct waiting {
	struct cursor *cursors; /* all streams */
	struct frontier *frontier;
	uint32_t *lists; /* by hash: a stream's number plus one, 0: empty */
	uint32_t mask;
	uint64_t secret;
};

/*
 * Starts with none of the COUNT CURSORS waiting. Streams that become ready will
 * be added to FRONTIER. Returns false if there is no memory.
 */
bool gti_waiting_init(struct waiting *waiting, struct cursor *cursors,
		      uint32_t count, struct frontier *frontier,
		      const struct gtrace_allocator *memory);

void gti_waiting_free(struct waiting *waiting,
		      const struct gtrace_allocator *memory);

/* Adds CURSOR, to wait until its precondition holds. */
void gti_waiting_add(struct waiting *waiting, struct cursor *cursor);

/* GOROUTINE has changed: moves streams that are now ready to the frontier. */
void gti_waiting_wake(struct waiting *waiting, struct goroutine *goroutine);

#endif /* GTRACE_V1_WAITING_H_ */
