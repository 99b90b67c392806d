/* SPDX-License-Identifier: BSD-3-Clause */
/* causes.c - for what goroutines could not go on: names, and public structs. */
#include "causes.h"

#include <string.h>

#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"

/* Places at rest that are told. */
#define AT_REST 3

/* Whether FUNCTION of the filter is one of the COUNT at FRAMES. */
static bool has_function(struct filter *filter,
			 const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (gti_filter_fits(filter, frames[i].function))
			return true;
	return false;
}

/* See struct causes. What is blocked is on no processor: it passes no `p`. */
static bool covers(void *context, uint64_t g, uint32_t root, uint32_t stack,
		   int64_t start, int64_t length)
{
	struct run *aside = context, *run = aside->causes->run;
	const struct gtrace_filter *asked = &run->filter.asked;
	const struct gtrace_frame *frames = NULL;
	struct gtrace_frame first = gti_no_frame;
	size_t count = 0;

	if (asked->p_count != 0 || length < asked->min ||
	    !filter_chooses(asked, start, add_ns(start, length)) ||
	    !filter_lists(asked->g, asked->g_count, (int64_t)g) ||
	    !gti_filter_is_long(&run->filter, g, start, add_ns(start, length)))
		return false;
	if (asked->function == NULL)
		return true;
	if (root != 0)
		first.function = texts_at(&aside->names.words, root - 1);
	if (stack != NO_STACK)
		frames = names_frames(&aside->names, stack, &count);
	return has_function(&run->filter, frames, count) ||
	       (root != 0 && has_function(&run->filter, &first, 1));
}

/* Returns false if there is no memory. */
static bool begin_aside(struct run *run, struct cause_work *work)
{
	struct run *aside = &work->aside;

	work->run = run;
	aside->trace = run->trace;
	aside->memory = run->memory;
	aside->wanted = run->wanted;
	aside->causes = work;
	aside->own_arena.memory = run->memory;
	aside->arena = &aside->own_arena;
	gti_names_init(&aside->names, run->memory);
	return gti_begin_frames(aside);
}

bool gti_want_causes(struct run *run)
{
	struct cause_work *work =
		gti_allocate_zeroed(run->memory, 1, sizeof(*work));
	struct consumer consumer;

	run->causes = work;
	if (work == NULL || !begin_aside(run, work))
		return false;
	gti_causes_init(&work->causes, gti_describe_site, &work->aside,
			run->memory);
	work->causes.chain.root = gti_cause_root;
	work->causes.look = gti_look_at_cause;
	work->causes.root = gti_judge_root;
	work->causes.clocks = &run->observer.clocks;
	work->causes.wants_holds = run->wanted->holds;
	work->causes.only_holds = run->wanted->holds && !run->wanted->causes;
	if (run->observer.filter != NULL)
		work->causes.covers = covers;
	consumer = gti_causes_consumer(&work->causes);
	if (!gti_consume(run, &consumer))
		return false;
	work->aside.feed = run->feed;
	return true;
}

void gti_forget_cause_stacks(struct run *run)
{
	if (run->causes == NULL)
		return;
	gti_names_forget(&run->causes->aside.names);
	gti_forget_frames(&run->causes->aside);
}

static void end_aside(struct run *aside)
{
	gti_forget_frames(aside);
	gti_end_frames(aside);
	gti_names_free(&aside->names);
}

void gti_end_causes(struct run *run)
{
	struct cause_work *work = run->causes;

	if (work == NULL)
		return;
	end_aside(&work->aside);
	gti_free_holders(run);
	gti_judged_free(&work->judged);
	gti_causes_free(&work->causes);
	gti_release(run->memory, work, sizeof(*work));
	run->causes = NULL;
}

/* ------------------------------------------------------------------ made -- */

/* The frame that STACK is called by, and its innermost function. */
static void name_stack(struct run *run, uint32_t stack,
		       struct gtrace_frame *frame, struct gtrace_string *inner)
{
	const struct gtrace_frame *frames;
	struct naming naming;
	size_t count = 0;

