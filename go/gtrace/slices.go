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

// A copier copies what a report points to into Go's memory. The library's
// report has each stack and each name once, however many events have it, and so
// has the copy: strings and stacks are kept by their addresses in the report.
type copier struct {
	stacks map[*C.struct_gtrace_frame][]Frame
	texts  map[*C.char]string
}

func newCopier() copier {
	return copier{
		stacks: make(map[*C.struct_gtrace_frame][]Frame),
		texts:  make(map[*C.char]string),
	}
}

func goSlices(report *C.struct_gtrace_greedy_report) []Slice {
	return copySlices(report.slices, int(report.count))
}

func copySlices(from **C.struct_gtrace_slice, count int) []Slice {
	c := newCopier()
	to := make([]Slice, count)
	for i := range to {
		c.slice(&to[i], *(**C.struct_gtrace_slice)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func (c *copier) slice(to *Slice, from *C.struct_gtrace_slice) {
	to.Duration = time.Duration(from.duration)
	to.M, to.P, to.G = int64(from.m), int64(from.p), int64(from.g)
	to.StillRunning = from.still_running != 0
	to.GCWorker = Work(from.gc_worker)
	to.Syscalls = time.Duration(from.syscall_ns)
	to.Delay = time.Duration(from.delay)
	c.event(&to.Start, &from.start)
	if !to.StillRunning {
		c.event(&to.End, &from.end)
	}
}

func (c *copier) event(to *Event, from *C.struct_gtrace_event) {
	to.Type = c.name(from.name)
	to.Time = time.Duration(from.ts)
	to.M, to.P, to.G = int64(from.m), int64(from.p), int64(from.g)
	to.StackID = uint64(from.stack_id)
	to.Args = goArgs(from.args, int(from.arg_count))
	to.Strings = c.strings(from.strings, int(from.string_count))
	to.Frames = c.frames(from.frames, int(from.frame_count))
	to.Walk = c.names(from.walk, int(from.walk_count))
}

func goArgs(from *C.uint64_t, count int) []uint64 {
	if count == 0 {
		return nil
	}
	to := make([]uint64, count)
	for i := range to {
		to[i] = uint64(*(*C.uint64_t)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func (c *copier) frames(from *C.struct_gtrace_frame, count int) []Frame {
	if count == 0 {
		return nil
	}
	to, known := c.stacks[from]
	if known {
		return to
	}
	to = make([]Frame, count)
	for i := range to {
		f := (*C.struct_gtrace_frame)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from)))
		to[i] = Frame{uint64(f.pc), c.text(f.function), c.text(f.file), uint64(f.line)}
	}
	c.stacks[from] = to
	return to
}

func (c *copier) strings(from *C.struct_gtrace_string, count int) []string {
	if count == 0 {
		return nil
	}
	to := make([]string, count)
	for i := range to {
		to[i] = c.text(*(*C.struct_gtrace_string)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

func (c *copier) names(from **C.char, count int) []string {
	if count == 0 {
		return nil
	}
	to := make([]string, count)
	for i := range to {
		to[i] = c.name(*(**C.char)(element(unsafe.Pointer(from), i, unsafe.Sizeof(*from))))
	}
	return to
}

// text returns a text that knows its size.
func (c *copier) text(from C.struct_gtrace_string) string {
	if from.size == 0 {
		return ""
	}
	to, known := c.texts[from.data]
	if !known || len(to) != int(from.size) {
		to = C.GoStringN(from.data, C.int(from.size))
		c.texts[from.data] = to
	}
	return to
}

// name returns a text that ends with a zero byte.
func (c *copier) name(from *C.char) string {
	to, known := c.texts[from]
	if !known {
		to = C.GoString(from)
		c.texts[from] = to
	}
	return to
}

// element returns the address of element i of a C array. Go 1.8 has no
// unsafe.Slice.
func element(array unsafe.Pointer, i int, size uintptr) unsafe.Pointer {
	return unsafe.Pointer(uintptr(array) + uintptr(i)*size)
}
