/* SPDX-License-Identifier: BSD-3-Clause */
/* findings.c - the pass that adds up slices and stops by stack. */
#include "findings.h"

#include "base/fail.h"
#include "base/sort.h"

/* ---------------------------------------------------------------- settle -- */

static int compare_holders(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->stack != y->stack)
		return x->stack < y->stack ? -1 : 1;
	return x->how < y->how ? -1 : x->how > y->how;
}

/*
 * Passes the entries to take(), ordered by stack: a format finds stacks faster
 * in that order.
 */
static bool take_entries(struct findings *findings)
{
	const struct profile *profile = &findings->run.profile;
	size_t count = profile_count(profile), frame_count, i;
	const struct gtrace_frame *frames;
	struct sort_item *items;
	bool good = true;

	if (count == 0)
		return true;
	items = gti_profile_by_stack(profile);
	if (items == NULL)
		return false;
	for (i = 0; i < count && good; i++) {
		const struct profile_entry *entry =
			profile_at(profile, items[i].value);

		good = gti_make_frames(&findings->run.maker,
				       profile_type(entry->type), entry->stack,
				       &frames, &frame_count) &&
		       findings->take(findings, entry, frames, frame_count);
	}
	gti_release(profile->memory, items, count * sizeof(*items));
	gti_profile_empty(&findings->run.profile);
	return good;
}

static bool name_stack(void *context, uint32_t type, uint64_t stack,
		       uint64_t *name)
{
	struct findings *findings = context;
	const struct gtrace_frame *frames;
	uint32_t number;
	size_t count;

	if (!gti_make_frames(&findings->run.maker, profile_type(type), stack,
			     &frames, &count))
		return false;
	number = findings->name(findings, profile_worker(type), frames, count);
	*name = number;
	return number != NO_TEXT;
}

static bool settle_profile(struct findings *findings)
{
	const struct profile_names names = {name_stack, findings};

	return findings->run.profile.by_goroutine
		       ? gti_profile_name(&findings->run.profile, &names)
		       : take_entries(findings);
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
		if (!gti_make_frames(&findings->run.maker, 0, entries[i].stack,
				     &frames, &frame_count) ||
		    !findings->take_holder(findings, &entries[i], frames,
					   frame_count))
			return false;
	gti_holders_empty(holders);
	return true;
}

static bool settle(void *context)
{
	struct findings *findings = context;
	struct event_maker *maker = &findings->run.maker;
	bool good;

	good = findings->run.observer.profile == NULL ||
	       settle_profile(findings);
	good = good && (findings->run.stops.holders == NULL ||
			settle_holders(findings));
	gti_event_maker_forget(maker);
	return good;
}

static void restart(void *context)
{
	struct findings *findings = context;

	if (findings->run.stops.holders != NULL)
		gti_holders_restart(&findings->run.holders);
	findings->forget(findings);
}

static const struct settling settling = {settle, restart};

enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error)
{
	enum gtrace_status status;

	wanted->settling = &settling;
	wanted->context = findings;
	status = gti_run(&findings->run, trace, wanted, error);
	if (status == GTRACE_OK && !settle(findings))
		status = gti_fail_memory(error);
	return status;
}
