/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sched_test.c - scheduling records of the kernel beside traces of Go 1.22 and
 * later, both written here.
 */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/reports.h"
#include "tests/text.h"
#include "tests/v2/beside.h"
#include "tests/v2/builder.h"

/* ---------------------------------------------------------------- traces -- */

/* Ticks are microseconds. The first event is at tick 90, and at TIME. */
static void begin_trace_at(int64_t time)
{
	begin_file(26);
	begin_batch(NONE, 90);
	put_byte(SYNC);
	put(SNAPSHOT, 4, 1, (uint64_t)time + 1000, 3, 4);
	put(FREQUENCY, 1, 1000000);
	end_batch();
}

static void begin_trace(void)
{
	begin_trace_at(5000090000);
}

/* Slices of thread 7: from 102 to 202, from 212 to 712, from 722 to 732. */
static void put_slices(void)
{
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 100, 1, 1);
	put(GO_START, 3, 10, 1, 1);
	put(GO_STOP, 3, 500, 1, 1);
	put(GO_START, 3, 10, 1, 2);
	put(GO_STOP, 3, 10, 1, 1);
	end_batch();
}

static void put_rest(void)
{
	put_stacks();
	put_strings();
	end_generation();
}

static void put_trace(void)
{
	begin_trace();
	put_slices();
	put_rest();
}

/* --------------------------------------------------------------- records -- */

#define IDLE "swapper", "0"
#define APP  "my app", "7"

/* Switches that go with put_slices(), without the times before 5 s. */
static const struct {
	const char *time, *cpu, *prev, *prev_id, *state, *next, *next_id;
} switches[] = {
	{"4.999000000", "001", IDLE, "R", "stress:1", "98"},
	{"5.000050000", "000", IDLE, "R", APP},
	{"5.000152000", "000", APP, "R+", "stress:0", "99"},
	{"5.000172000", "000", "stress:0", "99", "S", APP},
	{"5.000300000", "000", APP, "D", IDLE},
	{"5.000400000", "001", "stress:1", "98", "R", APP},
	{"5.000500000", "001", APP, "R", "stress:1", "98"},
	{"5.000600000", "001", "stress:1", "98", "S", "cat", "97"},
	{"5.000720000", "001", "cat", "97", "X", APP},
	{"5.003000000", "001", APP, "S", IDLE},
};

#define SWITCHES (sizeof(switches) / sizeof(switches[0]))

static char record[1 << 14];

static void add(const char *text)
{
	assert_true(strlen(record) + strlen(text) < sizeof(record));
	strcat(record, text);
}

/* What `perf script --ns` prints, with call chains, of the switches. */
static void write_perf(void)
{
	char line[512];
	size_t i;

	strcpy(record, "# captured on: Mon Nov 23\n#\n");
	for (i = 0; i < SWITCHES; i++) {
		snprintf(line, sizeof(line),
			 "%16s %5s [%s]     %s:       sched:sched_switch: "
			 "prev_comm=%s prev_pid=%s prev_prio=120 prev_state=%s "
			 "==> next_comm=%s next_pid=%s next_prio=120\n",
			 switches[i].prev, switches[i].prev_id, switches[i].cpu,
			 switches[i].time, switches[i].prev,
			 switches[i].prev_id, switches[i].state,
			 switches[i].next, switches[i].next_id);
		add(line);
		add("        ffffffff8b2f0b3e __schedule+0x2de ([kernel])\n\n");
	}
}

/* What `trace-cmd report` prints, with and without flags, in microseconds. */
static void write_trace_cmd(void)
{
	char line[512];
	size_t i;

	strcpy(record, "cpus=2\n");
	for (i = 0; i < SWITCHES; i++) {
		snprintf(line, sizeof(line),
			 "%16s-%-5s [%s] %s%.8s: sched_switch:         %s:%s "
			 "[120] %s ==> %s:%s [120]\n",
			 switches[i].prev, switches[i].prev_id, switches[i].cpu,
			 i % 2 != 0 ? "d..2. " : "", switches[i].time,
			 switches[i].prev, switches[i].prev_id,
			 switches[i].state, switches[i].next,
			 switches[i].next_id);
		add(line);
	}
}

static char *line_at(unsigned number)
{
	char *at = record;

	while (--number > 0)
		at = strchr(at, '\n') + 1;
	return at;
}

