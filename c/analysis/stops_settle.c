/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stops_settle.c - for which processors a stop-the-world pause waited, and how
 * long.
 */
#include "analysis/stops.h"
#include "base/array.h"
#include "base/least.h"
#include "base/strings.h"
#include "base/times.h"

/* The stop that starts a trace: its first event is in the stopped world. */
static const struct gtrace_string start_trace = {"start trace", 11};
static const struct gtrace_string unknown = {"unknown", 7};

/* With total_to_mark, its total ends at the mark. */
static const struct gtrace_string mark_termination = {"GC mark termination",
						      19};

/* Times that threads write can decrease: then nothing lies between. */
static int64_t since(int64_t later, int64_t earlier)
{
	return length_between(earlier, later);
}

/* ------------------------------------------------------------------ late -- */

/* Whether the goroutine of LATE was on it for half of the time since TIME. */
static bool is_half_own(const struct late *late, int64_t time)
{
	int64_t wait = since(late->gave_up, time);

	return late->own >= wait - wait / 2;
}

/* A processor that was GIVEN up after the request of STOP, at TIME. */
static struct late late_by(const struct stops *stops, const struct stop *stop,
			   const struct stop_moment *given, int64_t time)
{
	const struct processor_slice *slice = &given->slice;
	int64_t held_since = stops_ns(stops, given->held_since);
	bool is_recent;
	struct late late = {
		.p = given->p,
		.thread = given->thread,
		.how = GTRACE_LATE_SCHEDULER,
		.g = slice->g,
		.start = TIME_NONE,
		.left = stops_ns(stops, slice->left),
		.gave_up = given->time,
		.type = given->type,
	};

	is_recent = slice->type != SLICE_GIVEN_UP &&
		    slice->type != SLICE_RUNS && late.left >= time &&
		    late.left >= held_since;
	if (given->in_call || is_recent) {
		late.start = stops_ns(stops, slice->start);
		late.own = since(given->in_call ? late.gave_up : late.left,
				 greatest_of(late.start, time));
	}
	if (given->in_call) {
		late.how = GTRACE_LATE_SYSCALL;
		late.stack = slice->stack;
	} else if (is_recent && (stop->inferred || is_half_own(&late, time))) {
		late.how = GTRACE_LATE_RAN;
		late.stack = slice->stack;
		late.type = slice->type;
		late.offset = slice->offset;
	}
	if (stop->inferred)
		late.own = TIME_NONE;
	return late;
}

static int compare_late(const void *a, const void *b)
{
	const struct late *x = a, *y = b;

	if (x->gave_up != y->gave_up)
		return x->gave_up > y->gave_up ? -1 : 1;
	return x->p < y->p ? -1 : x->p > y->p;
}

/* Whether a processor other than that of STOP was GIVEN up in that time. */
static bool is_given_up(const struct stop *stop,
			const struct stop_moment *given, int64_t from,
			int64_t to)
{
	return stop_moment_is(given, MOMENT_GIVEN_UP, from, to) &&
	       given->p != stop->p;
}

/*
 * Fills stops->late with the processors that were given up from FROM to TO,
 * other than that of STOP. If one was given up several times, the last one in
 * the order of the trace counts. Returns false if there is no memory.
 */
static bool find_late(struct stops *stops, const struct stop *stop,
		      int64_t from, int64_t to)
{
	const struct stop_moment *given = gti_stops_look(stops);
	uint64_t look = ++stops->looks;
	size_t count = stops->moments.count, i;

	stops->late.count = 0;
	for (i = 0; i < count; i++) {
		if (!is_given_up(stop, &given[i], from, to))
			continue;
		given[i].processor->last = &given[i];
		given[i].processor->seen = look;
	}
	for (i = 0; i < count; i++) {
		struct late late;

		if (!is_given_up(stop, &given[i], from, to) ||
		    given[i].processor->last != &given[i])
			continue;
		late = late_by(stops, stop, &given[i], from);
		if (array_add(&stops->late, &late, sizeof(late),
			      stops->memory) == NULL)
			return false;
	}
	if (stops->late.count > 1)
		gti_sort(stops->late.items, stops->late.count,
			 sizeof(struct late), compare_late);
	return true;
}

