/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * adapter.h - analyses as consumers of transitions, for their tests.
 *
 * A test makes a list of transitions, and knows from a model of its own what is
 * to be found, as public structs. This file alone knows how an analysis is
 * called and what it keeps. Only such a test includes it, after cmocka.h.
 *
 * The slot of a goroutine or a thread is its number, that of a processor is one
 * more. `written` is the time that counts, in nanoseconds.
 */
#ifndef GTRACE_TESTS_ANALYSIS_ADAPTER_H_
#define GTRACE_TESTS_ANALYSIS_ADAPTER_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gtrace/gtrace.h>

#include "analysis/ended.h"
#include "analysis/profile.h"
#include "analysis/stops.h"
#include "model/transition.h"

/* What happens, in the order of events, up to the time `end`. */
struct script {
	const struct transition *items;
	size_t count;
	int64_t end;
};

#define ADAPTER_TYPES 16
#define ADAPTER_SLOTS 128

/* The name of a type of events. */
static inline const char *type_name(unsigned type)
{
	static char names[ADAPTER_TYPES][16];

	assert_true(type < ADAPTER_TYPES);
	snprintf(names[type], sizeof(names[type]), "type %u", type);
	return names[type];
}

/* That slot of a processor. */
static inline uint32_t slot_of_p(int64_t p)
{
	return (uint32_t)p + 1;
}

static inline void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count == 0 ? 1 : count, size);

	assert_non_null(memory);
	return memory;
}

/* The event of a transition, which is number INDEX of its list. */
static inline struct event event_of(const struct transition *t, size_t index)
{
	return (struct event){
		.offset = t->offset,
		.ordinal = index + 1,
		.ticks = t->written,
		.m = t->m,
		.p = (int64_t)t->p - 1,
		.g = t->by,
		.stack = t->stack,
		.type = t->type,
	};
}

/* ----------------------------------------------------------------- stops -- */

#define ADAPTER_LATE_MAX 64

/* A run of the analysis of stops. */
struct stops_run {
	size_t at;      /* transitions that are recorded */
	int64_t *least; /* `written` of the transitions from there on */
	struct stops stops;
	/* Called for each stop, in the order of their ends. */
	void (*take)(void *context, const struct gtrace_stop *stop);
	void *context;
};

static inline int64_t horizon_of_stops(const void *context)
{
	const struct stops_run *run = context;

	return run->least[run->at];
}

static inline int64_t known_time(int64_t time)
{
	return time == TIME_NONE ? -1 : time;
}

static inline struct gtrace_late public_late(const struct late *late)
{
	return (struct gtrace_late){
		.p = late->p,
		.how = late->how,
		.g = late->g == STOP_NO_G ? -1 : (int64_t)late->g,
		.start = known_time(late->start),
		.left = known_time(late->left),
		.gave_up = late->gave_up,
		.own = late->own,
		.event = type_name(late->type),
	};
}

static inline void take_stop(void *context, const struct stop *stop)
{
	struct stops_run *run = context;
	const struct late *late = stop->late.items;
	struct gtrace_late all[ADAPTER_LATE_MAX];
	struct gtrace_stop found = {
		.number = stop->number,
		.measured = stop->measured,
		.inferred = stop->inferred,
		.p = stop->p,
		.g = (int64_t)stop->g,
		.requested = known_time(stop->requested),
		.obtained = known_time(stop->obtained),
		.restarting = known_time(stop->restarting),
		.restarted = known_time(stop->restarted),
		.ended = known_time(stop->ended),
		.stopping = known_time(stop->stopping),
		.stopped = known_time(stop->stopped),
		.total = known_time(stop->total),
		.waited = stop->waited,
		.procs = (int64_t)stop->procs,
		.idle = (int64_t)stop->idle,
		.late = all,
		.late_count = stop->late.count,
	};
	size_t i;

	assert_true(stop->late.count <= ADAPTER_LATE_MAX);
	for (i = 0; i < stop->late.count; i++)
		all[i] = public_late(&late[i]);
	run->take(run->context, &found);
}

static inline struct gtrace_string
kind_of_stop(void *context, const struct transition *from)
{
	static const char reason[] = "GC mark termination";

	(void)context;
	(void)from;
	return (struct gtrace_string){reason, sizeof(reason) - 1};
}

