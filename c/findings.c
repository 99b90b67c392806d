/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the pass that adds up slices and stops by stack. */
#include "findings.h"

/* ----------------------------------------------------------------- names -- */

static uint32_t name_stack(void *context, unsigned gc_worker, uint64_t stack)
{
	struct findings *findings = context;
	struct event_maker *maker = &findings->run.maker;
	const struct naming *made = gti_make_naming(maker, stack);
	const struct gtrace_frame *frames;
	struct naming naming;
	uint32_t name = NO_TEXT;
	size_t count;

	if (made != NULL && stack != 0 && !gti_is_named(made))
		return PROFILE_UNNAMED;
	if (made != NULL && gti_make_frames(maker, stack, &frames, &count)) {
		naming = naming_with_worker(*made, gc_worker);
		name = findings->name(findings->context, &naming, frames,
				      count);
	}
	findings->run.failed |= name == NO_TEXT;
	return name;
}

static uint32_t name_holder(void *context, unsigned how, uint64_t stack)
{
	struct findings *findings = context;
	struct gtrace_late late = {.how = GTRACE_LATE_RAN};
	struct naming naming;
	uint32_t name = NO_TEXT;

	findings->phase = how == HOLDER_STOPPED      ? FINDINGS_STOPPED
			  : how == HOLDER_RESTARTING ? FINDINGS_RESTARTING
						     : FINDINGS_STOPPING;
	if (how < HOLDER_NONE)
		late.how = (enum gtrace_late_how)how;
	if (gti_make_frames(&findings->run.maker, stack, &late.frames,
			    &late.frame_count)) {
		naming = gti_name_late(how == HOLDER_NONE ? NULL : &late);
		name = findings->name_holder(findings->context, &naming,
					     late.frames, late.frame_count);
	}
	findings->run.failed |= name == NO_TEXT;
	return name;
}

static const struct profile_names names = {name_stack};
static const struct profile_names holder_names = {name_holder};

/* ---------------------------------------------------------------- settle -- */

static bool settle(void *context)
{
	struct findings *findings = context;

	gti_profile_forget_stacks(&findings->run.profile);
	gti_profile_forget_stacks(&findings->run.holders.sums);
	gti_event_maker_forget(&findings->run.maker);
	return true;
}

static void restart(void *context)
{
	struct findings *findings = context;

	findings->forget(findings->context);
}

static const struct settling settling = {settle, restart};

enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error)
{
	wanted->profile = findings->name != NULL ? &names : NULL;
	wanted->holders = findings->name_holder != NULL ? &holder_names : NULL;
	wanted->settling = &settling;
	wanted->context = findings;
	return gti_run(&findings->run, trace, wanted, error);
}
