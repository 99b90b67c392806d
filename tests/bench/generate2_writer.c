/* SPDX-License-Identifier: BSD-3-Clause */
/* generate2_writer.c - clock, batches and tables of a generated trace. */
#include "generate2.h"

#include <stdlib.h>
#include <string.h>

/* Data of a batch at most, and more than any record takes. */
#define BATCH_BYTES  ((size_t)65000)
#define RECORD_BYTES ((size_t)1024)

/* The clock that most releases have: nanoseconds / 64. */
#define TICKS_PER_SECOND 15625000
#define TICKS_AT_START   900000000
#define CLOCK_UNIT       1024

/* Ticks between two events of a busy processor, on average: 320 ns. */
#define TICKS_AN_EVENT 5

/* Now and then nothing happens for a while. */
#define PAUSE_ONE_IN 512
#define PAUSE_TICKS  800

#define FUNCTIONS  400
#define FILES      40
#define FRAMES_MIN 5
#define FRAMES_MAX 20

static const char *const names[STRING_FUNCTIONS] = {
	"",
	"GC sweep termination",
	"GC mark termination",
	"GC (dedicated)",
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
};

void *generate2_memory(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (memory == NULL) {
		fputs("generate: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* ------------------------------------------------------------ batches -- */

static void write_bytes(struct writer2 *w, const void *data, size_t size)
{
	if (fwrite(data, 1, size, w->options->out) == size)
		return;
	perror("generate");
	exit(1);
}

static void put(struct stream *s, uint64_t v)
{
	for (; v > 127; v >>= 7)
		s->bytes[s->size++] = (uint8_t)(v | 128);
	s->bytes[s->size++] = (uint8_t)v;
}

static void flush(struct writer2 *w, struct stream *s)
{
	uint8_t bytes[64];
	struct stream header = {.bytes = bytes};

	if (s->size == 0)
		return;
	put(&header, BYTE_BATCH);
	put(&header, w->generation);
	put(&header, s->m);
	put(&header, s->start);
	put(&header, s->size);
	write_bytes(w, bytes, header.size);
	write_bytes(w, s->bytes, s->size);
	s->size = 0;
}

static uint64_t now(const struct writer2 *w)
{
	return w->clock / CLOCK_UNIT;
}

/* Lets a batch have space for one more record. */
static void prepare(struct writer2 *w, struct stream *s)
{
	if (s->size + RECORD_BYTES > BATCH_BYTES)
		flush(w, s);
	if (s->size != 0)
		return;
	if (s->ticks < now(w))
		s->ticks = now(w);
	s->start = s->ticks;
	if (s->kind != 0)
		put(s, s->kind);
}

static void open_stream(struct stream *s, uint64_t m, uint8_t kind)
{
	*s = (struct stream){.m = m, .kind = kind};
	s->bytes = generate2_memory(BATCH_BYTES, 1);
}

/* ------------------------------------------------------------- tables -- */

static void write_string(struct writer2 *w, struct stream *s, uint64_t id,
			 const char *text)
{
	size_t length = strlen(text);

	prepare(w, s);
	put(s, BYTE_STRING);
	put(s, id);
	put(s, length);
	memcpy(s->bytes + s->size, text, length);
	s->size += length;
}

static void write_strings(struct writer2 *w)
{
	struct stream s;
	char name[128];
	unsigned i;

	open_stream(&s, UINT64_MAX, BYTE_STRINGS);
	for (i = 1; i < STRING_FUNCTIONS; i++)
		write_string(w, &s, i, names[i]);
	for (i = 0; i < FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "example.com/p%u.(*Type%u).m%u",
			 i % 16, i % 50, i);
		write_string(w, &s, STRING_FUNCTIONS + i, name);
	}
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/usr/src/example.com/file%u.go",
			 i);
		write_string(w, &s, STRING_FUNCTIONS + FUNCTIONS + i, name);
	}
	flush(w, &s);
	free(s.bytes);
}

/* The next of a sequence that is good enough to choose frames with. */
static unsigned next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*state >> 33);
}

static void write_stacks(struct writer2 *w)
{
	uint64_t state = w->options->seed;
	struct stream s;
	unsigned id, n, function, line;

	open_stream(&s, UINT64_MAX, BYTE_STACKS);
	for (id = 1; id <= STACKS; id++) {
		prepare(w, &s);
		n = FRAMES_MIN + next(&state) % (FRAMES_MAX - FRAMES_MIN + 1);
		put(&s, BYTE_STACK);
		put(&s, id);
		for (put(&s, n); n > 0; n--) {
			function = next(&state) % FUNCTIONS;
			line = next(&state) % 100;
			put(&s, 0x400000 + function * 0x200 + 4 * line);
			put(&s, STRING_FUNCTIONS + function);
			put(&s,
			    STRING_FUNCTIONS + FUNCTIONS + function % FILES);
			put(&s, 1 + line);
		}
	}
	flush(w, &s);
	free(s.bytes);
}

