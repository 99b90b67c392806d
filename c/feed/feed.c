/* SPDX-License-Identifier: BSD-3-Clause */
/* feed.c - hands the transitions of a pass to the analyses. */
#include "feed/feed.h"

#include "feed/beside.h"

/* So many batches come before another thread is started: it takes its time. */
#define BATCHES_ALONE 2

void gti_feed_init(struct feed *feed, const struct clock *clock,
		   const struct gtrace_allocator *memory)
{
	feed->batch = &feed->own;
	feed->batch->count = 0;
	feed->most = BATCH_TRANSITIONS;
	feed->goroutines = (struct actors){.memory = memory};
	feed->threads = feed->goroutines;
	feed->processors = feed->goroutines;
	feed->consumer_count = 0;
	feed->clock = clock;
	feed->origin = INT64_MIN;
	feed->horizon = NULL;
	feed->finished = false;
	feed->failed = false;
	feed->unfinished_since = INT64_MAX;
	feed->complete_until = INT64_MAX;
	feed->input = NULL;
	feed->full = 0;
	feed->beside = NULL;
}

static void forget(struct feed *feed)
{
	gti_actors_free(&feed->goroutines);
	gti_actors_free(&feed->threads);
	gti_actors_free(&feed->processors);
	feed->batch->count = 0;
}

void gti_feed_free(struct feed *feed)
{
	size_t i;

	gti_feed_end_beside(feed);
	forget(feed);
	for (i = 0; i < feed->consumer_count; i++)
		if (feed->consumers[i].end != NULL)
			feed->consumers[i].end(feed->consumers[i].self);
	feed->consumer_count = 0;
}

void gti_feed_add(struct feed *feed, const struct consumer *consumer)
{
	if (feed->consumer_count < CONSUMERS_MAX)
		feed->consumers[feed->consumer_count++] = *consumer;
	else
		feed->failed = true;
}

void gti_feed_allow_beside(struct feed *feed, struct input *input)
{
	feed->input = input;
}

void gti_feed_end_beside(struct feed *feed)
{
	if (feed->beside == NULL)
		return;
	gti_beside_end(feed);
	feed->batch = &feed->own;
	feed->batch->count = 0;
}

void gti_feed_wait(struct feed *feed)
{
	if (feed->beside != NULL)
		gti_beside_wait(feed);
}

void gti_feed_restart(struct feed *feed)
{
	size_t i;

	if (feed->beside != NULL)
		gti_beside_restart(feed);
	forget(feed);
	feed->origin = INT64_MIN;
	feed->finished = false;
	feed->unfinished_since = INT64_MAX;
	feed->complete_until = INT64_MAX;
	for (i = 0; i < feed->consumer_count; i++)
		if (feed->consumers[i].restart != NULL)
			feed->consumers[i].restart(feed->consumers[i].self);
}

/* The batch that is filled next. */
static struct batch_of_transitions *next_batch(struct feed *feed)
{
	if (feed->input != NULL && ++feed->full == BATCHES_ALONE)
		gti_beside_start(feed);
	return feed->beside != NULL ? gti_beside_next(feed->beside)
				    : &feed->own;
}

/* Whether CONSUMER takes a batch of FEED on the thread of the format. */
static bool takes(const struct feed *feed, const struct consumer *consumer)
{
	if (feed->finished)
		return consumer->close != NULL;
	return feed->beside == NULL || !consumer->beside;
}

void gti_feed_flush(struct feed *feed)
{
	size_t i;

	if (feed->beside != NULL && !feed->finished && feed->batch->count != 0)
		gti_beside_give(feed);
	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		if (takes(feed, &feed->consumers[i]))
			feed->consumers[i].take(feed->consumers[i].self, feed);
	if (!feed->finished)
		feed->batch = next_batch(feed);
	feed->batch->count = 0;
	actors_settle(&feed->goroutines);
}

void gti_feed_end_generation(struct feed *feed)
{
	size_t i;

	gti_feed_flush(feed);
	gti_feed_wait(feed);
	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		if (feed->consumers[i].end_generation != NULL)
			feed->consumers[i].end_generation(
				feed->consumers[i].self, feed);
}

void gti_feed_finish(struct feed *feed, int64_t now)
{
	size_t i;

	if (feed->finished)
		return;
	gti_feed_flush(feed);
	gti_feed_wait(feed);
	feed->finished = true;
	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		if (feed->consumers[i].finish != NULL)
			feed->consumers[i].finish(feed->consumers[i].self, feed,
						  now);
}

void gti_feed_close(struct feed *feed)
{
	size_t i;

	gti_feed_flush(feed);
	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		if (feed->consumers[i].close != NULL)
			feed->consumers[i].close(feed->consumers[i].self, feed);
}
