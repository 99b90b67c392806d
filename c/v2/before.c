/* SPDX-License-Identifier: BSD-3-Clause */
/* before.c - what a trace tells of the time before it. */
#include "v2/before.h"

#include "base/leb128.h"
#include "v2/states.h"
#include "v2/table.h"

/* The place after the COUNT values at P, or END if there is none. */
static const uint8_t *skip_values(const uint8_t *p, const uint8_t *end,
				  unsigned count)
{
	for (; count > 0 && p < end; count--) {
		while (p < end && (*p & 0x80) != 0)
			p++;
		p++;
	}
	return p < end ? p : end;
}

/*
 * skip_values() for up to five values, if most of them have few bytes and eight
 * bytes can be read at P. NULL: they have more than eight.
 */
static ALWAYS_INLINE const uint8_t *skip_short(const uint8_t *p, unsigned count)
{
	/* The last bytes of values. */
	uint64_t ends = ~load64(p) & 0x8080808080808080;

	for (; count > 1; count--)
		ends &= ends - 1;
	return ends != 0 ? p + lowest_bit(ends) / 8 + 1 : NULL;
}

/* Takes the event of TYPE whose time and values are at P. */
static void take_event(struct before_trace *before, unsigned byte,
		       const uint8_t *p, const uint8_t *end)
{
	uint64_t values[4] = {0};
	uint64_t status;
	unsigned i;

	for (i = 0; i < gti_v2_value_counts[byte] && i < 4; i++)
		if (leb128_read(&p, end, &values[i]) != LEB128_GOOD)
			return;
	if (byte == BYTE_PROCS_CHANGE) {
		if (before->procs == 0)
			before->procs = values[1];
		return;
	}
	status = (byte == BYTE_PROC_STATUS ? values[2] : values[3]) & 255;
	if (byte == BYTE_PROC_STATUS)
		before->held += status == PROC_RUNNING ||
				status == PROC_SYSCALL ||
				status == PROC_SYSCALL_ABANDONED;
	else
		before->ready += status == GO_RUNNABLE;
}

/* Takes the events at P, up to END or to one that cannot be read. */
static void take_events(struct before_trace *before, const uint8_t *p,
			const uint8_t *end)
{
	while (p < end) {
		unsigned byte = *p++;
		unsigned count = gti_v2_value_counts[byte];
		const uint8_t *next = NULL;

		if (count == 0)
			return;
		if (UNLIKELY(byte == BYTE_PROC_STATUS ||
			     byte == BYTE_GO_STATUS ||
			     byte == BYTE_GO_STATUS_STACK ||
			     byte == BYTE_PROCS_CHANGE))
			take_event(before, byte, p, end);
		if (LIKELY(end - p >= 8))
			next = skip_short(p, count);
		p = LIKELY(next != NULL) ? next : skip_values(p, end, count);
	}
}

void gti_v2_assume(const struct generation *generation, struct waits *waits)
{
	const struct event_batch *batches = generation->batches.items;
	struct before_trace before = {0};
	size_t i;

	for (i = 0; i < generation->batches.count; i++) {
		const uint8_t *p = generation->source->data + batches[i].data;

		take_events(&before, p, p + batches[i].size);
	}
	gti_waits_assume(waits, &before);
}