	*frame = gti_no_frame;
	*inner = gti_no_frame.function;
	if (stack == NO_STACK)
		return;
	frames = names_frames(&run->causes->aside.names, stack, &count);
	naming = gti_name_stack(frames, count);
	if (naming.frame != NULL)
		*inner = naming.frame->function;
	*frame = *naming_own(&naming);
	gti_own_text(run, &frame->function);
	gti_own_text(run, &frame->file);
	gti_own_text(run, inner);
}

static int by_sum(const void *a, const void *b)
{
	const struct judged_loss *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->victim > y->victim) - (x->victim < y->victim);
}

/* The losses of FUNCTION begin at *I of those of JUDGED, which are in order. */
static void make_victims(struct run *run, const struct judged *judged,
			 size_t *i, uint32_t function, struct cause_made *to)
{
	const struct judged_loss *losses = judged->losses.items;

	for (; *i < judged->losses.count && losses[*i].function <= function;
	     ++*i) {
		const struct judged_loss *loss = &losses[*i];
		struct gtrace_victim *victim = &to->victims[to->victim_count];

		if (loss->function != function ||
		    to->victim_count == VICTIMS_MAX)
			continue;
		victim->kind = (enum gtrace_block_kind)judged_victim(
				       judged, loss->victim)
				       .kind;
		name_stack(run, loss->stack, &victim->frame, &victim->inner);
		victim->sum = loss->sum;
		victim->count = loss->count;
		to->victim_count++;
	}
}

static void make_function(struct run *run, const struct judged_function *from,
			  struct cause_made *to)
{
	struct gtrace_frame frame;
	struct gtrace_string inner;
	size_t i;

	name_stack(run, from->stack, &to->frame, &inner);
	for (i = 0; i < GTRACE_HOLDS; i++) {
		to->parts[i] = from->parts[i].sum;
		to->inner[i] = gti_no_frame.function;
		if (from->parts[i].sum != 0)
			name_stack(run, from->parts[i].stack, &frame,
				   &to->inner[i]);
	}
	to->itself = from->itself;
	to->others = from->others;
	to->count = from->count;
	to->worst = from->worst;
	to->worst_start = from->worst_start;
	to->worst_g = (int64_t)from->worst_g;
}

static void make_functions(struct run *run, const struct judged *judged,
			   struct causes_made *to)
{
	const struct judged_function *from = judged->functions.items;
	struct cause_made *made;
	size_t count = judged->functions.count, i, loss = 0;

	made = gti_make_array(run, count, sizeof(*made));
	for (i = 0; made != NULL && i < count; i++) {
		make_function(run, &from[i], &made[i]);
		make_victims(run, judged, &loss, (uint32_t)i, &made[i]);
	}
	to->functions = made;
	to->function_count = made != NULL ? count : 0;
}

/* The losses of no function are the last ones. */
static void make_at_rest(struct run *run, const struct judged *judged,
			 struct causes_made *to)
{
	const struct judged_loss *losses = judged->losses.items;
	struct gtrace_resting *made =
		gti_make_array(run, AT_REST, sizeof(*made));
	size_t i, count = 0;

	for (i = 0; made != NULL && i < judged->losses.count && count < AT_REST;
	     i++) {
		if (losses[i].function != NO_STACK)
			continue;
		made[count].kind = (enum gtrace_block_kind)judged_victim(
					   judged, losses[i].victim)
					   .kind;
		name_stack(run, losses[i].stack, &made[count].frame,
			   &made[count].inner);
		made[count].sum = losses[i].sum;
		made[count++].count = losses[i].count;
	}
	to->at_rest = made;
	to->at_rest_count = count;
}

static void make_leaks(struct run *run, const struct judged *judged,
		       struct causes_made *to)
{
	const struct judged_leak *from = judged->leaks.items;
	size_t count = judged->leaks.count, i;
	struct leak_made *made = gti_make_array(run, count, sizeof(*made));

	for (i = 0; made != NULL && i < count; i++) {
		const struct cause_spot *spot =
			causes_spot(judged->causes, from[i].spot);

		made[i].place.kind = (enum gtrace_block_kind)spot->kind;
		name_stack(run, spot->stack, &made[i].place.frame,
			   &made[i].place.inner);
		made[i].place.sum = from[i].sum;
		made[i].place.count = from[i].count;
		made[i].blocked = (struct cause_sum){
			.sum = from[i].sum,
			.count = from[i].count,
			.worst_start = -1,
			.worst_g = -1,
		};
	}
	to->leaks = made;
	to->leak_count = made != NULL ? count : 0;
}

