/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - slices, stops, waits, blocks and assists for pprof. */
#include "base/array.h"
#include "base/fail.h"
#include "paths.h"
#include "paths_profile.h"
#include "report/pprof.h"
#include "run.h"

/* What is printed, see struct pprof_head, and of what. */
static const struct kind {
	const char *what;
	const char *meaning;
	struct wanted wanted;
} kinds[] = {
	[GTRACE_REPORT_PROFILE] =
		{"slices",
		 "Slices by the stack where each ended; if it ended in a "
		 "block, from the function of the program on, which computed "
		 "before it.",
		 {.sums = SUMS_OF_SLICES}},
	[GTRACE_REPORT_CPU_PROFILE] =
		{"slices",
		 "Slices by the stack where each ended. The time is that for "
		 "which the thread was on a CPU, as the scheduling record of "
		 "the kernel has it.",
		 {.sums = SUMS_OF_SLICES, .request.by_cpu = 1}},
	[GTRACE_REPORT_DELAY_PROFILE] =
		{"slices",
		 "What slices delayed other goroutines, by the stack where "
		 "each slice ended. The time is that which goroutines waited "
		 "for the processor while all were busy.",
		 {.sums = SUMS_OF_SLICES, .all_waits = true}},
	[GTRACE_REPORT_STOP_PROFILE] =
		{"stops",
		 "Measured stop-the-world pauses by the stack where the last "
		 "processor that each waited for could be stopped. The time "
		 "is that of waiting (phase stopping). The times for which "
		 "the world stood still (stopped) and until the stop ended "
		 "(restarting) have the stack that requested the stop.",
		 {.holders = true}},
	[GTRACE_REPORT_WAIT_PROFILE] =
		{"waits",
		 "Waits for a processor by the stack of the event that made "
		 "the goroutine ready. Those that began before the trace, or "
		 "are not over at its end, are left out.",
		 {.sums = SUMS_OF_WAITS}},
	[GTRACE_REPORT_BLOCK_PROFILE] =
		{"blocks",
		 "Blocks by the stack where each began. The time is that for "
		 "which goroutines were blocked, or in a system call.",
		 {.request.blocks = 1}},
	[GTRACE_REPORT_UNBLOCK_PROFILE] =
		{"blocks",
		 "Blocks by the stack of the event that ended each. The time "
		 "is that for which other goroutines were blocked.",
		 {.request.blocks = 1}},
	[GTRACE_REPORT_ASSIST_PROFILE] =
		{"assists",
		 "Mark assists by the stack where each began, from the "
		 "innermost function outside the runtime on. The time is that "
		 "for which goroutines could not go on: they marked, were "
		 "blocked meanwhile, or had no processor.",
		 {.sums = SUMS_OF_ASSISTS, .request.collections = 1}},
	[GTRACE_REPORT_PATH_PROFILE] =
		{"segments",
		 "Critical paths of all requests by kind: from the stacks at "
		 "which a request, and what it waited for, were blocked, down "
		 "to the stack of the goroutine that held all of them up.",
		 {.request.paths = 1, .flames = true}},
};

/* A profile that is printed. Samples are collected before anything is written.
 */
struct printing {
	const struct gtrace_request *request;
	struct writer *writer;
	struct pprof pprof;
	struct array samples; /* struct pprof_sample */
};

/* Adds SAMPLE, unless it has no values. False: there is no memory. */
static bool add_sample(void *context, const struct pprof_sample *sample)
{
	struct printing *printing = context;

	return (sample->values.count == 0 && sample->values.time == 0) ||
	       array_add(&printing->samples, sample, sizeof(*sample),
			 printing->pprof.memory) != NULL;
}

/* ------------------------------------------------------ slices and stops -- */

/* What is shown of a stack without frames at which WORK was done. */
static const char *nothing_of(enum gtrace_work work)
{
	switch (work) {
	case GTRACE_WORK_NONE:
		return "(" NO_PROCESSOR ")";
	case GTRACE_WORK_SCHEDULER:
		return "(no goroutine)";
	default:
		return "(no stack)";
	}
}