/* All slots that a script can have stand for their numbers. */
static inline void take_slots(struct feed *feed)
{
	uint64_t i;

	for (i = 0; i < ADAPTER_SLOTS; i++) {
		gti_actors_take(&feed->goroutines, i + 1);
		gti_actors_take(&feed->threads, i + 1);
		gti_actors_take(&feed->processors, i);
	}
}

/* The least times that transitions from each place on have. */
static inline int64_t *least_times(const struct script *script)
{
	int64_t *least = zeroed(script->count + 1, sizeof(*least));
	size_t i = script->count;

	least[i] = INT64_MAX;
	while (i-- > 0)
		least[i] = script->items[i].written < least[i + 1]
				   ? script->items[i].written
				   : least[i + 1];
	return least;
}

/*
 * Gives TAKE each stop of SCRIPT, of which MOST transitions are in a batch.
 * TOTAL_TO_MARK: the total of a stop ends where the world is restarted.
 */
static inline void find_stops(const struct script *script, size_t most,
			      bool total_to_mark,
			      void (*take)(void *, const struct gtrace_stop *),
			      void *context)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct stops_run run = {.take = take, .context = context};
	struct feed *feed = zeroed(1, sizeof(*feed));
	struct clock clock = {0, 0};
	struct consumer consumer = gti_stops_consumer(&run.stops);

	run.least = least_times(script);
	gti_stops_init(&run.stops, 0, &clock, &memory);
	run.stops.each = take_stop;
	run.stops.context = &run;
	run.stops.kind = kind_of_stop;
	run.stops.version.has_threads = run.stops.version.begins = true;
	run.stops.version.total_to_mark = total_to_mark;
	gti_feed_init(feed, &clock, &memory);
	feed->most = most;
	feed->horizon = horizon_of_stops;
	feed->context = &run;
	take_slots(feed);
	gti_feed_add(feed, &consumer);
	while (run.at < script->count)
		feed_record(feed, &script->items[run.at++]);
	gti_feed_finish(feed, script->end);
	gti_feed_close(feed);
	assert_false(run.stops.failed || feed->failed);
	gti_feed_free(feed);
	free(feed);
	gti_stops_free(&run.stops);
	free(run.least);
}

/* ----------------------------------------------------------------- waits -- */

/* What was found: to be given to free_waits(). */
struct waits_found {
	struct gtrace_wait_report waits;
	struct gtrace_delay_report delays;
	/* What these point to. */
	struct gtrace_wait *wait_items;
	const struct gtrace_wait **wait_list;
	struct gtrace_kept *kept;
	struct gtrace_slice *slice_items;
	const struct gtrace_slice **slice_list;
	struct gtrace_wait_row *rows;
};

struct waits_processor {
	struct running_slice slice; /* start.ordinal 0: none */
	int64_t p;
	uint64_t g;
};

/* A run of the analysis of waits. */
struct waits_run {
	struct waiter *waiters; /* by slot */
	struct waits_processor *processors;
	uint32_t goroutine_count, processor_count; /* slots */
	struct observer observer;
	struct waits waits;
	struct slices slices;
	bool procs_told;
};

/* RECORD is a processor. */
static inline struct slice_owner owner_of_run(const void *context, void *record)
{
	const struct waits_processor *processor = record;

	(void)context;
	return (struct slice_owner){.p = processor->p, .g = processor->g};
}

static inline bool is_told_late(const struct transition *t)
{
	return t->kind == TRANSITION_STATUS &&
	       (t->flags & TRANSITION_FIRST) != 0;
}

/* How things stood before SCRIPT, which tells that late. */
static inline struct before_trace find_before(struct waits_run *run,
					      const struct script *script)
{
	struct before_trace before = {0};
	size_t i;

	for (i = 0; i < script->count; i++) {
		const struct transition *t = &script->items[i];

		before.ready += is_told_late(t);
		before.held += t->kind == TRANSITION_PROC_STATUS;
		if (t->kind == TRANSITION_PROCS && !before.procs_told) {
			before.procs = t->arg;
			before.procs_told = true;
		}
		if (t->g >= run->goroutine_count)
			run->goroutine_count = t->g + 1;
		if (t->p >= run->processor_count)
			run->processor_count = t->p + 1;
	}
	return before;
}

static inline void set_ready(struct waits_run *run, const struct transition *t,
			     size_t index)
{
	struct event event = event_of(t, index);

	event_ref_set(&run->waiters[t->g].ready, &event, origin_none);
	run->waiters[t->g].order = index + 1;
}

