/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - the tables: their columns, and the structs of their rows.
 *
 * A new column comes last in its table. Times whose name ends in `_ns` are in
 * nanoseconds, those that are moments since the first event of the trace. In a
 * name there is no dot, and none is a word of SQL.
 */
#ifndef GTRACE_TABLES_ROWS_H_
#define GTRACE_TABLES_ROWS_H_

#include "tables/column.h"

/* clang-format off */

/* Each table: X(its name in enum table, its name). */
#define TABLES(X)                                                              \
	X(TRACES, traces) X(SLICES, slices) X(WAITS, waits)                    \
	X(BLOCKS, blocks) X(PAUSES, pauses) X(GOROUTINES, goroutines)          \
	X(COLLECTIONS, collections) X(FINDINGS, findings)                      \
	X(REQUESTS, requests) X(LOGS, logs) X(SAMPLES, samples)                \
	X(STACKS, stacks) X(LATE, late) X(WAIT_SUMS, wait_sums)                \
	X(PLACES, places) X(HOLDERS, holders) X(GENERATIONS, generations)      \
	X(SEGMENTS, segments)

/* The columns of each: X(row, type, name), in their order. */
#define TRACES_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, TEXT, name) X(row, TEXT, labels)            \
	X(row, TEXT, go_version) X(row, TIME, start_time)                      \
	X(row, INT, origin_ns) X(row, INT, length_ns)                          \
	X(row, INT, processors) X(row, INT, events) X(row, INT, goroutines)    \
	X(row, INT, goroutines_created) X(row, INT, slices)                    \
	X(row, INT, time_ns) X(row, INT, idle_ns) X(row, INT, collections)     \
	X(row, INT, collecting_ns) X(row, INT, pauses)                         \
	X(row, TEXT, headline) X(row, TEXT, explanation)                       \
	X(row, INT, clock_changes) X(row, TEXT, fault) X(row, INT, unread_bytes)

#define SLICES_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, INT, start_ns) X(row, INT, length_ns)       \
	X(row, INT, g) X(row, INT, p) X(row, INT, m)                           \
	X(row, TEXT, function) X(row, TEXT, inner_function) X(row, TEXT, file) \
	X(row, ID, line) X(row, ID, stack) X(row, TEXT, event)               \
	X(row, TEXT, reason) X(row, TRUTH, still_running)                      \
	X(row, TEXT, work) X(row, TEXT, goroutine) X(row, TRUTH, is_system)    \
	X(row, INT, system_calls) X(row, INT, system_calls_ns)                 \
	X(row, INT, samples) X(row, INT, pauses_ns) X(row, INT, off_cpu_min_ns)   \
	X(row, INT, off_cpu_likely_ns) X(row, INT, silent_ns)                  \
	X(row, TEXT, silent) X(row, TRUTH, clock_changed)

#define WAITS_COLUMNS(X, row)                                                  \
	X(row, TEXT, trace) X(row, INT, start_ns) X(row, INT, length_ns)       \
	X(row, INT, g) X(row, INT, busy_ns) X(row, INT, idle_ns)               \
	X(row, INT, stopped_ns) X(row, TRUTH, whole) X(row, TRUTH, began_before) \
	X(row, INT, ran_ns) X(row, INT, ran_p) X(row, TEXT, event)             \
	X(row, TEXT, reason) X(row, INT, ready_ns) X(row, INT, ready_g)        \
	X(row, INT, ready_p) X(row, TEXT, ready_function)                      \
	X(row, ID, ready_stack) X(row, INT, kept_g) X(row, INT, kept_p)       \
	X(row, INT, kept_start_ns) X(row, INT, kept_length_ns)                 \
	X(row, INT, kept_ns) X(row, TEXT, kept_function)                       \
	X(row, TEXT, kept_inner_function) X(row, TEXT, kept_work)              \
	X(row, INT, kept_slices) X(row, INT, silent_ns)                        \
	X(row, INT, off_cpu_min_ns) X(row, TRUTH, clock_changed)

#define BLOCKS_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, INT, start_ns) X(row, INT, length_ns)       \
	X(row, INT, g) X(row, TEXT, kind) X(row, TRUTH, rest)                  \
	X(row, TEXT, function) X(row, TEXT, inner_function) X(row, TEXT, file) \
	X(row, ID, line) X(row, ID, stack) X(row, TRUTH, began_before)       \
	X(row, TRUTH, is_over) X(row, TEXT, ended_by) X(row, INT, ender_g)     \
	X(row, TEXT, ender_function) X(row, ID, ender_stack)                  \
	X(row, INT, silent_ns)                                                 \
	X(row, INT, off_cpu_min_ns) X(row, TRUTH, clock_changed)

