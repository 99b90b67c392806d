// SPDX-License-Identifier: BSD-3-Clause

// Package gtrace reports on execution traces with the gtrace C library: the
// longest slices, where a slice is a stretch of time over which one goroutine
// keeps one processor, the stop-the-world pauses and what held them up, the times
// that goroutines waited for a processor and behind whom, where they were blocked,
// and all events.
//
// Greedy, Stops, Waits, Delays, Blocks, Summarise and Read return reports as Go
// values. Print writes them as text, JSON or CSV. All take the name of a file, which
// the library reads by itself; Read and Print also an io.Reader.
//
// The functions may be called by several goroutines at the same time.
package gtrace

import (
	"fmt"
	"io"
	"time"
)

// A Request says which trace to read, how, and what to report.
type Request struct {
	Path string // the trace

	// Input is where the trace comes from if it is not nil; Path only names it
	// then. It is read to its end, of traces of Go 1.22 and later as the
	// reports need it; what has come is kept in a file in os.TempDir(). If the
	// trace is at fault, a Read of Input can still go on when the call returns.
	Input io.Reader

	// Binary is the program that wrote the trace. Only traces of Go 1.6
	// and earlier need it, for the names of their functions. GoCommand is
	// the go command that finds these names ("" for the one in PATH).
	Binary    string
	GoCommand string

	// Partial reports the events before the first fault in the trace; the
	// error is then a *PartialError. Without Partial, or if no event comes
	// before the fault, there is no report and the error is an *Error.
	Partial bool

	// Unfinished also reports what can be read of the generation in which
	// the file ends, without what is missing. It implies Partial.
	Unfinished bool

	// Frequency is the number of ticks per second of a trace of Go 1.21 or
	// earlier that was cut off before its tick frequency; only with Partial.
	// If it is 0, times of such a trace are in ticks. A trace that has a
	// frequency is read with its own.
	Frequency int64

	Greedy int // how many of the longest slices to report; 0 for no such report
	Stops  int // how many stop-the-world pauses to report; 0 for no such report
	Waits  int // how many of the longest waits for a processor to report; 0 for no such report
	Delays int // how many of the slices that delayed others longest to report; 0 for no such report
	Blocks int // how many places where goroutines were blocked longest to report; 0 for no such report

	// Collections asks for the report of garbage collections. If Sched is not
	// 0, the state of the scheduler is reported at these intervals.
	Collections bool
	Sched       time.Duration

	// How many functions in which goroutines began Print prints, Read returns
	// all; and how many of the longest requests of each kind to report. 0 for
	// no such report.
	Goroutines, Requests int

	// Paths is how many kinds of requests, with the greatest sums, to report
	// critical paths of, those of as many longest requests each; 0 for no
	// such report.
	Paths int

	Dump bool // for Print: whether to print every event, after the other reports

	// Summary asks for a summary, which Print prints before the other
	// reports. It lists as many slices, pauses, waits and delays as Greedy,
	// Stops, Waits and Delays say, 3 where the first two are 0.
	Summary bool

	Format Format // for Print: how to print the reports
}

// A Format says how Print writes reports. In each line of JSON and CSV the trace
// is named by Request.Path.
type Format int

const (
	FormatText Format = 0
	FormatJSON Format = 1 // one object a line
	FormatCSV  Format = 2 // with a header; for one report at a time
)