/* The label "phase" of the stacks of stops. */
static const char *const phases[] = {
	[PHASE_NONE] = NULL,
	[PHASE_STOPPING] = "stopping",
	[PHASE_STOPPED] = "stopped",
	[PHASE_RESTARTING] = "restarting",
};

/* See struct wanted. */
static uint32_t put_stack(struct run *run, const struct named_site *site,
			  const struct gtrace_frame *frames, size_t count)
{
	struct printing *printing = run->wanted->context;
	enum gtrace_work work = (enum gtrace_work)site->work;
	const struct pprof_stack stack = {
		.frames = frames,
		.count = count,
		.nothing = nothing_of(work),
		.labels = {{"work", gti_work_word(work, site->named), 0},
			   {phases[site->phase] != NULL ? "phase" : NULL,
			    phases[site->phase], 0}},
	};

	return gti_pprof_put_stack(&printing->pprof, &stack);
}

/* The pass begins again: so does the profile. */
static void forget(struct run *run)
{
	struct pprof *pprof = &((struct printing *)run->wanted->context)->pprof;
	size_t stack_max = pprof->stack_max;

	gti_pprof_free(pprof);
	/* If there is no memory, what is added next fails too. */
	gti_pprof_init(pprof, stack_max, run->memory);
}

/* The delay of ENTRY, of which SUM is that of those before it. */
static uint64_t take_delay(const struct profile_entry *entry, struct wide *sum)
{
	int64_t before = wide_ns(*sum);

	/* So that all add up to the sum, and not to less. */
	*sum = wide_sum(*sum, entry->delay);
	return (uint64_t)(wide_ns(*sum) - before);
}

/* Adds the entries of PROFILE, the names of which are numbers of stacks. */
static bool add_entries(struct printing *printing,
			const struct profile *profile)
{
	bool delays = printing->request->report == GTRACE_REPORT_DELAY_PROFILE;
	struct wide sum = {0, 0};
	bool good = true;
	size_t i;

	for (i = 0; i < profile_count(profile) && good; i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		struct pprof_sample sample = {
			.values = {entry->count, entry->time},
			.g = entry->g == PROFILE_ANY_G ? PPROF_ANY_G : entry->g,
			.stack = entry->name,
		};

		if (delays)
			sample.values = (struct pprof_values){
				entry->delaying, take_delay(entry, &sum)};
		good = add_sample(printing, &sample);
	}
	return good;
}

/* ---------------------------------------------------------------- blocks -- */

/*
 * Adds COUNT blocks of KIND, at stack NUMBER; NO_TEXT: NOTHING stands for it.
 * Returns false if there is no memory.
 */
static bool add_blocks(struct printing *printing, const struct names *names,
		       uint32_t kind, uint32_t number, const char *nothing,
		       struct pprof_values values)
{
	struct pprof_stack stack = {
		.nothing = nothing,
		.labels = {{"kind",
			    gtrace_block_name((enum gtrace_block_kind)kind),
			    0}},
	};
	struct pprof_sample sample = {values, PPROF_ANY_G, 0};

	if (values.count == 0)
		return true;
	if (number != NO_TEXT)
		stack.frames = names_frames(names, number, &stack.count);
	sample.stack = gti_pprof_put_stack(&printing->pprof, &stack);
	return sample.stack != NO_TEXT && add_sample(printing, &sample);
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
static bool add_enders(struct printing *printing, const struct run *run,
		       size_t name)
{
	const struct block_place *place = blocks_place(&run->blocks, name);
	uint32_t kind = gti_block_site(run, name).kind, ender, stack;
	struct pprof_values rest = {place->count, place->sum};
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
		rest.count -= tally->count;
		rest.time -= tally->sum;
		if (!add_blocks(
			    printing, &run->names, kind, stack, nothing,
			    (struct pprof_values){tally->count, tally->sum}))
			return false;
	}
	by = gti_block_ended_by(run, BLOCK_BY_NONE, kind);
	return add_blocks(printing, &run->names, kind, NO_TEXT,
			  ended_by(by, kind), rest);
}

