/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched.c - the analysis of the scheduler and of collections, and the report of
 * the scheduler over time.
 */
#include "base/strings.h"
#include "run.h"

/* From this version on stops of the world have events that begin them. */
#define VERSION_STOPS 1010

/* See struct collections. */
static bool describe(void *context, uint64_t stack, struct stack_facts *facts)
{
	struct run *run = context;
	const struct gtrace_frame *frames;
	struct gtrace_string function = {"", 0}, outermost = {"", 0};
	size_t count, i;

	if (!gti_make_frames(&run->maker, stack, &frames, &count))
		return false;
	facts->named = count != 0;
	for (i = count; i-- > 0;) {
		struct gtrace_string name = frames[i].function;

		if (i + 1 == count)
			function = outermost = name;
		if (!gti_is_runtime_function(name))
			function = name;
		facts->forces |= string_is(name, "runtime.GC");
		facts->periodic |= string_is(name, "runtime.forcegchelper");
		facts->starts |= string_is(name, "runtime.gcStart");
	}
	facts->function =
		gti_texts_put(&run->functions, function.data, function.size);
	facts->outermost =
		gti_texts_put(&run->functions, outermost.data, outermost.size);
	return facts->function != NO_TEXT && facts->outermost != NO_TEXT;
}

/* See struct sched. */
static int64_t horizon(const void *context)
{
	const struct run *run = context;
	const struct stops_format *format = &run->stops.format;

	return waits_time(&run->waits, format->horizon(format->context));
}

void gti_want_collections(struct run *run, const struct wanted *wanted)
{
	const struct gtrace *trace = run->trace;
	const struct gtrace_allocator *memory = &trace->memory;

	gti_sched_init(&run->sched, wanted->request.sched, memory);
	run->observer.sched = &run->sched;
	if (!wanted->request.collections)
		return;
	run->sched.horizon = wanted->brief ? NULL : horizon;
	run->sched.context = run;
	gti_texts_init(&run->functions, memory);
	run->collections.describe = describe;
	run->collections.context = run;
	run->collections.filter = run->observer.filter;
	run->collections.has_stops = trace->facts.version >= VERSION_STOPS;
	gti_collections_init(&run->collections, &run->sched, memory);
	run->observer.collections = &run->collections;
}

void gti_free_collections(struct run *run)
{
	gti_sched_free(&run->sched);
	gti_collections_free(&run->collections);
	if (run->functions.memory != NULL)
		gti_texts_free(&run->functions);
}

/* ---------------------------------------------------------------- report -- */

/* SAMPLE without what holds since before the trace. */
static void make_sample(const struct sched *sched,
			const struct sched_sample *before,
			const struct sched_sample *sample,
			struct gtrace_sched_sample *to)
{
	uint64_t interval = (uint64_t)sample->time - (uint64_t)before->time;
	uint64_t counts[LEVELS], sums[LEVELS];
	unsigned i;

	for (i = 0; i < LEVELS; i++) {
		counts[i] = sample->counts[i] + sched->extra[i];
		sums[i] = sample->sums[i] - before->sums[i] +
			  sched->extra[i] * interval;
	}
	*to = (struct gtrace_sched_sample){
		.ts = sample->time - sched->zero,
		.interval = (int64_t)interval,
		.gomaxprocs = gti_sched_procs_at(sched, sample->time),
		.idleprocs = -1,
		.threads = sample->threads,
		.runqueue = counts[LEVEL_RUNNABLE],
		.running = counts[LEVEL_RUNNING],
		.syscalls = counts[LEVEL_SYSCALLS],
		.waiting = counts[LEVEL_WAITING],
		.gc = counts[LEVEL_COLLECTING] != 0,
		.procs_ns = -1,
		.running_ns = (int64_t)sums[LEVEL_RUNNING],
		.held_ns = (int64_t)sums[LEVEL_HELD],
		.runqueue_ns = (int64_t)sums[LEVEL_RUNNABLE],
		.syscalls_ns = (int64_t)sums[LEVEL_SYSCALLS],
		.gc_ns = (int64_t)sums[LEVEL_COLLECTING],
		.starts = sample->starts - before->starts,
	};
	if (to->gomaxprocs == -1)
		return;
	to->idleprocs = to->gomaxprocs - (int64_t)counts[LEVEL_HELD];
	if (to->idleprocs < 0)
		to->idleprocs = 0;
	to->procs_ns = (int64_t)(gti_sched_until(&sched->procs, sample->time) -
				 gti_sched_until(&sched->procs, before->time));
}

bool gti_make_sched(struct event_maker *maker, const struct run *run,
		    struct gtrace_sched_report *to)
{
	const struct sched *sched = &run->sched;
	const struct sched_sample *samples = sched->samples.items;
	const struct sched_sample first = {.time = sched->zero};
	size_t count = sched->samples.count, i;
	struct gtrace_sched_sample *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made) + 1);

	if (made == NULL)
		return false;
	for (i = 0; i < count; i++) {
		struct gtrace_sched_sample *sample = &made[to->count];

		make_sample(sched, i != 0 ? &samples[i - 1] : &first,
			    &samples[i], sample);
		if (run_chooses(run, sample->ts - sample->interval, sample->ts))
			to->count++;
	}
	to->samples = made;
	return true;
}
