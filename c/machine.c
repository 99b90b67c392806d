/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - when threads may have had no CPU. */
#include "machine.h"

#include "analysis/machine.h"
#include "base/array.h"
#include "base/fail.h"
#include "base/least.h"
#include "base/strings.h"
#include "report/block_kinds.h"
#include "run.h"

/* A place is so many of the innermost frames of a stack. */
#define PLACE_FRAMES 3

/*
 * From this version on the runtime preempts goroutines that do not call
 * functions. It does since Go 1.14, but that has the version of Go 1.11.
 */
#define VERSION_HEARD 1019

/* It runs as long as a CPU profile is made. */
#define PROFILE_WRITER "runtime/pprof.profileWriter"

/* Of the bare stretches that end in a time, so many are looked at. */
#define LOOKS 1000

/* ----------------------------------------------------------------- names -- */

/* Functions in which a thread computes in the kernel, or sleeps there. */
static const char *const in_kernel[] = {
	"internal/runtime/syscall", "runtime/internal/syscall.",
	"golang.org/x/sys/unix.",   "syscall.",
	"runtime.madvise",          "runtime.mmap",
	"runtime.munmap",           "runtime.sysMmap",
	"runtime.sysMunmap",
};

static bool is_in_kernel(const struct gtrace_frame *frame)
{
	size_t i;

	for (i = 0; i < sizeof(in_kernel) / sizeof(*in_kernel); i++)
		if (string_begins(frame->function, in_kernel[i]))
			return true;
	return false;
}

static bool is_asynchronous(const struct gtrace_frame *frames, size_t count)
{
	return count != 0 &&
	       (string_is(frames->function, "runtime.asyncPreempt") ||
		string_is(frames->function, "runtime.asyncPreempt2"));
}

/* The first function whose name does not begin with that of the runtime. */
static uint32_t function_of(struct run *run, const struct gtrace_frame *frames,
			    size_t count)
{
	struct gtrace_string name;
	size_t i;

	for (i = 0; i < count; i++) {
		name = frames[i].function;
		if (!string_begins(name, "runtime."))
			return gti_texts_put(&run->names.words, name.data,
					     name.size);
	}
	return NO_TEXT;
}

/* See struct evidence_names. */
static bool describe(void *context, uint64_t stack, struct stack_evidence *to)
{
	struct run *run = context;
	const struct gtrace_frame *frames;
	struct naming naming = *gti_make_naming(run, stack);
	struct naming root = {.work = GTRACE_WORK_PROGRAM}, own = root;
	size_t count;

	gti_make_frames(run, stack, &frames, &count);
	if (run->failed)
		return false;
	if (count == 0)
		return true;
	root.frame = &frames[count - 1];
	to->asynchronous = is_asynchronous(frames, count);
	to->in_kernel = is_in_kernel(&frames[0]);
	to->profiles = string_is(frames[count - 1].function, PROFILE_WRITER);
	to->function = function_of(run, frames, count);
	if (gti_is_named(&naming)) {
		to->name = gti_name_silent(run, &naming);
		own.frame = naming_own(&naming);
		own.work = naming.work;
		to->own = gti_name_silent(run, &own);
	}
	if (gti_is_named(&root))
		to->root = gti_name_silent(run, &root);
	to->place = gti_name_inner(run, frames,
				   count < PLACE_FRAMES ? count : PLACE_FRAMES);
	return !run->failed;
}

/* The event of TRANSITION. */
static struct event event_of(const struct run *run,
			     const struct transition *transition)
{
	struct event event = {
		.offset = transition->offset,
		.type = transition->type,
	};

	run->trace->format->args(run->trace->self, &event);
	return event;
}

static bool is_timed(void *context, const struct transition *transition)
{
	struct run *run = context;
	const struct gtrace *trace = run->trace;
	const struct event_kind *kind = &trace->facts.kinds[transition->type];
	struct gtrace_string strings[EVENT_STRINGS] = {string_of(kind->name)};

	if (kind->strings != 0) {
		struct event event = event_of(run, transition);

		gti_read_strings(run, &event, strings);
	}
	switch (gti_block_kind(strings[0], NULL, 0)) {
	case GTRACE_BLOCK_SLEEP:
	case GTRACE_BLOCK_RECEIVE:
		return true;
	case GTRACE_BLOCK_SELECT:
		return trace->format->has_threads;
	default:
		return false;
	}
}

struct gtrace_string gti_transition_text(void *context,
					 const struct transition *transition)
{
	struct run *run = context;
	struct event event = event_of(run, transition);
	struct gtrace_string strings[EVENT_STRINGS] = {string_of("")};

	gti_read_strings(run, &event, strings);
	return strings[0];
}

static bool is_dedicated(void *context, const struct transition *transition)
{
	return gti_work_of(gti_transition_text(context, transition)) ==
	       GC_DEDICATED;
}

static const struct evidence_names evidence_names = {describe, is_timed,
						     is_dedicated};

/* ------------------------------------------------------------------ pass -- */

