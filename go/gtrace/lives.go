// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import "time"

// Times says how long goroutines were in each state, from their creation, or from
// the start of the trace, to their end. The times from Ran to Blocked, and Ended,
// add up to Lived.
type Times struct {
	Count    int           // of goroutines
	Lived    time.Duration // the sum of all
	Ran      time.Duration // on a processor, outside calls and mark assists
	Assisted time.Duration // on a processor, in a mark assist
	Ready    time.Duration // waiting for a processor

	// Blocked is the time by kind. Up to Go 1.21 system calls that keep their
	// processor are part of Ran.
	Blocked [blockKinds]time.Duration
	Lost    time.Duration // of system calls: the time without a processor
	Ended   time.Duration // of tasks: the time after the end of the goroutine that began it
}

// A GoroutineReport is about where the time of goroutines went.
type GoroutineReport struct {
	Times Times          // of all goroutines
	Rows  []GoroutineSum // by function, the longest lived first
}

// A GoroutineSum sums up the goroutines that began in one function.
type GoroutineSum struct {
	Function string // "": not known
	G        int64  // -1: all goroutines of the function
	Times    Times
	Block    Stretch // the longest block
	Wait     Stretch // the longest wait for a processor
}

// A Stretch is the longest block or wait of some goroutines.
type Stretch struct {
	Length time.Duration // -1: there is none
	Start  time.Duration
	G      int64
	Kind   BlockKind // of a block
}

// A RequestReport is about the requests that goroutines serve, tasks and regions.
type RequestReport struct {
	Rows []RequestSum // the greatest sum first
}

// A RequestSum sums up the requests that goroutines with one first function
// served, or the tasks of one type, or the regions of one name. A request is what
// is between two waits of a goroutine at one place.
type RequestSum struct {
	What        string // "goroutine", "task" or "region"
	Name        string
	Count       int
	Median, P99 time.Duration // within 2 percent
	Max         time.Duration
	Times       Times    // Lived is the sum of their lengths
	Frames      []Frame  // of the wait, innermost first
	Longest     []Served // at most Request.Requests, longest first

	// The waits between requests that are over, and their median, within
	// 2 percent; -1 without any.
	Betweens     int
	Between      time.Duration
	BetweenState string // the kind of these blocks
	// Requests in progress when the trace ends; for how long the longest,
	// -1 without any, of which goroutine, and where that is blocked.
	Open         int
	OpenMax      time.Duration
	OpenG        int64
	OpenState    string // "" if it is not blocked
	OpenFunction string `c:"open_fn"`
}

// Served is a request, a task or a region that is over.
type Served struct {
	Start, Length time.Duration
	G             int64
	Parts         []Part // of Length, longest first
}

// A Part is how long a request was in a state.
type Part struct {
	State    string // "ran", "ready" and the like, or the kind of a block
	Function string // where it was blocked; "": at several places, or not blocked
	Time     time.Duration
}
