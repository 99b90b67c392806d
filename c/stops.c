/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c - the report of stops of the world. */
#include <string.h>

#include "analysis/lengths.h"
#include "base/array.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/strings.h"
#include "front.h"

/* ----------------------------------------------------------------- kinds -- */

/* What an inferred stop was for: by the innermost of these functions. */
static const struct {
	const char *function;
	const char *kind;
} kinds_by_function[] = {
	{"runtime.gcStart", "GC sweep termination"},
	{"runtime.gcMarkTermination", "GC mark termination"},
	{"runtime.gcMarkDone", "GC mark termination"},
	{"runtime.GOMAXPROCS", "GOMAXPROCS"},
	{"runtime.ReadMemStats", "read mem stats"},
	{"runtime.Stack", "all goroutines stack trace"},
	{"runtime.GoroutineProfile", "goroutine profile"},
	{"runtime.goroutineProfileWithLabels", "goroutine profile"},
	{"runtime/pprof.runtime_goroutineProfileWithLabels",
	 "goroutine profile"},
	{"runtime/debug.WriteHeapDump", "write heap dump"},
	{"syscall.runtime_doAllThreadsSyscall", "AllThreadsSyscall"},
	{"runtime.syscall_runtime_doAllThreadsSyscall", "AllThreadsSyscall"},
	{"runtime.StartTrace", "start trace"},
};

#define FUNCTIONS (sizeof(kinds_by_function) / sizeof(kinds_by_function[0]))

static struct gtrace_string kind_of_stack(const struct gtrace_stop *stop)
{
	size_t i, j;

	for (i = 0; i < stop->frame_count; i++)
		for (j = 0; j < FUNCTIONS; j++)
			if (string_equals(
				    stop->frames[i].function,
				    string_of(kinds_by_function[j].function)))
				return string_of(kinds_by_function[j].kind);
	return string_of("unknown");
}

/* ----------------------------------------------------------------- stops -- */

/* Returns TIME, or -1 if it is not known. */
static int64_t time_or_none(int64_t time)
{
	return time != TIME_NONE ? time : -1;
}

/* The reason of the event at late->offset. */
static bool make_reason(struct event_maker *maker, const struct late *late,
			struct gtrace_string *reason)
{
	const struct format *format = maker->trace->format;
	struct event event = {.offset = late->offset, .type = late->type};
	struct gtrace_string strings[EVENT_STRINGS];

	*reason = string_of("");
	if (late->offset == 0 ||
	    maker->trace->facts.kinds[late->type].strings == 0)
		return true;
	format->args(maker->trace->self, &event);
	if (format->strings(maker->trace->self, &event, strings) == 0)
		return true;
	*reason = strings[0];
	return gti_own_text(maker, reason);
}

/* Gives TO, which is late for STOP, the samples on its processor. */
static bool make_late_samples(struct event_maker *maker,
			      const struct stop *stop, struct gtrace_late *to)
{
	const struct stop_moment *samples = stop->samples.items;
	size_t end = count_until(samples, stop->samples.count, sizeof(*samples),
				 offsetof(struct stop_moment, p), to->p);
	size_t first = end, count, i;
	struct sampled *sampled;
	bool made;

	while (first > 0 && samples[first - 1].p == to->p)
		first--;
	count = end - first;
	if (count == 0)
		return true;
	sampled = gti_allocate(maker->memory, count * sizeof(*sampled));
	if (sampled == NULL)
		return false;
	for (i = 0; i < count; i++)
		sampled[i] = (struct sampled){samples[first + i].stack, 1, i};
	made = gti_make_samples(maker, sampled, count, &to->samples,
				&to->sample_count);
	gti_release(maker->memory, sampled, count * sizeof(*sampled));
	return made;
}

