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

func goStops(from *C.struct_gtrace_stop_report) *StopReport {
	c := newCopier()
	to := &StopReport{
		Measured:        int(from.measured),
		Unmeasured:      int(from.unmeasured),
		Inferred:        int(from.inferred),
		Kinds:           make([]StopKind, from.kind_count),
		Sampled:         int(from.sampled),
		MeasuredStops:   c.stops(from.stops, int(from.stop_count)),
		InferredStops:   c.stops(from.inferred_stops, int(from.inferred_count)),
		UnmeasuredStops: c.stops(from.unmeasured_stops, int(from.unmeasured_count)),
	}
	for i := range to.Kinds {
		c.kind(&to.Kinds[i], (*C.struct_gtrace_stop_kind)(element(unsafe.Pointer(from.kinds), i, unsafe.Sizeof(*from.kinds))))
	}
	c.kind(&to.All, &from.all)
	return to
}

func (c *copier) kind(to *StopKind, from *C.struct_gtrace_stop_kind) {
	*to = StopKind{
		Kind:     c.text(from.kind),
		Count:    int(from.count),
		Measured: int(from.measured),
		Stopping: time.Duration(from.stopping),
		Median:   time.Duration(from.median),
		P99:      time.Duration(from.p99),
		Max:      time.Duration(from.max),
		Stopped:  time.Duration(from.stopped),
		Total:    time.Duration(from.total),
	}
}

func (c *copier) stops(from **C.struct_gtrace_stop, count int) []Stop {
	to := make([]Stop, count)
	for i := range to {
		c.stop(&to[i], *(**C.struct_gtrace_stop)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func (c *copier) stop(to *Stop, from *C.struct_gtrace_stop) {
	*to = Stop{
		Number:       int(from.number),
		Kind:         c.text(from.kind),
		Measured:     from.measured != 0,
		Inferred:     from.inferred != 0,
		RequestedMin: time.Duration(from.requested_min),
		RequestedMax: time.Duration(from.requested_max),
		StoppingMin:  time.Duration(from.stopping_min),
		StoppingMax:  time.Duration(from.stopping_max),
		Time:         time.Duration(from.ts),
		P:            int64(from.p),
		G:            int64(from.g),
		Frames:       c.frames(from.frames, int(from.frame_count)),
		Requested:    time.Duration(from.requested),
		Obtained:     time.Duration(from.obtained),
		Restarting:   time.Duration(from.restarting),
		Restarted:    time.Duration(from.restarted),
		Ended:        time.Duration(from.ended),
		Stopping:     time.Duration(from.stopping),
		Stopped:      time.Duration(from.stopped),
		Total:        time.Duration(from.total),
		Waited:       time.Duration(from.waited),
		Procs:        int(from.procs),
		Idle:         int(from.idle),
		Late:         make([]Late, from.late_count),
	}
	for i := range to.Late {
		c.late(&to.Late[i], (*C.struct_gtrace_late)(element(unsafe.Pointer(from.late), i, unsafe.Sizeof(*from.late))))
	}
}

func (c *copier) late(to *Late, from *C.struct_gtrace_late) {
	*to = Late{
		P:      int64(from.p),
		How:    LateHow(from.how),
		G:      int64(from.g),
		Start:  time.Duration(from.start),
		Left:   time.Duration(from.left),
		GaveUp: time.Duration(from.gave_up),
		Own:    time.Duration(from.own),
		Event:  c.name(from.event),
		Reason: c.text(from.reason),
		Frames: c.frames(from.frames, int(from.frame_count)),
	}
}
