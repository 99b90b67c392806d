/* SPDX-License-Identifier: BSD-3-Clause */
/* stops.c - the report of stop-the-world pauses. */
#include <string.h>

#include "analysis/lengths.h"
#include "base/array.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/strings.h"
#include "machine.h"
#include "run.h"

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

/* The runtime's own tests stop the world, too. */
static bool is_of_tests(struct gtrace_string kind)
{
	static const char end[] = " (test)";
	size_t size = sizeof(end) - 1;

	return kind.size > size &&
	       memcmp(kind.data + kind.size - size, end, size) == 0;
}

/* The kind of the pause that FROM begins, in the words of Go 1.21. */
static struct gtrace_string kind_of_begin(void *context,
					  const struct transition *from)
{
	struct run *run = context;
	struct gtrace_string kind = gti_transition_text(run, from);
	unsigned version = run->trace->facts.version;

	if (version < VERSION_ALL_STOPS)
		return string_of(string_is(kind, "mark termination")
					 ? "GC mark termination"
					 : "GC sweep termination");
	if (kind.size == 0 ||
	    (!run->trace->format->has_threads && is_of_tests(kind)))
		return string_of("unknown");
	return kind;
}

void gti_describe_stops(struct run *run)
{
	bool has_threads = run->trace->format->has_threads;
	unsigned version = run->trace->facts.version;

	run->stops.version = (struct stops_version){
		.has_threads = has_threads,
		.begins = version >= VERSION_STOPS,
		.infers = version < VERSION_ALL_STOPS,
		.total_to_mark = has_threads,
		.preempt = run->trace->facts.preempt,
	};
	run->stops.kind = kind_of_begin;
	run->stops.context = run;
}

/* ----------------------------------------------------------------- stops -- */

/* Returns TIME, or -1 if it is not known. */
static int64_t time_or_none(int64_t time)
{
	return time != TIME_NONE ? time : -1;
}

/* The reason of the event at late->offset. */
static struct gtrace_string make_reason(struct run *run,
					const struct late *late)
{
	const struct format *format = run->trace->format;
	struct event event = {.offset = late->offset, .type = late->type};
	struct gtrace_string strings[EVENT_STRINGS];

	if (late->offset == 0 ||
	    run->trace->facts.kinds[late->type].strings == 0)
		return string_of("");
	format->args(run->trace->self, &event);
	if (gti_read_strings(run, &event, strings) == 0)
		return string_of("");
	gti_own_text(run, &strings[0]);
	return strings[0];
}

/* Gives TO, which is late for STOP, the samples on its processor. */
static void make_late_samples(struct run *run, const struct stop *stop,
			      struct gtrace_late *to)
{
	const struct stop_moment *samples = stop->samples.items;
	size_t end = count_until(samples, stop->samples.count, sizeof(*samples),
				 offsetof(struct stop_moment, p), to->p);
	size_t first = end, count, i;
	struct sampled *sampled;

	while (first > 0 && samples[first - 1].p == to->p)
		first--;
	count = end - first;
	if (count == 0)
		return;
	sampled = gti_make_array(run, count, sizeof(*sampled));
	if (sampled == NULL)
		return;
	for (i = 0; i < count; i++)
		sampled[i] = (struct sampled){samples[first + i].stack, 1, i};
	gti_make_samples(run, sampled, count, &to->samples, &to->sample_count);
}

static void make_late(struct run *run, const struct stop *stop,
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
		.event = run->trace->facts.kinds[late->type].name,
		.reason = make_reason(run, late),
		/* Of a part of an unknown length it is not known. */
		.own_on_cpu = gti_oncpu_time(
				      run->trace->oncpu, late->thread,
				      greatest_of(late->start, stop->requested),
				      late->own)
				      .on_cpu,
	};
	if (stop->requested != TIME_NONE)
		to->off_cpu_class =
			gti_machine_bare(run->trace, late->p, stop->requested,
					 late->gave_up, &to->off_cpu);
	make_late_samples(run, stop, to);
	gti_make_frames(run, late->stack, &to->frames, &to->frame_count);
	naming = gti_name_late(to);
	to->frame = naming.frame;
	to->caller = naming.caller;
	to->work = naming.work;
}

