/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generator_v1.c - writes what happens in the format of Go 1.5 to 1.21: a
 * stream for each processor, and one for CPU samples.
 *
 * The sequence number of a goroutine is that which its next event will have.
 */
#include <string.h>

#include "builder.h"
#include "generator_scheduler.h"

/* Go 1.14 took the timers' goroutine away. */
#define VERSION_NO_TIMERS 1019
#define VERSION_LABELS    1008

/* How the runtime writes an event, from version SINCE on; see writer_values. */
static const struct form {
	uint8_t type; /* 0: not at all */
	uint16_t since;
	uint16_t changed;   /* the first version for which LETTERS holds */
	const char *before; /* up to then */
	const char *letters;
} forms[WHATS] = {
	[PROC_START] = {EV_PROC_START, 0, 0, "", "m"},
	[PROC_STOP] = {EV_PROC_STOP, 0, 0, "", ""},
	[CREATE] = {EV_GO_CREATE, 0, 0, "", "gSs"},
	[END] = {EV_GO_END, 0, 0, "", ""},
	[CALL] = {EV_GO_SYS_CALL, 0, 0, "", "s"},
	[FUTILE] = {EV_FUTILE_WAKEUP, 0, 0, "", ""},
	[STOP_BEGIN] = {EV_STW_START, 0, VERSION_STW_KIND, "", "a"},
	[STOP_END] = {EV_STW_DONE, 0, 0, "", ""},
	[GC_BEGIN] = {EV_GC_START, 0, VERSION_MERGED, "s", "Cs"},
	[GC_END] = {EV_GC_DONE, 0, 0, "", ""},
	[HEAP_GOAL] = {EV_HEAP_GOAL, 0, 0, "", "a"},
	[HEAP_ALLOC] = {EV_HEAP_ALLOC, 0, 0, "", "a"},
	[SWEEP_BEGIN] = {EV_GC_SWEEP_START, 0, 0, "", "s"},
	[SWEEP_END] = {EV_GC_SWEEP_DONE, 0, 1009, "", "ab"},
	[ASSIST_BEGIN] = {EV_GC_MARK_ASSIST_START, 1009, 0, "", "s"},
	[ASSIST_END] = {EV_GC_MARK_ASSIST_DONE, 1009, 0, "", ""},
	[TASK_BEGIN] = {EV_USER_TASK_CREATE, 1011, 0, "", "abns"},
	[TASK_END] = {EV_USER_TASK_END, 1011, 0, "", "as"},
	[REGION_BEGIN] = {EV_USER_REGION, 1011, 0, "", "gans"},
	[REGION_END] = {EV_USER_REGION, 1011, 0, "", "gans"},
	[LOG] = {EV_USER_LOG, 1011, 0, "", "ans"},
	[SAMPLE] = {EV_CPU_SAMPLE, 1019, 0, "", "apgS"},
};

/* Types by the reason to leave a processor. */
static const uint8_t reasons[] = {
	EV_GO_SCHED,      EV_GO_PREEMPT,    EV_GO_BLOCK,
	EV_GO_BLOCK_RECV, EV_GO_BLOCK_SEND, EV_GO_BLOCK_SELECT,
	EV_GO_BLOCK_SYNC, EV_GO_BLOCK_COND, EV_GO_BLOCK_NET,
	EV_GO_SLEEP,
};

/* Whether events have sequence numbers and none has a Local form. */
static bool is_old(const struct scheduler *s)
{
	return s->options->version < VERSION_MERGED;
}

/* Makes string ID known in the stream of P, if it is not yet. */
static void know(struct scheduler *s, uint32_t p, unsigned id)
{
	if (id == 0 || (s->strings >> id & 1) != 0)
		return;
	s->strings |= (uint64_t)1 << id;
	writer_prepare(s, &s->streams[p]);
	builder_string(&s->streams[p].bytes, id, generator_names[id]);
}

/* An event of stream INDEX; VALUES begins with the place for its time. */
static void put_event(struct scheduler *s, uint32_t index, unsigned type,
		      uint64_t *values, size_t count)
{
	struct stream *stream = &s->streams[index];

	writer_after(s, stream->ticks);
	values[0] = writer_event(s, stream);
	stream->bytes.sequence_step = ++s->sequence - stream->sequence;
	stream->sequence = s->sequence;
	builder_event(&stream->bytes, type, values, count);
}

static void put(struct scheduler *s, uint32_t index, const struct happening *h,
		unsigned type, const char *letters)
{
	uint64_t values[8];
	size_t n = 1 + writer_values(s, h, letters, values + 1);

	put_event(s, index, type, values, n);
}

/*
 * An event that the goroutine's state and sequence number order: TYPE with the
 * number, or LOCAL without, if it was on the processor before.
 */
static void put_ordered(struct scheduler *s, const struct happening *h,
			unsigned type, unsigned local, const char *letters)
{
	struct goroutine *g = &s->goroutines[h->g];
	uint64_t values[8] = {0, g->id};
	size_t n = 2;

	if (!is_old(s) && local != 0 && g->p == h->p)
		type = local;
	else if (!is_old(s) || type == EV_GO_SYS_EXIT)
		values[n++] = g->sequence;
	n += writer_values(s, h, letters, values + n);
	put_event(s, h->p, type, values, n);
	g->sequence++;
	g->p = h->p;
}

