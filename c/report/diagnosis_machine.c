/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnosis_machine.c - findings of the machine, and of what looks like it. */
#include "base/least.h"
#include "base/strings.h"
#include "report/diagnosing.h"

/*
 * The kernel's accounts bound what all threads lost: as much as they were off
 * the CPU for certain, and not more than that or than they waited for one.
 */
static int64_t bound_lost(const struct gtrace_threads *threads, int64_t lost)
{
	if (threads == NULL || threads->off_cpu < 0)
		return lost;
	lost = greatest_of(lost, least_of(threads->off_cpu, threads->waited));
	return least_of(lost, greatest_of(threads->off_cpu, threads->waited));
}

bool gti_accounts_tell(const struct gtrace_summary *summary)
{
	const struct gtrace_threads *threads = summary->threads;

	return threads != NULL && summary->machine.throttle_periods == 0 &&
	       threads->off_cpu > 0 &&
	       threads->off_cpu >= gti_lost(summary) / 2;
}

int64_t gti_lost(const struct gtrace_summary *summary)
{
	const struct gtrace_class_sum *classes = summary->machine.classes;
	int64_t certain = classes[GTRACE_SILENT_CERTAIN].sum;
	int64_t likely = classes[GTRACE_SILENT_LIKELY].sum;

	if (summary->cpu != NULL)
		return summary->cpu->preempted - summary->cpu->own;
	return bound_lost(summary->threads,
			  add_lengths(certain, (uint64_t)likely));
}

uint64_t gti_processor_time(const struct gtrace_summary *summary)
{
	return (uint64_t)summary->known * (uint64_t)summary->procs;
}

/* It is a fact from this part of the processors' time on. */
#define LOST_PART 1000

/* And a finding, if it is only likely. */
#define LIKELY_PART 10

bool gti_lacks(const struct gtrace_summary *summary)
{
	int64_t lost = gti_lost(summary);

	return lost > 0 && (double)lost * LOST_PART >= processor_time(summary);
}

bool gti_is_open(const struct gtrace_summary *summary)
{
	double open = 0;
	size_t i;

	for (i = 0; i < GTRACE_SILENT_CLASSES; i++)
		open += (double)summary->machine.classes[i].sum;
	return open > 0 && open * LOST_PART >= processor_time(summary);
}

/* TIME of that of all processors. */
static double part_of(const struct gtrace_summary *summary, int64_t time)
{
	return processor_time(summary) > 0
		       ? (double)time / processor_time(summary)
		       : 0;
}

double gti_certain_part(const struct gtrace_summary *summary)
{
	if (summary->in_period)
		return 0;
	return part_of(
		summary,
		summary->cpu != NULL
			? summary->cpu->preempted
			: summary->machine.classes[GTRACE_SILENT_CERTAIN].sum);
}

/*
 * The same, and in which they most likely had none: what the machine lost of
 * the processors' time; or, as a limit of the CPU time stops all that runs, the
 * periods in which it did. Less is no finding.
 */
static double machine_part(const struct gtrace_summary *summary)
{
	const struct gtrace_machine *machine = &summary->machine;
	double part = part_of(summary, gti_lost(summary));

	if (summary->in_period || summary->slices.count == 0)
		return 0;
	if (summary->cpu != NULL)
		return part;
	if (machine->throttle_periods != 0)
		part = (double)machine->throttled /
		       (double)machine->throttle_periods;
	return part * LIKELY_PART < 1 ? 0 : part;
}

static void add_machine(struct diagnosis *diagnosis)
{
	const struct gtrace_machine *machine = &diagnosis->summary->machine;
	const struct gtrace_lost *lost = machine->silence.count != 0
						 ? &machine->silence
						 : &machine->off_cpu;
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_MACHINE);
	double part = machine_part(diagnosis->summary);

	finding.harm = bounded(part * diagnosis->time);
	finding.count = lost->count;
	finding.worst = lost->max;
	finding.worst_start = lost->start;
	finding.sure =
		diagnosis->summary->cpu != NULL && part * LIKELY_PART >= 1;
	gti_put_finding(diagnosis, &finding);
}

/* The scheduler held processors, while goroutines may have been due. */
static void add_storm(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	const struct gtrace_lost *bare = &summary->machine.off_cpu;
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_STORM);

	if (!summary->machine.storm || summary->in_period)
		return;
	finding.harm = bounded(part_of(summary, bare->sum) * diagnosis->time);
	finding.count = bare->count;
	finding.worst = bare->max;
	finding.worst_start = bare->start;
	gti_put_finding(diagnosis, &finding);
}

const struct gtrace_function *
gti_silent_of(const struct gtrace_summary *summary,
	      const struct gtrace_finding *finding)
{
	size_t i = 0;

	while (i + 1 < summary->silent_count &&
	       !string_equals(summary->silent[i].frame.function,
			      finding->frame.function))
		i++;
	return &summary->silent[i];
}

/* What kept processors without an event, while others waited for one. */
static void add_silent(struct diagnosis *diagnosis,
		       const struct gtrace_function *silent)
{
	struct gtrace_finding finding = gti_finding_of(GTRACE_FINDING_SILENT);

	finding.frame = silent->frame;
	finding.inner = silent->inner;
	finding.harm = silent->delay;
	finding.count = silent->count;
	finding.length = silent->sum;
	finding.worst = silent->max;
	finding.worst_start = silent->max_start;
	finding.worst_g = silent->max_g;
	if (silent->work == GTRACE_WORK_TRACER ||
	    (double)finding.harm * 1000 < diagnosis->time * NOTABLE_PERMILLE)
		return;
	gti_put_instead(diagnosis, &finding);
}

void gti_add_machine(struct diagnosis *diagnosis)
{
	const struct gtrace_summary *summary = diagnosis->summary;
	size_t i;

	add_machine(diagnosis);
	add_storm(diagnosis);
	for (i = 0; i < summary->silent_count && !summary->in_period; i++)
		add_silent(diagnosis, &summary->silent[i]);
}
