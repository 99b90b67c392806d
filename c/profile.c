/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - slices, stops, waits, blocks and assists for pprof. */
#include "base/array.h"
#include "base/fail.h"
#include "report/pprof.h"
#include "run.h"

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

/* A profile that is printed. Samples are collected before anything is written.
 */
struct printing {
	const struct gtrace_request *request;
	struct writer *writer;
	struct pprof pprof;
	struct array samples; /* struct pprof_sample */
};

/* Adds SAMPLE, unless it has no values. False: there is no memory. */
static bool add_sample(struct printing *printing,
		       const struct pprof_sample *sample)
{
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
	[PHASE_STOPPING] = "stopping",
	[PHASE_STOPPED] = "stopped",
	[PHASE_RESTARTING] = "restarting",
};

/* Puts the stack of NAME of LIST. Returns its number, or NO_TEXT. */
static uint32_t put_name(struct printing *printing, const struct names *names,
			 enum named list, size_t name)
{
	struct named_site site = gti_names_site(names, list, name);
	enum gtrace_work work = (enum gtrace_work)site.work;
	struct pprof_stack stack = {
		.nothing = nothing_of(work),
		.key = "work",
		.label = gti_work_word(work, site.named),
		.phase = list == NAMED_HOLDERS ? phases[site.phase] : NULL,
	};

	stack.frames = names_frames(names, site.stack, &stack.count);
	return gti_pprof_put_stack(&printing->pprof, &stack);
}

/* The delay of ENTRY, of which SUM is that of those before it. */
static uint64_t take_delay(const struct profile_entry *entry, struct wide *sum)
{
	int64_t before = wide_ns(*sum);

	/* So that all add up to the sum, and not to less. */
	*sum = wide_sum(*sum, entry->delay);
	return (uint64_t)(wide_ns(*sum) - before);
}

/* Adds the entries of PROFILE, those of each name after its first one. */
static bool add_entries(struct printing *printing, const struct names *names,
			enum named list, const struct profile *profile)
{
	bool delays = printing->request->report == GTRACE_REPORT_DELAY_PROFILE;
	struct wide sum = {0, 0};
	uint32_t put = 0;
	size_t i;

	for (i = 0; i < profile_count(profile); i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		struct pprof_sample sample = {
			.values = {entry->count, entry->time},
			.g = entry->g == PROFILE_ANY_G ? PPROF_ANY_G : entry->g,
			.stack = entry->name,
		};

		/* Stacks have the numbers of their names. */
		for (; put <= entry->name; put++)
			if (put_name(printing, names, list, put) != put)
				return false;
		if (delays)
			sample.values = (struct pprof_values){
				entry->delaying, take_delay(entry, &sum)};
		if (!add_sample(printing, &sample))
			return false;
	}
	return true;
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
		.key = "kind",
		.label = gti_block_word((enum gtrace_block_kind)kind),
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

static bool add_all(struct printing *printing, const struct run *run)
{
	if (run->observer.blocks != NULL)
		return add_places(printing, run);
	if (run->wanted->holders)
		return add_entries(printing, &run->names, NAMED_HOLDERS,
				   &run->holders.sums);
	return add_entries(printing, &run->names, NAMED_SLICES, &run->profile);
}

static enum gtrace_status write_profile(struct run *run,
					struct gtrace_error *error)
{
	struct printing *printing = run->wanted->context;
	const struct gtrace_request *request = printing->request;
	struct pprof *pprof = &printing->pprof;
	const struct pprof_head head = {
		.what = whats[request->report],
		.meaning = meanings[request->report],
		.trace = request->name,
		.in_ticks = gtrace_in_ticks(run->trace) != 0,
		.length = run_ns(run, run->observer.census.last),
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

/* Sets what a profile of the report of WANTED is made of. */
static void want(struct wanted *wanted)
{
	switch (wanted->request.report) {
	case GTRACE_REPORT_STOP_PROFILE:
		wanted->holders = true;
		break;
	case GTRACE_REPORT_WAIT_PROFILE:
		wanted->sums = SUMS_OF_WAITS;
		break;
	case GTRACE_REPORT_ASSIST_PROFILE:
		wanted->sums = SUMS_OF_ASSISTS;
		wanted->request.collections = 1;
		break;
	case GTRACE_REPORT_BLOCK_PROFILE:
	case GTRACE_REPORT_UNBLOCK_PROFILE:
		wanted->request.blocks = 1;
		break;
	default:
		wanted->sums = SUMS_OF_SLICES;
		wanted->all_waits =
			wanted->request.report == GTRACE_REPORT_DELAY_PROFILE;
		wanted->request.by_cpu =
			wanted->request.report == GTRACE_REPORT_CPU_PROFILE;
	}
}

enum gtrace_status gti_print_profile(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	struct printing printing = {.request = request, .writer = writer};
	struct wanted wanted = {
		.request = {.report = request->report,
			    .filter = request->filter},
		.by_stack = true,
		.make = write_profile,
		.context = &printing,
	};
	enum gtrace_status status;

	want(&wanted);
	if (!gti_pprof_init(&printing.pprof, trace->format->frames_max,
			    &trace->memory))
		return gti_fail_memory(error);
	status = gti_run(trace, &wanted, error);
	gti_array_free(&printing.samples, sizeof(struct pprof_sample),
		       &trace->memory);
	gti_pprof_free(&printing.pprof);
	return status;
}
