/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_test.c - sums in ticks as text, and a dump that has a stack more than
 * once; records_test.c has the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/strings.h"
#include "report/stack_texts.h"
#include "report/text.h"
#include "tests/written.h"

static void test_sums_in_ticks(void **state)
{
	static const struct gtrace_stop_kind kind = {.kind = STRING("GC"),
						     .count = 1,
						     .measured = 1,
						     .stopping = 2500,
						     .median = 2500,
						     .p99 = 2500,
						     .max = 2500,
						     .stopped = 3500,
						     .total = 4500};
	struct gtrace_stop_report report = {
		.measured = 1, .inferred = 1, .kinds = &kind, .kind_count = 1};
	struct sentence to;

	(void)state;
	begin();
	to = gti_sentence_to(&writer, LOOK_EXACT, true);
	gti_text_stops_sums(&to, &report);
	expect("stops of the world: 1 measured, 0 not measured, 1 inferred\n"
	       "kind (times in ticks)         stops       stopping         "
	       "median            p99            max        stopped          "
	       "total\n"
	       "GC                                1           2500           "
	       "2500           2500           2500           3500           "
	       "4500\n");
}

/* Lines of 80 columns, which end neither in a number nor before its unit. */
static void test_lines(void **state)
{
	(void)state;
	begin();
	gti_table_lines(
		&writer,
		string_of("goroutines waited for a processor for 45.3 s, 53 % "
			  "of the time that there was: 123 456 waits, the "
			  "longest of them a wait of 369 ms, at 1.00 s"));
	expect("goroutines waited for a processor for 45.3 s, 53 % of the time "
	       "that there was:\n"
	       "123 456 waits, the longest of them a wait of 369 ms, at 1.00 "
	       "s\n");
	begin();
	gti_table_lines(
		&writer,
		string_of("goroutines waited for a processor for 45.3 s, 53 % "
			  "of the time there was: 5 810 waits"));
	expect("goroutines waited for a processor for 45.3 s, 53 % of the time "
	       "there was:\n5 810 waits\n");
}

/* Stack 8 has a frame, all others none. Counts how often it is asked. */
static size_t frames_of(void *context, uint64_t id, struct gtrace_frame *frames)
{
	static const struct gtrace_frame frame = {1, STRING("f"), STRING("g"),
						  2};

	++*(unsigned *)context;
	frames[0] = frame;
	return id == 8;
}

static void test_dump(void **state)
{
	static const uint64_t args[] = {6, 7, 8};
	static const struct gtrace_string strings[] = {STRING("key"),
						       STRING("")};
	struct gtrace_frame room[1];
	unsigned asked = 0, i;
	struct stack_texts stacks = {
		.bytes.memory = &memory,
		.frames_of = frames_of,
		.context = &asked,
		.frames = room,
		.budget = 1000,
	};
	bool failed = false;
	struct line line = {
		.writer = &writer,
		.stacks = &stacks,
		.stack = 8,
		.failed = &failed,
	};
	struct gtrace_event event = {
		.number = 2,
		.offset = 99,
		.type = 48,
		.name = "UserLog",
		.ts = -12,
		.p = 4,
		.g = 5,
		.stack_id = 8,
		.args = args,
		.arg_count = 3,
		.link = 3,
		.strings = strings,
		.string_count = 2,
	};

	(void)state;
	begin();
	gti_text_dump_event(&line, &event);
	event.string_count = 0;
	event.link = 0;
	gti_text_dump_event(&line, &event);
	event.stack_id = line.stack = 9;
	for (i = 0; i < 2; i++)
		gti_text_dump_event(&line, &event);
	assert_false(failed);
	gti_stack_texts_free(&stacks);
	expect("\t0xc420000120 Off: 99 type: 48 UserLog Ts: -12 P: 4 G: 5 "
	       "StkID: 8 args0: 6 args1: 7 args2: 8 link: 0xc4200001b0 \n"
	       "\t\t 1 f g 2\n"
	       "\t\t key\n"
	       "\t\t \n"
	       "\t0xc420000120 Off: 99 type: 48 UserLog Ts: -12 P: 4 G: 5 "
	       "StkID: 8 args0: 6 args1: 7 args2: 8 link: 0x0 \n"
	       "\t\t 1 f g 2\n"
	       "\t0xc420000120 Off: 99 type: 48 UserLog Ts: -12 P: 4 G: 5 "
	       "StkID: 9 args0: 6 args1: 7 args2: 8 link: 0x0 \n"
	       "\t0xc420000120 Off: 99 type: 48 UserLog Ts: -12 P: 4 G: 5 "
	       "StkID: 9 args0: 6 args1: 7 args2: 8 link: 0x0 \n");
	/* Once for stack 8, and once for stack 9, whose empty text is kept. */
	assert_int_equal(asked, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_in_ticks),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
