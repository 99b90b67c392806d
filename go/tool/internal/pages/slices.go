// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"cmd/trace/internal/gtrace"
	"net/http"
	"strings"
	"time"
)

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
	v := &slicesView{view: view{Trace: t}}
	answer(w, slicesTemplate, v, v.find(r))
}

// find fills v. If some slices are not shown, it reads more and more of the
// longest ones, until enough of these are shown.
func (v *slicesView) find(r *http.Request) error {
	err := v.setN(r)
	if err == nil {
		v.User, err = query(r, "user", 0, 0, 1)
	}
	if err != nil {
		return err
	}
	for n := v.N; ; n *= 8 {
		report, err := v.read(gtrace.Request{Greedy: n, Delays: 1}) // for Delay
		if err != nil {
			return err
		}
		v.Slices = nil
		for _, s := range report.Slices {
			row := slice{s, &v.view}
			if len(v.Slices) < v.N && (v.User == 0 || row.ofProgram()) {
				v.Slices = append(v.Slices, row)
			}
		}
		if len(v.Slices) == v.N || len(report.Slices) < n {
			return nil
		}
	}
}

func (s slice) Function() string { return s.Frame.Function }

// ofProgram is whether the library names the slice after code outside of the
// runtime.
func (s slice) ofProgram() bool {
	return s.Work == gtrace.WorkProgram || s.Work == gtrace.WorkSyscall
}

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
	case len(s.End.Strings) != 0:
		return because(s.End.Type, s.End.Strings[0])
	}
	return s.End.Type
}

// because returns an event with its reason, if it has one.
func because(event, reason string) string {
	if reason == "" {
		return event
	}
	return event + ": " + reason
}

// Quiet says for how long no thread wrote an event in the slice, and what is known
// of that time.
func (s slice) Quiet() string {
	if s.Silent == 0 {
		return ""
	}
	text := s.Silent.String()
	if s.OffCPUMin != 0 {
		text += ", certainly without a CPU for " + s.OffCPUMin.String()
	}
	switch likely := s.OffCPULikely - s.OffCPUMin; {
	case likely == 0:
	case s.SilentClass == gtrace.SilentAsleep:
		text += ", off the CPU for " + likely.String()
	default:
		text += ", most likely without a CPU for " + likely.String()
	}
	if s.SilentClass == gtrace.SilentUndecided {
		text += ": computed or without a CPU, undecided"
	}
	return text
}

// walk returns the events from the one that the stack of e is of to e.
func walk(e gtrace.Event) string {
	return strings.Join(append(e.Walk[:len(e.Walk):len(e.Walk)], e.Type), ", ")
}

var slicesTemplate = page("Longest slices", `
<p>
  A slice is a stretch of time over which one goroutine keeps one processor.
  Below are the {{len .Slices}} longest
  {{- if .User}} whose stack has a function outside of the runtime{{end}}.
</p>
<p>
  Click a length to see the slice marked in the timeline, which does not zoom
  to it, or a goroutine to see its group. "Delayed others" is for how long other
  goroutines waited for a processor because of the slice. "No event" is for how
  long no thread wrote one in the slice, which then computed where nothing can
  preempt it, or had no CPU.
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
<th>No event</th>
<th>Delayed others</th>
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
<td>{{.Quiet}}</td>
<td class="number">{{.Delay}}</td>
<td><details><summary>show</summary>
Began ({{walk .Start}}):
{{template "stack" .Start.Frames}}
{{if .Last}}
{{if .StillRunning}}Still running;{{else}}Ended ({{.End.Type}});{{end}} its last event before that:
{{template "stack" .Last}}
{{else if not .StillRunning}}
Ended ({{walk .End}}), just after what kept the processor:
{{if not .End.Walk}}{{template "stack" .End.Frames}}{{end}}
{{end}}
</details></td>
</tr>
{{end}}
</table>
`)
