// SPDX-License-Identifier: BSD-3-Clause

// Wait prints the N longest times for which goroutines of a trace were ready and
// waited for a processor, as gtrace -wait=N -format=json does, but for the stacks:
// what a port of that report to the Go distribution would be.
//
//	wait N trace.out
//
// It uses the package internal/trace, so the go command builds it in a folder of
// GOROOT, by an overlay; tests/go/port_test.sh does.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"internal/trace"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A wait of a goroutine, from the event that makes it ready to the one with which
// it runs. Times are in nanoseconds since the trace began.
type wait struct {
	Start   int64  `json:"start"`
	G       int64  `json:"g"`
	Wait    int64  `json:"wait"`
	Busy    int64  `json:"busy"`    // all processors were held
	Idle    int64  `json:"idle"`    // one was free
	Stopped int64  `json:"stopped"` // the world was stopped, or about to stop
	Before  bool   `json:"before"`  // it began before the trace
	Over    bool   `json:"over"`
	Event   string `json:"event"`

	Kept        []kept `json:"kept"` // the slices that overlap the busy time longest
	KeptMore    int    `json:"kept_more"`
	KeptOverlap int64  `json:"kept_more_overlap"`
	KeptNone    int64  `json:"kept_none"` // processor time without a goroutine
}

// before is the order of the report.
func (w *wait) before(other *wait) bool {
	if w.Wait != other.Wait {
		return w.Wait > other.Wait
	}
	if w.Start != other.Start {
		return w.Start < other.Start
	}
	return w.G < other.G
}

// A slice is a stretch of time over which a goroutine keeps a processor.
type kept struct {
	P       int64 `json:"p"`
	G       int64 `json:"g"`
	Overlap int64 `json:"overlap"`
	Length  int64 `json:"length"`
	Start   int64 `json:"start"`
	End     int64 `json:"end"` // -1: it still ran

	until  int64
	serial int
}

// A step is the time up to the next one, in which nothing changes.
type step struct {
	from    int64
	held    int // processors
	procs   int // GOMAXPROCS
	stopped bool
}

type analysis struct {
	begin, now int64
	known      bool  // begin is
	origin     int64 // of the first event that tells what the program does
	steps      []step
	step       step // of now
	waits      []wait
	slices     []kept
	ready      map[trace.GoID]wait
	on         map[trace.ProcID]kept
	procs      map[trace.GoID]trace.ProcID // of the slices in on
	held       map[trace.ProcID]bool
	early      []int64 // until when processors were held since before the trace
	stops      int
	serials    int
	sums       []sums
}

// The events that make a goroutine ready, by the state before it.
var readyEvents = map[trace.GoState]string{
	trace.GoNotExist:     "GoCreate",
	trace.GoWaiting:      "GoUnblock",
	trace.GoRunning:      "GoStop",
	trace.GoSyscall:      "GoSyscallEndBlocked",
	trace.GoUndetermined: "GoStatus",
}

// change ends the present step, and begins one that DO makes different.
func (a *analysis) change(do func(*step)) {
	if last := len(a.steps) - 1; last >= 0 && a.steps[last].from == a.now {
		do(&a.steps[last])
		a.step = a.steps[last]
		return
	}
	a.step.from = a.now
	do(&a.step)
	a.steps = append(a.steps, a.step)
}

func (a *analysis) goroutine(ev *trace.Event, g trace.GoID, from, to trace.GoState) {
	if w, ok := a.ready[g]; ok && to != trace.GoRunnable {
		delete(a.ready, g)
		w.Over = true
		a.end(w)
	}
	if to == trace.GoRunnable && from != to {
		w := wait{Start: a.now, G: int64(g), Event: readyEvents[from]}
		if from == trace.GoUndetermined {
			w.Before, w.Start = true, a.origin
		}
		a.ready[g] = w
	}
	if to == trace.GoRunning {
		a.starts(ev.Proc(), g)
	} else if from.Executing() && !to.Executing() {
		a.ends(g)
	}
	if from == trace.GoUndetermined && to == trace.GoSyscall && ev.Proc() != trace.NoProc {
		a.starts(ev.Proc(), g)
	}
}

func (a *analysis) end(w wait) {
	w.Wait = a.now - w.Start
	a.waits = append(a.waits, w)
}

func (a *analysis) starts(p trace.ProcID, g trace.GoID) {
	if s, ok := a.on[p]; ok && s.G == int64(g) {
		return // it returns from a system call with its processor
	}
	a.serials++
	a.on[p] = kept{P: int64(p), G: int64(g), Start: a.now, serial: a.serials}
	a.procs[g] = p
}

// ends is the end of the slice of g, if it has one.
func (a *analysis) ends(g trace.GoID) {
	p, ok := a.procs[g]
	if !ok {
		return
	}
	s := a.on[p]
	delete(a.on, p)
	delete(a.procs, g)
	s.End = a.now
	a.keep(s)
}

func (a *analysis) keep(s kept) {
	s.until, s.Length = a.now, a.now-s.Start
	a.slices = append(a.slices, s)
}

func (a *analysis) processor(p trace.ProcID, from, to trace.ProcState) {
	if from == trace.ProcUndetermined && to == trace.ProcRunning {
		// It was held before its first status, too.
		a.early = append(a.early, a.now)
	}
	if held := to.Executing(); held != a.held[p] {
		a.held[p] = held
		by := map[bool]int{true: 1, false: -1}[held]
		a.change(func(s *step) { s.held += by })
	}
	if s, ok := a.on[p]; ok && from.Executing() && !to.Executing() {
		// In a system call the goroutine loses its processor.
		a.ends(trace.GoID(s.G))
	}
}

