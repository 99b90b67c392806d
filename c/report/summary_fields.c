/* SPDX-License-Identifier: BSD-3-Clause */
/* summary_fields.c - the tables of fields of summaries and of comparisons. */
#include "report/compare.h"
#include "report/field_tables.h"

/* clang-format off */
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
	JSON(wait_report, cut_sum), JSON(wait_report, cut_max),
	END,
};

/* Columns begin with "delay_". */
static const struct field delays_fields[] = {
	BOTH(delay_report, waited), BOTH(delay_report, behind),
	BOTH(delay_report, scheduling),
	END,
};

static const struct field silent_fields[] = {
	JSON(silent, from), JSON(silent, to), JSON(silent, p), JSON(silent, g),
	KIND(gtrace_silent, JSON, SILENT, "class", what, what),
	JSON(silent, time), JSON(silent, why),
	FIELD(gtrace_silent, JSON, "fn", function),
	END,
};

#define CLASS(class) classes[GTRACE_SILENT_##class]

static const struct field class_fields[] = {
	FIELD(gtrace_machine, BOTH, "certain", CLASS(CERTAIN).sum),
	FIELD(gtrace_machine, BOTH, "certain_count", CLASS(CERTAIN).count),
	FIELD(gtrace_machine, BOTH, "asleep", CLASS(ASLEEP).sum),
	FIELD(gtrace_machine, BOTH, "asleep_count", CLASS(ASLEEP).count),
	FIELD(gtrace_machine, BOTH, "likely", CLASS(LIKELY).sum),
	FIELD(gtrace_machine, BOTH, "likely_count", CLASS(LIKELY).count),
	FIELD(gtrace_machine, BOTH, "undecided", CLASS(UNDECIDED).sum),
	FIELD(gtrace_machine, BOTH, "undecided_count", CLASS(UNDECIDED).count),
	END,
};

