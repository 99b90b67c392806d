/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator_writer.c - the clock and the batches of a generated trace, and its
 * tables: a few hundred stacks of 5 to 20 frames, in the functions of a made-up
 * server.
 */
#include <stdio.h>
#include <stdlib.h>

#include "generator_scheduler.h"

/* Data of a batch at most, and more than any record takes. */
#define BATCH_BYTES  ((size_t)65000)
#define RECORD_BYTES ((size_t)1024)

/* Now and then nothing happens for a while. */
#define PAUSE_ONE_IN 512

#define STACKS     300
#define FUNCTIONS  400
#define FILES      40
#define FRAMES_MIN 5
#define FRAMES_MAX 20

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

const char *const generator_names[STRING_FUNCTIONS] = {
	"",
	"GC sweep termination",
	"GC mark termination",
	"runtime.Gosched",
	"preempted",
	"system goroutine wait",
	"chan receive",
	"chan send",
	"select",
	"sync",
	"sync.(*Cond).Wait",
	"network",
	"sleep",
	"GC (dedicated)",
	"GC (fractional)",
	"GC (idle)",
	"request",
	"query",
	"render",
	"flush",
	"decode",
	"authorise",
	"fetch",
	"encode",
	"user name",
	"bytes",
	"state",
	"retries",
	"",
	"0",
	"value 17",
	"not found",
};

/* ------------------------------------------------------------ batches -- */

void writer_open(struct scheduler *s, uint32_t count)
{
	struct builder header;
	uint32_t i;

	s->streams = builder_memory(count, sizeof(*s->streams));
	s->stream_count = count;
	s->clock = s->encoder->first_ticks * s->encoder->unit;
	for (i = 0; i < count; i++)
		builder_open(&s->streams[i].bytes, s->options->version);
	builder_open(&header, s->options->version);
	builder_header(&header);
	writer_write(s, &header);
	builder_close(&header);
}

void writer_close(struct scheduler *s)
{
	uint32_t i;

	for (i = 0; i < s->stream_count; i++)
		builder_close(&s->streams[i].bytes);
	free(s->streams);
}

void writer_write(struct scheduler *s, struct builder *b)
{
	s->options->write(s->options->context, b->bytes, b->size);
	builder_clear(b);
}

void writer_flush(struct scheduler *s, struct stream *stream)
{
	struct builder header;

	if (stream->bytes.size == 0)
		return;
	builder_open(&header, s->options->version);
	s->encoder->batch(s, stream, &header);
	writer_write(s, &header);
	builder_close(&header);
	writer_write(s, &stream->bytes);
}

void writer_prepare(struct scheduler *s, struct stream *stream)
{
	if (stream->bytes.size + RECORD_BYTES > BATCH_BYTES)
		writer_flush(s, stream);
	if (stream->bytes.size != 0)
		return;
	/* Its first event is one tick later, or more. */
	if (stream->ticks < writer_now(s) - 1)
		stream->ticks = writer_now(s) - 1;
	stream->start = stream->ticks;
	stream->sequence = stream->start_sequence = s->sequence;
	if (stream->kind != 0)
		builder_value(&stream->bytes, stream->kind);
}

/* -------------------------------------------------------------- clock -- */

uint64_t writer_now(const struct scheduler *s)
{
	return s->clock / s->encoder->unit;
}

void writer_after(struct scheduler *s, uint64_t ticks)
{
	if (writer_now(s) <= ticks)
		s->clock = (ticks + 1) * s->encoder->unit;
}

static void advance(struct scheduler *s)
{
	const struct encoder *e = s->encoder;
	uint64_t step = e->unit * e->step / s->options->processors;
	uint32_t ties = s->options->ties;

	if (ties == 0 || dice(s, ties) != 0)
		s->clock += 1 + dice(s, (uint32_t)(2 * step + 1));
	if (dice(s, PAUSE_ONE_IN) == 0)
		s->clock += e->unit * dice(s, (uint32_t)e->pause);
}

