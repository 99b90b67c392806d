/* SPDX-License-Identifier: BSD-3-Clause */
/* synthetic_writer.c - clock, buffers and tail of a synthetic trace. */
#include "synthetic_writer.h"

#include <stdio.h>
#include <stdlib.h>

#define BUFFER_BYTES ((size_t)64 << 10)

/* More than any record of a processor takes, with a Batch before it. */
#define RECORD_BYTES ((size_t)256)

/* A counter that ticks every 25 ns, as a divided processor clock does. */
#define TICKS_PER_SECOND 40000000
#define TICKS_AT_START   5000000

/* Ticks between two events of one busy processor, on average. */
#define TICKS_AN_EVENT 30

/* Now and then nothing happens for a while. */
#define PAUSE_ONE_IN 512
#define PAUSE_TICKS  2000

/* Go 1.14 took the timers' goroutine away. */
#define VERSION_NO_TIMERS 1019

static const char *const names[STRING_FUNCTIONS] = {
	"",          "GC (dedicated)", "GC (fractional)", "GC (idle)",
	"request",   "query",          "render",          "flush",
	"decode",    "authorise",      "fetch",           "encode",
	"user name", "bytes",          "state",           "retries",
};

void writer_open(struct writer *w, const struct synthetic_options *options)
{
	size_t count = (size_t)options->processors + 1;
	struct builder header;
	size_t i;

	*w = (struct writer){.options = options, .now = TICKS_AT_START};
	w->random = options->seed * 2 + 0x9e3779b97f4a7c15;
	w->step = 1 + 2 * TICKS_AN_EVENT / options->processors;
	w->buffers = calloc(count, sizeof(*w->buffers));
	if (w->buffers == NULL) {
		fputs("synthetic: out of memory\n", stderr);
		abort();
	}
	for (i = 0; i < count; i++)
		builder_open(&w->buffers[i].bytes, options->version);
	builder_open(&header, options->version);
	builder_header(&header);
	options->write(options->context, header.bytes, header.size);
	builder_close(&header);
}

static void flush(struct writer *w, struct buffer *buffer)
{
	if (buffer->bytes.size != 0)
		w->options->write(w->options->context, buffer->bytes.bytes,
				  buffer->bytes.size);
	builder_clear(&buffer->bytes);
	buffer->batch = false;
}

static void write_tail(struct writer *w, uint64_t timers)
{
	struct builder tail;

	builder_open(&tail, w->options->version);
	builder_frequency(&tail, TICKS_PER_SECOND);
	if (timers != 0 && writer_is_old(w))
		BUILDER_RECORD(&tail, EV_TIMER_GOROUTINE, timers, 0);
	else if (timers != 0 && w->options->version < VERSION_NO_TIMERS)
		BUILDER_RECORD(&tail, EV_TIMER_GOROUTINE, timers);
	synthetic_stacks(&tail, w->options->seed);
	w->options->write(w->options->context, tail.bytes, tail.size);
	builder_close(&tail);
}

void writer_close(struct writer *w, uint64_t timers)
{
	uint32_t i;

	for (i = 0; i <= w->options->processors; i++) {
		flush(w, &w->buffers[i]);
		builder_close(&w->buffers[i].bytes);
	}
	write_tail(w, timers);
	free(w->buffers);
}

/* Xorshift with a multiplication, of which the upper half is used. */
uint32_t writer_random(struct writer *w, uint32_t limit)
{
	w->random ^= w->random >> 12;
	w->random ^= w->random << 25;
	w->random ^= w->random >> 27;
	return (uint32_t)((w->random * 0x2545f4914f6cdd1d) >> 32) % limit;
}

uint64_t writer_stack(struct writer *w)
{
	uint32_t a = writer_random(w, SYNTHETIC_STACKS);

	return 1 + writer_random(w, a + 1);
}

void writer_strict(struct writer *w)
{
	w->now++;
}

uint64_t writer_sequence(struct writer *w)
{
	return ++w->sequence;
}

