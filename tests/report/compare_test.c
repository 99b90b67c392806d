/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_test.c - two traces side by side, as text and as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/compare.h"
#include "report/diagnosis.h"
#include "report/fields.h"
#include "tests/counted.h"
#include "tests/text.h"

static struct gtrace_string string_of(const char *text)
{
	struct gtrace_string string = {text, strlen(text)};

	return string;
}

/* A summary that is made by hand. */
struct made {
	struct gtrace_summary summary;
	struct gtrace_stop_report stops;
	struct gtrace_wait_report waits;
	struct gtrace_delay_report delays;
	struct gtrace_function functions[4];
	struct gtrace_function holders[4];
	struct gtrace_block_report blocks;
	struct gtrace_block_place places[3];
	const struct gtrace_block_place *listed[3];
};

static void make(struct made *made, int64_t length)
{
	*made = (struct made){.stops = {.all = {.stopping = -1,
						.median = -1,
						.p99 = -1,
						.max = -1}}};
	made->summary = (struct gtrace_summary){
		.trace_version = 1026,
		.length = length,
		.procs = 2,
		.stops = &made->stops,
		.waits = &made->waits,
		.delays = &made->delays,
		.functions = made->functions,
		.holders = made->holders,
		.blocks = &made->blocks,
	};
	made->blocks.places = made->listed;
}

static void add_function(struct made *made, const char *name, uint64_t count,
			 int64_t sum)
{
	made->functions[made->summary.function_count++] =
		(struct gtrace_function){
			.frame = {.function = string_of(name),
				  .file = string_of("")},
			.inner = string_of(""),
			.count = count,
			.sum = sum,
			.max = sum / 2,
		};
	made->summary.slices.count += count;
	made->summary.slices.sum += sum;
	if (sum / 2 > made->summary.slices.max)
		made->summary.slices.max = sum / 2;
}

static void add_holder(struct made *made, const char *name,
		       enum gtrace_work work, int64_t stopping)
{
	made->holders[made->summary.holder_count++] = (struct gtrace_function){
		.frame = {.function = string_of(name), .file = string_of("")},
		.inner = string_of(name),
		.work = work,
		.count = 1,
		.sum = stopping,
	};
}

/* A place of two FRAMES. */
static void add_place(struct made *made, const struct gtrace_frame *frames,
		      enum gtrace_block_kind kind, uint64_t count, int64_t sum)
{
	size_t number = made->blocks.place_count++;

	made->listed[number] = &made->places[number];
	made->places[number] = (struct gtrace_block_place){
		.kind = kind,
		.count = count,
		.sum = sum,
		.max = sum / 2,
		.frames = frames,
		.frame_count = 2,
	};
}

static struct made before, after;

/* The second trace is twice as long as the first one. */
static int setup(void **state)
{
	(void)state;
	make(&before, 1000000000);
	make(&after, 2000000000);
	add_function(&before, "main.same", 10, 200000);
	add_function(&before, "main.less", 10, 100000);
	add_function(&before, "main.none", 1, 70);
	add_function(&after, "main.same", 20, 400000);
	add_function(&after, "main.more", 20, 180000);
	add_function(&after, "main.less", 1, 20000);
	add_holder(&before, "main.f", GTRACE_WORK_PROGRAM, 3000);
	add_holder(&after, "main.f", GTRACE_WORK_SYSCALL, 3000);
	add_holder(&after, "", GTRACE_WORK_NONE, 0);
	before.functions[0].delay = 1000;
	after.functions[0].delay = 8000;
	before.functions[0].delaying = after.functions[0].delaying = 7;
	after.functions[1].delay = 1000;
	after.waits.whole = after.waits.all.count = 4;
	after.waits.all.sum = 9600;
	after.waits.all.median = 2000;
	after.waits.all.p99 = after.waits.all.max = 4000;
	after.summary.machine.classes[GTRACE_SILENT_LIKELY] =
		(struct gtrace_class_sum){4000, 2};
	after.delays.waited = 9000;
	after.delays.behind = 8500;
	after.delays.scheduling = 500;
	before.stops.measured = before.stops.all.measured = 1;
	before.stops.all.stopping = before.stops.all.median = 3000;
	before.stops.all.p99 = before.stops.all.max = 3000;
	return 0;
}

