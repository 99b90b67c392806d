/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - events and slices as the public interface has them. */
#include <string.h>

#include "base/sort.h"
#include "run.h"

/* A pass that gives things away keeps frames of so many bytes. */
#define KEEPS_MAX ((size_t)4 << 20)

/* The frames of a stack, which all events that have it share. */
struct shared_frames {
	const struct gtrace_frame *frames; /* NULL if there are none */
	size_t count;
	struct naming naming;
	uint32_t number; /* among the named stacks, plus one; 0: none yet */
};

void *gti_make_array(struct run *run, size_t count, size_t size)
{
	void *made = NULL;

	if (size == 0 || count <= SIZE_MAX / size)
		made = gti_arena_allocate(run->arena, count * size);
	run->failed |= made == NULL;
	return made;
}

/* ---------------------------------------------------------------- frames -- */

/* Texts of a trace are shared. */
void gti_own_text(struct run *run, struct gtrace_string *text)
{
	uint64_t *known;

	if (text->size == 0)
		text->data = "";
	if (!run->owns_texts || text->size == 0)
		return;
	known = gti_map_put(&run->texts, (uint64_t)(uintptr_t)text->data,
			    run->memory);
	if (known != NULL && *known == 0)
		*known = (uint64_t)(uintptr_t)gti_arena_copy(
			run->arena, text->data, text->size);
	if (known != NULL && *known != 0)
		text->data = (const char *)(uintptr_t)*known;
	else
		run->failed = true;
}

/* Whether the format had no memory to look something up. */
static bool lacks_memory(const struct run *run)
{
	const struct format *format = run->trace->format;

	return format->lacks_memory != NULL &&
	       format->lacks_memory(run->trace->self);
}

size_t gti_read_strings(struct run *run, const struct event *event,
			struct gtrace_string strings[EVENT_STRINGS])
{
	size_t count;

	feed_lock(run->feed);
	count = run->trace->format->strings(run->trace->self, event, strings);
	run->failed |= lacks_memory(run);
	feed_unlock(run->feed);
	return count;
}

bool gti_begin_frames(struct run *run)
{
	run->frames = gti_allocate_zeroed(run->memory,
					  run->trace->format->frames_max,
					  sizeof(*run->frames));
	return run->frames != NULL;
}

void gti_end_frames(struct run *run)
{
	gti_release(run->memory, run->frames,
		    run->trace->format->frames_max * sizeof(*run->frames));
}

/* Sets *TO to a copy of the COUNT frames at FRAMES. */
static void copy_frames(struct run *run, const struct gtrace_frame *frames,
			size_t count, const struct gtrace_frame **to)
{
	struct gtrace_frame *copy = gti_make_array(run, count, sizeof(*copy));
	size_t i;

	*to = NULL;
	if (copy == NULL || count == 0)
		return;
	memcpy(copy, frames, count * sizeof(*copy));
	for (i = 0; i < count; i++) {
		gti_own_text(run, &copy[i].function);
		gti_own_text(run, &copy[i].file);
	}
	*to = copy;
}

/* Reads the frames of a stack into the arena. Returns NULL without memory. */
static const struct shared_frames *read_frames(struct run *run, uint64_t stack)
{
	const struct format *format = run->trace->format;
	struct shared_frames *shared = gti_make_array(run, 1, sizeof(*shared));

	if (shared == NULL)
		return NULL;
	feed_lock(run->feed);
	shared->count = format->frames(run->trace->self, stack, run->frames);
	run->failed |= lacks_memory(run);
	feed_unlock(run->feed);
	copy_frames(run, run->frames, shared->count, &shared->frames);
	if (run->failed)
		return NULL;
	shared->naming = gti_name_stack(shared->frames, shared->count);
	return shared;
}

/* The frames of STACK; without memory, none. */
static const struct shared_frames *share_frames(struct run *run, uint64_t stack)
{
	static const struct shared_frames none = {
		.naming = {.work = GTRACE_WORK_RUNTIME},
	};
	uint64_t *known;

	if (stack == 0 || run->failed)
		return &none;
	known = gti_map_put(&run->stacks, stack, run->memory);
	if (known != NULL && *known == 0)
		*known = (uint64_t)(uintptr_t)read_frames(run, stack);
	if (known != NULL && *known != 0)
		return (const struct shared_frames *)(uintptr_t)*known;
	run->failed = true;
	return &none;
}

void gti_make_frames(struct run *run, uint64_t stack,
		     const struct gtrace_frame **frames, size_t *count)
{
	const struct shared_frames *shared = share_frames(run, stack);

	*frames = shared->frames;
	*count = shared->count;
}

uint32_t *gti_stack_number(struct run *run, uint64_t stack)
{
	const struct shared_frames *shared = share_frames(run, stack);
	const uint64_t *known;

	if (shared->frames == NULL)
		return NULL;
	known = gti_map_get(&run->stacks, stack);
	return &((struct shared_frames *)(uintptr_t)*known)->number;
}