static void make_kind(struct run *run, const struct stop *stop,
		      struct gtrace_stop *to)
{
	const struct stop_kind *kind = run->stops.kinds.items;

	if (stop->kind == STOP_KIND_NONE) {
		to->kind = kind_of_stack(to);
		return;
	}
	to->kind = kind[stop->kind].known.kind;
	gti_own_text(run, &to->kind);
}

void gti_make_stop(struct run *run, const struct stop *stop,
		   struct gtrace_stop *to)
{
	const struct late *from = stop->late.items;
	struct gtrace_late *late =
		gti_make_array(run, stop->late.count, sizeof(*late));
	size_t i;

	*to = (struct gtrace_stop){
		.number = stop->number,
		.measured = stop->measured,
		.clock_changed = stop->clock_changed,
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
		.late_count = late != NULL ? stop->late.count : 0,
		.late = stop->late.count != 0 ? late : NULL,
	};
	for (i = 0; i < to->late_count; i++) {
		make_late(run, stop, &from[i], &late[i]);
		if (late[i].sample_count != 0)
			to->sampled_count = stop->late.count;
	}
	gti_make_frames(run, stop->stack, &to->frames, &to->frame_count);
	to->frame = gti_name_stack(to->frames, to->frame_count).frame;
	make_kind(run, stop, to);
}

/* ---------------------------------------------------------------- report -- */

static void make_row(struct run *run, const void *from, void *row)
{
	gti_make_stop(run, from, row);
}

static uint64_t place_of(const void *from)
{
	return ((const struct stop *)from)->number;
}

/* Makes the stops of TOP, *COUNT of them. */
static const void *make_list(struct run *run, struct top *top, size_t *count)
{
	const struct list_of list = {
		.from = top->kept.items,
		.count = top->kept.count,
		.size = sizeof(struct stop),
		.row_size = sizeof(struct gtrace_stop),
		.make = make_row,
		.place = place_of,
	};

	top_sort(top);
	*count = list.count;
	return gti_make_list(run, &list);
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
 * nearest-rank quantiles of them all.
 */
static void set_quantiles(struct run *run, const struct stop_kind *kinds,
			  size_t count, struct gtrace_stop_kind *to)
{
	size_t total = 0, at = 0, i;
	int64_t *values;

	if (to->measured == 0) {
		to->stopping = to->total = to->median = to->p99 = -1;
		return;
	}
	for (i = 0; i < count; i++)
		total += kinds[i].values.count;
	values = gti_allocate(run->memory, total * sizeof(*values));
	if (values == NULL) {
		run->failed = true;
		return;
	}
	for (i = 0; i < count; i++) {
		if (kinds[i].values.count != 0)
			memcpy(values + at, kinds[i].values.items,
			       kinds[i].values.count * sizeof(*values));
		at += kinds[i].values.count;
	}
	gti_sort(values, total, sizeof(*values), by_value);
	to->median = values[lengths_rank(total, 500) - 1];
	to->p99 = values[lengths_rank(total, 990) - 1];
	gti_release(run->memory, values, total * sizeof(*values));
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

static void make_kinds(struct run *run, struct gtrace_stop_report *report)
{
	struct stop_kind *kinds = run->stops.kinds.items;
	size_t count = run->stops.kinds.count, i;
	struct gtrace_stop_kind *made =
		gti_make_array(run, count, sizeof(*made));

	if (made == NULL)
		return;
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
		gti_own_text(run, &made->kind);
		set_quantiles(run, &kinds[i], 1, made++);
		report->kind_count++;
	}
	if (report->kind_count == 0)
		report->kinds = NULL;
	set_quantiles(run, kinds, count, &report->all);
}

void gti_make_stops(struct run *run, void *made)
{
	struct gtrace_stop_report *to = made;
	struct stops *stops = &run->stops;

	to->measured = stops->measured;
	to->unmeasured = stops->unmeasured;
	to->inferred = stops->inferred;
	to->sampled = stops->step;
	to->stops = make_list(run, &stops->longest, &to->stop_count);
	to->inferred_stops =
		make_list(run, &stops->longest_inferred, &to->inferred_count);
	to->unmeasured_stops =
		make_list(run, &stops->first_unmeasured, &to->unmeasured_count);
	make_kinds(run, to);
}
