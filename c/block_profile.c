/* SPDX-License-Identifier: BSD-3-Clause */
/* block_profile.c - blocks as profiles for pprof. */
#include "base/fail.h"
#include "block_names.h"
#include "report/pprof.h"

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
	if (sample.stack == NO_TEXT ||
	    !gti_array_reserve(samples, sizeof(sample), memory))
		return false;
	((struct pprof_sample *)samples->items)[samples->count++] = sample;
	return true;
}

/* What stands for the stack of who ended blocks, if it was no goroutine. */
static const char *nothing_of(enum by by, uint32_t kind)
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
		nothing = ender == BLOCK_OPEN ? "(not over)"
					      : nothing_of(by, kind);
		count -= tally->count;
		time -= tally->sum;
		if (!add_sample(profile, kind, stack, nothing, tally->count,
				tally->sum))
			return false;
	}
	by = gti_block_ended_by(run, BLOCK_BY_NONE, kind);
	return add_sample(profile, kind, NO_TEXT, nothing_of(by, kind), count,
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

static bool write_profile(struct block_profile *profile, const char *trace,
			  struct writer *writer)
{
	static const char *const meanings[] = {
		"Blocks by the stack where each began. The time is that for "
		"which goroutines were blocked, or in a system call.",
		"Blocks by the stack of the event that ended each. The time is "
		"that for which other goroutines were blocked."};
	const struct observer *observer = &profile->run.observer;
	const struct pprof_sample *samples = profile->samples.items;
	const struct pprof_head head = {
		.what = "blocks",
		.meaning = meanings[profile->by_enders],
		.trace = trace,
		.in_ticks = gtrace_in_ticks(profile->run.trace) != 0,
		.length = clock_ns(&observer->clock, observer->census.last),
	};
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
	    !(add_places(&profile) &&
	      write_profile(&profile, request->name, writer)))
		status = gti_fail_memory(error);
	status = gti_run_end(&profile.run, status, error);
	gti_array_free(&profile.samples, sizeof(struct pprof_sample),
		       &trace->memory);
	gti_pprof_free(&profile.pprof);
	return status;
}
