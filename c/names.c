/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c - the names of stacks. */
#include "causes.h"
#include "names.h"

#include <string.h>

#include "base/array.h"
#include "base/strings.h"
#include "run.h"

void gti_names_init(struct names *names, const struct gtrace_allocator *memory)
{
	size_t i;

	gti_texts_init(&names->words, memory);
	gti_texts_init(&names->stacks, memory);
	for (i = 0; i < NAMED_LISTS; i++)
		gti_texts_init(&names->sites[i], memory);
}

/* Replaces TEXT, of a trace, by the one that is equal to it in names->words. */
static bool put_text(struct names *names, struct gtrace_string *text)
{
	const struct gtrace_allocator *memory = names->words.memory;
	uint64_t *known;

	if (text->size == 0) {
		*text = gti_no_frame.function;
		return true;
	}
	known = gti_map_put(&names->known, (uint64_t)(uintptr_t)text->data,
			    memory);
	if (known != NULL && *known == 0)
		*known = (uint64_t)1 +
			 gti_texts_put(&names->words, text->data, text->size);
	if (known == NULL || *known > NO_TEXT)
		return false;
	*text = texts_at(&names->words, (uint32_t)(*known - 1));
	return true;
}

void gti_names_forget(struct names *names)
{
	gti_map_free(&names->known, names->words.memory);
}

void gti_names_free(struct names *names)
{
	size_t i;

	gti_names_forget(names);
	gti_array_free(&names->frames, sizeof(struct gtrace_frame),
		       names->words.memory);
	gti_texts_free(&names->words);
	gti_texts_free(&names->stacks);
	for (i = 0; i < NAMED_LISTS; i++)
		gti_texts_free(&names->sites[i]);
}

uint32_t gti_names_stack(struct names *names, const struct gtrace_frame *frames,
			 size_t count)
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

/*
 * Returns the name of SITE, the stack of which has the COUNT frames at FRAMES.
 * NO_TEXT: there is no memory.
 */
static uint32_t put_site(struct names *names, enum named list,
			 struct named_site *site,
			 const struct gtrace_frame *frames, size_t count)
{
	site->stack = gti_names_stack(names, frames, count);
	if (site->stack == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&names->sites[list], site, sizeof(*site));
}

/* put_site() for a place or an end of blocks, all frames of STACK. */
static uint32_t put_block_site(struct run *run, struct named_site *site,
			       uint64_t stack,
			       const struct gtrace_frame *frames, size_t count)
{
	struct names *names = &run->names;
	uint32_t *known = gti_stack_number(run, stack);

	if (known == NULL)
		return put_site(names, NAMED_BLOCKS, site, frames, count);
	if (*known == 0)
		*known = 1 + gti_names_stack(names, frames, count);
	site->stack = *known - 1;
	if (site->stack == NO_TEXT)
		return NO_TEXT;
	return gti_texts_put(&names->sites[NAMED_BLOCKS], site, sizeof(*site));
}

struct named_site gti_names_site(const struct names *names, enum named list,
				 size_t name)
{
	struct named_site site;

	memcpy(&site, texts_at(&names->sites[list], (uint32_t)name).data,
	       sizeof(site));
	return site;
}

/* ------------------------------------------------------ slices and stops -- */

/*
 * A slice that ended in a block computed before it: its stack begins with the
 * function of the program, so that no time is added to one that waits.
 */
static size_t inner_of_slice(const struct naming *naming,
			     const struct gtrace_frame *frames, size_t count)
{
	const struct gtrace_frame *own = naming_own(naming);
	size_t inner = 0;

	if (gti_block_kind(string_of(""), frames, count) != GTRACE_BLOCK_OTHER)
		while (inner < count && &frames[inner] != own)
			inner++;
	return inner != count ? inner : 0;
}

/* The stack of an assist begins with the function that allocates. */
static size_t inner_of_assist(const struct gtrace_frame *frames, size_t count)
{
	size_t inner = 0;

	while (inner + 1 < count &&
	       gti_is_runtime_function(frames[inner].function))
		inner++;
	return inner;
}

/* Names SITE after the functions of NAMING. */
static uint32_t put_functions(struct names *names, enum named list,
			      struct named_site *site,
			      const struct naming *naming)
{
	struct gtrace_frame frames[] = {gti_no_frame, gti_no_frame};

	if (site->named)
		frames[0] = *naming_own(naming);
	frames[0].pc = 0;
	frames[1].function = naming_inner(naming);
	return put_site(names, list, site, frames, 2);
}

/* Names SITE after a stack, from the innermost frame on that matters. */
static uint32_t put_stack(struct run *run, enum named list,
			  struct named_site *site, const struct naming *naming,
			  const struct gtrace_frame *frames, size_t count)
{
	const struct wanted *wanted = run->wanted;
	size_t inner = 0;

	if (list == NAMED_SLICES && wanted->sums == SUMS_OF_SLICES)
		inner = inner_of_slice(naming, frames, count);
	if (list == NAMED_SLICES && wanted->sums == SUMS_OF_ASSISTS)
		inner = inner_of_assist(frames, count);
	if (inner != 0) /* else there may be no frames */
		frames += inner;
	return wanted->put_stack(run, site, frames, count - inner);
}