func (a *analysis) event(ev *trace.Event) {
	a.now = int64(ev.Time()) - a.begin
	if a.origin == 0 && ev.Kind() != trace.EventSync {
		a.origin = a.now
	}
	switch ev.Kind() {
	case trace.EventStateTransition:
		st := ev.StateTransition()
		switch st.Resource.Kind {
		case trace.ResourceGoroutine:
			from, to := st.Goroutine()
			a.goroutine(ev, st.Resource.Goroutine(), from, to)
		case trace.ResourceProc:
			from, to := st.Proc()
			a.processor(st.Resource.Proc(), from, to)
		}
	case trace.EventMetric:
		if m := ev.Metric(); m.Name == "/sched/gomaxprocs:threads" {
			a.change(func(s *step) { s.procs = int(m.Value.Uint64()) })
		}
	case trace.EventRangeBegin, trace.EventRangeActive, trace.EventRangeEnd:
		if !strings.HasPrefix(ev.Range().Name, "stop-the-world") {
			return
		}
		a.change(func(s *step) { s.stopped = ev.Kind() != trace.EventRangeEnd })
	}
}

// sums are how long there was each kind of time before a step.
type sums struct{ busy, idle, stopped int64 }

// kind is what the time of a step is counted as.
func (s step) kind(of *sums) *int64 {
	switch {
	case s.stopped:
		return &of.stopped
	case s.held < s.procs:
		return &of.idle
	}
	return &of.busy
}

// sumUp adds up the steps, once it is known how many processors there were and were
// held before the trace told.
func (a *analysis) sumUp() {
	first := slices.IndexFunc(a.steps, func(s step) bool { return s.procs != 0 })
	for i := range a.steps {
		if i < first {
			a.steps[i].procs = a.steps[first].procs
		}
		for _, until := range a.early {
			if a.steps[i].from < until {
				a.steps[i].held++
			}
		}
	}
	a.sums = make([]sums, len(a.steps))
	for i := 1; i < len(a.steps); i++ {
		a.sums[i] = a.sums[i-1]
		*a.steps[i-1].kind(&a.sums[i]) += a.steps[i].from - a.steps[i-1].from
	}
}

// at has the sums up to a time.
func (a *analysis) at(time int64) sums {
	i := sort.Search(len(a.steps), func(i int) bool { return a.steps[i].from > time }) - 1
	s := a.sums[i]
	*a.steps[i].kind(&s) += time - a.steps[i].from
	return s
}

// busy is the busy time from one time to a later one.
func (a *analysis) busy(from, to int64) int64 { return a.at(to).busy - a.at(from).busy }

// explain finds what a wait was, and the slices that kept its processors.
func (a *analysis) explain(w *wait) {
	from, to := a.at(w.Start), a.at(w.Start+w.Wait)
	w.Busy, w.Idle, w.Stopped = to.busy-from.busy, to.idle-from.idle, to.stopped-from.stopped
	w.Kept = []kept{}
	var all []kept
	for _, s := range a.slices {
		if s.until <= w.Start || s.Start >= w.Start+w.Wait {
			continue
		}
		s.Overlap = a.busy(max(s.Start, w.Start), min(s.until, w.Start+w.Wait))
		if s.Overlap > 0 {
			all = append(all, s)
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Overlap != all[j].Overlap {
			return all[i].Overlap > all[j].Overlap
		}
		return all[i].serial < all[j].serial
	})
	w.KeptNone = a.heldIn(w.Start, w.Start+w.Wait)
	for i, s := range all {
		w.KeptNone -= s.Overlap
		if i < 3 {
			w.Kept = append(w.Kept, s)
			continue
		}
		w.KeptMore++
		w.KeptOverlap += s.Overlap
	}
}

// heldIn sums over the processors how long they were held in busy time. A step is
// busy as a whole, or not at all.
func (a *analysis) heldIn(from, to int64) (sum int64) {
	for i, s := range a.steps {
		end := to
		if i+1 < len(a.steps) {
			end = min(end, a.steps[i+1].from)
		}
		if begin := max(from, s.from); begin < end {
			sum += a.busy(begin, end) * int64(s.held)
		}
	}
	return sum
}

func (a *analysis) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := trace.NewReader(bufio.NewReader(f))
	for err == nil {
		var ev trace.Event
		if ev, err = r.ReadEvent(); err == nil {
			if !a.known {
				a.begin, a.known = int64(ev.Time()), true
			}
			a.event(&ev)
		}
	}
	if err != io.EOF {
		return err
	}
	for _, w := range a.ready {
		a.end(w)
	}
	for _, s := range a.on {
		s.End = -1
		a.keep(s)
	}
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: wait N trace.out")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[1])
	a := analysis{
		steps: []step{{}},
		ready: make(map[trace.GoID]wait), on: make(map[trace.ProcID]kept),
		procs: make(map[trace.GoID]trace.ProcID), held: make(map[trace.ProcID]bool),
	}
	if err == nil {
		err = a.read(os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	a.sumUp()
	sort.Slice(a.waits, func(i, j int) bool { return a.waits[i].before(&a.waits[j]) })
	out := json.NewEncoder(os.Stdout)
	for i := range a.waits[:min(n, len(a.waits))] {
		a.explain(&a.waits[i])
		out.Encode(a.waits[i])
	}
}
