/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - every event type of Go 1.5 to Go 1.21, one line each.
 *
 * Names, numbers of arguments and differences between versions are here and
 * nowhere else. Versions are numbers: 1008 for "go 1.8 trace" in the header.
 *
 *   type    number in the file
 *   id      EV_id is its name in the code
 *   name    up to 1008, from 1009 on, from 1021 on
 *   since   first version that may hold it
 *   stack   1 if a stack id follows the other arguments
 *   args    number of arguments, without timestamp, sequence number and stack
 *   before  that number in versions before `changed` (0: it never changed)
 *   owner   the event's goroutine, and what runs on the processor after it:
 *             RUNNING   the goroutine that runs there, which goes on
 *             STARTS    argument 0, which runs there from now on
 *             LEAVES    the goroutine that runs there, which stops
 *             ARGUMENT  argument 0
 *             ZERO      goroutine 0
 *             SAMPLE    the third argument; the event is on no processor
 *             CONTROL   the record is no event
 *   order   the transition of a goroutine that it makes, see rules.c
 *   text    its string arguments:
 *             NONE, ARG2         none, the string with that id
 *             LOG                the string with the id in argument 1, then the
 *                                message of the record
 *             STW_REASON         a name for argument 0
 */
#ifndef GTRACE_V1_TABLE_H_
#define GTRACE_V1_TABLE_H_

#include "model/event.h"

/* All versions, in rising order. */
#define VERSION_LIST(X)                                                        \
	X(1005) X(1007) X(1008) X(1009) X(1010) X(1011) X(1019) X(1021)

/* The first version in which ... */
#define VERSION_MERGED    1007 /* events are merged, not sorted */
#define VERSION_STW       1009 /* a scan is a pause, with a reason */
#define VERSION_TIMERS    1009 /* there can be several timer goroutines */
#define VERSION_PDQSORT   1009 /* see frontier.h: the sort of Go 1.19 */
#define VERSION_STW_KIND  1010 /* the reason is an argument */
#define VERSION_STW_NAMES 1021 /* the reason is one of a long list */

