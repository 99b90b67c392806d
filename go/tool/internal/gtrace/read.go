// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package gtrace

import (
	"errors"
	"time"
)

// Available says whether the library is there.
const Available = false

// A Report is what Read returns.
type Report struct {
	Slices []Slice      // longest first
	Stops  *StopReport  // nil if it was not asked for
	Waits  *WaitReport  // nil if it was not asked for
	Blocks *BlockReport // nil if it was not asked for
	Paths  *PathReport  // nil if it was not asked for

	Summary *Summary // nil if it was not asked for

	FirstTime time.Duration // of the first event, by the clock of the trace
}

// A Summary is about a whole trace.
type Summary struct {
	Headline    string        // the most important finding, in one sentence
	Explanation string        // sentences that explain it, or ""
	Findings    []Finding     // the greatest Rank first
	Time        time.Duration // the total: of processors, of waits and of blocks
}

// A Finding is something that held goroutines up.
type Finding struct {
	Harm     time.Duration // for how long
	Permille int           // that is so much of Summary.Time
	Rank     time.Duration // the part of Harm by which it is ranked
	Worst    time.Duration // the longest time of Harm
	Start    time.Duration // of that; -1: not known
	G        int64         // the goroutine of that
	Text     string        // a sentence
	Next     string        // flags of the report with the details, and the trace's name
}

// A Slice is a stretch of time over which a goroutine keeps a processor.
type Slice struct {
	Duration     time.Duration
	P, G         int64
	StillRunning bool // at the end of the trace: End is the zero Event
	Start, End   Event
	Delay        time.Duration // how long others waited because of it; -1 without Request.Delays
	Frame        Frame         // that names it
	Work         Work          // of the slice
	Last         []Frame       // the last stack of G, if End has none with names

	// For how long no thread wrote an event in it; how much of that its thread
	// certainly had no CPU; and with that, how much it likely had none.
	Silent, OffCPUMin, OffCPULikely time.Duration
	SilentClass                     SilentClass // the weakest of that
}

// A SilentClass says what is known of a time without events.
type SilentClass int

const (
	SilentNone      SilentClass = 0 // there was none
	SilentCertain   SilentClass = 1 // its thread had no CPU
	SilentAsleep    SilentClass = 2 // it was on none, for any reason
	SilentLikely    SilentClass = 3 // most likely it had none
	SilentUndecided SilentClass = 4 // it computed, or had none
)

// An Event is one event of a trace.
type Event struct {
	Type    string
	Time    time.Duration // since the first event of the trace
	Strings []string      // the arguments that are strings, such as a reason
	Frames  []Frame       // the stack, innermost frame first
	Walk    []string      // the events from the one whose stack it is to this one
}

// Work is what kept a processor.
type Work int

const (
	WorkProgram Work = 0 // code outside the runtime
	WorkRuntime Work = 1 // code of the runtime alone
	WorkSyscall Work = 2 // a system call
)

// A StopReport is about the stop-the-world pauses of a trace.
type StopReport struct {
	Measured, Unmeasured, Inferred int

	MeasuredStops []Stop // the one that waited longest first
	InferredStops []Stop // without an event that begins them
}

// A Stop is one stop-the-world pause. Times are -1 if they are not known.
type Stop struct {
	Kind     string
	Inferred bool

	RequestedMin, StoppingMin, StoppingMax time.Duration // of an inferred pause
	Time, Requested, Restarting, Restarted time.Duration
	Ended, Stopping, Stopped               time.Duration

	P, G   int64   // that requested it
	Frames []Frame // the stack of G
	Frame  Frame   // that names it
	Procs  int     // number of processors, 0 if not known
	Late   []Late  // processors that were given up, the last one first
}

// Late is a processor that was given up after a pause was requested.
type Late struct {
	P, G   int64
	How    LateHow
	Own    time.Duration // how long G had P after the request; -1 if the pause was inferred
	Frames []Frame
	Frame  Frame // that names them
}

// LateHow says what a processor did when a pause was requested.
type LateHow int

const (
	LateRan       LateHow = 0 // it ran a goroutine for at least half of the time
	LateSyscall   LateHow = 1 // its goroutine was in a system call
	LateScheduler LateHow = 2 // neither: its thread was in the scheduler, or had no CPU
)