/* The end of a system call is written when its goroutine starts again. */
static void start(struct scheduler *s, const struct happening *h)
{
	struct goroutine *g = &s->goroutines[h->g];
	struct happening exit = *h;

	if (g->returns) {
		exit.a = g->ticks;
		put_ordered(s, &exit, EV_GO_SYS_EXIT, 0, "a");
		g->returns = false;
	}
	if (h->name == 0 || s->options->version < VERSION_LABELS) {
		put_ordered(s, h, EV_GO_START, EV_GO_START_LOCAL, "");
	} else {
		know(s, h->p, h->name);
		put_ordered(s, h, EV_GO_START_LABEL, 0, "n");
	}
}

/*
 * The call has ended now or, where no sequence number says when, some time
 * after its processor was taken away. Ticks 0 are those of the event that says
 * so.
 */
static void come_back(struct scheduler *s, const struct happening *h)
{
	struct goroutine *g = &s->goroutines[h->g];
	uint64_t since = writer_now(s) - g->ticks;

	g->returns = true;
	if (h->p != NONE)
		g->ticks = 0;
	else if (is_old(s))
		g->ticks = writer_now(s);
	else
		g->ticks += dice(s, (uint32_t)since + 1);
	if (is_old(s))
		g->sequence = ++s->sequence;
}

/* All events whose values are those of the forms. */
static void put_form(struct scheduler *s, const struct happening *h)
{
	const struct form *form = &forms[h->what];
	struct builder *b = &s->streams[h->p].bytes;
	unsigned version = s->options->version;

	if (form->type == 0 || version < form->since)
		return;
	know(s, h->p, h->what == STOP_BEGIN ? 0 : h->name);
	put(s, h->what == SAMPLE ? s->options->processors : h->p, h, form->type,
	    version < form->changed ? form->before : form->letters);
	if (h->what != LOG)
		return;
	builder_value(b, strlen(generator_names[h->b]));
	builder_bytes(b, generator_names[h->b], strlen(generator_names[h->b]));
}

/* With A, which depends on the time or the version. */
static void put_with(struct scheduler *s, const struct happening *h, uint64_t a)
{
	struct happening with = *h;

	with.a = a;
	put_form(s, &with);
}

static void v1_event(struct scheduler *s, const struct happening *h)
{
	switch (h->what) {
	case PROC_STEAL:
		put(s, h->p, h, EV_GO_SYS_BLOCK, "");
		s->goroutines[h->g].ticks = s->last;
		put(s, h->p, h, EV_PROC_STOP, "");
		break;
	case START:
		start(s, h);
		break;
	case BLOCK:
		put(s, h->p, h, reasons[h->name - STRING_GOSCHED], "s");
		break;
	case UNBLOCK:
		put_ordered(s, h, EV_GO_UNBLOCK, EV_GO_UNBLOCK_LOCAL, "s");
		break;
	case CALL_RETURN:
		come_back(s, h);
		break;
	case STOP_BEGIN:
		writer_after(s, writer_now(s));
		put_with(s, h, h->a + (s->options->version >= 1021));
		break;
	case STOP_END:
		put(s, h->p, h, EV_GOMAXPROCS, "Ns");
		put_form(s, h);
		break;
	case SAMPLE:
		writer_after(s, writer_now(s));
		put_with(s, h, writer_now(s));
		break;
	case CREATE:
		put_form(s, h);
		s->goroutines[h->g].sequence = 1;
		s->goroutines[h->g].p = h->p;
		break;
	default:
		put_form(s, h);
		break;
	}
}

/* Processor 0 tells of all goroutines that there are. */
static void v1_begin(struct scheduler *s)
{
	struct happening h = {.what = CREATE};
	struct goroutine *g = s->goroutines;

	s->end_of_generation = UINT64_MAX;
	for (; g->status != G_NONE; g++, h.g++) {
		v1_event(s, &h);
		if (g->status == G_RUNNABLE)
			continue;
		put(s, 0, &h,
		    g->status == G_WAITING ? EV_GO_WAITING : EV_GO_IN_SYSCALL,
		    "g");
		g->sequence++;
		g->ticks = s->last;
	}
}

static void v1_open(struct scheduler *s)
{
	uint32_t i;

	writer_open(s, s->options->processors + 1);
	for (i = 0; i < s->options->processors; i++)
		s->streams[i].owner = i;
}

static void v1_batch(struct scheduler *s, const struct stream *stream,
		     struct builder *header)
{
	if (is_old(s))
		BUILDER_RECORD(header, EV_BATCH, stream->owner,
			       stream->start_sequence, stream->start);
	else
		builder_batch(header, stream->owner, stream->start);
}

static void v1_end(struct scheduler *s)
{
	const uint64_t timers[] = {2, 0};
	struct builder tail;
	uint32_t i;

	for (i = 0; i < s->stream_count; i++)
		writer_flush(s, &s->streams[i]);
	builder_open(&tail, s->options->version);
	builder_frequency(&tail, s->encoder->ticks_per_second);
	if (s->options->goroutines > 1 &&
	    s->options->version < VERSION_NO_TIMERS)
		builder_record(&tail, EV_TIMER_GOROUTINE, timers,
			       is_old(s) ? 2 : 1);
	/* Before 1007 stacks are program counters and there are no strings. */
	if (!is_old(s))
		writer_strings(s, &tail, STRING_FUNCTIONS);
	writer_stacks(s, &tail);
	writer_write(s, &tail);
	builder_close(&tail);
}

/* A counter that ticks every 25 ns, as a divided processor clock does. */
const struct encoder generator_v1 = {
	.ticks_per_second = 40000000,
	.first_ticks = 5000000,
	.step = 30,
	.pause = 2000,
	.unit = 1,
	.open = v1_open,
	.begin = v1_begin,
	.end = v1_end,
	.event = v1_event,
	.batch = v1_batch,
	.string = builder_string,
	.stack = builder_stack,
};
