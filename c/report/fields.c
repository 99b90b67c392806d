/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.c - the tables of fields but for those of summaries. c/tools/README.md
 * says what each means. New ones come last in their table, as it promises.
 */
#include "report/field_tables.h"

/* ---------------------------------------------------------------- stacks -- */

/* clang-format off */
const struct field gti_frame_fields[] = {
	JSON(frame, pc),
	FIELD(gtrace_frame, JSON, "fn", function),
	JSON(frame, file), JSON(frame, line),
	END,
};

const struct field gti_sample_fields[] = {
	JSON(samples, count),
	ARRAY(gtrace_samples, JSON, "stack", frames, frame_count),
	END,
};

/* ---------------------------------------------------------------- events -- */

static const struct field event_fields[] = {
	FIELD(gtrace_event, BOTH, "n", number),
	BOTH(event, offset), BOTH(event, type), BOTH(event, name),
	BOTH(event, ts), BOTH(event, m), BOTH(event, p), BOTH(event, g),
	BOTH(event, stack_id),
	ARRAY(gtrace_event, BOTH, "args", args, arg_count),
	ARRAY(gtrace_event, BOTH, "strings", strings, string_count),
	END,
};

const struct field gti_event_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	SAME(BOTH, NULL, event_fields), BOTH(event, link),
	KIND(gtrace_event, BOTH, LATER, "stack", frames, frame_count),
	END,
};

/* ---------------------------------------------------------------- slices -- */

/* An event that starts or ends a slice. */
static const struct field end_fields[] = {
	SAME(JSON, NULL, event_fields),
	FIELD(gtrace_event, CSV, "event", name),
	ARRAY(gtrace_event, CSV, "strings", strings, string_count),
	ARRAY(gtrace_event, BOTH, "walk", walk, walk_count),
	ARRAY(gtrace_event, BOTH, "stack", frames, frame_count),
	END,
};

const struct field gti_slice_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	BOTH(slice, duration),
	FIELD(gtrace_slice, BOTH, "start", start.ts),
	KIND(gtrace_slice, BOTH, SUM, "end", start.ts, duration),
	BOTH(slice, m), BOTH(slice, p), BOTH(slice, g), BOTH(slice, function),
	BOTH(slice, system), BOTH(slice, still_running), BOTH(slice, syscalls),
	BOTH(slice, syscall_ns),
	PART(gtrace_slice, JSON, PART, "started_by", start, end_fields),
	UNLESS(gtrace_slice, JSON, "ended_by", end, still_running, end_fields),
	PART(gtrace_slice, CSV, PART, "start_", start, end_fields),
	UNLESS(gtrace_slice, CSV, "end_", end, still_running, end_fields),
	ARRAY(gtrace_slice, BOTH, "samples", samples, sample_count),
	BOTH(slice, own), KNOWN(slice, BOTH, delay), BOTH(slice, off_cpu_min),
	BOTH(slice, off_cpu_likely), BOTH(slice, silent),
	ARRAY(gtrace_slice, BOTH, "last_stack", last_frames, last_frame_count),
	BOTH(slice, clock_changed),
	KNOWN(slice, CPU, on_cpu), KNOWN(slice, CPU, preempted),
	KNOWN(slice, CPU, asleep),
	KIND(gtrace_slice, BOTH, SILENT, "silent_class", silent_class,
	     silent_class),
	END,
};

/* ----------------------------------------------------------------- stops -- */

static const struct field late_fields[] = {
	BOTH(late, p),
	KIND(gtrace_late, BOTH, HOW, "how", how, how),
	BOTH(late, g), BOTH(late, start), BOTH(late, left), BOTH(late, gave_up),
	BOTH(late, own), BOTH(late, event), BOTH(late, reason),
	ARRAY(gtrace_late, BOTH, "stack", frames, frame_count),
	KNOWN(late, CPU, own_on_cpu),
	END,
};