bool gti_collect_machine(struct run *run)
{
	struct gtrace *trace = run->trace;
	struct evidence *evidence = &trace->machine->evidence;
	struct observer *observer = &run->observer;
	struct consumer consumer;

	observer->machine =
		gti_allocate_zeroed(run->memory, 1, sizeof(*observer->machine));
	if (observer->machine == NULL)
		return false;
	*evidence = (struct evidence){
		.memory = run->memory,
		.names = &evidence_names,
		.context = run,
		.clock = &observer->clock,
		.by_thread = trace->format->has_threads,
		.infers = trace->facts.version < VERSION_ALL_STOPS,
		.hears = trace->facts.version >= VERSION_HEARD,
	};
	gti_evidence_init(evidence);
	/* It may be beside: nothing else in this pass needs names or frames. */
	consumer = gti_evidence_consumer(evidence);
	if (!gti_consume(run, &consumer))
		return false;
	observer->machine->hears = evidence->hears;
	observer->machine->collects = true;
	return true;
}

/* See struct wanted. */
static enum gtrace_status decide(struct run *run, struct gtrace_error *error)
{
	struct machine_facts *facts = run->trace->machine;

	gti_evidence_decide(&facts->evidence);
	if (facts->evidence.failed || run->feed->failed)
		return gti_fail_memory(error);
	facts->names = run->names;
	run->names = (struct names){.frames.items = NULL};
	gti_names_init(&run->names, run->memory);
	return GTRACE_OK;
}

enum gtrace_status gti_find_machine(struct gtrace *trace,
				    struct gtrace_error *error)
{
	const struct wanted wanted = {
		.machine = true,
		.make = decide,
		/* The first pass says how many come before what is unfinished.
		 */
		.request.n =
			trace->options.partial == GTRACE_PARTIAL_UNFINISHED,
	};
	enum gtrace_status status;

	if (trace->machine != NULL || trace->oncpu != NULL ||
	    gtrace_in_ticks(trace))
		return GTRACE_OK;
	trace->machine =
		gti_allocate_zeroed(&trace->memory, 1, sizeof(*trace->machine));
	if (trace->machine == NULL)
		return gti_fail_memory(error);
	status = gti_run(trace, &wanted, error);
	if (status == GTRACE_OK)
		return status;
	gti_free_machine(trace);
	return status == GTRACE_ERROR_MEMORY ? status : GTRACE_OK;
}

void gti_free_machine(struct gtrace *trace)
{
	if (trace->machine == NULL)
		return;
	if (trace->machine->evidence.memory != NULL)
		gti_evidence_free(&trace->machine->evidence);
	gti_names_free(&trace->machine->names);
	gti_release(&trace->memory, trace->machine, sizeof(*trace->machine));
	trace->machine = NULL;
}

/* --------------------------------------------------------------- results -- */

static const char *const signs[] = {
	[SIGN_NONE] = "",
	[SIGN_PROFILE] = "profile",
	[SIGN_TOGETHER] = "together",
	[SIGN_SINGLE] = "single",
	[SIGN_TIMER] = "timer",
	[SIGN_START] = "start",
	[SIGN_SYSMON] = "sysmon",
	[SIGN_BARE] = "bare",
	[SIGN_STORM] = "storm",
};

/* The first reason for WHAT, of SILENCE. */
static enum evidence_sign sign_of(const struct silence *silence,
				  enum gtrace_silent_class what)
{
	if (what == GTRACE_SILENT_ASLEEP || what == GTRACE_SILENT_CERTAIN)
		return SIGN_PROFILE;
	return what == GTRACE_SILENT_LIKELY ? silence->sign : SIGN_NONE;
}

static void make_slice(const struct evidence *evidence,
		       const struct kept_stretch *kept,
		       struct gtrace_silent *to)
{
	const struct silence *silence = evidence_silence_at(evidence, kept->at);

	to->from = silence->from;
	to->to = silence->to;
	to->g = (int64_t)kept->g;
	to->what = gti_evidence_class(
		silence, silence_samples(silence, kept->m), &to->time);
	to->why = signs[sign_of(silence, to->what)];
}

static void make_bare(const struct evidence *evidence,
		      const struct kept_stretch *kept, struct gtrace_silent *to)
{
	const struct bare_stretch *stretch =
		(const struct bare_stretch *)evidence->stretches.items +
		kept->at;
	enum evidence_sign sign = SIGN_NONE;

	to->from = stretch->from;
	to->to = stretch->to;
	to->g = -1;
	to->what = gti_evidence_bare_class(evidence, stretch, &to->time);
	if (to->what == GTRACE_SILENT_ASLEEP)
		sign = SIGN_PROFILE;
	else if (to->what == GTRACE_SILENT_LIKELY)
		sign = SIGN_BARE;
	else if (evidence->found.storm)
		sign = SIGN_STORM;
	to->why = signs[sign];
}

