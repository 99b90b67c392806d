/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fields.c - the tables of fields. c/tools/README.md says what each means, in
 * the order of this file. New ones come last in their table, as it promises.
 */
#include "report/fields.h"

#include "report/compare.h"

/* The kind of a member, by its type. */
#define KIND_OF(type, member)                                                  \
	_Generic(((struct type *)0)->member,                                   \
		int64_t: FIELD_SIGNED,                                         \
		uint64_t: FIELD_UNSIGNED,                                      \
		unsigned: FIELD_TYPE,                                          \
		int: FIELD_FLAG,                                               \
		struct gtrace_string: FIELD_STRING,                            \
		const char *: FIELD_TEXT,                                      \
		const uint64_t *: FIELD_NUMBERS,                               \
		const struct gtrace_string *: FIELD_STRINGS,                   \
		const char *const *: FIELD_TEXTS,                              \
		const struct gtrace_frame *: FIELD_STACK,                      \
		const struct gtrace_samples *: FIELD_SAMPLES)

/*
 * Rows of a table: the formats, the name and the member; then the member that
 * `other` says, and the fields of a part or an item.
 */
/* clang-format off */
#define KIND(type, in, kind, name, member, other)                              \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, other), 0, NULL}
#define FIELD(type, in, name, member)                                          \
	{name, KIND_OF(type, member), IN_##in, offsetof(struct type, member),  \
	 0, 0, NULL}
#define ARRAY(type, in, name, member, count)                                   \
	{name, KIND_OF(type, member), IN_##in, offsetof(struct type, member),  \
	 offsetof(struct type, count), sizeof(((struct type *)0)->member[0]),  \
	 NULL}
#define LIST(type, in, kind, name, member, count, of)                          \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, count), sizeof(((struct type *)0)->member[0]), of}
#define COMPARED(name, list, of)                                               \
	{name, FIELD_LIST, IN_JSON, offsetof(struct comparison, list.items),   \
	 offsetof(struct comparison, list.count), sizeof(struct compared),     \
	 of}
#define PART(type, in, kind, name, member, of)                                 \
	{name, FIELD_##kind, IN_##in, offsetof(struct type, member), 0, 0, of}
#define UNLESS(type, in, name, member, flag, of)                               \
	{name, FIELD_UNLESS, IN_##in, offsetof(struct type, member),           \
	 offsetof(struct type, flag), 0, of}
#define BOTH(type, member)   FIELD(gtrace_##type, BOTH, #member, member)
#define JSON(type, member)   FIELD(gtrace_##type, JSON, #member, member)
#define CSV(type, member)    FIELD(gtrace_##type, CSV, #member, member)
#define LINE(in, kind, name) {name, FIELD_##kind, IN_##in, 0, 0, 0, NULL}
#define SAME(in, name, of)   {name, FIELD_PART, IN_##in, 0, 0, 0, of}
#define END                  {NULL, FIELD_END, 0, 0, 0, 0, NULL}

/* ---------------------------------------------------------------- stacks -- */

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
	BOTH(slice, own),
	KIND(gtrace_slice, BOTH, KNOWN, "delay", delay, delay),
	BOTH(slice, off_cpu_min),
	KIND(gtrace_slice, BOTH, KNOWN, "off_cpu_likely", off_cpu_likely,
	     off_cpu_likely),
	END,
};

const struct field gti_slice_cpu_fields[] = {
	SAME(BOTH, NULL, gti_slice_fields),
	KIND(gtrace_slice, BOTH, KNOWN, "on_cpu", on_cpu, on_cpu),
	KIND(gtrace_slice, BOTH, KNOWN, "preempted", preempted, preempted),
	KIND(gtrace_slice, BOTH, KNOWN, "asleep", asleep, asleep),
	END,
};

/* ----------------------------------------------------------------- stops -- */

static const struct field late_fields[] = {
	BOTH(late, p),
	KIND(gtrace_late, BOTH, HOW, "how", how, how),
	BOTH(late, g), BOTH(late, start), BOTH(late, left), BOTH(late, gave_up),
	BOTH(late, own), BOTH(late, event), BOTH(late, reason),
	ARRAY(gtrace_late, BOTH, "stack", frames, frame_count),
	KIND(gtrace_late, JSON, KNOWN, "own_on_cpu", own_on_cpu, own_on_cpu),
	LIST(gtrace_late, JSON, SOME, "samples", samples, sample_count,
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
	LIST(gtrace_stop, CSV, FIRST, "last_", late, late_count, late_fields),
	END,
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
	BOTH(wait, kept_none),
	END,
};

/* ---------------------------------------------------------------- blocks -- */

static const struct field ender_fields[] = {
	BOTH(unblocker, by), BOTH(unblocker, count), BOTH(unblocker, sum),
	ARRAY(gtrace_unblocker, BOTH, "stack", frames, frame_count),
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
	END,
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
	KIND(gtrace_stretch, BOTH, KNOWN, "length", length, length),
	BOTH(stretch, start), BOTH(stretch, g),
	END,
};

static const struct field block_stretch_fields[] = {
	SAME(BOTH, NULL, wait_stretch_fields),
	KIND(gtrace_stretch, BOTH, BLOCK, "kind", kind, kind),
	END,
};

const struct field gti_goroutines_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	FIELD(gtrace_goroutines, BOTH, "fn", function),
	KIND(gtrace_goroutines, BOTH, KNOWN, "g", g, g),
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
	KIND(gtrace_collection_total, JSON, KNOWN, "outside", outside,
	     outside),
	KIND(gtrace_collection_total, JSON, KNOWN, "outside_runnable",
	     outside_runnable, outside_runnable),
	END,
};

