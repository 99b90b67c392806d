/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - events and slices as the public interface has them. */
#include <string.h>

#include "base/least.h"
#include "base/sort.h"
#include "front.h"

/* The frames of a stack, which all events that have it share. */
struct shared_frames {
	const struct gtrace_frame *frames; /* NULL if there are none */
	size_t count;
	struct naming naming;
};

bool gti_event_maker_init(struct event_maker *maker, struct gtrace *trace,
			  bool owns_texts)
{
	*maker = (struct event_maker){
		.trace = trace,
		.memory = &trace->memory,
		.arena = {.memory = &trace->memory},
		.owns_texts = owns_texts,
	};
	maker->frames =
		gti_allocate_zeroed(maker->memory, trace->format->frames_max,
				    sizeof(*maker->frames));
	return maker->frames != NULL;
}

void gti_event_maker_free(struct event_maker *maker)
{
	if (maker->memory == NULL)
		return;
	gti_release(maker->memory, maker->frames,
		    maker->trace->format->frames_max * sizeof(*maker->frames));
	gti_map_free(&maker->stacks, maker->memory);
	gti_map_free(&maker->texts, maker->memory);
	maker->frames = NULL;
}

/* ---------------------------------------------------------------- frames -- */

/* Replaces TEXT by a copy in the arena: texts of a trace are shared. */
bool gti_own_text(struct event_maker *maker, struct gtrace_string *text)
{
	uint64_t *known;

	if (!maker->owns_texts || text->size == 0) {
		if (text->size == 0)
			text->data = "";
		return true;
	}
	known = gti_map_put(&maker->texts, (uint64_t)(uintptr_t)text->data,
			    maker->memory);
	if (known == NULL)
		return false;
	if (*known == 0)
		*known = (uint64_t)(uintptr_t)gti_arena_copy(
			&maker->arena, text->data, text->size);
	text->data = (const char *)(uintptr_t)*known;
	return text->data != NULL;
}

/* Whether the format had no memory to look something up. */
static bool lacks_memory(const struct event_maker *maker)
{
	const struct format *format = maker->trace->format;

	return format->lacks_memory != NULL &&
	       format->lacks_memory(maker->trace->self);
}

/* Reads the frames of a stack into the arena. Returns NULL without memory. */
static const struct shared_frames *read_frames(struct event_maker *maker,
					       uint64_t stack)
{
	const struct format *format = maker->trace->format;
	struct shared_frames *shared;
	struct gtrace_frame *copy;
	size_t count, i;

	count = format->frames(maker->trace->self, stack, maker->frames);
	if (lacks_memory(maker))
		return NULL;
	shared = gti_arena_allocate(&maker->arena, sizeof(*shared));
	copy = gti_arena_allocate(&maker->arena, count * sizeof(*copy));
	if (shared == NULL || copy == NULL)
		return NULL;
	for (i = 0; i < count; i++) {
		copy[i] = maker->frames[i];
		if (!gti_own_text(maker, &copy[i].function) ||
		    !gti_own_text(maker, &copy[i].file))
			return NULL;
	}
	shared->frames = count != 0 ? copy : NULL;
	shared->count = count;
	shared->naming = gti_name_stack(copy, count);
	return shared;
}

/* The frames of STACK. NULL: there is no memory. */
static const struct shared_frames *share_frames(struct event_maker *maker,
						uint64_t stack)
{
	static const struct shared_frames none = {
		.naming = {.work = GTRACE_WORK_RUNTIME},
	};
	uint64_t *known;

	if (stack == 0)
		return &none;
	known = gti_map_put(&maker->stacks, stack, maker->memory);
	if (known == NULL)
		return NULL;
	if (*known == 0)
		*known = (uint64_t)(uintptr_t)read_frames(maker, stack);
	return (const struct shared_frames *)(uintptr_t)*known;
}

bool gti_make_frames(struct event_maker *maker, uint64_t stack,
		     const struct gtrace_frame **frames, size_t *count)
{
	const struct shared_frames *shared = share_frames(maker, stack);

	*frames = shared != NULL ? shared->frames : NULL;
	*count = shared != NULL ? shared->count : 0;
	return shared != NULL;
}

const struct naming *gti_make_naming(struct event_maker *maker, uint64_t stack)
{
	const struct shared_frames *shared = share_frames(maker, stack);

	return shared != NULL ? &shared->naming : NULL;
}

void gti_event_maker_forget(struct event_maker *maker)
{
	gti_arena_free(&maker->arena);
	gti_map_free(&maker->stacks, maker->memory);
}