/* The frames of NAMING from its own one on, if that is among them. */
static void cut_frames(const struct naming *naming,
		       const struct gtrace_frame **frames, size_t *count)
{
	size_t i = 0;

	while (i < *count && &(*frames)[i] != naming_own(naming))
		i++;
	if (i == *count)
		return;
	*frames += i;
	*count -= i;
}

/* The name of NAMING, of the COUNT frames at FRAMES. */
static uint32_t put_naming(struct run *run, enum named list, enum phase phase,
			   const struct naming *naming,
			   const struct gtrace_frame *frames, size_t count)
{
	struct named_site site = {
		.work = naming->work,
		.named = gti_is_named(naming),
		.phase = phase,
	};
	uint32_t name = NO_TEXT;

	if (!run->failed)
		name = run->wanted->put_stack != NULL
			       ? put_stack(run, list, &site, naming, frames,
					   count)
			       : put_functions(&run->names, list, &site,
					       naming);
	run->failed |= name == NO_TEXT;
	return name;
}

uint32_t gti_name_silent(struct run *run, const struct naming *naming)
{
	struct named_site site = {.work = naming->work,
				  .named = gti_is_named(naming)};
	uint32_t name = put_functions(&run->names, NAMED_SILENT, &site, naming);

	run->failed |= name == NO_TEXT;
	return name;
}

uint32_t gti_name_inner(struct run *run, const struct gtrace_frame *frames,
			size_t count)
{
	struct gtrace_frame inner[3];
	struct named_site site = {.named = 1};
	uint32_t name;
	size_t i;

	for (i = 0; i < count && i < 3; i++) {
		inner[i] = frames[i];
		inner[i].pc = 0;
	}
	name = put_site(&run->names, NAMED_INNER, &site, inner, i);
	run->failed |= name == NO_TEXT;
	return name;
}

/* Whether a slice of KIND, with NAMING, is to be named after another stack. */
static bool needs_other(const struct run *run, unsigned kind,
			const struct naming *naming)
{
	if (!gti_is_named(naming))
		return true;
	if (kind == PROFILE_CREATOR)
		return !naming_is_yours(naming);
	return kind <= PROFILE_BEFORE && run->wanted->put_stack == NULL &&
	       naming_needs_creator(naming);
}

/* See struct profile_names. */
static uint32_t name_slice(void *context, unsigned kind, uint64_t stack)
{
	struct run *run = context;
	struct naming naming = *gti_make_naming(run, stack);
	unsigned gc_worker = kind > PROFILE_CREATOR ? kind : 0;
	const struct gtrace_frame *frames;
	size_t count;

	if (stack != 0 && needs_other(run, kind, &naming))
		return PROFILE_UNNAMED;
	gti_make_frames(run, stack, &frames, &count);
	if (kind == PROFILE_BEFORE || kind == PROFILE_ANY + PROFILE_BEFORE ||
	    kind == PROFILE_CREATOR) {
		naming = naming_before(naming);
		cut_frames(&naming, &frames, &count);
	}
	naming = naming_with_worker(naming, gc_worker);
	return put_naming(run, NAMED_SLICES, PHASE_NONE, &naming, frames,
			  count);
}

static uint32_t name_running(void *context, const struct slice *slice)
{
	struct run *run = context;
	const struct gtrace_frame *frames;
	size_t count;
	struct naming naming = gti_make_end_naming(run, slice, &frames, &count);

	if (!gti_is_named(&naming))
		count = 0;
	else if (!slice->last.in_call)
		cut_frames(&naming, &frames, &count);
	naming = naming_with_worker(naming, slice->gc_worker);
	return put_naming(run, NAMED_SLICES, PHASE_NONE, &naming, frames,
			  count);
}

static uint32_t name_holder(void *context, unsigned how, uint64_t stack)
{
	struct run *run = context;
	struct gtrace_late late = {.how = GTRACE_LATE_RAN};
	struct naming naming;
	enum phase phase = how == HOLDER_STOPPED      ? PHASE_STOPPED
			   : how == HOLDER_RESTARTING ? PHASE_RESTARTING
						      : PHASE_STOPPING;

	if (how < HOLDER_NONE)
		late.how = (enum gtrace_late_how)how;
	gti_make_frames(run, stack, &late.frames, &late.frame_count);
	naming = gti_name_late(how == HOLDER_NONE ? NULL : &late);
	return put_naming(run, NAMED_HOLDERS, phase, &naming, late.frames,
			  late.frame_count);
}

const struct profile_names gti_slice_names = {name_slice, name_running};
const struct profile_names gti_holder_names = {name_holder, NULL};

/* ---------------------------------------------------------------- blocks -- */

