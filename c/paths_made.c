/* SPDX-License-Identifier: BSD-3-Clause */
/* paths_made.c - makes the report of critical paths. */
#include <string.h>

#include "base/sort.h"
#include "base/strings.h"
#include "base/times.h"
#include "paths.h"

/* The frames of a stack, which all segments that have it share. */
struct made_stack {
	const struct gtrace_frame *frames;
	size_t count;
	bool is_made;
};

/* What rows are made with. */
struct maker {
	struct run *run;
	const struct path_work *work;
	struct made_stack *stacks; /* by number */
};

static void make_stack(const struct maker *maker, uint32_t stack,
		       const struct gtrace_frame **frames, size_t *count)
{
	struct made_stack *made;

	*frames = NULL;
	*count = 0;
	if (stack == NO_STACK)
		return;
	made = &maker->stacks[stack];
	if (!made->is_made)
		gti_make_named_frames(maker->run, stack, &made->frames,
				      &made->count);
	made->is_made = true;
	*frames = made->frames;
	*count = made->count;
}

/* -------------------------------------------------------------- segments -- */

const char *gti_path_state(unsigned state, bool ended)
{
	static const char *const words[CHAIN_STATES] = {
		[CHAIN_UNKNOWN] = "unknown",     [CHAIN_ABSENT] = "not created",
		[CHAIN_READY] = "ready",         [CHAIN_RUNS] = "ran",
		[CHAIN_ASSISTS] = "assisted",    [CHAIN_BLOCKED] = "blocked",
		[CHAIN_IN_CALL] = "system call",
	};

	return state == CHAIN_ABSENT && ended ? "ended" : words[state];
}

static const char *cause_word(uint32_t kind)
{
	return kind == CHAIN_CREATED
		       ? "started by"
		       : gtrace_block_name((enum gtrace_block_kind)kind);
}

static const struct gtrace_cause *make_cause(const struct maker *maker,
					     const struct chain_cause *from)
{
	struct gtrace_cause *to = gti_make_array(maker->run, 1, sizeof(*to));

	if (to == NULL)
		return NULL;
	to->g = (int64_t)from->g;
	to->kind = cause_word(from->kind);
	make_stack(maker, from->stack, &to->frames, &to->frame_count);
	make_stack(maker, from->ended, &to->ended_frames,
		   &to->ended_frame_count);
	return to;
}

static const char *by_word(uint32_t by)
{
	return by == CHAIN_NOT_OVER ? "not over" : gti_by_word((enum by)by);
}

static void make_segment(const struct maker *maker,
			 const struct chain_piece *from,
			 struct gtrace_segment *to)
{
	*to = (struct gtrace_segment){
		.start = from->start,
		.length = from->length,
		.g = (int64_t)from->g,
		.state = gti_path_state(from->state, from->ended),
		.kind = "",
		.by = "",
		.level = from->level,
	};
	make_stack(maker, from->stack, &to->frames, &to->frame_count);
	if (from->state == CHAIN_BLOCKED) {
		to->kind =
			gtrace_block_name((enum gtrace_block_kind)from->kind);
		to->by = by_word(from->by);
	}
	if (from->level != 0)
		to->cause = make_cause(maker, &from->cause);
}

static void make_path(const struct maker *maker, const struct kept_path *from,
		      const struct gtrace_paths *kind, struct gtrace_path *to)
{
	const struct chain_piece *pieces = maker->work->segments.items;
	struct gtrace_segment *segments =
		gti_make_array(maker->run, from->count, sizeof(*segments));
	size_t i;

	*to = (struct gtrace_path){
		.what = kind->what,
		.name = kind->name,
		.start = from->from,
		.length = ns_between(from->from, from->to),
		.g = (int64_t)from->g,
		.unfinished = from->unfinished,
		.dropped = from->dropped,
		.segments = segments,
	};
	if (segments == NULL)
		return;
	to->segment_count = from->count;
	for (i = 0; i < from->count; i++)
		make_segment(maker, &pieces[from->first + i], &segments[i]);
}

/* ------------------------------------------------------------------ rows -- */

/* The function with the number TEXT. */
static struct gtrace_string make_function(const struct maker *maker,
					  uint32_t text)
{
	struct gtrace_string function = {"", 0};

	if (text == NO_TEXT)
		return function;
	function = texts_at(&maker->run->names.words, text);
	gti_own_text(maker->run, &function);
	return function;
}

static void make_row(const struct maker *maker, const struct slow_row *from,
		     struct gtrace_path_row *to)
{
	const struct slow_key *key = &from->key;
	struct gtrace_path_cause *cause;