static struct text got;

static void print(bool json, size_t wanted)
{
	struct gtrace_output sink = text_output(&got);
	struct counted counted = {.left = SIZE_MAX};
	struct gtrace_allocator memory = counted_allocator(&counted);
	struct comparison comparison = {
		.before = &before.summary,
		.after = &after.summary,
		.names = {"a\x1b", NULL},
	};
	struct writer writer;

	assert_int_equal(gti_writer_init(&writer, &sink, &memory, NULL),
			 GTRACE_OK);
	assert_true(gti_compare(&comparison, &memory));
	if (json)
		gti_write_line(&(struct line){.writer = &writer},
			       gti_comparison_fields, &comparison);
	else
		gti_text_comparison(&writer, &comparison, wanted);
	gti_compare_free(&comparison, &memory);
	assert_int_equal(gti_writer_finish(&writer, NULL), GTRACE_OK);
	assert_int_equal(counted.bytes, 0);
}

static void expect(bool json, size_t wanted, const char *want)
{
	print(json, wanted);
	assert_string_equal(got.bytes, want);
}

/* The text ends with WANT. */
static void expect_end(size_t wanted, const char *want)
{
	const char *end;

	print(false, wanted);
	end = strstr(got.bytes, "where slices end");
	assert_non_null(end);
	assert_string_equal(end, want);
}

static void test_text(void **state)
{
	(void)state;
	expect(false, 3,
	       "old: a\ufffd, written by Go 1.26 or 1.27: 1.00 s, 2 "
	       "processors\n"
	       "new: written by Go 1.26 or 1.27: 2.00 s, 2 processors\n"
	       "                                   old           new        "
	       "change\n"
	       "slices a second                   21.0          20.5          "
	       "-2 %\n"
	       "  sum a second                  300 \u00b5s        300 \u00b5s "
	       "         -0 %\n"
	       "  median                          0 ns          0 ns          "
	       "same\n"
	       "  p99                             0 ns          0 ns          "
	       "same\n"
	       "  p99.9                           0 ns          0 ns          "
	       "same\n"
	       "  longest                       100 \u00b5s        200 \u00b5s "
	       "       +100 %\n"
	       "waits for a P a second             0.0           2.0          "
	       "   -\n"
	       "  sum a second                    0 ns       4.80 \u00b5s "
	       "            -\n"
	       "  median                          0 ns       2.00 \u00b5s "
	       "            -\n"
	       "  p99                             0 ns       4.00 \u00b5s "
	       "            -\n"
	       "  longest                         0 ns       4.00 \u00b5s "
	       "            -\n"
	       "pauses a second                    1.0           0.0        "
	       "-100 %\n"
	       "  waits a second               3.00 \u00b5s             -      "
	       "       -\n"
	       "  median                       3.00 \u00b5s             -      "
	       "       -\n"
	       "  p99                          3.00 \u00b5s             -      "
	       "       -\n"
	       "  longest                      3.00 \u00b5s             -      "
	       "       -\n"
	       "without events a second            0.0           1.0          "
	       "   -\n"
	       "  certainly no CPU                0 ns          0 ns          "
	       "same\n"
	       "  asleep                          0 ns          0 ns          "
	       "same\n"
	       "  most likely no CPU              0 ns       2.00 \u00b5s "
	       "            -\n"
	       "  undecided                       0 ns          0 ns          "
	       "same\n"
	       "where slices end: their time in a second of the trace\n"
	       "       old       new     change   old max   new max  function\n"
	       "      0 ns   90.0 \u00b5s   +90.0 \u00b5s         -   90.0 "
	       "\u00b5s  main.more\n"
	       "    100 \u00b5s   10.0 \u00b5s   -90.0 \u00b5s   50.0 \u00b5s  "
	       " 10.0 \u00b5s  main.less\n"
	       "     70 ns      0 ns     -70 ns     35 ns         -  "
	       "main.none\n"
	       "where slices end that delay others: in a second of the trace\n"
	       "       old       new     change  function\n"
	       "   1.00 \u00b5s   4.00 \u00b5s   +3.00 \u00b5s  main.same\n"
	       "      0 ns    500 ns    +500 ns  main.more\n"
	       "what stop-the-world pauses waited for: in a second of the "
	       "trace\n"
	       "       old       new     change  function\n"
	       "   3.00 \u00b5s      0 ns   -3.00 \u00b5s  main.f\n"
	       "      0 ns   1.50 \u00b5s   +1.50 \u00b5s  main.f (system "
	       "call)\n");
}

