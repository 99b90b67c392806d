/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_text.c - times without a CPU, in sentences. */
#include "report/machine_text.h"

void gti_tell_limit(struct sentence *to, const struct gtrace_machine *machine)
{
	gti_say(to, "A CPU limit");
	if (machine->throttle_cpu > 0)
		gti_say(to, " of about %t in %t", machine->throttle_cpu,
			machine->throttle_interval);
	gti_say(to,
		", such as a cgroup's quota, most likely stopped the process "
		"in %c of %C",
		machine->throttled, machine->throttle_periods, "period");
	if (machine->throttle_cpu <= 0)
		gti_say(to, " of %t", machine->throttle_interval);
}

/* How many slices in silences, and bare stretches, have a class that counts. */
static uint64_t stretches_of(const struct gtrace_machine *machine)
{
	return machine->classes[GTRACE_SILENT_CERTAIN].count +
	       machine->classes[GTRACE_SILENT_LIKELY].count;
}

/* By the record of the kernel. */
static void tell_preempted(struct sentence *to,
			   const struct gtrace_summary *summary)
{
	const struct gtrace_cpu *cpu = summary->cpu;

	gti_say(to,
		"The machine: %sthreads that ran goroutines were preempted for "
		"%t, %p of the processors' time",
		summary->filtered ? "in the whole trace, " : "", cpu->preempted,
		(uint64_t)cpu->preempted, gti_processor_time(summary));
	if (cpu->own != 0)
		gti_say(to, "; the program's own threads took %t of that",
			cpu->own);
}

/* By the kernel's accounts of threads. */
static void tell_accounts(struct sentence *to,
			  const struct gtrace_summary *summary)
{
	const struct gtrace_threads *threads = summary->threads;

	gti_say(to,
		"The machine: %sthreads were off the CPU for %t or more of the "
		"%t for which they held processors, and waited for a CPU for "
		"%t, by the kernel's accounts",
		summary->filtered ? "in the whole trace, " : "",
		threads->off_cpu, threads->held, threads->waited);
	if (threads->others_on_cpu >= threads->off_cpu / 10)
		gti_say(to, "; threads without an event, as of C code, took %t",
			threads->others_on_cpu);
}

/* The rest of the sentence: how long threads most likely had no CPU. */
static void tell_stretches(struct sentence *to,
			   const struct gtrace_machine *machine, int64_t lost)
{
	int64_t certain = machine->classes[GTRACE_SILENT_CERTAIN].sum;

	gti_say(to, " (%t in %c stretch%s", lost, stretches_of(machine),
		stretches_of(machine) == 1 ? "" : "es");
	if (certain != 0)
		gti_say(to, ", %t of it certain", certain);
	gti_say(to, ")");
	if (machine->throttle_periods == 0)
		gti_say(to, ": other programs, a quota, a stopped process, or "
			    "C code of this one");
}

void gti_tell_machine(struct sentence *to, const struct gtrace_summary *summary)
{
	const struct gtrace_machine *machine = &summary->machine;
	int64_t lost = gti_lost(summary);

	if (summary->cpu != NULL) {
		tell_preempted(to, summary);
		return;
	}
	if (gti_accounts_tell(summary)) {
		tell_accounts(to, summary);
		return;
	}
	if (machine->throttle_periods != 0) {
		gti_tell_limit(to, machine);
		gti_say(to, ". Threads");
	} else {
		gti_say(to, "The machine, most likely: threads");
	}
	gti_say(to,
		" were %swithout a CPU for about %p of the processors' time",
		summary->filtered ? "in the whole trace " : "", (uint64_t)lost,
		gti_processor_time(summary));
	tell_stretches(to, machine, lost);
}

/* The function of FRAME, and INNER in it. */
static void tell_function(struct sentence *to, const struct gtrace_frame *frame,
			  struct gtrace_string inner)
{
	if (frame->function.size == 0) {
		gti_say(to, "Goroutines without a stack");
		return;
	}
	gti_say(to, "%f", frame);
	if (gti_sentence_inner(to, inner, frame->function))
		gti_say(to, ",");
}

void gti_tell_silent(struct sentence *to, const struct gtrace_function *silent)
{
	tell_function(to, &silent->frame, silent->inner);
	if (silent->count == 1)
		gti_say(to, " kept a processor for %t without an event",
			silent->max);
	else
		gti_say(to,
			" kept a processor for up to %t without an event, %c "
			"times, %t in all",
			silent->max, silent->count, silent->sum);
	if (2 * silent->delaying > silent->count)
		gti_say(to, ", although it can be preempted elsewhere: most "
			    "likely the thread had no CPU");
	else
		gti_say(to, ": code that cannot be preempted, or a thread "
			    "without a CPU");
}

void gti_tell_storm(struct sentence *to, const struct gtrace_summary *summary)
{
	const struct gtrace_lost *bare = &summary->machine.off_cpu;

	gti_say(to,
		"The scheduler held processors without a goroutine for %p of "
		"the time, %C, %t: many timers (Go before 1.23: each "
		"ticker that is not stopped), or threads without a CPU",
		(uint64_t)bare->sum, gti_processor_time(summary), bare->count,
		"time", bare->sum);
}

/* ------------------------------------------------------------ fact lines -- */

/* Adds BEFORE, and SUM if there is something. */
static const char *add_class(struct sentence *to, const char *before,
			     const struct gtrace_class_sum *sum,
			     const char *words)
{
	if (sum->count == 0)
		return before;
	gti_say(to, "%s%t %s", before, sum->sum, words);
	return ", ";
}

void gti_tell_classes(struct sentence *to, const struct gtrace_machine *machine)
{
	const struct gtrace_class_sum *classes = machine->classes;
	const char *before = "without a CPU: ";

	before = add_class(to, before, &classes[GTRACE_SILENT_CERTAIN],
			   "for certain");
	before = add_class(to, before, &classes[GTRACE_SILENT_LIKELY],
			   "most likely");
	before = add_class(to, before, &classes[GTRACE_SILENT_ASLEEP],
			   "asleep or without one");
	add_class(to, before, &classes[GTRACE_SILENT_UNDECIDED], "undecided");
}

/* From this version on, events have the id of their thread. */
#define VERSION_THREADS 1022

/* Why the accounts say nothing of how long processors were without a CPU. */
static void tell_unbound(struct sentence *to,
			 const struct gtrace_summary *summary)
{
	if (summary->cpu != NULL || summary->threads->off_cpu >= 0)
		return;
	if (summary->trace_version < VERSION_THREADS)
		gti_say(to, "; a trace of Go 1.21 or older does not name the "
			    "threads that ran goroutines, so they bound "
			    "nothing");
	else if (summary->threads->held >= 0)
		gti_say(to, "; a thread that wrote events has no account after "
			    "the trace, so they bound nothing");
}

void gti_tell_threads(struct sentence *to, const struct gtrace_summary *summary)
{
	const struct gtrace_threads *threads = summary->threads;

	gti_say(to,
		"by the kernel's accounts %C %s on a CPU for %t, and waited "
		"for one for %t",
		threads->count, "thread", threads->count == 1 ? "was" : "were",
		threads->on_cpu, threads->waited);
	if (threads->off_cpu > 0)
		gti_say(to,
			"; of %t for which processors were held, they were off "
			"the CPU for %t or more",
			threads->held, threads->off_cpu);
	tell_unbound(to, summary);
	if (threads->others_on_cpu >= threads->on_cpu / 100)
		gti_say(to, "; %C without an event, as of C code, for %t",
			threads->others, "thread", threads->others_on_cpu);
}