static const struct field sampled_fields[] = {
	JSON(late, p),
	LIST(gtrace_late, JSON, LIST, "samples", samples, sample_count,
	     gti_sample_fields),
	END,
};

const struct field gti_stop_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(CSV, UNIT, "unit"),
	FIELD(gtrace_stop, BOTH, "n", number),
	LINE(JSON, UNIT, "unit"), BOTH(stop, kind), BOTH(stop, ts),
	BOTH(stop, p), BOTH(stop, g),
	ARRAY(gtrace_stop, JSON, "stack", frames, frame_count),
	BOTH(stop, requested), BOTH(stop, obtained), BOTH(stop, restarting),
	BOTH(stop, restarted), BOTH(stop, ended), BOTH(stop, stopping),
	BOTH(stop, stopped), BOTH(stop, total), BOTH(stop, waited),
	BOTH(stop, procs), BOTH(stop, idle), BOTH(stop, measured),
	BOTH(stop, inferred),
	KIND(gtrace_stop, BOTH, SIGNED_IF, "requested_min", requested_min,
	     inferred),
	KIND(gtrace_stop, BOTH, SIGNED_IF, "requested_max", requested_max,
	     inferred),
	CSV(stop, stopping_min), CSV(stop, stopping_max),
	ARRAY(gtrace_stop, CSV, "stack", frames, frame_count),
	KIND(gtrace_stop, CSV, COUNT, "late", late_count, late_count),
	LIST(gtrace_stop, JSON, LIST, "late", late, late_count, late_fields),
	LIST(gtrace_stop, JSON, SOME, "sampled", late, sampled_count,
	     sampled_fields),
	LIST(gtrace_stop, CSV, FIRST, "last_", late, late_count, late_fields),
	BOTH(stop, clock_changed), END,
};

/* ----------------------------------------------------------------- waits -- */

static const struct field kept_fields[] = {
	BOTH(kept, p), BOTH(kept, g), BOTH(kept, overlap), BOTH(kept, length),
	BOTH(kept, calls), BOTH(kept, start),
	FIELD(gtrace_kept, BOTH, "end", ended),
	BOTH(kept, event), BOTH(kept, reason),
	ARRAY(gtrace_kept, BOTH, "walk", at.walk, at.walk_count),
	ARRAY(gtrace_kept, BOTH, "stack", at.frames, at.frame_count),
	END,
};

const struct field gti_wait_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	FIELD(gtrace_wait, BOTH, "ts", ready.ts), BOTH(wait, start),
	BOTH(wait, g), FIELD(gtrace_wait, BOTH, "wait", length),
	BOTH(wait, busy), BOTH(wait, idle), BOTH(wait, stopped),
	BOTH(wait, whole), BOTH(wait, before), BOTH(wait, over),
	FIELD(gtrace_wait, BOTH, "event", ready.name), BOTH(wait, reason),
	FIELD(gtrace_wait, BOTH, "m", ready.m),
	FIELD(gtrace_wait, BOTH, "p", ready.p),
	FIELD(gtrace_wait, BOTH, "by", ready.g),
	ARRAY(gtrace_wait, BOTH, "walk", ready.walk, ready.walk_count),
	ARRAY(gtrace_wait, BOTH, "stack", ready.frames, ready.frame_count),
	BOTH(wait, ran), BOTH(wait, ran_p),
	LIST(gtrace_wait, JSON, LIST, "kept", kept, kept_count, kept_fields),
	KIND(gtrace_wait, CSV, COUNT, "kept", kept_count, kept_count),
	LIST(gtrace_wait, CSV, FIRST, "first_", kept, kept_count, kept_fields),
	BOTH(wait, kept_more), BOTH(wait, kept_more_overlap),
	BOTH(wait, kept_none), BOTH(wait, clock_changed),
	END,
};

/* ---------------------------------------------------------------- blocks -- */

