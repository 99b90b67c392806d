// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"bytes"
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const (
	// From this version on events have threads.
	versionThreads = 1022

	// More slices than a small trace has.
	many = 1000000
)

// text is what Print writes for r, made from what Read returns.
func text(r Request, report *Report) string {
	var b bytes.Buffer
	if r.Greedy != 0 {
		writeSlices(&b, report)
	}
	w := newStopWriter(report)
	if r.Stops != 0 {
		w.report(report.Stops)
	}
	threads := report.TraceVersion >= versionThreads
	if r.Waits != 0 {
		w.waits(report.Waits, threads)
	}
	if r.Delays != 0 {
		w.delays(report.Delays, threads)
	}
	return b.String() + w.String()
}

func writeSlices(b *bytes.Buffer, r *Report) {
	threads := r.TraceVersion >= versionThreads
	fmt.Fprintf(b, "finally the found toppest %d greedy goroutines info\n", len(r.Slices))
	for i := range r.Slices {
		s := &r.Slices[i]
		if r.InTicks {
			fmt.Fprintf(b, "\t%d ticks\n", int64(s.Duration))
		} else {
			fmt.Fprintf(b, "\t%dns -> %fs \n", s.Duration.Nanoseconds(), float64(s.Duration)/1e9)
		}
		writeEnds(b, s, threads)
	}
}

func writeEnds(b *bytes.Buffer, s *Slice, threads bool) {
	writeEvent(b, &s.Start, threads)
	if s.StillRunning {
		b.WriteString("\t\tstill running at the end of the trace\n")
	} else {
		writeEvent(b, &s.End, threads)
	}
}

func writeEvent(b *bytes.Buffer, e *Event, threads bool) {
	var args [3]uint64
	copy(args[:], e.Args)
	fmt.Fprintf(b, "\t\t%s Ts: %d", e.Type, e.Time.Nanoseconds())
	if threads {
		fmt.Fprintf(b, " M: %d P: %d G: %d", e.M, e.P, e.G)
	} else {
		fmt.Fprintf(b, " P: %d G: %d", e.P, uint64(e.G))
	}
	fmt.Fprintf(b, " StkID: %d args0: %d args1: %d args2: %d\n", e.StackID, args[0], args[1], args[2])
	writeStack(b, e.Walk, e.Frames)
	for _, s := range e.Strings {
		fmt.Fprintf(b, "\t\t\t %s\n", s)
	}
}

func writeStack(b *bytes.Buffer, walk []string, frames []Frame) {
	if len(walk) != 0 {
		fmt.Fprintf(b, "\t\t\t %s\n", strings.Join(walk, " -> "))
	}
	writeFrames(b, frames)
}

func writeFrames(b *bytes.Buffer, frames []Frame) {
	for _, f := range frames {
		fmt.Fprintf(b, "\t\t\t %d %s %s %d\n", f.PC, f.Function, f.File, f.Line)
	}
}

// check reads what r asks for and compares it with what Print writes for r,
// error and text.
func check(t *testing.T, what string, r Request) (*Report, error) {
	want, wantErr := report(r)
	got, err := Read(r)
	if !reflect.DeepEqual(err, wantErr) {
		t.Fatalf("%s: Read fails with %v, Print with %v", what, err, wantErr)
	}
	if _, failed := err.(*Error); failed {
		if got != nil || want != "" {
			t.Errorf("%s: %v, but Read returns %v, and Print writes %q", what, err, got, want)
		}
	} else if text(r, got) != want {
		t.Errorf("%s: Read returns\n%sPrint writes\n%s", what, text(r, got), want)
	}
	return got, err
}

func TestRead(t *testing.T) {
	needCgo(t)
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, trace := range small(t) {
		wg.Add(1)
		go func(trace string) {
			defer wg.Done()
			for _, n := range []int{1, 10, many} {
				if _, err := Read(Request{Path: trace, Greedy: n}); err != nil {
					t.Errorf("%s: %v", trace, err)
				}
			}
		}(trace)
		if _, err := check(t, trace, Request{Path: trace, Greedy: 10}); err != nil {
			t.Errorf("%s: %v", trace, err)
		}
	}
}

// checkSlices looks at what holds for the slices of any trace. It returns how
// many of them still run at its end.
func checkSlices(t *testing.T, trace string, slices []Slice) (running int) {
	for i, s := range slices {
		if s.StillRunning {
			running++
			if !reflect.DeepEqual(s.End, Event{}) {
				t.Errorf("%s: slice %d still runs, and ends with %v", trace, i, s.End)
			}
		} else if s.End.Time-s.Start.Time != s.Duration {
			t.Errorf("%s: slice %d of %v lasts from %v to %v", trace, i, s.Duration, s.Start.Time, s.End.Time)
		}
		if i > 0 && s.Duration > slices[i-1].Duration {
			t.Errorf("%s: slice %d is longer than the one before it", trace, i)
		}
		// From Go 1.22 on the start of a goroutine is an event of none.
		if s.G != s.Start.G && s.Start.G != -1 || s.P != s.Start.P || s.M != s.Start.M {
			t.Errorf("%s: slice %d of M %d, P %d, G %d starts with %v", trace, i, s.M, s.P, s.G, s.Start)
		}
	}
	return running
}

