/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - slices, stops, waits, blocks and assists for pprof. */
#include "base/array.h"
#include "base/fail.h"
#include "block_names.h"
#include "report/block_kinds.h"
#include "report/pprof.h"

/* What the values of each profile are, see struct pprof_head. */
static const char *const whats[] = {
	[GTRACE_REPORT_PROFILE] = "slices",
	[GTRACE_REPORT_CPU_PROFILE] = "slices",
	[GTRACE_REPORT_DELAY_PROFILE] = "slices",
	[GTRACE_REPORT_STOP_PROFILE] = "stops",
	[GTRACE_REPORT_WAIT_PROFILE] = "waits",
	[GTRACE_REPORT_BLOCK_PROFILE] = "blocks",
	[GTRACE_REPORT_UNBLOCK_PROFILE] = "blocks",
	[GTRACE_REPORT_ASSIST_PROFILE] = "assists",
};

static const char *const meanings[] = {
	[GTRACE_REPORT_PROFILE] =
		"Slices by the stack where each ended; if it ended in a "
		"block, from the function of the program on, which computed "
		"before it.",
	[GTRACE_REPORT_CPU_PROFILE] =
		"Slices by the stack where each ended. The time is that for "
		"which the thread was on a CPU, as the scheduling record of "
		"the kernel has it.",
	[GTRACE_REPORT_DELAY_PROFILE] =
		"What slices delayed other goroutines, by the stack where "
		"each slice ended. The time is that which goroutines waited "
		"for the processor while all were busy.",
	[GTRACE_REPORT_STOP_PROFILE] =
		"Measured stops of the world by the stack where the last "
		"processor that each waited for could be stopped. The time "
		"is that of waiting (phase stopping). The times for which "
		"the world stood still (stopped) and until the stop ended "
		"(restarting) have the stack that requested the stop.",
	[GTRACE_REPORT_WAIT_PROFILE] =
		"Waits for a processor by the stack of the event that made "
		"the goroutine ready. Those that began before the trace, or "
		"are not over at its end, are left out.",
	[GTRACE_REPORT_BLOCK_PROFILE] =
		"Blocks by the stack where each began. The time is that for "
		"which goroutines were blocked, or in a system call.",
	[GTRACE_REPORT_UNBLOCK_PROFILE] =
		"Blocks by the stack of the event that ended each. The time "
		"is that for which other goroutines were blocked.",
	[GTRACE_REPORT_ASSIST_PROFILE] =
		"Mark assists by the stack where each began, from the "
		"innermost function outside the runtime on. The time is that "
		"for which goroutines could not go on: they marked, were "
		"blocked meanwhile, or had no processor.",
};

static struct pprof_head head_of(const struct run *run,
				 const struct gtrace_request *request)
{
	return (struct pprof_head){
		.what = whats[request->report],
		.meaning = meanings[request->report],
		.trace = request->name,
		.in_ticks = gtrace_in_ticks(run->trace) != 0,
		.length = clock_ns(&run->observer.clock,
				   run->observer.census.last),
	};
}

/* ---------------------------------------------------------------- stacks -- */

/* What is shown of NAMING where it has no stack. */
static const char *nothing_of(const struct naming *naming)
{
	switch (naming->work) {
	case GTRACE_WORK_NONE:
		return "(" NO_PROCESSOR ")";
	case GTRACE_WORK_SCHEDULER:
		return "(no goroutine)";
	default:
		return "(no stack)";
	}
}

/* What a profile is made of; the context of its names. */
struct printing {
	struct run run;
	struct pprof pprof;
};

/* The label "phase" of the stacks of stops. */
static const char *const phases[] = {
	[RUN_STOPPING] = "stopping",
	[RUN_STOPPED] = "stopped",
	[RUN_RESTARTING] = "restarting",
};

static uint32_t put(struct printing *printing, const struct naming *naming,
		    const struct gtrace_frame *frames, size_t count,
		    const char *phase)
{
	struct pprof_stack stack = {
		.frames = frames,
		.count = count,
		.nothing = nothing_of(naming),
		.key = "work",
		.label = gti_naming_word(naming),
		.phase = phase,
	};

	return gti_pprof_put_stack(&printing->pprof, &stack);
}

static uint32_t name_wait(void *context, const struct naming *naming,
			  const struct gtrace_frame *frames, size_t count)
{
	return put(context, naming, frames, count, NULL);
}

static uint32_t name_stop(void *context, const struct naming *naming,
			  const struct gtrace_frame *frames, size_t count)
{
	struct printing *printing = context;

	return put(printing, naming, frames, count,
		   phases[printing->run.phase]);
}

/*
 * A slice that ended in a block computed before it: its stack begins with the
 * function of the program, so that no time is added to one that waits.
 */