static inline void start_slice(struct waits_run *run,
			       const struct transition *t, size_t index)
{
	struct waits_processor *processor = &run->processors[t->p];
	struct event event = event_of(t, index);

	waits_run(&run->waits, &run->waiters[t->g], t->written,
		  (int64_t)t->p - 1, t->written);
	assert_false(waits_is_waiting(&run->waiters[t->g]));
	processor->p = (int64_t)t->p - 1;
	processor->g = t->g;
	processor->slice.serial = slices_begin(&run->slices);
	waits_slice(&run->waits, &processor->slice.wait,
		    processor->slice.serial,
		    waits_busy(&run->waits, t->written, false));
	event_ref_set(&processor->slice.start, &event, origin_none);
}

static inline void end_slice(struct waits_run *run, const struct transition *t,
			     size_t index)
{
	struct waits_processor *processor = &run->processors[t->p];
	struct event event = event_of(t, index);
	struct ended_slice *easy;

	if (waits_slice_ends(&run->waits, &processor->slice.wait, &easy,
			     t->written)) {
		if (easy != NULL)
			observe_ended_slice(easy, &processor->slice,
					    processor->p, processor->g, &event,
					    origin_none,
					    (struct own_stacks){0, 0});
		else
			gti_observe_waited(&run->observer, &processor->slice,
					   processor, &event, origin_none);
	}
	processor->slice.start.ordinal = 0;
}

static inline void take_status(struct waits_run *run,
			       const struct transition *t, size_t index)
{
	if (!is_told_late(t)) {
		gti_waits_take_back(&run->waits, &run->waiters[t->g],
				    t->written);
		return;
	}
	set_ready(run, t, index);
	gti_waits_began_before(&run->waits, &run->waiters[t->g], t->g);
}

static inline void take_for_waits(struct waits_run *run,
				  const struct transition *t, size_t index)
{
	struct waits *waits = &run->waits;

	switch (t->kind) {
	case TRANSITION_STATUS:
		take_status(run, t, index);
		break;
	case TRANSITION_READY:
		set_ready(run, t, index);
		waits_begin(waits, &run->waiters[t->g], t->g, t->type,
			    t->written);
		break;
	case TRANSITION_START:
		start_slice(run, t, index);
		break;
	case TRANSITION_BLOCK:
		end_slice(run, t, index);
		break;
	case TRANSITION_HOLD:
	case TRANSITION_GIVE_UP:
		gti_waits_hold(waits, t->kind == TRANSITION_HOLD, t->written);
		break;
	case TRANSITION_PROC_STATUS:
		gti_waits_be_held(waits, true, t->written);
		break;
	case TRANSITION_PROCS:
		if (run->procs_told)
			gti_waits_procs(waits, t->arg, t->written);
		run->procs_told = true;
		break;
	default:
		assert_true(t->kind == TRANSITION_STOP ||
			    t->kind == TRANSITION_STOP_END);
		gti_waits_stop(waits, t->kind == TRANSITION_STOP, t->written);
		break;
	}
}

static inline struct gtrace_kept public_kept(const struct kept_slice *kept)
{
	const struct slice *slice = kept->slice;
	bool runs = slice->still_running;

	return (struct gtrace_kept){
		.p = slice->p,
		.g = (int64_t)slice->g,
		.overlap = kept->overlap,
		.length = slice->length,
		.start = slice->start.ticks,
		.ended = runs ? -1 : slice->end.ticks,
		.at.offset = runs ? slice->start.offset : slice->end.offset,
	};
}

static inline struct gtrace_wait public_wait(const struct wait *wait,
					     struct gtrace_kept *kept)
{
	unsigned i;

	for (i = 0; i < wait->kept_count; i++)
		kept[i] = public_kept(&wait->kept[i]);
	return (struct gtrace_wait){
		.length = wait->length,
		.busy = wait->busy,
		.idle = wait->idle,
		.stopped = wait->stopped,
		.g = (int64_t)wait->g,
		.start = wait->start,
		.before = wait->before,
		.over = wait->over,
		.whole = wait->over && !wait->before,
		.ran = wait->over ? wait->ran_ticks : -1,
		.ran_p = wait->over ? wait->ran_p : -1,
		.ready.name = type_name(wait->ready.type),
		.kept = kept,
		.kept_count = wait->kept_count,
		.kept_more = wait->kept_more,
		.kept_more_overlap = wait->kept_more_overlap,
		.kept_none = wait->kept_none,
	};
}

