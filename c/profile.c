/* SPDX-License-Identifier: BSD-3-Clause */
/* profile.c - slices, stops of the world or waits as a profile for pprof. */
#include "base/fail.h"
#include "findings.h"
#include "report/names.h"
#include "report/pprof.h"

static uint32_t name(void *context, const struct naming *naming,
		     const struct gtrace_frame *frames, size_t count)
{
	struct pprof_stack stack = {
		.frames = frames,
		.count = count,
		.nothing = "(no stack)",
		.work = gti_naming_word(naming),
	};

	return gti_pprof_put_stack(context, &stack);
}

static bool take_holder(void *context, const struct holder *holder,
			const struct gtrace_frame *frames, size_t count)
{
	struct gtrace_late late = {
		.how = (enum gtrace_late_how)holder->how,
		.frames = frames,
		.frame_count = count,
	};
	bool none = holder->how == HOLDER_NONE;
	struct naming naming = gti_name_late(none ? NULL : &late);
	struct pprof_stack stack = {
		.frames = frames,
		.count = count,
		.nothing = "(no stack)",
		.work = gti_naming_word(&naming),
	};
	uint32_t number;

	if (none)
		stack.nothing = "(" NO_PROCESSOR ")";
	else if (late.how == GTRACE_LATE_SCHEDULER)
		stack.nothing = "(no goroutine)";
	number = gti_pprof_put_stack(context, &stack);
	if (number == NO_TEXT)
		return false;
	gti_pprof_add(context, number, holder->count, holder->stopping);
	return true;
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

/* The names of the entries are numbers of stacks. */
static void write_entries(const struct profile *profile,
			  const struct pprof *pprof, struct writer *writer)
{
	size_t count = profile_count(profile), i;

	for (i = 0; i < count; i++) {
		const struct profile_entry *entry = profile_at(profile, i);
		struct pprof_sample sample = {
			.values = {entry->count, entry->time},
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
	"Slices by the stack where each ended. A slice that ended in a block "
	"computed before it: the time is not that of the block."};
static const struct kind of_stops = {
	"stops",
	"Measured stops of the world by the stack where the last processor "
	"that each waited for could be stopped. The time is that of waiting."};
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
	write_entries(&findings->run.profile, findings->context, writer);
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
		.by_goroutine = true,
		.profile_of_waits =
			request->report == GTRACE_REPORT_WAIT_PROFILE,
		.holders = stops,
		.filter = request->filter,
	};
	struct pprof pprof;
	struct findings findings = {
		.name = stops ? NULL : name,
		.take_holder = take_holder,
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
