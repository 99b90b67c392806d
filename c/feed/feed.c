/* SPDX-License-Identifier: BSD-3-Clause */
/* feed.c - hands the transitions of a pass to the analyses. */
#include "feed/feed.h"

void gti_feed_init(struct feed *feed, const struct clock *clock,
		   const struct gtrace_allocator *memory)
{
	feed->batch.count = 0;
	feed->batch.most = BATCH_TRANSITIONS;
	feed->goroutines = (struct actors){.memory = memory};
	feed->threads = feed->goroutines;
	feed->processors = feed->goroutines;
	feed->consumer_count = 0;
	feed->clock = clock;
	feed->origin = INT64_MIN;
	feed->horizon = NULL;
	feed->finished = false;
	feed->failed = false;
}

static void forget(struct feed *feed)
{
	gti_actors_free(&feed->goroutines);
	gti_actors_free(&feed->threads);
	gti_actors_free(&feed->processors);
	feed->batch.count = 0;
}

void gti_feed_free(struct feed *feed)
{
	size_t i;

	forget(feed);
	for (i = 0; i < feed->consumer_count; i++)
		if (feed->consumers[i].end != NULL)
			feed->consumers[i].end(feed->consumers[i].self);
	feed->consumer_count = 0;
}

void gti_feed_add(struct feed *feed, const struct consumer *consumer)
{
	feed->consumers[feed->consumer_count++] = *consumer;
}

void gti_feed_restart(struct feed *feed)
{
	size_t i;

	forget(feed);
	feed->origin = INT64_MIN;
	feed->finished = false;
	for (i = 0; i < feed->consumer_count; i++)
		if (feed->consumers[i].restart != NULL)
			feed->consumers[i].restart(feed->consumers[i].self);
}

void gti_feed_flush(struct feed *feed)
{
	size_t i;

	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		feed->consumers[i].take(feed->consumers[i].self, feed);
	feed->batch.count = 0;
	actors_settle(&feed->goroutines);
}

void gti_feed_end_generation(struct feed *feed)
{
	size_t i;

	gti_feed_flush(feed);
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
	feed->finished = true;
	for (i = 0; i < feed->consumer_count && !feed->failed; i++)
		if (feed->consumers[i].finish != NULL)
			feed->consumers[i].finish(feed->consumers[i].self, feed,
						  now);
}
