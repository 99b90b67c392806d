/* SPDX-License-Identifier: BSD-3-Clause */
/* lives.c - how long goroutines were in each state. */
#include "analysis/lives.h"

#include <string.h>

#include "analysis/filter.h"
#include "base/array.h"
#include "base/times.h"

bool gti_lives_begin(struct lives *lives, struct life *life, uint64_t g)
{
	if (lives->pool.size == 0 || life->lived != NULL)
		return true;
	life->lived = gti_pool_take(&lives->pool);
	if (life->lived == NULL)
		return false;
	life->lived->g = g;
	life->lived->block.length = -1;
	life->lived->wait.length = -1;
	return true;
}

/* Returns whether a time of LENGTH from START on is the longest so far. */
static bool keep_longest(struct longest *kept, int64_t start, int64_t length)
{
	if (length < kept->length ||
	    (length == kept->length && (length == -1 || start >= kept->start)))
		return false;
	*kept = (struct longest){length, start};
	return true;
}

void gti_lives_blocked(struct lived *lived, enum gtrace_block_kind kind,
		       int64_t start, int64_t length)
{
	if (keep_longest(&lived->block, start, length))
		lived->kind = (uint8_t)kind;
}

void gti_life_goes_on(const struct lives *lives, struct lived *lived,
		      unsigned state, int64_t now)
{
	if (lived->state != LIFE_NONE)
		lived->times[lived->state] +=
			(uint64_t)now - (uint64_t)lived->until;
	lived->until = now;
	if (state == lived->state)
		return;
	if (lived->state == LIFE_READY &&
	    lived->entered >= lives->clock_changed)
		keep_longest(&lived->wait, lived->entered,
			     ns_between(lived->entered, now));
	lived->state = (uint8_t)state;
	lived->entered = now;
}

void gti_lives_recast(struct lives *lives, struct life *life, unsigned state,
		      int64_t ticks)
{
	int64_t since = lives_time(lives, ticks);

	lives->times[life->state] += (uint64_t)since;
	lives->times[state] -= (uint64_t)since;
	life->state = (uint8_t)state;
	if (life->lived != NULL)
		life->lived->state = (uint8_t)state;
}

/* KEPT is the longest stretch of a row, and may be ONE, of LIVED and a kind. */
static void add_longest(struct gtrace_stretch *kept, const struct longest *one,
			const struct lived *lived, enum gtrace_block_kind kind)
{
	const struct gtrace_stretch stretch = {one->length, one->start,
					       (int64_t)lived->g, kind};

	if (one->length > kept->length ||
	    (one->length == kept->length && one->length != -1 &&
	     (one->start < kept->start ||
	      (one->start == kept->start && stretch.g < kept->g))))
		*kept = stretch;
}

static void add(struct life_row *to, const struct lived *lived)
{
	unsigned i;

	to->count++;
	for (i = 0; i < LIFE_STATES; i++)
		to->times[i] += lived->times[i];
	add_longest(&to->block, &lived->block, lived,
		    (enum gtrace_block_kind)lived->kind);
	add_longest(&to->wait, &lived->wait, lived, GTRACE_BLOCK_OTHER);
}

/* Adds LIVED to *ROW, see gti_lives_end(). */
static bool put_in_row(struct lives *lives, const struct lived *lived,
		       uint32_t *row)
{
	const struct life_row empty = {.g = lived->g,
				       .root = lived->root,
				       .block.length = -1,
				       .wait.length = -1};
	struct life_row *to;

	if (!filter_lists(lives->g, lives->g_count, (int64_t)lived->g))
		return true;
	if (lives->g_count == 0 && *row != 0) {
		to = (struct life_row *)lives->rows.items + *row - 1;
	} else {
		to = array_add(&lives->rows, &empty, sizeof(empty),
			       lives->pool.memory);
		*row = (uint32_t)lives->rows.count;
	}
	if (to != NULL)
		add(to, lived);
	return to != NULL;
}

bool gti_lives_end(struct lives *lives, struct life *life, uint32_t *row,
		   int64_t ticks)
{
	struct lived *lived = life->lived;
	bool good = true;

	if (life->state != LIFE_NONE) {
		lives->count++;
		lives_go_on(lives, life, LIFE_NONE, ticks);
		good = lived == NULL || put_in_row(lives, lived, row);
	}
	if (lived != NULL)
		gti_pool_give(&lives->pool, lived);
	*life = (struct life){.state = LIFE_NONE};
	return good;
}

void gti_lives_restart(struct lives *lives,
		       const struct gtrace_allocator *memory)
{
	size_t size = lives->pool.size;

	if (size != 0)
		gti_pool_free(&lives->pool);
	gti_array_free(&lives->rows, sizeof(struct life_row), memory);
	lives->pool = (struct pool){.memory = memory, .size = size};
	lives->count = 0;
	lives->without_root = 0;
	memset(lives->times, 0, sizeof(lives->times));
}

void gti_lives_sum(const uint64_t times[LIFE_STATES], uint64_t count,
		   struct gtrace_times *to)
{
	uint64_t lived = 0;
	unsigned i;

	for (i = 0; i < LIFE_STATES; i++)
		lived += times[i];
	*to = (struct gtrace_times){
		.count = count,
		.lived = (int64_t)lived,
		.ran = (int64_t)times[LIFE_RUNS],
		.assisted = (int64_t)times[LIFE_ASSISTS],
		.ready = (int64_t)times[LIFE_READY],
		.lost = (int64_t)times[LIFE_LOST],
		.ended = (int64_t)times[LIFE_NONE],
	};
	for (i = 0; i < GTRACE_BLOCK_KINDS; i++)
		to->blocked[i] = (int64_t)times[LIFE_BLOCKED + i];
	to->blocked[GTRACE_BLOCK_SYSCALL] += to->lost;
}