static bool add_places(struct printing *printing, const struct run *run)
{
	const struct blocks *blocks = &run->blocks;
	bool good = true;
	size_t i;

	for (i = 0; i < blocks->places.count && good; i++) {
		const struct block_place *place = blocks_place(blocks, i);
		struct named_site site = gti_block_site(run, i);

		if (place->count == 0)
			continue;
		good = printing->request->report ==
				       GTRACE_REPORT_UNBLOCK_PROFILE
			       ? add_enders(printing, run, i)
			       : add_blocks(printing, &run->names, site.kind,
					    site.stack, "(no stack)",
					    (struct pprof_values){place->count,
								  place->sum});
	}
	return good;
}

/* ----------------------------------------------------------------- print -- */

static bool add_all(struct printing *printing, struct run *run)
{
	if (run_paths(run) != NULL)
		return gti_add_paths(run, &printing->pprof, add_sample,
				     printing);
	if (run->blocks.memory != NULL)
		return add_places(printing, run);
	return add_entries(printing, run->wanted->holders ? &run->holders.sums
							  : &run->profile);
}

/* Instead of the meaning. */
static const char left_out[] =
	"Critical paths of requests, but not of all: too many long ones "
	"overlap.";

/* The same if transitions were dropped. */
static const char dropped[] =
	"Critical paths of all requests, parts of which are unknown, as there "
	"were more transitions than are kept.";

static const char *meaning_of(const struct run *run, int report)
{
	if (run_paths(run) != NULL && run_paths(run)->paths.left_out)
		return left_out;
	if (run_paths(run) != NULL && run_paths(run)->paths.dropped != 0)
		return dropped;
	return kinds[report].meaning;
}

static enum gtrace_status write_profile(struct run *run,
					struct gtrace_error *error)
{
	struct printing *printing = run->wanted->context;
	const struct gtrace_request *request = printing->request;
	struct pprof *pprof = &printing->pprof;
	const struct pprof_head head = {
		.what = kinds[request->report].what,
		.meaning = meaning_of(run, request->report),
		.trace = request->name,
		.in_ticks = gtrace_in_ticks(run->trace) != 0,
		.length = run_extent(run, run->observer.census.last),
	};
	const struct pprof_sample *samples;
	size_t i;

	if (!add_all(printing, run) ||
	    !gti_pprof_begin(pprof, &head, printing->writer))
		return gti_fail_memory(error);
	samples = printing->samples.items;
	for (i = 0; i < printing->samples.count; i++)
		gti_pprof_write_sample(pprof, &samples[i], printing->writer);
	gti_pprof_end(pprof, &head, printing->writer);
	return GTRACE_OK;
}

enum gtrace_status gti_print_profile(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	struct printing printing = {.request = request, .writer = writer};
	struct wanted wanted = kinds[request->report].wanted;
	enum gtrace_status status;

	wanted.request.filter = request->filter;
	wanted.request.root = request->root;
	wanted.request.at = request->at;
	wanted.request.kept = request->kept;
	if (!wanted.flames) {
		wanted.put_stack = put_stack;
		wanted.restart = forget;
	}
	wanted.make = write_profile;
	wanted.context = &printing;
	if (!gti_pprof_init(&printing.pprof,
			    wanted.flames ? gti_path_frames_max(trace)
					  : trace->format->frames_max,
			    &trace->memory))
		return gti_fail_memory(error);
	status = gti_run(trace, &wanted, error);
	gti_array_free(&printing.samples, sizeof(struct pprof_sample),
		       &trace->memory);
	gti_pprof_free(&printing.pprof);
	return status;
}
