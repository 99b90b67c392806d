/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.c - CPU samples inside slices. */
#include "analysis/inside.h"

#include <stddef.h>

void gti_insides_free(struct insides *insides)
{
	if (insides->memory == NULL)
		return;
	gti_array_free(&insides->groups, sizeof(struct sample_group),
		       insides->memory);
	insides->free_group = 0;
}

/* Returns the number of an unused group, or 0 if there is no memory. */
static uint32_t new_group(struct insides *insides)
{
	uint32_t number = insides->free_group;

	if (number != 0) {
		insides->free_group = insides_group(insides, number)->next;
		return number;
	}
	if (insides->groups.count >= UINT32_MAX - 1 ||
	    !gti_array_reserve(&insides->groups, sizeof(struct sample_group),
			       insides->memory))
		return 0;
	return (uint32_t)++insides->groups.count;
}

bool gti_inside_sample(struct insides *insides, struct inside *inside,
		       uint64_t stack)
{
	uint32_t number = inside->samples;

	if (number != 0 && insides_group(insides, number)->stack == stack) {
		insides_group(insides, number)->count++;
		return true;
	}
	number = new_group(insides);
	if (number == 0)
		return false;
	*insides_group(insides, number) = (struct sample_group){
		.stack = stack, .count = 1, .next = inside->samples};
	inside->samples = number;
	return true;
}

void gti_inside_free_samples(struct insides *insides, struct inside *inside)
{
	uint32_t number = inside->samples;

	while (number != 0) {
		struct sample_group *group = insides_group(insides, number);
		uint32_t next = group->next;

		group->next = insides->free_group;
		insides->free_group = number;
		number = next;
	}
	inside->samples = 0;
}
