// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"fmt"
	"time"
)

// A BlockReport is about where goroutines were blocked: from the event that takes
// a goroutine off its processor to wait to the one that makes it ready, and in
// system calls.
type BlockReport struct {
	Sums []BlockSum // by kind, those of places of rest last

	// At most Request.Blocks of each, the greatest Sum first.
	Places []BlockPlace
	Rests  []BlockPlace // where goroutines mostly rest

	Times Times // of all goroutines
}

// A BlockSum sums up the blocks of one kind at places with the same Rest.
type BlockSum struct {
	Kind     BlockKind
	Rest     bool
	Count    int
	Sum, Max time.Duration
}

// A BlockPlace sums up the blocks of one kind at one stack. A block that began
// before the trace counts from its start, one that is not over to its end.
type BlockPlace struct {
	Kind  BlockKind
	Rest  bool // goroutines mostly rest there, without work
	Count int

	Sum, Max    time.Duration
	Median, P99 time.Duration // within 2 percent
	MaxStart    time.Duration // of the longest block
	MaxG        int64         // its goroutine
	Lost        time.Duration // of system calls: the sum of the time without a processor

	Before     int     // how many began before the trace
	Unfinished int     // how many others are not over
	Frames     []Frame // of the event that begins a block
	Frame      Frame   // what Frames are named after, as of a Slice

	Enders       []Unblocker // at most three, the greatest Sum first; none of system calls
	EndedMore    int         // how many blocks others ended
	EndedMoreSum time.Duration

	// Who held a lock meanwhile, by function, at most three, the greatest Sum first.
	Holders []LockHolder

	MaxBy int64 // the goroutine that ended the longest block, or -1
	// The sum of the blocks of 100 µs or more, and how many these are.
	Slow      time.Duration
	SlowCount int

	// How many blocks lasted while the frequency of the clock changed, see
	// Summary.ClockChanges; they are in no other number.
	ClockChanged int
}

// A LockHolder is a function that held a lock while goroutines were blocked there.
// A wait is divided between all who had the lock meanwhile.
type LockHolder struct {
	Frame Frame         // of the program, where the lock was given back
	Sum   time.Duration // of the waits, while it had the lock
	Parts []HolderPart  // what it did, at most three, the greatest Sum first
}

// A HolderPart is what the one who held a lock did, or the one that it waited for.
type HolderPart struct {
	Part  string // "ran", "ready", "call", "in_c", "network", "sleep", "lock", "send", "collector" or "other"
	Inner string // the innermost function outside the runtime
	Sum   time.Duration
}

// An Unblocker is who ended blocks.
type Unblocker struct {
	By     string // "goroutine", "timer", "network" or "runtime"
	Count  int
	Sum    time.Duration // of the lengths of these blocks
	Frames []Frame       // of the events that ended them
	Frame  Frame         // what Frames are named after, as of a Slice
}

// BlockKind is what a blocked goroutine waits for.
type BlockKind int

const (
	BlockOther      BlockKind = 0
	BlockLock       BlockKind = 1 // Mutex, RWMutex, those of the runtime, pools
	BlockWaitGroup  BlockKind = 2
	BlockCondition  BlockKind = 3
	BlockSend       BlockKind = 4
	BlockReceive    BlockKind = 5
	BlockSelect     BlockKind = 6
	BlockNetwork    BlockKind = 7
	BlockSleep      BlockKind = 8
	BlockSyscall    BlockKind = 9  // it is in a system call
	BlockAssist     BlockKind = 10 // it has to help the garbage collector
	BlockCollection BlockKind = 11 // the rest of the collector's work

	blockKinds = 12
)

func (k BlockKind) String() string {
	words := [...]string{"other", "lock", "wait group", "condition", "channel send",
		"channel receive", "select", "network", "sleep", "system call", "assist", "collection"}
	if k < 0 || int(k) >= len(words) {
		return fmt.Sprintf("BlockKind(%d)", int(k))
	}
	return words[k]
}

// Blocks returns the report of where goroutines were blocked in the trace in the
// file path, with the n places of the greatest sum, and fewer if the trace has
// fewer. If n is 0 the report is nil.
func Blocks(path string, n int) (*BlockReport, error) {
	report, err := Read(Request{Path: path, Blocks: n})
	if err != nil {
		return nil, err
	}
	return report.Blocks, nil
}