static bool set_walk(struct event_maker *maker, struct gtrace_event *event,
		     struct origin origin)
{
	unsigned count = origin_count(origin), i;
	const char **walk;

	if (count == 0)
		return true;
	walk = gti_arena_allocate(&maker->arena, count * sizeof(*walk));
	if (walk == NULL)
		return false;
	for (i = 0; i < count; i++)
		walk[i] =
			maker->trace->facts.kinds[origin_type(origin, i)].name;
	event->walk = walk;
	event->walk_count = count;
	return gti_make_frames(maker, origin.stack, &event->frames,
			       &event->frame_count);
}

/* ---------------------------------------------------------------- events -- */

static bool set_strings(struct event_maker *maker, const struct event *event,
			struct gtrace_event *to)
{
	const struct format *format = maker->trace->format;
	struct gtrace_string *strings;
	size_t count, i;

	if (maker->trace->facts.kinds[event->type].strings == 0)
		return true;
	strings = gti_arena_allocate(&maker->arena,
				     EVENT_STRINGS * sizeof(*strings));
	if (strings == NULL)
		return false;
	count = format->strings(maker->trace->self, event, strings);
	if (lacks_memory(maker))
		return false;
	for (i = 0; i < count; i++)
		if (!gti_own_text(maker, &strings[i]))
			return false;
	to->string_count = count;
	to->strings = count != 0 ? strings : NULL;
	return true;
}

void gti_make_values(const struct event_maker *maker, const struct event *event,
		     struct gtrace_event *to)
{
	const struct event_kind *kind = &maker->trace->facts.kinds[event->type];

	*to = (struct gtrace_event){
		.number = event->ordinal,
		.offset = event->offset,
		.type = kind->number,
		.name = kind->name,
		.ts = clock_ns(&maker->clock, event->ticks),
		.m = event->m,
		.p = event->p,
		.g = (int64_t)event->g,
		.stack_id = maker->trace->format->stack_id(maker->trace->self,
							   event->stack),
		.args = kind->args != 0 ? event->args : NULL,
		.arg_count = kind->args,
	};
}

bool gti_make_event(struct event_maker *maker, const struct event *event,
		    struct gtrace_event *to)
{
	gti_make_values(maker, event, to);
	return set_strings(maker, event, to) &&
	       gti_make_frames(maker, event->stack, &to->frames,
			       &to->frame_count);
}

bool gti_make_ref(struct event_maker *maker, const struct event_ref *ref,
		  struct gtrace_event *to)
{
	struct event *event = gti_arena_allocate(&maker->arena, sizeof(*event));

	if (event == NULL)
		return false;
	event->offset = ref->offset;
	event->ordinal = ref->ordinal;
	event->ticks = ref->ticks;
	event->m = ref->m;
	event->p = ref->p;
	event->g = ref->g;
	event->stack = ref->stack;
	event->type = ref->type;
	maker->trace->format->args(maker->trace->self, event);
	if (!gti_make_event(maker, event, to))
		return false;
	return to->frame_count != 0 || set_walk(maker, to, ref->origin);
}

/* --------------------------------------------------------------- details -- */

