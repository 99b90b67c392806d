/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c - the records of threads, processors and goroutines. */
#include "v2/states.h"

bool gti_v2_states_init(struct states *states,
			const struct gtrace_allocator *memory)
{
	*states = (struct states){
		.memory = memory,
		.regions.element_size = sizeof(struct region),
		.no_processor = {.id = NO_PROC, .status = PROC_ABSENT},
		.no_goroutine = {.id = NO_GOROUTINE, .status = GO_ABSENT},
	};
	return gti_v2_ids_init(&states->threads, sizeof(struct thread),
			       memory) &&
	       gti_v2_ids_init(&states->processors, sizeof(struct processor),
			       memory) &&
	       gti_v2_ids_init(&states->goroutines, sizeof(struct goroutine),
			       memory);
}

/* Frees the ranges of all goroutines. */
static void free_ranges(struct states *states)
{
	size_t capacity = states->goroutines.memory == NULL
				  ? 0
				  : ids_capacity(&states->goroutines);
	size_t i;

	for (i = 0; i < capacity; i++) {
		struct goroutine *goroutine =
			states->goroutines.entries[i].record;

		if (goroutine != NULL)
			gti_array_free(&goroutine->ranges, sizeof(struct range),
				       states->memory);
	}
}

void gti_v2_states_free(struct states *states)
{
	if (states->memory == NULL)
		return;
	free_ranges(states);
	gti_v2_ids_free(&states->threads);
	gti_v2_ids_free(&states->processors);
	gti_v2_ids_free(&states->goroutines);
	gti_map_free(&states->tasks, states->memory);
	gti_chunks_free(&states->regions, states->memory);
	states->memory = NULL;
}

struct thread *gti_v2_states_thread(struct states *states, int64_t m)
{
	struct thread *thread = ids_find(&states->threads, (uint64_t)m);

	if (thread != NULL)
		return thread;
	thread = gti_v2_ids_add(&states->threads, (uint64_t)m);
	if (thread == NULL)
		return NULL;
	thread->m = m;
	thread->g = NO_GOROUTINE;
	thread->goroutine = &states->no_goroutine;
	unbind_processor(states, thread);
	return thread;
}

struct goroutine *gti_v2_new_goroutine(struct states *states, uint64_t g,
				       enum go_status status)
{
	/* A thread may still be bound to one that was destroyed elsewhere. */
	struct goroutine *goroutine = find_goroutine(states, g);

	if (goroutine == NULL)
		goroutine = gti_v2_ids_add(&states->goroutines, g);
	if (goroutine == NULL)
		return NULL;
	goroutine->id = g;
	goroutine->status = (uint8_t)status;
	restart(states, &goroutine->sequence);
	return goroutine;
}

/* The regions of GOROUTINE can be used again. */
static void forget_regions(struct states *states, struct goroutine *goroutine)
{
	uint32_t innermost = goroutine->region;
	struct region *region;

	if (innermost == 0)
		return;
	do {
		region = chunks_at(&states->regions, goroutine->region - 1,
				   sizeof(*region));
		goroutine->region = region->outer;
	} while (region->outer != 0);
	region->outer = states->unused_region;
	states->unused_region = innermost;
}

void gti_v2_forget_goroutine(struct states *states, struct goroutine *goroutine)
{
	goroutine->status = GO_ABSENT;
	forget_regions(states, goroutine);
	gti_array_free(&goroutine->ranges, sizeof(struct range),
		       states->memory);
	if (goroutine->threads == 0)
		gti_v2_ids_remove(&states->goroutines, goroutine->id,
				  goroutine);
}
