/* SPDX-License-Identifier: BSD-3-Clause */
/* paths.c - the critical paths of given times of goroutines. */
#include "analysis/paths.h"

#include "base/array.h"
#include "base/least.h"
#include "base/sort.h"
#include "base/times.h"

/* In chain_slot.user: the goroutine has no wishes. */
#define NO_CLIENT UINT32_MAX

static struct path_wish *wish_at(const struct paths *paths, size_t i)
{
	return (struct path_wish *)paths->wishes.items + i;
}

static struct path_client *client_at(const struct paths *paths, size_t i)
{
	return (struct path_client *)paths->clients.items + i;
}

/* ------------------------------------------------------------------ init -- */

static int compare_wishes(const void *a, const void *b)
{
	const struct path_wish *x = a, *y = b;

	if (x->g != y->g)
		return x->g < y->g ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Adds the goroutine of the wish at I, the first of that goroutine. */
static bool add_client(struct paths *paths, size_t i)
{
	const struct path_client client = {
		.g = wish_at(paths, i)->g,
		.begin = i,
		.end = i,
		.next = i,
		.first = INT64_MAX,
		.last = INT64_MIN,
	};
	const struct gtrace_allocator *memory = paths->chain.memory;
	uint64_t *number = gti_map_put(&paths->by_g, client.g, memory);

	if (number == NULL ||
	    array_add(&paths->clients, &client, sizeof(client), memory) == NULL)
		return false;
	*number = paths->clients.count;
	return true;
}

/* Finds the goroutines of the wishes, and when these begin. */
static bool index_wishes(struct paths *paths)
{
	const struct gtrace_allocator *memory = paths->chain.memory;
	size_t count = paths->wishes.count, i;

	if (count > 1)
		gti_sort(paths->wishes.items, count, sizeof(struct path_wish),
			 compare_wishes);
	for (i = 0; i < count; i++) {
		const struct path_wish *wish = wish_at(paths, i);

		if ((i == 0 || wish[-1].g != wish->g) && !add_client(paths, i))
			return false;
		client_at(paths, paths->clients.count - 1)->end = i + 1;
		if (array_add(&paths->begins, &wish->from, sizeof(wish->from),
			      memory) == NULL)
			return false;
	}
	if (count > 1)
		gti_sort(paths->begins.items, count, sizeof(int64_t),
			 compare_times);
	return true;
}

bool gti_paths_init(struct paths *paths, struct array *wishes,
		    bool (*describe)(void *context, const struct site_key *key,
				     struct site *site),
		    void *context, const struct gtrace_allocator *memory)
{
	gti_chain_init(&paths->chain, describe, context, memory);
	paths->wishes = *wishes;
	paths->next = paths->kept_from = INT64_MIN;
	*wishes = (struct array){.count = 0};
	return index_wishes(paths);
}

void gti_paths_free(struct paths *paths)
{
	const struct gtrace_allocator *memory = paths->chain.memory;

	if (memory == NULL)
		return;
	gti_chain_free(&paths->chain);
	gti_array_free(&paths->wishes, sizeof(struct path_wish), memory);
	gti_array_free(&paths->clients, sizeof(struct path_client), memory);
	gti_array_free(&paths->begins, sizeof(int64_t), memory);
	gti_array_free(&paths->pieces, sizeof(struct chain_piece), memory);
	gti_map_free(&paths->by_g, memory);
}

static void restart(void *self)
{
	struct paths *paths = self;
	size_t i;

	gti_chain_restart(&paths->chain);
	paths->begun = paths->done = 0;
	paths->next = INT64_MIN;
	paths->taken = paths->chain.steps = 0;
	paths->gone = paths->floor = paths->dropped = 0;
	paths->kept_from = INT64_MIN;
	paths->left_out = false;
	for (i = 0; i < paths->wishes.count; i++) {
		wish_at(paths, i)->done = false;
		wish_at(paths, i)->entry = 0;
	}
	for (i = 0; i < paths->clients.count; i++) {
		struct path_client *client = client_at(paths, i);

		*client = (struct path_client){
			.g = client->g,
			.begin = client->begin,
			.end = client->end,
			.next = client->begin,
			.first = INT64_MAX,
			.last = INT64_MIN,
		};
	}
	paths->forget(paths->context);
}

/* ----------------------------------------------------------------- paths -- */

/* So many steps for each transition, and for so many more. */
#define STEPS_EACH 64
#define STEPS_FREE ((uint64_t)1 << 16)

static bool takes_too_long(const struct paths *paths)
{
	return paths->chain.steps / STEPS_EACH > paths->taken + STEPS_FREE;
}

/* The number that ENTRY, of PATHS, has now; 0: none, or it was dropped. */
static uint32_t entry_now(const struct paths *paths, uint64_t entry)
{
	return entry > paths->floor ? (uint32_t)(entry - paths->gone) : 0;
}

/* Drops entries, if there are too many. What that takes is in proportion. */
static void bound_log(struct paths *paths)
{
	struct chain *chain = &paths->chain;
	size_t goroutines = chain->slots.count + chain->of_c.slots.count, gone;

	if (paths->most == 0 || chain->log.count <= paths->most + goroutines)
		return;
	gone = gti_chain_shorten(chain, paths->most / 2);
	paths->gone += gone;
	paths->floor = paths->gone + chain->stay;
	paths->dropped += gone;
	paths->kept_from = chain->kept_from;
	paths->failed |= chain->failed;
}

static void keep_piece(void *context, const struct chain_piece *piece)
{
	struct paths *paths = context;

	if (array_add(&paths->pieces, piece, sizeof(*piece),
		      paths->chain.memory) == NULL)
		paths->failed = true;
}

/*
 * Walks the path of WISH, which is to have the times of TOLD; its goroutine is
 * far enough. If another one is not, that waits for the end of the trace.
 */
static void walk(struct paths *paths, struct path_wish *wish,
		 struct path_wish *told)
{
	int64_t dropped = length_between(told->from, paths->kept_from);

	paths->pieces.count = 0;
	if (wish->optional && takes_too_long(paths)) {
		paths->left_out = wish->done = true;
		paths->done++;
		return;
	}
	paths->chain.node = wish->node;
	if (told->from < told->to &&
	    !gti_chain_walk(&paths->chain, entry_now(paths, wish->entry),
			    told->from, told->to, keep_piece, paths))
		return;
	paths->failed |= paths->chain.failed;
	if (paths->failed)
		return;
	wish->done = true;
	paths->done++;
	told->dropped = least_of(dropped, length_between(told->from, told->to));
	paths->each(paths->context, told, paths->pieces.items,
		    paths->pieces.count);
}

/*
 * Whether nothing later than the last entry of CLIENT changes its part of the
 * path of WISH: its state at the end is over, and if it ran it is known where.
 */
static bool is_ripe(const struct paths *paths, const struct path_client *client,
		    const struct path_wish *wish)
{
	const struct chain *chain = &paths->chain;
	const struct chain_entry *last =
		chain_entry(chain, entry_now(paths, client->entry));
	unsigned state;

	if (last->at < wish->to || last->before == 0)
		return false;
	state = chain_entry(chain, last->before)->state;
	if (state == CHAIN_RUNS || state == CHAIN_ASSISTS)
		return last->is_own || last->changes;
	return state != CHAIN_BLOCKED && state != CHAIN_ABSENT;
}

/* ---------------------------------------------------------------- stream -- */

static void begin_log(struct paths *paths, bool is_on)
{
	gti_chain_log(&paths->chain, is_on);
	paths->gone = paths->floor = 0;
}

/* It is AT: paths begin. The log is on while one has begun and is not done. */
static NOINLINE void begin_paths(struct paths *paths, int64_t at)
{
	const int64_t *begins = paths->begins.items;
	bool wanted;

	while (paths->begun < paths->begins.count && begins[paths->begun] <= at)
		paths->begun++;
	paths->next = paths->begun < paths->begins.count ? begins[paths->begun]
							 : INT64_MAX;
	wanted = paths->begun != paths->done;
	if (wanted != paths->chain.is_on)
		begin_log(paths, wanted);
}

/* Finds out whether the goroutine of SLOT, which is new, has wishes. */
static void find_client(const struct paths *paths, struct chain_slot *slot,
			uint32_t number)
{
	const uint64_t *client = gti_map_get(&paths->by_g, slot->g);

	slot->user = NO_CLIENT;
	slot->due = INT64_MAX;
	if (client == NULL)
		return;
	slot->user = (uint32_t)*client;
	client_at(paths, slot->user - 1)->slot = number;
}

/* SLOT, of CLIENT, is there now, or has just ended. */
static void note_life(const struct paths *paths, struct path_client *client,
		      struct chain_slot *slot)
{
	const struct chain *chain = &paths->chain;
	bool is_there = slot->state > CHAIN_ABSENT;

	client->is_known = true;
	if (is_there && client->first == INT64_MAX)
		client->first = slot->since;
	client->last = is_there ? INT64_MAX : slot->since;
	client->entry =
		slot->log == chain->log_number ? slot->last + paths->gone : 0;
	client->log = chain->log_number;
	if (is_there)
		return;
	client->ended = *slot;
	client->ended.own = (struct chain_stack){.handle = 0};
	client->slot = 0;
	slot->user = 0;
	slot->due = INT64_MIN;
}

/*
 * SLOT, of CLIENT, is created, whose whole life is the only path that is
 * wanted: the log begins anew.
 */
static void begin_life(struct paths *paths, struct path_client *client,
		       struct chain_slot *slot)
{
	begin_log(paths, true);
	client->entry = chain_last(&paths->chain, slot);
	client->log = paths->chain.log_number;
}

/* Walks the paths of CLIENT that nothing later changes. */
static void take_ripe(struct paths *paths, struct path_client *client)
{
	while (client->next < client->end &&
	       entry_now(paths, client->entry) != 0) {
		struct path_wish *wish = wish_at(paths, client->next);

		if (wish->from == INT64_MIN || !is_ripe(paths, client, wish))
			return;
		wish->entry = client->entry;
		walk(paths, wish, wish);
		client->next++;
	}
}

/*
 * The goroutine in the slot NUMBER has made a transition, of KIND, and is new,
 * has ended, or has come to the end of a path.
 */
static NOINLINE void look(struct paths *paths, uint32_t number, unsigned kind)
{
	struct chain *chain = &paths->chain;
	struct chain_slot *slot = chain_slot(chain, number);
	struct path_client *client;

	if (slot->user == 0)
		find_client(paths, slot, number);
	if (slot->user == NO_CLIENT)
		return;
	client = client_at(paths, slot->user - 1);
	if (!client->is_known && kind == TRANSITION_CREATE &&
	    paths->wishes.count == 1 && wish_at(paths, 0)->from == INT64_MIN)
		begin_life(paths, client, slot);
	note_life(paths, client, slot);
	if (chain->is_on)
		take_ripe(paths, client);
	if (slot->user != 0)
		slot->due = client->next < client->end
				    ? wish_at(paths, client->next)->to
				    : INT64_MAX;
}

/* look(), if the goroutine in the slot NUMBER is to be looked at, AT now. */
static ALWAYS_INLINE void look_at(struct paths *paths, uint32_t number,
				  unsigned kind, int64_t at)
{
	const struct chain_slot *slot = chain_slot(&paths->chain, number);

	if (UNLIKELY(at >= slot->due) ||
	    (slot->state == CHAIN_ABSENT && slot->user != NO_CLIENT))
		look(paths, number, kind);
}

static void take(void *self, struct feed *feed)
{
	const struct transition *one = feed->batch->items;
	const struct transition *last = feed_end(feed);
	struct paths *paths = self;
	struct chain *chain = &paths->chain;

	for (; one < last && !paths->failed; one++) {
		int64_t at;

		if (!chain_concerns(feed, one))
			continue;
		paths->taken++;
		at = clock_ns(feed->clock, one->now);
		if (UNLIKELY(at >= paths->next) ||
		    UNLIKELY(paths->begun == paths->done && chain->is_on))
			begin_paths(paths, at);
		gti_chain_take(chain, feed, one, at);
		paths->failed |= chain->failed;
		if (UNLIKELY(paths->failed))
			break;
		if (one->by != one->g && one->by != 0)
			look_at(paths, one->by, TRANSITION_OTHER, at);
		look_at(paths, one->g, one->kind, at);
		bound_log(paths);
	}
	feed->failed |= paths->failed;
}

static void end_generation(void *self, struct feed *feed)
{
	struct paths *paths = self;

	(void)feed;
	gti_chain_end_generation(&paths->chain);
}

/* ---------------------------------------------------------------- finish -- */

/* CLIENT has a last entry in the log. */
static void find_last(struct paths *paths, struct path_client *client)
{
	struct chain *chain = &paths->chain;

	if (client->slot != 0)
		client->entry =
			paths->gone +
			chain_last(chain, chain_slot(chain, client->slot));
	else if (client->log != chain->log_number ||
		 entry_now(paths, client->entry) == 0)
		client->entry =
			paths->gone + gti_chain_begin(chain, &client->ended);
	client->log = chain->log_number;
}

/* The rest of the wishes of CLIENT; the trace ends at NOW. */
static void finish_client(struct paths *paths, struct path_client *client,
			  int64_t now)
{
	size_t i;

	if (!client->is_known)
		return;
	find_last(paths, client);
	for (i = client->begin; i < client->end && !paths->failed; i++) {
		struct path_wish *wish = wish_at(paths, i), told = *wish;

		if (wish->done)
			continue;
		if (entry_now(paths, wish->entry) == 0)
			wish->entry = client->entry;
		if (told.from == INT64_MIN)
			told.from = client->first;
		if (told.to == INT64_MAX)
			told.to = client->last;
		if (told.to > now)
			told.to = now;
		if (told.from > told.to)
			told.from = told.to;
		walk(paths, wish, &told);
	}
}

static void finish(void *self, struct feed *feed, int64_t now)
{
	struct paths *paths = self;
	int64_t end = clock_ns(feed->clock, now);
	size_t i;

	gti_chain_finish(&paths->chain);
	begin_paths(paths, INT64_MAX);
	for (i = 0; i < paths->clients.count && !paths->failed; i++)
		finish_client(paths, client_at(paths, i), end);
	feed->failed |= paths->failed;
}

struct consumer gti_paths_consumer(struct paths *paths)
{
	return (struct consumer){
		.self = paths,
		.take = take,
		.end_generation = end_generation,
		.finish = finish,
		.restart = restart,
	};
}
