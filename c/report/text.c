/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the two reports as text. */
#include "report/text.h"

#include <stdio.h>
#include <string.h>

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

static void write_string(struct writer *writer, struct gtrace_string string)
{
	gti_write_bytes(writer, string.data, string.size);
}

void gti_text_frame(struct writer *writer, const char *indent,
		    const struct gtrace_frame *frame)
{
	char *to = gti_writer_reserve(writer, 64);

	to = gti_put_text(to, indent);
	to = gti_put_decimal(to, frame->pc);
	*to++ = ' ';
	writer_commit(writer, to);
	write_string(writer, frame->function);
	gti_write_bytes(writer, " ", 1);
	write_string(writer, frame->file);
	to = gti_writer_reserve(writer, 64);
	*to++ = ' ';
	to = gti_put_signed(to, frame->line);
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

static void write_event(struct writer *writer, const struct gtrace_event *event,
			bool threads)
{
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);
	size_t i;

	to = PUT(to, "\t\t");
	to = gti_put_text(to, event->name);
	to = put_values(to, event, threads);
	*to++ = '\n';
	writer_commit(writer, to);
	write_walk(writer, event);
	for (i = 0; i < event->frame_count; i++)
		gti_text_frame(writer, "\t\t\t ", &event->frames[i]);
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

static void write_slice(struct writer *writer, const struct gtrace_slice *slice,
			bool threads, bool in_ticks)
{
	static const char running[] =
		"\t\tstill running at the end of the trace\n";
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = put_duration(to, slice->duration, in_ticks);
	writer_commit(writer, to);
	write_event(writer, &slice->start, threads);
	if (slice->still_running)
		gti_write_bytes(writer, running, sizeof(running) - 1);
	else
		write_event(writer, &slice->end, threads);
}

void gti_text_greedy(struct writer *writer,
		     const struct gtrace_greedy_report *report)
{
	bool threads = report->trace_version >= VERSION_THREADS;
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);
	size_t i;

	to = PUT(to, "finally the found toppest ");
	to = gti_put_decimal(to, report->count);
	to = PUT(to, " greedy goroutines info\n");
	writer_commit(writer, to);
	for (i = 0; i < report->count; i++)
		write_slice(writer, report->slices[i], threads,
			    report->in_ticks != 0);
}

/* ---------------------------------------------------------------- stacks -- */

#define DUMP_INDENT "\t\t "

static size_t frame_size(const struct gtrace_frame *frame)
{
	return sizeof(DUMP_INDENT) + 2 * DECIMAL_MAX + 4 +
	       frame->function.size + frame->file.size;
}

static char *put_frame(char *to, const struct gtrace_frame *frame)
{
	to = PUT(to, DUMP_INDENT);
	to = gti_put_decimal(to, frame->pc);
	*to++ = ' ';
	to = put_bytes(to, frame->function.data, frame->function.size);
	*to++ = ' ';
	to = put_bytes(to, frame->file.data, frame->file.size);
	*to++ = ' ';
	to = gti_put_signed(to, frame->line);
	*to++ = '\n';
	return to;
}

/*
 * Makes the COUNT frames in TEXTS->frames into a text of the stack ID. Returns
 * false if there is no memory.
 */
static bool keep_text(struct stack_texts *texts, uint64_t id, size_t count,
		      size_t capacity)
{
	struct stack_text *text;
	char *to, *fit;
	size_t i;

	if (!gti_array_reserve(&texts->texts, sizeof(*text), texts->memory))
		return false;
	text = (struct stack_text *)texts->texts.items + texts->texts.count;
	text->bytes = gti_allocate(texts->memory, capacity + 1);
	if (text->bytes == NULL)
		return false;
	to = text->bytes;
	for (i = 0; i < count; i++)
		to = put_frame(to, &texts->frames[i]);
	text->size = (size_t)(to - text->bytes);
	fit = texts->memory->resize(texts->memory->context, text->bytes,
				    capacity + 1, text->size + 1);
	if (fit == NULL) {
		gti_release(texts->memory, text->bytes, capacity + 1);
		return false;
	}
	text->bytes = fit;
	texts->texts.count++;
	return gti_dictionary_set(&texts->known, id, texts->texts.count,
				  texts->memory);
}

/*
 * Whether a text of CAPACITY bytes can be kept, which may exist twice while it
 * is reallocated to its size.
 */
static bool fits(const struct stack_texts *texts, size_t capacity)
{
	return capacity <= (texts->budget - texts->used) / 2;
}

/* Writes a stack that has no text yet. */
static NOINLINE bool write_new_stack(struct writer *writer,
				     struct stack_texts *texts, uint64_t id)
{
	size_t count = texts->frames_of(texts->context, id, texts->frames);
	const struct stack_text *text;
	size_t capacity = 0, i;

	for (i = 0; i < count; i++)
		capacity += frame_size(&texts->frames[i]);
	if (!fits(texts, capacity) && texts->hits > texts->texts.count) {
		gti_stack_texts_free(texts);
		texts->used = 0;
		texts->hits = 0;
	}
	if (!fits(texts, capacity)) {
		for (i = 0; i < count; i++)
			gti_text_frame(writer, DUMP_INDENT, &texts->frames[i]);
		return true;
	}
	if (!keep_text(texts, id, count, capacity))
		return false;
	text = (struct stack_text *)texts->texts.items + texts->texts.count - 1;
	texts->used += text->size;
	gti_write_bytes(writer, text->bytes, text->size);
	return true;
}

static inline bool write_stack(struct writer *writer, struct stack_texts *texts,
			       uint64_t id)
{
	uint64_t number;
	const struct stack_text *text;

	if (id == 0)
		return true;
	number = dictionary_get(&texts->known, id);
	if (UNLIKELY(number == 0))
		return write_new_stack(writer, texts, id);
	text = (struct stack_text *)texts->texts.items + number - 1;
	texts->hits++;
	gti_write_bytes(writer, text->bytes, text->size);
	return true;
}

void gti_stack_texts_free(struct stack_texts *texts)
{
	const struct stack_text *items = texts->texts.items;
	size_t i;

	for (i = 0; i < texts->texts.count; i++)
		gti_release(texts->memory, items[i].bytes, items[i].size + 1);
	gti_array_free(&texts->texts, sizeof(*items), texts->memory);
	gti_dictionary_free(&texts->known, texts->memory);
}

/* ------------------------------------------------------------------ dump -- */

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
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);
	size_t i;

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
	for (i = 0; i < event->frame_count; i++)
		gti_text_frame(writer, DUMP_INDENT, &event->frames[i]);
	if (!write_stack(writer, &dump->stacks, stack))
		return false;
	if (event->string_count != 0)
		write_strings(writer, DUMP_INDENT, event->strings,
			      event->string_count);
	return true;
}
