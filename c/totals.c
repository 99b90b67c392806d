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
	gti_texts_init(&totals->holders, memory);
}

void gti_totals_free(struct totals *totals)
{
	gti_texts_free(&totals->names);
	gti_texts_free(&totals->functions);
	gti_texts_free(&totals->holders);
}

void gti_totals_forget(void *context)
{
	struct totals *totals = context;

	gti_totals_free(totals);
	gti_totals_init(totals, totals->memory);
}

/*
 * Sets *NUMBER to that of TEXT, which is as none if it is empty. Returns false
 * if there is no memory.
 */
static bool put_name(struct totals *totals, struct gtrace_string text,
		     uint32_t *number)
{
	*number = NO_TEXT;
	if (text.size == 0)
		return true;
	*number = gti_texts_put(&totals->names, text.data, text.size);
	return *number != NO_TEXT;
}

/* The name of the key of NAMING in KEYS. NO_TEXT: there is no memory. */
static uint32_t put_key(struct totals *totals, struct texts *keys,
			const struct naming *naming)
{
	static const struct gtrace_frame none = {.function = {"", 0},
						 .file = {"", 0}};
	const struct gtrace_frame *own = naming_own(naming);
	const struct gtrace_frame *inner = naming_inner(naming);
	struct total_key key = {.work = naming->work};

	if (own == NULL || own->function.size == 0)
		own = &none;
	key.line = own->line;
	if (!put_name(totals, own->function, &key.function) ||
	    !put_name(totals, own->file, &key.file) ||
	    !put_name(totals, (inner != NULL ? inner : &none)->function,
		      &key.inner))
		return NO_TEXT;
	return gti_texts_put(keys, &key, sizeof(key));
}

struct total_key gti_totals_key(const struct texts *keys, uint32_t name)
{
	struct total_key key;

	memcpy(&key, texts_at(keys, name).data, sizeof(key));
	return key;
}

uint32_t gti_totals_name(void *context, const struct naming *naming,
			 const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;

	(void)frames;
	(void)count;
	return put_key(totals, &totals->functions, naming);
}

uint32_t gti_totals_name_holder(void *context, const struct naming *naming,
				const struct gtrace_frame *frames, size_t count)
{
	struct totals *totals = context;

	(void)frames;
	(void)count;
	return put_key(totals, &totals->holders, naming);
}
