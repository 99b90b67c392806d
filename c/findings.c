/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the pass that adds up slices and stops by stack. */
#include "findings.h"

#include "base/fail.h"
#include "base/sort.h"

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

static bool is_program(void *context, uint32_t name)
{
	const struct findings *findings = context;

	return findings->is_program(findings->context, name);
}

static const struct profile_names names = {name_stack, is_program};

/* ---------------------------------------------------------------- settle -- */

static int compare_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return x->how < y->how ? -1 : x->how > y->how;
}

static bool settle_holders(struct findings *findings)
{
	struct holders *holders = &findings->run.holders;
	struct holder *entries = holders->entries.items;
	size_t count = holders->entries.count, i;
	const struct gtrace_frame *frames;
	size_t frame_count;

	if (count > 1)
		gti_sort(entries, count, sizeof(*entries), compare_holders);
	for (i = 0; i < count; i++)
		if (!gti_make_frames(&findings->run.maker, entries[i].stack,
				     &frames, &frame_count) ||
		    !findings->take_holder(findings->context, &entries[i],
					   frames, frame_count))
			return false;
	gti_holders_empty(holders);
	return true;
}

static bool settle(void *context)
{
	struct findings *findings = context;
	bool good =
		findings->run.stops.holders == NULL || settle_holders(findings);

	gti_profile_forget_stacks(&findings->run.profile);
	gti_event_maker_forget(&findings->run.maker);
	return good;
}

static void restart(void *context)
{
	struct findings *findings = context;

	if (findings->run.stops.holders != NULL)
		gti_holders_restart(&findings->run.holders);
	findings->forget(findings->context);
}

static const struct settling settling = {settle, restart};

enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error)
{
	enum gtrace_status status;

	wanted->profile = findings->name != NULL ? &names : NULL;
	wanted->settling = &settling;
	wanted->context = findings;
	status = gti_run(&findings->run, trace, wanted, error);
	if (status == GTRACE_OK && !settle(findings))
		status = gti_fail_memory(error);
	return status;
}
