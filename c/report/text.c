/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the greedy report and the dump as text. */
#include "report/text.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/*
 * Events of a dump have addresses, as in Go's memory: here, those that they
 * would have in one array.
 */
#define ADDRESS_BASE   0xc420000000u
#define ADDRESS_STRIDE 0x90u

/* From this version on events have threads. */
#define VERSION_THREADS 1022

/* Decimals of printf's %f. */
#define DECIMALS 6

/* The words and numbers of an event's line, without names. */
#define EVENT_LINE_MAX 512

_Static_assert(EVENT_LINE_MAX + 64 <= WRITER_RESERVE_MAX, "a line fits");

static char *put_bytes(char *to, const char *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Text that is a literal: its size is a constant. */
#define PUT(to, literal) put_bytes((to), (literal), sizeof(literal) - 1)

void gti_text_frame(struct writer *writer, const char *indent,
		    const struct gtrace_frame *frame, bool threads)
{
	char *to = writer_reserve(writer, 64);

	to = gti_put_text(to, indent);
	to = gti_put_decimal(to, frame->pc);
	*to++ = ' ';
	writer_commit(writer, to);
	write_string(writer, frame->function);
	gti_write_bytes(writer, " ", 1);
	write_string(writer, frame->file);
	to = writer_reserve(writer, 64);
	*to++ = ' ';
	to = threads ? gti_put_decimal(to, frame->line)
		     : gti_put_signed(to, (int64_t)frame->line);
	*to++ = '\n';
	writer_commit(writer, to);
}

static void write_strings(struct writer *writer, const char *indent,
			  const struct gtrace_string *strings, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		gti_write_bytes(writer, indent, strlen(indent));
		write_string(writer, strings[i]);
		gti_write_bytes(writer, "\n", 1);
	}
}

/* Appends LABEL, a literal, and VALUE. */
#define PUT_SIGNED(to, label, value)  gti_put_signed(PUT(to, label), (value))
#define PUT_DECIMAL(to, label, value) gti_put_decimal(PUT(to, label), (value))

static uint64_t arg(const struct gtrace_event *event, size_t number)
{
	return number < event->arg_count ? event->args[number] : 0;
}

/*
 * What both reports print of an event: from Ts to args2. Go 1.21 and older
 * print a goroutine as an unsigned number.
 */
static ALWAYS_INLINE char *
put_values(char *to, const struct gtrace_event *event, bool threads)
{
	to = PUT_SIGNED(to, " Ts: ", event->ts);
	if (threads)
		to = PUT_SIGNED(to, " M: ", event->m);
	to = PUT_SIGNED(to, " P: ", event->p);
	if (threads)
		to = PUT_SIGNED(to, " G: ", event->g);
	else
		to = PUT_DECIMAL(to, " G: ", (uint64_t)event->g);
	to = PUT_DECIMAL(to, " StkID: ", event->stack_id);
	to = PUT_DECIMAL(to, " args0: ", arg(event, 0));
	to = PUT_DECIMAL(to, " args1: ", arg(event, 1));
	return PUT_DECIMAL(to, " args2: ", arg(event, 2));
}

/* ---------------------------------------------------------------- greedy -- */

/* Whether the events of the trace have threads. */
static bool has_threads(const struct listed *listed)
{
	return listed->from->trace_version >= VERSION_THREADS;
}

static void write_walk(struct writer *writer, const struct gtrace_event *event)
{
	size_t i;

	if (event->walk_count == 0)
		return;
	gti_write_bytes(writer, "\t\t\t ", 4);
	for (i = 0; i < event->walk_count; i++) {
		if (i != 0)
			gti_write_bytes(writer, " -> ", 4);
		gti_write_bytes(writer, event->walk[i], strlen(event->walk[i]));
	}
	gti_write_bytes(writer, "\n", 1);
}

void gti_text_stack(struct writer *writer, const struct gtrace_event *event,
		    const struct listed *listed)
{
	bool threads = has_threads(listed);
	size_t i;

	write_walk(writer, event);
	for (i = 0; i < event->frame_count; i++)
		gti_text_frame(writer, "\t\t\t ", &event->frames[i], threads);
}

void gti_text_event(struct writer *writer, const struct gtrace_event *event,
		    const struct listed *listed)
{
	char *to = writer_reserve(writer, WRITER_RESERVE_MAX);

	to = PUT(to, "\t\t");
	to = gti_put_text(to, event->name);
	to = put_values(to, event, has_threads(listed));
	*to++ = '\n';
	writer_commit(writer, to);
	gti_text_stack(writer, event, listed);
	write_strings(writer, "\t\t\t ", event->strings, event->string_count);
}

