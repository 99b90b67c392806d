/* SPDX-License-Identifier: BSD-3-Clause */
/* sched.c - the report of the scheduler over time. */
#include "run.h"

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
		.ts = sample->time,
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
	if (sched->most_procs <= INT64_MAX / (interval + 1))
		to->procs_ns =
			(int64_t)(gti_sched_until(&sched->procs, sample->time) -
				  gti_sched_until(&sched->procs, before->time));
}

void gti_init_sched(struct run *run)
{
	struct input *input = &run->trace->input;

	/* How many samples there may be depends on how much it is. */
	gti_input_reach(input, SIZE_MAX);
	gti_sched_init(&run->sched, run->wanted->request.sched, input->size,
		       run->memory);
	run->sched.by_thread = run->trace->format->has_threads;
}

bool gti_want_sched(struct run *run)
{
	const struct consumer consumer = gti_sched_consumer(&run->sched);

	/* Those of collections are the same. */
	if (run->wanted->request.collections)
		return true;
	gti_init_sched(run);
	return gti_consume(run, &consumer);
}

void gti_make_sched(struct run *run, void *made)
{
	struct gtrace_sched_report *to = made;
	const struct sched *sched = &run->sched;
	const struct sched_sample *samples = sched->samples.items;
	const struct sched_sample first = {.time = sched->origin};
	size_t count = sched->samples.count, i;
	struct gtrace_sched_sample *list =
		gti_make_array(run, count, sizeof(*list));

	for (i = 0; i < count && list != NULL; i++) {
		struct gtrace_sched_sample *sample = &list[to->count];

		make_sample(sched, i != 0 ? &samples[i - 1] : &first,
			    &samples[i], sample);
		if (run_chooses(run, sample->ts - sample->interval, sample->ts))
			to->count++;
	}
	to->samples = list;
	to->origin = sched->origin;
}