#define PAUSES_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, INT, pause) X(row, TEXT, kind)              \
	X(row, TRUTH, measured) X(row, TRUTH, inferred) X(row, INT, at_ns)     \
	X(row, INT, g) X(row, INT, p) X(row, INT, requested_ns)                \
	X(row, INT, obtained_ns) X(row, INT, restarting_ns)                    \
	X(row, INT, restarted_ns) X(row, INT, ended_ns)                        \
	X(row, INT, stopping_ns) X(row, INT, stopped_ns) X(row, INT, total_ns) \
	X(row, INT, waited_ns) X(row, INT, stopping_min_ns)                    \
	X(row, INT, stopping_max_ns) X(row, INT, processors) X(row, INT, idle) \
	X(row, INT, late) X(row, TEXT, function) X(row, ID, stack)            \
	X(row, TRUTH, clock_changed)

#define LATE_COLUMNS(X, row)                                                   \
	X(row, TEXT, trace) X(row, INT, pause) X(row, INT, p)                  \
	X(row, TEXT, how) X(row, INT, g) X(row, INT, start_ns)                 \
	X(row, INT, left_ns) X(row, INT, gave_up_ns) X(row, INT, own_ns)       \
	X(row, TEXT, event) X(row, TEXT, reason) X(row, TEXT, function)        \
	X(row, TEXT, inner_function) X(row, ID, stack)                        \
	X(row, INT, off_cpu_ns) X(row, TEXT, off_cpu)

/* How long goroutines were in which state. */
#define TIMES_COLUMNS(X, row)                                                  \
	X(row, INT, ran_ns) X(row, INT, assisted_ns) X(row, INT, ready_ns)     \
	X(row, INT, lock_ns) X(row, INT, wait_group_ns)                        \
	X(row, INT, condition_ns) X(row, INT, send_ns) X(row, INT, receive_ns) \
	X(row, INT, select_ns) X(row, INT, network_ns) X(row, INT, sleep_ns)   \
	X(row, INT, system_call_ns) X(row, INT, assist_ns)                     \
	X(row, INT, collection_ns) X(row, INT, other_ns)

#define GOROUTINES_COLUMNS(X, row)                                             \
	X(row, TEXT, trace) X(row, TEXT, function) X(row, INT, goroutines)     \
	X(row, INT, lived_ns) TIMES_COLUMNS(X, row) X(row, INT, lost_ns)       \
	X(row, INT, longest_block_ns) X(row, INT, longest_block_start_ns)      \
	X(row, INT, longest_block_g) X(row, TEXT, longest_block_kind)          \
	X(row, INT, longest_wait_ns) X(row, INT, longest_wait_start_ns)        \
	X(row, INT, longest_wait_g)

#define COLLECTIONS_COLUMNS(X, row)                                            \
	X(row, TEXT, trace) X(row, INT, collection) X(row, TEXT, reason)       \
	X(row, INT, g) X(row, TEXT, function) X(row, TRUTH, began_before)      \
	X(row, TRUTH, unfinished) X(row, INT, start_ns)                        \
	X(row, INT, sweep_begin_ns) X(row, INT, sweep_end_ns)                  \
	X(row, INT, term_begin_ns) X(row, INT, done_ns) X(row, INT, end_ns)    \
	X(row, INT, released_ns) X(row, INT, sweep_clock_ns)                   \
	X(row, INT, mark_clock_ns) X(row, INT, mark_max_ns)                    \
	X(row, INT, term_clock_ns) X(row, INT, processors)                     \
	X(row, INT, sweep_cpu_ns) X(row, INT, assist_cpu_ns)                   \
	X(row, INT, dedicated_cpu_ns) X(row, INT, fractional_cpu_ns)           \
	X(row, INT, idle_cpu_ns) X(row, INT, term_cpu_ns)                      \
	X(row, INT, heap_start_bytes) X(row, INT, heap_end_bytes)              \
	X(row, INT, heap_live_bytes) X(row, INT, heap_goal_bytes)              \
	X(row, INT, assists) X(row, INT, assist_goroutines)                    \
	X(row, INT, assist_held_ns) X(row, INT, assist_parked_ns)              \
	X(row, INT, mark_window_ns) X(row, INT, runnable_ns)

#define FINDINGS_COLUMNS(X, row)                                               \
	X(row, TEXT, trace) X(row, INT, rank) X(row, TEXT, kind)               \
	X(row, TEXT, function) X(row, TEXT, inner_function) X(row, TEXT, file) \
	X(row, ID, line) X(row, INT, harm_ns) X(row, INT, ranked_ns)          \
	X(row, INT, permille) X(row, INT, things) X(row, INT, worst_ns)        \
	X(row, INT, worst_start_ns) X(row, INT, worst_g) X(row, TEXT, sentence) \
	X(row, TRUTH, sure) X(row, INT, slices_ns) X(row, INT, off_cpu_ns)     \
	X(row, INT, ran_ns) X(row, INT, ready_ns) X(row, INT, delayed_ns)      \
	X(row, INT, system_call_ns) X(row, INT, c_ns) X(row, INT, network_ns)  \
	X(row, INT, sleep_ns) X(row, INT, lock_ns) X(row, INT, send_ns)        \
	X(row, INT, idle_processors_ns)

