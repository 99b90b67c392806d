/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator_v2.c - writes what happens in the format of Go 1.22 and later: a
 * stream for each thread, one for no thread, and one for CPU samples.
 *
 * Each processor and goroutine has a status event before its first other event
 * in a generation. Sequence numbers begin again with it.
 *
 * Threads have events at the same time, but an event that must wait for another
 * thread's is later than that: with more than 12 threads, Go's reader does not
 * try all of those that have the same time.
 */
#include <string.h>

#include "generator_scheduler.h"
#include "v2/table.h"

#define VERSION_SYNC 1025 /* a batch with the clock comes first */
#define VERSION_END  1026 /* a generation has an end */

/* As the format has them. */
enum p_status { P_RUNNING = 1, P_IDLE, P_SYSCALL, P_ABANDONED };

/* For whose last event an event waits. */
enum { NOBODY, PROCESSOR, GOROUTINE, COLLECTOR };

/* How the runtime writes an event; see writer_values. */
static const struct form {
	uint8_t type;
	uint8_t waits;
	const char *letters;
} forms[WHATS] = {
	[PROC_START] = {BYTE_PROC_START, PROCESSOR, "pP"},
	[PROC_STOP] = {BYTE_PROC_STOP, NOBODY, ""},
	[PROC_STEAL] = {BYTE_PROC_STEAL, PROCESSOR, "pPo"},
	[CREATE] = {BYTE_GO_CREATE, NOBODY, "gSs"},
	[START] = {BYTE_GO_START, GOROUTINE, "gG"},
	[BLOCK] = {BYTE_GO_BLOCK, NOBODY, "ns"},
	[END] = {BYTE_GO_DESTROY, NOBODY, ""},
	[UNBLOCK] = {BYTE_GO_UNBLOCK, GOROUTINE, "gGs"},
	[CALL] = {BYTE_GO_SYSCALL_BEGIN, NOBODY, "Ps"},
	[CALL_END] = {BYTE_GO_SYSCALL_END, NOBODY, ""},
	[CALL_RETURN] = {BYTE_GO_SYSCALL_END_BLOCKED, GOROUTINE, ""},
	[STOP_BEGIN] = {BYTE_STW_BEGIN, NOBODY, "ns"},
	[STOP_END] = {BYTE_STW_END, NOBODY, ""},
	[GC_BEGIN] = {BYTE_GC_BEGIN, COLLECTOR, "Cs"},
	[GC_END] = {BYTE_GC_END, COLLECTOR, "C"},
	[HEAP_GOAL] = {BYTE_HEAP_GOAL, NOBODY, "a"},
	[HEAP_ALLOC] = {BYTE_HEAP_ALLOC, NOBODY, "a"},
	[SWEEP_BEGIN] = {BYTE_GC_SWEEP_BEGIN, NOBODY, "s"},
	[SWEEP_END] = {BYTE_GC_SWEEP_END, NOBODY, "ab"},
	[ASSIST_BEGIN] = {BYTE_GC_MARK_ASSIST_BEGIN, NOBODY, "s"},
	[ASSIST_END] = {BYTE_GC_MARK_ASSIST_END, NOBODY, ""},
	[TASK_BEGIN] = {BYTE_USER_TASK_BEGIN, NOBODY, "abns"},
	[TASK_END] = {BYTE_USER_TASK_END, NOBODY, "as"},
	[REGION_BEGIN] = {BYTE_USER_REGION_BEGIN, NOBODY, "0ns"},
	[REGION_END] = {BYTE_USER_REGION_END, NOBODY, "0ns"},
	[LOG] = {BYTE_USER_LOG, NOBODY, "anbs"},
};

/* ------------------------------------------------------------- events -- */

static void put_values(struct builder *b, const uint64_t *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		builder_value(b, values[i]);
}

