/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * faults_test.c - the message, status and offset for each event of Go 1.22 and
 * later that contradicts those before it. The last record of a trace is the
 * one at fault.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gtrace/gtrace.h>

#include "tests/v2/faults.h"

/* A record of a thread. The first of its values is the time since the last. */
struct record {
	uint64_t m;
	uint8_t type;
	uint8_t count;
	uint64_t values[5];
};

#define BY(m, type, ...)                                                       \
	{                                                                      \
		m, type, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
/* One of thread 7. */
#define R(type, ...) BY(7, type, __VA_ARGS__)
/* What follows is in the next generation. */
#define NEXT                                                                   \
	{                                                                      \
		0, END, 0,                                                     \
		{                                                              \
			0                                                      \
		}                                                              \
	}

/* Statuses of processors and goroutines. */
enum { P_RUNNING = 1, P_IDLE, P_SYSCALL, P_ABANDONED };
enum { G_RUNNABLE = 1, G_RUNNING, G_SYSCALL, G_WAITING };

/* Thread 7 has processor 0, and goroutine 1, which runs. */
#define P0 R(PROC_STATUS, 1, 0, P_RUNNING)
#define G1 R(GO_STATUS, 1, 1, 7, G_RUNNING)
/* Both are in a system call. */
#define P0_CALLS R(PROC_STATUS, 1, 0, P_SYSCALL)
#define G1_CALLS R(GO_STATUS, 1, 1, 7, G_SYSCALL)
/* Goroutine 2 on no thread. */
#define G2(status) R(GO_STATUS, 1, 2, NONE, status)

struct fault {
	const char *message; /* without the name of the event and its thread */
	struct record records[7];
};

static void put_tables(void)
{
	put_stacks();
	put_strings();
	end_generation();
}

static void put_record(const struct record *record)
{
	unsigned i;

	put_byte(record->type);
	for (i = 0; i < record->count; i++)
		put_value(record->values[i]);
}

/* Writes RECORDS, with a batch for each change of thread. Returns their end. */
static size_t put_records(const struct record *records, size_t count)
{
	size_t at = built.size, i;
	bool open = false;

	for (i = 0; i < count && records[i].type != 0; i++) {
		if (open && (records[i].type == END ||
			     records[i].m != records[i - 1].m)) {
			end_batch();
			open = false;
		}
		if (records[i].type == END) {
			put_tables();
			put_clock(1000000000);
			continue;
		}
		if (!open)
			begin_batch(records[i].m, 100 * (i + 1));
		open = true;
		at = built.size;
		put_record(&records[i]);
	}
	end_batch();
	return at;
}

/* Each fault with STATUS, and with NAME before its message. */
static void expect_faults(const struct fault *faults, size_t count)
{
	size_t at, i;

	for (i = 0; i < count; i++) {
		begin_file(26);
		put_clock(1000000000);
		at = put_records(faults[i].records, 7);
		put_tables();
		expect_fault(at, GTRACE_ERROR_STATE, faults[i].message);
	}
}

#define EXPECT_FAULTS(faults)                                                  \
	expect_faults(faults, sizeof(faults) / sizeof((faults)[0]))

/* ----------------------------------------------------------------- needs -- */

static void test_needs(void **state)
{
	static const struct fault faults[] = {
		{"ProcStop of thread 7: the thread has no processor",
		 {R(PROC_STOP, 1)}},
		{"GoCreate of thread 7: the thread has no processor",
		 {R(GO_CREATE, 1, 2, 0, 0)}},
		{"HeapAlloc of thread 7: the thread has no processor",
		 {R(HEAP_ALLOC, 1, 1)}},
		{"ProcStart of thread -1: it is not bound to a thread",
		 {R(PROC_STATUS, 1, 1, P_IDLE), BY(NONE, PROC_START, 1, 1, 1)}},
		{"GoStart of thread 7: the thread has no processor",
		 {G2(G_RUNNABLE), R(GO_START, 1, 2, 1)}},
		{"GoStart of thread 7: the thread has a goroutine",
		 {P0, G1, G2(G_RUNNABLE), R(GO_START, 1, 2, 1)}},
		{"GoStop of thread 7: the thread has no goroutine",
		 {P0, R(GO_STOP, 1, 1, 0)}},
		{"GoCreateSyscall of thread 7: the thread has a goroutine",
		 {P0, G1, R(GO_CREATE_SYSCALL, 1, 2)}},
		{"GoSwitch of thread 7: the thread has no goroutine",
		 {P0, R(GO_SWITCH, 1, 2, 1)}},
		{"STWBegin of thread 7: the thread has no goroutine",
		 {P0, R(STW_BEGIN, 1, 1, 0)}},
		{"GCSweepBegin of thread 7: the thread has no processor",
		 {R(SWEEP_BEGIN, 1, 0)}},
		{"GCBegin of thread 7: the thread has no goroutine",
		 {P0, G1, R(GC_BEGIN, 1, 1, 0), R(GC_END, 1, 2),
		  R(GO_DESTROY, 1), R(GC_BEGIN, 1, 3, 0)}},
		{"UserTaskBegin of thread 7: the thread has no goroutine",
		 {P0, R(TASK_BEGIN, 1, 5, 0, 1, 0)}},
		{"UserRegionBegin of thread 7: the thread has no goroutine",
		 {P0, R(REGION_BEGIN, 1, 5, 1, 0)}},
		{"Span of thread -1: it is not bound to a thread",
		 {BY(NONE, SPAN, 1, 1, 1, 1)}},
		{"ProcSteal of thread -1: it is not bound to a thread",
		 {P0_CALLS, BY(NONE, PROC_STEAL, 1, 0, 1, 7)}},
	};

	(void)state;
	EXPECT_FAULTS(faults);
}

/* -------------------------------------------------------------- statuses -- */

static void test_processors(void **state)
{
	static const struct fault faults[] = {
		{"ProcStatus of thread 7: processor 3 has the unknown status 5",
		 {R(PROC_STATUS, 1, 3, 5)}},
		{"ProcStatus of thread 7: processor 0 is running, not idle",
		 {P0, R(PROC_STATUS, 1, 0, P_IDLE)}},
		{"ProcStatus of thread 7: processor 3 is idle, not in a system "
		 "call",
		 {R(PROC_STATUS, 1, 3, P_IDLE),
		  R(PROC_STATUS, 1, 3, P_SYSCALL)}},
		{"ProcStatus of thread 7: processor 3 is idle, not abandoned "
		 "in "
		 "a system call",
		 {R(PROC_STATUS, 1, 3, P_IDLE),
		  R(PROC_STATUS, 1, 3, P_ABANDONED)}},
		{"ProcStatus of thread 7: processor 3 is in no status, not "
		 "running",
		 {R(PROC_STATUS, 1, 3, 0), R(PROC_STATUS, 1, 3, P_RUNNING)}},
		{"ProcStatus of thread -1: processor 3 in a system call has no "
		 "thread",
		 {BY(NONE, PROC_STATUS, 1, 3, P_SYSCALL),
		  BY(NONE, PROC_STATUS, 1, 3, P_ABANDONED)}},
		{"ProcSteal of thread 7: there is no thread 99",
		 {P0_CALLS, R(PROC_STEAL, 1, 0, 1, 99)}},
		{"ProcSteal of thread 7: there is no thread -1",
		 {P0_CALLS, R(PROC_STEAL, 1, 0, 1, NONE)}},
		{"ProcSteal of thread 8: thread 8 does not have processor 0",
		 {P0_CALLS, BY(8, PROC_STEAL, 1, 0, 1, 8)}},
		{"GoSyscallBegin of thread 7: it has the number 5 on processor "
		 "0, which does not follow 0",
		 {P0, G1, R(GO_SYSCALL_BEGIN, 1, 5, 0)}},
		{"GoSyscallEnd of thread 7: processor 0 is running, not in a "
		 "system call",
		 {P0, G1_CALLS, R(GO_SYSCALL_END, 1)}},
		{"GoDestroySyscall of thread 7: processor 0 is running, not in "
		 "a system call",
		 {P0, G1_CALLS, R(GO_DESTROY_SYSCALL, 1)}},
	};

	(void)state;
	EXPECT_FAULTS(faults);
}

static void test_goroutines(void **state)
{
	static const struct fault faults[] = {
		{"GoStatus of thread 7: goroutine 2 has the unknown status 5",
		 {R(GO_STATUS, 1, 2, 7, 5)}},
		{"GoStatus of thread 7: goroutine 1 is running, not waiting",
		 {P0, G1, R(GO_STATUS, 1, 1, 7, G_WAITING)}},
		{"GoStatus of thread 7: goroutine 2 is runnable, not in a "
		 "system call",
		 {G2(G_RUNNABLE), R(GO_STATUS, 1, 2, 7, G_SYSCALL)}},
		{"GoStatus of thread 7: goroutine 2 is in no status, not "
		 "runnable",
		 {G2(0), G2(G_RUNNABLE)}},
		{"GoStatus of thread 7: goroutine 5 is not known from earlier "
		 "generations",
		 {P0, G1, NEXT, P0, R(GO_STATUS, 1, 5, 7, G_WAITING)}},
		{"GoStatus of thread 7: goroutine 2 is in a system call on no "
		 "thread",
		 {G2(G_SYSCALL)}},
		{"GoStatus of thread 7: goroutine 2 is in a system call on a "
		 "thread with goroutine 1",
		 {BY(8, GO_STATUS, 1, 2, 8, G_SYSCALL), P0, G1, NEXT,
		  R(GO_STATUS, 1, 2, 7, G_SYSCALL)}},
		{"GoStatus of thread 8: goroutine 2 is in a system call on "
		 "thread 7, which has goroutine 1",
		 {P0, G1, BY(8, GO_STATUS, 1, 2, 7, G_SYSCALL)}},
		{"GoCreate of thread 7: goroutine 18446744073709551615 is "
		 "waiting, not running",
		 {P0, R(GO_STATUS, 1, NONE, NONE, G_WAITING),
		  R(GO_CREATE, 1, 5, 0, 0)}},
		{"GoCreate of thread 7: goroutine 1 exists",
		 {P0, G1, R(GO_CREATE, 1, 1, 0, 0)}},
		{"GoCreateBlocked of thread 7: goroutine 2 exists",
		 {P0, G1, G2(G_WAITING), R(GO_CREATE_BLOCKED, 1, 2, 0, 0)}},
		{"GoCreateSyscall of thread 7: goroutine 2 exists",
		 {G2(G_WAITING), R(GO_CREATE_SYSCALL, 1, 2)}},
		{"GoStop of thread 7: goroutine 1 is in a system call, not "
		 "running",
		 {P0_CALLS, G1_CALLS, R(GO_STOP, 1, 1, 0)}},
		{"GoCreate of thread 7: goroutine 1 is in a system call, not "
		 "running",
		 {P0_CALLS, G1_CALLS, R(GO_CREATE, 1, 5, 0, 0)}},
		{"GoSwitchDestroy of thread 7: goroutine 1 is in a system "
		 "call, not running",
		 {P0_CALLS, G1_CALLS, R(GO_SWITCH_DESTROY, 1, 2, 1)}},
		{"GoSyscallBegin of thread 7: goroutine 1 is in a system call, "
		 "not running",
		 {P0_CALLS, G1_CALLS, R(GO_SYSCALL_BEGIN, 1, 1, 0)}},
		{"GoSyscallEnd of thread 7: goroutine 1 is running, not in a "
		 "system call",
		 {P0, G1, R(GO_SYSCALL_END, 1)}},
		{"GoSyscallEndBlocked of thread 7: goroutine 1 is running, not "
		 "in a system call",
		 {P0, G1, R(GO_SYSCALL_END_BLOCKED, 1)}},
		{"GoDestroySyscall of thread 7: goroutine 1 is running, not in "
		 "a system call",
		 {P0, G1, R(GO_DESTROY_SYSCALL, 1)}},
	};

	(void)state;
	EXPECT_FAULTS(faults);
}

/* ---------------------------------------------------------------- ranges -- */

static void test_ranges(void **state)
{
	static const struct fault faults[] = {
		{"STWBegin of thread 7: goroutine 1 is in one already",
		 {P0, G1, R(STW_BEGIN, 1, 1, 0), R(STW_BEGIN, 1, 1, 0)}},
		{"STWEnd of thread 7: goroutine 1 is in none",
		 {P0, G1, R(STW_END, 1)}},
		{"GCMarkAssistBegin of thread 7: goroutine 1 is in one already",
		 {P0, G1, R(ASSIST_BEGIN, 1, 0), R(ASSIST_BEGIN, 1, 0)}},
		{"STWBegin of thread 8: goroutine 1 does not exist",
		 {P0, G1, BY(8, PROC_STATUS, 1, 3, P_RUNNING),
		  BY(8, GO_STATUS, 1, 1, 8, G_RUNNING), R(GO_DESTROY, 1),
		  BY(8, STW_BEGIN, 1, 1, 0)}},
		{"UserRegionBegin of thread 8: goroutine 1 does not exist",
		 {P0, G1, BY(8, PROC_STATUS, 1, 3, P_RUNNING),
		  BY(8, GO_STATUS, 1, 1, 8, G_RUNNING), R(GO_DESTROY, 1),
		  BY(8, REGION_BEGIN, 1, 5, 1, 0)}},
		{"GCMarkAssistEnd of thread 7: goroutine 1 is in none",
		 {P0, G1, R(STW_BEGIN, 1, 1, 0), R(ASSIST_END, 1)}},
		{"GCMarkAssistActive of thread 7: goroutine 2 does not exist",
		 {P0, G1, R(ASSIST_ACTIVE, 1, 2)}},
		{"GCMarkAssistActive of thread 7: goroutine 1 is in one "
		 "already",
		 {P0, G1, R(ASSIST_ACTIVE, 1, 1), R(ASSIST_ACTIVE, 1, 1)}},
		{"GCMarkAssistActive of thread 7: goroutine 1 is in none",
		 {P0, G1, NEXT, P0, G1, R(ASSIST_ACTIVE, 1, 1)}},
		{"GCSweepBegin of thread 7: processor 0 sweeps already",
		 {P0, G1, R(SWEEP_BEGIN, 1, 0), R(SWEEP_BEGIN, 1, 0)}},
		{"GCSweepEnd of thread 7: processor 0 does not sweep",
		 {P0, G1, R(SWEEP_BEGIN, 1, 0), R(SWEEP_END, 1, 5, 5),
		  R(SWEEP_END, 1, 5, 5)}},
		{"GCSweepActive of thread 7: there is no processor 4",
		 {P0, R(SWEEP_ACTIVE, 1, 4)}},
		{"GCSweepActive of thread 7: processor 0 sweeps already",
		 {P0, R(SWEEP_ACTIVE, 1, 0), R(SWEEP_ACTIVE, 1, 0)}},
		{"GCSweepActive of thread 7: processor 0 does not sweep",
		 {P0, NEXT, P0, R(SWEEP_ACTIVE, 1, 0)}},
		{"GCEnd of thread 7: the collector is in no known state",
		 {P0, G1, R(GC_END, 1, 1)}},
		{"GCBegin of thread 7: the collector is on",
		 {P0, G1, R(GC_BEGIN, 1, 4, 0), R(GC_BEGIN, 1, 5, 0)}},
		{"GCEnd of thread 7: the collector is off",
		 {P0, G1, R(GC_ACTIVE, 1, 4), R(GC_END, 1, 5),
		  R(GC_END, 1, 6)}},
		{"GCActive of thread 7: it is not the first event of the "
		 "collector in the first generation",
		 {P0, G1, R(GC_BEGIN, 1, 4, 0), R(GC_ACTIVE, 1, 5)}},
		{"GCActive of thread 7: the collector is off",
		 {P0, G1, R(GC_BEGIN, 1, 4, 0), R(GC_END, 1, 5), NEXT,
		  R(GC_ACTIVE, 1, 6)}},
		{"UserTaskBegin of thread 7: task 5 is active already",
		 {P0, G1, R(TASK_BEGIN, 1, 5, 0, 1, 0),
		  R(TASK_BEGIN, 1, 5, 0, 1, 0)}},
		{"UserRegionBegin of thread 7: there is no string 99",
		 {P0, G1, R(REGION_BEGIN, 1, 5, 99, 0)}},
		{"UserRegionEnd of thread 7: the innermost region of goroutine "
		 "1 is another one",
		 {P0, G1, R(REGION_BEGIN, 1, 5, 1, 0),
		  R(REGION_END, 1, 5, 2, 0)}},
		{"UserRegionEnd of thread 7: the innermost region of goroutine "
		 "1 is another one",
		 {P0, G1, R(REGION_BEGIN, 1, 5, 1, 0),
		  R(REGION_END, 1, 6, 1, 0)}},
	};

	(void)state;
	EXPECT_FAULTS(faults);
}

/* The opposite: what fits is no fault. */
static void expect_good(const struct record *records, size_t count)
{
	begin_file(26);
	put_clock(1000000000);
	put_records(records, count);
	put_tables();
	expect_fault(0, GTRACE_OK, "");
}

static void test_good(void **state)
{
	static const struct record pairs[] = {
		P0,
		G1,
		R(STW_BEGIN, 1, 1, 0),
		R(ASSIST_BEGIN, 1, 0),
		R(ASSIST_END, 1),
		R(STW_END, 1),
		R(SWEEP_BEGIN, 1, 0),
		R(SWEEP_END, 1, 5, 5),
		R(GC_BEGIN, 1, 4, 0),
		R(GC_END, 1, 5),
		R(REGION_BEGIN, 1, 5, 1, 0),
		R(REGION_END, 1, 5, 1, 0),
		R(REGION_END, 1, 5, 2, 0), /* it began before the trace */
		R(GO_SYSCALL_BEGIN, 1, 1, 0),
		R(GO_SYSCALL_END, 1),
		R(GO_SYSCALL_BEGIN, 1, 2, 0),
		R(GO_DESTROY_SYSCALL, 1),
	};
	/* A processor that is lost in a call, and one whose loss is told. */
	static const struct record lost[] = {
		P0_CALLS,
		G1_CALLS,
		BY(8, PROC_STATUS, 1, 0, P_ABANDONED),
		BY(8, PROC_STEAL, 1, 0, 1, 7),
		BY(7, GO_SYSCALL_END_BLOCKED, 1),
	};
	static const struct record created[] = {
		P0,
		G1,
		BY(8, GO_CREATE_SYSCALL, 1, 5),
		BY(8, GO_DESTROY_SYSCALL, 1),
		BY(8, PROC_STATUS, 1, 3, P_IDLE),
		BY(8, PROC_START, 1, 3, 1),
		BY(8, GO_CREATE_SYSCALL, 1, 5),
		BY(8, GO_SYSCALL_END_BLOCKED, 1),
	};
	/* Thread 7 still has goroutine 1 when that is created again. */
	static const struct record again[] = {
		P0,
		G1,
		BY(8, PROC_STATUS, 1, 3, P_RUNNING),
		BY(8, GO_STATUS, 1, 1, 8, G_RUNNING),
		BY(8, GO_DESTROY, 1),
		BY(8, GO_CREATE, 1, 1, 0, 0),
		BY(8, GO_START, 1, 1, 1),
		BY(7, GO_STOP, 1, 1, 0),
	};
	/* The goroutine whose number means none runs, and no thread has it. */
	static const struct record none[] = {
		P0,
		R(GO_STATUS, 1, NONE, NONE, G_RUNNING),
		R(GO_CREATE, 1, 5, 0, 0),
	};

	(void)state;
	expect_good(none, sizeof(none) / sizeof(none[0]));
	expect_good(again, sizeof(again) / sizeof(again[0]));
	expect_good(pairs, sizeof(pairs) / sizeof(pairs[0]));
	expect_good(lost, sizeof(lost) / sizeof(lost[0]));
	expect_good(created, sizeof(created) / sizeof(created[0]));
}

/* --------------------------------------------------------------- strings -- */

/* Events that name what their generation does not have, and those that wait. */
static void test_order(void **state)
{
	static const struct record missing[] = {P0, G1, R(GO_STOP, 1, 1, 9)};
	static const struct record waits[] = {P0, G1, R(GO_START, 1, 5, 1)};
	static const struct record snapshot[] = {P0, G1,
						 R(SNAPSHOT, 1, 2, 3, 4)};
	size_t at;

	(void)state;
	begin_file(26);
	put_clock(1000000000);
	at = put_records(snapshot, 3);
	put_tables();
	expect_fault(at, GTRACE_ERROR_STATE,
		     "ClockSnapshot of thread 7: no thread writes this event");
	begin_file(26);
	put_clock(1000000000);
	at = put_records(missing, 3);
	put_tables();
	expect_fault(at, GTRACE_ERROR_STATE,
		     "a GoStop event names a string or a stack that its "
		     "generation does not have");
	begin_file(26);
	put_clock(1000000000);
	at = put_records(waits, 3);
	put_tables();
	expect_fault(at, GTRACE_ERROR_ORDER,
		     "no event can come next; the first is GoStart of thread "
		     "7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_goroutines),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