static uint32_t name_slice(void *context, const struct naming *naming,
			   const struct gtrace_frame *frames, size_t count)
{
	static const struct gtrace_string no_reason = {"", 0};
	const struct gtrace_frame *own = naming_own(naming);
	size_t inner = 0;

	if (gti_block_kind(no_reason, frames, count) != GTRACE_BLOCK_OTHER)
		while (inner < count && &frames[inner] != own)
			inner++;
	if (inner == count)
		inner = 0;
	return put(context, naming, frames + inner, count - inner, NULL);
}

/* The stack of an assist begins with the function that allocates. */
static uint32_t name_assist(void *context, const struct naming *naming,
			    const struct gtrace_frame *frames, size_t count)
{
	size_t inner = 0;

	while (inner + 1 < count &&
	       gti_is_runtime_function(frames[inner].function))
		inner++;
	return put(context, naming, frames + inner, count - inner, NULL);
}

/* The pass begins again: so does the profile. */
static void forget(void *context)
{
	struct pprof *pprof = &((struct printing *)context)->pprof;
	size_t stack_max = pprof->stack_max;
	const struct gtrace_allocator *memory = pprof->memory;

	gti_pprof_free(pprof);
	/* If there is no memory, what is added next fails too. */
	gti_pprof_init(pprof, stack_max, memory);
}

/* The delay of ENTRY, of which SUM is that of those before it. */
static uint64_t take_delay(const struct profile_entry *entry, struct wide *sum)
{
	int64_t before = wide_ns(*sum);

	/* So that all add up to the sum, and not to less. */
	*sum = wide_sum(*sum, entry->delay);
	return (uint64_t)(wide_ns(*sum) - before);
}

/* The names of the entries are numbers of stacks. */
static void write_entries(const struct profile *profile,
			  const struct pprof *pprof, bool delays,
			  struct writer *writer)
{
	size_t count = profile_count(profile), i;
	struct wide sum = {0, 0};

	for (i = 0; i < count; i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		struct pprof_values values = {entry->count, entry->time};
		struct pprof_sample sample;

		if (delays)
			values = (struct pprof_values){entry->delaying,
						       take_delay(entry, &sum)};
		if (values.count == 0 && values.time == 0)
			continue;
		sample = (struct pprof_sample){
			.values = values,
			.g = entry->g == PROFILE_ANY_G ? PPROF_ANY_G : entry->g,
			.stack = entry->name,
		};

		gti_pprof_write_sample(pprof, &sample, writer);
	}
}

static bool write_profile(struct printing *printing,
			  const struct gtrace_request *request,
			  struct writer *writer)
{
	const struct run *run = &printing->run;
	const struct pprof_head head = head_of(run, request);

	if (!gti_pprof_begin(&printing->pprof, &head, writer))
		return false;
	write_entries(request->report == GTRACE_REPORT_STOP_PROFILE
			      ? &run->holders.sums
			      : &run->profile,
		      &printing->pprof,
		      request->report == GTRACE_REPORT_DELAY_PROFILE, writer);
	gti_pprof_end(&printing->pprof, &head, writer);
	return true;
}

enum gtrace_status gti_print_profile(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	bool stops = request->report == GTRACE_REPORT_STOP_PROFILE;
	bool waits = request->report == GTRACE_REPORT_WAIT_PROFILE;
	bool assists = request->report == GTRACE_REPORT_ASSIST_PROFILE;
	struct printing printing;
	const struct wanted wanted = {
		.name = stops     ? NULL
			: waits   ? name_wait
			: assists ? name_assist
				  : name_slice,
		.name_holder = stops ? name_stop : NULL,
		.restart = forget,
		.context = &printing,
		.all_waits = request->report == GTRACE_REPORT_DELAY_PROFILE,
		.by_goroutine = true,
		.request.by_cpu = request->report == GTRACE_REPORT_CPU_PROFILE,
		.request.collections = assists,
		.profile_of_waits = waits,
		.profile_of_assists = assists,
		.request.filter = request->filter,
	};
	enum gtrace_status status;

	if (!gti_pprof_init(&printing.pprof, trace->format->frames_max,
			    &trace->memory)) {
		gti_pprof_free(&printing.pprof);
		return gti_fail_memory(error);
	}
	status = gti_run(&printing.run, trace, &wanted, error);
	if (status == GTRACE_OK && !write_profile(&printing, request, writer))
		status = gti_fail_memory(error);
	status = gti_run_end(&printing.run, status, error);
	gti_pprof_free(&printing.pprof);
	return status;
}

/* ---------------------------------------------------------------- blocks -- */

/* Samples are collected before anything is written. */
struct block_profile {
	struct run run;
	struct pprof pprof;
	struct array samples; /* struct pprof_sample */
	bool by_enders;       /* stacks are those of who ended the blocks */
};

/*
 * Adds COUNT blocks of KIND, at stack NUMBER; NO_TEXT: NOTHING stands for it.
 * Returns false if there is no memory.
 */
