/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.c - finds critical paths, in a pass over the stream. */
#include "paths.h"

#include <string.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "base/times.h"

/* So many sums, and one for each transition, see add_flames(). */
#define FLAMES_FREE ((uint64_t)1 << 16)

/* So many transitions are kept, unless the request says how many. */
#define KEPT ((size_t)1 << 22)

bool gti_paths_are_of_times(const struct gtrace_request *request)
{
	return request->filter != NULL && request->filter->g_count != 0;
}

/* ---------------------------------------------------------------- wishes -- */

/* Asks for the path of G in a time. Returns false if there is no memory. */
static bool ask(struct path_work *work, uint64_t g, int64_t from, int64_t to,
		struct asked_path asked)
{
	const struct gtrace_allocator *memory = work->run->memory;
	const struct path_wish wish = {
		.g = g,
		.from = from,
		.to = to,
		.number = (uint32_t)work->asked.count,
		.node = asked.kind,
		.optional = asked.rank == UINT32_MAX,
	};

	return work->asked.count < UINT32_MAX &&
	       array_add(&work->asked, &asked, sizeof(asked), memory) != NULL &&
	       array_add(&work->wishes, &wish, sizeof(wish), memory) != NULL;
}

/* Asks for the times that the filter has. */
static bool ask_times(struct path_work *work)
{
	const struct gtrace_filter *filter = work->run->wanted->request.filter;
	const struct path_kind kind = {.name = 0};
	size_t i;

	if (array_add(&work->kinds, &kind, sizeof(kind), work->run->memory) ==
	    NULL)
		return false;
	for (i = 0; i < filter->g_count; i++)
		if (!ask(work, (uint64_t)filter->g[i],
			 filter->from != 0 || filter->to != 0 ? filter->from
							      : INT64_MIN,
			 filter->to != 0     ? filter->to
			 : filter->from != 0 ? INT64_MAX - 1
					     : INT64_MAX,
			 (struct asked_path){.rank = (uint32_t)i,
					     .class = SLOW_CLASSES}))
			return false;
	return true;
}

/* Where typical requests begin among COUNT, of which GROUP are slow. */
static size_t typical_from(size_t count, size_t group)
{
	return (count - group) / 2;
}

/* Of which class is span I of COUNT, in the order of lengths. */
static enum slow_class class_of(size_t i, size_t count, size_t group)
{
	size_t from = typical_from(count, group);

	if (i >= count - group)
		return SLOW_SLOW;
	return i >= from && i < from + group ? SLOW_TYPICAL : SLOW_CLASSES;
}

/* How request I of COUNT, in the order of lengths, is wanted. */
static struct asked_path asked_of(const struct path_work *work, size_t i,
				  size_t count, size_t group)
{
	struct asked_path asked = {
		.kind = (uint32_t)work->kinds.count,
		.rank = UINT32_MAX,
		.class = SLOW_CLASSES,
	};

	if (work->has_flames)
		return asked;
	asked.class = class_of(i, count, group);
	if (count - i <= work->run->wanted->request.paths)
		asked.rank = (uint32_t)(count - 1 - i);
	return asked;
}

/* Asks for the path of SPAN, if it is ASKED. False: there is no memory. */
static bool ask_span(struct path_work *work, const struct request_span *span,
		     struct asked_path asked)
{
	return (!work->has_flames && asked.class == SLOW_CLASSES &&
		asked.rank == UINT32_MAX) ||
	       ask(work, span->g, span->begun,
		   add_ns(span->begun, span->length), asked);
}

/*
 * Asks for the paths of those of GROUP that are not over, AFTER the others. As
 * none of them is slow or typical, they are in no class.
 */
static bool ask_open(struct path_work *work, struct request_group *group,
		     size_t after)
{
	const struct request_span *spans = group->open.items;
	size_t count = group->open.count, i;
	bool good = true;

	gti_slow_order(group->open.items, count);
	for (i = 0; i < count && good; i++) {
		struct asked_path asked = asked_of(work, i, count, 0);

		asked.unfinished = true;
		if (asked.rank != UINT32_MAX)
			asked.rank += (uint32_t)after;
		good = ask_span(work, &spans[i], asked);
	}
	return good;
}

/* Asks for the paths of the kind of requests with the number FROM. */
static bool ask_kind(struct path_work *work, size_t from)
{
	struct request_group *group =
		(struct request_group *)
			work->run->blocks.requests.groups.items +
		from;
	const struct request_span *spans = group->spans.items;
	size_t count = group->count != 0 ? group->spans.count : 0, i;
	struct path_kind kind = {
		.name = gti_requests_name(work->run, group),
		.requests = count,
		.unfinished = group->open.count,
		.group = slow_group(count),
	};

	if (!gti_slow_sort(group->spans.items, count, work->run->memory))
		return false;
	for (i = 0; i < count; i++) {
		struct asked_path asked =
			asked_of(work, i, count, (size_t)kind.group);

		if (asked.class != SLOW_CLASSES)
			kind.sums[asked.class] += spans[i].length;
		if (!ask_span(work, &spans[i], asked))
			return false;
	}
	return ask_open(work, group, count) &&
	       array_add(&work->kinds, &kind, sizeof(kind),
			 work->run->memory) != NULL;
}