static void test_json(void **state)
{
	(void)state;
	expect(true, 0,
	       "{\"old\":{\"trace\":\"a\\u001b\",\"length\":1000000000,"
	       "\"procs\":2,\"slices\":{\"count\":21,\"sum\":300070,\"median\":"
	       "0,\"p99\":0,\"p999\":0,\"max\":100000},"
	       "\"stops\":{\"measured\":1,\"stopping\":3000,\"median\":3000,"
	       "\"p99\":3000,\"max\":3000},"
	       "\"waits\":{\"count\":0,\"before\":0,\"unfinished\":0,"
	       "\"sum\":0,\"median\":0,\"p99\":0,\"p999\":0,\"max\":0,"
	       "\"busy\":0,\"idle\":0,\"stopped\":0,"
	       "\"cut_sum\":0,\"cut_max\":0},"
	       "\"delays\":{\"waited\":0,\"behind\":0,\"scheduling\":0},"
	       "\"machine\":{\"certain\":0,\"certain_count\":0,"
	       "\"asleep\":0,\"asleep_count\":0,"
	       "\"likely\":0,\"likely_count\":0,"
	       "\"undecided\":0,\"undecided_count\":0}},"
	       "\"new\":{\"length\":2000000000,\"procs\":2,\"slices\":{"
	       "\"count\":41,\"sum\":600000,\"median\":0,\"p99\":0,\"p999\":0,"
	       "\"max\":200000},"
	       "\"stops\":{\"measured\":0,\"stopping\":-1,\"median\":-1,"
	       "\"p99\":-1,\"max\":-1},"
	       "\"waits\":{\"count\":4,\"before\":0,\"unfinished\":0,"
	       "\"sum\":9600,\"median\":2000,\"p99\":4000,\"p999\":0,"
	       "\"max\":4000,\"busy\":0,\"idle\":0,\"stopped\":0,"
	       "\"cut_sum\":0,\"cut_max\":0},"
	       "\"delays\":{\"waited\":9000,\"behind\":8500,"
	       "\"scheduling\":500},"
	       "\"machine\":{\"certain\":0,\"certain_count\":0,"
	       "\"asleep\":0,\"asleep_count\":0,"
	       "\"likely\":4000,\"likely_count\":2,"
	       "\"undecided\":0,\"undecided_count\":0}},"
	       "\"functions\":[{\"fn\":\"main.more\",\"file\":\"\",\"line\":0,"
	       "\"work\":"
	       "\"program\",\"old\":{\"count\":0,\"sum\":0,\"max\":0,\"rate\":"
	       "0},"
	       "\"new\":{\"count\":20,\"sum\":180000,\"max\":90000,\"rate\":"
	       "90000},"
	       "\"change\":90000},"
	       "{\"fn\":\"main.less\",\"file\":\"\",\"line\":0,\"work\":"
	       "\"program\","
	       "\"old\":{\"count\":10,\"sum\":100000,\"max\":50000,\"rate\":"
	       "100000},"
	       "\"new\":{\"count\":1,\"sum\":20000,\"max\":10000,\"rate\":"
	       "10000},"
	       "\"change\":-90000},"
	       "{\"fn\":\"main.none\",\"file\":\"\",\"line\":0,\"work\":"
	       "\"program\","
	       "\"old\":{\"count\":1,\"sum\":70,\"max\":35,\"rate\":70},"
	       "\"new\":{\"count\":0,\"sum\":0,\"max\":0,\"rate\":0},"
	       "\"change\":-70},"
	       "{\"fn\":\"main.same\",\"file\":\"\",\"line\":0,\"work\":"
	       "\"program\","
	       "\"old\":{\"count\":10,\"sum\":200000,\"max\":100000,\"rate\":"
	       "200000},"
	       "\"new\":{\"count\":20,\"sum\":400000,\"max\":200000,\"rate\":"
	       "200000},"
	       "\"change\":0}],"
	       "\"delays\":[{\"fn\":\"main.same\",\"file\":\"\",\"line\":0,"
	       "\"work\":"
	       "\"program\",\"old\":{\"count\":7,\"sum\":1000,\"rate\":1000},"
	       "\"new\":{\"count\":7,\"sum\":8000,\"rate\":4000},"
	       "\"change\":3000},"
	       "{\"fn\":\"main.more\",\"file\":\"\",\"line\":0,\"work\":"
	       "\"program\","
	       "\"old\":{\"count\":0,\"sum\":0,\"rate\":0},"
	       "\"new\":{\"count\":0,\"sum\":1000,\"rate\":500},"
	       "\"change\":500}],"
	       "\"holders\":[{\"fn\":\"main.f\",\"file\":\"\",\"line\":0,"
	       "\"work\":"
	       "\"program\",\"old\":{\"count\":1,\"sum\":3000,\"rate\":3000},"
	       "\"new\":{\"count\":0,\"sum\":0,\"rate\":0},"
	       "\"change\":-3000},"
	       "{\"fn\":\"main.f\",\"file\":\"\",\"line\":0,\"work\":\"system "
	       "call\",\"old\":{\"count\":0,\"sum\":0,\"rate\":0},"
	       "\"new\":{\"count\":1,\"sum\":3000,\"rate\":1500},"
	       "\"change\":1500},"
	       "{\"fn\":\"\",\"file\":\"\",\"line\":0,\"work\":\"none\","
	       "\"old\":{"
	       "\"count\":0,\"sum\":0,\"rate\":0},"
	       "\"new\":{\"count\":1,\"sum\":0,\"rate\":0},"
	       "\"change\":0}],\"blocks\":[],\"findings\":[]}"
	       "\n");
}

