/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gtrace.h - public interface of libgtrace.
 *
 * gtrace reads the execution traces that Go programs write (runtime/trace,
 * go test -trace, net/http/pprof) and makes reports:
 *
 *   - the greedy report: the N longest slices, where a slice is a stretch of
 *     time over which one goroutine keeps one processor;
 *   - the report of stops of the world: which goroutine delayed each of them,
 *     and for how long;
 *   - the report of waits: how long goroutines that are ready waited for a
 *     processor, and behind which slices; and the report of delays: which
 *     slices made others wait longest;
 *   - the report of blocks: where goroutines waited for locks, channels and
 *     the like, or were in system calls, and who ended that; the reports of
 *     goroutines and of requests: in which states their time went;
 *   - the reports of garbage collections and of the scheduler over time;
 *   - the dump: every event;
 *   - the summary: totals, and the findings, that of the greatest harm first.
 *
 * Each is available as data, and as text, JSON or CSV. See also enum
 * gtrace_report.
 *
 * A program that prints the ten longest slices of a trace:
 *
 *	struct gtrace_request request = {.size = sizeof(request), .n = 10};
 *	struct gtrace_output output = {.size = sizeof(output), .fd = 1};
 *	struct gtrace_error error;
 *	struct gtrace *trace;
 *	int failed;
 *
 *	if (gtrace_open_path("trace.out", NULL, &trace, &error) != GTRACE_OK)
 *		return report(&error);
 *	failed = gtrace_print(trace, &request, &output, &error);
 *	gtrace_close(trace);
 *
 * Link it with -lgtrace -pthread.
 *
 * Conventions:
 *
 *   - Times are in nanoseconds since the first event of the trace, or in ticks
 *     where gtrace_in_ticks() says so; offsets and sizes in bytes.
 *   - A pointer argument must not be NULL unless its function says what NULL
 *     means.
 *   - A function that can fail returns a gtrace_status. On failure it fills
 *     *ERROR, unless ERROR is NULL; on success it leaves *ERROR alone.
 *   - A struct that the caller fills begins with its size, which the caller
 *     sets to sizeof: fields that an older header does not have count as zero.
 *     Structs that the library fills may grow at the end. What a report points
 *     to belongs to the report.
 *   - `in_ticks` is what gtrace_in_ticks() returns, `first_time` the time of
 *     the first event in ns of its clock, 0 up to Go 1.21.
 *   - Threads: different traces may be used by different threads at the same
 *     time. One trace must not be used by two threads at the same time. A
 *     finished report does not depend on its trace, and any thread may use it.
 *     Functions without a trace are safe from any thread.
 *   - While the library reads a mapped file it catches SIGBUS, so that a file
 *     that shrinks causes GTRACE_ERROR_READ. Other SIGBUS signals go to the
 *     handler that was installed before, which is restored when the call
 *     returns, unless the program has installed another one meanwhile.
 */
#ifndef GTRACE_GTRACE_H_
#define GTRACE_GTRACE_H_

#define GTRACE_VERSION "0.3.0"

#include <gtrace/base.h>
#include <gtrace/data.h>
#include <gtrace/report.h>
#include <gtrace/summary.h>

#endif /* GTRACE_GTRACE_H_ */
