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

/*
 * Cuts what lasts *FROM one time *TO another to WINDOW. Returns false if
 * nothing is left.
 */
static bool cut(const struct time_window *window, int64_t *from, int64_t *to)
{
	if (!window->is_set)
		return true;
	if (*to < window->from || *from >= window->to)
		return false;
	if (*from < window->from)
		*from = window->from;
	if (*to > window->to)
		*to = window->to;
	return true;
}

void gti_lives_blocked(const struct lives *lives, struct lived *lived,
		       enum gtrace_block_kind kind, int64_t start,
		       int64_t length)
{
	int64_t end = add_ns(start, length);

	if (!cut(&lives->window, &start, &end))
		return;
	if (lives->window.is_set)
		length = length_between(start, end);
	if (keep_longest(&lived->block, start, length))
		lived->kind = (uint8_t)kind;
}

/* The times of LIVED in the window. */
static uint64_t *chosen_of(const struct lives *lives, struct lived *lived)
{
	char *end = (char *)lived + lives->pool.size;

	return (uint64_t *)(void *)end - LIFE_STATES;
}

/* LIVED has been in its state, and is until NOW. */
static void add_chosen(const struct lives *lives, struct lived *lived,
		       int64_t now)
{
	int64_t from = lived->until, to = now;

	if (cut(&lives->window, &from, &to) && to > from)
		chosen_of(lives, lived)[lived->state] += (uint64_t)(to - from);
}

/* The wait of LIVED, which may be its longest one, ends NOW. */
static void end_wait(const struct lives *lives, struct lived *lived,
		     int64_t now)
{
	int64_t from = lived->entered, to = now;

	if (lived->entered >= lives->clock_changed &&
	    cut(&lives->window, &from, &to))
		keep_longest(&lived->wait, from, ns_between(from, to));
}

void gti_life_goes_on(const struct lives *lives, struct lived *lived,
		      unsigned state, int64_t now)
{
	if (lived->state == LIFE_NONE)
		lived->begun = now;
	else if (UNLIKELY(lives->window.is_set))
		add_chosen(lives, lived, now);
	if (lived->state != LIFE_NONE)
		lived->times[lived->state] +=
			(uint64_t)now - (uint64_t)lived->until;
	lived->until = now;
	if (state == lived->state)
		return;
	if (lived->state == LIFE_READY)
		end_wait(lives, lived, now);
	lived->state = (uint8_t)state;
	lived->entered = now;
}

void gti_lives_recast(struct lives *lives, struct life *life, unsigned state,
		      int64_t ticks)
{
	int64_t since = clock_ns(lives->clock, ticks);

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

static void add(struct life_row *to, const struct lived *lived,
		const uint64_t *times)
{
	unsigned i;

	to->count++;
	for (i = 0; i < LIFE_STATES; i++)
		to->times[i] += times[i];
	add_longest(&to->block, &lived->block, lived,
		    (enum gtrace_block_kind)lived->kind);
	add_longest(&to->wait, &lived->wait, lived, GTRACE_BLOCK_OTHER);
}

/*
 * The times of LIVED in the window, to whose sums they are added. NULL: it did
 * not live then.
 */
static const uint64_t *chosen_times(struct lives *lives, struct lived *lived)
{
	int64_t from = lived->begun, to = lived->until;
	const uint64_t *chosen;
	unsigned i;

	if (!lives->window.is_set)
		return lived->times;
	if (!cut(&lives->window, &from, &to))
		return NULL;
	lives->chosen_count++;
	chosen = chosen_of(lives, lived);
	for (i = 0; i < LIFE_STATES; i++)
		lives->chosen[i] += chosen[i];
	return chosen;
}

/* Adds LIVED to *ROW, see gti_lives_end(). */
static bool put_in_row(struct lives *lives, struct lived *lived, uint32_t *row)
{
	const struct life_row empty = {.g = lived->g,
				       .root = lived->root,
				       .block.length = -1,
				       .wait.length = -1};
	const uint64_t *times = chosen_times(lives, lived);
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
		to->lived += gti_lives_lived(lived->times);
	if (to != NULL && times != NULL)
		add(to, lived, times);
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
	lives->count = lives->chosen_count = 0;
	lives->without_root = 0;
	memset(lives->chosen, 0, sizeof(lives->chosen));
	memset(lives->times, 0, sizeof(lives->times));
}

uint64_t gti_lives_lived(const uint64_t times[LIFE_STATES])
{
	uint64_t lived = 0;
	unsigned i;

	for (i = 0; i < LIFE_STATES; i++)
		lived += times[i];
	return lived;
}

void gti_lives_sum(const uint64_t times[LIFE_STATES], uint64_t count,
		   struct gtrace_times *to)
{
	unsigned i;

	*to = (struct gtrace_times){
		.count = count,
		.lived = (int64_t)gti_lives_lived(times),
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