// A WaitReport is about the times that goroutines waited for a processor.
type WaitReport struct {
	Whole, Before, Unfinished int

	Rows  []WaitRow // the whole waits by the event that began them
	Waits []Wait    // longest first
}

// A WaitRow sums up waits.
type WaitRow struct {
	Event                 string
	Count                 int
	Sum, Median, P99, Max time.Duration
}

// A Wait is one wait for a processor.
type Wait struct {
	Length, Busy, Idle, Stopped, Start time.Duration

	G          int64
	Before     bool // the trace
	Over       bool // whether G ran
	Ready      Event
	ReadyFrame Frame  // that names the stack of Ready
	Reason     string // of Ready

	Kept            []Kept // slices that G waited behind
	KeptMore        int
	KeptMoreOverlap time.Duration
}

// Kept is a slice that a goroutine waited behind.
type Kept struct {
	P, G            int64
	Overlap, Length time.Duration
	Event, Reason   string  // that ended it
	Frames          []Frame // of that event
	Frame           Frame   // that names it
	Walk            []string
	Last            []Frame // as of a Slice
}

// A BlockReport is about where goroutines were blocked.
type BlockReport struct {
	Sums   []BlockSum   // by kind
	Places []BlockPlace // the greatest Sum first
}

// A BlockSum sums up the blocks of one kind.
type BlockSum struct {
	Kind     BlockKind
	Rest     bool // where goroutines mostly rest, without work
	Count    int
	Sum, Max time.Duration
}

// A BlockPlace sums up the blocks of one kind at one stack.
type BlockPlace struct {
	Kind         BlockKind
	Count        int
	Sum, Max     time.Duration
	MaxStart     time.Duration // of the longest one
	MaxG         int64         // its goroutine
	Frames       []Frame
	Frame        Frame // that names them
	Enders       []Unblocker
	EndedMore    int // others ended so many
	EndedMoreSum time.Duration
}

// An Unblocker is who ended blocks.
type Unblocker struct {
	By     string // "goroutine", "timer", "network" or "runtime"
	Count  int
	Sum    time.Duration
	Frames []Frame
	Frame  Frame // that names them
}

// BlockKind is what a blocked goroutine waits for.
type BlockKind int

func (k BlockKind) String() string { return "" }

// A PathReport is about what slow requests waited for.
type PathReport struct {
	Kinds   []PathKind // the greatest sum first
	LeftOut bool       // nothing was compared, as too many long requests overlap
}

// A PathKind has the longest requests of a kind, and says what slow ones spent
// more time on than typical ones.
type PathKind struct {
	What, Name    string
	Requests      int
	Unfinished    int           // when the trace ends, beside Requests
	Group         int           // how many slow and how many typical ones; 0: they are not compared
	Slow, Typical time.Duration // sums of their lengths
	Rows          []PathRow     // greatest difference first
	Paths         []Path        // longest first, and then those that are not over
}

// A PathRow is what slow requests spent more time on than typical ones, or less.
type PathRow struct {
	State, Function   string
	Cause             *PathCause // nil: the request itself did that
	Slow, Typical     time.Duration
	SlowIn, TypicalIn int // in how many requests it is
}

// A PathCause is what a request itself waited at.
type PathCause struct{ Kind, Function string }

// A Path is what the time of a request was spent on, without gaps.
type Path struct {
	Start, Length time.Duration
	G             int64
	Unfinished    bool // when the trace ends
	Segments      []Segment
}

// A Segment is a time in which a path was in one goroutine, in one state.
type Segment struct {
	Start, Length   time.Duration
	G               int64
	State, Kind, By string // Kind and By of "blocked" only
	Frames          []Frame
	Cause           *Cause // nil: it is the goroutine of the request
}

// A Cause is what led from one goroutine of a path to the next one.
type Cause struct {
	G           int64
	Kind        string  // of its block, or "started by"
	Frames      []Frame // where it was blocked, or of its creation
	EndedFrames []Frame // of the event that ended the block
}

// A Frame is one call of a stack.
type Frame struct {
	Function string
	File     string
	Line     int
}

// A PartialError says that a report covers only a part of its trace.
type PartialError struct{ Fault Error }

func (e *PartialError) Error() string { return e.Fault.Error() }

// Read returns the reports that r asks for.
func Read(r Request) (*Report, error) {
	return nil, errors.New("reports on traces need the gtrace library")
}
