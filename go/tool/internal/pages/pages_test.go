// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"bytes"
	"cmd/trace/internal/gtrace"
	"fmt"
	"html"
	"io/ioutil"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"runtime/trace"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	script  = `<script>alert("&")</script>`
	escaped = `&lt;script&gt;alert(&#34;&amp;&#34;)&lt;/script&gt;`
)

// record returns the pages about a trace with many slices, some of them of this
// package, and a stop-the-world pause.
func record(t *testing.T) *Trace {
	if !Available {
		t.Skip("built without the gtrace library")
	}
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Skipf("cannot record a trace: %v", err)
	}
	c := make(chan int)
	for i := 0; i < 50; i++ {
		go func() { c <- 1 }()
		<-c
	}
	// A goroutine that serves requests.
	requests := make(chan chan int)
	go func() {
		for done := range requests {
			done <- 1
		}
		c <- 1
	}()
	for i := 0; i < 30; i++ {
		time.Sleep(time.Millisecond) // until it waits for one
		requests <- c
		<-c
	}
	close(requests)
	<-c
	// Goroutines of the runtime: the collector's, and that of timers where,
	// as in Go 1.8, runtime.GC needs none.
	runtime.GC()
	go func() { c <- 1 }()
	time.Sleep(time.Millisecond) // in which that goroutine is blocked
	<-c
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	trace.Stop()

	f, err := ioutil.TempFile("", "pages")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(buf.Bytes()); err != nil {
		t.Fatal(err)
	}
	return &Trace{
		Request:  gtrace.Request{Path: f.Name()},
		Timeline: func(start, end time.Duration) string { return "/trace?view=proc" },
		Group:    func(goroutine int64) string { return fmt.Sprintf("/goroutine?id=%d", goroutine) },
	}
}

// read returns the pages about such a trace, and what r asks for of it.
func read(t *testing.T, r gtrace.Request) (*Trace, *gtrace.Report) {
	p := record(t)
	r.Path = p.Request.Path
	report, err := gtrace.Read(r)
	if err != nil {
		os.Remove(r.Path)
		t.Fatal(err)
	}
	return p, report
}

// get returns the status of a page and its text.
func get(handler http.HandlerFunc, address string) (int, string) {
	w := httptest.NewRecorder()
	handler(w, httptest.NewRequest("GET", address, nil))
	return w.Code, w.Body.String()
}

var (
	rowLink   = regexp.MustCompile(`<a href="/trace\?view=proc#([0-9.]+):([0-9.]+)">([^<]+)</a>`)
	groupLink = regexp.MustCompile(`<a href="/goroutine\?id=[0-9]+">[0-9]+</a>`)
)

func TestSlices(t *testing.T) {
	p := record(t)
	defer os.Remove(p.Request.Path)
	for _, test := range []struct {
		query string
		rows  int
	}{{"", 10}, {"?n=3", 3}, {"?n=50&user=0", 50}, {"?user=1&n=20", 20}} {
		code, text := get(p.Slices, "/slices"+test.query)
		links := rowLink.FindAllStringSubmatch(text, -1)
		if code != http.StatusOK || len(links) != test.rows {
			t.Errorf("%s: status %d, %d rows, want %d", test.query, code, len(links), test.rows)
		}
		if n := len(groupLink.FindAllString(text, -1)); n != test.rows {
			t.Errorf("%s: %d links to groups, want %d", test.query, n, test.rows)
		}
		last := time.Duration(1 << 62)
		for _, link := range links {
			start, _ := strconv.ParseFloat(link[1], 64)
			end, _ := strconv.ParseFloat(link[2], 64)
			d, err := time.ParseDuration(link[3])
			// The numbers in the link are nanoseconds with a point.
			if ns := time.Duration((end-start)*1e6 + 0.5); err != nil || ns != d && d != 0 || d > last {
				t.Errorf("%s: %q after %v", test.query, link, last)
			}
			last = d
		}
	}
	// Functions of the runtime are there, but for those who want no others.
	if _, text := get(p.Slices, "/slices?n=10000"); !strings.Contains(text, "<td><code>runtime.") {
		t.Error("no slice of the runtime")
	}
	if _, text := get(p.Slices, "/slices?n=10000&user=1"); strings.Contains(text, "<td><code>runtime.") || !strings.Contains(text, "<td><code>cmd/trace/internal/pages.") {
		t.Error("not only slices of the program")
	}
}

