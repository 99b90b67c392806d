/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - every event type of Go 1.22 and later, one line each.
 *
 *   number  type byte in the file
 *   id      EV_id is its name in the code
 *   name    its name in reports
 *   since   first version whose writers use it (22 for "go 1.22 trace"). A
 *           type is read in every version
 *   args    values after the time delta; -1: not an event of a thread, and
 *           not timed
 *   stack   1 if the last of them is the id of the event's own stack
 *   g       1 if the first of them is a goroutine
 *   begin   which of them, counted from 1, is the id of the stack on which
 *           a new goroutine starts; 0: none
 *   text1   which of them is the id of a string; 0: none
 *   text2   which of them is the id of another one
 *   needs   what the thread must have before the event, beside its own
 *           preconditions: M, P and G stand for a thread, a processor and a
 *           goroutine, NO_ for their absence
 */
#ifndef GTRACE_V2_TABLE_H_
#define GTRACE_V2_TABLE_H_

#include <stdint.h>

#include "model/event.h"

/* clang-format off */
#define EVENT_LIST(X) \
/* number id                    name                   since args stack g begin text1 text2 needs */ \
X(1,   BATCH,                   "EventBatch",             22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(2,   STACKS,                  "Stacks",                 22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(3,   STACK,                   "Stack",                  22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(4,   STRINGS,                 "Strings",                22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(5,   STRING,                  "String",                 22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(6,   CPU_SAMPLES,             "CPUSamples",             22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(7,   CPU_SAMPLE,              "CPUSample",              22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(8,   FREQUENCY,               "Frequency",              22, -1, 0, 0, 0, 0, 0, NOTHING) \
X(9,   PROCS_CHANGE,            "ProcsChange",            22, 2, 1, 0, 0, 0, 0, M_P_G) \
X(10,  PROC_START,              "ProcStart",              22, 2, 0, 0, 0, 0, 0, M_NO_P) \
X(11,  PROC_STOP,               "ProcStop",               22, 0, 0, 0, 0, 0, 0, M_P) \
X(12,  PROC_STEAL,              "ProcSteal",              22, 3, 0, 0, 0, 0, 0, M) \
X(13,  PROC_STATUS,             "ProcStatus",             22, 2, 0, 0, 0, 0, 0, NOTHING) \
X(14,  GO_CREATE,               "GoCreate",               22, 3, 1, 1, 2, 0, 0, M_P) \
X(15,  GO_CREATE_SYSCALL,       "GoCreateSyscall",        22, 1, 0, 1, 0, 0, 0, M_NO_G) \
X(16,  GO_START,                "GoStart",                22, 2, 0, 1, 0, 0, 0, M_P_NO_G) \
X(17,  GO_DESTROY,              "GoDestroy",              22, 0, 0, 0, 0, 0, 0, M_P_G) \
X(18,  GO_DESTROY_SYSCALL,      "GoDestroySyscall",       22, 0, 0, 0, 0, 0, 0, M_G) \
X(19,  GO_STOP,                 "GoStop",                 22, 2, 1, 0, 0, 1, 0, M_P_G) \
X(20,  GO_BLOCK,                "GoBlock",                22, 2, 1, 0, 0, 1, 0, M_P_G) \
X(21,  GO_UNBLOCK,              "GoUnblock",              22, 3, 1, 1, 0, 0, 0, NOTHING) \
X(22,  GO_SYSCALL_BEGIN,        "GoSyscallBegin",         22, 2, 1, 0, 0, 0, 0, M_P_G) \
X(23,  GO_SYSCALL_END,          "GoSyscallEnd",           22, 0, 0, 0, 0, 0, 0, M_P_G) \
X(24,  GO_SYSCALL_END_BLOCKED,  "GoSyscallEndBlocked",    22, 0, 0, 0, 0, 0, 0, M_G) \
X(25,  GO_STATUS,               "GoStatus",               22, 3, 0, 1, 0, 0, 0, NOTHING) \
X(26,  STW_BEGIN,               "STWBegin",               22, 2, 1, 0, 0, 1, 0, M_P_G) \
X(27,  STW_END,                 "STWEnd",                 22, 0, 0, 0, 0, 0, 0, M_P_G) \
X(28,  GC_ACTIVE,               "GCActive",               22, 1, 0, 0, 0, 0, 0, M_P_G) \
X(29,  GC_BEGIN,                "GCBegin",                22, 2, 1, 0, 0, 0, 0, M_P_G) \
X(30,  GC_END,                  "GCEnd",                  22, 1, 0, 0, 0, 0, 0, M_P_G) \
X(31,  GC_SWEEP_ACTIVE,         "GCSweepActive",          22, 1, 0, 0, 0, 0, 0, NOTHING) \
X(32,  GC_SWEEP_BEGIN,          "GCSweepBegin",           22, 1, 1, 0, 0, 0, 0, M_P) \
X(33,  GC_SWEEP_END,            "GCSweepEnd",             22, 2, 0, 0, 0, 0, 0, M_P) \
X(34,  GC_MARK_ASSIST_ACTIVE,   "GCMarkAssistActive",     22, 1, 0, 1, 0, 0, 0, NOTHING) \
X(35,  GC_MARK_ASSIST_BEGIN,    "GCMarkAssistBegin",      22, 1, 1, 0, 0, 0, 0, M_P_G) \
X(36,  GC_MARK_ASSIST_END,      "GCMarkAssistEnd",        22, 0, 0, 0, 0, 0, 0, M_P_G) \
X(37,  HEAP_ALLOC,              "HeapAlloc",              22, 1, 0, 0, 0, 0, 0, M_P) \
X(38,  HEAP_GOAL,               "HeapGoal",               22, 1, 0, 0, 0, 0, 0, M_P) \
X(39,  GO_LABEL,                "GoLabel",                22, 1, 0, 0, 0, 1, 0, M_P_G) \
X(40,  USER_TASK_BEGIN,         "UserTaskBegin",          22, 4, 1, 0, 0, 3, 0, M_P_G) \
X(41,  USER_TASK_END,           "UserTaskEnd",            22, 2, 1, 0, 0, 0, 0, M_P_G) \
X(42,  USER_REGION_BEGIN,       "UserRegionBegin",        22, 3, 1, 0, 0, 2, 0, M_P_G) \
X(43,  USER_REGION_END,         "UserRegionEnd",          22, 3, 1, 0, 0, 2, 0, M_P_G) \
X(44,  USER_LOG,                "UserLog",                22, 4, 1, 0, 0, 2, 3, M_P_G) \
X(45,  GO_SWITCH,               "GoSwitch",               23, 2, 0, 1, 0, 0, 0, M_P_G) \
X(46,  GO_SWITCH_DESTROY,       "GoSwitchDestroy",        23, 2, 0, 1, 0, 0, 0, M_P_G) \
X(47,  GO_CREATE_BLOCKED,       "GoCreateBlocked",        23, 3, 1, 1, 2, 0, 0, M_P) \
X(48,  GO_STATUS_STACK,         "GoStatusStack",          23, 4, 1, 1, 0, 0, 0, NOTHING) \
X(49,  EXPERIMENTAL_BATCH,      "ExperimentalBatch",      23, -1, 0, 0, 0, 0, 0, NOTHING) \
X(50,  SYNC_BATCH,              "Sync",                   25, -1, 0, 0, 0, 0, 0, NOTHING) \
X(51,  CLOCK_SNAPSHOT,          "ClockSnapshot",          25, 3, 0, 0, 0, 0, 0, NOTHING) \
X(52,  END_OF_GENERATION,       "EndOfGeneration",        26, -1, 0, 0, 0, 0, 0, NOTHING) \
X(128, SPAN,                    "Span",                   23, 3, 0, 0, 0, 0, 0, M) \
X(129, SPAN_ALLOC,              "SpanAlloc",              23, 3, 0, 0, 0, 0, 0, M) \
X(130, SPAN_FREE,               "SpanFree",               23, 1, 0, 0, 0, 0, 0, M) \
X(131, HEAP_OBJECT,             "HeapObject",             23, 2, 0, 0, 0, 0, 0, M) \
X(132, HEAP_OBJECT_ALLOC,       "HeapObjectAlloc",        23, 2, 0, 0, 0, 0, 0, M) \
X(133, HEAP_OBJECT_FREE,        "HeapObjectFree",         23, 1, 0, 0, 0, 0, 0, M) \
X(134, GOROUTINE_STACK,         "GoroutineStack",         23, 2, 0, 0, 0, 0, 0, M) \
X(135, GOROUTINE_STACK_ALLOC,   "GoroutineStackAlloc",    23, 2, 0, 0, 0, 0, 0, M) \
X(136, GOROUTINE_STACK_FREE,    "GoroutineStackFree",     23, 1, 0, 0, 0, 0, 0, M)
/* clang-format on */

/* Type bytes. */
enum {
#define EVENT_BYTE(number, id, ...) BYTE_##id = number,
	EVENT_LIST(EVENT_BYTE)
#undef EVENT_BYTE
};

/*
 * In the code types have numbers from 1 to EVENT_TYPES - 1. Those of
 * experiments, 128 and up, follow the others, and after them Sync, which the
 * reader makes.
 */

#define FIRST_EXPERIMENTAL_BYTE 128
#define FIRST_EXPERIMENTAL_TYPE 53

#define EVENT_TYPE_OF(number)                                                  \
	((number) < FIRST_EXPERIMENTAL_BYTE                                    \
		 ? (number)                                                    \
		 : (number)-FIRST_EXPERIMENTAL_BYTE + FIRST_EXPERIMENTAL_TYPE)

enum event_type {
	EV_NONE = 0,
	EV_SYNC = EVENT_TYPES - 1,
#define EVENT_ENUM(number, id, ...) EV_##id = EVENT_TYPE_OF(number),
	EVENT_LIST(EVENT_ENUM)
#undef EVENT_ENUM
};

_Static_assert(EV_GOROUTINE_STACK_FREE < EV_SYNC, "types differ");

/* Most arguments that an event of a thread has, its stack included. */
#define EVENT_VALUES_MAX 4

/* See `needs` above. */
enum event_needs {
	NEEDS_NOTHING,
	NEEDS_M,
	NEEDS_M_P,
	NEEDS_M_P_G,
	NEEDS_M_NO_P,
	NEEDS_M_P_NO_G,
	NEEDS_M_NO_G,
	NEEDS_M_G,
};

struct event_line {
	const char *name;
	uint8_t number; /* in the file */
	uint8_t since;
	int8_t args; /* without the stack; -1: not an event of a thread */
	uint8_t stack;
	uint8_t g;
	uint8_t begin;
	uint8_t text1;
	uint8_t text2;
	uint8_t needs;
};

/* By type. */
extern const struct event_line gti_v2_lines[EVENT_TYPES];

/*
 * By type byte: the type of an event that a thread may write; 0 for all other
 * bytes.
 */
extern const uint8_t gti_v2_types[256];

/*
 * By type byte: one more than the number of values that an event has after its
 * time, its stack included; 0 if no thread writes events of that type.
 */
extern const uint8_t gti_v2_value_counts[256];

/* The line of each event as a constant, LINE_id. */
#define EVENT_LINE(number, id, name, since, args, stack, g, begin, text1,      \
		   text2, needs)                                               \
	static const struct event_line LINE_##id = {                           \
		name,  number, since, (args) - (stack), stack, g,              \
		begin, text1,  text2, NEEDS_##needs};
EVENT_LIST(EVENT_LINE)
#undef EVENT_LINE

#endif /* GTRACE_V2_TABLE_H_ */
