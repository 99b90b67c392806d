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

static void take(struct outcome *outcome, const struct event *event,
		 const struct index *index, uint64_t *seen)
{
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
}

static struct outcome merge_all(const struct index *index, unsigned flags)
{
	size_t words = (size_t)index->events / 64 + 1;
	uint64_t *seen = calloc(words, sizeof(*seen));
	struct outcome outcome = {.status = GTRACE_OK};
	int64_t last = INT64_MIN;
	bool sorted = true;
	struct merge merge;
	struct event *event;

	check(seen != NULL);
	check(gti_merge_init(&merge, index, flags, &outcome.error) ==
	      GTRACE_OK);
	for (;;) {
		outcome.status = gti_merge_next(&merge, &event, &outcome.error);
		if (outcome.status != GTRACE_OK || event == NULL)
			break;
		take(&outcome, event, index, seen);
		/* The time as merged; a moved exit has another one. */
		sorted = sorted && (outcome.events == 1 || merge.ticks >= last);
		last = merge.ticks;
	}
	if (outcome.status == GTRACE_OK)
		check(sorted && outcome.events == index->events);
	else
		check(outcome.status == GTRACE_ERROR_ORDER);
	gti_merge_free(&merge);
	free(seen);
	return outcome;
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
