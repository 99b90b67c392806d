/* SPDX-License-Identifier: BSD-3-Clause */
/* lives.c - the reports of goroutines and of requests. */
#include <string.h>

#include "base/sort.h"
#include "base/strings.h"
#include "run.h"

/* The text of NAME. */
static struct gtrace_string make_name(struct run *run, uint32_t name)
{
	const struct gtrace_frame *frames;
	size_t count;

	gti_make_named_frames(run, gti_block_site(run, name).stack, &frames,
			      &count);
	return frames_root(frames, count)->function;
}

/* ------------------------------------------------------------ goroutines -- */

static int compare_rows(const void *a, const void *b)
{
	const struct gtrace_goroutines *x = *(const void *const *)a;
	const struct gtrace_goroutines *y = *(const void *const *)b;
	int order;

	if (x->times.lived != y->times.lived)
		return x->times.lived > y->times.lived ? -1 : 1;
	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	order = string_compare(x->function, y->function);
	return order != 0 ? order : (x > y) - (x < y);
}

static void make_goroutines(struct run *run, const void *from, void *row)
{
	const struct life_row *lived = from;
	struct gtrace_goroutines *to = row;

	*to = (struct gtrace_goroutines){
		.function = {"", 0},
		.g = run->blocks.lives.g_count != 0 ? (int64_t)lived->g : -1,
		.block = lived->block,
		.wait = lived->wait,
	};
	gti_lives_sum(lived->times, lived->count, &to->times);
	if (lived->root != 0)
		to->function = make_name(run, lived->root - 1);
}

/* Brings the rows of goroutines to the front. Returns how many these are. */
static size_t choose_rows(struct life_row *rows, size_t count)
{
	size_t chosen = 0, i;

	for (i = 0; i < count; i++)
		if (rows[i].count != 0)
			rows[chosen++] = rows[i];
	return chosen;
}

void gti_make_goroutines(struct run *run, void *made)
{
	const struct lives *lives = &run->blocks.lives;
	const struct list_of list = {
		.from = lives->rows.items,
		.count = choose_rows(lives->rows.items, lives->rows.count),
		.size = sizeof(struct life_row),
		.row_size = sizeof(struct gtrace_goroutines),
		.make = make_goroutines,
		.compare = compare_rows,
	};
	struct gtrace_goroutine_report *to = made;

	if (lives->window.is_set)
		gti_lives_sum(lives->chosen, lives->chosen_count, &to->times);
	else
		gti_lives_sum(lives->times, lives->count, &to->times);
	to->rows = gti_make_list(run, &list);
	to->count = list.count;
}

/* -------------------------------------------------------------- requests -- */

/* Makes PART, a block, part of TO. */
static void make_part(struct run *run, const struct request_part *part,
		      struct gtrace_part *to)
{
	struct named_site site = gti_block_site(run, part->place);
	const struct gtrace_frame *frames;
	struct naming naming;
	size_t count;

	gti_make_named_frames(run, site.stack, &frames, &count);
	naming = gti_name_stack(frames, count);
	*to = (struct gtrace_part){
		.state = gtrace_block_name((enum gtrace_block_kind)site.kind),
		.function = naming_own(&naming)->function,
		.time = (int64_t)part->time,
	};
}

static void make_served(struct run *run, const struct request *request,
			struct gtrace_served *to)
{
	struct gtrace_part all[REQUEST_PARTS + TIMES_PARTS], *parts;
	const struct stay *stay = &request->stay;
	struct gtrace_times times;
	size_t count = request->part_count, i;

	gti_lives_sum(stay->times, 1, &times);
	for (i = 0; i < count; i++) {
		const struct request_part *part = &request->parts[i];

		times.blocked[blocks_place(&run->blocks, part->place)->kind] -=
			(int64_t)part->time;
		make_part(run, part, &all[i]);
	}
	count += gti_times_parts(&times, all + count);
	gti_sort_parts(all, count);
	parts = gti_make_array(run, count, sizeof(*parts));
	*to = (struct gtrace_served){
		.start = stay->begun,
		.length = stay->length,
		.g = (int64_t)stay->g,
		.parts = parts,
		.part_count = parts != NULL ? count : 0,
	};
	if (to->part_count != 0)
		memcpy(parts, all, count * sizeof(*parts));
}

