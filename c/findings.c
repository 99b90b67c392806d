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
	const struct profile *profile = &findings->profile;
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

		good = gti_make_frames(&findings->maker,
				       profile_type(entry->type), entry->stack,
				       &frames, &frame_count) &&
		       findings->take(findings, entry, frames, frame_count);
	}
	gti_release(profile->memory, items, count * sizeof(*items));
	gti_profile_empty(&findings->profile);
	return good;
}

static bool name_stack(void *context, uint32_t type, uint64_t stack,
		       uint64_t *name)
{
	struct findings *findings = context;
	const struct gtrace_frame *frames;
	uint32_t number;
	size_t count;

	if (!gti_make_frames(&findings->maker, profile_type(type), stack,
			     &frames, &count))
		return false;
	number = findings->name(findings, profile_worker(type), frames, count);
	*name = number;
	return number != NO_TEXT;
}

static bool settle_profile(struct findings *findings)
{
	const struct profile_names names = {name_stack, findings};

	return findings->profile.by_goroutine
		       ? gti_profile_name(&findings->profile, &names)
		       : take_entries(findings);
}

static bool settle_holders(struct findings *findings)
{
	struct holders *holders = &findings->holders;
	struct holder *entries = holders->entries.items;
	size_t count = holders->entries.count, i;
	const struct gtrace_frame *frames;
	size_t frame_count;

	if (count > 1)
		gti_sort(entries, count, sizeof(*entries), compare_holders);
	for (i = 0; i < count; i++)
		if (!gti_make_frames(&findings->maker, 0, entries[i].stack,
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
	struct event_maker *maker = &findings->maker;
	bool good;

	good = findings->observer.profile == NULL || settle_profile(findings);
	good = good &&
	       (findings->stops.holders == NULL || settle_holders(findings));
	gti_event_maker_forget(maker);
	return good;
}

static void restart(void *context)
{
	struct findings *findings = context;

	if (findings->stops.holders != NULL)
		gti_holders_restart(&findings->holders);
	findings->forget(findings);
}

static const struct settling settling = {settle, restart};

static bool is_named(void *context, uint32_t type, uint64_t stack)
{
	struct findings *findings = context;
	const struct naming *naming =
		gti_make_naming(&findings->maker, type, stack);

	findings->profile.failed |= naming == NULL;
	return naming != NULL && gti_is_named(naming);
}

/* ------------------------------------------------------------------ pass -- */

static bool init(struct findings *findings,
		 const struct findings_request *request)
{
	struct gtrace *trace = findings->trace;
	const struct format *format = trace->format;
	struct observer *observer = &findings->observer;
	bool good = true;

	observer->memory = &trace->memory;
	if (request->slices != 0 || request->profile) {
		gti_slices_init(&findings->slices,
				request->slices != 0 ? request->slices : 1,
				format->processors(trace->self),
				format->ns_per_tick(trace->self),
				&trace->memory);
		findings->slices.all = request->profile;
		findings->inside.memory = &trace->memory;
		if (request->details)
			observer->inside = &findings->inside;
		findings->slices.inside = observer->inside;
		observer->slices = &findings->slices;
	}
	gti_stops_init(&findings->stops, request->stops, &observer->clock,
		       &trace->memory);
	findings->stops.filter = observer->filter;
	if (request->stops != 0 || request->holders)
		observer->stops = &findings->stops;
	gti_holders_init(&findings->holders, &trace->memory);
	if (request->holders)
		findings->stops.holders = &findings->holders;
	if (request->profile) {
		good = gti_profile_init(&findings->profile,
					request->by_goroutine, &trace->memory);
		findings->profile.is_named = is_named;
		findings->profile.context = findings;
		observer->profile = &findings->profile;
	}
	observer->settling = &settling;
	observer->settle_context = findings;
	return gti_event_maker_init(&findings->maker, trace, false) && good;
}

/* The type whose stacks are no handles, of traces of Go 1.5. */
static uint32_t own_stacks(const struct gtrace *trace)
{
	uint32_t type;

	for (type = 1; type < EVENT_TYPES; type++)
		if (trace->kinds[type].name != NULL &&
		    trace->kinds[type].stack_mask == 0)
			return type;
	return 0;
}

enum gtrace_status gti_findings_make(struct findings *findings,
				     const struct findings_request *request,
				     struct gtrace_error *error)
{
	struct gtrace *trace = findings->trace;
	struct pass pass = {.observer = &findings->observer};
	enum gtrace_status status;

	status = gti_open_filter(trace, request->filter, &findings->filter,
				 &findings->observer.filter, error);
	if (status != GTRACE_OK)
		return status;
	if (!init(findings, request))
		return gti_fail_memory(error);
	findings->profile.own_stacks = own_stacks(trace);
	status = trace->format->follow(trace->self, &pass, error);
	if (status == GTRACE_OK &&
	    (findings->slices.negative || findings->profile.negative))
		status = gti_fail(error, GTRACE_ERROR_LENGTH, 0,
				  "found one deltaNano is less than zero");
	if (status == GTRACE_OK &&
	    (findings->stops.failed || findings->profile.failed ||
	     findings->holders.failed))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK)
		status = trace->format->prepare(trace->self, error);
	if (status == GTRACE_OK && !settle(findings))
		status = gti_fail_memory(error);
	return status;
}

void gti_findings_free(struct findings *findings)
{
	gti_filter_free(&findings->filter);
	gti_insides_free(&findings->inside);
	gti_slices_free(&findings->slices);
	gti_stops_free(&findings->stops);
	gti_profile_free(&findings->profile);
	gti_holders_free(&findings->holders);
	gti_event_maker_free(&findings->maker);
	gti_arena_free(&findings->maker.arena);
	gti_observer_free(&findings->observer);
}
