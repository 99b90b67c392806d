// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

// Package pages serves the pages of cmd/trace about processors: the longest
// slices, and the stop-the-world pauses.
package pages

import (
	"cmd/trace/internal/gtrace"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// Available is whether there are pages: a tool that was built without the
// gtrace library has none.
const Available = gtrace.Available

// A Trace is the trace that the pages are about.
type Trace struct {
	Request gtrace.Request // which trace to read
	Style   template.CSS   // the style of all pages of the tool

	// Start is the time at which the timeline starts, by the clock of the
	// trace. Not all releases take the same event for the first one.
	Start time.Duration

	// Timeline returns the address of the timeline, or of the part of it,
	// that shows the time from start to end, since Start.
	Timeline func(start, end time.Duration) string

	// Group returns the address of the page about the group of a goroutine,
	// or "" if the tool does not know the goroutine.
	Group func(goroutine int64) string
}

// maxRows bounds the size of a page.
const maxRows = 10000

// A view is what the two templates have in common.
type view struct {
	Trace *Trace
	N     int
	Fault string // why a part of the trace is missing, or ""

	// shift is added to times of a report to make them those of the timeline.
	shift time.Duration
}

// read returns a report with some of the longest slices and stops.
func (v *view) read(slices, stops int) (*gtrace.Report, error) {
	r := v.Trace.Request
	r.Greedy, r.Stops, r.Partial = slices, stops, true
	report, err := gtrace.Read(r)
	if e, ok := err.(*gtrace.PartialError); ok {
		v.Fault, err = e.Error(), nil
	}
	if err == nil {
		v.shift = report.FirstTime - v.Trace.Start
	}
	return report, err
}

// Ns returns the numbers of rows that a page offers.
func (v *view) Ns() []int { return []int{10, 50, 200} }

// A goroutine is shown as a link to its group, if it has one.
type goroutine struct {
	ID    int64
	Group string
}

func (v *view) goroutine(id int64) goroutine { return goroutine{id, v.Trace.Group(id)} }

// query returns the value of a parameter that is a number from min to max.
func query(r *http.Request, name string, missing, min, max int) (int, error) {
	s := r.FormValue(name)
	if s == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < min || n > max {
		return 0, fmt.Errorf("%s is %q, want a number from %d to %d", name, s, min, max)
	}
	return n, nil
}

func execute(w http.ResponseWriter, t *template.Template, data interface{}) {
	w.Header().Set("Content-Type", "text/html;charset=utf-8")
	if err := t.Execute(w, data); err != nil {
		log.Printf("failed to execute template: %v", err)
	}
}

// A slicesView is what the template for slices gets.
type slicesView struct {
	view
	User   int // 1 if only slices of the program are shown
	Slices []slice
}

// A slice is a row.
type slice struct {
	gtrace.Slice
	view *view
}

// Slices serves the longest slices.
func (t *Trace) Slices(w http.ResponseWriter, r *http.Request) {
	n, err := query(r, "n", 10, 1, maxRows)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	user, err := query(r, "user", 0, 0, 1)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v := &slicesView{view: view{Trace: t, N: n}, User: user}
	if err := v.find(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	execute(w, slicesTemplate, v)
}

// find fills v.Slices. If some slices are not shown, it reads more and more of
// the longest ones, until enough of these are shown.
func (v *slicesView) find() error {
	for n := v.N; ; n *= 8 {
		report, err := v.read(n, 0)
		if err != nil {
			return err
		}
		v.Slices = nil
		for _, s := range report.Slices {
			row := slice{s, &v.view}
			if len(v.Slices) < v.N && (v.User == 0 || !inRuntime(row.frame())) {
				v.Slices = append(v.Slices, row)
			}
		}
		if len(v.Slices) == v.N || len(report.Slices) < n {
			return nil
		}
	}
}

// frame returns the frame that names a slice.
func (s slice) frame() gtrace.Frame {
	if len(s.End.Frames) != 0 {
		return named(s.End.Frames)
	}
	return named(s.Start.Frames)
}

func (s slice) Function() string { return s.frame().Function }

func (s slice) Timeline() string {
	return s.view.link(s.Start.Time, s.Start.Time+s.Duration)
}

func (s slice) Goroutine() goroutine { return s.view.goroutine(s.G) }

// Began returns the time at which the slice began, in the timeline.
func (s slice) Began() time.Duration { return s.Start.Time + s.view.shift }

// EndedBy returns the event that ended the slice, and its reason.
func (s slice) EndedBy() string {
	switch {
	case s.StillRunning:
		return "end of the trace"
	case len(s.End.Strings) != 0 && s.End.Strings[0] != "":
		return s.End.Type + ": " + s.End.Strings[0]
	}
	return s.End.Type
}

// walk returns the events from the one that the stack of e is of to e.
func walk(e gtrace.Event) string {
	return strings.Join(append(e.Walk[:len(e.Walk):len(e.Walk)], e.Type), ", ")
}

// A stopsView is what the template for stops gets.
type stopsView struct {
	view
	Report *gtrace.StopReport
	Stops  []stop
}

// A stop is a row.
type stop struct {
	gtrace.Stop
	view *view
}

// Stops serves the stop-the-world pauses.
func (t *Trace) Stops(w http.ResponseWriter, r *http.Request) {
	n, err := query(r, "n", 10, 1, maxRows)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v := &stopsView{view: view{Trace: t, N: n}}
	report, err := v.read(0, n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	v.Report = report.Stops
	for _, s := range append(v.Report.MeasuredStops, v.Report.InferredStops...) {
		v.Stops = append(v.Stops, stop{s, &v.view})
	}
	execute(w, stopsTemplate, v)
}

func (s stop) ToStop() string {
	if s.Inferred {
		return fmt.Sprintf("%v to %v", s.StoppingMin, s.StoppingMax)
	}
	return s.Stopping.String()
}

// Stood is empty if the trace does not say when the world was started.
func (s stop) Stood() string {
	if s.Stopped < 0 {
		return ""
	}
	return s.Stopped.String()
}

// Timeline links to the time from the request until the world runs again.
func (s stop) Timeline() string {
	start := known(s.Requested, s.RequestedMin, s.Time)
	end := known(s.Restarted, s.Restarting, s.Ended, s.Time)
	return s.view.link(start, end)
}

// Holder is the processor that was given up last, or nil.
func (s stop) Holder() *gtrace.Late {
	if len(s.Late) == 0 {
		return nil
	}
	return &s.Late[0]
}

// Did says what the goroutine that held the world up did.
func (s stop) Did() string {
	if s.Holder().How == gtrace.LateSyscall {
		return "in a system call"
	}
	return "ran Go code"
}

// ByGoroutine is whether a goroutine held the world up.
func (s stop) ByGoroutine() bool {
	return s.Holder() != nil && s.Holder().How != gtrace.LateScheduler
}

// Own is for how long after the request a goroutine had the holder. It is empty
// if none had it, or the trace does not say so.
func (s stop) Own() string {
	if s.Holder().Own <= 0 {
		return ""
	}
	return s.Holder().Own.String()
}

// Share says how many of the processors were late.
func (s stop) Share() string {
	if s.Procs == 0 {
		return strconv.Itoa(len(s.Late))
	}
	return fmt.Sprintf("%d of %d", len(s.Late), s.Procs)
}

// Requester is the goroutine that requested the stop.
func (s stop) Requester() goroutine { return s.view.goroutine(s.G) }

// Holding is the goroutine that had the holder last.
func (s stop) Holding() goroutine { return s.view.goroutine(s.Holder().G) }

// known returns the first time that is known, and 0 if none is.
func known(times ...time.Duration) time.Duration {
	for _, t := range times {
		if t >= 0 {
			return t
		}
	}
	return 0
}

// link returns the address of the timeline with the time from start to end
// marked. The timeline marks nothing if it has no length.
func (v *view) link(start, end time.Duration) string {
	start += v.shift
	end += v.shift
	if end <= start {
		end = start + 1
	}
	return v.Trace.Timeline(start, end) + "#" + milliseconds(start) + ":" + milliseconds(end)
}

// milliseconds returns d in the unit of the timeline.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
}

// named returns the frame that names a stack: the innermost one outside of the
// runtime, or the outermost one.
func named(frames []gtrace.Frame) gtrace.Frame {
	for _, f := range frames {
		if !inRuntime(f) {
			return f
		}
	}
	if len(frames) == 0 {
		return gtrace.Frame{}
	}
	return frames[len(frames)-1]
}

// function returns the function that names a stack.
func function(frames []gtrace.Frame) string { return named(frames).Function }

// inRuntime reports whether f belongs to the runtime, as do functions of its
// packages that others know by another name, such as time.Sleep. So does a
// frame of which nothing is known.
func inRuntime(f gtrace.Frame) bool {
	for _, prefix := range []string{"runtime.", "runtime/", "internal/runtime/"} {
		if strings.HasPrefix(f.Function, prefix) {
			return true
		}
	}
	dir := path.Dir(f.File)
	return f.Function == "" || dir == "runtime" || strings.HasSuffix(dir, "/src/runtime")
}

const style = `
th {
  background-color: #050505;
  color: #fff;
}
table {
  border-collapse: collapse;
}
td,
th {
  padding-left: 8px;
  padding-right: 8px;
  padding-top: 4px;
  padding-bottom: 4px;
}
.details tr:hover {
  background-color: #f2f2f2;
}
.details td {
  border: 1px solid black;
  vertical-align: top;
}
.details td.number {
  text-align: right;
  white-space: nowrap;
}
`

// common has the parts of both pages.
var common = template.Must(template.New("").Funcs(template.FuncMap{
	"function": function,
	"walk":     walk,
}).Parse(`
{{define "fault"}}{{with .Fault}}
<p>
  This page covers only a part of the trace: {{.}}.
</p>
{{end}}{{end}}
{{define "goroutine"}}{{if .Group}}<a href="{{.Group}}">{{.ID}}</a>{{else}}{{.ID}}{{end}}{{end}}
{{define "name"}}{{if .}}<code>{{.}}</code>{{else}}(no stack){{end}}{{end}}
{{define "stack"}}<pre>{{range .}}{{.Function}}
	{{.File}}:{{.Line}}
{{else}}(no stack)
{{end}}</pre>{{end}}
`))

// page returns the template of a page in the style of the others.
func page(title, text string) *template.Template {
	return template.Must(template.Must(common.Clone()).Parse(`<!DOCTYPE html>
<title>` + title + `</title>
<style>{{.Trace.Style}}` + style + `</style>
<h1>` + title + `</h1>
` + text))
}

var slicesTemplate = page("Longest slices", `
<p>
  A slice is a stretch of time over which one goroutine keeps one processor.
  Below are the {{len .Slices}} longest
  {{- if .User}} whose stack has a function outside of the runtime{{end}}.
</p>
<p>
  Click a length to see the slice marked in the timeline, which does not zoom
  to it, or a goroutine to see its group.
</p>
{{template "fault" .}}
<p>
  Show:
{{range .Ns}}
  {{if eq . $.N}}<b>{{.}}</b>{{else}}<a href="/slices?n={{.}}&amp;user={{$.User}}">{{.}}</a>{{end}}
{{end}}
  &middot;
  {{if .User}}<a href="/slices?n={{.N}}">all</a>, <b>program only</b>{{else}}<b>all</b>, <a href="/slices?n={{.N}}&amp;user=1">program only</a>{{end}}
</p>
<table class="details">
<tr>
<th>Length</th>
<th>Goroutine</th>
<th>Function</th>
<th>P</th>
<th>Began at</th>
<th>Ended by</th>
<th>Stacks</th>
</tr>
{{range .Slices}}
<tr>
<td class="number"><a href="{{.Timeline}}">{{.Duration}}</a></td>
<td class="number">{{template "goroutine" .Goroutine}}</td>
<td>{{template "name" .Function}}</td>
<td class="number">{{.P}}</td>
<td class="number">{{.Began}}</td>
<td>{{.EndedBy}}</td>
<td><details><summary>show</summary>
Began ({{walk .Start}}):
{{template "stack" .Start.Frames}}
{{if not .StillRunning}}
Ended ({{walk .End}}), just after what kept the processor:
{{template "stack" .End.Frames}}
{{end}}
</details></td>
</tr>
{{end}}
</table>
`)

var stopsTemplate = page("Stop-the-world pauses", `
<p>
  Stop-the-world (STW) pauses in this trace: {{.Report.Measured}} measured
  {{- with .Report.Inferred}}, {{.}} of which the trace tells only bounds{{end}}
  {{- with .Report.Unmeasured}}, {{.}} cut off by the start or the end of the trace{{end}}.
  "To stop" is the time from the request until the last processor was given up,
  "Stood" the time from then until the restart.
</p>
{{template "fault" .}}
{{if .Stops}}
<p>
  Below are those that took longest to stop. Click a time to see the stop marked
  in the timeline, which does not zoom to it, or a goroutine to see its group.
</p>
<p>
  Show:
{{range .Ns}}
  {{if eq . $.N}}<b>{{.}}</b>{{else}}<a href="/stw?n={{.}}">{{.}}</a>{{end}}
{{end}}
</p>
<table class="details">
<tr>
<th>To stop</th>
<th>Stood</th>
<th>Kind</th>
<th>Held up by</th>
<th>Requested by</th>
<th>Late</th>
<th>Stacks</th>
</tr>
{{range .Stops}}
<tr>
<td class="number"><a href="{{.Timeline}}">{{.ToStop}}</a></td>
<td class="number">{{.Stood}}</td>
<td>{{.Kind}}{{if .Inferred}}, bounds only{{end}}</td>
<td>
{{- if not .Holder}}none: the others were idle
{{- else if .ByGoroutine}}{{template "name" (function .Holder.Frames)}}<br>goroutine {{template "goroutine" .Holding}} on P {{.Holder.P}}, {{.Did}}{{if .Own}}, had it for {{.Own}}{{end}}
{{- else}}no goroutine (scheduler, or the thread had no CPU)<br>P {{.Holder.P}}{{if .Own}}, goroutine {{template "goroutine" .Holding}} had it for {{.Own}}{{end}}{{end}}</td>
<td>{{template "name" (function .Frames)}}<br>goroutine {{template "goroutine" .Requester}}</td>
<td class="number">{{.Share}}</td>
<td><details><summary>show</summary>
{{if .ByGoroutine}}
Held up by:
{{template "stack" .Holder.Frames}}
{{end}}
Requested by:
{{template "stack" .Frames}}
</details></td>
</tr>
{{end}}
</table>
{{end}}
`)