/* A function that one summary has twice is one, and no change is no row. */
static void test_same(void **state)
{
	(void)state;
	before.summary.function_count = after.summary.function_count = 0;
	before.summary.holder_count = after.summary.holder_count = 0;
	add_function(&before, "main.f", 1, 3000);
	add_function(&before, "", 2, 30000);
	add_function(&before, "", 1, 2000);
	add_function(&after, "", 1, 4000);
	add_function(&after, "main.f", 1, 6000);
	add_function(&after, "", 2, 60000);
	add_function(&after, "", 1, 6);
	before.summary.slices = after.summary.slices =
		(struct gtrace_distribution){.count = 0};
	expect_end(3, "where slices end: their time in a second of the trace\n"
		      "       old       new     change   old max   new max  "
		      "function\n"
		      "   32.0 \u00b5s   32.0 \u00b5s      +3 ns   15.0 "
		      "\u00b5s   30.0 \u00b5s  (no stack)\n");
}

/* Blocks are those of a function of the program and a kind. */
static void test_blocks(void **state)
{
	struct gtrace_frame frames[][2] = {
		{{1, string_of("sync.(*Mutex).Lock"), string_of("f"), 1},
		 {2, string_of("main.f"), string_of("f"), 2}},
		{{1, string_of("sync.(*Mutex).Lock"), string_of("f"), 1},
		 {3, string_of("main.f"), string_of("f"), 3}}};

	(void)state;
	before.summary.function_count = after.summary.function_count = 0;
	before.summary.holder_count = after.summary.holder_count = 0;
	add_function(&before, "main.f", 1, 3000);
	add_place(&before, frames[0], GTRACE_BLOCK_LOCK, 2, 3000);
	add_place(&before, frames[1], GTRACE_BLOCK_LOCK, 2, 2000);
	add_place(&after, frames[1], GTRACE_BLOCK_SEND, 1, 5000);
	add_place(&after, frames[0], GTRACE_BLOCK_LOCK, 1, 4000);
	expect_end(
		3,
		"where slices end: their time in a second of the trace\n"
		"       old       new     change   old max   new max  "
		"function\n"
		"   3.00 \u00b5s      0 ns   -3.00 \u00b5s   1.50 \u00b5s  "
		"       -  main.f\n"
		"where goroutines were blocked: in a second of the trace\n"
		"       old       new     change   old max   new max  "
		"function\n"
		"   5.00 \u00b5s   2.00 \u00b5s   -3.00 \u00b5s   1.50 \u00b5s "
		" "
		" 2.00 \u00b5s  main.f (f:2) (lock)\n"
		"      0 ns   2.50 \u00b5s   +2.50 \u00b5s         -   "
		"2.50 \u00b5s  main.f (f:3) (channel send)\n");
	print(true, 0);
	assert_non_null(
		strstr(got.bytes,
		       "\"blocks\":[{\"fn\":\"main.f\",\"file\":\"f\","
		       "\"line\":2,\"kind\":\"lock\",\"old\":{\"count\":4,"
		       "\"sum\":5000,\"max\":1500,\"rate\":5000},\"new\":{"
		       "\"count\":1,\"sum\":4000,\"max\":2000,\"rate\":2000},"
		       "\"change\":-3000},"));
}

