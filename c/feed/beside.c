/* SPDX-License-Identifier: BSD-3-Clause */
/* beside.c - takes batches for some consumers on a thread of its own. */
#include "feed/beside.h"

#include "base/array.h"
#include "base/guard.h"
#include "base/threads.h"

#if HAS_THREADS

/* So many batches can be given and not taken. */
#define BATCHES 4

/* What has slots: see actors_of(). */
#define ACTORS 3

struct given {
	struct batch_of_transitions batch;
	struct array taken[ACTORS]; /* the slots that were taken meanwhile */
	int64_t origin;
};

struct beside {
	struct feed *feed;
	struct feed view; /* what consumers see */
	pthread_t thread;
	pthread_mutex_t lookups;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t more, less;
	uint64_t given, taken; /* batches */
	bool ends;
	/* Those from `taken` up to `given` are the thread's. */
	struct given batches[BATCHES];
};

static struct given *batch_at(struct beside *beside, uint64_t number)
{
	return &beside->batches[number % BATCHES];
}

static struct actors *actors_of(struct feed *feed, unsigned i)
{
	struct actors *const all[ACTORS] = {&feed->goroutines, &feed->threads,
					    &feed->processors};

	return all[i];
}

/* ---------------------------------------------------------- its own thread --
 */

/* Gives ACTORS the slots that they have TAKEN. False: there is no memory. */
static bool take_slots(struct actors *actors, const struct array *taken)
{
	const struct slot_taken *items = taken->items;
	size_t i;

	for (i = 0; i < taken->count; i++)
		if (!gti_actors_set(actors, &items[i]))
			return false;
	return true;
}

static void take_batch(struct beside *beside, struct given *from)
{
	const struct feed *feed = beside->feed;
	struct feed *view = &beside->view;
	unsigned i;

	view->batch = &from->batch;
	view->origin = from->origin;
	for (i = 0; i < ACTORS && !view->failed; i++)
		view->failed =
			!take_slots(actors_of(view, i), &from->taken[i]);
	for (i = 0; i < feed->consumer_count && !view->failed; i++)
		if (feed->consumers[i].beside)
			feed->consumers[i].take(feed->consumers[i].self, view);
}

/* The next batch that is given; NULL: there is none any more. */
static struct given *wait_for_batch(struct beside *beside)
{
	struct given *given = NULL;

	pthread_mutex_lock(&beside->lock);
	while (beside->taken == beside->given && !beside->ends)
		pthread_cond_wait(&beside->more, &beside->lock);
	if (beside->taken != beside->given)
		given = batch_at(beside, beside->taken);
	pthread_mutex_unlock(&beside->lock);
	return given;
}

static void *run(void *context)
{
	struct beside *beside = context;
	struct guard guard;
	struct given *given;

	gti_guard_enter(&guard, beside->feed->input);
	while ((given = wait_for_batch(beside)) != NULL) {
		take_batch(beside, given);
		pthread_mutex_lock(&beside->lock);
		beside->taken++;
		pthread_cond_signal(&beside->less);
		pthread_mutex_unlock(&beside->lock);
	}
	/* The guard of the format's thread tells of what was lost. */
	gti_guard_leave(&guard, GTRACE_OK, NULL);
	return NULL;
}

/* ------------------------------------------------------ the format's thread --
 */

static void release(struct beside *beside)
{
	const struct gtrace_allocator *memory = beside->view.goroutines.memory;
	unsigned i, j;

	for (i = 0; i < ACTORS; i++) {
		for (j = 0; j < BATCHES; j++)
			gti_array_free(&beside->batches[j].taken[i],
				       sizeof(struct slot_taken), memory);
		gti_actors_free(actors_of(&beside->view, i));
	}
	pthread_cond_destroy(&beside->more);
	pthread_cond_destroy(&beside->less);
	pthread_mutex_destroy(&beside->lock);
	pthread_mutex_destroy(&beside->lookups);
	gti_release(memory, beside, sizeof(*beside));
}

/* Slots of FEED that are taken from now on are noted, or not. */
static void note_slots(struct feed *feed, bool notes)
{
	unsigned i;

	for (i = 0; i < ACTORS; i++)
		actors_of(feed, i)->notes = notes;
}

