/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.c - slices and stop-the-world pauses added up by function. */
#include <string.h>

#include "base/sort.h"
#include "base/strings.h"
#include "machine.h"
#include "run.h"

static int by_name(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = string_compare(x->frame.function, y->frame.function);

	return order != 0 ? order : (int)x->work - (int)y->work;
}

/* By name; where that is equal, the line that comes first is to be shown. */
static int by_line(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;
	int order = by_name(a, b);

	if (order == 0 && x->delay != y->delay)
		order = x->delay > y->delay ? -1 : 1;
	if (order == 0 && x->sum != y->sum)
		order = x->sum > y->sum ? -1 : 1;
	if (order == 0 && x->frame.line != y->frame.line)
		order = x->frame.line < y->frame.line ? -1 : 1;
	return order != 0 ? order
			  : string_compare(x->frame.file, y->frame.file);
}

static int by_sum(const void *a, const void *b)
{
	const struct gtrace_function *x = a, *y = b;

	if (x->sum != y->sum)
		return (uint64_t)x->sum > (uint64_t)y->sum ? -1 : 1;
	return by_name(a, b);
}

/*
 * Adds FROM to TO. Until make_ready(), `ready_p99` is the number of what the
 * profile of RUN has of it.
 */
static void join(struct run *run, struct gtrace_function *to,
		 const struct gtrace_function *from)
{
	uint32_t ready = (uint32_t)to->ready_p99;

	if (string_compare(to->inner, from->inner) != 0)
		to->inner = (struct gtrace_string){"", 0};
	to->sum = time_sum(to->sum, (uint64_t)from->sum);
	if (from->max > to->max || to->count == 0) {
		to->max = from->max;
		to->max_start = from->max_start;
		to->max_g = from->max_g;
	}
	to->count += from->count;
	to->delay = time_sum(to->delay, (uint64_t)from->delay);
	to->off_cpu = time_sum(to->off_cpu, (uint64_t)from->off_cpu);
	to->delaying += from->delaying;
	to->delaying_sum =
		time_sum(to->delaying_sum, (uint64_t)from->delaying_sum);
	to->blocked = time_sum(to->blocked, (uint64_t)from->blocked);
	if (!gti_rough_join(&run->profile.ready, &ready,
			    (uint32_t)from->ready_p99, run->memory))
		run->failed = true;
	to->ready_p99 = ready;
}

/* Joins those of the COUNT FUNCTIONS that have one name. Returns how many. */
static size_t join_all(struct run *run, struct gtrace_function *functions,
		       size_t count)
{
	size_t kept = 0, i;

	if (count > 1)
		gti_sort(functions, count, sizeof(*functions), by_line);
	for (i = 0; i < count; i++)
		if (kept != 0 &&
		    by_name(&functions[kept - 1], &functions[i]) == 0)
			join(run, &functions[kept - 1], &functions[i]);
		else
			functions[kept++] = functions[i];
	if (kept > 1)
		gti_sort(functions, kept, sizeof(*functions), by_sum);
	return kept;
}

/* Adds FROM to the sums of the tracer. */
static void add_tracer(struct gtrace_summary *to,
		       const struct gtrace_function *from)
{
	to->tracer_count += from->count;
	to->tracer_sum = time_sum(to->tracer_sum, (uint64_t)from->sum);
	if (from->max > to->tracer_max)
		to->tracer_max = from->max;
}

/* Sets what TO is called by NAME of LIST. */
static void make_function(struct run *run, enum named list, size_t name,
			  struct gtrace_function *to)
{
	struct named_site site = gti_names_site(&run->names, list, name);
	size_t count;
	const struct gtrace_frame *frames =
		names_frames(&run->names, site.stack, &count);

	to->work = (enum gtrace_work)site.work;
	to->frame.line = frames[0].line;
	to->frame.function = frames[0].function;
	to->frame.file = frames[0].file;
	to->inner = frames[1].function;
	gti_own_text(run, &to->frame.function);
	gti_own_text(run, &to->frame.file);
	gti_own_text(run, &to->inner);
}