static void set_idle(struct stops *stops, struct stop *stop)
{
	uint64_t others = stop->procs > 0 ? stop->procs - 1 : 0;
	uint64_t late = stops->late.count;

	stop->idle = others > late ? others - late : 0;
}

/* -------------------------------------------------------------- measured -- */

static int by_processor(const void *a, const void *b)
{
	const struct stop_moment *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->stack > y->stack) - (x->stack < y->stack);
}

/* Whether a sample at TIME is of a late processor P, before its give-up. */
static bool is_in_lateness(const struct stops *stops, int64_t p, int64_t time)
{
	const struct stop_processor *late =
		ids_find(&stops->processors, (uint64_t)p);

	return late != NULL && late->seen == stops->looks &&
	       time <= late->last->time;
}

/*
 * Fills stops->sampled with the samples, from FROM to TO, of the processors in
 * stops->late, after find_late(). Returns false if there is no memory.
 */
static bool find_samples(struct stops *stops, int64_t from, int64_t to)
{
	const struct stop_moment *moments = stops->moments.items;
	struct array *sampled = &stops->sampled;
	size_t i;

	for (i = 0; i < stops->moments.count; i++)
		if (stop_moment_is(&moments[i], MOMENT_SAMPLE, from, to) &&
		    is_in_lateness(stops, moments[i].p, moments[i].time) &&
		    array_add(sampled, &moments[i], sizeof(*moments),
			      stops->memory) == NULL)
			return false;
	if (sampled->count > 1)
		gti_sort(sampled->items, sampled->count,
			 sizeof(struct stop_moment), by_processor);
	return true;
}

/*
 * When another thread took another processor after the restart of STOP, or else
 * when it ended.
 */
static int64_t find_restarted(struct stops *stops, const struct stop *stop)
{
	const struct stop_moment *taken = gti_stops_look(stops);
	int64_t restarted = stop->ended;
	size_t i;

	if (stop->restarting == TIME_NONE)
		return restarted;
	for (i = 0; i < stops->moments.count; i++)
		if (stop_moment_is(&taken[i], MOMENT_TAKEN, stop->restarting,
				   restarted) &&
		    taken[i].p != stop->p && taken[i].thread != stop->thread)
			restarted = taken[i].time;
	return restarted;
}

static int64_t find_waited(const struct stops *stops, const struct stop *stop)
{
	const struct late *late = stops->late.items;
	uint64_t waited = (stop->idle + 1) * (uint64_t)stop->stopping;
	size_t i;

	for (i = 0; i < stops->late.count; i++)
		waited += (uint64_t)since(stop->obtained, late[i].gave_up);
	return (int64_t)waited;
}

static bool is_kind(const struct stops *stops, const struct stop *stop,
		    struct gtrace_string text)
{
	return stop->kind != STOP_KIND_NONE &&
	       string_equals(texts_at(&stops->kind_texts, stop->kind), text);
}

/* Whether STOP starts the trace. If its kind is unknown, the first one may. */
static bool is_first(const struct stops *stops, const struct stop *stop)
{
	return is_kind(stops, stop, start_trace) ||
	       (stop->number == 1 && is_kind(stops, stop, unknown));
}

/*
 * Whether the file has all that STOP, up to TO, waited for. Where events are
 * missing, a thread of which nothing is known could hold any processor that no
 * event of the stop gives up or takes.
 */
static bool is_whole(const struct stops *stops, const struct stop *stop,
		     int64_t to)
{
	if (stops->unfinished_since == INT64_MAX ||
	    to < stops_ns(stops, stops->unfinished_since))
		return true;
	return to <= stops_ns(stops, stops->complete_until) &&
	       stop->procs != 0 && stop->idle == 0 &&
	       (stop->procs == 1 ||
		(stop->restarted != TIME_NONE && stop->restarted < to));
}

/* When the time ends that the runtime measures as the total of STOP. */
static int64_t end_of_total(const struct stops *stops, const struct stop *stop)
{
	if (stops->version.total_to_mark && stop->restarting != TIME_NONE &&
	    is_kind(stops, stop, mark_termination))
		return stop->restarting;
	return stop->ended;
}