// Asked for more slices than there are, Read returns all.
func TestReadAll(t *testing.T) {
	needCgo(t)
	const most = int(^uint(0) >> 1)
	for _, trace := range small(t) {
		r, err := check(t, trace, Request{Path: trace, Greedy: most})
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		checkSlices(t, trace, r.Slices)
		slices, err := Greedy(trace, len(r.Slices)+1)
		if err != nil || !reflect.DeepEqual(slices, r.Slices) {
			t.Errorf("%s: Greedy returns %d slices, Read %d (error %v)", trace, len(slices), len(r.Slices), err)
		}
	}
}

// What was returned is Go's own: it stays as it is when the C report it was
// copied from is freed and the memory is used again.
func TestReadCopies(t *testing.T) {
	needCgo(t)
	const trace = testdata + "/before.trace"
	request := Request{Path: trace, Greedy: 100, Stops: 100, Waits: 100, Delays: 100}
	first, err := Read(request)
	if err != nil {
		t.Fatal(err)
	}
	want := text(request, first)
	for _, other := range small(t) {
		if _, err := Read(Request{Path: other, Greedy: 100, Stops: 100, Waits: 100}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	if text(request, first) != want {
		t.Error("a report changed after Read returned it")
	}
}

// The clock of a trace is shown from Go 1.22 on, with slices and with stops.
func TestFirstTime(t *testing.T) {
	needCgo(t)
	for _, trace := range withStops(t) {
		slices, err := Read(Request{Path: trace, Greedy: 1})
		if err != nil {
			t.Fatal(err)
		}
		stops, err := Read(Request{Path: trace, Stops: 1})
		if err != nil {
			t.Fatal(err)
		}
		if slices.FirstTime != stops.FirstTime || slices.FirstTime > 0 != (slices.TraceVersion >= 1022) {
			t.Errorf("%s: %d with slices, %d with stops, version %d", trace, slices.FirstTime, stops.FirstTime, slices.TraceVersion)
		}
	}
}

// No slices are asked for: the trace is read, and none are returned.
func TestReadNone(t *testing.T) {
	needCgo(t)
	trace := testdata + "/before.trace"
	r, err := Read(Request{Path: trace})
	if err != nil || len(r.Slices) != 0 || r.TraceVersion != 1008 {
		t.Errorf("got %v, %v, want the version and no slices", r, err)
	}
	slices, err := Greedy(trace, 0)
	if err != nil || len(slices) != 0 {
		t.Errorf("got %d slices, error %v, want none", len(slices), err)
	}
}

func TestReadErrors(t *testing.T) {
	needCgo(t)
	const none = testdata + "/none"
	trace := testdata + "/before.trace"
	for _, test := range []struct {
		request Request
		status  Status
		message string
	}{
		{Request{Path: none, Greedy: 1}, OpenError, "open " + none + ": no such file or directory"},
		{Request{Path: testdata + "/README.md", Greedy: 1}, headerError, "not a trace file"},
		{Request{Path: trace, Greedy: -1}, ArgumentError, "a negative number of slices"},
		{Request{Path: trace + "\x00", Greedy: 1}, ArgumentError, "a file name with a zero byte"},
	} {
		_, err := check(t, test.message, test.request)
		e, ok := err.(*Error)
		if !ok || e.Status != test.status || e.Message != test.message {
			t.Errorf("%+v: got %#v, want status %d, %q", test.request, err, test.status, test.message)
		}
		slices, err := Greedy(test.request.Path, test.request.Greedy)
		if slices != nil || !reflect.DeepEqual(err, error(e)) {
			t.Errorf("%+v: Greedy returns %v, %v", test.request, slices, err)
		}
	}
}

// partial holds reports of damaged data against each other: a fault is an
// error, and with Partial a report of the events before it. It returns that
// report, and nil if there is none.
func partial(t *testing.T, what string, data []byte) (*Report, error) {
	f, err := ioutil.TempFile("", "gtrace")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	request := Request{Path: f.Name(), Greedy: many, Stops: many, Waits: many, Delays: many}
	good, strictErr := check(t, what, request)
	request.Partial = true
	r, err := check(t, what, request)
	switch e := err.(type) {
	case nil:
		if strictErr != nil || !reflect.DeepEqual(r, good) {
			t.Errorf("%s: another report with Partial, without it error %v", what, strictErr)
		}
	case *PartialError:
		if _, ok := strictErr.(*Error); !ok {
			t.Errorf("%s: error %v, without Partial %v", what, err, strictErr)
		}
		if e.Offset+e.Size != uint64(len(data)) || e.Fault.Message == "" {
			t.Errorf("%s: %#v", what, e)
		}
	case *Error:
		if _, ok := strictErr.(*Error); !ok {
			t.Errorf("%s: error %v, without Partial %v", what, err, strictErr)
		}
	default:
		t.Errorf("%s: error %#v", what, err)
	}
	return r, err
}

// The last records of these traces are stacks, or a tick frequency: without one
// of them there is a report.
func TestPartialCutOff(t *testing.T) {
	needCgo(t)
	for _, trace := range append(withStops(t), small(t)...) {
		data, err := ioutil.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		_, err = partial(t, trace, data[:len(data)-1])
		if _, ok := err.(*PartialError); !ok {
			t.Errorf("%s less a byte: error %v, want a PartialError", trace, err)
		}
	}
}

// A trace that is cut off before its tick frequency is reported in ticks, or with
// the frequency that is given.
func TestPartialInTicks(t *testing.T) {
	needCgo(t)
	const trace = testdata + "/go1.8-small/mix.trace"
	data, err := ioutil.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(os.TempDir(), fmt.Sprintf("gtrace-half-%d", os.Getpid()))
	if err := ioutil.WriteFile(half, data[:len(data)/2], 0600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(half)
	_, err = check(t, trace, Request{Path: half, Greedy: many})
	if e, ok := err.(*Error); !ok || e.Status != CutOffError {
		t.Errorf("error %#v, want a CutOffError", err)
	}
	for _, frequency := range []int64{0, 40000000} {
		r, err := check(t, trace, Request{Path: half, Greedy: many, Waits: many, Delays: many, Partial: true, Frequency: frequency})
		if e, ok := err.(*PartialError); !ok || e.Fault.Status != CutOffError {
			t.Fatalf("error %#v, want a PartialError", err)
		}
		if r.InTicks != (frequency == 0) || len(r.Slices) == 0 {
			t.Errorf("with frequency %d: %d slices, InTicks %v", frequency, len(r.Slices), r.InTicks)
		}
	}
	_, err = check(t, trace, Request{Path: half, Greedy: many, Frequency: 1})
	if e, ok := err.(*Error); !ok || e.Status != ArgumentError {
		t.Errorf("a frequency without Partial: error %#v, want an ArgumentError", err)
	}
}

// Of a trace with one wrong bit there may be a part of the slices, and some of
// them may still run.
func TestPartialDamaged(t *testing.T) {
	needCgo(t)
	const trace = testdata + "/go1.19-small/lock.trace"
	data, err := ioutil.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Greedy(trace, many)
	if err != nil {
		t.Fatal(err)
	}
	parts, running := 0, 0
	for i := 0; i < len(data); i += 4 {
		what := fmt.Sprintf("%s, byte %d", trace, i)
		data[i] ^= 1
		r, err := partial(t, what, data)
		data[i] ^= 1
		if _, ok := err.(*PartialError); ok {
			running += checkSlices(t, what, r.Slices)
			if 0 < len(r.Slices) && len(r.Slices) < len(whole) {
				parts++
			}
		}
	}
	t.Logf("%d reports have a part of the slices, %d slices still run", parts, running)
	if parts == 0 || running == 0 {
		t.Error("too few to tell")
	}
}

// A good trace is read as without Partial.
func TestPartialGood(t *testing.T) {
	needCgo(t)
	for _, trace := range small(t) {
		want, err := Read(Request{Path: trace, Greedy: 10})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(Request{Path: trace, Greedy: 10, Partial: true})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: another report with Partial (error %v)", trace, err)
		}
	}
}

// Without cgo all functions fail, and say so.
func TestWithoutCgo(t *testing.T) {
	_, want := report(Request{})
	if _, ok := want.(*Error); ok != Available {
		t.Errorf("error %v, and Available is %v", want, Available)
	}
	if Available {
		t.Skip("built with cgo")
	}
	if want != ErrNoCgo || !strings.Contains(want.Error(), "need cgo") {
		t.Errorf("Print: error %v, want one that names cgo", want)
	}
	if r, err := Read(Request{}); r != nil || err != want {
		t.Errorf("Read: %v, error %v, want %v", r, err, want)
	}
	if slices, err := Greedy("", 1); slices != nil || err != want {
		t.Errorf("Greedy: %v, error %v, want %v", slices, err, want)
	}
	if summary, err := Summarise(""); summary != nil || err != want {
		t.Errorf("Summarise: %v, error %v, want %v", summary, err, want)
	}
	if stops, err := Stops("", 1); stops != nil || err != want {
		t.Errorf("Stops: %v, error %v, want %v", stops, err, want)
	}
	if waits, err := Waits("", 1); waits != nil || err != want {
		t.Errorf("Waits: %v, error %v, want %v", waits, err, want)
	}
	if delays, err := Delays("", 1); delays != nil || err != want {
		t.Errorf("Delays: %v, error %v, want %v", delays, err, want)
	}
}