#define REQUESTS_COLUMNS(X, row)                                               \
	X(row, TEXT, trace) X(row, TEXT, what) X(row, TEXT, name)              \
	X(row, INT, start_ns) X(row, INT, length_ns) X(row, INT, g)            \
	TIMES_COLUMNS(X, row) X(row, INT, ended_ns) X(row, TEXT, longest_state) \
	X(row, TEXT, longest_function) X(row, INT, longest_ns)

#define LOGS_COLUMNS(X, row)                                                   \
	X(row, TEXT, trace) X(row, INT, at_ns) X(row, INT, g) X(row, INT, p)   \
	X(row, INT, m) X(row, INT, task) X(row, TEXT, category)                \
	X(row, TEXT, message) X(row, TEXT, function) X(row, ID, stack)

#define SAMPLES_COLUMNS(X, row)                                                \
	X(row, TEXT, trace) X(row, INT, at_ns) X(row, INT, g) X(row, INT, p)   \
	X(row, INT, m) X(row, TEXT, function) X(row, ID, stack)

#define WAIT_SUMS_COLUMNS(X, row)                                              \
	X(row, TEXT, trace) X(row, TEXT, event) X(row, INT, waits)             \
	X(row, INT, sum_ns) X(row, INT, median_ns) X(row, INT, p99_ns)         \
	X(row, INT, p999_ns) X(row, INT, max_ns) X(row, INT, busy_ns)          \
	X(row, INT, idle_ns) X(row, INT, stopped_ns)

#define PLACES_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, TEXT, kind) X(row, ID, stack)               \
	X(row, TEXT, function) X(row, TEXT, file) X(row, ID, line)             \
	X(row, TRUTH, rest) X(row, INT, blocks) X(row, INT, sum_ns)            \
	X(row, INT, median_ns) X(row, INT, p99_ns) X(row, INT, max_ns)         \
	X(row, INT, max_start_ns) X(row, INT, max_g) X(row, INT, lost_ns)      \
	X(row, INT, began_before) X(row, INT, not_over)

#define HOLDERS_COLUMNS(X, row)                                                \
	X(row, TEXT, trace) X(row, TEXT, kind) X(row, ID, stack)               \
	X(row, TEXT, function) X(row, TEXT, file) X(row, ID, line)             \
	X(row, TEXT, holder_function) X(row, TEXT, holder_file)                \
	X(row, ID, holder_line) X(row, INT, held_ns) X(row, TEXT, did)         \
	X(row, TEXT, did_function) X(row, INT, did_ns)

#define GENERATIONS_COLUMNS(X, row)                                            \
	X(row, TEXT, trace) X(row, INT, generation) X(row, TEXT, hash)         \
	X(row, INT, start_ns) X(row, INT, end_ns) X(row, INT, bytes)

#define SEGMENTS_COLUMNS(X, row)                                               \
	X(row, TEXT, trace) X(row, TEXT, what) X(row, TEXT, name)              \
	X(row, INT, request_g) X(row, INT, request_start_ns)                   \
	X(row, INT, request_length_ns) X(row, TRUTH, unfinished)               \
	X(row, INT, segment) X(row, INT, start_ns) X(row, INT, length_ns)      \
	X(row, INT, g) X(row, INT, level) X(row, TEXT, state)                  \
	X(row, TEXT, kind) X(row, TEXT, ended_by) X(row, TEXT, function)       \
	X(row, TEXT, inner_function) X(row, ID, stack)                         \
	X(row, TEXT, cause_kind) X(row, INT, cause_g)                          \
	X(row, TEXT, cause_function) X(row, ID, cause_stack)

#define STACKS_COLUMNS(X, row)                                                 \
	X(row, TEXT, trace) X(row, ID, stack) X(row, INT, depth)              \
	X(row, TEXT, function) X(row, TEXT, file) X(row, ID, line)

/* clang-format on */

#define ROWS_INT   int64_t
#define ROWS_ID    int64_t
#define ROWS_TIME  int64_t
#define ROWS_TRUTH int64_t
#define ROWS_TEXT  struct gtrace_string

#define ROWS_MEMBER(row, type, name) ROWS_##type name;
#define ROWS_STRUCT(NAME, name)                                                \
	struct name##_row {                                                    \
		NAME##_COLUMNS(ROWS_MEMBER, )                                  \
	};
TABLES(ROWS_STRUCT)

enum table {
#define ROWS_ENUM(NAME, name) TABLE_##NAME,
	TABLES(ROWS_ENUM) TABLE_COUNT
};

/* The columns of each table, by enum table. */
extern const struct columns rows_tables[TABLE_COUNT];

#endif /* GTRACE_TABLES_ROWS_H_ */