static const char *const subjects[] = {
	[SUBJECT_ROOT] = "goroutine",
	[SUBJECT_TASK] = "task",
	[SUBJECT_REGION] = "region",
};

uint32_t gti_requests_name(const struct run *run,
			   const struct request_group *group)
{
	const struct block_place *place =
		blocks_place(&run->blocks, group->name);

	return place->loop.waits ? place->root : group->name;
}

void gti_make_requests_name(struct run *run, uint32_t name, const char **what,
			    struct gtrace_string *text)
{
	*what = subjects[gti_block_site(run, name).subject];
	*text = make_name(run, name);
}

/* Sets what TO has of the waits between requests, and of those in progress. */
static void make_open(struct run *run, const struct request_group *group,
		      struct gtrace_requests *to)
{
	const struct request_loop *loop = group->loop;
	struct gtrace_part part;

	to->between_state = to->open_state = "";
	to->between = to->open_max = to->open_g = -1;
	to->open_fn = gti_no_frame.function;
	if (loop == NULL)
		return;
	to->betweens = loop->waits;
	if (loop->waits != 0) {
		to->between_state = gtrace_block_name(
			blocks_place(&run->blocks, group->name)->kind);
		to->between = gti_rough_quantile(
			&run->blocks.lengths, loop->wait_lengths, loop->waits,
			loop->wait_max, 500);
	}
	to->open = loop->unended;
	if (loop->unended != 0) {
		to->open_max = loop->unended_max;
		to->open_g = (int64_t)loop->unended_g;
	}
	if (loop->unended_place == 0)
		return;
	make_part(run, &(struct request_part){.place = loop->unended_place - 1},
		  &part);
	to->open_state = part.state;
	to->open_fn = part.function;
}

static void make_requests(struct run *run, const void *from, void *row)
{
	const struct request_group *group = from;
	struct gtrace_requests *to = row;
	const struct blocks *blocks = &run->blocks;
	const struct request *longest = group->longest.items;
	uint32_t name = gti_requests_name(run, group);
	struct gtrace_served *made =
		gti_make_array(run, group->longest.count, sizeof(*made));
	size_t i;

	*to = (struct gtrace_requests){
		.count = group->count,
		.median = gti_rough_quantile(&blocks->lengths, group->lengths,
					     group->count, group->max, 500),
		.p99 = gti_rough_quantile(&blocks->lengths, group->lengths,
					  group->count, group->max, 990),
		.max = group->max,
		.longest = made,
		.longest_count = made != NULL ? group->longest.count : 0,
	};
	make_open(run, group, to);
	gti_make_requests_name(run, name, &to->what, &to->name);
	gti_lives_sum(group->times, group->count, &to->times);
	for (i = 0; i < to->longest_count; i++)
		make_served(run, &longest[i], &made[i]);
	if (name != group->name)
		gti_make_named_frames(run,
				      gti_block_site(run, group->name).stack,
				      &to->frames, &to->frame_count);
}

static int compare_requests(const void *a, const void *b)
{
	const struct gtrace_requests *x = *(const void *const *)a;
	const struct gtrace_requests *y = *(const void *const *)b;
	int order;

	if (x->times.lived != y->times.lived)
		return x->times.lived > y->times.lived ? -1 : 1;
	order = string_compare(x->name, y->name);
	return order != 0 ? order : (x > y) - (x < y);
}

/* Brings the groups that have requests to the front. Returns how many. */
static size_t choose_groups(struct request_group *groups, size_t count)
{
	size_t chosen = 0, i;

	for (i = 0; i < count; i++) {
		struct request_group group = groups[i];

		if (group.count == 0)
			continue;
		groups[i] = groups[chosen];
		groups[chosen++] = group;
	}
	return chosen;
}

void gti_make_requests(struct run *run, void *made)
{
	struct array *groups = &run->blocks.requests.groups;
	const struct list_of list = {
		.from = groups->items,
		.count = choose_groups(groups->items, groups->count),
		.size = sizeof(struct request_group),
		.row_size = sizeof(struct gtrace_requests),
		.make = make_requests,
		.compare = compare_requests,
	};
	struct gtrace_request_report *to = made;

	to->rows = gti_make_list(run, &list);
	to->count = list.count;
}