/* Of so many woken goroutines, most of which had nothing to do. */
#define BROADCAST_LEAST 100

static void make_broadcast(struct run *run, const struct causes *causes,
			   const struct cause_broadcast *from,
			   struct broadcast_made *to)
{
	const struct cause_spot *spot = causes_spot(causes, from->spot);

	name_stack(run, from->by, &to->frame, &to->inner);
	to->woken = from->woken;
	to->idle.kind = (enum gtrace_block_kind)spot->kind;
	name_stack(run, spot->stack, &to->idle.frame, &to->idle.inner);
	to->idle.sum = from->lost.sum;
	to->idle.count = from->lost.count;
	to->lost = (struct cause_sum){
		.sum = from->lost.sum,
		.count = from->lost.count,
		.worst = from->lost.worst,
		.worst_start = from->lost.worst_start,
		.worst_g = (int64_t)from->lost.worst_g,
	};
}

static void make_broadcasts(struct run *run, struct causes *causes,
			    struct causes_made *to)
{
	const struct cause_broadcast *from = causes->broadcasts.items;
	size_t count = causes->broadcasts.count, made_count = 0, i;
	struct broadcast_made *made = gti_make_array(run, count, sizeof(*made));

	for (i = 0; made != NULL && i < count; i++)
		if (from[i].woken >= BROADCAST_LEAST &&
		    from[i].lost.count > from[i].woken / 2 &&
		    causes_look(causes, from[i].by).yours)
			make_broadcast(run, causes, &from[i],
				       &made[made_count++]);
	to->broadcasts = made;
	to->broadcast_count = made_count;
}

/*
 * Sets what waits for a processor cost, in the parts that WAITS has of all of
 * them: while all processors were busy, those that are long enough to count.
 */
static void make_load(const struct cause_work *work,
		      const struct gtrace_wait_report *waits,
		      struct causes_made *to)
{
	double above = (double)work->judged.load;
	double ready = (double)work->causes.ready;
	double all_ready = (double)work->causes.ready_all;

	const struct gtrace_wait_row *all = &waits->all;
	double busy = (double)all->busy, idle = (double)all->idle;
	double sum = busy + idle + (double)all->stopped;

	to->load = (struct cause_sum){
		.count = all->count, .worst_start = -1, .worst_g = -1};
	to->handover = to->load;
	to->short_part = ready < all_ready ? 1 - ready / all_ready : 0;
	to->ready_worst = work->causes.ready_worst;
	to->ready_start = work->causes.ready_start;
	if (sum <= 0)
		return;
	to->load.sum = (int64_t)((ready + above) * (busy / sum));
	to->handover.sum = (int64_t)((all_ready + above) * (idle / sum));
}

void gti_make_causes(struct run *run, int64_t length, int64_t idle,
		     const struct gtrace_wait_report *waits,
		     struct causes_made *to)
{
	struct cause_work *work = run->causes;
	struct judged *judged = &work->judged;
	size_t i;

	gti_judge(judged, &work->causes, length, idle);
	run->failed |= judged->failed;
	if (run->failed)
		return;
	if (judged->losses.count > 1)
		gti_sort(judged->losses.items, judged->losses.count,
			 sizeof(struct judged_loss), by_sum);
	make_functions(run, judged, to);
	make_at_rest(run, judged, to);
	make_leaks(run, judged, to);
	make_broadcasts(run, &work->causes, to);
	make_load(work, waits, to);
	to->collector = judged->collector;
	to->counted = add_ns(add_ns(judged->unassigned, judged->helping),
			     add_ns(judged->collector,
				    add_ns(to->load.sum, to->handover.sum)));
	for (i = 0; i < to->function_count; i++)
		to->counted =
			add_ns(to->counted, add_ns(to->functions[i].itself,
						   to->functions[i].others));
	for (i = 0; i < to->leak_count; i++)
		to->counted = add_ns(to->counted, to->leaks[i].blocked.sum);
	to->every = work->causes.every;
}
