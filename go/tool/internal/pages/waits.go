// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"cmd/trace/internal/gtrace"
	"net/http"
)

// A waitsView is what the template for waits gets.
type waitsView struct {
	view
	Report *gtrace.WaitReport
	Waits  []wait
}

// A wait is a row.
type wait struct {
	gtrace.Wait
	view *view
}

// Waits serves the longest waits for a processor.
func (t *Trace) Waits(w http.ResponseWriter, r *http.Request) {
	v := &waitsView{view: view{Trace: t}}
	answer(w, waitsTemplate, v, v.find(r))
}

func (v *waitsView) find(r *http.Request) error {
	if err := v.setN(r); err != nil {
		return err
	}
	report, err := v.read(gtrace.Request{Waits: v.N})
	if err != nil {
		return err
	}
	v.Report = report.Waits
	for _, w := range v.Report.Waits {
		v.Waits = append(v.Waits, wait{w, &v.view})
	}
	return nil
}

func (w wait) Timeline() string { return w.view.link(w.Start, w.Start+w.Length) }

func (w wait) Goroutine() goroutine { return w.view.goroutine(w.G) }

// ReadyBy returns the event that made the goroutine ready, and its reason.
func (w wait) ReadyBy() string { return because(w.Ready.Type, w.Reason) }

// A kept is a slice that a wait was behind.
type kept struct {
	gtrace.Kept
	view *view
}

// Behind returns the slices that kept the processors, the longest overlap first.
func (w wait) Behind() []kept {
	var all []kept
	for _, k := range w.Kept {
		all = append(all, kept{k, w.view})
	}
	return all
}

func (k kept) Goroutine() goroutine { return k.view.goroutine(k.G) }

// EndedBy returns the event that ended the slice, and its reason.
func (k kept) EndedBy() string {
	if k.Event == "" {
		return "end of the trace"
	}
	return because(k.Event, k.Reason)
}

var waitsTemplate = page("Waits for a processor", `
<p>
  A goroutine waits for a processor from the event that makes it ready until it
  runs. Of the waits in this trace {{.Report.Whole}} are whole
  {{- with .Report.Before}}, {{.}} began before it{{end}}
  {{- with .Report.Unfinished}}, {{.}} were not over at its end{{end}}.
  A wait is "busy" while all processors are held, "stopped" while the world is,
  and else "idle".
</p>
{{template "fault" .}}
{{if .Report.Rows}}
<table class="details">
<tr>
<th>Whole waits after</th>
<th>Number</th>
<th>Sum</th>
<th>Median</th>
<th>99%</th>
<th>Longest</th>
</tr>
{{range .Report.Rows}}
<tr>
<td>{{.Event}}</td>
<td class="number">{{.Count}}</td>
<td class="number">{{.Sum}}</td>
<td class="number">{{.Median}}</td>
<td class="number">{{.P99}}</td>
<td class="number">{{.Max}}</td>
</tr>
{{end}}
</table>
{{end}}
{{if .Waits}}
<p>
  Below are the {{len .Waits}} longest. Click a time to see the wait marked in
  the timeline, which does not zoom to it, or a goroutine to see its group.
</p>
{{template "rows" .}}
<table class="details">
<tr>
<th>Waited</th>
<th>Goroutine</th>
<th>Made ready by</th>
<th>Busy</th>
<th>Idle</th>
<th>Stopped</th>
<th>Behind</th>
<th>Stacks</th>
</tr>
{{range .Waits}}
<tr>
<td class="number"><a href="{{.Timeline}}">{{.Length}}</a></td>
<td class="number">{{template "goroutine" .Goroutine}}</td>
<td>{{template "name" .ReadyFrame.Function}}<br>{{.ReadyBy}}
{{- if .Before}}, before the trace{{end}}
{{- if not .Over}}, did not run{{end}}</td>
<td class="number">{{.Busy}}</td>
<td class="number">{{.Idle}}</td>
<td class="number">{{.Stopped}}</td>
<td>
{{- range .Behind}}{{template "name" .Frame.Function}}<br>goroutine {{template "goroutine" .Goroutine}} on P {{.P}} for {{.Overlap}}<br>{{end}}
{{- if .KeptMore}}and {{.KeptMore}} more slices for {{.KeptMoreOverlap}}{{end}}</td>
<td><details><summary>show</summary>
Made ready ({{walk .Ready}}):
{{template "stack" .Ready.Frames}}
{{range .Behind}}
Behind goroutine {{.G}}, which ran for {{.Length}} until {{.EndedBy}}:
{{if .Last}}{{template "stack" .Last}}{{else if not .Walk}}{{template "stack" .Frames}}{{end}}
{{end}}
</details></td>
</tr>
{{end}}
</table>
{{end}}
`)