/* The batch that tells of the clock: a snapshot came with version 25. */
static void write_clock(struct writer2 *w)
{
	bool snapshot = w->options->version >= 25;
	uint64_t ns = now(w) * (1000000000 / TICKS_PER_SECOND);
	struct stream s;

	open_stream(&s, UINT64_MAX, snapshot ? BYTE_SYNC_BATCH : 0);
	prepare(w, &s);
	put(&s, BYTE_FREQUENCY);
	put(&s, TICKS_PER_SECOND);
	if (snapshot) {
		put(&s, BYTE_CLOCK_SNAPSHOT);
		put(&s, 1);
		put(&s, ns);
		put(&s, 1700000000 + ns / 1000000000);
		put(&s, ns % 1000000000);
	}
	flush(w, &s);
	free(s.bytes);
}

/* -------------------------------------------------------- generations -- */

void writer2_open(struct writer2 *w, const struct generate2_options *options,
		  uint32_t threads)
{
	char header[17];
	uint32_t i;

	*w = (struct writer2){
		.options = options,
		.stream_count = threads + 1,
		.clock = (uint64_t)TICKS_AT_START * CLOCK_UNIT,
		.step = CLOCK_UNIT * TICKS_AN_EVENT / options->processors + 1,
		.random = options->seed * 2 + 0x9e3779b97f4a7c15,
	};
	w->streams = generate2_memory(w->stream_count, sizeof(*w->streams));
	for (i = 0; i < threads; i++)
		open_stream(&w->streams[i], thread_id(i), 0);
	open_stream(&w->streams[threads], UINT64_MAX, 0);
	open_stream(&w->samples, UINT64_MAX, BYTE_CPU_SAMPLES);
	snprintf(header, sizeof(header), "go 1.%u trace", options->version);
	memset(header + 13, 0, 3);
	write_bytes(w, header, 16);
}

void writer2_begin(struct writer2 *w)
{
	w->generation++;
	if (w->options->version >= 25)
		write_clock(w);
}

void writer2_end(struct writer2 *w)
{
	const uint8_t end = BYTE_END_OF_GENERATION;
	uint32_t i;

	for (i = 0; i < w->stream_count; i++)
		flush(w, &w->streams[i]);
	flush(w, &w->samples);
	if (w->options->version < 25)
		write_clock(w);
	write_stacks(w);
	write_strings(w);
	if (w->options->version >= 26)
		write_bytes(w, &end, 1);
}

void writer2_close(struct writer2 *w)
{
	uint32_t i;

	for (i = 0; i < w->stream_count; i++)
		free(w->streams[i].bytes);
	free(w->samples.bytes);
	free(w->streams);
}

/* ------------------------------------------------------------- events -- */

/* Xorshift with a multiplication, of which the upper half is used. */
uint32_t writer2_random(struct writer2 *w, uint32_t limit)
{
	w->random ^= w->random >> 12;
	w->random ^= w->random << 25;
	w->random ^= w->random >> 27;
	return (uint32_t)((w->random * 0x2545f4914f6cdd1d) >> 32) % limit;
}

uint64_t writer2_stack(struct writer2 *w)
{
	return 1 + writer2_random(w, writer2_random(w, STACKS) + 1);
}

static void advance(struct writer2 *w)
{
	w->clock += 1 + writer2_random(w, (uint32_t)(2 * w->step));
	if (writer2_random(w, PAUSE_ONE_IN) == 0)
		w->clock +=
			(uint64_t)CLOCK_UNIT * writer2_random(w, PAUSE_TICKS);
}

void writer2_after(struct writer2 *w, uint64_t ticks)
{
	if (now(w) <= ticks)
		w->clock = (ticks + 1) * CLOCK_UNIT;
}

void writer2_event(struct writer2 *w, uint32_t index, const uint64_t *values,
		   size_t count)
{
	struct stream *s = &w->streams[index];
	uint64_t dt;
	size_t i;

	advance(w);
	prepare(w, s);
	/* The writers' clock moves between two events of a thread. */
	dt = now(w) > s->ticks ? now(w) - s->ticks : 1;
	s->ticks += dt;
	w->last = s->ticks;
	s->bytes[s->size++] = (uint8_t)values[0];
	put(s, dt);
	for (i = 1; i < count; i++)
		put(s, values[i]);
	w->events++;
}

void writer2_sample(struct writer2 *w, uint32_t index, uint64_t p, uint64_t g)
{
	struct stream *s = &w->samples;

	prepare(w, s);
	put(s, BYTE_CPU_SAMPLE);
	put(s, now(w));
	put(s, thread_id(index));
	put(s, p);
	put(s, g);
	put(s, writer2_stack(w));
}