void gti_make_named_frames(struct run *run, uint32_t number,
			   const struct gtrace_frame **frames, size_t *count)
{
	const struct gtrace_frame *named =
		names_frames(&run->names, number, count);

	copy_frames(run, named, *count, frames);
	if (*frames == NULL)
		*count = 0;
}

const struct naming *gti_make_naming(struct run *run, uint64_t stack)
{
	return &share_frames(run, stack)->naming;
}

void gti_forget_frames(struct run *run)
{
	gti_arena_free(run->arena);
	gti_map_free(&run->stacks, run->memory);
}

void gti_limit_frames(struct run *run)
{
	if (run->arena->total > KEEPS_MAX)
		gti_forget_frames(run);
}

static void set_walk(struct run *run, struct gtrace_event *event,
		     struct origin origin)
{
	unsigned count = origin_count(origin), i;
	const char **walk;

	if (count == 0)
		return;
	walk = gti_make_array(run, count, sizeof(*walk));
	if (walk == NULL)
		return;
	for (i = 0; i < count; i++)
		walk[i] = run->trace->facts.kinds[origin_type(origin, i)].name;
	event->walk = walk;
	event->walk_count = count;
	gti_make_frames(run, origin.stack, &event->frames, &event->frame_count);
}

/* ---------------------------------------------------------------- events -- */

static void set_strings(struct run *run, const struct event *event,
			struct gtrace_event *to)
{
	struct gtrace_string *strings;
	size_t count, i;

	if (run->trace->facts.kinds[event->type].strings == 0)
		return;
	strings = gti_make_array(run, EVENT_STRINGS, sizeof(*strings));
	if (strings == NULL)
		return;
	count = gti_read_strings(run, event, strings);
	for (i = 0; i < count; i++)
		gti_own_text(run, &strings[i]);
	to->string_count = count;
	to->strings = count != 0 ? strings : NULL;
}

void gti_make_values(const struct run *run, const struct event *event,
		     struct gtrace_event *to)
{
	const struct gtrace *trace = run->trace;
	const struct event_kind *kind = &trace->facts.kinds[event->type];

	*to = (struct gtrace_event){
		.number = event->ordinal,
		.offset = event->offset,
		.type = kind->number,
		.name = kind->name,
		.ts = run_ns(run, event->ticks),
		.m = event->m,
		.p = event->p,
		.g = (int64_t)event->g,
		.stack_id = trace->format->stack_id(trace->self, event->stack),
		.args = kind->args != 0 ? event->args : NULL,
		.arg_count = kind->args,
	};
}

void gti_make_event(struct run *run, const struct event *event,
		    struct gtrace_event *to)
{
	gti_make_values(run, event, to);
	set_strings(run, event, to);
	gti_make_frames(run, event->stack, &to->frames, &to->frame_count);
}

void gti_make_ref(struct run *run, const struct event_ref *ref,
		  struct gtrace_event *to)
{
	struct event *event = gti_make_array(run, 1, sizeof(*event));

	*to = (struct gtrace_event){.name = ""};
	if (event == NULL)
		return;
	event->offset = ref->offset;
	event->ordinal = ref->ordinal;
	event->ticks = ref->ticks;
	event->m = ref->m;
	event->p = ref->p;
	event->g = ref->g;
	event->stack = ref->stack;
	event->type = ref->type;
	run->trace->format->args(run->trace->self, event);
	gti_make_event(run, event, to);
	if (to->frame_count == 0)
		set_walk(run, to, ref->origin);
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

void gti_make_samples(struct run *run, struct sampled *sampled, size_t groups,
		      const struct gtrace_samples **to, size_t *to_count)
{
	size_t count = add_up(sampled, groups), i;
	struct gtrace_samples *samples =
		gti_make_array(run, count, sizeof(*samples));

	if (samples == NULL)
		return;
	*to = samples;
	*to_count = count;
	for (i = 0; i < count; i++) {
		samples[i].count = sampled[i].count;
		gti_make_frames(run, sampled[i].stack, &samples[i].frames,
				&samples[i].frame_count);
	}
}

/* Gives TO the samples INSIDE, the newest of which comes first. */
static void set_samples(struct run *run, const struct inside *inside,
			struct gtrace_slice *to)
{
	const struct sample_group *group = inside->samples;
	struct sampled *sampled;
	size_t count = 0;

	if (group == NULL)
		return;
	sampled = gti_make_array(run, (size_t)inside->taken, sizeof(*sampled));
	for (; group != NULL && sampled != NULL; group = group->next, count++)
		sampled[count] = (struct sampled){group->stack, group->count,
						  SIZE_MAX - count};
	gti_make_samples(run, sampled, count, &to->samples, &to->sample_count);
}

/* The function that the goroutine of SLICE began in. */
static void set_function(struct run *run, const struct slice *slice,
			 struct gtrace_slice *to)
{
	const struct gtrace_frame *frames;
	size_t count;