static int compare_stacks(const void *a, const void *b)
{
	const struct sampled *x = a, *y = b;

	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The most frequent stack first; of equal ones that which came first. */
static int compare_counts(const void *a, const void *b)
{
	const struct sampled *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Adds up the COUNT groups of SAMPLED by stack. Returns how many are left. */
static size_t add_up(struct sampled *sampled, size_t count)
{
	size_t kept = 0, i;

	if (count < 2)
		return count;
	gti_sort(sampled, count, sizeof(*sampled), compare_stacks);
	for (i = 1; i < count; i++) {
		if (sampled[i].stack == sampled[kept].stack)
			sampled[kept].count += sampled[i].count;
		else
			sampled[++kept] = sampled[i];
	}
	gti_sort(sampled, kept + 1, sizeof(*sampled), compare_counts);
	return kept + 1;
}

bool gti_make_samples(struct event_maker *maker, struct sampled *sampled,
		      size_t groups, const struct gtrace_samples **to,
		      size_t *to_count)
{
	size_t count = add_up(sampled, groups), i;
	struct gtrace_samples *samples =
		gti_arena_allocate(&maker->arena, count * sizeof(*samples));

	if (samples == NULL)
		return false;
	*to = samples;
	*to_count = count;
	for (i = 0; i < count; i++) {
		samples[i].count = sampled[i].count;
		if (!gti_make_frames(maker, sampled[i].stack,
				     &samples[i].frames,
				     &samples[i].frame_count))
			return false;
	}
	return true;
}

/* Gives TO the samples of the groups from NEWEST on. */
static bool set_samples(struct event_maker *maker,
			const struct sample_group *newest,
			struct gtrace_slice *to)
{
	const struct sample_group *group;
	struct sampled *sampled;
	size_t count = 0, i = 0;
	bool made;

	for (group = newest; group != NULL; group = group->next)
		count++;
	if (count == 0)
		return true;
	sampled = gti_allocate_zeroed(maker->memory, count, sizeof(*sampled));
	if (sampled == NULL)
		return false;
	for (group = newest; group != NULL; group = group->next) {
		sampled[i].stack = group->stack;
		sampled[i].count = group->count;
		sampled[i].number = count - i;
		i++;
	}
	made = gti_make_samples(maker, sampled, count, &to->samples,
				&to->sample_count);
	gti_release(maker->memory, sampled, count * sizeof(*sampled));
	return made;
}

/* The function that the goroutine of SLICE began in. */
static bool set_function(struct event_maker *maker, const struct slice *slice,
			 struct gtrace_slice *to)
{
	const struct gtrace_frame *frames;
	size_t count;

	to->function = (struct gtrace_string){"", 0};
	if (slice->first_stack == 0)
		return true;
	if (!gti_make_frames(maker, slice->first_stack, &frames, &count))
		return false;
	if (count == 0)
		return true;
	to->function = frames[count - 1].function;
	to->system = gti_is_system(&frames[count - 1]);
	return true;
}

static bool set_details(struct event_maker *maker, const struct slice *slice,
			struct gtrace_slice *to)
{
	to->function = (struct gtrace_string){"", 0};
	to->syscall_ns = -1;
	if (maker->trace->format->times_calls)
		to->syscall_ns = slice->inside.call_ticks;
	if (maker->inside == NULL)
		return true;
	to->own = slice->own;
	to->silent = slice->inside.silent;
	to->off_cpu_min = inside_off_cpu(&slice->inside);
	to->off_cpu_likely = greatest_of(slice->likely, to->off_cpu_min);
	if (slice->likely < 0)
		to->off_cpu_likely = -1;
	to->gc_worker = (int)slice->gc_worker;
	to->syscalls = slice->inside.calls;
	return set_function(maker, slice, to) &&
	       set_samples(maker, slice->inside.samples, to);
}

const struct naming *gti_make_ref_naming(struct event_maker *maker,
					 const struct event_ref *ref)
{
	const struct naming *naming = gti_make_naming(maker, ref->stack);

	if (naming == NULL || naming->frame != NULL ||
	    origin_count(ref->origin) == 0)
		return naming;
	return gti_make_naming(maker, ref->origin.stack);
}

bool gti_make_slice_naming(struct event_maker *maker, const struct slice *slice,
			   struct naming *to)
{
	const struct naming *named = NULL;

	if (!slice->still_running) {
		named = gti_make_ref_naming(maker, &slice->end);
		if (named == NULL)
			return false;
	}
	if (named == NULL || !gti_is_named(named))
		named = gti_make_ref_naming(maker, &slice->start);
	if (named == NULL)
		return false;
	*to = gti_name_slice(
		*named, maker->inside != NULL ? slice->gc_worker : 0,
		maker->inside != NULL && maker->trace->format->times_calls &&
			slice->inside.call_ticks > slice->length / 2);
	return true;
}

bool gti_make_slice(struct event_maker *maker, const struct slice *slice,
		    struct gtrace_slice *to)
{
	struct oncpu_time time;
	struct naming naming;

	*to = (struct gtrace_slice){
		.duration = slice->length,
		.m = slice->m,
		.p = slice->p,
		.g = (int64_t)slice->g,
		.still_running = slice->still_running,
		.delay = slice->delay,
	};
	if (!gti_make_ref(maker, &slice->start, &to->start) ||
	    (!slice->still_running &&
	     !gti_make_ref(maker, &slice->end, &to->end)) ||
	    !set_details(maker, slice, to) ||
	    !gti_make_slice_naming(maker, slice, &naming))
		return false;
	time = gti_oncpu_time(maker->trace->oncpu, to->m, to->start.ts,
			      to->duration);
	to->on_cpu = time.on_cpu;
	to->preempted = time.preempted;
	to->asleep = time.asleep;
	to->frame = naming.frame;
	to->caller = naming.caller;
	to->work = naming.work;
	return true;
}