/* The reason of what FROM begins; up to Go 1.21 the name of the event. */
static struct gtrace_string reason_of(struct run *run,
				      const struct block_event *from)
{
	const struct event_kind *kind = &run->trace->facts.kinds[from->type];
	const struct event event = {
		.offset = from->offset,
		.type = from->type,
		.args = {from->reason, from->reason, from->reason},
	};
	struct gtrace_string strings[EVENT_STRINGS];

	if (kind->strings == 0)
		return string_of(kind->name);
	return gti_read_strings(run, &event, strings) != 0
		       ? strings[0]
		       : string_of("");
}

/* The name of what has a NAME only. */
static uint32_t put_subject(struct run *run, enum block_subject subject,
			    struct gtrace_string name)
{
	struct named_site site = {.kind = GTRACE_BLOCK_KINDS,
				  .subject = subject};
	const struct gtrace_frame frame = {.function = name, .file = {"", 0}};

	return put_site(&run->names, NAMED_BLOCKS, &site, &frame, 1);
}

/* Sets what SITE is as a place where EVENT begins blocks. */
static bool set_place(struct run *run, const struct block_event *event,
		      const struct gtrace_frame *frames, size_t count,
		      struct named_site *site)
{
	enum gtrace_block_kind kind = GTRACE_BLOCK_SYSCALL;

	if (!event->call)
		kind = gti_block_kind(reason_of(run, event), frames,
				      count);
	site->kind = kind;
	site->rest = gti_block_rests(kind, frames, count);
	site->root = put_subject(run, SUBJECT_ROOT,
				 frames_root(frames, count)->function);
	return site->root != NO_TEXT;
}

uint32_t gti_name_block_event(void *context, const struct block_event *event)
{
	struct run *run = context;
	struct named_site site = {.kind = GTRACE_BLOCK_KINDS};
	const struct gtrace_frame *frames;
	size_t count;

	if (event->subject > SUBJECT_ROOT)
		return put_subject(run, event->subject,
				   reason_of(run, event));
	gti_make_frames(run, event->stack, &frames, &count);
	if (run->failed)
		return NO_TEXT;
	if (event->subject == SUBJECT_ROOT)
		return put_subject(run, SUBJECT_ROOT,
				   frames_root(frames, count)->function);
	if (event->ends)
		site.by = gti_block_ender(frames, count);
	else if (!set_place(run, event, frames, count, &site))
		return NO_TEXT;
	return put_block_site(run, &site, event->stack, frames, count);
}

bool gti_describe_site(void *context, const struct site_key *key,
		       struct site *site)
{
	struct run *run = context;
	const struct block_event event = {
		.stack = key->stack,
		.reason = key->reason,
		.type = key->type,
		.call = key->role == SITE_OF_CALL,
		.ends = key->role == SITE_OF_EVENT,
	};
	uint32_t name = gti_name_block_event(run, &event);
	struct named_site named;
	size_t count;

	if (name == NO_TEXT)
		return false;
	named = gti_block_site(run, name);
	names_frames(&run->names, named.stack, &count);
	*site = (struct site){
		.stack = count != 0 ? named.stack : NO_STACK,
		.kind = (uint8_t)named.kind,
		.by = (uint8_t)named.by,
	};
	return true;
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

void gti_describe_block_place(void *context, uint32_t name,
			      struct block_place *place)
{
	struct run *run = context;
	struct named_site site = gti_block_site(run, name);
	size_t count;
	const struct gtrace_frame *frames =
		names_frames(&run->names, site.stack, &count);

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
		place->loop.waits =
			run->blocks.requests.by_place
				? fits(&run->at, frames, count)
				: gti_block_serves(place->kind) ||
					  (place->kind ==
						   GTRACE_BLOCK_SYSCALL &&
					   gti_waits_in_call(frames, count));
	}
}

/* ----------------------------------------------------------- collections -- */

bool gti_describe_stack(void *context, uint64_t stack,
			struct stack_facts *facts)
{
	struct run *run = context;
	struct texts *words = &run->names.words;
	const struct naming *naming = gti_make_naming(run, stack);
	struct named_site site = {.work = naming->work,
				  .named = gti_is_named(naming)};
	const struct gtrace_frame *frames;
	struct gtrace_string function;
	size_t count, i;

	gti_make_frames(run, stack, &frames, &count);
	function = frames_root(frames, count)->function;
	facts->named = count != 0;
	facts->outermost = gti_texts_put(words, function.data, function.size);
	for (i = count; i-- > 0;) {
		struct gtrace_string name = frames[i].function;

		if (!gti_is_runtime_function(name))
			function = name;
		facts->forces |= string_is(name, "runtime.GC");
		facts->periodic |= string_is(name, "runtime.forcegchelper");
		facts->starts |= string_is(name, "runtime.gcStart");
	}
	facts->function = gti_texts_put(words, function.data, function.size);
	facts->held = put_functions(&run->names, NAMED_ASSISTS, &site, naming);
	return !run->failed && facts->function != NO_TEXT &&
	       facts->outermost != NO_TEXT && facts->held != NO_TEXT;
}