static const struct field ender_fields[] = {
	BOTH(unblocker, by), BOTH(unblocker, count), BOTH(unblocker, sum),
	ARRAY(gtrace_unblocker, BOTH, "stack", frames, frame_count),
	END,
};

static const struct field hold_part_fields[] = {
	JSON(hold_part, part), JSON(hold_part, inner), JSON(hold_part, sum),
	END,
};

static const struct field holder_fields[] = {
	FIELD(gtrace_lock_holder, BOTH, "fn", frame.function),
	FIELD(gtrace_lock_holder, BOTH, "file", frame.file),
	FIELD(gtrace_lock_holder, BOTH, "line", frame.line),
	BOTH(lock_holder, sum),
	LIST(gtrace_lock_holder, JSON, LIST, "parts", parts, part_count,
	     hold_part_fields),
	END,
};

const struct field gti_block_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	KIND(gtrace_block_place, BOTH, BLOCK, "kind", kind, kind),
	BOTH(block_place, rest), BOTH(block_place, count),
	BOTH(block_place, sum), BOTH(block_place, median),
	BOTH(block_place, p99), BOTH(block_place, max),
	FIELD(gtrace_block_place, BOTH, "start", max_start),
	FIELD(gtrace_block_place, BOTH, "g", max_g),
	BOTH(block_place, lost), BOTH(block_place, before),
	BOTH(block_place, unfinished),
	ARRAY(gtrace_block_place, BOTH, "stack", frames, frame_count),
	LIST(gtrace_block_place, JSON, LIST, "enders", enders, ender_count,
	     ender_fields),
	LIST(gtrace_block_place, CSV, FIRST, "first_", enders, ender_count,
	     ender_fields),
	BOTH(block_place, ended_more), BOTH(block_place, ended_more_sum),
	BOTH(block_place, max_by),
	LIST(gtrace_block_place, JSON, LIST, "holders", holders, holder_count,
	     holder_fields),
	LIST(gtrace_block_place, CSV, FIRST, "holder_", holders, holder_count,
	     holder_fields),
	BOTH(block_place, clock_changed), END,
};

/* ---------------------------------------------------- goroutines, requests -- */

#define BLOCKED(name, kind)                                                    \
	FIELD(gtrace_times, BOTH, name, blocked[GTRACE_BLOCK_##kind])

static const struct field times_fields[] = {
	BOTH(times, count), BOTH(times, lived), BOTH(times, ran),
	BOTH(times, assisted), BOTH(times, ready),
	BLOCKED("lock", LOCK), BLOCKED("wait_group", WAIT_GROUP),
	BLOCKED("condition", CONDITION), BLOCKED("send", SEND),
	BLOCKED("receive", RECEIVE), BLOCKED("select", SELECT),
	BLOCKED("network", NETWORK), BLOCKED("sleep", SLEEP),
	BLOCKED("syscall", SYSCALL), BLOCKED("assist", ASSIST),
	BLOCKED("collection", COLLECTION), BLOCKED("other", OTHER),
	BOTH(times, ended), BOTH(times, lost),
	END,
};

static const struct field wait_stretch_fields[] = {
	KNOWN(stretch, BOTH, length), BOTH(stretch, start), BOTH(stretch, g),
	END,
};

static const struct field block_stretch_fields[] = {
	SAME(BOTH, NULL, wait_stretch_fields),
	KIND(gtrace_stretch, BOTH, BLOCK, "kind", kind, kind),
	END,
};

const struct field gti_goroutines_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	FIELD(gtrace_goroutines, BOTH, "fn", function), KNOWN(goroutines, BOTH, g),
	PART(gtrace_goroutines, BOTH, PART, NULL, times, times_fields),
	PART(gtrace_goroutines, JSON, PART, "longest_block", block,
	     block_stretch_fields),
	PART(gtrace_goroutines, CSV, PART, "block_", block,
	     block_stretch_fields),
	PART(gtrace_goroutines, JSON, PART, "longest_wait", wait,
	     wait_stretch_fields),
	PART(gtrace_goroutines, CSV, PART, "wait_", wait, wait_stretch_fields),
	END,
};

static const struct field part_fields[] = {
	JSON(part, state), FIELD(gtrace_part, JSON, "fn", function),
	JSON(part, time),
	END,
};

static const struct field served_fields[] = {
	BOTH(served, start), BOTH(served, length), BOTH(served, g),
	LIST(gtrace_served, JSON, LIST, "parts", parts, part_count,
	     part_fields),
	END,
};

const struct field gti_requests_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	BOTH(requests, what), BOTH(requests, name), BOTH(requests, median),
	BOTH(requests, p99), BOTH(requests, max),
	PART(gtrace_requests, BOTH, PART, NULL, times, times_fields),
	ARRAY(gtrace_requests, BOTH, "stack", frames, frame_count),
	LIST(gtrace_requests, JSON, LIST, "longest", longest, longest_count,
	     served_fields),
	LIST(gtrace_requests, CSV, FIRST, "first_", longest, longest_count,
	     served_fields),
	BOTH(requests, betweens), BOTH(requests, between),
	BOTH(requests, between_state),
	BOTH(requests, open), BOTH(requests, open_max), BOTH(requests, open_g),
	BOTH(requests, open_state), BOTH(requests, open_fn),
	END,
};

