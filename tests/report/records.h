/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records.h - slices, stop-the-world pauses and events that use every field,
 * for tests that print them. Only a test includes it, after written.h.
 */
#ifndef GTRACE_TESTS_REPORT_RECORDS_H_
#define GTRACE_TESTS_REPORT_RECORDS_H_

#include "report/text.h"

/* A line that Go 1.21 and older show as -1, and characters to be escaped. */
static const struct gtrace_frame frames[] = {
	{4294967296, STRING("main.f"), STRING("/a \"b\".go"), UINT64_MAX},
	{8, STRING("main.\x01\xff"), STRING(""), 9},
};
static const char *const walk[] = {"GoCreate", "GoStart"};
static const struct gtrace_string strings[] = {STRING("key"), STRING("a,b")};
static const uint64_t args[] = {1, 2, UINT64_MAX};
static const struct gtrace_samples samples[] = {{2, frames, 1},
						{1, frames + 1, 1}};

static const struct gtrace_slice ended = {
	.duration = 1500000001,
	.own = 1400000000,
	.delay = 900000000,
	.silent = 50000000,
	.off_cpu_min = 30000000,
	.off_cpu_likely = 40000000,
	.silent_class = GTRACE_SILENT_LIKELY,
	.on_cpu = 1000000000,
	.preempted = 400000001,
	.asleep = 100000000,
	.clock_changed = 1,
	.m = 3,
	.p = 1,
	.g = 4,
	.start = {.name = "GoStartLabel",
		  .ts = 100,
		  .m = -1,
		  .args = args,
		  .arg_count = 3,
		  .strings = strings,
		  .string_count = 2,
		  .frames = frames,
		  .frame_count = 2,
		  .walk = walk,
		  .walk_count = 2},
	.end = {.number = 8,
		.offset = 9,
		.type = 16,
		.name = "GoStop",
		.ts = 1500000101,
		.p = -1,
		.g = 2,
		.stack_id = 7,
		.args = args,
		.arg_count = 2,
		.strings = strings,
		.string_count = 1,
		.frames = frames,
		.frame_count = 1},
	.function = STRING("main.main"),
	.syscalls = 6,
	.syscall_ns = -1,
	.samples = samples,
	.sample_count = 2,
};

/* Its end wraps around, as every sum of times does. */
static const struct gtrace_slice runs = {
	.duration = INT64_MAX,
	.still_running = 1,
	.delay = -1,
	.on_cpu = -1,
	.preempted = -1,
	.asleep = -1,
	.system = 1,
	.start = {.name = "GoStart", .ts = 1, .m = 77, .g = -1},
	.end = {.name = "not to be shown", .frames = frames, .frame_count = 1},
	.function = STRING(""),
	.last_frames = frames,
	.last_frame_count = 1,
};

static const struct listed listed_slices[] = {
	{.item = &ended, .line = {.trace = "a,\xff"}},
	{.item = &runs, .line = {.in_ticks = true, .has_threads = true}},
};

/* Text has three of them. */
static const struct gtrace_samples late_samples[] = {
	{3, frames, 1}, {2, NULL, 0}, {1, frames + 1, 1}, {1, NULL, 0}};

static const struct gtrace_late late[] = {
	{.p = 2,
	 .how = GTRACE_LATE_SYSCALL,
	 .g = 5,
	 .start = -1,
	 .left = 2000,
	 .gave_up = 3000,
	 .own = 1900,
	 .own_on_cpu = 1800,
	 .event = "ProcSteal",
	 .reason = STRING("x\"y"),
	 .frames = frames,
	 .frame_count = 1,
	 .samples = late_samples,
	 .sample_count = 4},
	{.p = 3,
	 .how = GTRACE_LATE_SCHEDULER,
	 .g = 6,
	 .start = 1400,
	 .left = 1503,
	 .gave_up = 1690,
	 .own = 3,
	 .own_on_cpu = -1,
	 .event = "ProcStop",
	 .reason = STRING("")},
	{.p = 4,
	 .how = GTRACE_LATE_RAN,
	 .g = 7,
	 .start = 900,
	 .left = 1600,
	 .gave_up = 1680,
	 .own = 100,
	 .own_on_cpu = 0,
	 .event = "GoSched",
	 .reason = STRING("")},
};

static const struct gtrace_stop measured = {
	.number = 3,
	.kind = STRING("read \"mem\" stats"),
	.measured = 1,
	.clock_changed = 1,
	.ts = 1100,
	.p = 1,
	.g = 4,
	.frames = frames + 1,
	.frame_count = 1,
	.requested = 1000,
	.obtained = 3000,
	.restarting = 4000,
	.restarted = 4100,
	.ended = 4200,
	.stopping = 2000,
	.stopped = 1100,
	.total = 3200,
	.waited = 4300,
	.procs = 4,
	.idle = 2,
	.requested_min = -1,
	.requested_max = -1,
	.stopping_min = -1,
	.stopping_max = -1,
	.late = late,
	.late_count = 3,
	.sampled_count = 3,
};

static const struct gtrace_stop inferred = {
	.number = 1,
	.kind = STRING("unknown"),
	.inferred = 1,
	.requested_min = 5,
	.requested_max = 6,
	.stopping_min = 7,
	.stopping_max = 8,
};

static const struct listed listed_stops[] = {
	{.item = &measured, .line = {.trace = "t"}},
	{.item = &measured, .line = {.in_ticks = true}},
	{.item = &inferred, .line = {.in_ticks = true}},
};

static const struct gtrace_event events[] = {
	{.number = 1,
	 .offset = 16,
	 .type = 39,
	 .name = "GoLabel",
	 .ts = -5,
	 .m = -1,
	 .p = 1,
	 .g = 2,
	 .stack_id = 8,
	 .args = args,
	 .arg_count = 3,
	 .strings = strings,
	 .string_count = 2,
	 .link = 9},
	{.number = 2, .name = "Sync", .frames = frames + 1, .frame_count = 1},
	{.number = 3, .name = "GoStop", .args = args, .arg_count = 3},
};

#endif /* GTRACE_TESTS_REPORT_RECORDS_H_ */
