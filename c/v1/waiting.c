/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c - the streams of a merge whose next event is not ready. */
#include "v1/waiting.h"

bool gti_waiting_init(struct waiting *waiting, struct cursor *cursors,
		      uint32_t count, struct frontier *frontier,
		      const struct gtrace_allocator *memory)
{
	uint32_t lists = 1;

	while (lists < count)
		lists *= 2;
	*waiting = (struct waiting){
		.cursors = cursors,
		.frontier = frontier,
		.lists = gti_allocate_zeroed(memory, lists, sizeof(uint32_t)),
		.mask = lists - 1,
		.secret = gti_new_secret(),
	};
	return waiting->lists != NULL;
}

void gti_waiting_free(struct waiting *waiting,
		      const struct gtrace_allocator *memory)
{
	gti_release(memory, waiting->lists,
		    ((size_t)waiting->mask + 1) * sizeof(*waiting->lists));
}

/*
 * Returns the list of streams that wait for goroutine ID to have the PROGRESS,
 * of which only the state counts if MASK is TEST_STATE.
 */
static uint32_t *list_of(struct waiting *waiting, uint64_t id,
			 uint64_t progress, int8_t mask)
{
	uint64_t key = hash_key(id, waiting->secret) + (mask == TEST_STATE);

	key = hash_key(key + (progress & (uint64_t)mask) * 2, waiting->secret);
	return &waiting->lists[key & waiting->mask];
}

void gti_waiting_add(struct waiting *waiting, struct cursor *cursor)
{
	const struct precondition *pre = &cursor->pre;
	uint32_t *list;

	cursor->waits = true;
	list = list_of(waiting, pre->goroutine->id, pre->progress,
		       pre->transition.mask);
	cursor->next_waiting = *list;
	*list = cursor->number + 1;
	pre->goroutine->waiting++;
}

/* Moves the streams in the list at LINK that GOROUTINE has made ready. */
static void wake_list(struct waiting *waiting, uint32_t *link,
		      struct goroutine *goroutine)
{
	while (*link != 0) {
		uint32_t number = *link - 1;
		struct cursor *cursor = &waiting->cursors[number];

		if (cursor->pre.goroutine == goroutine &&
		    precondition_holds(&cursor->pre)) {
			*link = cursor->next_waiting;
			cursor->waits = false;
			goroutine->waiting--;
			frontier_add(waiting->frontier, cursor->event.ticks,
				     number);
		} else {
			link = &cursor->next_waiting;
		}
	}
}

void gti_waiting_wake(struct waiting *waiting, struct goroutine *goroutine)
{
	wake_list(waiting,
		  list_of(waiting, goroutine->id, goroutine->progress,
			  TEST_SEQUENCE),
		  goroutine);
	wake_list(waiting,
		  list_of(waiting, goroutine->id, goroutine->progress,
			  TEST_STATE),
		  goroutine);
}
