/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_test.c - the text of both reports, to the byte, from results made by
 * hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "report/stops_text.h"
#include "report/text.h"
#include "tests/written.h"

static void write_greedy(const struct gtrace_greedy_report *report)
{
	size_t i;

	gti_text_greedy_head(&writer, report->count);
	for (i = 0; i < report->count; i++)
		gti_text_slice(&writer,
			       &(struct listed_slice){
				       .slice = report->slices[i],
				       .trace_version = report->trace_version,
				       .in_ticks = report->in_ticks != 0,
			       });
}

static void test_greedy(void **state)
{
	static const struct gtrace_frame frames[] = {
		{4294967296, STRING("main.f"), STRING("/a b.go"), 12},
		{7, STRING(""), STRING(""), UINT64_MAX},
	};
	static const uint64_t args[] = {3, 2, 1};
	static const struct gtrace_string label = STRING("GC (idle)");
	static const char *const walk[] = {"GoCreate", "GoStart"};
	const struct gtrace_slice slices[] = {
		{
			.duration = 1500000001,
			.start = {.name = "GoStartLabel",
				  .ts = 5,
				  .p = -1,
				  .g = 3,
				  .stack_id = 0,
				  .args = args,
				  .arg_count = 3,
				  .frames = frames,
				  .frame_count = 2,
				  .walk = walk,
				  .walk_count = 2,
				  .strings = &label,
				  .string_count = 1},
			.end = {.name = "GoEnd", .ts = 1500000006, .g = 3},
		},
		{
			.duration = 0,
			.start = {.name = "GoStart"},
			.still_running = 1,
		},
	};
	const struct gtrace_slice *const both[] = {&slices[0], &slices[1]};
	struct gtrace_greedy_report report = {
		.trace_version = 1008, .count = 2, .slices = both};

	(void)state;
	begin();
	write_greedy(&report);
	expect("finally the found toppest 2 greedy goroutines info\n"
	       "\t1500000001ns -> 1.500000s \n"
	       "\t\tGoStartLabel Ts: 5 P: -1 G: 3 StkID: 0 args0: 3 args1: 2 "
	       "args2: 1\n"
	       "\t\t\t GoCreate -> GoStart\n"
	       "\t\t\t 4294967296 main.f /a b.go 12\n"
	       "\t\t\t 7   -1\n"
	       "\t\t\t GC (idle)\n"
	       "\t\tGoEnd Ts: 1500000006 P: 0 G: 3 StkID: 0 args0: 0 args1: 0 "
	       "args2: 0\n"
	       "\t0ns -> 0.000000s \n"
	       "\t\tGoStart Ts: 0 P: 0 G: 0 StkID: 0 args0: 0 args1: 0 args2: "
	       "0\n"
	       "\t\tstill running at the end of the trace\n");
}

/* A tick is not called a nanosecond. */
static void test_ticks(void **state)
{
	const struct gtrace_slice slice = {
		.duration = 1500000001,
		.start = {.name = "GoStart", .ts = 7},
		.still_running = 1,
	};
	const struct gtrace_slice *const one = &slice;
	struct gtrace_greedy_report report = {.trace_version = 1008,
					      .count = 1,
					      .slices = &one,
					      .in_ticks = 1};

	(void)state;
	begin();
	write_greedy(&report);
	expect("finally the found toppest 1 greedy goroutines info\n"
	       "\t1500000001 ticks\n"
	       "\t\tGoStart Ts: 7 P: 0 G: 0 StkID: 0 args0: 0 args1: 0 args2: "
	       "0\n"
	       "\t\tstill running at the end of the trace\n");
}

