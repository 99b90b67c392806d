// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A summary as JSON has it, as far as its fields are not named differently.
type jsonSummary struct {
	Headline, Explanation string
	Length                time.Duration
	Procs, Goroutines     int
	Created               int `json:"goroutines_created"`
	Alive                 int `json:"goroutines_alive"`
	Events, Collections   int
	Collecting            time.Duration
	Slices                Distribution
	Stops                 struct {
		Measured, Unmeasured, Inferred             int
		Stopping, Median, P99, Max, Stopped, Total time.Duration
	}
	Waits struct {
		Count, Before, Unfinished                        int
		Sum, Median, P99, P999, Max, Busy, Idle, Stopped time.Duration
	}
	Delays        struct{ Waited, Behind, Scheduling time.Duration }
	LongestSlices []jsonSlice `json:"longest_slices"`
	LongestStops  []jsonStop  `json:"longest_stops"`
	Functions     []jsonSum
	Holders       []jsonSum
	Tracer        int
	TracerSum     time.Duration `json:"tracer_sum"`
	TracerMax     time.Duration `json:"tracer_max"`
	Findings      []Finding
	Time, Idle    time.Duration
	Filtered      bool

	CollectionsPercent int `json:"collections_percent"`
	AssistShare        int `json:"assist_share"`
	Assisting          time.Duration
	Sweeping           time.Duration
	Forced             int
	GoalPercent        int `json:"goal_percent"`
	Assist             Assist
	Origin             time.Duration
	ClockChanges       int           `json:"clock_changes"`
	ClockJump          time.Duration `json:"clock_jump"`
	ClockGap           time.Duration `json:"clock_gap"`
	AtRest             []Place       `json:"at_rest"`
	RestNext           string        `json:"rest_next"`
	CausesEvery        int           `json:"causes_every"`
	Began              int64         `json:"began"`
}

type jsonSlice struct {
	Duration, Start time.Duration
	P, G            int64
}

type jsonStop struct {
	N                   int
	Kind                string
	Requested, Stopping time.Duration
}

type jsonSum struct {
	Fn, File           string
	Line               int
	Inner, Work        string
	Count              int
	Sum, Max, Stopping time.Duration
	Delay              time.Duration
	Delaying           int
	DelayingSum        time.Duration `json:"delaying_sum"`
	Blocked, Start     time.Duration
	G                  int64
	ReadyP99           time.Duration `json:"ready_p99"`
}

// withoutKinds returns places as JSON has them, but for the words for their kinds.
func withoutKinds(places []Place) []Place {
	places = append([]Place{}, places...)
	for i := range places {
		places[i].Kind = 0
	}
	return places
}

// summaryJSON returns s in this form.
func summaryJSON(s *Summary) *jsonSummary {
	to := &jsonSummary{
		Headline: s.Headline, Explanation: s.Explanation, Length: s.Length,
		Procs: s.Procs, Goroutines: s.Goroutines, Created: s.Created, Alive: s.Alive,
		Events: s.Events, Collections: s.Collections, Collecting: s.Collecting,
		Slices: s.Lengths,
		Tracer: s.Tracer.Count, TracerSum: s.Tracer.Sum, TracerMax: s.Tracer.Max,
		Time: s.Time, Idle: s.Idle, Filtered: s.Filtered, Origin: s.Origin,
		ClockChanges: s.ClockChanges, ClockJump: s.ClockJump, ClockGap: s.ClockGap,
	}
	to.Findings = append([]Finding(nil), s.Findings...)
	for i := range to.Findings {
		to.Findings[i].Length = 0 // JSON does not have it.
		to.Findings[i].Victims = withoutKinds(to.Findings[i].Victims)
	}
	if s.Began >= 0 { // JSON leaves out what is not known.
		to.Began = s.Began
	}
	to.AtRest, to.RestNext, to.CausesEvery = withoutKinds(s.AtRest), s.RestNext, s.CausesEvery
	to.CollectionsPercent, to.AssistShare = s.CollectionsPercent, s.AssistShare
	to.Assisting, to.Sweeping, to.Forced, to.GoalPercent = s.Assisting, s.Sweeping, s.Forced, s.GoalPercent
	if s.Assist != nil {
		to.Assist = *s.Assist
		to.Assist.G, to.Assist.Goroutines = 0, 0 // JSON has neither.
	}
	all := &s.Stops.All
	to.Stops.Measured, to.Stops.Unmeasured, to.Stops.Inferred = s.Stops.Measured, s.Stops.Unmeasured, s.Stops.Inferred
	to.Stops.Stopping, to.Stops.Median, to.Stops.P99, to.Stops.Max = all.Stopping, all.Median, all.P99, all.Max
	to.Stops.Stopped, to.Stops.Total = all.Stopped, all.Total
	waits := &s.Waits.All
	to.Waits.Count, to.Waits.Before, to.Waits.Unfinished = s.Waits.Whole, s.Waits.Before, s.Waits.Unfinished
	to.Waits.Sum, to.Waits.Median, to.Waits.P99, to.Waits.P999, to.Waits.Max = waits.Sum, waits.Median, waits.P99, waits.P999, waits.Max
	to.Waits.Busy, to.Waits.Idle, to.Waits.Stopped = waits.Busy, waits.Idle, waits.Stopped
	to.Delays.Waited, to.Delays.Behind, to.Delays.Scheduling = s.Delays.Waited, s.Delays.Behind, s.Delays.Scheduling
	for _, s := range s.Slices {
		to.LongestSlices = append(to.LongestSlices, jsonSlice{s.Duration, s.Start.Time, s.P, int64(s.Start.Args[0])})
	}
	for _, s := range s.Stops.MeasuredStops {
		to.LongestStops = append(to.LongestStops, jsonStop{s.Number, s.Kind, s.Requested, s.Stopping})
	}
	// JSON says of a stack without a function that its work is not known.
	work := func(function string, w Work) string {
		if function == "" && w == WorkRuntime {
			return "unknown"
		}
		return w.String()
	}
	for _, f := range s.Functions {
		to.Functions = append(to.Functions, jsonSum{f.Function, f.File, f.Line, f.Inner, work(f.Function, f.Work), f.Count, f.Sum, f.Max, 0, f.Delay, f.Delaying, f.DelayingSum, f.Blocked, f.Start, f.G, f.ReadyP99})
	}
	for _, h := range s.Holders {
		to.Holders = append(to.Holders, jsonSum{h.Function, h.File, h.Line, h.Inner, work(h.Function, h.Work), h.Count, 0, 0, h.Stopping, 0, 0, 0, 0, 0, 0, 0})
	}
	return to
}

