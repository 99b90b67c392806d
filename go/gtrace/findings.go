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

	Length      time.Duration // from Origin to the last event
	Procs       int           // number of processors
	Goroutines  int           // including those created before the trace
	Created     int           `c:"goroutines_created"` // goroutines created during the trace
	Alive       int           `c:"goroutines_alive"`   // the most goroutines at any time
	Events      int           // number of events read
	Collections int           // number of garbage collections
	Collecting  time.Duration // sum of the times that they took

	Lengths   Distribution `c:"slices"`              // of all slices
	Slices    []Slice      `c:"greedy.slices,count"` // the longest ones, see Request.Summary
	Stops     *StopReport
	Waits     *WaitReport  // with as many waits as Request.Waits says
	Delays    *DelayReport // with as many slices as Request.Delays says
	Functions []Function   // where all slices end, the largest sum first
	Holders   []Holder     // what held up the measured pauses, the largest sum first

	// LongestStop is the measured pause with the longest Stopping and Stopped
	// together, without its stack and its late processors; nil for none.
	LongestStop *Stop

	Tracer Tracer `c:"."` // slices of the tracer

	// Origin is when the extent of the trace begins, since its first event,
	// which from Go 1.22 on can be much older than what the program does.
	Origin time.Duration

	// ClockChanges is how often the frequency of the clock changes, and times
	// jump: ClockJump is by how much at most, below 0 backwards, and ClockGap by
	// how much of Length they jump forwards. What lasts meanwhile has ClockChanged
	// set, and makes no finding.
	ClockChanges        int
	ClockJump, ClockGap time.Duration

	Findings []Finding     // the greatest harm first
	Time     time.Duration // the total, see c/tools/README.md
	Idle     time.Duration // of processors that no thread held
	HeldTime time.Duration // of those that threads held
	Filtered bool          // only what passes a filter counts

	// CollectionsPercent and AssistShare are Percent and AssistShare of
	// CollectionTotal; -1 if they are not known or there is a filter.
	CollectionsPercent int
	AssistShare        int

	// Assist is the function that was held longest by mark assists, if that
	// was for more than 1 percent of Time; else nil.
	Assist *Assist

	// Held is the function of the program that was held longest by mark
	// assists, by the same rule: Count and Sum are those of its assists.
	Held *Function

	// Assisting and Sweeping say for how long goroutines of the program marked
	// in mark assists, and swept because they allocated; -1 with a filter.
	// Swept is the function that swept longest, or nil.
	Assisting, Sweeping time.Duration
	Swept               *Function

	// Forced is how many collections runtime.GC forced, and Forcer the function
	// that called it most often, Count times; nil if none did.
	Forced int
	Forcer *Function

	// GoalPercent is the median of the size to which the heap may grow after a
	// collection, in percent of what lives; -1 if that is known of fewer than 5
	// collections, or there is a filter.
	GoalPercent int

	// AtRest are the places where goroutines were at rest longest, at most
	// three. If Headline is that nothing stands out, RestNext has the flags of
	// the report that shows whether the first one is rest, and the trace's name.
	AtRest   []Place
	RestNext string

	// CausesEvery is 1; or k if blocks came so thick that only each k-th one was
	// followed to its cause, and counts for k.
	CausesEvery int

	// Began is when the trace began, at its first event, in nanoseconds since
	// 1970 in UTC, as for time.Unix(0, Began); -1 if the trace does not tell, as
	// up to Go 1.24.
	Began int64

	Blocks *BlockReport // with at least as many places as Request.Blocks says

	// CollectionReport is nil unless Request.Collections is set.
	CollectionReport *CollectionReport

	Machine Machine

	// Silent are the functions that kept processors without an event, of what
	// is undecided or asleep, the largest sum first: Count slices in silences,
	// of which Delaying ended like code that can be preempted, the Sum and Max
	// of these, and as Delay the time for which others waited meanwhile.
	Silent []Function

	SlicesGood int           // how many of the slices Partial alone reports
	Known      time.Duration // waits, delays, blocks and collections count up to here
}

