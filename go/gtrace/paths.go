// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import "time"

// A PathReport is about what slow requests waited for, one thing after the other.
type PathReport struct {
	Kinds   []PathKind // the greatest sum first
	LeftOut bool       // nothing was compared, as too many long requests overlap
	Dropped int        // transitions of goroutines that were not kept, so that parts are unknown
}

// A PathKind has the critical paths of the longest requests of a kind, and says
// what slow ones spent more time on than typical ones.
type PathKind struct {
	What          string // "goroutine", "task" or "region"
	Name          string
	Requests      int
	Group         int           // how many slow and how many typical ones; 0: they are not compared
	Slow, Typical time.Duration // sums of their lengths
	Rows          []PathRow     // greatest difference first
	Paths         []Path        // longest first, and then those that are not over
	Unfinished    int           // how many are not over when the trace ends, beside Requests
}

// A PathRow is what slow requests spent more time on than typical ones, or less.
type PathRow struct {
	State         string        // as of a Segment; of "blocked" the kind
	Function      string        // of the program; of "ready" that of who made it so
	Cause         *PathCause    // nil: the request itself did that
	Slow, Typical time.Duration // sums over the requests
	SlowIn        int           // how many slow requests have it
	TypicalIn     int
}

// A PathCause is what a request itself waited at.
type PathCause struct {
	Kind     string // as of a Cause
	Function string // of the program
}

// A Path is what the time of a request was spent on, without gaps.
type Path struct {
	What, Name    string
	Start, Length time.Duration
	G             int64
	Segments      []Segment     // their lengths add up to Length
	Unfinished    bool          // a request that is not over when the trace ends
	Dropped       time.Duration // from Start on; what it needs of that was not kept
}

// A Segment is a time in which a path was in one goroutine, in one state.
type Segment struct {
	Start, Length time.Duration
	G             int64
	State         string // "ran", "assisted", "ready", "system call", "blocked", "not created", "ended" or "unknown"
	Kind, By      string // of "blocked": what it waited for, and who ended that
	Frames        []Frame
	Level         int    // how many goroutines of the chain are above this
	Cause         *Cause // what led here from the goroutine above; nil at level 0
}

// A Cause is what led from one goroutine of a path to the next one.
type Cause struct {
	G           int64   // it was blocked, or not created yet
	Kind        string  // of its block, or "started by"
	Frames      []Frame // where it was blocked, or of its creation
	EndedFrames []Frame // of the event that ended the block, or of its creation
}
