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

func goCollections(from *C.struct_gtrace_collection_report) *CollectionReport {
	c := newCopier()
	to := &CollectionReport{
		Collections: make([]Collection, from.count),
		Functions:   c.assists(from.functions, int(from.function_count)),
		Goroutines:  c.assists(from.goroutines, int(from.goroutine_count)),
	}
	for i := range to.Collections {
		c.collection(&to.Collections[i], (*C.struct_gtrace_collection)(element(unsafe.Pointer(from.collections), i, unsafe.Sizeof(*from.collections))))
	}
	c.collectionTotal(&to.Total, &from.total)
	return to
}

func (c *copier) assists(from *C.struct_gtrace_assist, count int) []Assist {
	to := make([]Assist, count)
	for i := range to {
		c.assist(&to[i], (*C.struct_gtrace_assist)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func goSched(from *C.struct_gtrace_sched_report) []SchedSample {
	c := newCopier()
	to := make([]SchedSample, from.count)
	for i := range to {
		c.schedSample(&to[i], (*C.struct_gtrace_sched_sample)(element(unsafe.Pointer(from.samples), i, unsafe.Sizeof(*from.samples))))
	}
	return to
}

func (c *copier) collection(to *Collection, from *C.struct_gtrace_collection) {
	*to = Collection{
		Number:           int(from.number),
		Reason:           c.name(from.reason),
		G:                int64(from.g),
		Function:         c.text(from.function),
		BeganBefore:      from.began_before != 0,
		Unfinished:       from.unfinished != 0,
		Start:            time.Duration(from.start),
		SweepBegin:       time.Duration(from.sweep_begin),
		SweepEnd:         time.Duration(from.sweep_end),
		TermBegin:        time.Duration(from.term_begin),
		Done:             time.Duration(from.done),
		End:              time.Duration(from.end),
		Released:         time.Duration(from.released),
		SweepClock:       time.Duration(from.sweep_clock),
		MarkClock:        time.Duration(from.mark_clock),
		MarkMax:          time.Duration(from.mark_max),
		TermClock:        time.Duration(from.term_clock),
		Procs:            int(from.procs),
		SweepCPU:         time.Duration(from.sweep_cpu),
		AssistCPU:        time.Duration(from.assist_cpu),
		DedicatedCPU:     time.Duration(from.dedicated_cpu),
		FractionalCPU:    time.Duration(from.fractional_cpu),
		IdleCPU:          time.Duration(from.idle_cpu),
		TermCPU:          time.Duration(from.term_cpu),
		HeapStart:        int64(from.heap_start),
		HeapEnd:          int64(from.heap_end),
		HeapLive:         int64(from.heap_live),
		HeapGoal:         int64(from.heap_goal),
		Percent:          int(from.percent),
		Assists:          int(from.assists),
		AssistGoroutines: int(from.assist_goroutines),
		AssistHeld:       time.Duration(from.assist_held),
		AssistParked:     time.Duration(from.assist_parked),
		MarkWindow:       time.Duration(from.mark_window),
		Runnable:         int64(from.runnable),
	}
}

func (c *copier) collectionTotal(to *CollectionTotal, from *C.struct_gtrace_collection_total) {
	*to = CollectionTotal{
		Collections:      int(from.collections),
		Forced:           int(from.forced),
		BeganBefore:      int(from.began_before),
		Unfinished:       int(from.unfinished),
		Length:           time.Duration(from.length),
		Percent:          int(from.percent),
		Stopped:          time.Duration(from.stopped),
		Assists:          int(from.assists),
		AssistGoroutines: int(from.assist_goroutines),
		AssistCPU:        time.Duration(from.assist_cpu),
		AssistHeld:       time.Duration(from.assist_held),
		AssistParked:     time.Duration(from.assist_parked),
		DedicatedCPU:     time.Duration(from.dedicated_cpu),
		FractionalCPU:    time.Duration(from.fractional_cpu),
		IdleCPU:          time.Duration(from.idle_cpu),
		AssistShare:      int(from.assist_share),
		MarkWindow:       time.Duration(from.mark_window),
		Runnable:         int64(from.runnable),
		Outside:          time.Duration(from.outside),
		OutsideRunnable:  int64(from.outside_runnable),
	}
}

func (c *copier) assist(to *Assist, from *C.struct_gtrace_assist) {
	*to = Assist{
		Function:   c.text(from.function),
		G:          int64(from.g),
		Held:       time.Duration(from.held),
		CPU:        time.Duration(from.cpu),
		Parked:     time.Duration(from.parked),
		Assists:    int(from.assists),
		Goroutines: int(from.goroutines),
	}
}

func (c *copier) schedSample(to *SchedSample, from *C.struct_gtrace_sched_sample) {
	*to = SchedSample{
		Ts:         time.Duration(from.ts),
		Interval:   time.Duration(from.interval),
		Gomaxprocs: int(from.gomaxprocs),
		Idleprocs:  int(from.idleprocs),
		Threads:    int(from.threads),
		Runqueue:   int(from.runqueue),
		Running:    int(from.running),
		Syscalls:   int(from.syscalls),
		Waiting:    int(from.waiting),
		GC:         from.gc != 0,
		ProcsNS:    time.Duration(from.procs_ns),
		RunningNS:  time.Duration(from.running_ns),
		HeldNS:     time.Duration(from.held_ns),
		RunqueueNS: time.Duration(from.runqueue_ns),
		SyscallsNS: time.Duration(from.syscalls_ns),
		GcNS:       time.Duration(from.gc_ns),
		Starts:     int(from.starts),
	}
}