static bool make_late(struct event_maker *maker, const struct stop *stop,
		      const struct late *late, struct gtrace_late *to)
{
	struct naming naming;

	*to = (struct gtrace_late){
		.p = late->p,
		.how = late->how,
		.g = (int64_t)late->g,
		.start = time_or_none(late->start),
		.left = time_or_none(late->left),
		.gave_up = late->gave_up,
		.own = time_or_none(late->own),
		.off_cpu = late->off_cpu,
		.event = maker->trace->facts.kinds[late->type].name,
		/* Of a part of an unknown length it is not known. */
		.own_on_cpu = gti_oncpu_time(
				      maker->trace->oncpu, late->thread,
				      greatest_of(late->start, stop->requested),
				      late->own)
				      .on_cpu,
	};
	if (!make_reason(maker, late, &to->reason) ||
	    !make_late_samples(maker, stop, to) ||
	    !gti_make_frames(maker, late->stack, &to->frames, &to->frame_count))
		return false;
	naming = gti_name_late(to);
	to->frame = naming.frame;
	to->caller = naming.caller;
	to->work = naming.work;
	return true;
}

static bool make_kind(struct event_maker *maker, const struct stops *stops,
		      const struct stop *stop, struct gtrace_stop *to)
{
	const struct stop_kind *kind = stops->kinds.items;

	if (stop->kind == STOP_KIND_NONE) {
		to->kind = kind_of_stack(to);
		return true;
	}
	kind += stop->kind;
	to->kind = kind->known.kind;
	return gti_own_text(maker, &to->kind);
}

bool gti_make_stop(struct event_maker *maker, const struct stops *stops,
		   const struct stop *stop, struct gtrace_stop *to)
{
	const struct late *from = stop->late.items;
	struct gtrace_late *late = gti_arena_allocate(
		&maker->arena, stop->late.count * sizeof(*late));
	size_t i;

	if (late == NULL)
		return false;
	*to = (struct gtrace_stop){
		.number = stop->number,
		.measured = stop->measured,
		.inferred = stop->inferred,
		.requested_min = time_or_none(stop->requested_min),
		.requested_max = time_or_none(stop->requested_max),
		.stopping_min = time_or_none(stop->stopping_min),
		.stopping_max = time_or_none(stop->stopping_max),
		.ts = stop->ts,
		.p = stop->p,
		.g = (int64_t)stop->g,
		.requested = time_or_none(stop->requested),
		.obtained = time_or_none(stop->obtained),
		.restarting = time_or_none(stop->restarting),
		.restarted = time_or_none(stop->restarted),
		.ended = time_or_none(stop->ended),
		.stopping = time_or_none(stop->stopping),
		.stopped = time_or_none(stop->stopped),
		.total = time_or_none(stop->total),
		.waited = time_or_none(stop->waited),
		.procs = (int64_t)stop->procs,
		.idle = (int64_t)stop->idle,
		.late_count = stop->late.count,
		.late = stop->late.count != 0 ? late : NULL,
	};
	for (i = 0; i < stop->late.count; i++) {
		if (!make_late(maker, stop, &from[i], &late[i]))
			return false;
		if (late[i].sample_count != 0)
			to->sampled_count = stop->late.count;
	}
	return gti_make_frames(maker, stop->stack, &to->frames,
			       &to->frame_count) &&
	       make_kind(maker, stops, stop, to);
}

/* ---------------------------------------------------------------- report -- */

/*
 * Makes the stops of a list from the last one in the trace to the first: a
 * format has the stacks and strings of the last part.
 */
static bool make_list(struct event_maker *maker, const struct stops *stops,
		      struct kept_stops *kept,
		      const struct gtrace_stop *const **out)
{
	size_t count = kept->heap.count, i, at;
	const struct stop *from = kept->heap.items;
	struct gtrace_stop *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made));
	const struct gtrace_stop **array =
		gti_arena_allocate(&maker->arena, count * sizeof(*array));
	struct sort_item *order =
		gti_allocate(maker->memory, (count + 1) * sizeof(*order));
	bool good = made != NULL && array != NULL && order != NULL;

	gti_sort(kept->heap.items, count, sizeof(struct stop), kept->compare);
	for (i = 0; i < count && good; i++) {
		order[i].key = -(int64_t)from[i].number;
		order[i].value = (uint32_t)i;
	}
	if (good)
		gti_sort_go1_27(order, count);
	for (i = 0; i < count && good; i++) {
		at = order[i].value;
		array[at] = &made[at];
		good = gti_make_stop(maker, stops, &from[at], &made[at]);
	}
	*out = count != 0 ? array : NULL;
	gti_release(maker->memory, order, (count + 1) * sizeof(*order));
	return good;
}