/* VIEW gets the slots that FEED has. Returns false if there is no memory. */
static bool copy_slots(struct feed *view, struct feed *feed)
{
	unsigned i;

	for (i = 0; i < ACTORS; i++)
		if (!gti_actors_copy(actors_of(view, i), actors_of(feed, i)))
			return false;
	return true;
}

void gti_beside_start(struct feed *feed)
{
	const struct gtrace_allocator *memory = feed->goroutines.memory;
	struct beside *beside = gti_allocate_zeroed(memory, 1, sizeof(*beside));

	if (beside == NULL)
		return;
	beside->feed = feed;
	gti_feed_init(&beside->view, feed->clock, memory);
	pthread_mutex_init(&beside->lookups, NULL);
	pthread_mutex_init(&beside->lock, NULL);
	pthread_cond_init(&beside->more, NULL);
	pthread_cond_init(&beside->less, NULL);
	feed->beside = beside;
	note_slots(feed, true);
	if (copy_slots(&beside->view, feed) &&
	    gti_thread_start(&beside->thread, run, beside) == 0)
		return;
	note_slots(feed, false);
	feed->beside = NULL;
	release(beside);
}

void gti_beside_give(struct feed *feed)
{
	struct beside *beside = feed->beside;
	struct given *given = batch_at(beside, beside->given);
	unsigned i;

	given->origin = feed->origin;
	for (i = 0; i < ACTORS; i++) {
		struct array *noted = &actors_of(feed, i)->taken;
		struct array taken = given->taken[i];

		given->taken[i] = *noted;
		*noted = taken;
		noted->count = 0;
	}
	pthread_mutex_lock(&beside->lock);
	beside->given++;
	pthread_cond_signal(&beside->more);
	pthread_mutex_unlock(&beside->lock);
}

struct batch_of_transitions *gti_beside_next(struct beside *beside)
{
	pthread_mutex_lock(&beside->lock);
	while (beside->given - beside->taken == BATCHES)
		pthread_cond_wait(&beside->less, &beside->lock);
	pthread_mutex_unlock(&beside->lock);
	return &batch_at(beside, beside->given)->batch;
}

void gti_beside_wait(struct feed *feed)
{
	struct beside *beside = feed->beside;

	pthread_mutex_lock(&beside->lock);
	while (beside->given != beside->taken)
		pthread_cond_wait(&beside->less, &beside->lock);
	pthread_mutex_unlock(&beside->lock);
	feed->failed |= beside->view.failed;
}

void gti_beside_restart(struct feed *feed)
{
	unsigned i;

	gti_beside_wait(feed);
	for (i = 0; i < ACTORS; i++)
		gti_actors_free(actors_of(&feed->beside->view, i));
	feed->beside->view.failed = false;
}

void gti_beside_end(struct feed *feed)
{
	struct beside *beside = feed->beside;

	gti_beside_wait(feed);
	pthread_mutex_lock(&beside->lock);
	beside->ends = true;
	pthread_cond_signal(&beside->more);
	pthread_mutex_unlock(&beside->lock);
	pthread_join(beside->thread, NULL);
	feed->beside = NULL;
	note_slots(feed, false);
	release(beside);
}

void gti_beside_lock(struct beside *beside, bool locks)
{
	if (locks)
		pthread_mutex_lock(&beside->lookups);
	else
		pthread_mutex_unlock(&beside->lookups);
}

#else

void gti_beside_start(struct feed *feed)
{
	(void)feed;
}

void gti_beside_give(struct feed *feed)
{
	(void)feed;
}

struct batch_of_transitions *gti_beside_next(struct beside *beside)
{
	(void)beside;
	return NULL;
}

void gti_beside_wait(struct feed *feed)
{
	(void)feed;
}

void gti_beside_restart(struct feed *feed)
{
	(void)feed;
}

void gti_beside_end(struct feed *feed)
{
	(void)feed;
}

void gti_beside_lock(struct beside *beside, bool locks)
{
	(void)beside;
	(void)locks;
}

#endif