static bool measure(struct stops *stops, struct stop *stop)
{
	bool has_end = stop->ended != TIME_NONE;
	bool is_start = is_first(stops, stop);
	int64_t to = stop->restarting;

	if (to == TIME_NONE)
		to = has_end ? stop->ended : stops_ns(stops, stops->last);
	if (!find_late(stops, stop, stop->requested, to) ||
	    !find_samples(stops, stop->requested, to))
		return false;
	if (has_end)
		stop->restarted = find_restarted(stops, stop);
	if (has_end)
		stop->total = since(end_of_total(stops, stop), stop->requested);
	set_idle(stops, stop);
	if (!is_whole(stops, stop, has_end ? stop->ended : to)) {
		stop->idle = UINT64_MAX;
		stop->restarted = TIME_NONE;
		return true;
	}
	stop->obtained = stop->requested;
	if (stops->late.count != 0)
		stop->obtained =
			((const struct late *)stops->late.items)->gave_up;
	stop->measured = has_end && !is_start && !stop->clock_changed;
	if (!is_start) {
		stop->stopping = since(stop->obtained, stop->requested);
		stop->waited = find_waited(stops, stop);
	}
	if (has_end)
		stop->stopped = since(stop->restarted, stop->obtained);
	return true;
}

/* -------------------------------------------------------------- inferred -- */

/* The earliest give-up of a processor whose goroutine was preempted. */
static int64_t first_preempted(const struct stops *stops, int64_t mark)
{
	const struct late *late = stops->late.items;
	int64_t first = mark;
	size_t i;

	for (i = 0; i < stops->late.count; i++)
		if (late[i].how == GTRACE_LATE_RAN &&
		    late[i].type == stops->version.preempt &&
		    late[i].gave_up < first)
			first = late[i].gave_up;
	return first;
}

static bool bound(struct stops *stops, struct stop *stop)
{
	int64_t mark = stop->restarting;

	if (!find_late(stops, stop, stop->slice_start, mark))
		return false;
	stop->requested_min = stop->event != TIME_NONE ? stop->event : mark;
	stop->requested_max = mark;
	stop->stopping_min = stop->stopping_max = 0;
	if (stops->late.count != 0) {
		stop->obtained =
			((const struct late *)stops->late.items)->gave_up;
		if (stop->obtained >= mark)
			stop->requested_min = mark;
		else if (stop->event == TIME_NONE) /* it has no event */
			stop->requested_min = stop->obtained;
		else if (stop->event > stop->obtained)
			stop->requested_min = stop->earlier;
		if (!find_late(stops, stop, stop->requested_min, mark))
			return false;
		stop->requested_max = first_preempted(stops, mark);
		stop->stopping_min = greatest_of(
			0, since(stop->obtained, stop->requested_max));
		stop->stopping_max = since(stop->obtained, stop->requested_min);
		stop->stopped = since(stop->ended, stop->obtained);
	}
	set_idle(stops, stop);
	return true;
}

/* ---------------------------------------------------------------- settle -- */

/* Whether an event to come at HORIZON can still change STOP. */
static bool can_change(const struct stop *stop, int64_t horizon)
{
	return stop->ended != TIME_NONE &&
	       horizon <= greatest_of(stop->ended, stop->restarting);
}

static void settle(struct stops *stops, struct stop *stop)
{
	stops->sampled.count = 0;
	if (stop->inferred ? !bound(stops, stop) : !measure(stops, stop))
		stops->failed = true;
	else
		gti_stops_count(stops, stop);
}

/*
 * If more stops than this have ended and can still change, they are not looked
 * through at every event. No runtime causes that.
 */
#define ENDING_FEW 32

void gti_stops_settle(struct stops *stops, int64_t horizon)
{
	struct stop *ending = stops->ending.items;
	size_t count = stops->ending.count, left = 0, i;

	if (count > ENDING_FEW && horizon != INT64_MAX &&
	    ++stops->put_off < count / ENDING_FEW)
		return;
	stops->put_off = 0;
	for (i = 0; i < count && !stops->failed; i++)
		if (horizon != INT64_MAX && can_change(&ending[i], horizon))
			ending[left++] = ending[i];
		else
			settle(stops, &ending[i]);
	stops->ending.count = left;
}
