/* SPDX-License-Identifier: BSD-3-Clause */
/* before.c - what a trace tells of the time before it. */
#include "v2/before.h"

#include "base/leb128.h"
#include "v2/states.h"
#include "v2/table.h"

/* Statuses are looked for in so much time from the first event on. */
#define LOOK_NS 10e6

struct look {
	struct before_trace before;
	uint64_t until;      /* ticks */
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
		look->before.procs = values[1];
	} else {
		look->before.ready += (values[3] & STATUS_MASK) == GO_RUNNABLE;
	}
}

/* The place after the COUNT values at P, or END if there is none. */
static const uint8_t *skip_values(const uint8_t *p, const uint8_t *end,
				  unsigned count)
{
	/* The last bytes of values, of the next eight bytes. */
	uint64_t ends = 0;

	if (LIKELY(end - p >= 8))
		ends = ~load64(p) & 0x8080808080808080;
	if (LIKELY(count_bits(ends) >= count)) {
		for (; count > 1; count--)
			ends &= ends - 1;
		return p + lowest_bit(ends) / 8 + 1;
	}
	for (; p < end && count > 0; p++)
		count -= *p < 0x80;
	return p;
}

/* Takes the events from P on, the first one after TIME, that are not late. */
static bool take_events(struct look *look, const uint8_t *p, const uint8_t *end,
			uint64_t time)
{
	while (p < end) {
		unsigned byte = *p++, count = gti_v2_value_counts[byte];
		const uint8_t *at = p;
		uint64_t ticks;

		if (count == 0 || leb128_read(&at, end, &ticks) != LEB128_GOOD)
			return false;
		time += ticks;
		if (time > look->until)
			return false;
		if (byte == BYTE_PROC_STATUS || byte == BYTE_PROCS_CHANGE ||
		    byte == BYTE_GO_STATUS || byte == BYTE_GO_STATUS_STACK)
			take_event(look, byte, time, p, end);
		p = skip_values(at, end, count - 1);
	}
	return true;
}

static void take_thread(struct look *look, const struct generation *generation,
			const struct thread_batches *thread)
{
	const struct event_batch *batches = generation->batches.items;
	uint64_t until = look->until;
	uint32_t number;

	if (thread->m == NO_THREAD)
		look->until = UINT64_MAX;
	for (number = thread->first; number != 0;
	     number = batches[number - 1].next) {
		const struct event_batch *batch = &batches[number - 1];
		const uint8_t *p = generation->source->data + batch->data;

		if (!take_events(look, p, p + batch->size, batch->time))
			break;
	}
	look->until = until;
}

void gti_v2_assume(const struct generation *generation, struct waits *waits)
{
	const struct thread_batches *threads = generation->threads.items;
	double ticks = LOOK_NS / generation->ns_per_tick;
	struct look look = {.until = UINT64_MAX, .procs_time = UINT64_MAX};
	size_t i;

	if (!waits->look_at_all && ticks < 0x1p62 &&
	    generation->least_time < (uint64_t)1 << 62)
		look.until = generation->least_time + (uint64_t)ticks;
	for (i = 0; i < generation->threads.count; i++)
		take_thread(&look, generation, &threads[i]);
	gti_waits_assume(waits, &look.before);
}
