// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"bytes"
	"fmt"
	"io/ioutil"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// withStops lists traces with stop-the-world pauses.
func withStops(t *testing.T) []string {
	traces, err := filepath.Glob(filepath.Join(testdata, "stops", "*.trace"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("no traces in %s/stops: %v", testdata, err)
	}
	return traces
}

func TestStopsGolden(t *testing.T) {
	needCgo(t)
	for _, trace := range withStops(t) {
		want, err := ioutil.ReadFile(strings.TrimSuffix(trace, ".trace") + ".stw10")
		if err != nil {
			t.Fatal(err)
		}
		got, err := report(Request{Path: trace, Stops: 10})
		if err != nil || got != string(want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s (error %v)", trace, got, want, err)
		}
	}
}

// A stopWriter writes a report of stops, waits or delays as Print does.
type stopWriter struct {
	bytes.Buffer
	unit string // "us" or "ticks"
}

// time is a time as the table has it.
func (b *stopWriter) time(d time.Duration) string {
	switch {
	case b.unit == "ticks":
		return fmt.Sprint(int64(d))
	case d < 0:
		return "-" + b.time(-d)
	}
	return fmt.Sprintf("%d.%03d", d/1000, d%1000)
}

// us is a time with its unit.
func (b *stopWriter) us(d time.Duration) string {
	if b.unit == "ticks" {
		return b.time(d) + " ticks"
	}
	return b.time(d) + "us"
}

// newStopWriter returns a writer of the times of r.
func newStopWriter(r *Report) *stopWriter {
	if r.InTicks {
		return &stopWriter{unit: "ticks"}
	}
	return &stopWriter{unit: "us"}
}

func (b *stopWriter) report(r *StopReport) {
	fmt.Fprintf(b, "stops of the world: %d measured, %d not measured, %d inferred\n", r.Measured, r.Unmeasured, r.Inferred)
	if r.Measured+r.Unmeasured > 0 {
		fmt.Fprintf(b, "%-28s %6s %14s %14s %14s %14s %14s %14s\n", "kind (times in "+b.unit+")",
			"stops", "stopping", "median", "p99", "max", "stopped", "total")
		for _, k := range r.Kinds {
			b.kind(k.Kind, k.Count, &k)
		}
		if r.Measured > 0 && len(r.Kinds) >= 2 {
			b.kind("all measured", r.Measured, &r.All)
		}
	}
	fmt.Fprintf(b, "the %d that took longest to stop\n", len(r.MeasuredStops))
	for _, s := range r.MeasuredStops {
		fmt.Fprintf(b, "\tstopping %s stopped %s total %s waited %s %s\n", b.us(s.Stopping), b.us(s.Stopped), b.us(s.Total), b.us(s.Waited), s.Kind)
		b.request("requested", &s)
		for i, l := range s.Late {
			b.late(i, &s, &l)
		}
		fmt.Fprintf(b, "\t\tidle: %d of %d\n", s.Idle, s.Procs)
	}
	if r.Inferred == 0 {
		return
	}
	fmt.Fprintf(b, "inferred from Gomaxprocs: %d, no begin event, bounds only\n", r.Inferred)
	for _, s := range r.InferredStops {
		fmt.Fprintf(b, "\tstopping %s to %s %s\n", b.us(s.StoppingMin), b.us(s.StoppingMax), s.Kind)
		b.request("ended", &s)
		for i, l := range s.Late {
			b.gaveUp(i, &s, &l)
		}
	}
}

func (b *stopWriter) kind(name string, count int, k *StopKind) {
	fmt.Fprintf(b, "%-28s %6d", name, count)
	for _, d := range []time.Duration{k.Stopping, k.Median, k.P99, k.Max, k.Stopped, k.Total} {
		if k.Measured == 0 && d == -1 {
			fmt.Fprintf(b, " %14s", "-")
		} else {
			fmt.Fprintf(b, " %14s", b.time(d))
		}
	}
	b.WriteString("\n")
}

func (b *stopWriter) request(what string, s *Stop) {
	fmt.Fprintf(b, "\t\t%s Ts: %d P: %d G: %d\n", what, s.Time.Nanoseconds(), s.P, s.G)
	writeFrames(&b.Buffer, s.Frames)
}

func (b *stopWriter) late(i int, s *Stop, l *Late) {
	fmt.Fprintf(b, "\t\t%s P: %d", []string{"held up by", "also late"}[least(i, 1)], l.P)
	if l.How != LateScheduler {
		fmt.Fprintf(b, " G: %d", l.G)
	}
	fmt.Fprintf(b, " gave up: +%s", b.us(l.GaveUp-s.Requested))
	switch {
	case l.How == LateRan:
		fmt.Fprintf(b, " left: +%s", b.us(l.Left-s.Requested))
		if l.Start != -1 {
			fmt.Fprintf(b, " ran: %s", b.us(l.Left-l.Start))
		}
	case l.How == LateSyscall && l.Left != -1:
		fmt.Fprintf(b, " in call: %s", b.us(l.GaveUp-l.Left))
	}
	b.how(s, l)
}

func (b *stopWriter) gaveUp(i int, s *Stop, l *Late) {
	fmt.Fprintf(b, "\t\t%s P: %d", []string{"last to give up", "also gave up"}[least(i, 1)], l.P)
	if l.How != LateScheduler {
		fmt.Fprintf(b, " G: %d", l.G)
	}
	fmt.Fprintf(b, " Ts: %d", l.GaveUp.Nanoseconds())
	b.how(s, l)
}

func (b *stopWriter) how(s *Stop, l *Late) {
	switch l.How {
	case LateScheduler:
		fmt.Fprintf(b, " no goroutine, %s", l.Event)
		if l.Own > 0 {
			fmt.Fprintf(b, ", G: %d ran %s until +%s", l.G, b.us(l.Own), b.us(l.Left-s.Requested))
		}
		b.WriteString("\n")
		return
	case LateSyscall:
		fmt.Fprintf(b, " in a system call, %s\n", l.Event)
	default:
		fmt.Fprintf(b, " %s", l.Event)
		if l.Reason != "" {
			fmt.Fprintf(b, " %s", l.Reason)
		}
		b.WriteString("\n")
	}
	writeFrames(&b.Buffer, l.Frames)
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// stopsOf reads a report of all stops, and compares it with what Print writes.
func stopsOf(t *testing.T, trace string) *StopReport {
	r, err := check(t, trace, Request{Path: trace, Stops: many})
	if err != nil {
		t.Fatalf("%s: %v", trace, err)
	}
	return r.Stops
}

func TestStops(t *testing.T) {
	needCgo(t)
	how := make(map[LateHow]int)
	for _, trace := range append(withStops(t), small(t)...) {
		all := stopsOf(t, trace)
		for _, n := range []int{1, 10} {
			if _, err := check(t, trace, Request{Path: trace, Stops: n}); err != nil {
				t.Errorf("%s: %v", trace, err)
			}
		}
		checkStops(t, trace, all)
		for _, s := range all.MeasuredStops {
			for _, l := range s.Late {
				how[l.How]++
			}
		}
		got, err := Stops(trace, many)
		if err != nil || !reflect.DeepEqual(got, all) {
			t.Errorf("%s: Stops and Read return different reports (error %v)", trace, err)
		}
	}
	for _, h := range []LateHow{LateRan, LateSyscall, LateScheduler} {
		if how[h] == 0 {
			t.Errorf("no processor is late as %v", h)
		}
	}
}

// checkStops looks at what the text does not show.
func checkStops(t *testing.T, trace string, r *StopReport) {
	bad := func(s *Stop) { t.Errorf("%s: stop %+v", trace, s) }
	for i := range r.MeasuredStops {
		s := &r.MeasuredStops[i]
		if !s.Measured || s.Inferred || s.Number < 1 ||
			s.Stopping != s.Obtained-s.Requested || s.Stopped != s.Restarted-s.Obtained ||
			s.Total != s.Ended-s.Requested && (s.Kind != "GC mark termination" || s.Total != s.Restarting-s.Requested) ||
			s.Restarting < s.Requested || s.Restarted > s.Ended ||
			s.RequestedMin != -1 || s.RequestedMax != -1 || s.StoppingMin != -1 || s.StoppingMax != -1 {
			bad(s)
		}
		for _, l := range s.Late {
			if wait := l.GaveUp - s.Requested; l.Own < 0 || l.Own > wait || l.How == LateRan && l.Own < wait-l.Own {
				bad(s)
			}
		}
	}
	for i := range r.InferredStops {
		s := &r.InferredStops[i]
		if s.Measured || !s.Inferred || s.Number < 1 || s.Ended != s.Time ||
			s.Requested != -1 || s.Stopping != -1 || s.Total != -1 || s.Waited != -1 ||
			len(s.Late) != 0 && s.Late[0].Own != -1 ||
			s.RequestedMin > s.RequestedMax || s.Obtained != -1 && s.StoppingMax != s.Obtained-s.RequestedMin {
			bad(s)
		}
	}
	for i := range r.UnmeasuredStops {
		s := &r.UnmeasuredStops[i]
		if s.Measured || s.Inferred || s.Number < 1 || s.Kind != "start trace" && s.Ended != -1 {
			bad(s)
		}
	}
	if r.Sampled != 1 || r.All.Measured != r.Measured || len(r.MeasuredStops) != r.Measured ||
		len(r.InferredStops) != r.Inferred || len(r.UnmeasuredStops) != r.Unmeasured {
		t.Errorf("%s: report %+v", trace, r)
	}
}

// One pass makes both reports, and they are what each is alone.
func TestStopsAndSlices(t *testing.T) {
	needCgo(t)
	for _, trace := range withStops(t) {
		both, err := check(t, trace, Request{Path: trace, Greedy: 10, Stops: 10})
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		slices, err := Greedy(trace, 10)
		if err != nil || !reflect.DeepEqual(slices, both.Slices) {
			t.Errorf("%s: other slices in both reports (error %v)", trace, err)
		}
		stops, err := Stops(trace, 10)
		if err != nil || !reflect.DeepEqual(stops, both.Stops) {
			t.Errorf("%s: other stops in both reports (error %v)", trace, err)
		}
	}
}

func TestStopsErrors(t *testing.T) {
	needCgo(t)
	_, err := check(t, "-1", Request{Path: withStops(t)[0], Stops: -1})
	if e, ok := err.(*Error); !ok || e.Status != ArgumentError || e.Message != "a negative number of pauses" {
		t.Errorf("-1 stops: %#v", err)
	}
	stops, err := Stops(withStops(t)[0], 0)
	if err != nil || stops != nil {
		t.Errorf("0 stops: %v, error %v, want nil", stops, err)
	}
	stops, err = Stops(testdata+"/none", 1)
	if e, ok := err.(*Error); !ok || e.Status != OpenError || stops != nil {
		t.Errorf("no trace: %v, error %#v", stops, err)
	}
}

func TestLateHow(t *testing.T) {
	for how, want := range map[LateHow]string{
		LateRan: "ran", LateSyscall: "syscall", LateScheduler: "scheduler", 3: "LateHow(3)",
	} {
		if how.String() != want {
			t.Errorf("LateHow %d is %q, want %q", int(how), how, want)
		}
	}
}