/* Makes one function for each place in REPORT, at TO. Returns the end. */
static struct gtrace_function *
make_blocked(const struct gtrace_block_report *blocks,
	     struct gtrace_function *to)
{
	size_t i;

	for (i = 0; blocks != NULL && i < blocks->place_count; i++) {
		const struct gtrace_block_place *place = blocks->places[i];
		struct naming naming =
			gti_name_stack(place->frames, place->frame_count);

		if (naming.frame != NULL && naming.work != GTRACE_WORK_RUNTIME)
			*to++ = (struct gtrace_function){
				.frame = *naming_own(&naming),
				.inner = naming.frame->function,
				.work = naming.work,
				.blocked = place->sum,
				.max_start = -1,
				.max_g = -1,
			};
	}
	return to;
}

/* Sets how long the COUNT FUNCTIONS waited, of which they have the numbers. */
static void make_ready(const struct profile *sums,
		       struct gtrace_function *functions, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t number = (uint32_t)functions[i].ready_p99;

		functions[i].ready_p99 =
			number != 0 ? gti_rough_within(&sums->ready, number,
						       990)
				    : -1;
	}
}

static void make_functions(struct run *run, struct gtrace_summary *summary)
{
	const struct gtrace_block_report *blocks = summary->blocks;
	size_t count = profile_count(&run->profile), i;
	struct gtrace_function *to = gti_make_array(
		run, count + (blocks != NULL ? blocks->place_count : 0),
		sizeof(*to));
	struct gtrace_function *end = to;

	if (to == NULL)
		return;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(&run->profile, i);

		if (from->count == 0)
			continue;
		*end = (struct gtrace_function){
			.count = from->count,
			.sum = (int64_t)from->time,
			.max = from->max,
			.max_start = run_ns(run, from->max_start),
			.max_g = (int64_t)from->max_g,
			.delay = wide_ns(from->delay),
			.delaying = from->delaying,
			.delaying_sum = (int64_t)from->delaying_time,
			.off_cpu = (int64_t)from->delay_off_cpu,
			.ready_p99 = from->ready,
		};
		make_function(run, NAMED_SLICES, from->name, end);
		if (end->work == GTRACE_WORK_TRACER)
			add_tracer(summary, end);
		end++;
	}
	count = join_all(run, to,
			 (size_t)(make_blocked(blocks, end) - to));
	make_ready(&run->profile, to, count);
	summary->functions = count != 0 ? to : NULL;
	summary->function_count = count;
}

static int compare_delays(const void *a, const void *b)
{
	const struct gtrace_function *const *x = a, *const *y = b;

	if ((*x)->delay != (*y)->delay)
		return (*x)->delay > (*y)->delay ? -1 : 1;
	return by_sum(*x, *y);
}

/* After make_functions(). */
static void make_delaying(struct run *run, struct gtrace_summary *summary)
{
	const struct gtrace_function **to =
		gti_make_array(run, summary->function_count, sizeof(*to));
	size_t count = 0, i;

	for (i = 0; i < summary->function_count && to != NULL; i++)
		if (summary->functions[i].delay != 0)
			to[count++] = &summary->functions[i];
	if (count > 1)
		gti_sort(to, count, sizeof(*to), compare_delays);
	summary->delaying = count != 0 ? to : NULL;
	summary->delaying_count = count;
}

static void make_holders(struct run *run, struct gtrace_summary *summary)
{
	const struct profile *sums = &run->holders.sums;
	size_t count = profile_count(sums), i;
	struct gtrace_function *to = gti_make_array(run, count, sizeof(*to));

	if (to == NULL)
		return;
	for (i = 0; i < count; i++) {
		const struct profile_entry *from = profile_at(sums, i);

		to[i].count = from->count;
		to[i].sum = (int64_t)from->time;
		make_function(run, NAMED_HOLDERS, from->name, &to[i]);
	}
	count = join_all(run, to, count);
	summary->holders = count != 0 ? to : NULL;
	summary->holder_count = count;
}

