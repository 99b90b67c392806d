// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"cmd/trace/internal/gtrace"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// A stopsView is what the template for pauses gets.
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
	v := &stopsView{view: view{Trace: t}}
	answer(w, stopsTemplate, v, v.find(r))
}

func (v *stopsView) find(r *http.Request) error {
	if err := v.setN(r); err != nil {
		return err
	}
	report, err := v.read(gtrace.Request{Stops: v.N})
	if err != nil {
		return err
	}
	v.Report = report.Stops
	for _, s := range append(v.Report.MeasuredStops, v.Report.InferredStops...) {
		v.Stops = append(v.Stops, stop{s, &v.view})
	}
	return nil
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

// Requester is the goroutine that requested the pause.
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

var stopsTemplate = page("Stop-the-world pauses", `
<p>
  Stop-the-world pauses in this trace: {{.Report.Measured}} measured
  {{- with .Report.Inferred}}, {{.}} of which the trace tells only bounds{{end}}
  {{- with .Report.Unmeasured}}, {{.}} cut off by the start or the end of the trace{{end}}.
  "To stop" is the time from the request until the last processor was given up,
  "Stood" the time from then until the restart.
</p>
{{template "fault" .}}
{{if .Stops}}
<p>
  Below are those that took longest to stop. Click a time to see the pause marked
  in the timeline, which does not zoom to it, or a goroutine to see its group.
</p>
{{template "rows" .}}
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
{{- else if .ByGoroutine}}{{template "name" .Holder.Frame.Function}}<br>goroutine {{template "goroutine" .Holding}} on P {{.Holder.P}}, {{.Did}}{{if .Own}}, had it for {{.Own}}{{end}}
{{- else}}no goroutine (scheduler, or the thread had no CPU)<br>P {{.Holder.P}}{{if .Own}}, goroutine {{template "goroutine" .Holding}} had it for {{.Own}}{{end}}{{end}}</td>
<td>{{template "name" .Frame.Function}}<br>goroutine {{template "goroutine" .Requester}}</td>
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