/* A kind of requests, to put them in order: those with none that is over last.
 */
struct ranked {
	int64_t sum;
	size_t from;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Sets RANKED to the kinds that have requests. Returns how many. */
static size_t rank_kinds(const struct requests *requests, struct ranked *ranked)
{
	const struct request_group *groups = requests->groups.items;
	size_t count = 0, i;

	for (i = 0; i < requests->groups.count; i++) {
		struct gtrace_times times;

		if (groups[i].count == 0 && groups[i].open.count == 0)
			continue;
		gti_lives_sum(groups[i].times, groups[i].count, &times);
		ranked[count++] = (struct ranked){
			groups[i].count != 0 ? times.lived : -1, i};
	}
	if (count > 1)
		gti_sort(ranked, count, sizeof(*ranked), compare_ranked);
	return count;
}

/* Asks for the kinds of requests with the greatest sums. */
static bool ask_requests(struct path_work *work)
{
	const struct gtrace_allocator *memory = work->run->memory;
	const struct requests *requests = &work->run->blocks.requests;
	size_t most = requests->groups.count, count, i;
	struct ranked *ranked =
		gti_allocate_zeroed(memory, most + 1, sizeof(*ranked));
	bool good = ranked != NULL;

	count = good ? rank_kinds(requests, ranked) : 0;
	if (!work->has_flames && count > work->run->wanted->request.paths)
		count = work->run->wanted->request.paths;
	for (i = 0; i < count && good; i++)
		good = ask_kind(work, ranked[i].from);
	gti_release(memory, ranked, (most + 1) * sizeof(*ranked));
	return good;
}

/* ----------------------------------------------------------------- paths -- */

static bool is_same_cause(const struct chain_cause *a,
			  const struct chain_cause *b)
{
	return a->g == b->g && a->kind == b->kind && a->stack == b->stack &&
	       a->ended == b->ended;
}

/* Whether all that is shown of A and B is the same, but their times. */
static bool is_same(const struct chain_piece *a, const struct chain_piece *b)
{
	return a->g == b->g && a->level == b->level && a->state == b->state &&
	       a->kind == b->kind && a->by == b->by && a->stack == b->stack &&
	       a->ended == b->ended && is_same_cause(&a->cause, &b->cause);
}

/* Keeps the path of WISH, of COUNT pieces from the last one on. */
static void keep(struct path_work *work, const struct asked_path *asked,
		 const struct path_wish *wish, const struct chain_piece *pieces,
		 size_t count)
{
	const struct gtrace_allocator *memory = work->run->memory;
	struct array *segments = &work->segments;
	struct kept_path path = {
		.kind = asked->kind,
		.rank = asked->rank,
		.unfinished = asked->unfinished,
		.g = wish->g,
		.from = wish->from,
		.to = wish->to,
		.dropped = wish->dropped,
		.first = segments->count,
	};
	struct chain_piece *last = NULL;

	while (count-- > 0) {
		if (last != NULL && is_same(last, &pieces[count])) {
			last->length += pieces[count].length;
			continue;
		}
		last = array_add(segments, &pieces[count], sizeof(*last),
				 memory);
		work->run->failed |= last == NULL;
		if (last == NULL)
			return;
	}
	path.count = segments->count - path.first;
	work->run->failed |=
		array_add(&work->kept, &path, sizeof(path), memory) == NULL;
}

/*
 * Adds the COUNT PIECES of a path. There are no more sums than transitions, and
 * some: paths after that are left out.
 */
static void add_flames(struct path_work *work, const struct chain_piece *pieces,
		       size_t count)
{
	size_t i = count;

	if (work->flames.flames.count > work->paths.taken + FLAMES_FREE) {
		work->paths.left_out = true;
		return;
	}
	while (i-- > 0)
		gti_flames_add(&work->flames, &pieces[i],
			       i + 1 == count ||
				       !is_same(&pieces[i + 1], &pieces[i]));
}

/* See struct paths, each. */
static void take_path(void *context, const struct path_wish *wish,
		      const struct chain_piece *pieces, size_t count)
{
	struct path_work *work = context;
	const struct asked_path *asked =
		(const struct asked_path *)work->asked.items + wish->number;

	if (work->has_flames)
		add_flames(work, pieces, count);
	if (asked->class != SLOW_CLASSES)
		gti_slow_add(&work->slow, asked->kind, asked->class,
			     wish->number, pieces, count);
	if (!work->has_flames && asked->rank != UINT32_MAX)
		keep(work, asked, wish, pieces, count);
}

/* Kinds are the first nodes: each has the number of its own. */
static void put_kinds(struct path_work *work)
{
	size_t i;

	for (i = 0; i < work->kinds.count && work->has_flames; i++)
		gti_flames_kind(&work->flames, (uint32_t)i);
}

static void forget(void *context)
{
	struct path_work *work = context;

	gti_flames_restart(&work->flames);
	put_kinds(work);
	gti_slow_restart(&work->slow);
	work->kept.count = 0;
	work->segments.count = 0;
}

/* The number of the program's function in STACK, see struct slow. */
static uint32_t function_of(void *context, uint32_t stack)
{
	static const uint32_t unknown = 0;
	struct path_work *work = context;
	struct run *run = work->run;
	struct array *known = &work->functions;
	const struct gtrace_frame *frames;
	struct gtrace_string function;
	struct naming naming;
	size_t count;
	uint32_t *number;

	if (!run->failed)
		run->failed = !array_fill(known, (size_t)stack + 1, &unknown,
					  sizeof(unknown), run->memory);
	if (run->failed)
		return NO_TEXT;
	number = (uint32_t *)known->items + stack;
	if (*number == 0) {
		frames = names_frames(&run->names, stack, &count);
		naming = gti_name_stack(frames, count);
		function = naming_own(&naming)->function;
		*number = 1 + gti_texts_put(&run->names.words, function.data,
					    function.size);
	}
	run->failed |= *number == 0;
	return *number - 1;
}

/* ------------------------------------------------------------------ pass -- */

/* The format forgets its stacks. */
static bool settle(void *context)
{
	struct run *run = context;

	gti_names_forget(&run->names);
	gti_forget_frames(run);
	return true;
}

/* What earlier passes have named is still needed. */
static void restart(void *context)
{
	settle(context);
}

static const struct settling settling = {settle, restart};

/* Prepares for the pass. Returns false if there is no memory. */
static bool begin(struct run *run, struct observer *observer)
{
	struct path_work *work =
		gti_allocate_zeroed(run->memory, 1, sizeof(*work));
	struct consumer consumer;

	run->found[LIST_PATHS] = work;
	if (work == NULL)
		return false;
	work->run = run;
	gti_slow_init(&work->slow, function_of, work, run->memory);
	gti_flames_init(&work->flames, run->memory);
	work->has_flames = run->wanted->flames;
	gti_feed_init(&work->feed, &observer->clock, run->memory);
	work->is_of_times = gti_paths_are_of_times(&run->wanted->request);
	if (!(work->is_of_times ? ask_times(work) : ask_requests(work)) ||
	    !gti_paths_init(&work->paths, &work->wishes, gti_describe_site, run,
			    run->memory))
		return false;
	put_kinds(work);
	if (work->has_flames)
		work->paths.chain.join = gti_flames_join;
	work->paths.chain.join_context = &work->flames;
	work->paths.most = run->wanted->request.kept != 0
				   ? run->wanted->request.kept
				   : KEPT;
	work->paths.each = take_path;
	work->paths.forget = forget;
	work->paths.context = work;
	consumer = gti_paths_consumer(&work->paths);
	gti_feed_add(&work->feed, &consumer);
	observer->feed = &work->feed;
	observer->settling = &settling;
	observer->settle_context = run;
	return true;
}

enum gtrace_status gti_follow_paths(struct run *run, struct gtrace_error *error)
{
	struct observer observer = {.memory = run->memory};
	struct pass pass = {.observer = &observer};
	enum gtrace_status status;