/* -------------------------------------------------------- critical paths -- */

static const struct field cause_fields[] = {
	BOTH(cause, g), BOTH(cause, kind),
	ARRAY(gtrace_cause, BOTH, "stack", frames, frame_count),
	ARRAY(gtrace_cause, BOTH, "ended", ended_frames, ended_frame_count),
	END,
};

static const struct field segment_fields[] = {
	BOTH(segment, start), BOTH(segment, length), BOTH(segment, g),
	BOTH(segment, state), BOTH(segment, kind), BOTH(segment, by),
	ARRAY(gtrace_segment, BOTH, "stack", frames, frame_count),
	BOTH(segment, level),
	PART(gtrace_segment, JSON, GIVEN, "cause", cause, cause_fields),
	PART(gtrace_segment, CSV, GIVEN, "cause_", cause, cause_fields),
	END,
};

static const struct field path_head_fields[] = {
	BOTH(path, start), BOTH(path, length), BOTH(path, g),
	BOTH(path, unfinished), BOTH(path, dropped),
	END,
};

const struct field gti_path_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	JSON(path, what), JSON(path, name),
	SAME(JSON, NULL, path_head_fields),
	LIST(gtrace_path, JSON, LIST, "segments", segments, segment_count,
	     segment_fields),
	END,
};

static const struct field path_csv_fields[] = {
	FIELD(gtrace_path, CSV, "what", what),
	FIELD(gtrace_path, CSV, "name", name),
	END,
};

const struct field gti_segment_fields[] = {
	LINE(CSV, TRACE, "trace"), LINE(CSV, UNIT, "unit"),
	PART(segment_line, CSV, POINTER, NULL, path, path_csv_fields),
	PART(segment_line, CSV, POINTER, "path_", path, path_head_fields),
	PART(segment_line, CSV, POINTER, NULL, segment, segment_fields),
	END,
};

static const struct field row_cause_fields[] = {
	JSON(path_cause, kind), FIELD(gtrace_path_cause, JSON, "fn", function),
	END,
};

static const struct field row_fields[] = {
	JSON(path_row, state), FIELD(gtrace_path_row, JSON, "fn", function),
	PART(gtrace_path_row, JSON, GIVEN, "cause", cause, row_cause_fields),
	JSON(path_row, slow), JSON(path_row, slow_in),
	JSON(path_row, typical), JSON(path_row, typical_in),
	END,
};

const struct field gti_paths_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	JSON(paths, what), JSON(paths, name), JSON(paths, requests),
	JSON(paths, unfinished),
	JSON(paths, group), JSON(paths, slow), JSON(paths, typical),
	LIST(gtrace_paths, JSON, LIST, "rows", rows, row_count, row_fields),
	END,
};

