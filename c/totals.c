/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - slices and stops of the world added up by function. */
#include "totals.h"

#include "report/names.h"

/* What entries with one total have in common. */
struct key {
	uint32_t function;
	uint32_t caller;
	uint32_t work;
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory)
{
	*totals = (struct totals){.has_longest = false};
	gti_texts_init(&totals->names, memory);
	gti_texts_init(&totals->keys, memory);
	gti_texts_init(&totals->holder_keys, memory);
}

void gti_totals_free(struct totals *totals)
{
	const struct gtrace_allocator *memory = totals->names.memory;

	gti_array_free(&totals->functions, sizeof(struct total), memory);
	gti_array_free(&totals->holders, sizeof(struct total), memory);
	gti_texts_free(&totals->names);
	gti_texts_free(&totals->keys);
	gti_texts_free(&totals->holder_keys);
}

void gti_totals_forget(struct findings *findings)
{
	gti_totals_free(findings->context);
	gti_totals_init(findings->context, &findings->run.trace->memory);
}

/* ---------------------------------------------------------------- totals -- */

/*
 * Sets *NUMBER to the name of FRAME; a frame without one is as no frame.
 * Returns false if there is no memory.
 */
static bool put_name(struct totals *totals, const struct gtrace_frame *frame,
		     uint32_t *number)
{
	*number = NO_TEXT;
	if (frame == NULL || frame->function.size == 0)
		return true;
	*number = gti_texts_put(&totals->names, frame->function.data,
				frame->function.size);
	return *number != NO_TEXT;
}

/* The total of KEY in ARRAY, new if there is none. NULL: no memory. */
static struct total *find_total(struct texts *keys, struct array *array,
				const struct key *key)
{
	uint32_t number = gti_texts_put(keys, key, sizeof(*key));
	struct total *total;

	if (number == NO_TEXT)
		return NULL;
	if (number < array->count)
		return (struct total *)array->items + number;
	if (!gti_array_reserve(array, sizeof(*total), keys->memory))
		return NULL;
	total = (struct total *)array->items + array->count++;
	*total = (struct total){
		.function = key->function,
		.caller = key->caller,
		.work = (enum gtrace_work)key->work,
		.max = -1,
	};
	return total;
}

bool gti_totals_take(struct findings *findings,
		     const struct profile_entry *entry,
		     const struct gtrace_frame *frames, size_t count)
{
	const struct profile_slice *longest =
		profile_longest(&findings->run.profile, entry);
	struct totals *totals = findings->context;
	struct naming naming =
		gti_name_end(profile_worker(entry->type), frames, count);
	struct key key = {.work = naming.work};
	struct total *total;

	if (!put_name(totals, naming.frame, &key.function) ||
	    !put_name(totals, naming.caller, &key.caller))
		return false;
	total = find_total(&totals->keys, &totals->functions, &key);
	if (total == NULL)
		return false;
	total->count += entry->count;
	total->time += entry->time;
	if (longest->max > total->max)
		total->max = longest->max;
	if (naming.work != GTRACE_WORK_PROGRAM ||
	    (totals->has_longest && longest->own <= totals->longest.own))
		return true;
	totals->longest = *longest;
	totals->longest_at =
		(uint32_t)(total -
			   (const struct total *)totals->functions.items);
	totals->has_longest = true;
	return true;
}

bool gti_totals_take_holder(struct findings *findings,
			    const struct holder *holder,
			    const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = findings->context;
	struct gtrace_late late = {
		.how = (enum gtrace_late_how)holder->how,
		.frames = frames,
		.frame_count = count,
	};
	struct naming naming =
		gti_name_late(holder->how == HOLDER_NONE ? NULL : &late);
	/* Those with different callers have one total. */
	struct key key = {.work = naming.work, .caller = NO_TEXT};
	uint32_t caller;
	struct total *total;

	if (!put_name(totals, naming.frame, &key.function) ||
	    !put_name(totals, naming.caller, &caller))
		return false;
	total = find_total(&totals->holder_keys, &totals->holders, &key);
	if (total == NULL)
		return false;
	if (total->count == 0)
		total->caller = caller;
	else if (total->caller != caller)
		total->caller = NO_TEXT;
	total->count += holder->count;
	total->time += holder->stopping;
	return true;
}