// Machine says when threads may have had no CPU. c/tools/README.md has the
// definitions.
type Machine struct {
	OffCPU       Lost  // processors held for more than 1 ms without a goroutine
	OffCPUP      int64 // that of the longest; -1: there is none
	SilenceKnown bool  // false before Go 1.19
	Silence      Lost  // no event for more than 25 ms, though goroutines ran

	Classes [5]ClassSum // of both, by SilentClass
	Storm   bool        // processors without a goroutine prove nothing
	Profile bool        // CPU samples prove something

	// At which silences end, as with a CPU quota; 0: at none. In how many of
	// so many periods, and how long it ran in those on average.
	ThrottleInterval           time.Duration
	Throttled, ThrottlePeriods int
	ThrottleRan                time.Duration
	ThrottleCPU                time.Duration // about, in those; -1: not known

	// Stretches are the first 400 slices in silences, and times for which a
	// processor had no goroutine.
	Stretches []SilentStretch `c:"stretches,stretch_count"`
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

func (c SilentClass) String() string {
	names := [...]string{"", "certain", "asleep", "likely", "undecided"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("SilentClass(%d)", int(c))
	}
	return names[c]
}

// A ClassSum is how often something was so, and for how long in all.
type ClassSum struct {
	Sum   time.Duration
	Count int
}

// A SilentStretch is a slice in a silence, or a time for which a processor had
// no goroutine.
type SilentStretch struct {
	From, To time.Duration
	P, G     int64         // G is -1 without a goroutine
	Class    SilentClass   `c:"what"`
	Time     time.Duration // how much of it counts
	Why      string        // "profile", "together", ...; or ""
	Function string        // in which its next event is, or ""
}

// Lost sums up stretches of time.
type Lost struct {
	Count    int
	Sum, Max time.Duration
	Start    time.Duration // of the longest; -1: there is none
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
	// Function is that of Caller, or else Frame, of a Slice; "" without a stack.
	// File and Line are where most of it is.
	Function string `c:"frame.function"`
	File     string `c:"frame.file"`
	Line     int    `c:"frame.line"`
	Inner    string // the innermost function outside the runtime, if it is one

	Work  Work
	Count int
	Sum   time.Duration // of their lengths
	Max   time.Duration

	Delay       time.Duration // how long goroutines waited because of them
	Delaying    int           // how many of them goroutines waited because of
	DelayingSum time.Duration // of the lengths of these
	Blocked     time.Duration // how long goroutines were blocked there, except at rest

	Start time.Duration `c:"max_start"` // of the longest slice, and its goroutine; -1: no slice
	G     int64         `c:"max_g"`

	OffCPU time.Duration // of Delay: while threads had no CPU

	// ReadyP99 is how long, at most, 99 percent of the waits for a processor
	// lasted with which its slices began, within 2 percent; -1: none did.
	// Only Functions have it.
	ReadyP99 time.Duration
}

// A Finding is what held goroutines up. c/tools/README.md says what
// its harm is; Permille is its share of the total time.
type Finding struct {
	Kind     string        `json:"kind" c:"name"`
	Function string        `json:"fn" c:"frame.function"`
	File     string        `json:"file" c:"frame.file"`
	Line     int           `json:"line" c:"frame.line"`
	Inner    string        `json:"inner"`
	Harm     time.Duration `json:"harm"`
	Permille int           `json:"permille"`
	Rate     time.Duration `json:"rate"` // Harm for each second
	Count    int           `json:"count"`
	Worst    time.Duration `json:"worst"`
	Start    time.Duration `json:"start" c:"worst_start"` // of the worst one; -1: not known
	G        int64         `json:"g" c:"worst_g"`
	Text     string        `json:"text"`
	Next     string        `json:"next"`    // flags of the report with the details, and the trace's name
	Sure     bool          `json:"sure"`    // the trace allows no other cause
	Rank     time.Duration `json:"rank"`    // the part of Harm by which it is ranked
	OffCPU   time.Duration `json:"off_cpu"` // what is not in Harm: threads certainly had no CPU
	Length   time.Duration `json:"-"`       // of slices: the sum of their lengths, without OffCPU

	// Of a function: Harm by what it did, and where others waited for it, at
	// most three places, the greatest Sum first.
	Parts   Parts         `json:"parts"`
	Itself  time.Duration `json:"itself"`  // of Harm: goroutines in the function itself
	Others  time.Duration `json:"others"`  // of Harm: others, which waited for these
	Average float64       `json:"average"` // Harm of the length of the trace: so many goroutines
	Victims []Place       `json:"victims"`

	// Of a trace of Go 1.22 or later with more than 100 MB: the flags that make
	// a smaller one of the worst, and the trace's name; empty: it is not known
	// when that was.
	Cut string `json:"cut"`
}

// Parts are the times for which goroutines waited for a function, by what it did
// meanwhile.
type Parts struct {
	Ran     time.Duration `json:"ran"`
	Ready   time.Duration `json:"ready"` // with a lock, but without a processor
	Delay   time.Duration `json:"delay"` // it kept their processors
	Call    time.Duration `json:"call"`  // in system calls
	InC     time.Duration `json:"in_c"`
	Network time.Duration `json:"network"`
	Sleep   time.Duration `json:"sleep"`
	Lock    time.Duration `json:"lock"`
	Send    time.Duration `json:"send"`
	Work    time.Duration `json:"work"` // it ran, while others waited for work and processors were idle
}

// A Place is where goroutines waited or were at rest: a function of the program,
// and the innermost one.
type Place struct {
	Kind     BlockKind     `json:"-"`
	Function string        `json:"fn" c:"frame.function"`
	File     string        `json:"file" c:"frame.file"`
	Line     int           `json:"line" c:"frame.line"`
	Inner    string        `json:"inner"`
	Sum      time.Duration `json:"sum"`
	Count    int           `json:"count"`
}

// A Holder sums up the measured pause-the-world pauses that one function held up, or
// no goroutine: the time of a pause is divided between them, as Late.Own says.
type Holder struct {
	Function string `c:"frame.function"` // these four as in a Function
	File     string `c:"frame.file"`
	Line     int    `c:"frame.line"`
	Inner    string

	Work     Work
	Count    int           // pauses of which it had the larger part
	Stopping time.Duration `c:"sum"` // its sum of the times from the request until the world stood
	OffCPU   time.Duration // of WorkScheduler: how much of it a thread had no CPU, at least
}

// Tracer sums up the slices that run only because a trace is recorded.
type Tracer struct {
	Count int           `c:"tracer_count"`
	Sum   time.Duration `c:"tracer_sum"`
	Max   time.Duration `c:"tracer_max"`
}

// Summarise returns the summary of the trace in the file path, with the three
// longest slices and pauses.
func Summarise(path string) (*Summary, error) {
	report, err := Read(Request{Path: path, Summary: true})
	if err != nil {
		return nil, err
	}
	return report.Summary, nil
}