static bool add_sample(struct block_profile *profile, uint32_t kind,
		       uint32_t number, const char *nothing, uint64_t count,
		       uint64_t time)
{
	const struct gtrace_allocator *memory = profile->pprof.memory;
	struct array *samples = &profile->samples;
	struct pprof_stack stack = {
		.nothing = nothing,
		.key = "kind",
		.label = gti_block_word((enum gtrace_block_kind)kind),
	};
	struct pprof_sample sample = {{count, time}, PPROF_ANY_G, 0};

	if (count == 0)
		return true;
	if (number != NO_TEXT &&
	    !gti_block_stack(&profile->run.maker, &profile->run, number,
			     &stack.frames, &stack.count))
		return false;
	sample.stack = gti_pprof_put_stack(&profile->pprof, &stack);
	return sample.stack != NO_TEXT &&
	       array_add(samples, &sample, sizeof(sample), memory) != NULL;
}

/* What stands for the stack of who ended blocks, if it was no goroutine. */
static const char *ended_by(enum by by, uint32_t kind)
{
	static const char *const words[BYS] = {
		[BY_GOROUTINE] = "(no stack)",
		[BY_TIMER] = "(timer)",
		[BY_NETWORK] = "(network)",
		[BY_RUNTIME] = "(runtime)",
	};

	return kind == GTRACE_BLOCK_SYSCALL ? "(system call)" : words[by];
}

/* Adds the blocks of place NAME by who ended them. */
static bool add_enders(struct block_profile *profile, size_t name)
{
	const struct run *run = &profile->run;
	const struct block_place *place = blocks_place(&run->blocks, name);
	uint32_t kind = gti_block_site(run, name).kind, ender, stack;
	uint64_t count = place->count, time = place->sum;
	const struct block_tally *tally;
	const char *nothing;
	enum by by;
	size_t i;

	for (i = 0;
	     (tally = gti_blocks_ended_by(&run->blocks, name, i)) != NULL;
	     i++) {
		ender = block_ended_by(tally);
		by = gti_block_ended_by(run, ender, kind);
		stack = by == BY_GOROUTINE ? gti_block_site(run, ender).stack
					   : NO_TEXT;
		nothing =
			ender == BLOCK_OPEN ? "(not over)" : ended_by(by, kind);
		count -= tally->count;
		time -= tally->sum;
		if (!add_sample(profile, kind, stack, nothing, tally->count,
				tally->sum))
			return false;
	}
	by = gti_block_ended_by(run, BLOCK_BY_NONE, kind);
	return add_sample(profile, kind, NO_TEXT, ended_by(by, kind), count,
			  time);
}

static bool add_places(struct block_profile *profile)
{
	const struct blocks *blocks = &profile->run.blocks;
	bool good = true;
	size_t i;

	for (i = 0; i < blocks->places.count && good; i++) {
		const struct block_place *place = blocks_place(blocks, i);
		struct named_site site = gti_block_site(&profile->run, i);

		good = place->count == 0 ? true
		       : profile->by_enders
			       ? add_enders(profile, i)
			       : add_sample(profile, site.kind, site.stack,
					    "(no stack)", place->count,
					    place->sum);
	}
	return good;
}

static bool write_blocks(struct block_profile *profile,
			 const struct gtrace_request *request,
			 struct writer *writer)
{
	const struct pprof_sample *samples = profile->samples.items;
	const struct pprof_head head = head_of(&profile->run, request);
	size_t i;

	if (!gti_pprof_begin(&profile->pprof, &head, writer))
		return false;
	for (i = 0; i < profile->samples.count; i++)
		gti_pprof_write_sample(&profile->pprof, &samples[i], writer);
	gti_pprof_end(&profile->pprof, &head, writer);
	return true;
}

enum gtrace_status gti_print_block_profile(struct gtrace *trace,
					   const struct gtrace_request *request,
					   struct writer *writer,
					   struct gtrace_error *error)
{
	const struct wanted wanted = {
		.request = {.blocks = 1, .filter = request->filter},
	};
	struct block_profile profile = {
		.by_enders = request->report == GTRACE_REPORT_UNBLOCK_PROFILE,
	};
	enum gtrace_status status;

	if (!gti_pprof_init(&profile.pprof, trace->format->frames_max,
			    &trace->memory))
		return gti_fail_memory(error);
	status = gti_run(&profile.run, trace, &wanted, error);
	if (status == GTRACE_OK &&
	    !(add_places(&profile) && write_blocks(&profile, request, writer)))
		status = gti_fail_memory(error);
	status = gti_run_end(&profile.run, status, error);
	gti_array_free(&profile.samples, sizeof(struct pprof_sample),
		       &trace->memory);
	gti_pprof_free(&profile.pprof);
	return status;
}