	gti_forget_frames(run);
	if (!begin(run, &observer))
		return gti_fail_memory(error);
	if (run_paths(run)->asked.count == 0)
		return GTRACE_OK;
	status = run->trace->format->follow(run->trace->self, &pass, error);
	run->observer.clock = observer.clock;
	if (status == GTRACE_OK &&
	    (run->failed || run_paths(run)->feed.failed ||
	     run_paths(run)->slow.failed || run_paths(run)->flames.failed))
		status = gti_fail_memory(error);
	if (status == GTRACE_OK && run->trace->format->prepare != NULL)
		status = run->trace->format->prepare(run->trace->self, error);
	gti_observer_free(&observer);
	return status;
}

void gti_end_paths(struct run *run)
{
	const struct gtrace_allocator *memory = run->memory;
	struct path_work *work = run_paths(run);

	if (work == NULL)
		return;
	gti_paths_free(&work->paths);
	gti_slow_free(&work->slow);
	gti_flames_free(&work->flames);
	gti_feed_free(&work->feed);
	gti_array_free(&work->wishes, sizeof(struct path_wish), memory);
	gti_array_free(&work->asked, sizeof(struct asked_path), memory);
	gti_array_free(&work->kinds, sizeof(struct path_kind), memory);
	gti_array_free(&work->kept, sizeof(struct kept_path), memory);
	gti_array_free(&work->segments, sizeof(struct chain_piece), memory);
	gti_array_free(&work->functions, sizeof(uint32_t), memory);
	gti_release(memory, work, sizeof(*work));
	run->found[LIST_PATHS] = NULL;
}
