/* SPDX-License-Identifier: BSD-3-Clause */
/* goroutines.c - goroutines by id. */
#include "v1/goroutines.h"

bool gti_goroutines_init(struct goroutines *goroutines, bool forget,
			 const struct gtrace_allocator *memory)
{
	struct goroutine *zero;

	*goroutines = (struct goroutines){.forget = forget};
	if (!gti_ids_init(&goroutines->live, sizeof(struct goroutine),
			  IDS_BITS_OF_GOROUTINES, memory) ||
	    !goroutines_find(goroutines, 0, &zero))
		return false;
	zero->state = RUNNING;
	zero->exists = 1;
	return true;
}

void gti_goroutines_free(struct goroutines *goroutines)
{
	if (goroutines->live.table == NULL)
		return;
	gti_map_free(&goroutines->ended, goroutines->live.records.memory);
	gti_ids_free(&goroutines->live);
}

bool gti_goroutines_add(struct goroutines *goroutines, uint64_t id,
			struct goroutine **added)
{
	const uint64_t *ended = NULL;

	*added = NULL;
	if (id <= goroutines->greatest)
		ended = gti_map_get(&goroutines->ended, id / 64);
	if (ended != NULL && (*ended >> id % 64 & 1) != 0)
		return true;
	*added = gti_ids_add(&goroutines->live, id);
	return *added != NULL;
}

bool gti_goroutines_end(struct goroutines *goroutines,
			struct goroutine *goroutine)
{
	uint64_t id = goroutine->id, *ended;

	if (!goroutines->forget || id == 0 || goroutine->pinned != 0)
		return true;
	ended = gti_map_put(&goroutines->ended, id / 64,
			    goroutines->live.records.memory);
	if (ended == NULL)
		return false;
	*ended |= (uint64_t)1 << id % 64;
	if (id > goroutines->greatest)
		goroutines->greatest = id;
	gti_ids_remove(&goroutines->live, goroutine);
	return true;
}