/* The text begins with WANT, wherever its lines end. */
static void expect_begin(const char *want)
{
	size_t i;

	print(false, 1);
	for (i = 0; want[i] != '\0'; i++)
		assert_int_equal(got.bytes[i] == '\n' ? ' ' : got.bytes[i],
				 want[i]);
}

/* The first line is what became of the first finding of the old trace. */
static void test_sentence(void **state)
{
	struct gtrace_finding finding = {
		.kind = GTRACE_FINDING_FUNCTION,
		.name = "function",
		.rank = NOTABLE_PERMILLE,
		.harm = 40000000,
		.frame.file = string_of(""),
	};
	struct gtrace_finding now = finding;

	(void)state;
	before.summary.time = after.summary.time = 1000;
	finding.frame.function = string_of("main.same");
	before.summary.findings = &finding;
	after.summary.findings = &now;
	before.summary.finding_count = after.summary.finding_count = 1;
	now = finding;
	now.harm = 8000000;
	expect_begin("main.same holds goroutines up 90 % less: 4.00 ms a "
		     "second, before 40.0 ms; its longest slice 200 \u00b5s, "
		     "before 100 \u00b5s ");
	finding.harm = 4000000;
	now.harm = 80000000;
	expect_begin("main.same holds goroutines up more: 40.0 ms a second, "
		     "before 4.00 ms; its");
	now.harm = 8000000;
	expect_begin("main.same holds goroutines up as much: 4.00 ms a "
		     "second, before 4.00 ms; its");
	after.summary.findings = &finding;
	finding.kind = GTRACE_FINDING_STOP;
	finding.frame.function = string_of("main.f");
	before.holders[0].sum = 0;
	after.holders[0].work = GTRACE_WORK_PROGRAM;
	after.holders[0].sum = 100000000;
	expect_begin(
		"main.f delays stop-the-world pauses more: 50.0 ms a second, "
		"before 0 ns");
	finding.rank = NOTABLE_PERMILLE - 1;
	expect_begin("old: ");
}

