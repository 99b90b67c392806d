/* SPDX-License-Identifier: BSD-3-Clause */
/* block_names.c - names of the places where goroutines are blocked. */
#include "block_names.h"

#include <string.h>

#include "base/array.h"
#include "base/strings.h"

/* ----------------------------------------------------------------- names -- */

/* Replaces TEXT, of a trace, by the one that is equal to it in names->words. */
static bool put_text(struct block_names *names, struct gtrace_string *text)
{
	struct recent_word *recent =
		&names->recent[(uintptr_t)text->data / 4 % RECENT_WORDS];
	uint32_t number;

	if (recent->text.data != text->data ||
	    recent->text.size != text->size || text->data == NULL) {
		number = gti_texts_put(&names->words, text->data, text->size);
		if (number == NO_TEXT)
			return false;
		recent->text = *text;
		recent->word = texts_at(&names->words, number);
	}
	*text = recent->word;
	return true;
}

/*
 * The number of a stack, whose texts are addresses in names->words. NO_TEXT:
 * there is no memory.
 */
static uint32_t put_stack(struct block_names *names,
			  const struct gtrace_frame *frames, size_t count)
{
	struct array *array = &names->frames;
	size_t i;

	array->count = 0;
	for (i = 0; i < count; i++) {
		struct gtrace_frame frame = frames[i];

		if (!put_text(names, &frame.function) ||
		    !put_text(names, &frame.file) ||
		    array_add(array, &frame, sizeof(frame),
			      names->words.memory) == NULL)
			return NO_TEXT;
	}
	return gti_texts_put(&names->stacks, array->items,
			     count * sizeof(*frames));
}

/* The reason of what FROM begins; up to Go 1.21 the name of the event. */
static struct gtrace_string reason_of(const struct gtrace *trace,
				      const struct block_event *from)
{
	const struct event_kind *kind = &trace->facts.kinds[from->type];
	const struct event event = {
		.offset = from->offset,
		.type = from->type,
		.args = {from->reason, from->reason, from->reason},
	};
	struct gtrace_string strings[EVENT_STRINGS];

	if (kind->strings != 0 &&
	    trace->format->strings(trace->self, &event, strings) != 0)
		return strings[0];
	return string_of(kind->name);
}

/* The number of SITE, which has FRAMES. NO_TEXT: there is no memory. */
static uint32_t put_site(struct run *run, struct named_site *site,
			 const struct gtrace_frame *frames, size_t count)
{
	site->stack = put_stack(&run->block_names, frames, count);
	if (site->stack == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&run->block_names.sites, site, sizeof(*site));
}

/* The number of what has a NAME only. */
static uint32_t put_subject(struct run *run, enum block_subject subject,
			    struct gtrace_string name)
{
	struct named_site site = {.kind = GTRACE_BLOCK_KINDS,
				  .subject = subject};
	const struct gtrace_frame frame = {.function = name, .file = {"", 0}};

	return put_site(run, &site, &frame, 1);
}

static struct gtrace_string root_of(const struct gtrace_frame *frames,
				    size_t count)
{
	return count != 0 ? frames[count - 1].function
			  : (struct gtrace_string){"", 0};
}

/* See struct blocks. */
static uint32_t name_event(void *context, const struct block_event *event)
{
	struct run *run = context;
	struct named_site site = {.kind = GTRACE_BLOCK_KINDS};
	const struct gtrace_frame *frames;
	size_t count;

	if (event->subject > SUBJECT_ROOT)
		return put_subject(run, event->subject,
				   reason_of(run->trace, event));
	if (!gti_make_frames(&run->maker, event->stack, &frames, &count))
		return NO_TEXT;
	if (event->subject == SUBJECT_ROOT)
		return put_subject(run, SUBJECT_ROOT, root_of(frames, count));
	if (event->ends) {
		site.by = gti_block_ender(frames, count);
	} else {
		enum gtrace_block_kind kind = GTRACE_BLOCK_SYSCALL;

		if (!event->call)
			kind = gti_block_kind(reason_of(run->trace, event),
					      frames, count);
		site.kind = kind;
		site.rest = gti_block_rests(kind, frames, count);
		site.root =
			put_subject(run, SUBJECT_ROOT, root_of(frames, count));
		if (site.root == NO_TEXT)
			return NO_TEXT;
	}
	return put_site(run, &site, frames, count);
}

