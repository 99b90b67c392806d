/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - slices and stops of the world added up by function. */
#include "totals.h"

#include <string.h>

#include "report/names.h"

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory)
{
	*totals = (struct totals){.memory = memory};
	gti_texts_init(&totals->names, memory);
	gti_texts_init(&totals->functions, memory);
	gti_texts_init(&totals->holder_keys, memory);
}

void gti_totals_free(struct totals *totals)
{
	gti_array_free(&totals->holders, sizeof(struct total_key),
		       totals->memory);
	gti_texts_free(&totals->names);
	gti_texts_free(&totals->functions);
	gti_texts_free(&totals->holder_keys);
}

void gti_totals_forget(void *context)
{
	struct totals *totals = context;

	gti_totals_free(totals);
	gti_totals_init(totals, totals->memory);
}

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

/* Sets *KEY to that of NAMING. Returns false if there is no memory. */
static bool make_key(struct totals *totals, const struct naming *naming,
		     struct total_key *key)
{
	key->work = naming->work;
	return put_name(totals, naming->frame, &key->function) &&
	       put_name(totals, naming->caller, &key->caller);
}

/* ---------------------------------------------------------------- slices -- */

struct total_key gti_totals_function(const struct totals *totals, uint32_t name)
{
	struct total_key key;

	memcpy(&key, texts_at(&totals->functions, name).data, sizeof(key));
	return key;
}

uint32_t gti_totals_name(void *context, const struct naming *naming,
			 const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;
	struct total_key key;

	(void)frames;
	(void)count;
	return make_key(totals, naming, &key)
		       ? gti_texts_put(&totals->functions, &key, sizeof(key))
		       : NO_TEXT;
}

bool gti_totals_is_program(void *context, uint32_t name)
{
	return gti_totals_function(context, name).work == GTRACE_WORK_PROGRAM;
}

/* --------------------------------------------------------------- holders -- */

struct total_key gti_totals_holder(const struct totals *totals, uint32_t name)
{
	return ((const struct total_key *)totals->holders.items)[name];
}

uint32_t gti_totals_name_holder(void *context, const struct naming *naming,
				const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;
	struct total_key key, shared, *known;
	uint32_t number;

	(void)frames;
	(void)count;
	if (!make_key(totals, naming, &key) ||
	    !gti_array_reserve(&totals->holders, sizeof(key), totals->memory))
		return NO_TEXT;
	/* Those with different callers have one name. */
	shared = key;
	shared.caller = NO_TEXT;
	number = gti_texts_put(&totals->holder_keys, &shared, sizeof(shared));
	if (number == NO_TEXT)
		return NO_TEXT;
	known = (struct total_key *)totals->holders.items + number;
	if (number == totals->holders.count) {
		totals->holders.count++;
		*known = key;
	} else if (known->caller != key.caller) {
		known->caller = NO_TEXT;
	}
	return number;
}
