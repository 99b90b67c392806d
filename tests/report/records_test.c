/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records_test.c - slices, stop-the-world pauses and events in each format, to
 * the byte: tests/report/records.txt, .json and .csv have what is expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/fields.h"
#include "report/stack_texts.h"
#include "report/text.h"
#include "tests/files.h"
#include "tests/written.h"

#include "tests/report/records.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Writes LISTED by FIELDS, or as text. */
static void write_item(const struct listed *listed, int format,
		       const struct field *fields, item_text *text)
{
	struct line line = listed->line;
	struct sentence to =
		gti_sentence_to(&writer, LOOK_EXACT, line.in_ticks);

	line.writer = &writer;
	line.format = format;
	line.has_record = true;
	if (format == GTRACE_FORMAT_TEXT)
		text(&to, listed);
	else
		gti_write_line(&line, fields, listed->item);
}

static void write_lists(int format)
{
	const struct line head = {
		.writer = &writer, .format = format, .has_record = true};
	size_t i;

	gti_write_line_head(&head, gti_slice_fields);
	for (i = 0; i < COUNT(listed_slices); i++)
		write_item(&listed_slices[i], format, gti_slice_fields,
			   gti_text_slice);
	gti_write_line_head(&head, gti_stop_fields);
	for (i = 0; i < COUNT(listed_stops); i++)
		write_item(&listed_stops[i], format, gti_stop_fields,
			   gti_text_stop);
}

static size_t frames_of(void *context, uint64_t stack, struct gtrace_frame *to)
{
	(void)context;
	assert_int_equal(stack, 77);
	to[0] = frames[0];
	return 1;
}

/* What is expected of each format. */
static const char *const expected[] = {
	"tests/report/records.txt",
	"tests/report/records.json",
	"tests/report/records.csv",
};

/* Only JSON and CSV write an event's own frames. */
static void write_event(struct line *line, const struct gtrace_event *event,
			uint64_t stack)
{
	line->stack = stack;
	if (line->format != GTRACE_FORMAT_TEXT)
		gti_write_line(line, gti_event_fields, event);
	else if (event->frame_count == 0)
		gti_text_dump_event(line, event);
	assert_false(*line->failed);
}

static void write_events(int format)
{
	struct gtrace_frame buffer[2];
	struct stack_texts stacks = {
		.bytes.memory = &memory,
		.frames_of = frames_of,
		.frames = buffer,
		.budget = 1 << 16,
	};
	bool failed = false;
	struct line line = {
		.writer = &writer,
		.format = format,
		.trace = "t",
		.stacks = &stacks,
		.failed = &failed,
	};

	gti_write_line_head(&line, gti_event_fields);
	write_event(&line, &events[0], 77);
	line.trace = NULL;
	line.in_ticks = true;
	write_event(&line, &events[1], 0);
	write_event(&line, &events[2], 77);
	write_event(&line, &events[2], 0);
	gti_stack_texts_free(&stacks);
}

/* Of a text with a difference so many bytes are shown, some before it. */
#define SHOWN        80
#define SHOWN_BEFORE 30

static int shown(size_t from, size_t size)
{
	return size - from < SHOWN ? (int)(size - from) : SHOWN;
}

/* What is written is not what FILE has, the SIZE bytes at WANT. */
static void fail_at_difference(const char *file, const char *want, size_t size)
{
	size_t at = 0, line = 1, from;

	for (; at < size && at < got.size && want[at] == got.bytes[at]; at++)
		line += want[at] == '\n';
	from = at < SHOWN_BEFORE ? 0 : at - SHOWN_BEFORE;
	fail_msg("%s, byte %zu, in line %zu: written:\n%.*s\nexpected:\n%.*s",
		 file, at, line, shown(from, got.size), got.bytes + from,
		 shown(from, size), want + from);
}

static void test_records(void **state)
{
	uint8_t *want;
	size_t size;
	int format;

	(void)state;
	for (format = 0; format < (int)COUNT(expected); format++) {
		begin();
		write_lists(format);
		write_events(format);
		assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
		want = read_file(expected[format], &size);
		if (got.size != size || memcmp(got.bytes, want, size) != 0)
			fail_at_difference(expected[format], (const char *)want,
					   size);
		free(want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