/* clang-format off */
#define EVENT_LIST(X) \
/* type id                  up to 1.8            from 1.9             from 1.21           since stack args before changed owner  order         text */ \
X(1,  BATCH,                "Batch",             "Batch",             "Batch",             1005, 0, 2, 3, 1007, CONTROL,  FREE,          NONE) \
X(2,  FREQUENCY,            "Frequency",         "Frequency",         "Frequency",         1005, 0, 1, 2, 1007, CONTROL,  FREE,          NONE) \
X(3,  STACK,                "Stack",             "Stack",             "Stack",             1005, 0, 2, 2, 0,    CONTROL,  FREE,          NONE) \
X(4,  GOMAXPROCS,           "Gomaxprocs",        "Gomaxprocs",        "Gomaxprocs",        1005, 1, 1, 1, 0,    RUNNING,  FREE,          NONE) \
X(5,  PROC_START,           "ProcStart",         "ProcStart",         "ProcStart",         1005, 0, 1, 1, 0,    RUNNING,  FREE,          NONE) \
X(6,  PROC_STOP,            "ProcStop",          "ProcStop",          "ProcStop",          1005, 0, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(7,  GC_START,             "GCStart",           "GCStart",           "GCStart",           1005, 1, 1, 0, 1007, ZERO,     GC,            NONE) \
X(8,  GC_DONE,              "GCDone",            "GCDone",            "GCDone",            1005, 0, 0, 0, 0,    ZERO,     FREE,          NONE) \
X(9,  STW_START,            "GCScanStart",       "GCSTWStart",        "STWStart",          1005, 0, 1, 0, 1010, ZERO,     FREE,          STW_REASON) \
X(10, STW_DONE,             "GCScanDone",        "GCSTWDone",         "STWDone",           1005, 0, 0, 0, 0,    ZERO,     FREE,          NONE) \
X(11, GC_SWEEP_START,       "GCSweepStart",      "GCSweepStart",      "GCSweepStart",      1005, 1, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(12, GC_SWEEP_DONE,        "GCSweepDone",       "GCSweepDone",       "GCSweepDone",       1005, 0, 2, 0, 1009, RUNNING,  FREE,          NONE) \
X(13, GO_CREATE,            "GoCreate",          "GoCreate",          "GoCreate",          1005, 1, 2, 2, 0,    RUNNING,  CREATE,        NONE) \
X(14, GO_START,             "GoStart",           "GoStart",           "GoStart",           1005, 0, 2, 1, 1007, STARTS,   START,         NONE) \
X(15, GO_END,               "GoEnd",             "GoEnd",             "GoEnd",             1005, 0, 0, 0, 0,    LEAVES,   FREE,          NONE) \
X(16, GO_STOP,              "GoStop",            "GoStop",            "GoStop",            1005, 1, 0, 0, 0,    LEAVES,   FREE,          NONE) \
X(17, GO_SCHED,             "GoSched",           "GoSched",           "GoSched",           1005, 1, 0, 0, 0,    LEAVES,   YIELD,         NONE) \
X(18, GO_PREEMPT,           "GoPreempt",         "GoPreempt",         "GoPreempt",         1005, 1, 0, 0, 0,    LEAVES,   YIELD,         NONE) \
X(19, GO_SLEEP,             "GoSleep",           "GoSleep",           "GoSleep",           1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(20, GO_BLOCK,             "GoBlock",           "GoBlock",           "GoBlock",           1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(21, GO_UNBLOCK,           "GoUnblock",         "GoUnblock",         "GoUnblock",         1005, 1, 2, 1, 1007, RUNNING,  UNBLOCK,       NONE) \
X(22, GO_BLOCK_SEND,        "GoBlockSend",       "GoBlockSend",       "GoBlockSend",       1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(23, GO_BLOCK_RECV,        "GoBlockRecv",       "GoBlockRecv",       "GoBlockRecv",       1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(24, GO_BLOCK_SELECT,      "GoBlockSelect",     "GoBlockSelect",     "GoBlockSelect",     1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(25, GO_BLOCK_SYNC,        "GoBlockSync",       "GoBlockSync",       "GoBlockSync",       1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(26, GO_BLOCK_COND,        "GoBlockCond",       "GoBlockCond",       "GoBlockCond",       1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(27, GO_BLOCK_NET,         "GoBlockNet",        "GoBlockNet",        "GoBlockNet",        1005, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(28, GO_SYS_CALL,          "GoSysCall",         "GoSysCall",         "GoSysCall",         1005, 1, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(29, GO_SYS_EXIT,          "GoSysExit",         "GoSysExit",         "GoSysExit",         1005, 0, 3, 3, 0,    ARGUMENT, UNBLOCK,       NONE) \
X(30, GO_SYS_BLOCK,         "GoSysBlock",        "GoSysBlock",        "GoSysBlock",        1005, 0, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(31, GO_WAITING,           "GoWaiting",         "GoWaiting",         "GoWaiting",         1005, 0, 1, 1, 0,    ARGUMENT, WAIT,          NONE) \
X(32, GO_IN_SYSCALL,        "GoInSyscall",       "GoInSyscall",       "GoInSyscall",       1005, 0, 1, 1, 0,    ARGUMENT, WAIT,          NONE) \
X(33, HEAP_ALLOC,           "HeapAlloc",         "HeapAlloc",         "HeapAlloc",         1005, 0, 1, 1, 0,    RUNNING,  FREE,          NONE) \
X(34, HEAP_GOAL,            "NextGC",            "HeapGoal",          "HeapGoal",          1005, 0, 1, 1, 0,    RUNNING,  FREE,          NONE) \
X(35, TIMER_GOROUTINE,      "TimerGoroutine",    "TimerGoroutine",    "TimerGoroutine",    1005, 0, 1, 2, 1007, CONTROL,  FREE,          NONE) \
X(36, FUTILE_WAKEUP,        "FutileWakeup",      "FutileWakeup",      "FutileWakeup",      1005, 0, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(37, STRING,               "String",            "String",            "String",            1007, 0, 0, 0, 0,    CONTROL,  FREE,          NONE) \
X(38, GO_START_LOCAL,       "GoStartLocal",      "GoStartLocal",      "GoStartLocal",      1007, 0, 1, 1, 0,    STARTS,   START_LOCAL,   NONE) \
X(39, GO_UNBLOCK_LOCAL,     "GoUnblockLocal",    "GoUnblockLocal",    "GoUnblockLocal",    1007, 1, 1, 1, 0,    RUNNING,  UNBLOCK_LOCAL, NONE) \
X(40, GO_SYS_EXIT_LOCAL,    "GoSysExitLocal",    "GoSysExitLocal",    "GoSysExitLocal",    1007, 0, 2, 2, 0,    RUNNING,  UNBLOCK_LOCAL, NONE) \
X(41, GO_START_LABEL,       "GoStartLabel",      "GoStartLabel",      "GoStartLabel",      1008, 0, 3, 3, 0,    STARTS,   START,         ARG2) \
X(42, GO_BLOCK_GC,          "GoBlockGC",         "GoBlockGC",         "GoBlockGC",         1008, 1, 0, 0, 0,    LEAVES,   BLOCK,         NONE) \
X(43, GC_MARK_ASSIST_START, "GCMarkAssistStart", "GCMarkAssistStart", "GCMarkAssistStart", 1009, 1, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(44, GC_MARK_ASSIST_DONE,  "GCMarkAssistDone",  "GCMarkAssistDone",  "GCMarkAssistDone",  1009, 0, 0, 0, 0,    RUNNING,  FREE,          NONE) \
X(45, USER_TASK_CREATE,     "UserTaskCreate",    "UserTaskCreate",    "UserTaskCreate",    1011, 1, 3, 3, 0,    RUNNING,  FREE,          ARG2) \
X(46, USER_TASK_END,        "UserTaskEnd",       "UserTaskEnd",       "UserTaskEnd",       1011, 1, 1, 1, 0,    RUNNING,  FREE,          NONE) \
X(47, USER_REGION,          "UserRegion",        "UserRegion",        "UserRegion",        1011, 1, 3, 3, 0,    RUNNING,  FREE,          ARG2) \
X(48, USER_LOG,             "UserLog",           "UserLog",           "UserLog",           1011, 1, 2, 2, 0,    RUNNING,  FREE,          LOG) \
X(49, CPU_SAMPLE,           "CPUSample",         "CPUSample",         "CPUSample",         1019, 1, 3, 3, 0,    SAMPLE,   FREE,          NONE)
/* clang-format on */

enum event_type {
	EV_NONE = 0,
#define EVENT_ENUM(type, id, ...) EV_##id = type,
	EVENT_LIST(EVENT_ENUM)
#undef EVENT_ENUM
		EV_COUNT
};

_Static_assert(EV_COUNT <= EVENT_TYPES, "see model/event.h");

/* Pseudo processors, by the numbers that the reference gives them. */
enum {
	PROCESSOR_TIMER = 1000001,
	PROCESSOR_NETPOLL = 1000002,
	PROCESSOR_SYSCALL = 1000003,
	PROCESSOR_GC = 1000004
};

/* The name of TYPE in a trace of VERSION (1008 for Go 1.8). */
const char *gti_event_name(unsigned type, unsigned version);

/*
 * Reasons for a stop-the-world pause from version 1.21 on, by number. Those
 * from STW_REASON_TEST on occur only in tests of the runtime.
 */
#define STW_REASONS     17
#define STW_REASON_TEST 12

extern const char *const gti_stw_reasons[STW_REASONS];

#endif /* GTRACE_V1_TABLE_H_ */