/* Deletes line NUMBER of `record`. */
static void delete_line(unsigned number)
{
	const char *next = line_at(number + 1);

	memmove(line_at(number), next, strlen(next) + 1);
}

/* Writes NEW for all OLD in `record`. */
static void replace(const char *old, const char *new)
{
	char *at = record;

	while ((at = strstr(at, old)) != NULL) {
		assert_true(strlen(record) + strlen(new) < sizeof(record));
		memmove(at + strlen(new), at + strlen(old),
			strlen(at + strlen(old)) + 1);
		memcpy(at, new, strlen(new));
		at += strlen(new);
	}
}

/* The table of thread 7 as of the first event. */
static const char table[] = "from\tto\tthread\tcpu\tstate_at_end\n"
			    "-40000\t62000\t7\t0\tR+\n"
			    "82000\t210000\t7\t0\tS\n"
			    "310000\t410000\t7\t1\tR\n"
			    "630000\t2910000\t7\t1\tS\n";

static const char other_thread[] = "from\tto\tthread\tcpu\tstate_at_end\n"
				   "-40000\t2910000\t8\t0\tS\n";

/* --------------------------------------------------------------- reports -- */

static struct gtrace_error error;

static char path[] = "/tmp/sched_test.XXXXXX";

/* Opens `built` with `record`. Returns NULL, and sets ERROR, if it fails. */
static struct gtrace *open_both(void)
{
	struct gtrace_options options = OPTIONS(.sched = path);
	struct gtrace *trace;

	write_beside(path, record);
	error.status = GTRACE_OK;
	gtrace_open_memory(built.data, built.size, &options, &trace, &error);
	unlink(path);
	return trace;
}

/* Makes reports of both; NULL, and sets ERROR, if that fails. */
static struct gtrace_reports *analyse(struct gtrace_request request)
{
	struct gtrace_reports *reports = NULL;
	struct gtrace *trace = open_both();

	if (trace != NULL)
		gtrace_analyse(trace, &request, &reports, &error);
	gtrace_close(trace);
	return reports;
}

