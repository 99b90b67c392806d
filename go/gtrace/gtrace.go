// SPDX-License-Identifier: BSD-3-Clause

// Package gtrace reports on execution traces with the gtrace C library: the
// longest slices, where a slice is a stretch of time over which one goroutine
// keeps one processor, and all events.
//
// Greedy and Read return the slices as Go values. Print writes reports as
// text. Both take the name of a file, which the library reads by itself.
//
// The functions may be called by several goroutines at the same time.
package gtrace

import (
	"fmt"
	"time"
)

// A Request says which trace to read, how, and what to report.
type Request struct {
	Path string // the trace

	// Binary is the program that wrote the trace. Only traces of Go 1.6
	// and earlier need it, for the names of their functions. GoCommand is
	// the go command that finds these names ("" for the one in PATH).
	Binary    string
	GoCommand string

	// Partial says that a fault in the trace ends it. Reports cover the
	// events before the fault, and come with a *PartialError. Without
	// Partial, and if no event comes before the fault, there is no report,
	// and the fault is an *Error.
	Partial bool

	// Frequency is the number of ticks a second of a trace of Go 1.21 or
	// earlier that was cut off before it; only with Partial. Without it such
	// a trace is reported in ticks. A trace that has a frequency is read
	// with its own.
	Frequency int64

	Greedy int  // how many of the longest slices to report; 0 for no such report
	Dump   bool // for Print: whether to print every event, after the other report
}

// A Report is what Read returns.
type Report struct {
	TraceVersion int     // 1019 for "go 1.19 trace"
	Slices       []Slice // longest first

	// InTicks says that each Duration is a number of ticks of the trace's
	// clock and not of nanoseconds.
	InTicks bool
}

// A Slice is a stretch of time over which a goroutine keeps a processor.
type Slice struct {
	Duration time.Duration
	M        int64 // thread, -1 in traces of Go 1.21 and earlier
	P        int64 // processor
	G        int64 // goroutine

	// StillRunning says that the goroutine still runs at the end of the
	// trace. End is the zero Event then.
	StillRunning bool

	Start, End Event
}

// An Event is one event of a trace.
type Event struct {
	Type    string        // name of the event's type, such as GoStart
	Time    time.Duration // since the first event of the trace
	M       int64         // thread, -1 for none, and in traces of Go 1.21 and earlier
	P       int64         // processor, -1 for none
	G       int64         // goroutine, -1 for none, as when one starts in traces of Go 1.22 and later
	StackID uint64        // number of the stack in the trace, 0 for none
	Args    []uint64      // as many as events of this type have
	Strings []string      // the arguments that are strings, such as a label

	// Frames is the stack, innermost frame first. Events with the same
	// stack share it, so it must not be changed.
	Frames []Frame

	// Walk says whose stack Frames is. If it is empty the stack is that of
	// the event itself. Otherwise the event has none, the stack is that of
	// an earlier event that led to this one, and Walk has the types of the
	// events from that one to the last before this one.
	Walk []string
}

// A Frame is one call of a stack.
type Frame struct {
	PC       uint64
	Function string
	File     string
	Line     int
}

// Greedy returns the n longest slices of the trace in the file path, longest
// first, and fewer if the trace has fewer.
func Greedy(path string, n int) ([]Slice, error) {
	report, err := Read(Request{Path: path, Greedy: n})
	if err != nil {
		return nil, err
	}
	return report.Slices, nil
}

// A Status is the kind of an Error, with the library's numbers.
type Status int

// The kinds that a caller may want to tell from a bad trace.
const (
	ArgumentError Status = 1  // the Request is not valid
	MemoryError   Status = 2  // out of memory
	OpenError     Status = 3  // the trace cannot be opened
	ReadError     Status = 4  // the trace cannot be read, or was changed meanwhile
	WriteError    Status = 5  // the report cannot be written
	VersionError  Status = 7  // a trace of a version that is not read
	CutOffError   Status = 15 // the file ends before the trace does
)

// An Error is what the library found wrong.
type Error struct {
	Status     Status
	BrokenPipe bool   // a WriteError: the other end of the pipe is closed
	Offset     uint64 // where in the trace, or 0
	Message    string // in the words of Go's own parser
}

func (e *Error) Error() string { return e.Message }

// A PartialError says that a report, which has been printed or returned, covers
// only a part of its trace. Requests without Partial do not lead to it.
type PartialError struct {
	Fault  Error  // what ended the trace
	Offset uint64 // the first byte from which on nothing was read
	Size   uint64 // how many bytes there are from Offset to the end of the file
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("the trace is at fault at byte %d: %s; nothing was read from byte %d on (%d bytes)",
		e.Fault.Offset, e.Fault.Message, e.Offset, e.Size)
}
