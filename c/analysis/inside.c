/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.c - CPU samples inside slices. */
#include "analysis/inside.h"

void gti_insides_init(struct insides *insides,
		      const struct gtrace_allocator *memory)
{
	insides->groups = (struct pool){
		.memory = memory,
		.size = sizeof(struct sample_group),
	};
}

void gti_insides_free(struct insides *insides)
{
	if (insides->groups.memory != NULL)
		gti_pool_free(&insides->groups);
}

bool gti_inside_sample(struct insides *insides, struct inside *inside,
		       uint64_t stack)
{
	struct sample_group *group = inside->samples;

	if (group == NULL || group->stack != stack) {
		group = gti_pool_take(&insides->groups);
		if (group == NULL)
			return false;
		group->next = inside->samples;
		group->stack = stack;
		inside->samples = group;
	}
	group->count++;
	return true;
}

void gti_inside_free_samples(struct insides *insides, struct inside *inside)
{
	struct sample_group *group = inside->samples;

	while (group != NULL) {
		struct sample_group *next = group->next;

		gti_pool_give(&insides->groups, group);
		group = next;
	}
	inside->samples = NULL;
}
