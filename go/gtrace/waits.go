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

func goWaits(from *C.struct_gtrace_wait_report) *WaitReport {
	c := newCopier()
	to := &WaitReport{
		Whole:      int(from.whole),
		Before:     int(from.before),
		Unfinished: int(from.unfinished),
		Rows:       make([]WaitRow, from.row_count),
		Waits:      make([]Wait, from.count),
	}
	for i := range to.Rows {
		c.waitRow(&to.Rows[i], (*C.struct_gtrace_wait_row)(element(unsafe.Pointer(from.rows), i, unsafe.Sizeof(*from.rows))))
	}
	c.waitRow(&to.All, &from.all)
	for i := range to.Waits {
		c.wait(&to.Waits[i], *(**C.struct_gtrace_wait)(element(unsafe.Pointer(from.waits), i, unsafe.Sizeof(*from.waits))))
	}
	return to
}

func goDelays(from *C.struct_gtrace_delay_report) *DelayReport {
	return &DelayReport{
		Waited:     time.Duration(from.waited),
		Behind:     time.Duration(from.behind),
		Scheduling: time.Duration(from.scheduling),
		Slices:     copySlices(from.slices, int(from.count)),
	}
}

func (c *copier) waitRow(to *WaitRow, from *C.struct_gtrace_wait_row) {
	*to = WaitRow{
		Count:   int(from.count),
		Sum:     time.Duration(from.sum),
		Median:  time.Duration(from.median),
		P99:     time.Duration(from.p99),
		P999:    time.Duration(from.p999),
		Max:     time.Duration(from.max),
		Busy:    time.Duration(from.busy),
		Idle:    time.Duration(from.idle),
		Stopped: time.Duration(from.stopped),
	}
	if from.event != nil {
		to.Event = c.name(from.event)
	}
}

func (c *copier) wait(to *Wait, from *C.struct_gtrace_wait) {
	*to = Wait{
		Length:          time.Duration(from.length),
		Busy:            time.Duration(from.busy),
		Idle:            time.Duration(from.idle),
		Stopped:         time.Duration(from.stopped),
		G:               int64(from.g),
		Start:           time.Duration(from.start),
		Before:          from.before != 0,
		Over:            from.over != 0,
		Ran:             time.Duration(from.ran),
		RanP:            int64(from.ran_p),
		Reason:          c.text(from.reason),
		Kept:            make([]Kept, from.kept_count),
		KeptMore:        int(from.kept_more),
		KeptMoreOverlap: time.Duration(from.kept_more_overlap),
		KeptNone:        time.Duration(from.kept_none),
	}
	c.event(&to.Ready, &from.ready)
	for i := range to.Kept {
		c.kept(&to.Kept[i], (*C.struct_gtrace_kept)(element(unsafe.Pointer(from.kept), i, unsafe.Sizeof(*from.kept))))
	}
}

func (c *copier) kept(to *Kept, from *C.struct_gtrace_kept) {
	*to = Kept{
		P:       int64(from.p),
		G:       int64(from.g),
		Overlap: time.Duration(from.overlap),
		Length:  time.Duration(from.length),
		Calls:   time.Duration(from.calls),
		Start:   time.Duration(from.start),
		Ended:   time.Duration(from.ended),
		Event:   c.name(from.event),
		Reason:  c.text(from.reason),
		Frames:  c.frames(from.at.frames, int(from.at.frame_count)),
		Walk:    c.names(from.at.walk, int(from.at.walk_count)),
	}
}
