/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the greedy report and the dump as text. */
#include "report/lists.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/stack_texts.h"

/*
 * Events of a dump have addresses, as in Go's memory: here, those that they
 * would have in one array.
 */
#define ADDRESS_BASE   0xc420000000u
#define ADDRESS_STRIDE 0x90u

/* What comes before frames and strings, in a report and in a dump. */
#define FRAME_INDENT "\t\t\t "
#define DUMP_INDENT  "\t\t "

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

/*
 * Writes frames: INDENT, program counter, function, file, line. Go 1.21 and
 * older, without THREADS, print a line as a signed number.
 */
static void write_frames(struct writer *writer, const char *indent,
			 const struct gtrace_frame *frames, size_t count,
			 bool threads)
{
	const struct gtrace_frame *frame = frames;
	char *to;

	for (; count-- != 0; frame++) {
		to = gti_put_text(writer_reserve(writer, 64), indent);
		to = gti_put_decimal(to, frame->pc);
		*to++ = ' ';
		writer_commit(writer, to);
		write_string(writer, frame->function);
		write_byte(writer, ' ');
		write_string(writer, frame->file);
		to = writer_reserve(writer, 64);
		*to++ = ' ';
		to = threads ? gti_put_decimal(to, frame->line)
			     : gti_put_signed(to, (int64_t)frame->line);
		*to++ = '\n';
		writer_commit(writer, to);
	}
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

static void write_walk(struct sentence *to, const struct gtrace_event *event)
{
	size_t i;

	for (i = 0; i < event->walk_count; i++)
		gti_say(to, i == 0 ? "\t\t\t %s" : " -> %s", event->walk[i]);
	if (event->walk_count != 0)
		gti_say(to, "\n");
}

void gti_text_stack(struct sentence *to, const struct gtrace_event *event,
		    const struct listed *listed)
{
	write_walk(to, event);
	write_frames(to->writer, FRAME_INDENT, event->frames,
		     event->frame_count, listed->line.has_threads);
}

void gti_text_frames(struct sentence *to, const struct gtrace_frame *frames,
		     size_t count)
{
	size_t i;

	if (to->look == LOOK_EXACT)
		write_frames(to->writer, FRAME_INDENT, frames, count, true);
	else
		for (i = 0; i < count; i++)
			gti_say(to, "\t\t%n %l\n", frames[i].function,
				&frames[i]);
}

void gti_text_g(struct sentence *to, int64_t g)
{
	gti_say(to, gti_is_exact(to) ? "G: %d" : "G%d", g);
}

void gti_text_where(struct sentence *to, int64_t g, int64_t time)
{
	gti_say(to, gti_is_exact(to) ? "G: %d Ts: %d" : "G%d at %t", g, time);
}

void gti_text_event(struct sentence *to, const struct gtrace_event *event,
		    const struct listed *listed)
{
	char *end = writer_reserve(to->writer, WRITER_RESERVE_MAX);

	end = PUT(end, "\t\t");
	end = gti_put_text(end, event->name);
	end = put_values(end, event, listed->line.has_threads);
	*end++ = '\n';
	writer_commit(to->writer, end);
	gti_text_stack(to, event, listed);
	write_strings(to->writer, FRAME_INDENT, event->strings,
		      event->string_count);
}

/*
 * Nanoseconds, and seconds with six decimals, rounded as by printf(); the
 * decimal point does not depend on the locale.
 */
static void write_duration(struct sentence *to, int64_t duration)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "%f", (double)duration / 1e9);
	struct gtrace_string whole = {text, strspn(text, "-0123456789")};

	if (to->in_ticks)
		gti_say(to, "\t%d ticks\n", duration);
	else
		gti_say(to, "\t%dns -> %S.%ss \n", duration, whole,
			text + size - DECIMALS);
}

void gti_text_name(struct writer *writer, const char *name)
{
	struct utf8 text = utf8_of(name, strlen(name));

	while (gti_utf8_next(&text)) {
		/* A byte that is not UTF-8 stays as it is. */
		if (text.bad)
			gti_write_bytes(writer, text.next - 1, 1);
		else if (gti_utf8_is_hidden(&text))
			gti_write_bytes(writer, UTF8_REPLACEMENT,
					sizeof(UTF8_REPLACEMENT) - 1);
		else
			gti_write_bytes(writer, text.at, text.size);
	}
}

void gti_text_trace(struct sentence *to, const char *indent, const char *trace)
{
	if (trace == NULL)
		return;
	gti_say(to, "%strace: ", indent);
	gti_text_name(to->writer, trace);
	gti_say(to, "\n");
}

void gti_text_ends(struct sentence *to, const struct gtrace_slice *slice,
		   const struct listed *listed)
{
	gti_text_trace(to, "\t\t", listed->line.trace);
	gti_text_event(to, &slice->start, listed);
	if (slice->still_running)
		gti_say(to, "\t\tstill running at the end of the trace\n");
	else
		gti_text_event(to, &slice->end, listed);
}

void gti_text_slice(struct sentence *to, const struct listed *listed)
{
	const struct gtrace_slice *slice = listed->item;

	write_duration(to, slice->duration);
	if (slice->on_cpu >= 0)
		gti_say(to, "\t\ton a CPU: %dns preempted: %dns asleep: %dns\n",
			slice->on_cpu, slice->preempted, slice->asleep);
	gti_text_ends(to, slice, listed);
}

const struct list gti_greedy_lists[] = {
	{
		LIST_REPORT(greedy),
		LIST_ITEMS(gtrace_greedy_report, slices, count),
		LIST_KEYS(gtrace_slice, duration, duration),
		.cpu_key = offsetof(struct gtrace_slice, on_cpu),
		.fields = gti_slice_fields,
		.text = gti_text_slice,
		.brief = gti_short_slice,
		.head = "finally the found toppest %d greedy goroutines info\n",
		.heads = {"no slice", "the longest slice",
			  "the %d longest slices"},
	},
	{.fields = NULL},
};

/* ------------------------------------------------------------------ dump -- */

void gti_text_dump_stack(const struct line *line,
			 const struct gtrace_frame *frames, size_t count)
{
	write_frames(line->writer, DUMP_INDENT, frames, count,
		     line->has_threads);
}

static inline char *put_address(char *to, uint64_t number)
{
	if (number == 0)
		return PUT(to, "0x0");
	return gti_put_hex(to, ADDRESS_BASE + ADDRESS_STRIDE * number);
}

void gti_text_dump_event(const struct line *line,
			 const struct gtrace_event *event)
{
	struct writer *writer = line->writer;
	char *to = writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = put_address(to, event->number);
	to = PUT_DECIMAL(to, " Off: ", event->offset);
	to = PUT_DECIMAL(to, " type: ", event->type);
	*to++ = ' ';
	to = gti_put_text(to, event->name);
	to = put_values(to, event, line->has_threads);
	to = PUT(to, " link: ");
	to = put_address(to, event->link);
	to = PUT(to, " \n");
	writer_commit(writer, to);
	stack_texts_write(line);
	write_strings(writer, DUMP_INDENT, event->strings, event->string_count);
}