/* Sets FRAME and INNER to what NAME stands for. Returns whose work it is. */
static enum gtrace_work make_name(struct run *run, uint32_t name,
				  struct gtrace_frame *frame,
				  struct gtrace_string *inner)
{
	const struct names *names = &run->trace->machine->names;
	const struct gtrace_frame *frames;
	struct named_site site;
	size_t count;

	*frame = gti_no_frame;
	*inner = gti_no_frame.function;
	if (name == NO_TEXT)
		return GTRACE_WORK_PROGRAM;
	site = gti_names_site(names, NAMED_SILENT, name);
	frames = names_frames(names, site.stack, &count);
	*frame = frames[0];
	*inner = frames[1].function;
	gti_own_text(run, &frame->function);
	gti_own_text(run, &frame->file);
	gti_own_text(run, inner);
	return (enum gtrace_work)site.work;
}

static void make_stretches(struct run *run, struct gtrace_summary *to)
{
	const struct machine_facts *facts = run->trace->machine;
	const struct evidence *evidence = &facts->evidence;
	size_t count = evidence->kept_count, i;
	struct gtrace_silent *items =
		gti_make_array(run, count, sizeof(*items));

	if (items == NULL)
		return;
	for (i = 0; i < count; i++) {
		const struct kept_stretch *kept = &evidence->kept[i];
		struct gtrace_frame frame;

		items[i].p = kept->p;
		make_name(run, kept->name, &frame, &items[i].function);
		if (items[i].function.size == 0)
			items[i].function = frame.function;
		if (kept->lane != 0)
			make_slice(evidence, kept, &items[i]);
		else
			make_bare(evidence, kept, &items[i]);
	}
	to->machine.stretches = items;
	to->machine.stretch_count = count;
}

void gti_make_machine(struct run *run, struct gtrace_summary *to)
{
	const struct machine_facts *facts = run->trace->machine;

	to->machine = (struct gtrace_machine){
		.off_cpu.start = -1,
		.off_cpu_p = -1,
		.silence_known = run->trace->facts.version >= VERSION_HEARD,
		.silence.start = -1,
	};
	if (facts == NULL)
		return;
	to->machine = facts->evidence.found;
	to->held_time = facts->evidence.held_time;
	make_stretches(run, to);
}

/* Makes the function with the evidence FROM. */
static void make_function(struct run *run, const struct silent_function *from,
			  struct gtrace_function *to)
{
	*to = (struct gtrace_function){
		.count = from->count,
		.sum = from->sum,
		.max = from->max,
		.max_start = from->max_start,
		.max_g = (int64_t)from->g,
		.delaying = from->asynchronous,
		.delay = from->harm < 0x1p62 ? (int64_t)from->harm
					     : INT64_MAX / 2,
	};
	to->work = make_name(run, from->name, &to->frame, &to->inner);
}

size_t gti_make_silent(struct run *run, struct gtrace_function **out)
{
	const struct machine_facts *facts = run->trace->machine;
	const struct silent_function *from;
	size_t count = 0, all, i;

	*out = NULL;
	if (facts == NULL)
		return 0;
	from = facts->evidence.functions.items;
	all = facts->evidence.functions.count;
	*out = gti_make_array(run, all, sizeof(**out));
	for (i = 0; i < all && *out != NULL; i++)
		if (from[i].count != 0)
			make_function(run, &from[i], *out + count++);
	return count;
}

void gti_machine_within(const struct gtrace *trace, int64_t from,
			int64_t length, int64_t *silent, int64_t *certain,
			enum gtrace_silent_class *class)
{
	const struct machine_facts *facts = trace->machine;
	struct silence_sums sums = {.length = 0};
	int i;

	if (facts != NULL)
		sums = gti_evidence_sums(
			&facts->evidence, from,
			add_lengths(greatest_of(from, 0), (uint64_t)length));
	*silent = sums.length;
	*certain = sums.certain;
	*class = GTRACE_SILENT_NONE;
	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		if (sums.count[i] != 0)
			*class = (enum gtrace_silent_class)i;
}

enum gtrace_silent_class gti_machine_bare(const struct gtrace *trace, int64_t p,
					  int64_t from, int64_t to,
					  int64_t *length)
{
	const struct machine_facts *facts = trace->machine;
	const struct evidence *evidence;
	const struct bare_stretch *at, *best = NULL;
	int64_t time;
	size_t i, count;

	*length = 0;
	if (facts == NULL)
		return GTRACE_SILENT_NONE;
	evidence = &facts->evidence;
	at = evidence->stretches.items;
	count = evidence->stretches.count;
	i = count_until(at, count, sizeof(*at),
			offsetof(struct bare_stretch, to), from);
	count = count - i < LOOKS ? count : i + LOOKS;
	for (; i < count && at[i].to <= to; i++) {
		time = at[i].to - greatest_of(at[i].from, from);
		if (at[i].p != p || time <= *length)
			continue;
		*length = time;
		best = &at[i];
	}
	return best != NULL ? gti_evidence_bare_class(evidence, best, &time)
			    : GTRACE_SILENT_NONE;
}