func TestStops(t *testing.T) {
	p, report := read(t, gtrace.Request{Stops: 1000})
	defer os.Remove(p.Request.Path)
	want := len(report.Stops.MeasuredStops) + len(report.Stops.InferredStops)
	code, text := get(p.Stops, "/stw?n=1000")
	if n := len(rowLink.FindAllString(text, -1)); code != http.StatusOK || n == 0 || n != want {
		t.Errorf("status %d, %d rows, want %d", code, n, want)
	}
	if report.Stops.Inferred == 0 && !strings.Contains(text, "<td>read mem stats</td>") {
		t.Errorf("no stop to read the memory statistics:\n%s", text)
	}
	// One of each sort.
	_, text = get(p.Stops, "/stw?n=1")
	if n := len(rowLink.FindAllString(text, -1)); n == 0 || n > 2 || n == 2 && report.Stops.Inferred == 0 {
		t.Errorf("%d rows:\n%s", n, text)
	}
}

// The rows are the waits of the report, and those of /slices have its delays.
func TestWaits(t *testing.T) {
	p, report := read(t, gtrace.Request{Greedy: 50, Waits: 50})
	defer os.Remove(p.Request.Path)
	code, text := get(p.Waits, "/waits?n=50")
	links := rowLink.FindAllStringSubmatch(text, -1)
	if code != http.StatusOK || len(links) != 50 {
		t.Fatalf("status %d, %d rows, want 50", code, len(links))
	}
	start := milliseconds(report.Waits.Waits[0].Start + report.FirstTime)
	for i, w := range report.Waits.Waits {
		if links[i][3] != w.Length.String() || i == 0 && links[i][1] != start {
			t.Errorf("row %d is %q, want %v from %s", i, links[i], w.Length, start)
		}
	}
	for _, row := range report.Waits.Rows {
		if want := fmt.Sprintf("<td>%s</td>\n<td class=\"number\">%d</td>", row.Event, row.Count); !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	_, text = get(p.Slices, "/slices?n=50")
	delays := regexp.MustCompile(`<td class="number">([^<]*)</td>\n<td><details>`).FindAllStringSubmatch(text, -1)
	for i, s := range report.Slices {
		if delays[i][1] != s.Delay.String() {
			t.Errorf("slice %d delayed others %s, want %v", i, delays[i][1], s.Delay)
		}
	}
}

// The rows are the places of the report.
func TestBlocks(t *testing.T) {
	p, report := read(t, gtrace.Request{Blocks: 50})
	defer os.Remove(p.Request.Path)
	code, text := get(p.Blocks, "/blocks?n=50")
	links := rowLink.FindAllStringSubmatch(text, -1)
	if code != http.StatusOK || len(links) == 0 || len(links) != len(report.Blocks.Places) {
		t.Fatalf("status %d, %d rows, want %d", code, len(links), len(report.Blocks.Places))
	}
	for i, b := range report.Blocks.Places {
		if want := milliseconds(b.MaxStart + report.FirstTime); links[i][1] != want || links[i][3] != b.Max.String() {
			t.Errorf("row %d is %q, want %v from %s", i, links[i], b.Max, want)
		}
	}
	for _, s := range report.Blocks.Sums {
		if !strings.Contains(text, "<td>"+s.Kind.String()) {
			t.Errorf("no %v", s.Kind)
		}
	}
}

// Each request has a link, and each part of its path that is not short.
func TestPaths(t *testing.T) {
	p, report := read(t, gtrace.Request{Paths: 3})
	defer os.Remove(p.Request.Path)
	if len(report.Paths.Kinds) == 0 || report.Paths.Kinds[0].Group == 0 {
		t.Fatalf("no kind of requests that is compared: %+v", report.Paths.Kinds)
	}
	code, text := get(p.Paths, "/paths")
	links := rowLink.FindAllStringSubmatch(text, -1)
	for _, k := range report.Paths.Kinds {
		if want := fmt.Sprintf("<h2>%s <code>%s</code></h2>", k.What, k.Name); !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
		if want := fmt.Sprintf("The %d slowest of %d took ", k.Group, k.Requests); k.Group > 0 && !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
		for _, request := range k.Paths {
			type span struct{ start, length time.Duration }
			spans := []span{{request.Start, request.Length}}
			for _, s := range request.Segments {
				if s.Length >= request.Length/100 {
					spans = append(spans, span{s.Start, s.Length})
				}
			}
			for _, s := range spans {
				if len(links) == 0 {
					t.Fatalf("no link from %v on, of %v", s.start, s.length)
				}
				if want := milliseconds(s.start + report.FirstTime); links[0][1] != want || links[0][3] != s.length.String() {
					t.Errorf("a link %q, want %v from %s", links[0], s.length, want)
				}
				links = links[1:]
			}
		}
	}
	if code != http.StatusOK || len(links) != 0 {
		t.Errorf("status %d, %d more links", code, len(links))
	}
}

// The findings are those of the summary, in its order.
func TestFindings(t *testing.T) {
	p, report := read(t, gtrace.Request{Summary: true})
	defer os.Remove(p.Request.Path)
	code, text := get(p.Findings, "/findings")
	if code != http.StatusOK || !strings.Contains(text, html.EscapeString(report.Summary.Headline)) {
		t.Fatalf("status %d, not %q:\n%s", code, report.Summary.Headline, text)
	}
	at := 0
	for i, f := range report.Summary.Findings {
		if i == 10 || float64(f.Rank)*100 < float64(report.Summary.Time) {
			break
		}
		found := strings.Index(text[at:], "<td>"+html.EscapeString(f.Text)+"</td>")
		if found < 0 {
			t.Fatalf("not %q after what was found:\n%s", f.Text, text)
		}
		at += found
	}
	for next, want := range map[string]string{
		"-stw=10 trace.out": "/stw", "-critical-path=1 -g=1 x": "/paths", "-gctrace trace.out": "", "": "",
	} {
		if page := (finding{Finding: gtrace.Finding{Next: next}}).Details(); page != want {
			t.Errorf("%q leads to %q, want %q", next, page, want)
		}
	}
}

func TestInnermost(t *testing.T) {
	for want, functions := range map[string][]string{
		"":                  nil,
		"main.f":            {"runtime.gopark", "sync.(*Mutex).Lock", "main.f", "main.main"},
		"main.g":            {"time.Sleep", "main.g"},
		"syscall.Read":      {"syscall.Read", "internal/poll.(*FD).Read"},
		"net.(*conn).Write": {"net.(*conn).Write", "runtime.main"},
	} {
		var frames []gtrace.Frame
		for _, name := range functions {
			frames = append(frames, gtrace.Frame{Function: name})
		}
		if got := innermost(frames); got != want {
			t.Errorf("%v: %s, want %s", functions, got, want)
		}
	}
}

func TestBadQuery(t *testing.T) {
	p := record(t)
	defer os.Remove(p.Request.Path)
	pages := map[string]http.HandlerFunc{
		"/findings": p.Findings, "/slices": p.Slices, "/stw": p.Stops, "/waits": p.Waits, "/blocks": p.Blocks, "/paths": p.Paths,
	}
	for _, query := range []string{"n=0", "n=-1", "n=x", "n=10001", "n=1e3", "n=" + strings.Repeat("9", 30), "user=2", "user=" + "true"} {
		for address, page := range pages {
			if strings.HasPrefix(query, "user") && address != "/slices" {
				continue
			}
			if code, _ := get(page, address+"?"+query); code != http.StatusBadRequest {
				t.Errorf("%s?%s: status %d", address, query, code)
			}
		}
	}
	p.Request.Path += ".none"
	defer func() { p.Request.Path = strings.TrimSuffix(p.Request.Path, ".none") }()
	if code, _ := get(p.Slices, "/slices"); code != http.StatusInternalServerError {
		t.Errorf("a trace that does not exist: status %d", code)
	}
}

// Names come from the trace.
func TestEscape(t *testing.T) {
	frames := []gtrace.Frame{{Function: script, File: script}}
	event := gtrace.Event{Type: script, Strings: []string{script}, Frames: frames, Walk: []string{script}}
	v := view{Trace: &Trace{
		Timeline: func(start, end time.Duration) string { return "/trace?x=" + script },
		Group:    func(goroutine int64) string { return "/goroutine?name=" + script },
	}}
	v.Fault = script
	w := httptest.NewRecorder()
	answer(w, slicesTemplate, &slicesView{view: v, Slices: []slice{
		{gtrace.Slice{Start: event, End: event, Frame: frames[0]}, &v},
	}}, nil)
	answer(w, stopsTemplate, &stopsView{view: v, Report: new(gtrace.StopReport), Stops: []stop{
		{gtrace.Stop{Kind: script, Frames: frames, Frame: frames[0], Late: []gtrace.Late{{Frames: frames, Frame: frames[0]}}}, &v},
	}}, nil)
	report := &gtrace.WaitReport{Rows: []gtrace.WaitRow{{Event: script}}}
	answer(w, waitsTemplate, &waitsView{view: v, Report: report, Waits: []wait{
		{gtrace.Wait{Ready: event, ReadyFrame: frames[0], Reason: script, Kept: []gtrace.Kept{{Event: script, Reason: script, Frames: frames}}}, &v},
	}}, nil)
	answer(w, pathsTemplate, &pathsView{view: v, Kinds: []pathKind{{gtrace.PathKind{
		What: script, Name: script, Requests: 20, Group: 5, Slow: 5,
		Rows: []gtrace.PathRow{{State: script, Function: script, Cause: &gtrace.PathCause{Kind: script, Function: script}, Slow: 5}},
		Paths: []gtrace.Path{{Length: 1, Segments: []gtrace.Segment{{
			Length: 1, State: "blocked", Kind: script, By: script, Frames: frames,
			Cause: &gtrace.Cause{Kind: script, Frames: frames, EndedFrames: frames},
		}}}},
	}, &v}}}, nil)
	answer(w, findingsTemplate, &findingsView{view: v, Summary: &gtrace.Summary{Headline: script, Explanation: script}, Findings: []finding{
		{gtrace.Finding{Text: script, Next: script}, &v},
	}}, nil)
	text := w.Body.String()
	if strings.Contains(text, "<script") {
		t.Errorf("a name became an element:\n%s", text)
	}
	if n := strings.Count(text, escaped); n < 50 {
		t.Errorf("%d names, want 50 at least:\n%s", n, text)
	}
}

// A goroutine holds the world up only where the report says so.
func TestHeldUpBy(t *testing.T) {
	frames := []gtrace.Frame{{Function: "main.f"}}
	const none = "<td>no goroutine (scheduler, or the thread had no CPU)<br>P 1"
	for _, test := range []struct {
		late []gtrace.Late
		want string
	}{
		{nil, "<td>none: the others were idle</td>"},
		{[]gtrace.Late{{P: 1, G: 7, How: gtrace.LateRan, Own: 3000, Frames: frames, Frame: frames[0]}}, "<td><code>main.f</code><br>goroutine 7 on P 1, ran Go code, had it for 3µs</td>"},
		{[]gtrace.Late{{P: 1, G: 7, How: gtrace.LateSyscall, Own: -1, Frames: frames, Frame: frames[0]}}, "<td><code>main.f</code><br>goroutine 7 on P 1, in a system call</td>"},
		{[]gtrace.Late{{P: 1, G: 7, How: gtrace.LateScheduler, Own: 3000}}, none + ", goroutine 7 had it for 3µs</td>"},
		{[]gtrace.Late{{P: 1, G: 7, How: gtrace.LateScheduler}}, none + "</td>"},
	} {
		v := view{Trace: &Trace{
			Timeline: func(start, end time.Duration) string { return "" },
			Group:    func(goroutine int64) string { return "" },
		}}
		w := httptest.NewRecorder()
		answer(w, stopsTemplate, &stopsView{view: v, Report: new(gtrace.StopReport), Stops: []stop{
			{gtrace.Stop{G: 9, Late: test.late}, &v},
		}}, nil)
		text := w.Body.String()
		if !strings.Contains(text, test.want) {
			t.Errorf("%+v: no %s in\n%s", test.late, test.want, text)
		}
		// The goroutine has a stack where it held the world up.
		if got, want := strings.Contains(text, "Held up by:"), strings.Contains(test.want, "main.f"); got != want {
			t.Errorf("%+v: a stack of what held up the stop: %v, want %v", test.late, got, want)
		}
	}
}

// What is known of times without events is told.
func TestQuiet(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		slice gtrace.Slice
		want  string
	}{
		{gtrace.Slice{}, ""},
		{gtrace.Slice{Silent: 90 * ms, OffCPUMin: 60 * ms, OffCPULikely: 60 * ms, SilentClass: gtrace.SilentCertain}, "90ms, certainly without a CPU for 60ms"},
		{gtrace.Slice{Silent: 90 * ms, OffCPULikely: 60 * ms, SilentClass: gtrace.SilentAsleep}, "90ms, off the CPU for 60ms"},
		{gtrace.Slice{Silent: 90 * ms, OffCPULikely: 70 * ms, SilentClass: gtrace.SilentLikely}, "90ms, most likely without a CPU for 70ms"},
		{gtrace.Slice{Silent: 200 * ms, OffCPUMin: 60 * ms, OffCPULikely: 130 * ms, SilentClass: gtrace.SilentUndecided}, "200ms, certainly without a CPU for 60ms, most likely without a CPU for 70ms: computed or without a CPU, undecided"},
	} {
		if got := (slice{test.slice, nil}).Quiet(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.slice, got, test.want)
		}
	}
}

// Slices of the runtime are those of which the library says so.
func TestOfProgram(t *testing.T) {
	for work, want := range map[gtrace.Work]bool{
		gtrace.WorkProgram: true, gtrace.WorkSyscall: true, gtrace.WorkRuntime: false, 5: false, 6: false,
	} {
		if got := (slice{gtrace.Slice{Work: work}, nil}).ofProgram(); got != want {
			t.Errorf("Work %d: %v, want %v", work, got, want)
		}
	}
}