	*to = (struct gtrace_path_row){
		.state = key->state == CHAIN_BLOCKED
				 ? gtrace_block_name(
					   (enum gtrace_block_kind)key->block)
				 : gti_path_state(key->state, key->block != 0),
		.function = make_function(maker, key->function),
		.slow = (int64_t)from->sum[SLOW_SLOW],
		.slow_in = from->in[SLOW_SLOW],
		.typical = (int64_t)from->sum[SLOW_TYPICAL],
		.typical_in = from->in[SLOW_TYPICAL],
	};
	if (key->cause_kind == SLOW_NO_CAUSE)
		return;
	cause = gti_make_array(maker->run, 1, sizeof(*cause));
	to->cause = cause;
	if (cause != NULL)
		*cause = (struct gtrace_path_cause){
			cause_word(key->cause_kind),
			make_function(maker, key->cause_function),
		};
}

/* An order of bytes. */
static int compare_texts(struct gtrace_string a, struct gtrace_string b)
{
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size != 0 ? memcmp(a.data, b.data, size) : 0;

	return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* The request itself comes first. */
static int compare_causes(const struct gtrace_path_cause *a,
			  const struct gtrace_path_cause *b)
{
	int order;

	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	order = compare_texts(string_of(a->kind), string_of(b->kind));
	return order != 0 ? order : compare_texts(a->function, b->function);
}

/* The greatest difference first. */
static int compare_rows(const void *a, const void *b)
{
	const struct gtrace_path_row *x = a, *y = b;
	int64_t more_x = x->slow - x->typical, more_y = y->slow - y->typical;
	int order = compare_texts(string_of(x->state), string_of(y->state));

	if (more_x != more_y)
		return more_x > more_y ? -1 : 1;
	if (order == 0)
		order = compare_texts(x->function, y->function);
	return order != 0 ? order : compare_causes(x->cause, y->cause);
}

static void make_rows(const struct maker *maker, size_t number,
		      struct gtrace_paths *to)
{
	const struct slow_row *from = maker->work->slow.rows.items;
	size_t count = maker->work->slow.rows.count, made = 0, i;
	struct gtrace_path_row *rows;

	for (i = 0; i < count; i++)
		made += from[i].key.kind == number;
	rows = gti_make_array(maker->run, made, sizeof(*rows));
	if (rows == NULL)
		return;
	for (i = 0; i < count; i++)
		if (from[i].key.kind == number)
			make_row(maker, &from[i], &rows[to->row_count++]);
	if (made > 1)
		gti_sort(rows, made, sizeof(*rows), compare_rows);
	to->rows = rows;
}

/* ----------------------------------------------------------------- kinds -- */

static void make_kind(const struct maker *maker, size_t number,
		      struct gtrace_paths *to)
{
	const struct path_work *work = maker->work;
	const struct path_kind *from =
		(const struct path_kind *)work->kinds.items + number;
	const struct kept_path *kept = work->kept.items;
	struct gtrace_path *paths;
	size_t i;

	*to = (struct gtrace_paths){
		.what = "interval",
		.name = {"", 0},
		.requests = from->requests,
		.unfinished = from->unfinished,
		.group = from->group,
		.slow = from->sums[SLOW_SLOW],
		.typical = from->sums[SLOW_TYPICAL],
	};
	if (!work->is_of_times)
		gti_make_requests_name(maker->run, from->name, &to->what,
				       &to->name);
	for (i = 0; i < work->kept.count; i++)
		to->path_count += kept[i].kind == number;
	paths = gti_make_array(maker->run, to->path_count, sizeof(*paths));
	if (paths == NULL)
		return;
	to->paths = paths;
	for (i = 0; i < work->kept.count; i++)
		if (kept[i].kind == number)
			make_path(maker, &kept[i], to, paths++);
	if (work->paths.left_out)
		to->group = 0;
	if (to->group != 0)
		make_rows(maker, number, to);
}

static int compare_kept(const void *a, const void *b)
{
	const struct kept_path *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

void gti_make_paths(struct run *run, void *made)
{
	size_t stacks = texts_count(&run->names.stacks), i;
	struct maker maker = {
		.run = run,
		.work = run_paths(run),
		.stacks = gti_allocate_zeroed(run->memory, stacks + 1,
					      sizeof(*maker.stacks)),
	};
	struct gtrace_path_report *to = made;
	struct array *kept = &run_paths(run)->kept;
	struct gtrace_paths *kinds;

	if (kept->count > 1)
		gti_sort(kept->items, kept->count, sizeof(struct kept_path),
			 compare_kept);
	to->count = maker.work->kinds.count;
	kinds = gti_make_array(run, to->count, sizeof(*kinds));
	to->kinds = kinds;
	to->left_out = maker.work->paths.left_out;
	to->dropped = maker.work->paths.dropped;
	if (maker.stacks == NULL || kinds == NULL) {
		run->failed = true;
		to->count = 0;
	}
	for (i = 0; i < to->count && !run->failed; i++)
		make_kind(&maker, i, &kinds[i]);
	gti_release(run->memory, maker.stacks,
		    (stacks + 1) * sizeof(*maker.stacks));
}
