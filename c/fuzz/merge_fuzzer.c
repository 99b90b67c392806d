/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_fuzzer.c - merges the events of any file whose records are good. Each
 * event comes once, and in the order of ticks if the merge succeeds. The result
 * does not depend on whether goroutines that ended are forgotten.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "v1/merge.h"

/* The result of a merge. */
struct outcome {
	enum gtrace_status status;
	struct gtrace_error error;
	uint64_t events;
	uint64_t sum;
};

static void mix(struct outcome *outcome, uint64_t value)
{
	outcome->sum = (outcome->sum ^ value) * 0x9e3779b97f4a7c15u;
	outcome->sum ^= outcome->sum >> 29;
}

/* A merge, and what has come of it. */
struct merging {
	struct merge merge;
	struct outcome outcome;
	uint64_t *seen; /* bits, by ordinal */
	int64_t last;   /* the time as merged; a moved exit has another one */
	bool sorted;
};

static bool take(void *context, struct event *event)
{
	struct merging *merging = context;
	struct outcome *outcome = &merging->outcome;
	const struct index *index = merging->merge.index;
	uint64_t *seen = merging->seen;

	check(event->offset >= HEADER_SIZE && event->offset < index->size);
	check(event->ordinal > 0 && event->ordinal <= index->events);
	check((seen[event->ordinal / 64] >> event->ordinal % 64 & 1) == 0);
	seen[event->ordinal / 64] |= (uint64_t)1 << event->ordinal % 64;
	outcome->events++;
	mix(outcome, event->ordinal);
	mix(outcome, (uint64_t)event->ticks);
	mix(outcome, (uint64_t)event->p);
	mix(outcome, event->g);
	mix(outcome, event->type);
	mix(outcome, event->stack);
	mix(outcome,
	    event->args[0] ^ event->args[1] << 1 ^ event->args[2] << 2);
	merging->sorted =
		merging->sorted &&
		(outcome->events == 1 || merging->merge.ticks >= merging->last);
	merging->last = merging->merge.ticks;
	return true;
}

static struct outcome merge_all(const struct index *index, unsigned flags)
{
	size_t words = (size_t)index->events / 64 + 1;
	struct merging m = {.seen = calloc(words, sizeof(*m.seen)),
			    .sorted = true};
	struct outcome *outcome = &m.outcome;

	check(m.seen != NULL);
	check(gti_merge_init(&m.merge, index, flags, &outcome->error) ==
	      GTRACE_OK);
	outcome->status = gti_merge_run(&m.merge, take, &m, &outcome->error);
	if (outcome->status == GTRACE_OK)
		check(m.sorted && outcome->events == index->events);
	else
		check(outcome->status == GTRACE_ERROR_ORDER);
	gti_merge_free(&m.merge);
	free(m.seen);
	return m.outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gtrace_allocator memory = gti_allocator_or_default(NULL);
	struct input input = {.data = data, .size = size};
	struct outcome forgetting, keeping;
	struct gtrace_error error;
	struct index index;

	if (gti_index_init(&index, &input, NULL, 0, &memory, &error) !=
	    GTRACE_OK)
		return 0;
	if (index.rules.version >= VERSION_MERGED) {
		forgetting = merge_all(&index, MERGE_FORGET);
		keeping = merge_all(&index, MERGE_KEEP_EXITS);
		check(forgetting.status == keeping.status);
		check(forgetting.events == keeping.events);
		check(forgetting.sum == keeping.sum);
		if (forgetting.status != GTRACE_OK)
			check(strcmp(forgetting.error.message,
				     keeping.error.message) == 0);
	}
	gti_index_free(&index);
	return 0;
}