/* The functions in which something happened for collections, *COUNT of them. */
static struct gtrace_function *make_places(struct run *run, size_t *count)
{
	struct gtrace_function *to;
	size_t i;

	*count = texts_count(&run->names.sites[NAMED_ASSISTS]);
	to = gti_make_array(run, *count, sizeof(*to));
	for (i = 0; to != NULL && i < *count; i++) {
		make_function(run, NAMED_ASSISTS, i, &to[i]);
		to[i].max_start = to[i].max_g = -1;
	}
	return to;
}

/* By the function of the program: what was held longest by mark assists. */
static void make_held(struct run *run, struct gtrace_summary *summary)
{
	const struct array *tallies = &run->collections.tallies;
	const struct assist_tally *tally = tallies->items;
	size_t count, i;
	struct gtrace_function *to = make_places(run, &count);

	if (to == NULL || tallies->count == 0)
		return;
	for (i = 0; i < tallies->count; i++, tally++) {
		struct gtrace_function *of = &to[tally->key.held];

		of->count += tally->count;
		of->sum = time_sum(of->sum, tally->held);
		if (of->work == GTRACE_WORK_PROGRAM)
			summary->assisting =
				time_sum(summary->assisting, tally->ran);
	}
	join_all(run, to, count);
	summary->held = to;
}

const struct gtrace_function *gti_make_swept(struct run *run, size_t *count)
{
	const struct array *tallies = &run->collections.sweeps;
	const struct sweep_tally *tally = tallies->items;
	struct gtrace_function *to = make_places(run, count);
	size_t i;

	if (to == NULL)
		*count = 0;
	for (i = 0; i < tallies->count && to != NULL; i++, tally++) {
		to[i].count = tally->count;
		to[i].sum = (int64_t)tally->sum;
		to[i].max = tally->max;
		to[i].max_start = tally->max_start;
		to[i].max_g = (int64_t)tally->max_g;
	}
	*count = join_all(run, to, *count);
	return to;
}

static void make_sweeping(struct run *run, struct gtrace_summary *summary)
{
	size_t count, i;
	const struct gtrace_function *swept = gti_make_swept(run, &count);

	for (i = 0; i < count; i++) {
		if (swept[i].work != GTRACE_WORK_PROGRAM || swept[i].count == 0)
			continue;
		if (summary->swept == NULL)
			summary->swept = &swept[i];
		summary->sweeping =
			time_sum(summary->sweeping, (uint64_t)swept[i].sum);
	}
}

/* By the function of the program: what forced collections most often. */
static void make_forced(struct run *run, struct gtrace_summary *summary)
{
	const struct collections *collections = &run->collections;
	struct gtrace_function *to;
	size_t count, i;

	to = make_places(run, &count);
	for (i = 0; to != NULL && i < collections->list.count; i++) {
		const struct collection *of = collection_at(collections, i);

		if (!of->exists || strcmp(of->known.reason, "forced") != 0)
			continue;
		summary->forced++;
		to[of->held].count++;
		to[of->held].sum++;
	}
	if (summary->forced == 0)
		return;
	join_all(run, to, count);
	to->sum = 0;
	summary->forcer = to;
}

/* The functions that kept processors without an event. */
static void make_silent(struct run *run, struct gtrace_summary *summary)
{
	struct gtrace_function *to;
	size_t count = gti_make_silent(run, &to);

	if (to != NULL)
		count = join_all(run, to, count);
	summary->silent = count != 0 ? to : NULL;
	summary->silent_count = count;
}

void gti_make_totals(struct run *run, struct gtrace_summary *to)
{
	make_functions(run, to);
	make_delaying(run, to);
	make_holders(run, to);
	make_held(run, to);
	make_sweeping(run, to);
	make_forced(run, to);
	make_silent(run, to);
}