/* Prints the lists of REQUEST of both, in short; its format can be another. */
static const char *print(struct gtrace_request request)
{
	static struct text text;
	struct gtrace_output output = text_output(&text);
	struct gtrace *trace = open_both();

	request.brief = 1;
	assert_int_equal(gtrace_print(trace, &request, &output, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	return text.bytes;
}

static void check_slice(const struct gtrace_slice *slice, int64_t duration,
			int64_t on_cpu, int64_t preempted, int64_t asleep)
{
	assert_int_equal(slice->duration, duration);
	assert_int_equal(slice->on_cpu, on_cpu);
	assert_int_equal(slice->preempted, preempted);
	assert_int_equal(slice->asleep, asleep);
}

static void check_slices(void)
{
	struct gtrace_reports *reports = analyse(REQUEST(.n = 10));
	const struct gtrace_slice *const *slices;

	assert_string_equal(reports != NULL ? "" : error.message, "");
	slices = reports->greedy->slices;
	assert_int_equal(reports->greedy->count, 3);
	check_slice(slices[0], 500000, 188000, 212000, 100000);
	check_slice(slices[1], 100000, 80000, 20000, 0);
	check_slice(slices[2], 10000, 10000, 0, 0);
	gtrace_reports_free(reports);
}

static void test_forms(void **state)
{
	(void)state;
	put_trace();
	write_perf();
	check_slices();
	write_trace_cmd();
	check_slices();
	strcpy(record, table);
	check_slices();
}

/* How long threads of the program itself ran while it was preempted. */
static int64_t own_time(const char *threads)
{
	struct gtrace_options options =
		OPTIONS(.sched = path, .threads = threads);
	struct gtrace_summary *summary;
	struct gtrace *trace;
	int64_t own;

	put_trace();
	write_beside(path, record);
	if (gtrace_open_memory(built.data, built.size, &options, &trace,
			       &error) != GTRACE_OK ||
	    gtrace_summarise(trace, NULL, &summary, &error) != GTRACE_OK)
		fail_msg("%s", error.message);
	gtrace_close(trace);
	unlink(path);
	own = summary->cpu->own;
	assert_int_equal(summary->cpu->preempted, 232000);
	gtrace_summary_free(summary);
	return own;
}

/* Thread 99 ran for 20 us, thread 98 and cat for 212 us. */
static void test_own(void **state)
{
	char accounts[] = "/tmp/sched_test_accounts.XXXXXX";

	(void)state;
	write_beside(accounts,
		     "before 99 1 1\nafter 99 20001 1\nafter 7 1 1\n");
	write_perf();
	assert_int_equal(own_time(NULL), 0);
	assert_int_equal(own_time(accounts), 20000);
	unlink(accounts);
	/* By name, unless the record has processes. */
	replace("stress:0", "my app");
	assert_int_equal(own_time(NULL), 20000);
	replace("  7 [", " 7/7 [");
	assert_int_equal(own_time(NULL), 0);
	replace(" 99 [", " 7/99 [");
	replace(" 98 [", " 77/98 [");
	assert_int_equal(own_time(NULL), 20000);
	/* The name of a thread is no process. */
	write_perf();
	replace("stress:0", "my app");
	replace("cat ", "7/7 ");
	assert_int_equal(own_time(NULL), 20000);
}

/*
 * A record of perf that lacks when a thread left CPU 0, within 42239.137082211
 * and 42239.140417152 s: what threads without a CPU do then is not known.
 */
static void test_gap(void **state)
{
	struct gtrace_options options =
		OPTIONS(.sched = "testdata/sched/perf_gap.txt");
	struct gtrace_summary *summary;
	struct gtrace *trace;

	(void)state;
	begin_trace_at(42239138000000);
	begin_batch(18684, 338);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 18684, 2);
	put(GO_STOP, 3, 90, 1, 1); /* from .138250 to .138340 */
	put(GO_START, 3, 20, 1, 1);
	put(GO_STOP, 3, 1650, 1, 1); /* from .138360 to .140010 */
	end_batch();
	begin_batch(18665, 3233);
	put(PROC_STATUS, 3, 1, 1, 1);
	put(GO_STATUS, 4, 1, 2, 18665, 2);
	put(GO_STOP, 3, 960, 1, 1); /* from .141145 to .142105 */
	end_batch();
	put_rest();
	gtrace_open_memory(built.data, built.size, &options, &trace, &error);
	assert_int_equal(gtrace_summarise(trace, NULL, &summary, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	check_slice(summary->greedy->slices[0], 1650000, 1650000, 0, 0);
	check_slice(summary->greedy->slices[1], 960000, 960000, 0, 0);
	check_slice(summary->greedy->slices[2], 90000, -1, -1, -1);
	assert_int_equal(summary->cpu->unknown, 90000);
	gtrace_summary_free(summary);
}

/* Thread 7 got CPU 0 at .000172, and was then seen elsewhere. */
static void test_missing(void **state)
{
	struct gtrace_reports *reports;

	(void)state;
	put_trace();
	write_trace_cmd();
	delete_line(6); /* it left CPU 0 at .000300 */
	reports = analyse(REQUEST(.n = 10));
	assert_string_equal(reports != NULL ? "" : error.message, "");
	check_slice(reports->greedy->slices[0], 500000, -1, -1, -1);
	check_slice(reports->greedy->slices[1], 100000, -1, -1, -1);
	check_slice(reports->greedy->slices[2], 10000, 10000, 0, 0);
	gtrace_reports_free(reports);
}

/* Up to Go 1.24 ticks of 64 ns are CLOCK_MONOTONIC; others are not. */
static void test_old_clock(void **state)
{
	struct gtrace_reports *reports;

	(void)state;
	write_perf();
	begin_file(23);
	put_clock(15625000);
	/* A slice from 5.000128 s to 5.0001920 s. */
	begin_batch(7, 78126998);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 1000, 1, 1);
	end_batch();
	put_rest();
	reports = analyse(REQUEST(.n = 1));
	assert_string_equal(reports != NULL ? "" : error.message, "");
	check_slice(reports->greedy->slices[0], 64000, 44000, 20000, 0);
	gtrace_reports_free(reports);
	begin_file(23);
	put_generation();
	assert_null(analyse(REQUEST(.n = 1)));
	assert_non_null(strstr(error.message, "not CLOCK_MONOTONIC"));
}

/* By length the order is that of check_slices(), by CPU it is another one. */
static void test_rank(void **state)
{
	const struct gtrace_slice *const *slices;
	struct gtrace_reports *reports;

	(void)state;
	begin_trace();
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 68, 1, 1);  /* 102 to 170: 50 on a CPU */
	put(GO_START, 3, 10, 1, 1); /* 180 to 240 */
	put(GO_STOP, 3, 60, 1, 1);
	end_batch();
	put_rest();
	write_perf();
	reports = analyse(REQUEST(.n = 1));
	assert_string_equal(reports != NULL ? "" : error.message, "");
	check_slice(reports->greedy->slices[0], 68000, 50000, 18000, 0);
	gtrace_reports_free(reports);
	reports = analyse(REQUEST(.n = 1, .by_cpu = 1));
	assert_string_equal(reports != NULL ? "" : error.message, "");
	slices = reports->greedy->slices;
	assert_int_equal(reports->greedy->count, 1);
	check_slice(slices[0], 60000, 60000, 0, 0);
	gtrace_reports_free(reports);
}

static void test_short(void **state)
{
	(void)state;
	put_trace();
	write_perf();
	assert_non_null(strstr(print(REQUEST(.n = 1, .by_cpu = 1)),
			       "\n\ton a CPU for 188 \xc2\xb5s, preempted for "
			       "212 \xc2\xb5s, asleep for 100 \xc2\xb5s\n"));
}

/* A slice that goes on after the record. */
static void test_unknown(void **state)
{
	struct gtrace_summary *summary = NULL;
	struct gtrace *trace;

	(void)state;
	begin_trace();
	put_slices();
	begin_batch(7, 800);
	put(GO_START, 3, 1, 1, 3);
	put(GO_STOP, 3, 2500, 1, 1);
	end_batch();
	put_rest();
	write_perf();
	trace = open_both();
	assert_non_null(trace);
	assert_int_equal(gtrace_summarise(trace, NULL, &summary, &error),
			 GTRACE_OK);
	gtrace_close(trace);
	assert_int_equal(summary->greedy->slices[0]->duration, 2500000);
	assert_int_equal(summary->greedy->slices[0]->on_cpu, -1);
	assert_int_equal(summary->cpu->unknown, 2500000);
	assert_int_equal(summary->cpu->on_cpu, 278000);
	assert_int_equal(summary->cpu->preempted, 232000);
	assert_int_equal(summary->cpu->asleep, 100000);
	/* CPU 0 ran one process for 20, CPU 1 two for 100 and 112. */
	assert_int_equal(summary->cpu->instead_count, 3);
	assert_string_equal(summary->cpu->instead[0].name.data, "cat");
	assert_int_equal(summary->cpu->instead[0].sum, 112000);
	assert_int_equal(summary->cpu->instead[1].sum, 100000);
	assert_int_equal(summary->cpu->instead[2].sum, 20000);
	gtrace_summary_free(summary);
}

/* Thread 7 is late for a stop that thread 9 requests at 150. */
static void test_late(void **state)
{
	const struct gtrace_late *late;
	struct gtrace_reports *reports;

	(void)state;
	begin_trace();
	begin_batch(7, 100);
	put(PROC_STATUS, 3, 1, 0, 1);
	put(GO_STATUS, 4, 1, 1, 7, 2);
	put(GO_STOP, 3, 80, 1, 1); /* at 182 */
	put(PROC_STOP, 1, 3);
	end_batch();
	begin_batch(9, 100);
	put(PROC_STATUS, 3, 1, 1, 1);
	put(GO_STATUS, 4, 1, 2, 9, 2);
	put(STW_BEGIN, 3, 48, 2, 1);
	put(STW_END, 1, 50);
	end_batch();
	put_rest();
	strcpy(record, "from\tto\tthread\tcpu\tstate_at_end\n"
		       "-40000\t62000\t7\t0\tR+\n"
		       "-40000\t2910000\t9\t2\tS\n"
		       "82000\t210000\t7\t0\tS\n");
	reports = analyse(REQUEST(.stops = 1));
	assert_string_equal(reports != NULL ? "" : error.message, "");
	assert_int_equal(reports->stops->stop_count, 1);
	late = reports->stops->stops[0]->late;
	assert_int_equal(late->own, 32000);
	/* From 150 to 152, and from 172 to 182. */
	assert_int_equal(late->own_on_cpu, 12000);
	gtrace_reports_free(reports);
	assert_non_null(strstr(print(REQUEST(.stops = 1)),
			       "\tG1 on P0 was on a CPU for 12.0 \xc2\xb5s of "
			       "32.0 \xc2\xb5s\n"));
}

static int add_slice(void *context, const struct gtrace_slice *slice)
{
	*(int64_t *)context += slice->on_cpu;
	return 0;
}

static void test_visitor(void **state)
{
	struct gtrace *trace;
	int64_t sum = 0;

	(void)state;
	put_trace();
	write_perf();
	trace = open_both();
	assert_int_equal(visit_slices(trace, add_slice, &sum, &error),
			 GTRACE_OK);
	assert_int_equal(sum, 278000);
	gtrace_close(trace);
	/* Nothing is visited before it is known that the record fits. */
	strcpy(record, other_thread);
	trace = open_both();
	assert_int_equal(visit_slices(trace, add_slice, &sum, &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_int_equal(sum, 278000);
	gtrace_close(trace);
}

/* ---------------------------------------------------------------- faults -- */

/* Expects that `record` fails with MESSAGE, after the name of the file. */
static void expect_fault(const char *message)
{
	const char *found;

	assert_null(analyse(REQUEST(.n = 1)));
	assert_int_equal(error.status, GTRACE_ERROR_ARGUMENT);
	found = strstr(error.message, message);
	if (found == NULL)
		fail_msg("%s, not: %s", error.message, message);
}

static void test_text_faults(void **state)
{
	(void)state;
	put_trace();
	strcpy(record, "");
	expect_fault(": it has no scheduling record");
	strcpy(record, "root:x:0:0\ndaemon:x\n");
	expect_fault(": it has no scheduling record");
	write_trace_cmd();
	record[strlen(record) - 20] = '\0';
	expect_fault(": line 11: the file ends in the middle");
	add("\n");
	expect_fault(": line 11: a sched_switch that is cut off");
	write_trace_cmd();
	add("x-1 [000] 5.000001: sched_switch: a:7 [120] S ==> b:0 [120]\n");
	expect_fault(": line 12: it is earlier than the switch before it");
	strcpy(record, table);
	record[strlen(record) - 1] = '\0';
	expect_fault(": line 5: the file ends in the middle");
	strcpy(record, table);
	delete_line(2);
	add("-40000\t62000\t7\t0\tR+\n");
	expect_fault(": line 5: rows are not in order");
	strcpy(record, table);
	add("640000\t650000\t7\t3\tR\n");
	expect_fault(": line 6: a thread was on two CPUs");
	strcpy(record, table);
	add("640000\t\n");
	expect_fault(": line 6: not four numbers and a state");
	strcpy(record, table);
	add("640000\t650000\t-7\t3\tR\n");
	expect_fault(": line 6: a thread or a CPU has a number below 0");
	strcpy(record, table);
	add("640000\t650000\t7\t-3\tR\n");
	expect_fault(": line 6: a thread or a CPU has a number below 0");
	strcpy(record, "x-1 [000] 5.000001: sched_switch: prev_comm=a "
		       "prev_pid=-5 prev_prio=120 prev_state=R ==> "
		       "next_comm=x next_pid=1 next_prio=120\n");
	expect_fault(": line 1: a thread or a CPU has a number below 0");
	strcpy(record, "x-1 [000] 5.000001: sched_switch: a:7 [120] S ==> "
		       "b:-1 [120]\n");
	expect_fault(": line 1: a thread or a CPU has a number below 0");
}

/* Records that are good, but of another time, process or trace. */
static void test_misfits(void **state)
{
	struct gtrace *trace;

	(void)state;
	put_trace();
	strcpy(record, "from\tto\tthread\tcpu\tstate_at_end\n"
		       "1000000\t2910000\t7\t0\tS\n");
	expect_fault("does not overlap the trace");
	strcpy(record, other_thread);
	expect_fault("does not fit the trace");
	write_perf();
	write_beside(path, record);
	assert_int_equal(gtrace_open_path("testdata/go1.8-small/idle.trace",
					  &OPTIONS(.sched = path), &trace,
					  &error),
			 GTRACE_ERROR_ARGUMENT);
	assert_non_null(strstr(error.message, "Go 1.22 and later"));
	unlink(path);
}

/* Without memory at any place, the error says so, and nothing is lost. */
static void test_memory(void **state)
{
	(void)state;
	put_trace();
	write_perf();
	write_beside(path, record);
	expect_shortages(OPTIONS(.sched = path));
	unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_old_clock),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_visitor),
		cmocka_unit_test(test_text_faults),
		cmocka_unit_test(test_misfits),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