static inline void make_public(const struct wait_results *from,
			       struct waits_found *to)
{
	size_t i;

	*to = (struct waits_found){.waits = from->sums};
	to->wait_items = zeroed(from->wait_count, sizeof(*to->wait_items));
	to->wait_list = zeroed(from->wait_count, sizeof(*to->wait_list));
	to->kept = zeroed(from->wait_count * WAIT_KEPT_MAX, sizeof(*to->kept));
	to->slice_items = zeroed(from->slice_count, sizeof(*to->slice_items));
	to->slice_list = zeroed(from->slice_count, sizeof(*to->slice_list));
	to->rows = zeroed(from->row_count, sizeof(*to->rows));
	for (i = 0; i < from->wait_count; i++) {
		to->wait_items[i] = public_wait(&from->waits[i],
						&to->kept[i * WAIT_KEPT_MAX]);
		to->wait_list[i] = &to->wait_items[i];
	}
	for (i = 0; i < from->row_count; i++) {
		to->rows[i] = from->rows[i];
		to->rows[i].event = type_name(from->types[i]);
	}
	for (i = 0; i < from->slice_count; i++) {
		const struct slice *slice = &from->slices[i];

		to->slice_items[i] = (struct gtrace_slice){
			.p = slice->p,
			.g = (int64_t)slice->g,
			.start.ts = slice->start.ticks,
			.still_running = slice->still_running,
			.delay = slice->delay,
		};
		to->slice_list[i] = &to->slice_items[i];
	}
	to->waits.waits = to->wait_list;
	to->waits.count = from->wait_count;
	to->waits.rows = to->rows;
	to->waits.row_count = from->row_count;
	to->delays = (struct gtrace_delay_report){
		.waited = from->waited,
		.behind = from->behind,
		.slices = to->slice_list,
		.count = from->slice_count,
	};
}

static inline void free_waits(struct waits_found *found)
{
	free(found->wait_items);
	free(found->wait_list);
	free(found->kept);
	free(found->slice_items);
	free(found->slice_list);
	free(found->rows);
}

static inline void finish_waits(struct waits_run *run, int64_t end,
				struct waits_found *found)
{
	struct wait_results results;
	uint32_t i;

	gti_waits_finish(&run->waits, end);
	for (i = 0; i < run->processor_count; i++)
		if (run->processors[i].slice.start.ordinal != 0)
			gti_observe_still_running(&run->observer,
						  &run->processors[i].slice,
						  &run->processors[i], end);
	assert_true(gti_waits_results(&run->waits, &results));
	make_public(&results, found);
}

/*
 * Finds the WANTED longest waits and as many slices by delay. SCRIPT begins at
 * its first transition, TRANSITION_PROCS; then come the processors that are
 * held, as TRANSITION_PROC_STATUS. A goroutine that was ready before it is told
 * of by its first status.
 */
static inline void find_waits(const struct script *script, size_t wanted,
			      struct waits_found *found)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct waits_run *run = zeroed(1, sizeof(*run));
	struct before_trace before = find_before(run, script);
	size_t i;

	run->waiters = zeroed(run->goroutine_count, sizeof(*run->waiters));
	run->processors =
		zeroed(run->processor_count, sizeof(*run->processors));
	gti_slices_init(&run->slices, 1, 1, 1, &memory);
	gti_waits_init(&run->waits, wanted, wanted, &run->observer.clock,
		       &memory);
	run->observer.known_until = INT64_MAX;
	run->observer.waits = &run->waits;
	run->observer.owner = owner_of_run;
	gti_waits_start(&run->waits, false);
	gti_waits_assume(&run->waits, &before);
	gti_waits_origin(&run->waits, script->items[0].written);
	for (i = 0; i < script->count; i++)
		take_for_waits(run, &script->items[i], i);
	assert_int_equal(run->waits.found.ready, before.ready);
	finish_waits(run, script->end, found);
	gti_waits_free(&run->waits);
	gti_slices_free(&run->slices);
	free(run->waiters);
	free(run->processors);
	free(run);
}

/* --------------------------------------------------------------- profile -- */