uint64_t writer_event(struct scheduler *s, struct stream *stream)
{
	uint64_t delta = 1;

	advance(s);
	writer_prepare(s, stream);
	/* The clock moves between two events of a stream. */
	if (writer_now(s) > stream->ticks)
		delta = writer_now(s) - stream->ticks;
	stream->ticks += delta;
	s->last = stream->ticks;
	s->events++;
	return delta;
}

/* ------------------------------------------------------------- values -- */

/* A stack's id. A few are much more frequent than the others. */
static uint64_t any_stack(struct scheduler *s)
{
	return 1 + dice(s, dice(s, STACKS) + 1);
}

static uint64_t value(struct scheduler *s, const struct happening *h,
		      char letter)
{
	switch (letter) {
	case 'a':
		return h->a;
	case 'b':
		return h->b;
	case 'n':
		return h->name;
	case 'g':
		return s->goroutines[h->g].id;
	case 'm':
		return thread_id(h->m);
	case 'p':
		return h->p;
	case 'o':
		return thread_id(s->processors[h->p].m);
	case 'G':
		return ++s->goroutines[h->g].sequence;
	case 'P':
		return ++s->processors[h->p].sequence;
	case 'C':
		return s->collector_sequence++;
	case 'N':
		return s->options->processors;
	case 's':
		return s->threads[h->m].g == NONE ? 0 : any_stack(s);
	case 'S':
		return any_stack(s);
	default:
		return 0;
	}
}

size_t writer_values(struct scheduler *s, const struct happening *h,
		     const char *letters, uint64_t *values)
{
	size_t n = 0;

	for (; letters[n] != '\0'; n++)
		values[n] = value(s, h, letters[n]);
	return n;
}

/* ------------------------------------------------------------- tables -- */

static const char *const packages[] = {"main",
				       "net/http",
				       "example.com/server/handler",
				       "example.com/server/internal/storage",
				       "encoding/json",
				       "database/sql",
				       "sync",
				       "bufio"};

static void function_name(char *name, size_t size, unsigned i)
{
	const char *package = packages[i % COUNT(packages)];

	if (i % 4 == 0)
		snprintf(name, size, "%s.function%u", package, i);
	else
		snprintf(name, size, "%s.(*Type%u).method%u.func%u", package,
			 i % 50, i, i % 3);
}

void writer_strings(const struct scheduler *s, struct builder *b,
		    unsigned first)
{
	char name[128];
	unsigned i;

	for (i = first; i < STRING_FUNCTIONS; i++)
		s->encoder->string(b, i, generator_names[i]);
	for (i = 0; i < FUNCTIONS; i++) {
		function_name(name, sizeof(name), i);
		s->encoder->string(b, STRING_FUNCTIONS + i, name);
	}
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/usr/src/%s/file%u.go",
			 packages[i % COUNT(packages)], i);
		s->encoder->string(b, STRING_FUNCTIONS + FUNCTIONS + i, name);
	}
}

static unsigned pick(uint64_t *state, unsigned limit)
{
	return (unsigned)random_below(state, limit);
}

void writer_stacks(const struct scheduler *s, struct builder *b)
{
	uint64_t state = s->options->seed * UINT64_C(2) + 1;
	struct builder_frame frames[FRAMES_MAX];
	unsigned id, count, i, function, line;

	for (id = 1; id <= STACKS; id++) {
		count = FRAMES_MIN + pick(&state, FRAMES_MAX - FRAMES_MIN + 1);
		for (i = 0; i < count; i++) {
			function = pick(&state, FUNCTIONS);
			line = pick(&state, 100);
			frames[i] = (struct builder_frame){
				.pc = 0x400000 + function * 0x200 + 4 * line,
				.function = STRING_FUNCTIONS + function,
				.file = STRING_FUNCTIONS + FUNCTIONS +
					function % FILES,
				.line = 1 + line,
			};
		}
		s->encoder->stack(b, id, frames, count);
	}
}
