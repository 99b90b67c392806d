/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - the two reports as text. */
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/*
 * Events of a dump have addresses, as they had in Go's memory: here, those of
 * equal places in one array.
 */
#define ADDRESS_BASE   0xc420000000u
#define ADDRESS_STRIDE 0x90u

/* Decimals of printf's %f. */
#define DECIMALS 6

/* Words and numbers of an event's line, less the names. */
#define EVENT_LINE_MAX 512

_Static_assert(EVENT_LINE_MAX + 64 <= WRITER_RESERVE_MAX, "a line fits");

static char *put_bytes(char *to, const char *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* Text that is a literal: its size is known when this is compiled. */
#define PUT(to, literal) put_bytes((to), (literal), sizeof(literal) - 1)

static void write_string(struct writer *writer, struct gtrace_string string)
{
	gti_write_bytes(writer, string.data, string.size);
}

/* A frame: INDENT, program counter, function, file, line. */
static void write_frame(struct writer *writer, const char *indent,
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

/* What both reports say of an event: from Ts to args2. */
static inline char *put_values(char *to, int64_t ns, int64_t p, uint64_t g,
			       uint64_t stack_id, const uint64_t args[3])
{
	to = PUT(to, " Ts: ");
	to = gti_put_signed(to, ns);
	to = PUT(to, " P: ");
	to = gti_put_signed(to, p);
	to = PUT(to, " G: ");
	to = gti_put_decimal(to, g);
	to = PUT(to, " StkID: ");
	to = gti_put_decimal(to, stack_id);
	to = PUT(to, " args0: ");
	to = gti_put_decimal(to, args[0]);
	to = PUT(to, " args1: ");
	to = gti_put_decimal(to, args[1]);
	to = PUT(to, " args2: ");
	return gti_put_decimal(to, args[2]);
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

static void write_moment(struct writer *writer,
			 const struct gtrace_event *event)
{
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);
	size_t i;

	to = PUT(to, "\t\t");
	to = gti_put_text(to, event->name);
	to = put_values(to, event->ts, event->p, event->g, event->stack_id,
			event->args);
	*to++ = '\n';
	writer_commit(writer, to);
	write_walk(writer, event);
	for (i = 0; i < event->frame_count; i++)
		write_frame(writer, "\t\t\t ", &event->frames[i]);
	write_strings(writer, "\t\t\t ", event->strings, event->string_count);
}

/*
 * Seconds with six decimals, rounded as only printf does it; but a point is a
 * point in every locale.
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

static void write_slice(struct writer *writer, const struct gtrace_slice *slice)
{
	static const char running[] =
		"\t\tstill running at the end of the trace\n";
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = gti_put_signed(to, slice->duration);
	to = PUT(to, "ns -> ");
	to = put_seconds(to, slice->duration);
	to = PUT(to, "s \n");
	writer_commit(writer, to);
	write_moment(writer, &slice->start);
	if (slice->still_running)
		gti_write_bytes(writer, running, sizeof(running) - 1);
	else
		write_moment(writer, &slice->end);
}

void gti_text_greedy(struct writer *writer,
		     const struct gtrace_greedy_report *report)
{
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);
	size_t i;

	to = PUT(to, "finally the found toppest ");
	to = gti_put_decimal(to, report->count);
	to = PUT(to, " greedy goroutines info\n");
	writer_commit(writer, to);
	for (i = 0; i < report->count; i++)
		write_slice(writer, &report->slices[i]);
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
		      size_t room)
{
	struct stack_text *text;
	char *to, *fit;
	size_t i;

	if (!gti_array_reserve(&texts->texts, sizeof(*text), texts->memory))
		return false;
	text = (struct stack_text *)texts->texts.items + texts->texts.count;
	text->bytes = gti_allocate(texts->memory, room + 1);
	if (text->bytes == NULL)
		return false;
	to = text->bytes;
	for (i = 0; i < count; i++)
		to = put_frame(to, &texts->frames[i]);
	text->size = (size_t)(to - text->bytes);
	fit = texts->memory->resize(texts->memory->context, text->bytes,
				    room + 1, text->size + 1);
	if (fit == NULL) {
		gti_release(texts->memory, text->bytes, room + 1);
		return false;
	}
	text->bytes = fit;
	texts->texts.count++;
	return gti_dictionary_set(&texts->known, id, texts->texts.count,
				  texts->memory);
}

/* Writes a stack that has no text yet. */
static NOINLINE bool write_new_stack(struct writer *writer,
				     struct stack_texts *texts, uint64_t id)
{
	size_t count = texts->frames_of(texts->context, id, texts->frames);
	const struct stack_text *text;
	size_t room = 0, i;

	for (i = 0; i < count; i++)
		room += frame_size(&texts->frames[i]);
	/* While it is cut to size it may be there twice. */
	if (room > texts->budget / 2) {
		for (i = 0; i < count; i++)
			write_frame(writer, DUMP_INDENT, &texts->frames[i]);
		return true;
	}
	if (!keep_text(texts, id, count, room))
		return false;
	text = (struct stack_text *)texts->texts.items + texts->texts.count - 1;
	texts->budget -= text->size;
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

void gti_text_dump_head(struct writer *writer)
{
	gti_write_bytes(writer, "dump\n", 5);
}

static inline char *put_address(char *to, uint64_t ordinal)
{
	if (ordinal == 0)
		return PUT(to, "0x0");
	return gti_put_hex(to, ADDRESS_BASE + ADDRESS_STRIDE * ordinal);
}

bool gti_text_dump_event(struct writer *writer, struct stack_texts *texts,
			 const struct dump_event *dumped)
{
	const struct event *event = dumped->event;
	char *to = gti_writer_reserve(writer, WRITER_RESERVE_MAX);

	*to++ = '\t';
	to = put_address(to, event->ordinal);
	to = PUT(to, " Off: ");
	to = gti_put_decimal(to, event->offset);
	to = PUT(to, " type: ");
	to = gti_put_decimal(to, event->type);
	*to++ = ' ';
	to = gti_put_text(to, dumped->name);
	to = put_values(to, dumped->ns, event->p, event->g, dumped->stack_id,
			event->args);
	to = PUT(to, " link: ");
	to = put_address(to, dumped->link);
	to = PUT(to, " \n");
	writer_commit(writer, to);
	if (dumped->frame != NULL)
		write_frame(writer, DUMP_INDENT, dumped->frame);
	else if (!write_stack(writer, texts, dumped->stack_id))
		return false;
	if (dumped->string_count != 0)
		write_strings(writer, DUMP_INDENT, dumped->strings,
			      dumped->string_count);
	return true;
}