/* Slices by name and goroutine, PROFILE_ANY_G: any. */
struct profile_row {
	uint64_t g, name, count, time;
	int64_t max;
	uint64_t max_g; /* of the longest one, unless rows are by goroutine */
};

struct profile_goroutine {
	int64_t start;
	unsigned worker; /* enum gtrace_work of its label; 0: it has none */
	uint32_t near;
};

struct profile_run {
	struct profile profile;
	struct profile_goroutine *goroutines; /* by slot */
	size_t goroutine_count;
};

/*
 * Slots of goroutines are below GOROUTINE_COUNT. NAME says how stacks are
 * named, see struct profile_names. ROW_MAX, not 0: no more rows by goroutine.
 * Returns whether there was memory; to be closed anyway.
 */
static inline bool open_profile(struct profile_run *run, bool by_goroutine,
				const struct profile_names *names,
				size_t goroutine_count, size_t row_max,
				const struct gtrace_allocator *memory)
{
	bool good = gti_profile_init(&run->profile, by_goroutine, names, NULL,
				     memory);

	if (row_max != 0)
		run->profile.entry_max = row_max;
	run->goroutine_count = goroutine_count;
	run->goroutines = zeroed(goroutine_count, sizeof(*run->goroutines));
	return good;
}

static inline void close_profile(struct profile_run *run)
{
	gti_profile_free(&run->profile);
	free(run->goroutines);
}

static inline void add_to_profile(struct profile *profile,
				  struct profile_goroutine *goroutine,
				  const struct transition *t)
{
	struct profile_slice slice = {.g = t->g,
				      .length = t->written - goroutine->start};
	struct profile_entry *entry;

	if (goroutine->worker == 0 &&
	    profile_add_known(profile, t->g, t->stack, slice.length,
			      &goroutine->near))
		return;
	entry = gti_profile_find(profile, goroutine->worker, t->stack, t->g,
				 &goroutine->near);
	if (entry != NULL)
		gti_profile_add(profile, &slice, entry);
}

static inline void take_for_profile(struct profile_run *run,
				    const struct transition *t)
{
	struct profile_goroutine *goroutine = &run->goroutines[t->g];

	assert_true(t->g < run->goroutine_count);
	switch (t->kind) {
	case TRANSITION_START:
		goroutine->start = t->written;
		goroutine->worker = 0;
		break;
	case TRANSITION_LABEL: /* `arg` is an enum gtrace_work */
		goroutine->worker = (unsigned)t->arg;
		break;
	default:
		assert_int_equal(t->kind, TRANSITION_BLOCK);
		add_to_profile(&run->profile, goroutine, t);
		break;
	}
}

/* Handles become those of other stacks. */
static inline void end_profile_generation(struct profile_run *run)
{
	gti_profile_forget_stacks(&run->profile);
}

static inline void restart_profile(struct profile_run *run)
{
	gti_profile_restart(&run->profile);
}

static inline bool profile_failed(const struct profile_run *run)
{
	return run->profile.failed;
}

/* Whether a slice had a length below 0. */
static inline bool profile_has_negative(const struct profile_run *run)
{
	return run->profile.negative;
}

/* The count, the sum and the greatest of all lengths. */
static inline struct gtrace_distribution
profile_distribution(struct profile_run *run)
{
	gti_profile_sum(&run->profile);
	return (struct gtrace_distribution){
		.count = run->profile.lengths.count,
		.sum = (int64_t)run->profile.lengths.sum,
		.max = run->profile.lengths.max,
	};
}

/*
 * GOROUTINE takes the place of one whose last slice was that of OTHER, or which
 * had none if that is SIZE_MAX.
 */
static inline void reuse_profile_slot(struct profile_run *run, size_t goroutine,
				      size_t other)
{
	run->goroutines[goroutine].near =
		other == SIZE_MAX ? 0 : run->goroutines[other].near;
}

static inline size_t profile_rows(const struct profile_run *run)
{
	return profile_count(&run->profile);
}

static inline struct profile_row profile_row_at(const struct profile_run *run,
						size_t at)
{
	const struct profile_entry *entry = profile_at(&run->profile, at);

	assert_true(at < profile_rows(run));
	return (struct profile_row){
		.g = entry->g,
		.name = entry->name,
		.count = entry->count,
		.time = entry->time,
		.max = entry->max,
		.max_g = entry->max_g,
	};
}

#endif /* GTRACE_TESTS_ANALYSIS_ADAPTER_H_ */