/* Lets time pass until the next event of BUFFER. */
static void advance(struct writer *w, const struct buffer *buffer)
{
	uint32_t ties = w->options->ties;

	if (ties == 0 || writer_random(w, ties) != 0)
		w->now += 1 + writer_random(w, (uint32_t)w->step);
	if (writer_random(w, PAUSE_ONE_IN) == 0)
		w->now += writer_random(w, PAUSE_TICKS);
	if (w->now <= buffer->ticks)
		w->now = buffer->ticks + 1;
}

/* Begins a batch of processor P unless MORE bytes fit into the present one. */
static void begin(struct writer *w, struct buffer *buffer, uint32_t p,
		  size_t more)
{
	if (buffer->bytes.size + more > BUFFER_BYTES)
		flush(w, buffer);
	if (buffer->batch)
		return;
	if (writer_is_old(w))
		BUILDER_RECORD(&buffer->bytes, EV_BATCH, p, w->sequence,
			       w->now);
	else
		builder_batch(&buffer->bytes, p, w->now);
	buffer->batch = true;
	buffer->ticks = w->now;
	buffer->sequence = w->sequence;
}

/*
 * Ticks since the last event of BUFFER, which NOW becomes the last one of.
 * Tells the builder the sequence number likewise.
 */
static uint64_t delta(struct writer *w, struct buffer *buffer)
{
	uint64_t ticks = w->now - buffer->ticks;

	buffer->ticks = w->now;
	buffer->bytes.sequence_step = writer_sequence(w) - buffer->sequence;
	buffer->sequence = w->sequence;
	w->events++;
	return ticks;
}

/* VALUES begins with the place for the timestamp. */
static void event(struct writer *w, uint32_t p, unsigned type, uint64_t *values,
		  size_t count)
{
	struct buffer *buffer = &w->buffers[p];

	advance(w, buffer);
	begin(w, buffer, p, RECORD_BYTES);
	values[0] = delta(w, buffer);
	builder_event(&buffer->bytes, type, values, count);
}

void writer_event0(struct writer *w, uint32_t p, unsigned type)
{
	event(w, p, type, (uint64_t[]){0}, 1);
}

void writer_event1(struct writer *w, uint32_t p, unsigned type, uint64_t a)
{
	event(w, p, type, (uint64_t[]){0, a}, 2);
}

void writer_event2(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b)
{
	event(w, p, type, (uint64_t[]){0, a, b}, 3);
}

void writer_event3(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b, uint64_t c)
{
	event(w, p, type, (uint64_t[]){0, a, b, c}, 4);
}

void writer_event4(struct writer *w, uint32_t p, unsigned type, uint64_t a,
		   uint64_t b, uint64_t c, uint64_t d)
{
	event(w, p, type, (uint64_t[]){0, a, b, c, d}, 5);
}

void writer_log(struct writer *w, uint32_t p, uint64_t task, unsigned key,
		const char *message)
{
	struct buffer *buffer = &w->buffers[p];
	uint64_t id = writer_string(w, p, key);
	uint64_t stack = writer_stack(w);

	advance(w, buffer);
	begin(w, buffer, p, RECORD_BYTES);
	builder_user_log(&buffer->bytes, delta(w, buffer), task, id, stack,
			 message);
}

/* Samples go to a buffer of their own, in batches that name processor 0. */
void writer_sample(struct writer *w, uint32_t p, uint64_t g)
{
	struct buffer *buffer = &w->buffers[w->options->processors];
	uint64_t ticks;

	writer_strict(w);
	ticks = w->now;
	advance(w, buffer);
	begin(w, buffer, 0, RECORD_BYTES);
	BUILDER_EVENT(&buffer->bytes, EV_CPU_SAMPLE, delta(w, buffer), ticks, p,
		      g, writer_stack(w));
}

uint64_t writer_string(struct writer *w, uint32_t p, unsigned id)
{
	struct buffer *buffer = &w->buffers[p];

	if ((w->strings >> id & 1) == 0) {
		w->strings |= (uint32_t)1 << id;
		begin(w, buffer, p, RECORD_BYTES);
		builder_string(&buffer->bytes, id, names[id]);
	}
	return id;
}
