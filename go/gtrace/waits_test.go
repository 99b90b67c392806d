// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// waits writes the report of waits as Print does.
func (b *stopWriter) waits(r *WaitReport, threads bool) {
	fmt.Fprintf(b, "waits for a processor: %d whole, %d began before the trace, %d not over\n", r.Whole, r.Before, r.Unfinished)
	if len(r.Rows) > 0 {
		fmt.Fprintf(b, "%-28s %6s %14s %14s %14s %14s %14s %14s %14s\n", "(times in "+b.unit+")",
			"waits", "sum", "median", "p99", "max", "busy", "idle", "stopped")
		for _, row := range r.Rows {
			b.waitRow("after "+row.Event, row)
		}
		if len(r.Rows) >= 2 {
			b.waitRow("all", r.All)
		}
	}
	fmt.Fprintf(b, "the %d longest\n", len(r.Waits))
	for i := range r.Waits {
		b.wait(&r.Waits[i], threads)
	}
}

func (b *stopWriter) waitRow(name string, r WaitRow) {
	fmt.Fprintf(b, "%-28s %6d", name, r.Count)
	for _, d := range []time.Duration{r.Sum, r.Median, r.P99, r.Max, r.Busy, r.Idle, r.Stopped} {
		fmt.Fprintf(b, " %14s", b.time(d))
	}
	b.WriteString("\n")
}

func (b *stopWriter) wait(w *Wait, threads bool) {
	fmt.Fprintf(b, "\twaited %s busy %s idle %s stopped %s", b.us(w.Length), b.us(w.Busy), b.us(w.Idle), b.us(w.Stopped))
	switch {
	case w.Before:
		b.WriteString(" began before the trace\n")
	case !w.Over:
		b.WriteString(" not over\n")
	default:
		b.WriteString("\n")
	}
	writeEvent(&b.Buffer, &w.Ready, threads)
	if w.Over {
		fmt.Fprintf(b, "\t\tran G: %d P: %d Ts: %d\n", w.G, w.RanP, w.Ran.Nanoseconds())
	} else {
		fmt.Fprintf(b, "\t\tdid not run G: %d\n", w.G)
	}
	for i := range w.Kept {
		b.kept(&w.Kept[i])
	}
	if w.KeptMore != 0 {
		fmt.Fprintf(b, "\t\tand %d more slices, %s\n", w.KeptMore, b.us(w.KeptMoreOverlap))
	}
	if w.KeptNone != 0 {
		fmt.Fprintf(b, "\t\tkept by no goroutine: %s\n", b.us(w.KeptNone))
	}
}

func (b *stopWriter) kept(k *Kept) {
	fmt.Fprintf(b, "\t\tkept by P: %d G: %d overlap: %s of: %s", k.P, k.G, b.us(k.Overlap), b.us(k.Length))
	if k.Calls > 0 {
		fmt.Fprintf(b, " in calls: %s", b.us(k.Calls))
	}
	event := k.Event
	if k.Ended == -1 {
		event = "still running"
	} else if k.Reason != "" {
		event += " " + k.Reason
	}
	fmt.Fprintf(b, " %s\n", event)
	writeStack(&b.Buffer, k.Walk, k.Frames)
}

// delays writes the report of delays as Print does.
func (b *stopWriter) delays(r *DelayReport, threads bool) {
	fmt.Fprintf(b, "delay: goroutines waited %s while all processors were busy: %s behind slices, %s in scheduling\n",
		b.us(r.Waited), b.us(r.Behind), b.us(r.Scheduling))
	fmt.Fprintf(b, "the %d slices that delayed others longest\n", len(r.Slices))
	for i := range r.Slices {
		s := &r.Slices[i]
		fmt.Fprintf(b, "\tdelayed %s length %s", b.us(s.Delay), b.us(s.Duration))
		if s.Syscalls > 0 {
			fmt.Fprintf(b, " in calls %s", b.us(s.Syscalls))
		}
		b.WriteString("\n")
		writeEnds(&b.Buffer, s, threads)
	}
}

func TestWaits(t *testing.T) {
	needCgo(t)
	seen := make(map[string]int)
	for _, trace := range append(withStops(t), small(t)...) {
		r, err := check(t, trace, Request{Path: trace, Waits: many, Delays: many})
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		checkWaits(t, trace, r.Waits, seen)
		checkDelays(t, trace, r.Delays)
		waits, err := Waits(trace, 10)
		r.Waits.Waits = r.Waits.Waits[:least(10, len(r.Waits.Waits))]
		if err != nil || !reflect.DeepEqual(waits, r.Waits) {
			t.Errorf("%s: Waits and Read return different reports (error %v)", trace, err)
		}
		delays, err := Delays(trace, 10)
		r.Delays.Slices = r.Delays.Slices[:least(10, len(r.Delays.Slices))]
		if err != nil || !reflect.DeepEqual(delays, r.Delays) {
			t.Errorf("%s: Delays and Read return different reports (error %v)", trace, err)
		}
	}
	for _, what := range []string{"whole", "before", "not over", "kept", "reason", "calls", "more", "none"} {
		if seen[what] == 0 {
			t.Errorf("no wait is or has: %s", what)
		}
	}
}

