/* SPDX-License-Identifier: BSD-3-Clause */
/* walk.c - finds the generations of a file by the headers of its batches. */
#include "base/array.h"
#include "v2/trace.h"

/* The generations that were found. */
struct walk {
	struct array *places; /* struct generation_place */
	const struct gtrace_allocator *memory;
	struct generation_place place; /* number 0: it has not begun */
};

/* Ends the generation at END, if one has begun. False: there is no memory. */
static bool end_place(struct walk *walk, uint64_t end)
{
	struct generation_place place = walk->place;

	walk->place = (struct generation_place){.begin = end};
	place.end = end;
	return place.number == 0 ||
	       array_add(walk->places, &place, sizeof(place), walk->memory) !=
		       NULL;
}

/* Takes BATCH, of a file whose generations have MARKS at their ends. */
static bool take_batch(struct walk *walk, const struct batch *batch, bool marks)
{
	if (marks && batch->kind == BATCH_END)
		return end_place(walk, batch_end(batch));
	if (!marks && walk->place.number != 0 &&
	    batch->generation != walk->place.number &&
	    !end_place(walk, batch->offset))
		return false;
	if (walk->place.number == 0)
		walk->place.number = batch->generation;
	return true;
}

bool gti_v2_walk(void *self, struct array *places,
		 const struct gtrace_allocator *memory)
{
	struct v2_trace *trace = self;
	struct source *source = &trace->source;
	bool marks = source->version >= VERSION_GO_1_26;
	struct walk walk = {.places = places,
			    .memory = memory,
			    .place.begin = source->first};
	uint64_t offset = source->first;
	struct gtrace_error error;
	enum batch_status status;
	struct batch batch;

	while ((status = gti_v2_batch_read(source, offset, &batch, &error)) ==
	       BATCH_READ) {
		if (!take_batch(&walk, &batch, marks))
			return false;
		offset = batch_end(&batch);
	}
	return marks || status == BATCH_BAD || end_place(&walk, offset);
}
