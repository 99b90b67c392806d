// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace

/*
#include <gtrace/gtrace.h>
*/
import "C"

import (
	"time"
	"unsafe"
)

func goSummary(from *C.struct_gtrace_summary) *Summary {
	c := newCopier()
	to := &Summary{
		Headline:    c.text(from.headline),
		Explanation: c.text(from.explanation),
		Length:      time.Duration(from.length),
		Procs:       int(from.procs),
		Goroutines:  int(from.goroutines),
		Created:     int(from.goroutines_created),
		Alive:       int(from.goroutines_alive),
		Events:      int(from.events),
		Collections: int(from.collections),
		Collecting:  time.Duration(from.collecting),
		Lengths: Distribution{
			Count:  int(from.slices.count),
			Sum:    time.Duration(from.slices.sum),
			Median: time.Duration(from.slices.median),
			P99:    time.Duration(from.slices.p99),
			P999:   time.Duration(from.slices.p999),
			Max:    time.Duration(from.slices.max),
		},
		Slices:    goSlices(from.greedy),
		Stops:     goStops(from.stops),
		Waits:     goWaits(from.waits),
		Delays:    goDelays(from.delays),
		Tracer:    Tracer{int(from.tracer_count), time.Duration(from.tracer_sum), time.Duration(from.tracer_max)},
		Functions: make([]Function, from.function_count),
		Holders:   make([]Holder, from.holder_count),
		Findings:  make([]Finding, from.finding_count),
		Time:      time.Duration(from.time),
		Idle:      time.Duration(from.idle),
		Filtered:  from.filtered != 0,

		CollectionsPercent: int(from.collections_percent),
		AssistShare:        int(from.assist_share),
	}
	for i := range to.Functions {
		f := (*C.struct_gtrace_function)(element(unsafe.Pointer(from.functions), i, unsafe.Sizeof(*from.functions)))
		to.Functions[i] = Function{
			Function: c.text(f.frame.function), File: c.text(f.frame.file), Line: int(f.frame.line), Inner: c.text(f.inner), Work: Work(f.work),
			Count: int(f.count), Sum: time.Duration(f.sum), Max: time.Duration(f.max),
			Delay: time.Duration(f.delay), Delaying: int(f.delaying), DelayingSum: time.Duration(f.delaying_sum),
			Blocked: time.Duration(f.blocked), Start: time.Duration(f.max_start), G: int64(f.max_g),
		}
	}
	for i := range to.Holders {
		h := (*C.struct_gtrace_function)(element(unsafe.Pointer(from.holders), i, unsafe.Sizeof(*from.holders)))
		to.Holders[i] = Holder{c.text(h.frame.function), c.text(h.frame.file), int(h.frame.line), c.text(h.inner), Work(h.work), int(h.count), time.Duration(h.sum)}
	}
	for i := range to.Findings {
		f := (*C.struct_gtrace_finding)(element(unsafe.Pointer(from.findings), i, unsafe.Sizeof(*from.findings)))
		to.Findings[i] = Finding{
			Kind: C.GoString(f.name), Function: c.text(f.frame.function), File: c.text(f.frame.file), Line: int(f.frame.line),
			Inner: c.text(f.inner), Holder: c.text(f.holder.function), HolderFile: c.text(f.holder.file), HolderLine: int(f.holder.line),
			Harm: time.Duration(f.harm), Permille: int(f.permille), Rate: time.Duration(f.rate), Count: int(f.count),
			Worst: time.Duration(f.worst), Start: time.Duration(f.worst_start), G: int64(f.worst_g),
			Text: c.text(f.text), Next: c.text(f.next), Sure: f.sure != 0, Rank: time.Duration(f.rank),
		}
	}
	if from.longest_stop != nil {
		to.LongestStop = new(Stop)
		c.stop(to.LongestStop, from.longest_stop)
	}
	if from.assist != nil {
		to.Assist = new(Assist)
		c.assist(to.Assist, from.assist)
	}
	return to
}
