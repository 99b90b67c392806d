/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - slices, stops of the world and waits as a profile for pprof. */
#include "base/fail.h"
#include "findings.h"
#include "report/names.h"
#include "report/block_kinds.h"
#include "report/pprof.h"

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

/* Adds a stack; PHASE is that of a stop, or NULL. */
static uint32_t put_named(struct pprof *pprof, const struct naming *naming,
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

	return gti_pprof_put_stack(pprof, &stack);
}

static uint32_t name(void *context, const struct naming *naming,
		     const struct gtrace_frame *frames, size_t count)
{
	return put_named(context, naming, frames, count, NULL);
}

static uint32_t name_stopping(void *context, const struct naming *naming,
			      const struct gtrace_frame *frames, size_t count)
{
	return put_named(context, naming, frames, count, "stopping");
}

static uint32_t name_stopped(void *context, const struct naming *naming,
			     const struct gtrace_frame *frames, size_t count)
{
	return put_named(context, naming, frames, count, "stopped");
}

static uint32_t name_restarting(void *context, const struct naming *naming,
				const struct gtrace_frame *frames, size_t count)
{
	return put_named(context, naming, frames, count, "restarting");
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
	return name(context, naming, frames + inner, count - inner);
}

/* The pass begins again: so does the profile. */
static void forget(void *context)
{
	struct pprof *pprof = context;
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

/* What the values of a profile are, see struct pprof_head. */
struct kind {
	const char *what, *meaning;
};

static const struct kind of_slices = {
	"slices",
	"Slices by the stack where each ended; if it ended in a block, from "
	"the function of the program on, which computed before it."};
static const struct kind of_cpu = {
	"slices",
	"Slices by the stack where each ended. The time is that for which the "
	"thread was on a CPU, as the scheduling record of the kernel has it."};
static const struct kind of_delays = {
	"slices",
	"What slices delayed other goroutines, by the stack where each slice "
	"ended. The time is that which goroutines waited for the processor "
	"while all were busy."};
static const struct kind of_stops = {
	"stops",
	"Measured stops of the world by the stack where the last processor "
	"that each waited for could be stopped. The time is that of waiting "
	"(phase stopping). The times for which the world stood still (stopped) "
	"and until the stop ended (restarting) have the stack that requested "
	"the stop."};
static const struct kind of_waits = {
	"waits",
	"Waits for a processor by the stack of the event that made the "
	"goroutine ready. Those that began before the trace, or are not over "
	"at its end, are left out."};

static const struct kind *kind_of(int report)
{
	switch (report) {
	case GTRACE_REPORT_STOP_PROFILE:
		return &of_stops;
	case GTRACE_REPORT_WAIT_PROFILE:
		return &of_waits;
	case GTRACE_REPORT_DELAY_PROFILE:
		return &of_delays;
	case GTRACE_REPORT_CPU_PROFILE:
		return &of_cpu;
	default:
		return &of_slices;
	}
}

static bool write_profile(struct findings *findings,
			  const struct gtrace_request *request,
			  struct writer *writer)
{
	const struct kind *kind = kind_of(request->report);
	const struct observer *observer = &findings->run.observer;
	struct pprof_head head = {
		.what = kind->what,
		.meaning = kind->meaning,
		.trace = request->name,
		.in_ticks = gtrace_in_ticks(findings->run.trace) != 0,
		.length = clock_ns(&observer->clock, observer->census.last),
	};

	if (!gti_pprof_begin(findings->context, &head, writer))
		return false;
	write_entries(kind == &of_stops ? &findings->run.holders.sums
					: &findings->run.profile,
		      findings->context, kind == &of_delays, writer);
	gti_pprof_end(findings->context, &head, writer);
	return true;
}

enum gtrace_status gti_print_profile(struct gtrace *trace,
				     const struct gtrace_request *request,
				     struct writer *writer,
				     struct gtrace_error *error)
{
	bool stops = request->report == GTRACE_REPORT_STOP_PROFILE;
	struct wanted wanted = {
		.all_waits = request->report == GTRACE_REPORT_DELAY_PROFILE,
		.by_goroutine = true,
		.by_cpu = request->report == GTRACE_REPORT_CPU_PROFILE,
		.profile_of_waits =
			request->report == GTRACE_REPORT_WAIT_PROFILE,
		.filter = request->filter,
	};
	struct pprof pprof;
	struct findings findings = {
		.name = stops                     ? NULL
			: wanted.profile_of_waits ? name
						  : name_slice,
		.name_holder = stops ? name_stopping : NULL,
		.name_stopped = stops ? name_stopped : NULL,
		.name_restarting = stops ? name_restarting : NULL,
		.forget = forget,
		.context = &pprof,
	};
	enum gtrace_status status;

	if (!gti_pprof_init(&pprof, trace->format->frames_max,
			    &trace->memory)) {
		gti_pprof_free(&pprof);
		return gti_fail_memory(error);
	}
	status = gti_findings_make(&findings, trace, &wanted, error);
	if (status == GTRACE_OK && !write_profile(&findings, request, writer))
		status = gti_fail_memory(error);
	status = gti_run_end(&findings.run, status, error);
	gti_pprof_free(&pprof);
	return status;
}
