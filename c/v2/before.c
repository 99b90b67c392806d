/* SPDX-License-Identifier: BSD-3-Clause */
/* before.c - what a trace tells of the time before it. */
#include "v2/before.h"

#include "base/leb128.h"
#include "v2/states.h"
#include "v2/table.h"

/* Statuses are looked for in so much of the first batch of each thread. */
#define LOOK_BYTES 8192

struct look {
	struct before_trace before;
	uint64_t procs_time; /* of the first number of processors */
};

/* Takes the event whose time and values are at P. */
static void take_event(struct look *look, unsigned byte, uint64_t time,
		       const uint8_t *p, const uint8_t *end)
{
	uint64_t values[4] = {0};
	unsigned i;

	for (i = 0; i < gti_v2_value_counts[byte] && i < 4; i++)
		if (leb128_read(&p, end, &values[i]) != LEB128_GOOD)
			return;
	if (byte == BYTE_PROC_STATUS) {
		unsigned status = values[2] & STATUS_MASK;

		look->before.held += status == PROC_RUNNING ||
				     status == PROC_SYSCALL ||
				     status == PROC_SYSCALL_ABANDONED;
	} else if (byte == BYTE_PROCS_CHANGE) {
		if (time >= look->procs_time)
			return;
		look->procs_time = time;
		look->before.procs = procs_told(values[1]);
		look->before.procs_told = true;
	} else {
		look->before.ready += (values[3] & STATUS_MASK) == GO_RUNNABLE;
	}
}

/* The place after the COUNT values at P, or END if there is none. */
static const uint8_t *skip_values(const uint8_t *p, const uint8_t *end,
				  unsigned count)
{
	for (; p < end && count > 0; p++)
		count -= *p < 0x80;
	return p;
}

static bool matters(unsigned byte)
{
	return byte == BYTE_PROC_STATUS || byte == BYTE_PROCS_CHANGE ||
	       byte == BYTE_GO_STATUS || byte == BYTE_GO_STATUS_STACK;
}

/* The time of the event at P in BATCH, the data of which are FROM to END. */
static uint64_t time_at(const struct event_batch *batch, const uint8_t *from,
			const uint8_t *p, const uint8_t *end)
{
	uint64_t time = batch->time, ticks = 0;

	while (from <= p) {
		unsigned count = gti_v2_value_counts[*from++];
		const uint8_t *at = from;

		if (leb128_read(&at, end, &ticks) != LEB128_GOOD)
			break;
		time += ticks;
		from = skip_values(from, end, count);
	}
	return time;
}

/* Takes the events of BATCH, which has SIZE bytes, up to one that is none. */
static void take_batch(struct look *look, const struct generation *generation,
		       const struct event_batch *batch, uint32_t size)
{
	const uint8_t *from = generation->source->data + batch->data;
	const uint8_t *end = from + size, *p = from;
	uint64_t time = 0;

	while (p < end) {
		unsigned byte = *p, count = gti_v2_value_counts[byte];

		if (count == 0)
			return;
		if (byte == BYTE_PROCS_CHANGE)
			time = batch->time < look->procs_time
				       ? time_at(batch, from, p, end)
				       : UINT64_MAX;
		if (matters(byte))
			take_event(look, byte, time, p + 1, end);
		p = skip_values(p + 1, end, count);
	}
}

void gti_v2_assume(const struct generation *generation, struct waits *waits)
{
	const struct event_batch *batches = generation->batches.items;
	const struct thread_batches *threads = generation->threads.items;
	struct look look = {.procs_time = UINT64_MAX};
	size_t i;

	for (i = 0; i < generation->threads.count; i++) {
		bool all = waits->look_at_all || threads[i].m == NO_THREAD;
		uint32_t number = threads[i].first;

		while (number != 0) {
			const struct event_batch *batch = &batches[number - 1];
			bool whole = all || batch->size < LOOK_BYTES;

			take_batch(&look, generation, batch,
				   whole ? batch->size : LOOK_BYTES);
			number = all ? batch->next : 0;
		}
	}
	gti_waits_assume(waits, &look.before);
}