static const struct field assist_fields[] = {
	JSON(assist, function), JSON(assist, held), JSON(assist, cpu),
	JSON(assist, parked), JSON(assist, assists),
	END,
};

const struct field gti_function_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	LINE(JSON, RECORD, "function"), SAME(JSON, NULL, assist_fields),
	JSON(assist, goroutines),
	END,
};

const struct field gti_goroutine_fields[] = {
	LINE(JSON, TRACE, "trace"), LINE(JSON, UNIT, "unit"),
	LINE(JSON, RECORD, "goroutine"), JSON(assist, g),
	SAME(JSON, NULL, assist_fields),
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

/* --------------------------------------------------------------- summary -- */

/* Columns begin with "slices_" or "stops_"; the number of slices has its own.
 */
static const struct field lengths_fields[] = {
	JSON(distribution, count), BOTH(distribution, sum),
	BOTH(distribution, median), BOTH(distribution, p99),
	BOTH(distribution, p999), BOTH(distribution, max),
	END,
};

static const struct field stops_fields[] = {
	JSON(stop_report, measured), JSON(stop_report, unmeasured),
	JSON(stop_report, inferred),
	FIELD(gtrace_stop_report, CSV, "stops_measured", measured),
	FIELD(gtrace_stop_report, CSV, "stops_unmeasured", unmeasured),
	FIELD(gtrace_stop_report, CSV, "stops_inferred", inferred),
	FIELD(gtrace_stop_report, BOTH, "stopping", all.stopping),
	FIELD(gtrace_stop_report, JSON, "median", all.median),
	FIELD(gtrace_stop_report, JSON, "p99", all.p99),
	FIELD(gtrace_stop_report, JSON, "max", all.max),
	FIELD(gtrace_stop_report, CSV, "stopping_median", all.median),
	FIELD(gtrace_stop_report, CSV, "stopping_p99", all.p99),
	FIELD(gtrace_stop_report, CSV, "stopping_max", all.max),
	FIELD(gtrace_stop_report, BOTH, "stopped", all.stopped),
	FIELD(gtrace_stop_report, JSON, "total", all.total),
	END,
};

/* Columns begin with "waits_". */
static const struct field waits_fields[] = {
	FIELD(gtrace_wait_report, BOTH, "count", whole),
	BOTH(wait_report, before), BOTH(wait_report, unfinished),
	FIELD(gtrace_wait_report, BOTH, "sum", all.sum),
	FIELD(gtrace_wait_report, BOTH, "median", all.median),
	FIELD(gtrace_wait_report, BOTH, "p99", all.p99),
	FIELD(gtrace_wait_report, BOTH, "p999", all.p999),
	FIELD(gtrace_wait_report, BOTH, "max", all.max),
	FIELD(gtrace_wait_report, BOTH, "busy", all.busy),
	FIELD(gtrace_wait_report, BOTH, "idle", all.idle),
	FIELD(gtrace_wait_report, BOTH, "stopped", all.stopped),
	END,
};

/* Columns begin with "delay_". */
static const struct field delays_fields[] = {
	BOTH(delay_report, waited), BOTH(delay_report, behind),
	BOTH(delay_report, scheduling),
	END,
};

/* Columns begin with "machine_". */
static const struct field machine_fields[] = {
	BOTH(machine, lost),
	FIELD(gtrace_machine, BOTH, "off_cpu", off_cpu.count),
	FIELD(gtrace_machine, BOTH, "off_cpu_sum", off_cpu.sum),
	FIELD(gtrace_machine, BOTH, "off_cpu_max", off_cpu.max),
	FIELD(gtrace_machine, BOTH, "off_cpu_start", off_cpu.start),
	BOTH(machine, off_cpu_p), BOTH(machine, silence_known),
	FIELD(gtrace_machine, BOTH, "silences", silence.count),
	FIELD(gtrace_machine, BOTH, "silence_sum", silence.sum),
	FIELD(gtrace_machine, BOTH, "silence_max", silence.max),
	FIELD(gtrace_machine, BOTH, "silence_start", silence.start),
	BOTH(machine, throttle_interval), BOTH(machine, throttle_periods),
	BOTH(machine, throttled), BOTH(machine, throttle_ran),
	BOTH(machine, throttle_cpu),
	END,
};

/* What a slice or a stop is named after. */
static const struct field naming_fields[] = {
	FIELD(field_view, JSON, "fn", function),
	FIELD(field_view, JSON, "caller", caller),
	FIELD(field_view, JSON, "file", file),
	FIELD(field_view, JSON, "line", line),
	FIELD(field_view, JSON, "work", work),
	END,
};

static const struct field listed_slice_fields[] = {
	JSON(slice, duration),
	FIELD(gtrace_slice, JSON, "start", start.ts),
	JSON(slice, p), JSON(slice, g), JSON(slice, delay),
	END,
};

static const struct field named_slice_fields[] = {
	PART(field_view, JSON, POINTER, NULL, item, listed_slice_fields),
	SAME(JSON, NULL, naming_fields),
	END,
};

static const struct field listed_stop_fields[] = {
	FIELD(gtrace_stop, JSON, "n", number),
	JSON(stop, kind), JSON(stop, requested), JSON(stop, stopping),
	JSON(stop, stopped),
	END,
};

static const struct field named_stop_fields[] = {
	PART(field_view, JSON, POINTER, NULL, item, listed_stop_fields),
	FIELD(field_view, JSON, "p", p),
	FIELD(field_view, JSON, "g", g),
	SAME(JSON, NULL, naming_fields),
	END,
};

static const struct field slices_list_fields[] = {
	LIST(gtrace_greedy_report, JSON, SLICES, "longest_slices", slices,
	     count, named_slice_fields),
	END,
};

static const struct field stops_list_fields[] = {
	LIST(gtrace_stop_report, JSON, STOPS, "longest_stops", stops,
	     stop_count, named_stop_fields),
	END,
};

static const struct field function_fields[] = {
	FIELD(gtrace_function, JSON, "fn", function),
	JSON(function, file), JSON(function, line), JSON(function, inner),
	KIND(gtrace_function, JSON, WORK, "work", work, function),
	JSON(function, count), JSON(function, sum), JSON(function, max),
	JSON(function, delay), JSON(function, delaying),
	JSON(function, delaying_sum), JSON(function, blocked),
	FIELD(gtrace_function, JSON, "start", max_start),
	FIELD(gtrace_function, JSON, "g", max_g),
	END,
};

static const struct field holder_fields[] = {
	FIELD(gtrace_holder, JSON, "fn", function),
	JSON(holder, file), JSON(holder, line), JSON(holder, inner),
	KIND(gtrace_holder, JSON, WORK, "work", work, function),
	JSON(holder, count), JSON(holder, stopping),
	END,
};

static const struct field finding_fields[] = {
	FIELD(gtrace_finding, JSON, "kind", name),
	FIELD(gtrace_finding, JSON, "fn", frame.function),
	FIELD(gtrace_finding, JSON, "file", frame.file),
	FIELD(gtrace_finding, JSON, "line", frame.line),
	JSON(finding, inner),
	FIELD(gtrace_finding, JSON, "holder_fn", holder.function),
	FIELD(gtrace_finding, JSON, "holder_file", holder.file),
	FIELD(gtrace_finding, JSON, "holder_line", holder.line),
	JSON(finding, harm), JSON(finding, permille), JSON(finding, rate),
	JSON(finding, count), JSON(finding, worst),
	FIELD(gtrace_finding, JSON, "start", worst_start),
	FIELD(gtrace_finding, JSON, "g", worst_g),
	JSON(finding, text), JSON(finding, next), JSON(finding, sure),
	JSON(finding, rank),
	END,
};

static const struct field process_fields[] = {
	JSON(process, name), JSON(process, sum),
	END,
};

static const struct field cpu_fields[] = {
	JSON(cpu, on_cpu), JSON(cpu, preempted), JSON(cpu, asleep),
	JSON(cpu, unknown),
	LIST(gtrace_cpu, JSON, LIST, "instead", instead, instead_count,
	     process_fields),
	END,
};

const struct field gti_summary_fields[] = {
	LINE(BOTH, TRACE, "trace"), LINE(BOTH, UNIT, "unit"),
	BOTH(summary, headline), BOTH(summary, explanation),
	KIND(gtrace_summary, BOTH, VERSION, "version", trace_version,
	     trace_version),
	BOTH(summary, length), BOTH(summary, procs), BOTH(summary, goroutines),
	BOTH(summary, goroutines_created), BOTH(summary, goroutines_alive),
	BOTH(summary, events), BOTH(summary, collections),
	BOTH(summary, collecting),
	FIELD(gtrace_summary, BOTH, "tracer", tracer_count),
	BOTH(summary, tracer_sum), BOTH(summary, tracer_max),
	FIELD(gtrace_summary, CSV, "slices", slices.count),
	PART(gtrace_summary, CSV, PART, "slices_", slices, lengths_fields),
	PART(gtrace_summary, CSV, POINTER, NULL, stops, stops_fields),
	PART(gtrace_summary, CSV, POINTER, "waits_", waits, waits_fields),
	PART(gtrace_summary, CSV, POINTER, "delay_", delays, delays_fields),
	PART(gtrace_summary, JSON, PART, "slices", slices, lengths_fields),
	PART(gtrace_summary, JSON, POINTER, "stops", stops, stops_fields),
	PART(gtrace_summary, JSON, POINTER, "waits", waits, waits_fields),
	PART(gtrace_summary, JSON, POINTER, "delays", delays, delays_fields),
	PART(gtrace_summary, JSON, POINTER, NULL, greedy, slices_list_fields),
	PART(gtrace_summary, JSON, POINTER, NULL, stops, stops_list_fields),
	LIST(gtrace_summary, JSON, LIST, "functions", functions, function_count,
	     function_fields),
	LIST(gtrace_summary, JSON, LIST, "holders", holders, holder_count,
	     holder_fields),
	BOTH(summary, time), BOTH(summary, idle), BOTH(summary, filtered),
	LIST(gtrace_summary, JSON, LIST, "findings", findings, finding_count,
	     finding_fields),
	PART(gtrace_summary, CSV, PART, "machine_", machine, machine_fields),
	PART(gtrace_summary, JSON, PART, "machine", machine, machine_fields),
	PART(gtrace_summary, JSON, POINTER, "cpu", cpu, cpu_fields),
	END,
};

/* ------------------------------------------------------------ comparison -- */

static const struct field compared_stops_fields[] = {
	FIELD(gtrace_stop_report, JSON, "measured", all.measured),
	FIELD(gtrace_stop_report, JSON, "stopping", all.stopping),
	FIELD(gtrace_stop_report, JSON, "median", all.median),
	FIELD(gtrace_stop_report, JSON, "p99", all.p99),
	FIELD(gtrace_stop_report, JSON, "max", all.max),
	END,
};

static const struct field compared_trace_fields[] = {
	JSON(summary, length), JSON(summary, procs),
	PART(gtrace_summary, JSON, PART, "slices", slices, lengths_fields),
	PART(gtrace_summary, JSON, POINTER, "stops", stops,
	     compared_stops_fields),
	PART(gtrace_summary, JSON, POINTER, "waits", waits, waits_fields),
	PART(gtrace_summary, JSON, POINTER, "delays", delays, delays_fields),
	END,
};

static const struct field old_fields[] = {
	FIELD(comparison, JSON, "trace", names[0]),
	PART(comparison, JSON, POINTER, NULL, before, compared_trace_fields),
	END,
};

static const struct field new_fields[] = {
	FIELD(comparison, JSON, "trace", names[1]),
	PART(comparison, JSON, POINTER, NULL, after, compared_trace_fields),
	END,
};

static const struct field amount_fields[] = {
	FIELD(compared_amount, JSON, "count", count),
	FIELD(compared_amount, JSON, "sum", sum),
	KIND(compared_amount, JSON, KNOWN, "max", max, max),
	FIELD(compared_amount, JSON, "rate", rate),
	END,
};

static const struct field change_fields[] = {
	FIELD(compared, JSON, "fn", function),
	FIELD(compared, JSON, "file", file),
	FIELD(compared, JSON, "line", line),
	KIND(compared, JSON, WORK, "work", work, function),
	PART(compared, JSON, PART, "old", before, amount_fields),
	PART(compared, JSON, PART, "new", after, amount_fields),
	FIELD(compared, JSON, "change", change),
	END,
};

static const struct field block_change_fields[] = {
	FIELD(compared, JSON, "fn", function),
	FIELD(compared, JSON, "file", file),
	FIELD(compared, JSON, "line", line),
	FIELD(compared, JSON, "kind", kind),
	PART(compared, JSON, PART, "old", before, amount_fields),
	PART(compared, JSON, PART, "new", after, amount_fields),
	FIELD(compared, JSON, "change", change),
	END,
};

const struct field gti_comparison_fields[] = {
	SAME(JSON, "old", old_fields), SAME(JSON, "new", new_fields),
	COMPARED("functions", slices, change_fields),
	COMPARED("delays", delays, change_fields),
	COMPARED("holders", holders, change_fields),
	COMPARED("blocks", blocks, block_change_fields),
	END,
};
/* clang-format on */