/* Nor are ticks made into microseconds. */
static void test_stops_in_ticks(void **state)
{
	static const struct gtrace_late late[] = {{.p = 1,
						   .g = 9,
						   .start = 900,
						   .left = 1600,
						   .gave_up = 1700,
						   .own = 100,
						   .event = "GoSched"},
						  {.p = 5,
						   .how = GTRACE_LATE_SCHEDULER,
						   .g = 6,
						   .start = 1400,
						   .left = 1503,
						   .gave_up = 1690,
						   .own = 3,
						   .event = "ProcStop"}};
	static const struct gtrace_stop stop = {.kind = STRING("GC"),
						.ts = 1500,
						.p = 2,
						.g = 3,
						.requested = 1500,
						.measured = 1,
						.stopping = 2500,
						.stopped = 3500,
						.total = 4500,
						.waited = 5500,
						.procs = 4,
						.late = late,
						.late_count = 2};
	static const struct gtrace_stop inferred = {.kind = STRING("?"),
						    .inferred = 1,
						    .stopping_min = 6500,
						    .stopping_max = 7500};
	static const struct gtrace_stop_kind kind = {.kind = STRING("GC"),
						     .count = 1,
						     .measured = 1,
						     .stopping = 2500,
						     .median = 2500,
						     .p99 = 2500,
						     .max = 2500,
						     .stopped = 3500,
						     .total = 4500};
	const struct listed_stop stops[] = {
		{.stop = &stop, .in_ticks = true},
		{.stop = &inferred, .in_ticks = true}};
	struct gtrace_stop_report report = {.measured = 1,
					    .inferred = 1,
					    .kinds = &kind,
					    .kind_count = 1,
					    .in_ticks = 1};

	(void)state;
	begin();
	gti_text_stops_sums(&writer, &report);
	gti_text_stop(&writer, &stops[0]);
	gti_text_stop(&writer, &stops[1]);
	expect("stops of the world: 1 measured, 0 not measured, 1 inferred\n"
	       "kind (times in ticks)         stops       stopping         "
	       "median            p99            max        stopped          "
	       "total\n"
	       "GC                                1           2500           "
	       "2500           2500           2500           3500           "
	       "4500\n"
	       "\tstopping 2500 ticks stopped 3500 ticks total 4500 ticks "
	       "waited 5500 ticks GC\n"
	       "\t\trequested Ts: 1500 P: 2 G: 3\n"
	       "\t\theld up by P: 1 G: 9 gave up: +200 ticks left: +100 ticks "
	       "ran: 700 ticks GoSched\n"
	       "\t\talso late P: 5 gave up: +190 ticks no goroutine, "
	       "ProcStop, G: 6 ran 3 ticks until +3 ticks\n"
	       "\t\tidle: 0 of 4\n"
	       "\tstopping 6500 ticks to 7500 ticks ?\n"
	       "\t\tended Ts: 0 P: 0 G: 0\n");
}

/* From Go 1.22 on events have a thread, and no goroutine is -1. */
static void test_threads(void **state)
{
	const struct gtrace_slice slice = {
		.start = {.name = "GoStart", .m = 77, .p = 1, .g = -1},
		.still_running = 1,
	};
	const struct gtrace_slice *const one = &slice;
	struct gtrace_greedy_report report = {
		.trace_version = 1022, .count = 1, .slices = &one};

	(void)state;
	begin();
	write_greedy(&report);
	expect("finally the found toppest 1 greedy goroutines info\n"
	       "\t0ns -> 0.000000s \n"
	       "\t\tGoStart Ts: 0 M: 77 P: 1 G: -1 StkID: 0 args0: 0 args1: 0 "
	       "args2: 0\n"
	       "\t\tstill running at the end of the trace\n");
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
	struct dump_text dump = {
		.writer = &writer,
		.stacks = {.memory = &memory,
			   .frames_of = frames_of,
			   .write = gti_text_dump_stack,
			   .context = &asked,
			   .frames = room,
			   .budget = 1000},
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
	gti_text_dump_head(&dump);
	assert_true(gti_text_dump_event(&dump, &event, 8));
	event.string_count = 0;
	event.link = 0;
	assert_true(gti_text_dump_event(&dump, &event, 8));
	event.stack_id = 9;
	for (i = 0; i < 2; i++)
		assert_true(gti_text_dump_event(&dump, &event, 9));
	gti_stack_texts_free(&dump.stacks);
	expect("dump\n"
	       "\t0xc420000120 Off: 99 type: 48 UserLog Ts: -12 P: 4 G: 5 "
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
		cmocka_unit_test(test_greedy),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_stops_in_ticks),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
