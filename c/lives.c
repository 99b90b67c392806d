/* SPDX-License-Identifier: BSD-3-Clause */
/* lives.c - the reports of goroutines and of requests. */
#include "base/sort.h"
#include "block_names.h"

/* Sets *TO to the text of NAME, which MAKER owns. */
static bool make_name(struct event_maker *maker, const struct run *run,
		      uint32_t name, struct gtrace_string *to)
{
	const struct gtrace_frame *frames;
	size_t count;

	if (!gti_block_stack(maker, run, gti_block_site(run, name).stack,
			     &frames, &count))
		return false;
	*to = frames->function;
	return true;
}

/* ------------------------------------------------------------ goroutines -- */

static int compare_rows(const void *a, const void *b)
{
	const struct gtrace_goroutines *x = *(const void *const *)a;
	const struct gtrace_goroutines *y = *(const void *const *)b;

	if (x->times.lived != y->times.lived)
		return x->times.lived > y->times.lived ? -1 : 1;
	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	return (x > y) - (x < y);
}

bool gti_make_goroutines(struct event_maker *maker, const struct run *run,
			 struct gtrace_goroutine_report *to)
{
	const struct lives *lives = &run->blocks.lives;
	const struct lived *lived = lives->rows.items;
	struct gtrace_goroutines *row;
	void *rows;
	size_t i;

	to->count = lives->rows.count;
	gti_lives_sum(lives->times, lives->count, &to->times);
	to->rows =
		(void *)gti_block_rows(maker, to->count, sizeof(*row), &rows);
	if (to->rows == NULL)
		return false;
	for (i = 0, row = rows; i < to->count; i++, row++, lived++) {
		row->function = (struct gtrace_string){"", 0};
		row->g = lives->g_count != 0 ? (int64_t)lived->g : -1;
		gti_lives_sum(lived->times, lived->count, &row->times);
		row->block = lived->block;
		row->wait = lived->wait;
		if (lived->root != 0 &&
		    !make_name(maker, run, lived->root - 1, &row->function))
			return false;
	}
	if (to->count > 1)
		gti_sort((void *)to->rows, to->count, sizeof(row),
			 compare_rows);
	return true;
}

/* -------------------------------------------------------------- requests -- */

/* Appends a part of PLACE, a block, to the parts of TO. */
static bool add_block(struct event_maker *maker, const struct run *run,
		      const struct request_part *part, struct gtrace_part *to)
{
	struct named_site site = gti_block_site(run, part->place);
	const struct gtrace_frame *frames;
	struct naming naming;
	size_t count;

	to->state = gti_block_word((enum gtrace_block_kind)site.kind);
	to->function = (struct gtrace_string){"", 0};
	to->time = (int64_t)part->time;
	if (!gti_block_stack(maker, run, site.stack, &frames, &count))
		return false;
	naming = gti_name_stack(frames, count);
	if (naming.caller != NULL)
		to->function = naming.caller->function;
	else if (naming.frame != NULL)
		to->function = naming.frame->function;
	return true;
}

static bool make_served(struct event_maker *maker, const struct run *run,
			const struct request *request, struct gtrace_served *to)
{
	struct gtrace_part *parts = gti_arena_allocate(
		&maker->arena, (REQUEST_PARTS + TIMES_PARTS) * sizeof(*parts));
	struct gtrace_times times;
	size_t i;

	gti_lives_sum(request->times, 1, &times);
	*to = (struct gtrace_served){
		.start = request->begun,
		.length = request->length,
		.g = (int64_t)request->g,
		.parts = parts,
	};
	if (parts == NULL)
		return false;
	for (i = 0; i < request->part_count; i++) {
		const struct request_part *part = &request->parts[i];

		times.blocked[blocks_place(&run->blocks, part->place)->kind] -=
			(int64_t)part->time;
		if (!add_block(maker, run, part, &parts[to->part_count++]))
			return false;
	}
	to->part_count += gti_times_parts(&times, parts + to->part_count);
	gti_sort_parts(parts, to->part_count);
	return true;
}

static const char *const subjects[] = {
	[SUBJECT_ROOT] = "goroutine",
	[SUBJECT_TASK] = "task",
	[SUBJECT_REGION] = "region",
};

static bool make_requests(struct event_maker *maker, const struct run *run,
			  const struct request_group *group,
			  struct gtrace_requests *to)
{
	const struct blocks *blocks = &run->blocks;
	const struct block_place *place = blocks_place(blocks, group->name);
	const struct request *longest = group->longest.items;
	uint32_t name = place->loop.waits ? place->root : group->name;
	struct gtrace_served *made = gti_arena_allocate(
		&maker->arena, group->longest.count * sizeof(*made));
	size_t i;

	*to = (struct gtrace_requests){
		.what = subjects[gti_block_site(run, name).subject],
		.count = group->count,
		.median = gti_blocks_quantile(blocks, &group->lengths,
					      group->count, group->max, 500),
		.p99 = gti_blocks_quantile(blocks, &group->lengths,
					   group->count, group->max, 990),
		.max = group->max,
		.longest = made,
		.longest_count = group->longest.count,
	};
	gti_lives_sum(group->times, group->count, &to->times);
	for (i = 0; made != NULL && i < to->longest_count; i++)
		if (!make_served(maker, run, &longest[i], &made[i]))
			return false;
	return made != NULL && make_name(maker, run, name, &to->name) &&
	       (name == group->name ||
		gti_block_stack(maker, run,
				gti_block_site(run, group->name).stack,
				&to->frames, &to->frame_count));
}

static int compare_requests(const void *a, const void *b)
{
	const struct gtrace_requests *x = *(const void *const *)a;
	const struct gtrace_requests *y = *(const void *const *)b;

	if (x->times.lived != y->times.lived)
		return x->times.lived > y->times.lived ? -1 : 1;
	return (x > y) - (x < y);
}

bool gti_make_requests(struct event_maker *maker, const struct run *run,
		       struct gtrace_request_report *to)
{
	const struct array *groups = &run->blocks.requests.groups;
	const struct request_group *group = groups->items;
	struct gtrace_requests *row;
	void *rows;
	size_t i;

	to->rows = (void *)gti_block_rows(maker, groups->count, sizeof(*row),
					  &rows);
	if (to->rows == NULL)
		return false;
	for (i = 0, row = rows; i < groups->count; i++, group++) {
		if (group->count == 0)
			continue;
		to->count++;
		if (!make_requests(maker, run, group, row++))
			return false;
	}
	if (to->count > 1)
		gti_sort((void *)to->rows, to->count, sizeof(row),
			 compare_requests);
	return true;
}