// A Report is what Read returns.
type Report struct {
	TraceVersion int               // 1019 for "go 1.19 trace"
	Slices       []Slice           `c:"greedy.slices,count"` // longest first
	Stops        *StopReport       // nil if Request.Stops is 0
	Waits        *WaitReport       // nil if Request.Waits is 0
	Delays       *DelayReport      // nil if Request.Delays is 0
	Blocks       *BlockReport      // nil if Request.Blocks is 0
	Goroutines   *GoroutineReport  // nil if Request.Goroutines is 0
	Requests     *RequestReport    // nil if Request.Requests is 0
	Paths        *PathReport       // nil if Request.Paths is 0
	Collections  *CollectionReport // nil unless Request.Collections is set
	Sched        []SchedSample     `c:"sched.samples"` // nil if Request.Sched is 0
	Summary      *Summary          `c:"-"`             // nil unless Request.Summary is set

	// FirstTime is the time of the first event by the clock of the trace,
	// which is where the times of internal/trace begin. It is 0 in traces of
	// Go 1.21 and earlier, and without any of these reports.
	FirstTime time.Duration

	// InTicks says that times are numbers of ticks of the trace's clock and
	// not of nanoseconds.
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

	// GCWorker is WorkGCDedicated, WorkGCFractional or WorkGCIdle if the
	// trace says that the goroutine started as a worker of the garbage
	// collector in that mode. Otherwise it is 0.
	GCWorker Work

	// Syscalls is the time in system calls, -1 in traces of Go 1.21 and
	// earlier.
	Syscalls     time.Duration `c:"syscall_ns"`
	SyscallCount int           `c:"syscalls"` // how many began inside

	// Delay is how long goroutines waited for a processor because of the
	// slice, see DelayReport. It is -1 if the report has no waits.
	Delay time.Duration

	// Frame is what the slice is named after: of the stack at its end, or of
	// Last, the innermost one outside the runtime, or else the outermost
	// one. If it is not of the program, or only wraps a call or a lock,
	// Caller is the nearest one that does not. The zero Frame: there is none.
	Frame, Caller Frame
	Work          Work

	Function string        // the first of the goroutine, or ""
	System   bool          // whether it is a goroutine of the runtime
	Own      time.Duration // Duration without stop-the-world pauses that the goroutine requested

	// Samples are the CPU samples taken inside, the most frequent stack first.
	Samples []Samples

	// In silences, see Machine: how long its thread certainly had no CPU; with
	// that, how long it likely had none or was asleep; how long no thread wrote
	// an event, and the weakest class of these times.
	OffCPUMin, OffCPULikely, Silent time.Duration
	SilentClass                     SilentClass

	// If the event that ends the slice has no stack with names, or it still
	// runs: the stack of the last event before that its goroutine wrote
	// itself, such as its last block, or the one that it was created with.
	Last []Frame `c:"last_frames"`

	// ClockChanged is whether the frequency of the clock changed meanwhile, so
	// that the length is not known: see Summary.ClockChanges.
	ClockChanged bool
}

// Samples are the CPU samples with one stack.
type Samples struct {
	Count  int
	Frames []Frame
}