/* ----------------------------------------------------------- collections -- */

const struct field gti_collection_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	LINE(JSON, RECORD, "collection"),
	FIELD(gtrace_collection, BOTH, "n", number),
	BOTH(collection, reason), BOTH(collection, g),
	BOTH(collection, function), BOTH(collection, began_before),
	BOTH(collection, unfinished), BOTH(collection, start),
	BOTH(collection, sweep_begin), BOTH(collection, sweep_end),
	BOTH(collection, term_begin), BOTH(collection, done),
	BOTH(collection, end), BOTH(collection, released),
	BOTH(collection, sweep_clock), BOTH(collection, mark_clock),
	BOTH(collection, mark_max), BOTH(collection, term_clock),
	BOTH(collection, procs), BOTH(collection, sweep_cpu),
	BOTH(collection, assist_cpu), BOTH(collection, dedicated_cpu),
	BOTH(collection, fractional_cpu), BOTH(collection, idle_cpu),
	BOTH(collection, term_cpu), BOTH(collection, heap_start),
	BOTH(collection, heap_end), BOTH(collection, heap_live),
	BOTH(collection, heap_goal), BOTH(collection, percent),
	BOTH(collection, assists), BOTH(collection, assist_goroutines),
	BOTH(collection, assist_held), BOTH(collection, assist_parked),
	BOTH(collection, mark_window), BOTH(collection, runnable),
	END,
};

#define TOTAL(member) JSON(collection_total, member)

const struct field gti_total_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	LINE(JSON, RECORD, "total"),
	TOTAL(collections), TOTAL(forced), TOTAL(began_before),
	TOTAL(unfinished), TOTAL(length), TOTAL(percent), TOTAL(stopped),
	TOTAL(assists), TOTAL(assist_goroutines), TOTAL(assist_cpu),
	TOTAL(assist_held), TOTAL(assist_parked), TOTAL(dedicated_cpu),
	TOTAL(fractional_cpu), TOTAL(idle_cpu), TOTAL(assist_share),
	TOTAL(mark_window), TOTAL(runnable),
	KNOWN(collection_total, JSON, outside),
	KNOWN(collection_total, JSON, outside_runnable),
	TOTAL(sweeps), TOTAL(sweep_sum), TOTAL(sweep_max),
	FIELD(gtrace_collection_total, JSON, "sweep_start", sweep_max_start),
	FIELD(gtrace_collection_total, JSON, "sweep_g", sweep_max_g),
	TOTAL(sweep_function),
	END,
};

const struct field gti_assist_fields[] = {
	JSON(assist, function), JSON(assist, held), JSON(assist, cpu),
	JSON(assist, parked), JSON(assist, assists),
	END,
};

const struct field gti_function_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	LINE(JSON, RECORD, "function"), SAME(JSON, NULL, gti_assist_fields),
	JSON(assist, goroutines),
	END,
};

const struct field gti_goroutine_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	LINE(JSON, RECORD, "goroutine"), JSON(assist, g),
	SAME(JSON, NULL, gti_assist_fields),
	END,
};

const struct field gti_sched_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	BOTH(sched_sample, ts), BOTH(sched_sample, interval),
	BOTH(sched_sample, gomaxprocs), BOTH(sched_sample, idleprocs),
	BOTH(sched_sample, threads), BOTH(sched_sample, runqueue),
	BOTH(sched_sample, running), BOTH(sched_sample, syscalls),
	BOTH(sched_sample, waiting), BOTH(sched_sample, gc),
	BOTH(sched_sample, procs_ns), BOTH(sched_sample, running_ns),
	BOTH(sched_sample, held_ns), BOTH(sched_sample, runqueue_ns),
	BOTH(sched_sample, syscalls_ns), BOTH(sched_sample, gc_ns),
	BOTH(sched_sample, starts),
	END,
};
/* clang-format on */