#define PUT(b, ...)                                                            \
	put_values(b, (const uint64_t[]){__VA_ARGS__},                         \
		   sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* An event of stream INDEX. */
static void put(struct scheduler *s, uint32_t index, const struct happening *h,
		unsigned type, const char *letters)
{
	struct stream *stream = &s->streams[index];
	uint64_t values[8] = {type};
	size_t n = 2 + writer_values(s, h, letters, values + 2);

	values[1] = writer_event(s, stream);
	put_values(&stream->bytes, values, n);
}

/* Stream INDEX tells the status of P, if none has in this generation. */
static void tell_processor(struct scheduler *s, uint32_t index, uint32_t p)
{
	struct processor *processor = &s->processors[p];
	struct happening h = {.a = p, .b = P_RUNNING};

	if (processor->generation == s->generation)
		return;
	processor->generation = s->generation;
	processor->sequence = 0;
	if (processor->m == NONE)
		h.b = P_IDLE;
	else if (processor->system_call)
		h.b = processor->m == index ? P_SYSCALL : P_ABANDONED;
	put(s, index, &h, BYTE_PROC_STATUS, "ab");
}

static void tell_goroutine(struct scheduler *s, uint32_t index, uint32_t g)
{
	struct goroutine *goroutine = &s->goroutines[g];
	struct happening h = {.g = g, .a = UINT64_MAX, .b = goroutine->status};

	if (goroutine->generation == s->generation)
		return;
	goroutine->generation = s->generation;
	goroutine->sequence = 0;
	if (h.b == G_RUNNING || h.b == G_SYSCALL)
		h.a = thread_id(goroutine->m);
	put(s, index, &h, BYTE_GO_STATUS, "gab");
}

/* Thread M tells what it is bound to, before any other event. */
static void tell(struct scheduler *s, uint32_t m)
{
	const struct thread *t = &s->threads[m];

	if (t->p != NONE)
		tell_processor(s, m, t->p);
	if (t->g != NONE)
		tell_goroutine(s, m, t->g);
}

/* What comes early in each generation, from a goroutine that runs. */
static void announce(struct scheduler *s, const struct happening *h)
{
	uint32_t g = s->threads[h->m].g;

	if (s->announced || g == NONE || s->goroutines[g].status != G_RUNNING)
		return;
	s->announced = true;
	put(s, h->m, h, BYTE_PROCS_CHANGE, "Ns");
	if (s->marking)
		put(s, h->m, h, BYTE_GC_ACTIVE, "C");
	s->collector_ticks = s->last;
}

/* The events that H waits for, so that it is later. */
static void wait_for(struct scheduler *s, const struct happening *h)
{
	switch (forms[h->what].waits) {
	case PROCESSOR:
		tell_processor(s, h->m, h->p);
		writer_after(s, s->processors[h->p].ticks);
		break;
	case GOROUTINE:
		tell_goroutine(s, h->m, h->g);
		writer_after(s, s->goroutines[h->g].ticks);
		break;
	case COLLECTOR:
		writer_after(s, s->collector_ticks);
		break;
	default:
		break;
	}
}

/* H, which was written last, is what others wait for. */
static void remember(struct scheduler *s, const struct happening *h)
{
	if (h->p != NONE)
		s->processors[h->p].ticks = s->last;
	if (h->g != NONE)
		s->goroutines[h->g].ticks = s->last;
	if (h->what == CREATE)
		s->goroutines[h->g].generation = s->generation;
	if (forms[h->what].waits == COLLECTOR)
		s->collector_ticks = s->last;
}

static void put_sample(struct scheduler *s, const struct happening *h)
{
	struct stream *samples = &s->streams[s->thread_count + 1];
	uint64_t values[4];
	size_t n = writer_values(s, h, "mpgS", values);

	writer_prepare(s, samples);
	PUT(&samples->bytes, BYTE_CPU_SAMPLE, writer_now(s));
	put_values(&samples->bytes, values, n);
}

static void v2_event(struct scheduler *s, const struct happening *h)
{
	unsigned type = forms[h->what].type;

	if (h->what == SAMPLE) {
		put_sample(s, h);
		return;
	}
	if (h->name == STRING_GOSCHED || h->name == STRING_PREEMPTED)
		type = BYTE_GO_STOP;
	tell(s, h->m);
	announce(s, h);
	wait_for(s, h);
	put(s, h->m, h, type, forms[h->what].letters);
	remember(s, h);
	if (h->what == START && h->name != 0)
		put(s, h->m, h, BYTE_GO_LABEL, "n");
}

/* ------------------------------------------------------------- tables -- */

static uint64_t v2_string(struct builder *b, uint64_t id, const char *text)
{
	uint64_t offset = builder_offset(b);

	PUT(b, BYTE_STRING, id, strlen(text));
	builder_bytes(b, text, strlen(text));
	return offset;
}

static uint64_t v2_stack(struct builder *b, uint64_t id,
			 const struct builder_frame *frames, size_t count)
{
	uint64_t offset = builder_offset(b);
	size_t i;

	PUT(b, BYTE_STACK, id, count);
	for (i = 0; i < count; i++)
		PUT(b, frames[i].pc, frames[i].function, frames[i].file,
		    frames[i].line);
	return offset;
}

/* The clock, and since version 1025 what it is at a time of the calendar. */
static void put_clock(const struct scheduler *s, struct builder *b)
{
	uint64_t frequency = s->encoder->ticks_per_second;
	uint64_t ns = writer_now(s) * (1000000000 / frequency);

	PUT(b, BYTE_FREQUENCY, frequency);
	if (s->options->version >= VERSION_SYNC)
		PUT(b, BYTE_CLOCK_SNAPSHOT, 1, ns, 1700000000 + ns / 1000000000,
		    ns % 1000000000);
}

static void write_table(struct scheduler *s, uint8_t kind)
{
	struct stream table = {.owner = UINT64_MAX, .kind = kind};

	builder_open(&table.bytes, s->options->version);
	writer_prepare(s, &table);
	if (kind == BYTE_STACKS)
		writer_stacks(s, &table.bytes);
	else if (kind == BYTE_STRINGS)
		writer_strings(s, &table.bytes, 1);
	else
		put_clock(s, &table.bytes);
	writer_flush(s, &table);
	builder_close(&table.bytes);
}

/* -------------------------------------------------------- generations -- */

static void v2_open(struct scheduler *s)
{
	uint32_t i;

	writer_open(s, s->thread_count + 2);
	for (i = 0; i < s->stream_count; i++)
		s->streams[i].owner =
			i < s->thread_count ? thread_id(i) : UINT64_MAX;
	s->streams[s->thread_count + 1].kind = BYTE_CPU_SAMPLES;
}

static void v2_batch(struct scheduler *s, const struct stream *stream,
		     struct builder *header)
{
	PUT(header, BYTE_BATCH, s->generation, stream->owner, stream->start,
	    stream->bytes.size);
}

static void v2_begin(struct scheduler *s)
{
	uint64_t events = s->options->generation;

	s->end_of_generation = events == 0 ? UINT64_MAX : s->events + events;
	s->announced = false;
	s->generation++;
	if (s->options->version >= VERSION_SYNC)
		write_table(s, BYTE_SYNC_BATCH);
}

/* Those that did nothing in this generation get their status at its end. */
static void v2_end(struct scheduler *s)
{
	const uint8_t end = BYTE_END_OF_GENERATION;
	uint32_t i;

	for (i = 0; i < s->thread_count; i++)
		tell(s, i);
	for (i = 0; i < s->goroutine_count; i++)
		if (s->goroutines[i].status != G_NONE)
			tell_goroutine(s, s->thread_count, i);
	for (i = 0; i < s->stream_count; i++)
		writer_flush(s, &s->streams[i]);
	if (s->options->version < VERSION_SYNC)
		write_table(s, 0);
	write_table(s, BYTE_STACKS);
	write_table(s, BYTE_STRINGS);
	if (s->options->version >= VERSION_END)
		s->options->write(s->options->context, &end, 1);
}

/* The clock that most releases have: nanoseconds / 64. */
const struct encoder generator_v2 = {
	.ticks_per_second = 15625000,
	.first_ticks = 900000000,
	.step = 5,
	.pause = 800,
	.unit = 1024,
	.open = v2_open,
	.begin = v2_begin,
	.end = v2_end,
	.event = v2_event,
	.batch = v2_batch,
	.string = v2_string,
	.stack = v2_stack,
};