/*
 * Seconds with six decimals, rounded as by printf(); the decimal point does not
 * depend on the locale.
 */
static char *put_seconds(char *to, int64_t ns)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "%f", (double)ns / 1e9);
	size_t whole = strspn(text, "-0123456789");

	to = put_bytes(to, text, whole);
	*to++ = '.';
	return put_bytes(to, text + size - DECIMALS, DECIMALS);
}

static char *put_duration(char *to, int64_t duration, bool in_ticks)
{
	to = gti_put_signed(to, duration);
	if (in_ticks)
		return PUT(to, " ticks\n");
	to = PUT(to, "ns -> ");
	to = put_seconds(to, duration);
	return PUT(to, "s \n");
}

/* Writes the NAME of a file, with ? in place of control characters. */
static void write_name(struct writer *writer, const char *name)
{
	struct utf8 text = utf8_of(name, strlen(name));

	while (gti_utf8_next(&text)) {
		/* A byte that is not UTF-8 stays as it is. */
		if (text.bad)
			gti_write_bytes(writer, text.next - 1, 1);
		else if (gti_utf8_is_hidden(&text))
			gti_write_bytes(writer, "?", 1);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
}

void gti_text_trace(struct writer *writer, const char *indent,
		    const char *trace)
{
	if (trace == NULL)
		return;
	gti_write_bytes(writer, indent, strlen(indent));
	gti_write_bytes(writer, "trace: ", 7);
	write_name(writer, trace);
	gti_write_bytes(writer, "\n", 1);
}

void gti_text_ends(struct writer *writer, const struct gtrace_slice *slice,
		   const struct listed *listed)
{
	static const char running[] =
		"\t\tstill running at the end of the trace\n";

	gti_text_trace(writer, "\t\t", listed->trace);
	gti_text_event(writer, &slice->start, listed);
	if (slice->still_running)
		gti_write_bytes(writer, running, sizeof(running) - 1);
	else
		gti_text_event(writer, &slice->end, listed);
}

void gti_text_slice(struct writer *writer, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;
	char *to = writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = put_duration(to, slice->duration, listed->from->in_ticks != 0);
	if (slice->on_cpu >= 0) {
		to = PUT_SIGNED(to, "\t\ton a CPU: ", slice->on_cpu);
		to = PUT_SIGNED(to, "ns preempted: ", slice->preempted);
		to = PUT_SIGNED(to, "ns asleep: ", slice->asleep);
		to = PUT(to, "ns\n");
	}
	writer_commit(writer, to);
	gti_text_ends(writer, slice, listed);
}

void gti_text_greedy_head(struct writer *writer, size_t count)
{
	char *to = writer_reserve(writer, WRITER_RESERVE_MAX);

	to = PUT(to, "finally the found toppest ");
	to = gti_put_decimal(to, count);
	to = PUT(to, " greedy goroutines info\n");
	writer_commit(writer, to);
}

/* ------------------------------------------------------------------ dump -- */

#define DUMP_INDENT "\t\t "

void gti_text_dump_stack(struct writer *writer,
			 const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		gti_text_frame(writer, DUMP_INDENT, &frames[i], true);
}

void gti_text_dump_old_stack(struct writer *writer,
			     const struct gtrace_frame *frames, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		gti_text_frame(writer, DUMP_INDENT, &frames[i], false);
}

void gti_text_dump_head(struct dump_text *dump)
{
	gti_write_bytes(dump->writer, "dump\n", 5);
}

static inline char *put_address(char *to, uint64_t number)
{
	if (number == 0)
		return PUT(to, "0x0");
	return gti_put_hex(to, ADDRESS_BASE + ADDRESS_STRIDE * number);
}

bool gti_text_dump_event(struct dump_text *dump,
			 const struct gtrace_event *event, uint64_t stack)
{
	struct writer *writer = dump->writer;
	char *to = writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = put_address(to, event->number);
	to = PUT_DECIMAL(to, " Off: ", event->offset);
	to = PUT_DECIMAL(to, " type: ", event->type);
	*to++ = ' ';
	to = gti_put_text(to, event->name);
	to = put_values(to, event, dump->threads);
	to = PUT(to, " link: ");
	to = put_address(to, event->link);
	to = PUT(to, " \n");
	writer_commit(writer, to);
	if (!stack_texts_write(&dump->stacks, writer, stack))
		return false;
	if (event->string_count != 0)
		write_strings(writer, DUMP_INDENT, event->strings,
			      event->string_count);
	return true;
}