static int compare_kinds(const void *a, const void *b)
{
	const struct stop_kind *x = a, *y = b;

	return string_compare(x->known.kind, y->known.kind);
}

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Completes TO, the sum of COUNT kinds: sorts their values, and takes the
 * nearest-rank quantiles of them all. Returns false if there is no memory.
 */
static bool set_quantiles(const struct stops *stops,
			  const struct stop_kind *kinds, size_t count,
			  struct gtrace_stop_kind *to)
{
	size_t total = 0, at = 0, i;
	int64_t *values;

	if (to->measured == 0) {
		to->stopping = to->total = to->median = to->p99 = -1;
		return true;
	}
	for (i = 0; i < count; i++)
		total += kinds[i].values.count;
	values = gti_allocate(stops->memory, total * sizeof(*values));
	if (values == NULL)
		return false;
	for (i = 0; i < count; i++) {
		if (kinds[i].values.count != 0)
			memcpy(values + at, kinds[i].values.items,
			       kinds[i].values.count * sizeof(*values));
		at += kinds[i].values.count;
	}
	gti_sort(values, total, sizeof(*values), by_value);
	to->median = values[lengths_rank(total, 500) - 1];
	to->p99 = values[lengths_rank(total, 990) - 1];
	gti_release(stops->memory, values, total * sizeof(*values));
	return true;
}

static void add_kind(struct gtrace_stop_kind *to, const struct stop_kind *kind)
{
	const struct gtrace_stop_kind *known = &kind->known;

	to->count += known->count;
	to->measured += known->measured;
	to->stopping = time_sum(to->stopping, (uint64_t)known->stopping);
	to->total = time_sum(to->total, (uint64_t)known->total);
	to->stopped = time_sum(to->stopped, (uint64_t)kind->stopped_measured);
	to->max = greatest_of(to->max, known->max);
}

static bool make_kinds(struct event_maker *maker, struct stops *stops,
		       struct gtrace_stop_report *report)
{
	struct stop_kind *kinds = stops->kinds.items;
	size_t count = stops->kinds.count, i;
	struct gtrace_stop_kind *made =
		gti_arena_allocate(&maker->arena, count * sizeof(*made));

	if (made == NULL)
		return false;
	report->kinds = made;
	/* May change their numbers: the stops have been made. */
	if (count > 1)
		gti_sort(kinds, count, sizeof(*kinds), compare_kinds);
	report->all = (struct gtrace_stop_kind){.kind = {"", 0}, .max = -1};
	for (i = 0; i < count; i++) {
		/* A filter can leave out all stops of a kind. */
		if (kinds[i].known.count == 0)
			continue;
		*made = kinds[i].known;
		add_kind(&report->all, &kinds[i]);
		if (!gti_own_text(maker, &made->kind) ||
		    !set_quantiles(stops, &kinds[i], 1, made))
			return false;
		made++;
		report->kind_count++;
	}
	if (report->kind_count == 0)
		report->kinds = NULL;
	return set_quantiles(stops, kinds, count, &report->all);
}

bool gti_make_stops(struct event_maker *maker, struct stops *stops,
		    struct gtrace_stop_report *to)
{
	*to = (struct gtrace_stop_report){
		.measured = stops->measured,
		.unmeasured = stops->unmeasured,
		.inferred = stops->inferred,
		.sampled = stops->step,
		.stop_count = stops->longest.heap.count,
		.inferred_count = stops->longest_inferred.heap.count,
		.unmeasured_count = stops->first_unmeasured.heap.count,
	};
	return make_list(maker, stops, &stops->longest, &to->stops) &&
	       make_list(maker, stops, &stops->longest_inferred,
			 &to->inferred_stops) &&
	       make_list(maker, stops, &stops->first_unmeasured,
			 &to->unmeasured_stops) &&
	       make_kinds(maker, stops, to);
}