// checkWaits looks at what the text does not show, and counts in seen what the
// waits have.
func checkWaits(t *testing.T, trace string, r *WaitReport, seen map[string]int) {
	var whole WaitRow
	count := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	for i := range r.Waits {
		w := &r.Waits[i]
		if w.Length != w.Busy+w.Idle+w.Stopped || w.Over && w.Ran-w.Start != w.Length ||
			!w.Over && (w.Ran != -1 || w.RanP != -1) || !w.Before && w.Start != w.Ready.Time {
			t.Errorf("%s: wait %+v", trace, w)
		}
		if w.Over && !w.Before {
			whole.Count++
			whole.Sum += w.Length
		}
		count("whole", w.Over && !w.Before)
		count("before", w.Before)
		count("not over", !w.Over && !w.Before)
		count("kept", len(w.Kept) != 0)
		count("reason", w.Reason != "")
		count("more", w.KeptMore != 0)
		count("none", w.KeptNone != 0)
		for _, k := range w.Kept {
			count("calls", k.Calls > 0)
			if k.Overlap > k.Length || k.Overlap <= 0 ||
				k.Ended != -1 && k.Ended-k.Start != k.Length || (k.Ended == -1) != (k.Event == "") {
				t.Errorf("%s: kept %+v", trace, k)
			}
		}
	}
	rows := WaitRow{}
	for _, row := range r.Rows {
		rows.Count += row.Count
		rows.Sum += row.Sum
		if row.P99 > row.P999 || row.P999 > row.Max || row.Event == "" {
			t.Errorf("%s: row %+v", trace, row)
		}
	}
	if rows != whole || rows.Count != r.Whole || r.All.Sum != rows.Sum || len(r.Waits) != r.Whole+r.Before+r.Unfinished {
		t.Errorf("%s: the rows are %+v, the waits %+v, the report %d", trace, rows, whole, r.Whole)
	}
}

// checkDelays adds up the delays. Each is rounded down, as is their sum.
func checkDelays(t *testing.T, trace string, r *DelayReport) {
	slices, err := Read(Request{Path: trace, Greedy: many, Delays: 1})
	if err != nil {
		t.Fatal(err)
	}
	var sum, all time.Duration
	for _, s := range r.Slices {
		sum += s.Delay
	}
	for _, s := range slices.Slices {
		all += s.Delay
	}
	if sum != all || sum > r.Behind || r.Behind > sum+time.Duration(len(slices.Slices)) || r.Behind+r.Scheduling != r.Waited {
		t.Errorf("%s: %v, of all slices %v, the report has %v and %v of %v", trace, sum, all, r.Behind, r.Scheduling, r.Waited)
	}
}

// Slices have a delay only where there are waits. A summary has both.
func TestWaitsAndOthers(t *testing.T) {
	needCgo(t)
	const trace = testdata + "/go1.27-small/mix.trace"
	slices, err := Greedy(trace, 1)
	if err != nil || slices[0].Delay != -1 {
		t.Errorf("slices %+v, error %v", slices, err)
	}
	all := Request{Path: trace, Greedy: 3, Stops: 3, Waits: 3, Delays: 3}
	one, err := check(t, trace, all)
	if err != nil {
		t.Fatal(err)
	}
	all.Summary = true
	both, err := Read(all)
	if err != nil || both.Summary == nil || !reflect.DeepEqual(both.Waits, one.Waits) || !reflect.DeepEqual(both.Delays, one.Delays) ||
		!reflect.DeepEqual(both.Slices, one.Slices) || !reflect.DeepEqual(both.Stops, one.Stops) {
		t.Errorf("other waits beside a summary (error %v)", err)
	}
}

func TestWaitsErrors(t *testing.T) {
	needCgo(t)
	trace := withStops(t)[0]
	for _, test := range []struct {
		request Request
		want    string
	}{
		{Request{Waits: -1}, "a negative number of waits"},
		{Request{Delays: -1}, "a negative number of delays"},
		{Request{Waits: 1, Dump: true, Format: FormatCSV}, "CSV output holds one report; set one of them"},
	} {
		r := test.request
		r.Path = trace
		text, err := report(r)
		if e, ok := err.(*Error); !ok || e.Status != ArgumentError || e.Message != test.want || text != "" {
			t.Errorf("%+v: %q, %#v", r, text, err)
		}
	}
	waits, err := Waits(trace, 0)
	if err != nil || waits != nil {
		t.Errorf("0 waits: %v, error %v, want nil", waits, err)
	}
	delays, err := Delays(testdata+"/none", 1)
	if e, ok := err.(*Error); !ok || e.Status != OpenError || delays != nil {
		t.Errorf("no trace: %v, error %#v", delays, err)
	}
}
