/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html_pass.c - the pass that finds what all processors did.
 *
 * It takes every slice of the trace. So it makes of a slice only what the
 * pictures need: its times, and the naming of the stack at which it ended,
 * which is made once for each stack. A visitor of gtrace_visit() would take
 * several times as long.
 */
#include "html_pass.h"

#include "run.h"

/* Frames are kept until they take this many bytes. */
#define KEEPS_MAX ((size_t)4 << 20)

struct passing {
	struct lanes *lanes;
	struct run run;
};

/* ---------------------------------------------------------------- naming -- */

/*
 * The naming of the event REF; if it has no frames, of the event that a walk
 * back from it leads to.
 */
static const struct naming *name_event(struct passing *passing,
				       const struct event_ref *ref)
{
	const struct naming *naming =
		gti_make_naming(&passing->run.maker, ref->type, ref->stack);

	if (naming == NULL || naming->frame != NULL ||
	    origin_count(ref->origin) == 0)
		return naming;
	return gti_make_naming(&passing->run.maker, origin_type(ref->origin, 0),
			       ref->origin.stack);
}

/* As gti_name_slice() names the public slice. NULL: there is no memory. */
static const struct naming *name_slice(struct passing *passing,
				       const struct slice *slice)
{
	const struct naming *naming;

	if (slice->still_running)
		return name_event(passing, &slice->start);
	naming = name_event(passing, &slice->end);
	if (naming == NULL || gti_is_named(naming))
		return naming;
	return name_event(passing, &slice->start);
}

/* ------------------------------------------------------------------ pass -- */

static enum lane_kind lane_kind_of(const struct passing *passing,
				   const struct slice *slice,
				   const struct naming *naming)
{
	if (naming->work == GTRACE_WORK_TRACER)
		return LANE_TRACER;
	if (passing->run.observer.inside != NULL &&
	    slice->inside.call_ticks > slice->length / 2)
		return LANE_SYSCALL;
	if (naming->frame == NULL)
		return LANE_UNKNOWN;
	return naming->work == GTRACE_WORK_PROGRAM ? LANE_PROGRAM
						   : LANE_RUNTIME;
}

static bool take_slice(void *context, const struct slice *slice)
{
	struct passing *passing = context;
	const struct clock *clock = &passing->run.observer.clock;
	const struct naming *naming;
	struct lane_slice taken = {
		.from = clock_ns(clock, slice->start.ticks),
		.duration = slice->length,
		.p = slice->p,
		.g = (int64_t)slice->g,
	};

	taken.to = slice->still_running ? (int64_t)((uint64_t)taken.from +
						    (uint64_t)taken.duration)
					: clock_ns(clock, slice->end.ticks);
	if (passing->run.maker.arena.total > KEEPS_MAX)
		gti_event_maker_forget(&passing->run.maker);
	naming = name_slice(passing, slice);
	if (naming != NULL) {
		taken.kind = lane_kind_of(passing, slice, naming);
		if (naming->frame != NULL)
			taken.name = naming->frame->function;
	}
	passing->run.failed |=
		naming == NULL || !gti_lanes_take(passing->lanes, &taken);
	return !passing->run.failed;
}

/* The format is about to forget the stacks. */
static bool settle(void *context)
{
	struct passing *passing = context;

	gti_event_maker_forget(&passing->run.maker);
	return true;
}

/* The pass begins again. */
static void restart(void *context)
{
	struct passing *passing = context;

	gti_event_maker_forget(&passing->run.maker);
	gti_lanes_begin(passing->lanes);
}

static const struct settling settling = {settle, restart};

static const struct sinks sinks = {.slice = take_slice};

enum gtrace_status gti_html_pass(struct gtrace *trace, struct lanes *lanes,
				 struct gtrace_error *error)
{
	struct passing passing = {.lanes = lanes};
	const struct wanted wanted = {
		.details = trace->format->times_calls,
		.sinks = &sinks,
		.is_checked = true,
		.settling = &settling,
		.context = &passing,
	};
	enum gtrace_status status;

	gti_lanes_begin(lanes);
	status = gti_run(&passing.run, trace, &wanted, error);
	return gti_run_end(&passing.run, status, error);
}