// A summary is the same as Go values, as JSON and as text.
func TestSummary(t *testing.T) {
	needCgo(t)
	for _, trace := range append(small(t), testdata+"/stops/go1.27_copy.trace") {
		r := Request{Path: trace, Summary: true, Greedy: 3, Stops: 7}
		got, err := Read(r)
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		both, err := Read(Request{Path: trace, Greedy: 3, Stops: 7, Delays: 1})
		if err != nil || fmt.Sprint(got.Slices) != fmt.Sprint(both.Slices) || len(got.Stops.MeasuredStops) != len(both.Stops.MeasuredStops) || got.FirstTime != both.FirstTime {
			t.Errorf("%s: slices and stops with a summary differ from those without: %v", trace, err)
		}
		r.Greedy, r.Stops, r.Format = 0, 0, FormatJSON
		text, err := report(r)
		var want jsonSummary
		if err == nil {
			err = json.Unmarshal([]byte(text), &want)
		}
		s, sErr := Summarise(trace)
		if err != nil || sErr != nil {
			t.Errorf("%s: %v, %v", trace, err, sErr)
			continue
		}
		if got := summaryJSON(s); fmt.Sprintf("%+v", *got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", trace, *got, want)
		}
		r.Format = FormatText
		if text, err := report(r); err != nil || !strings.HasPrefix(strings.Join(strings.Fields(text), " "), s.Headline) {
			t.Errorf("%s: error %v, text %.80q, want %q", trace, err, text, s.Headline)
		}
	}
}

// A summary with other reports is what each of them is alone.
func TestSummaryWithReports(t *testing.T) {
	needCgo(t)
	for _, trace := range []string{"/stops/go1.27_copy.trace", "/go1.22-small/task.trace"} {
		asked := Request{Path: testdata + trace, Greedy: 2, Stops: 2, Waits: 2, Delays: 2, Blocks: 2,
			Goroutines: 2, Requests: 2, Collections: true, Sched: time.Millisecond}
		want, err := Read(asked)
		if err != nil {
			t.Fatal(err)
		}
		asked.Summary = true
		got, err := Read(asked)
		if err != nil || got.Summary == nil {
			t.Fatalf("%s: summary %v, error %v", trace, got, err)
		}
		got.Summary = nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: with a summary: got\n%+v\nwant\n%+v", trace, got, want)
		}
	}
}

// The workers of the collector are slices of the functions that say so, and what
// a summary sums up is in the reports.
func TestSummarySums(t *testing.T) {
	needCgo(t)
	tracers, workers := 0, make(map[Work]int)
	for _, trace := range append(small(t), withStops(t)...) {
		r, err := Read(Request{Path: trace, Summary: true, Greedy: many, Stops: many})
		if err != nil {
			t.Errorf("%s: %v", trace, err)
			continue
		}
		got, want := make(map[Work]int), make(map[Work]int)
		for _, f := range r.Summary.Functions {
			if f.Work >= WorkGCDedicated {
				want[f.Work] += f.Count
			}
		}
		for _, s := range r.Slices {
			if s.GCWorker != 0 {
				got[s.GCWorker]++
				workers[s.GCWorker]++
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: workers of the collector: %v, want %v", trace, got, want)
		}
		var longest *Stop
		for i, s := range r.Stops.MeasuredStops {
			if longest == nil || s.Stopping+s.Stopped > longest.Stopping+longest.Stopped {
				longest = &r.Stops.MeasuredStops[i]
			}
		}
		if s := r.Summary.LongestStop; (s == nil) != (longest == nil) || s != nil && s.Stopping+s.Stopped != longest.Stopping+longest.Stopped {
			t.Errorf("%s: longest stop %+v, want %+v", trace, s, longest)
		}
		if tracer := r.Summary.Tracer; tracer.Count != 0 {
			tracers++
			if tracer.Max <= 0 || tracer.Max > tracer.Sum || tracer.Sum > r.Summary.Lengths.Sum {
				t.Errorf("%s: tracer %+v of %+v", trace, tracer, r.Summary.Lengths)
			}
		}
	}
	if tracers == 0 || workers[WorkGCDedicated] == 0 || workers[WorkGCIdle] == 0 {
		t.Errorf("%d traces with slices of the tracer, workers of the collector: %v", tracers, workers)
	}
	for work, want := range map[Work]string{WorkTracer: "tracer", WorkGCFractional: "GC fractional", 9: "Work(9)"} {
		if work.String() != want {
			t.Errorf("Work %d is %q, want %q", int(work), work, want)
		}
	}
}

// What is at fault has a name, whichever way it is at fault.
func TestErrorNames(t *testing.T) {
	needCgo(t)
	for _, name := range []string{"/none", "/README.md", "/attack/partial-longer-1.trace"} {
		if _, err := Summarise(testdata + name); err == nil || strings.Count(err.Error(), testdata+name+": ") != 1 {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