/* Columns begin with "machine_". */
static const struct field machine_fields[] = {
	FIELD(gtrace_machine, BOTH, "lost", CLASS(CERTAIN).sum),
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
	SAME(BOTH, NULL, class_fields),
	BOTH(machine, storm),
	FIELD(gtrace_machine, BOTH, "bare", off_cpu.sum),
	BOTH(machine, profile),
	LIST(gtrace_machine, JSON, LIST, "stretches", stretches, stretch_count,
	     silent_fields),
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

static const struct field place_fields[] = {
	FIELD(gtrace_frame, JSON, "fn", function),
	JSON(frame, file), JSON(frame, line),
	END,
};

static const struct field function_fields[] = {
	PART(gtrace_function, JSON, PART, NULL, frame, place_fields),
	JSON(function, inner),
	KIND(gtrace_function, JSON, WORK, "work", work, frame.function),
	JSON(function, count), JSON(function, sum), JSON(function, max),
	JSON(function, delay), JSON(function, delaying),
	JSON(function, delaying_sum),
	FIELD(gtrace_function, JSON, "delay_off_cpu", off_cpu),
	JSON(function, blocked),
	FIELD(gtrace_function, JSON, "start", max_start),
	FIELD(gtrace_function, JSON, "g", max_g), JSON(function, ready_p99),
	END,
};

static const struct field holder_fields[] = {
	PART(gtrace_function, JSON, PART, NULL, frame, place_fields),
	JSON(function, inner),
	KIND(gtrace_function, JSON, WORK, "work", work, frame.function),
	JSON(function, count),
	FIELD(gtrace_function, JSON, "stopping", sum),
	END,
};

#define PART_OF(name, part)                                                    \
	FIELD(gtrace_finding, JSON, name, parts[GTRACE_HOLD_##part])

static const struct field part_fields[] = {
	PART_OF("ran", RAN), PART_OF("ready", READY), PART_OF("delay", DELAY),
	PART_OF("call", CALL), PART_OF("in_c", IN_C),
	PART_OF("network", NETWORK), PART_OF("sleep", SLEEP),
	PART_OF("lock", LOCK), PART_OF("send", SEND), PART_OF("work", WORK),
	END,
};

static const struct field victim_fields[] = {
	KIND(gtrace_victim, JSON, BLOCK, "kind", kind, kind),
	PART(gtrace_victim, JSON, PART, NULL, frame, place_fields),
	JSON(victim, inner), JSON(victim, sum), JSON(victim, count),
	END,
};

static const struct field resting_fields[] = {
	KIND(gtrace_resting, JSON, BLOCK, "kind", kind, kind),
	PART(gtrace_resting, JSON, PART, NULL, frame, place_fields),
	JSON(resting, inner), JSON(resting, sum), JSON(resting, count),
	END,
};

static const struct field finding_fields[] = {
	FIELD(gtrace_finding, JSON, "kind", name),
	PART(gtrace_finding, JSON, PART, NULL, frame, place_fields),
	JSON(finding, inner),
	JSON(finding, harm), JSON(finding, off_cpu), JSON(finding, permille),
	JSON(finding, rate),
	JSON(finding, count), JSON(finding, worst),
	FIELD(gtrace_finding, JSON, "start", worst_start),
	FIELD(gtrace_finding, JSON, "g", worst_g),
	JSON(finding, text), JSON(finding, next), JSON(finding, sure),
	JSON(finding, rank),
	SAME(JSON, "parts", part_fields),
	JSON(finding, itself), JSON(finding, others), JSON(finding, average),
	LIST(gtrace_finding, JSON, LIST, "victims", victims, victim_count,
	     victim_fields),
	JSON(finding, cut),
	END,
};

static const struct field process_fields[] = {
	JSON(process, name), JSON(process, sum),
	END,
};

static const struct field cpu_fields[] = {
	JSON(cpu, on_cpu), JSON(cpu, preempted), JSON(cpu, asleep),
	JSON(cpu, unknown), JSON(cpu, own),
	LIST(gtrace_cpu, JSON, LIST, "instead", instead, instead_count,
	     process_fields),
	END,
};

static const struct field threads_fields[] = {
	JSON(threads, count), JSON(threads, on_cpu), JSON(threads, waited),
	JSON(threads, others), JSON(threads, others_on_cpu),
	JSON(threads, held), JSON(threads, off_cpu),
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
	PART(gtrace_summary, JSON, POINTER, "threads", threads, threads_fields),
	BOTH(summary, collections_percent), BOTH(summary, assist_share),
	BOTH(summary, assisting), BOTH(summary, sweeping),
	BOTH(summary, forced), BOTH(summary, goal_percent),
	PART(gtrace_summary, JSON, POINTER, "assist", assist,
	     gti_assist_fields),
	BOTH(summary, origin), BOTH(summary, clock_changes),
	BOTH(summary, clock_jump), BOTH(summary, clock_gap),
	LIST(gtrace_summary, JSON, LIST, "at_rest", at_rest, at_rest_count,
	     resting_fields),
	JSON(summary, rest_next), BOTH(summary, causes_every),
	KNOWN(summary, BOTH, began), END,
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
	PART(gtrace_summary, JSON, PART, "machine", machine, class_fields),
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

static const struct field amounts_fields[] = {
	PART(compared, JSON, PART, "old", before, amount_fields),
	PART(compared, JSON, PART, "new", after, amount_fields),
	FIELD(compared, JSON, "change", change),
	END,
};

static const struct field change_fields[] = {
	PART(compared, JSON, PART, NULL, frame, place_fields),
	KIND(compared, JSON, WORK, "work", work, frame.function),
	SAME(JSON, NULL, amounts_fields),
	END,
};

static const struct field block_change_fields[] = {
	PART(compared, JSON, PART, NULL, frame, place_fields),
	FIELD(compared, JSON, "kind", kind),
	SAME(JSON, NULL, amounts_fields),
	END,
};

#define COMPARED(name, list, of)                                               \
	{name, FIELD_LIST, IN_JSON,                                            \
	 offsetof(struct comparison, lists[COMPARED_##list].items),            \
	 offsetof(struct comparison, lists[COMPARED_##list].count),            \
	 sizeof(struct compared), of}

const struct field gti_comparison_fields[] = {
	SAME(JSON, "old", old_fields), SAME(JSON, "new", new_fields),
	COMPARED("functions", SLICES, change_fields),
	COMPARED("delays", DELAYS, change_fields),
	COMPARED("holders", HOLDERS, change_fields),
	COMPARED("blocks", BLOCKS, block_change_fields),
	COMPARED("findings", FINDINGS, block_change_fields),
	END,
};
/* clang-format on */
