/* SPDX-License-Identifier: BSD-3-Clause */
/* block_names.c - names of the places where goroutines are blocked. */
#include "block_names.h"

#include <string.h>

/* ----------------------------------------------------------------- names -- */

/* A frame, with numbers of words. */
struct named_frame {
	uint64_t pc;
	uint64_t line;
	uint32_t function;
	uint32_t file;
};

static uint32_t put_string(struct texts *texts, struct gtrace_string string)
{
	return gti_texts_put(texts, string.data, string.size);
}

/* The number of a stack. NO_TEXT: there is no memory. */
static uint32_t put_stack(struct block_names *names,
			  const struct gtrace_frame *frames, size_t count)
{
	struct array *array = &names->frames;
	struct named_frame *to;
	size_t i;

	array->count = 0;
	for (i = 0; i < count; i++) {
		if (!gti_array_reserve(array, sizeof(*to), names->words.memory))
			return NO_TEXT;
		to = (struct named_frame *)array->items + array->count++;
		*to = (struct named_frame){
			.pc = frames[i].pc,
			.line = frames[i].line,
			.function = put_string(&names->words,
					       frames[i].function),
			.file = put_string(&names->words, frames[i].file),
		};
		if (to->function == NO_TEXT || to->file == NO_TEXT)
			return NO_TEXT;
	}
	return gti_texts_put(&names->stacks, array->items,
			     count * sizeof(*to));
}

/* The reason of what FROM begins; up to Go 1.21 the name of the event. */
static struct gtrace_string reason_of(const struct gtrace *trace,
				      const struct block_event *from)
{
	const struct event_kind *kind = &trace->kinds[from->type];
	const struct event event = {
		.offset = from->offset,
		.type = from->type,
		.args = {from->reason},
	};
	struct gtrace_string strings[EVENT_STRINGS];

	if (kind->strings != 0 &&
	    trace->format->strings(trace->self, &event, strings) != 0)
		return strings[0];
	return (struct gtrace_string){kind->name, strlen(kind->name)};
}

/* See struct blocks. */
static uint32_t name_event(void *context, const struct block_event *event)
{
	struct run *run = context;
	struct named_site site = {.kind = GTRACE_BLOCK_KINDS};
	const struct gtrace_frame *frames;
	size_t count;

	if (!gti_make_frames(&run->maker, event->stack, &frames,
			     &count))
		return NO_TEXT;
	if (event->ends) {
		site.by = gti_block_ender(frames, count);
	} else {
		enum gtrace_block_kind kind = GTRACE_BLOCK_SYSCALL;

		if (!event->call)
			kind = gti_block_kind(reason_of(run->trace, event),
					      frames, count);
		site.kind = kind;
		site.rest = gti_block_rests(kind, frames, count);
	}
	site.stack = put_stack(&run->block_names, frames, count);
	if (site.stack == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&run->block_names.sites, &site, sizeof(site));
}

struct named_site gti_block_site(const struct run *run, size_t name)
{
	struct named_site site;

	memcpy(&site, texts_at(&run->block_names.sites, (uint32_t)name).data,
	       sizeof(site));
	return site;
}

/* The format forgets its stacks: nothing needs them any more. */
static bool settle(void *context)
{
	struct run *run = context;

	gti_event_maker_forget(&run->maker);
	return true;
}

static void restart(void *context)
{
	(void)context;
}

bool gti_want_blocks(struct run *run)
{
	static const struct settling settling = {settle, restart};
	const struct gtrace_allocator *memory = &run->trace->memory;
	struct observer *observer = &run->observer;

	gti_texts_init(&run->block_names.words, memory);
	gti_texts_init(&run->block_names.stacks, memory);
	gti_texts_init(&run->block_names.sites, memory);
	if (!gti_blocks_init(&run->blocks, &observer->clock, memory))
		return false;
	run->blocks.name = name_event;
	run->blocks.context = run;
	observer->blocks = &run->blocks;
	if (observer->settling == NULL) {
		observer->settling = &settling;
		observer->settle_context = run;
	}
	return true;
}

void gti_free_blocks(struct run *run)
{
	struct block_names *names = &run->block_names;

	gti_blocks_free(&run->blocks);
	if (names->words.memory == NULL)
		return;
	gti_array_free(&names->frames, sizeof(struct named_frame),
		       names->words.memory);
	gti_texts_free(&names->words);
	gti_texts_free(&names->stacks);
	gti_texts_free(&names->sites);
}

bool gti_block_stack(struct event_maker *maker, const struct run *run,
		     uint32_t number, const struct gtrace_frame **frames,
		     size_t *count)
{
	const struct block_names *names = &run->block_names;
	struct gtrace_string text = texts_at(&names->stacks, number);
	struct gtrace_frame *made;
	struct named_frame frame;
	size_t i;

	*count = text.size / sizeof(frame);
	made = gti_arena_allocate(&maker->arena, *count * sizeof(*made));
	*frames = *count != 0 ? made : NULL;
	if (made == NULL)
		return false;
	for (i = 0; i < *count; i++) {
		memcpy(&frame, text.data + i * sizeof(frame), sizeof(frame));
		made[i] = (struct gtrace_frame){
			.pc = frame.pc,
			.line = frame.line,
			.function = texts_at(&names->words, frame.function),
			.file = texts_at(&names->words, frame.file),
		};
		if (!gti_own_text(maker, &made[i].function) ||
		    !gti_own_text(maker, &made[i].file))
			return false;
	}
	return true;
}
