/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * merge_fuzzer.c - any file whose records are good, its events put in order:
 * each comes once, those of a stream as they stand in the file, and in the
 * order of their ticks if the merge comes to a good end. The same whether
 * goroutines that ended are forgotten or not.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "v1/merge.h"

/* What can be seen of a merge. */
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
	size_t room = (size_t)index->events / 64 + 1;
	uint64_t *seen = calloc(room, sizeof(*seen));
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
		/* As merged: an exit's own time is another matter. */
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
	struct outcome usual, remembering;
	struct gtrace_error error;
	struct index index;

	if (gti_index_init(&index, &input, NULL, &memory, &error) != GTRACE_OK)
		return 0;
	if (index.rules.version >= VERSION_MERGED) {
		usual = merge_all(&index, MERGE_FORGET);
		remembering = merge_all(&index, MERGE_KEEP_EXITS);
		check(usual.status == remembering.status);
		check(usual.events == remembering.events);
		check(usual.sum == remembering.sum);
		if (usual.status != GTRACE_OK)
			check(strcmp(usual.error.message,
				     remembering.error.message) == 0);
	}
	gti_index_free(&index);
	return 0;
}