// An Event is one event of a trace.
type Event struct {
	Number  uint64        // from 1, in the order of the trace; 0 if the library does not tell
	Offset  uint64        // of its first byte in the file
	Type    string        `c:"name"` // name of the event's type, such as GoStart
	Time    time.Duration `c:"ts"`   // since the first event of the trace
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

// A StopReport is about the stop-the-world pauses of a trace. A pause is measured if
// all its times are known. A pause without an event that begins it (Go 1.20 and
// earlier) is inferred from the event that ends it, and has bounds instead.
type StopReport struct {
	// How many pauses there are. A pause that counts as unmeasured is cut off
	// by the start or the end of the trace.
	Measured, Unmeasured, Inferred int

	Kinds []StopKind // the pauses that are not inferred by kind, in byte order
	All   StopKind   // the measured pauses, of any kind

	// Sampled is 1 if medians and 99th percentiles are exact. In a trace of
	// more than a million pauses they are those of every Sampled-th one.
	Sampled int

	// At most Request.Stops of each.
	MeasuredStops   []Stop `c:"stops"` // the one that waited longest first
	InferredStops   []Stop // the one with the greatest StoppingMin first
	UnmeasuredStops []Stop // in the order of the trace
}

// A StopKind sums up the pauses of one kind. But for Stopped, times are those of
// the measured pauses, and -1 if there are none.
type StopKind struct {
	Kind     string // in the runtime's words
	Count    int
	Measured int

	Stopping         time.Duration // sum of Stop.Stopping
	Median, P99, Max time.Duration // of Stop.Stopping
	Stopped          time.Duration // sum of Stop.Stopped, of pauses that end
	Total            time.Duration // sum of Stop.Total
}

// A Stop is one stop-the-world pause. Times are those that the threads wrote, since
// the first event of the trace, and -1 if they are not known.
type Stop struct {
	Number   int    // in the order of the trace, from 1
	Kind     string // what the pause was for, in the runtime's words
	Measured bool   // see StopReport
	Inferred bool

	// Bounds of Requested and Stopping in an inferred pause, otherwise -1.
	RequestedMin, RequestedMax time.Duration
	StoppingMin, StoppingMax   time.Duration

	Time   time.Duration `c:"ts"` // of the event that begins the pause, or ends an inferred one
	P      int64         // processor of the goroutine that requested the pause
	G      int64         // that goroutine
	Frames []Frame       // its stack, shared as in an Event
	Frame  Frame         // what Frames are named after, as of a Slice

	Requested  time.Duration
	Obtained   time.Duration // when the last processor was given up
	Restarting time.Duration // when G began to start the world
	Restarted  time.Duration // when another processor was taken again
	Ended      time.Duration

	Stopping time.Duration // from Requested to Obtained
	Stopped  time.Duration // from Obtained to Restarted
	Total    time.Duration // from Requested to Ended; of GC mark termination in traces of Go 1.22 and later to Restarting
	Waited   time.Duration // from when each processor was stopped to Obtained, summed over all

	Procs int    // number of processors, 0 if not known
	Idle  int    // processors that no thread had to give up
	Late  []Late // processors that were given up, the last one first

	ClockChanged bool // as of a Slice; then it is not measured
}

// Late is a processor that was given up after a pause was requested.
type Late struct {
	P   int64
	How LateHow

	// The goroutine that ran or was in a system call, when its slice
	// started, and when it left the processor or entered the call. Of a
	// processor that was in the scheduler, the last goroutine before that,
	// when its slice started, -1 if it did not run after the request, and
	// when its slice ended.
	G           int64
	Start, Left time.Duration

	GaveUp time.Duration // when the processor was given up
	Own    time.Duration // how long G had P between the request and GaveUp; -1 if the pause was inferred
	Event  string        // by which the goroutine left, or P was given up
	Reason string        // of that event, if it has one
	Frames []Frame       // of that event, or of the one that began the call

	// What Frames are named after, as of a Slice.
	Frame, Caller Frame
	Work          Work

	// OffCPU is the longest time without a goroutine of more than 1 ms in
	// that, and OffCPUClass what it is.
	OffCPU      time.Duration
	OffCPUClass SilentClass
	Samples     []Samples // CPU samples on P from the request to GaveUp
}

// LateHow says what a processor did when a pause was requested.
type LateHow int

const (
	LateRan       LateHow = 0 // it ran a goroutine for at least half of the time
	LateSyscall   LateHow = 1 // its goroutine was in a system call
	LateScheduler LateHow = 2 // neither: its thread was in the scheduler, or had no CPU
)

func (h LateHow) String() string {
	switch h {
	case LateRan:
		return "ran"
	case LateSyscall:
		return "syscall"
	case LateScheduler:
		return "scheduler"
	}
	return fmt.Sprintf("LateHow(%d)", int(h))
}

// A WaitReport is about the times that goroutines waited for a processor: from the
// event that makes a goroutine ready to the one with which it runs. A wait is
// whole if it neither began before the trace nor is not over at its end.
type WaitReport struct {
	// How many waits there are. One that began before the trace and is not
	// over counts as Before.
	Whole, Before, Unfinished int

	CutSum, CutMax time.Duration // of the lengths of those that are not whole, within the trace

	Rows  []WaitRow // the whole waits by the event that began them, in byte order
	All   WaitRow   // all whole waits; Event is ""
	Waits []Wait    // at most Request.Waits, longest first

	ClockChanged int // how many waits have ClockChanged set, which are in no other number
}

// A WaitRow sums up the whole waits that began with one type of event.
type WaitRow struct {
	Event string
	Count int

	Sum, Median, P99, P999, Max time.Duration // of Wait.Length
	Busy, Idle, Stopped         time.Duration // sums of those of the waits
}

// A Wait is one wait for a processor.
type Wait struct {
	// Length is the sum of the time during which all processors were held,
	// that during which one was free, and that during which the world was
	// stopped.
	Length, Busy, Idle, Stopped time.Duration

	G          int64         // the goroutine that waits
	Start      time.Duration // of the wait; not that of Ready if Before is set and the trace is of Go 1.22 or later
	Before     bool          // whether the wait began before the trace
	Whole      bool          // neither Before nor unfinished
	Over       bool          // whether G ran before the end of the trace
	Ran        time.Duration // when G ran, or -1
	RanP       int64         // on which processor, or -1
	Ready      Event         // made G ready; its G is the goroutine that did so
	ReadyFrame Frame         // what its stack is named after, as of a Slice
	Reason     string        // of Ready, if it has one

	Kept            []Kept        // at most three slices that G waited behind, the longest Overlap first
	KeptMore        int           // how many slices more
	KeptMoreOverlap time.Duration // the sum of their overlaps
	KeptNone        time.Duration // time of processors without a slice while all were held

	ClockChanged bool // as of a Slice

	// How long no thread wrote an event in it, how much of that no thread
	// certainly had a CPU, and the weakest class of these times; only if the
	// report has slices.
	Silent, OffCPUMin time.Duration
	SilentClass       SilentClass
}

// Kept is a slice that a goroutine waited behind.
type Kept struct {
	P, G    int64
	Overlap time.Duration // with Wait.Busy
	Length  time.Duration // of the whole slice
	Calls   time.Duration // its time in system calls, -1 in traces of Go 1.21 and earlier
	Start   time.Duration
	Ended   time.Duration // -1 if it still runs at the end of the trace
	Event   string        // that ended it, or ""
	Reason  string        // of that event, if it has one

	// Frames and Walk are those of the event that ended the slice, or that
	// started it if it still runs, as in an Event.
	Frames []Frame  `c:"at.frames"`
	Walk   []string `c:"at.walk"`

	// What the slice is named after, as of a Slice.
	Frame, Caller Frame
	Work          Work
	Last          []Frame `c:"last_frames"`
}

// A DelayReport says which slices cost other goroutines the most waiting. While all
// processors are held, each moment of each goroutine that waits is shared by them
// in equal parts. What falls to a processor during a slice is part of the slice's
// Delay.
type DelayReport struct {
	Waited     time.Duration // Busy of all waits
	Behind     time.Duration // Delay of all slices
	Scheduling time.Duration // the rest: no slice was on the processor
	Slices     []Slice       // at most Request.Delays, the greatest Delay first
}

// A Frame is one call of a stack.
type Frame struct {
	PC       uint64
	Function string
	File     string
	Line     uint64
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

// Stops returns the report of the stop-the-world pauses in the trace in the file
// path, with the n of each list, and fewer if the trace has fewer. If n is 0
// the report is nil.
func Stops(path string, n int) (*StopReport, error) {
	report, err := Read(Request{Path: path, Stops: n})
	if err != nil {
		return nil, err
	}
	return report.Stops, nil
}

// Waits returns the report of the waits for a processor in the trace in the file
// path, with the n longest, and fewer if the trace has fewer. If n is 0 the report
// is nil.
func Waits(path string, n int) (*WaitReport, error) {
	report, err := Read(Request{Path: path, Waits: n})
	if err != nil {
		return nil, err
	}
	return report.Waits, nil
}

// Delays returns the report of the slices that delayed others in the trace in the
// file path, with the n of the greatest delay, and fewer if the trace has fewer.
// If n is 0 the report is nil.
func Delays(path string, n int) (*DelayReport, error) {
	report, err := Read(Request{Path: path, Delays: n})
	if err != nil {
		return nil, err
	}
	return report.Delays, nil
}
