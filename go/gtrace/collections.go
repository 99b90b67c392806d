// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import "time"

// A CollectionReport is about the garbage collections of a trace, and who had to
// help. The field names of its JSON are those of Print.
type CollectionReport struct {
	Collections []Collection // in their order
	Total       CollectionTotal
	Functions   []Assist // held longest by assists first
	Goroutines  []Assist // held longest by assists first

	Origin time.Duration // as of a Summary
}

// A Collection is one garbage collection. Numbers and times are -1 if the trace
// does not tell them. c/tools/README.md says what is exact.
type Collection struct {
	Number           int           `json:"n"`      // in this trace, from 1
	Reason           string        `json:"reason"` // "heap", "forced", "periodic" or "unknown"
	G                int64         `json:"g"`      // began it, in Function
	Function         string        `json:"function"`
	BeganBefore      bool          `json:"began_before"` // the trace
	Unfinished       bool          `json:"unfinished"`   // at the end of the trace
	Start            time.Duration `json:"start"`        // times since the first event
	SweepBegin       time.Duration `json:"sweep_begin"`  // of the pause at its begin
	SweepEnd         time.Duration `json:"sweep_end"`
	TermBegin        time.Duration `json:"term_begin"` // of the pause after marking
	Done             time.Duration `json:"done"`
	End              time.Duration `json:"end"`      // as the runtime measures it
	Released         time.Duration `json:"released"` // end of that pause
	SweepClock       time.Duration `json:"sweep_clock"`
	MarkClock        time.Duration `json:"mark_clock"`
	MarkMax          time.Duration `json:"mark_max"` // a bound, if there are no events of pauses
	TermClock        time.Duration `json:"term_clock"`
	Procs            int           `json:"procs"`
	SweepCPU         time.Duration `json:"sweep_cpu"`
	AssistCPU        time.Duration `json:"assist_cpu"`
	DedicatedCPU     time.Duration `json:"dedicated_cpu"`
	FractionalCPU    time.Duration `json:"fractional_cpu"`
	IdleCPU          time.Duration `json:"idle_cpu"`
	TermCPU          time.Duration `json:"term_cpu"`
	HeapStart        int64         `json:"heap_start"` // bytes
	HeapEnd          int64         `json:"heap_end"`
	HeapLive         int64         `json:"heap_live"`
	HeapGoal         int64         `json:"heap_goal"`
	Percent          int           `json:"percent"` // of the processor time since the trace began
	Assists          int           `json:"assists"`
	AssistGoroutines int           `json:"assist_goroutines"`
	AssistHeld       time.Duration `json:"assist_held"`   // how long goroutines assisted
	AssistParked     time.Duration `json:"assist_parked"` // and were blocked meanwhile
	MarkWindow       time.Duration `json:"mark_window"`   // length of the concurrent mark
	Runnable         int64         `json:"runnable"`      // ready goroutines times nanoseconds in it
}

// A CollectionTotal is about all collections of a trace, as a Collection is about one.
type CollectionTotal struct {
	Collections      int           `json:"collections"`
	Forced           int           `json:"forced"`
	BeganBefore      int           `json:"began_before"`
	Unfinished       int           `json:"unfinished"`
	Length           time.Duration `json:"length"` // of the extent of the trace
	Percent          int           `json:"percent"`
	Stopped          time.Duration `json:"stopped"`
	Assists          int           `json:"assists"`
	AssistGoroutines int           `json:"assist_goroutines"`
	AssistCPU        time.Duration `json:"assist_cpu"`
	AssistHeld       time.Duration `json:"assist_held"`
	AssistParked     time.Duration `json:"assist_parked"`
	DedicatedCPU     time.Duration `json:"dedicated_cpu"`
	FractionalCPU    time.Duration `json:"fractional_cpu"`
	IdleCPU          time.Duration `json:"idle_cpu"`
	AssistShare      int           `json:"assist_share"` // percent of the marking
	MarkWindow       time.Duration `json:"mark_window"`
	Runnable         int64         `json:"runnable"`
	Outside          time.Duration `json:"outside"` // length without MarkWindow
	OutsideRunnable  int64         `json:"outside_runnable"`
	Sweeps           int           `json:"sweeps"` // of goroutines, because they allocated
	SweepSum         time.Duration `json:"sweep_sum"`
	SweepMax         time.Duration `json:"sweep_max"`
	SweepMaxStart    time.Duration `json:"sweep_start"`    // of the longest one; -1 if there is none
	SweepMaxG        int64         `json:"sweep_g"`        // its goroutine; -1 if there is none
	SweepFunction    string        `json:"sweep_function"` // in which most of SweepSum was
}

// An Assist sums up the mark assists that began in one function, or of one
// goroutine.
type Assist struct {
	Function   string        `json:"function"` // where they began; of a goroutine, its first function
	G          int64         `json:"g"`        // -1: of a function
	Held       time.Duration `json:"held"`     // how long goroutines assisted
	CPU        time.Duration `json:"cpu"`      // marking
	Parked     time.Duration `json:"parked"`   // blocked meanwhile
	Assists    int           `json:"assists"`
	Goroutines int           `json:"goroutines"`
}

// A SchedSample is the state of the scheduler at one time, and since the sample
// before it. Counts are -1 if they are not known.
type SchedSample struct {
	Ts         time.Duration `json:"ts"`       // since the first event
	Interval   time.Duration `json:"interval"` // since the sample before
	Gomaxprocs int           `json:"gomaxprocs"`
	Idleprocs  int           `json:"idleprocs"`
	Threads    int           `json:"threads"` // seen so far
	Runqueue   int           `json:"runqueue"`
	Running    int           `json:"running"`
	Syscalls   int           `json:"syscalls"`
	Waiting    int           `json:"waiting"`
	GC         bool          `json:"gc"`       // a collection is open
	ProcsNS    time.Duration `json:"procs_ns"` // the integrals over the interval, in nanoseconds
	RunningNS  time.Duration `json:"running_ns"`
	HeldNS     time.Duration `json:"held_ns"`
	RunqueueNS time.Duration `json:"runqueue_ns"`
	SyscallsNS time.Duration `json:"syscalls_ns"`
	GcNS       time.Duration `json:"gc_ns"`
	Starts     int           `json:"starts"` // of goroutines
}
