// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"fmt"
	"time"
)

// A Summary is about a whole trace.
type Summary struct {
	Headline    string // the most important finding, in one sentence
	Explanation string // sentences that explain it, or ""

	Length      time.Duration // from the first event to the last
	Procs       int           // number of processors
	Goroutines  int           // including those created before the trace
	Created     int           // goroutines created during the trace
	Alive       int           // the most goroutines at any time
	Events      int           // number of events read
	Collections int           // number of garbage collections
	Collecting  time.Duration // sum of the times that they took

	Lengths   Distribution // of all slices
	Slices    []Slice      // the longest ones, see Request.Summary
	Stops     *StopReport
	Waits     *WaitReport  // with as many waits as Request.Waits says
	Delays    *DelayReport // with as many slices as Request.Delays says
	Functions []Function   // where all slices end, the largest sum first
	Holders   []Holder     // what held up the measured stops, the largest sum first

	// LongestStop is the measured stop with the longest Stopping and Stopped
	// together, without its stack and its late processors; nil for none.
	LongestStop *Stop

	Tracer Tracer // slices of the tracer

	Findings []Finding     // the greatest harm first
	Time     time.Duration // that there was, see c/tools/README.md
	Idle     time.Duration // processors without a slice
	Filtered bool          // only what passes a filter counts

	// CollectionsPercent and AssistShare are Percent and AssistShare of
	// CollectionTotal; -1 if they are not known or there is a filter.
	CollectionsPercent int
	AssistShare        int

	// Assist is the function that was held longest by mark assists, if that
	// was for more than 1 percent of Time; else nil.
	Assist *Assist
}

// A Distribution describes the lengths of slices. Its quantiles are off by at
// most 0.4 percent: 99.9 percent of the slices last at most P999.
type Distribution struct {
	Count                       int
	Sum, Median, P99, P999, Max time.Duration
}

// Work is what kept a processor, or delayed a stop-the-world pause.
type Work int

const (
	WorkProgram   Work = 0 // code outside the runtime
	WorkRuntime   Work = 1 // code of the runtime alone, or no stack
	WorkSyscall   Work = 2 // a system call
	WorkScheduler Work = 3 // no goroutine: the scheduler, or the thread had no CPU
	WorkNone      Work = 4 // no processor was late
	WorkTracer    Work = 5 // what records the trace

	// Of slices: a worker of the garbage collector in this mode.
	WorkGCDedicated  Work = 6
	WorkGCFractional Work = 7
	WorkGCIdle       Work = 8 // only while the processor has no other work
)

func (w Work) String() string {
	words := [...]string{"program", "runtime", "system call", "scheduler", "none",
		"tracer", "GC dedicated", "GC fractional", "GC idle"}
	if w < 0 || int(w) >= len(words) {
		return fmt.Sprintf("Work(%d)", int(w))
	}
	return words[w]
}

// A Function sums up the slices of one function.
type Function struct {
	// Function is the innermost one of the program, neither of the runtime nor
	// of the standard library, of the stack where a slice ends, or else the
	// outermost one; "" without a stack. File and Line are where most of it is.
	Function, File string
	Line           int
	Inner          string // the innermost function outside the runtime, if it is one

	Work  Work
	Count int
	Sum   time.Duration // of their lengths
	Max   time.Duration

	Delay       time.Duration // how long goroutines waited because of them
	Delaying    int           // how many of them goroutines waited because of
	DelayingSum time.Duration // of the lengths of these
	Blocked     time.Duration // how long goroutines were blocked there, except at rest

	Start time.Duration // of the longest slice, and its goroutine; -1: no slice
	G     int64
}

// A Finding is what kept goroutines from going on. c/tools/README.md says what
// its harm is; Permille is its share of the time that there was.
type Finding struct {
	Kind       string        `json:"kind"`
	Function   string        `json:"fn"`
	File       string        `json:"file"`
	Line       int           `json:"line"`
	Inner      string        `json:"inner"`
	Holder     string        `json:"holder_fn"` // of locks and sends: who ended them
	HolderFile string        `json:"holder_file"`
	HolderLine int           `json:"holder_line"`
	Harm       time.Duration `json:"harm"`
	Permille   int           `json:"permille"`
	Rate       time.Duration `json:"rate"` // Harm for each second
	Count      int           `json:"count"`
	Worst      time.Duration `json:"worst"`
	Start      time.Duration `json:"start"` // of the worst one; -1: not known
	G          int64         `json:"g"`
	Text       string        `json:"text"`
	Next       string        `json:"next"` // flags of the report with the details, and the trace's name
	Sure       bool          `json:"sure"` // the trace allows no other cause
	Rank       time.Duration `json:"rank"` // the part of Harm by which it is ranked
}

// A Holder sums up the measured stop-the-world pauses that one function held up, or
// no goroutine: the time of a stop is divided between them, as Late.Own says.
type Holder struct {
	Function, File string // as in a Function
	Line           int
	Inner          string

	Work     Work
	Count    int           // stops of which it had the larger part
	Stopping time.Duration // its sum of the times from request to stop
}

// Tracer sums up the slices that run only because a trace is recorded.
type Tracer struct {
	Count    int
	Sum, Max time.Duration
}

// Summarise returns the summary of the trace in the file path, with the three
// longest slices and stops.
func Summarise(path string) (*Summary, error) {
	report, err := Read(Request{Path: path, Summary: true})
	if err != nil {
		return nil, err
	}
	return report.Summary, nil
}
