/* SPDX-License-Identifier: BSD-3-Clause */
/* beside.c - takes batches for some consumers on a thread of its own. */
#include "feed/beside.h"

#include "base/array.h"
#include "base/guard.h"
#include "base/threads.h"

#if HAS_THREADS

/* So many batches can be given and not taken. */
#define BATCHES 4

struct given {
	struct batch_of_transitions batch;
	struct array taken; /* the slots that goroutines have got meanwhile */
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

/* ---------------------------------------------------------- its own thread --
 */

/* Gives the goroutines of FROM their slots. */
static void take_slots(struct feed *view, const struct given *from)
{
	const struct slot_taken *taken = from->taken.items;
	size_t i;

	for (i = 0; i < from->taken.count; i++)
		if (!gti_actors_set(&view->goroutines, &taken[i])) {
			view->failed = true;
			return;
		}
}

static void take_batch(struct beside *beside, struct given *from)
{
	const struct feed *feed = beside->feed;
	struct feed *view = &beside->view;
	size_t i;

	view->batch = &from->batch;
	view->origin = from->origin;
	if (!view->failed)
		take_slots(view, from);
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
	size_t i;

	for (i = 0; i < BATCHES; i++)
		gti_array_free(&beside->batches[i].taken,
			       sizeof(struct slot_taken), memory);
	gti_actors_free(&beside->view.goroutines);
	pthread_cond_destroy(&beside->more);
	pthread_cond_destroy(&beside->less);
	pthread_mutex_destroy(&beside->lock);
	pthread_mutex_destroy(&beside->lookups);
	gti_release(memory, beside, sizeof(*beside));
}

/* Notes the slots that goroutines have now, and those that they get. */
static bool note_slots(struct feed *feed, struct beside *beside)
{
	feed->goroutines.notes = gti_actors_copy(&beside->view.goroutines,
						 &feed->goroutines);
	return feed->goroutines.notes;
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
	if (note_slots(feed, beside) &&
	    gti_thread_start(&beside->thread, run, beside) == 0)
		return;
	feed->goroutines.notes = false;
	feed->beside = NULL;
	release(beside);
}

void gti_beside_give(struct feed *feed)
{
	struct beside *beside = feed->beside;
	struct given *given = batch_at(beside, beside->given);
	struct array taken = given->taken;

	given->origin = feed->origin;
	given->taken = feed->goroutines.taken;
	feed->goroutines.taken = taken;
	feed->goroutines.taken.count = 0;
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
	gti_beside_wait(feed);
	gti_actors_free(&feed->beside->view.goroutines);
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
	feed->goroutines.notes = false;
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