/* Whether FILTER has no function, or one that is among the COUNT at FRAMES. */
static bool fits(struct filter *filter, const struct gtrace_frame *frames,
		 size_t count)
{
	size_t i;

	for (i = 0; filter->memory != NULL && i < count; i++)
		if (gti_filter_fits(filter, frames[i].function))
			return true;
	return filter->memory == NULL;
}

/* The calls below the root that say where in the program a goroutine waits. */
static uint32_t depth_of(const struct gtrace_frame *frames, size_t count)
{
	uint32_t depth = 0;
	size_t i;

	for (i = 0; i < count; i++)
		depth += !gti_block_helps(frames[i].function);
	return depth;
}

/* See struct blocks. */
static void describe(void *context, uint32_t name, struct block_place *place)
{
	struct run *run = context;
	struct named_site site = gti_block_site(run, name);
	struct gtrace_string stack =
		texts_at(&run->block_names.stacks, site.stack);
	const struct gtrace_frame *frames = (const void *)stack.data;
	size_t count = stack.size / sizeof(*frames);

	place->kind = (enum gtrace_block_kind)site.kind;
	place->root = site.root;
	if (!run->blocks.requests.wanted)
		return;
	if (site.subject != SUBJECT_NONE) {
		place->loop.wanted = run->root.memory != NULL
					     ? fits(&run->root, frames, count)
					     : !gti_is_system(frames);
	} else if (site.kind != GTRACE_BLOCK_KINDS) {
		place->loop.depth = 2 * depth_of(frames, count) +
				    (place->kind != GTRACE_BLOCK_NETWORK);
		place->loop.waits = run->blocks.requests.by_place
					    ? fits(&run->at, frames, count)
					    : gti_block_serves(place->kind);
	}
}

struct named_site gti_block_site(const struct run *run, size_t name)
{
	struct named_site site;

	memcpy(&site, texts_at(&run->block_names.sites, (uint32_t)name).data,
	       sizeof(site));
	return site;
}

void gti_want_blocks(struct run *run, const struct wanted *wanted)
{
	const struct gtrace_allocator *memory = &run->trace->memory;
	struct observer *observer = &run->observer;

	gti_texts_init(&run->block_names.words, memory);
	gti_texts_init(&run->block_names.stacks, memory);
	gti_texts_init(&run->block_names.sites, memory);
	gti_blocks_init(&run->blocks, &observer->clock, memory);
	run->blocks.filter = observer->filter;
	run->blocks.name = name_event;
	run->blocks.describe = describe;
	run->blocks.context = run;
	run->blocks.lives.pool.size =
		wanted->request.goroutines || (wanted->sinks != NULL &&
					       wanted->sinks->assist != NULL)
			? sizeof(struct lived)
			: 0;
	run->blocks.lives.pool.memory = memory;
	if (wanted->request.filter != NULL) {
		run->blocks.lives.g = wanted->request.filter->g;
		run->blocks.lives.g_count = wanted->request.filter->g_count;
	}
	if (wanted->request.requests != 0)
		gti_requests_want(&run->blocks, wanted->request.requests,
				  wanted->request.at != NULL);
	observer->blocks = &run->blocks;
}

void gti_free_blocks(struct run *run)
{
	struct block_names *names = &run->block_names;

	gti_blocks_free(&run->blocks);
	if (names->words.memory == NULL)
		return;
	gti_array_free(&names->frames, sizeof(struct gtrace_frame),
		       names->words.memory);
	gti_texts_free(&names->words);
	gti_texts_free(&names->stacks);
	gti_texts_free(&names->sites);
}

bool gti_block_stack(struct event_maker *maker, const struct run *run,
		     uint32_t number, const struct gtrace_frame **frames,
		     size_t *count)
{
	struct gtrace_string stack = texts_at(&run->block_names.stacks, number);
	struct gtrace_frame *made =
		gti_arena_copy(&maker->arena, stack.data, stack.size);
	size_t i;

	*count = stack.size / sizeof(*made);
	*frames = *count != 0 ? made : NULL;
	if (made == NULL)
		return false;
	for (i = 0; i < *count; i++)
		if (!gti_own_text(maker, &made[i].function) ||
		    !gti_own_text(maker, &made[i].file))
			return false;
	return true;
}

const void **gti_block_rows(struct event_maker *maker, size_t count,
			    size_t size, void **items)
{
	const void **rows =
		gti_arena_allocate(&maker->arena, count * sizeof(*rows));
	size_t i;

	*items = gti_arena_allocate(&maker->arena, count * size);
	if (rows == NULL || *items == NULL)
		return NULL;
	for (i = 0; i < count; i++)
		rows[i] = (char *)*items + i * size;
	return rows;
}