	gti_make_frames(run, slice->first_stack, &frames, &count);
	if (count == 0)
		return;
	to->function = frames[count - 1].function;
	to->system = gti_is_system(&frames[count - 1]);
}

static void set_details(struct run *run, const struct slice *slice,
			struct gtrace_slice *to)
{
	to->function = (struct gtrace_string){"", 0};
	to->syscall_ns = -1;
	if (run->trace->format->times_calls)
		to->syscall_ns = slice->inside.call_ticks;
	if (run->observer.inside == NULL)
		return;
	to->own = slice->own;
	to->silent = slice->inside.silent;
	to->off_cpu_min = slice->inside.certain;
	to->off_cpu_likely = slice->inside.likely;
	to->silent_class = (enum gtrace_silent_class)slice->inside.silent_class;
	to->gc_worker = (int)slice->gc_worker;
	to->syscalls = slice->inside.calls;
	set_function(run, slice, to);
	gti_make_last(run, slice, &to->last_frames, &to->last_frame_count);
	set_samples(run, &slice->inside, to);
}

/* Whether the stack of REF, or of the walk back from it, is of the tracer. */
static bool is_of_tracer(struct run *run, const struct event_ref *ref)
{
	const struct gtrace_frame *frames;
	size_t count;

	gti_make_frames(run, ref->stack, &frames, &count);
	if (count == 0)
		gti_make_frames(run, ref->origin.stack, &frames, &count);
	return gti_is_tracer(frames, count);
}

/*
 * The work of SLICE, which still runs and was last in the tracer: the program
 * called that, unless it was in it before.
 */
static enum gtrace_work work_before(struct run *run, const struct slice *slice)
{
	const struct gtrace_frame *frames;
	size_t count;

	gti_make_frames(run, slice->first_stack, &frames, &count);
	return is_of_tracer(run, &slice->start) ||
			       (count != 0 && gti_is_system(&frames[count - 1]))
		       ? GTRACE_WORK_TRACER
		       : GTRACE_WORK_PROGRAM;
}

/* Whether the last event of SLICE began the system call in which it is. */
static bool ended_in_call(const struct run *run, const struct slice *slice)
{
	return slice->still_running
		       ? slice->last.in_call
		       : observe_ends_call(&run->observer, slice->end.type);
}

/* The naming of the creation of the goroutine of SLICE. */
static const struct naming *creator_of(struct run *run,
				       const struct slice *slice)
{
	return gti_make_naming(run, slice->last.stacks.creator);
}

struct naming gti_make_end_naming(struct run *run, const struct slice *slice,
				  const struct gtrace_frame **frames,
				  size_t *count)
{
	const struct last_event *last = &slice->last;
	struct naming naming;

	if (!slice->still_running) {
		gti_make_frames(run, slice->end.stack, frames, count);
		naming = *gti_make_naming(run, slice->end.stack);
		if (gti_is_named(&naming))
			return naming_created(naming, creator_of(run, slice));
	}
	gti_make_frames(run, last->stacks.last, frames, count);
	naming = *gti_make_naming(run, last->stacks.last);
	if (!ended_in_call(run, slice))
		naming = naming_before(naming);
	if (slice->still_running && naming.work == GTRACE_WORK_TRACER)
		naming.work = work_before(run, slice);
	/* The tracer wakes only what waits for it. */
	if (slice->still_running && last->stacks.last == slice->first_stack &&
	    is_of_tracer(run, &slice->start))
		naming.work = GTRACE_WORK_TRACER;
	return naming_created(naming, creator_of(run, slice));
}

void gti_make_last(struct run *run, const struct slice *slice,
		   const struct gtrace_frame **frames, size_t *count)
{
	if (slice->still_running ||
	    !gti_is_named(gti_make_naming(run, slice->end.stack)))
		gti_make_frames(run, slice->last.stacks.last, frames, count);
}

struct naming gti_make_slice_naming(struct run *run, const struct slice *slice)
{
	bool inside = run->observer.inside != NULL;
	const struct gtrace_frame *frames;
	size_t count;
	struct naming naming = gti_make_end_naming(run, slice, &frames, &count);

	return gti_name_slice(naming, inside ? slice->gc_worker : 0,
			      inside && run->trace->format->times_calls &&
				      slice->inside.call_ticks >
					      slice->length / 2);
}

void gti_make_slice(struct run *run, const struct slice *slice,
		    struct gtrace_slice *to)
{
	struct naming naming = gti_make_slice_naming(run, slice);
	struct oncpu_time time;

	*to = (struct gtrace_slice){
		.duration = slice->length,
		.m = slice->m,
		.p = slice->p,
		.g = (int64_t)slice->g,
		.still_running = slice->still_running,
		.delay = slice->delay,
		.clock_changed = slice->clock_changed,
		.frame = naming.frame,
		.caller = naming.caller,
		.work = naming.work,
	};
	gti_make_ref(run, &slice->start, &to->start);
	if (!slice->still_running)
		gti_make_ref(run, &slice->end, &to->end);
	set_details(run, slice, to);
	time = gti_oncpu_time(run->trace->oncpu, to->m, to->start.ts,
			      to->duration);
	to->on_cpu = time.on_cpu;
	to->preempted = time.preempted;
	to->asleep = time.asleep;
}