/* Findings are compared by kind and function, or by kind if they have none. */
static void test_findings(void **state)
{
	struct gtrace_finding old[] = {
		{.kind = GTRACE_FINDING_FUNCTION,
		 .name = "function",
		 .frame = {.function = string_of("main.f"),
			   .file = string_of("/a/f.go"),
			   .line = 7},
		 .harm = 600000000,
		 .rank = 600000000,
		 .count = 4,
		 .worst = 90000000},
		{.kind = GTRACE_FINDING_LOAD,
		 .name = "load",
		 .frame = {.function = string_of(""), .file = string_of("")},
		 .harm = 20000000,
		 .count = 9,
		 .worst = 3000000},
	};
	struct gtrace_finding new[] = {old[0], old[1], old[0]};

	(void)state;
	before.summary.time = after.summary.time = 1000000000;
	before.summary.function_count = after.summary.function_count = 0;
	before.summary.findings = old;
	before.summary.finding_count = 2;
	after.summary.findings = new;
	after.summary.finding_count = 3;
	new[0].harm = new[0].rank = 240000000;
	new[1].harm = 100000000;
	new[2].kind = GTRACE_FINDING_LEAK;
	new[2].name = "leak";
	new[2].harm = 500000000;
	expect_begin("main.f (f.go:7) holds goroutines up 80 % less: 120 ms a "
		     "second, before 600 ms old: ");
	old[0].kind = new[0].kind = GTRACE_FINDING_FORCED;
	old[0].name = new[0].name = "forced";
	expect_begin("main.f (f.go:7) (forced) costs 80 % less: ");
	old[0].kind = new[0].kind = GTRACE_FINDING_COLLECTOR;
	before.summary.headline = after.summary.headline = string_of("Said");
	expect_begin("Before: Said. Now: Said ");
	old[0].name = new[0].name = "function";
	print(false, 9);
	assert_non_null(strstr(
		got.bytes,
		"what held goroutines up: in a second of the trace\n"
		"       old       new     change   old max   new max  "
		"function\n"
		"    600 ms    120 ms    -480 ms   90.0 ms   90.0 ms  main.f "
		"(f.go:7)\n"
		"      0 ns    250 ms    +250 ms         -   90.0 ms  main.f "
		"(f.go:7) (leak)\n"
		"   20.0 ms   50.0 ms   +30.0 ms   3.00 ms   3.00 ms  load\n"));
	print(true, 0);
	assert_non_null(strstr(
		got.bytes,
		"\"findings\":[{\"fn\":\"main.f\",\"file\":\"/a/f.go\","
		"\"line\":7,\"kind\":\"function\",\"old\":{\"count\":4,"
		"\"sum\":600000000,\"max\":90000000,\"rate\":600000000},"));
}

static void test_no_memory(void **state)
{
	size_t fail;

	(void)state;
	for (fail = 0; fail < 2; fail++) {
		struct counted counted = {.left = fail};
		struct gtrace_allocator memory = counted_allocator(&counted);
		struct comparison comparison = {
			.before = &before.summary,
			.after = &after.summary,
		};

		assert_false(gti_compare(&comparison, &memory));
		gti_compare_free(&comparison, &memory);
		assert_int_equal(counted.bytes, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_text, setup),
		cmocka_unit_test_setup(test_json, setup),
		cmocka_unit_test_setup(test_same, setup),
		cmocka_unit_test_setup(test_blocks, setup),
		cmocka_unit_test_setup(test_findings, setup),
		cmocka_unit_test_setup(test_sentence, setup),
		cmocka_unit_test_setup(test_no_memory, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
