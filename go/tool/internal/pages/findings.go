// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"cmd/trace/internal/gtrace"
	"net/http"
	"strings"
)

// A findingsView is what the template for findings gets.
type findingsView struct {
	view
	Summary  *gtrace.Summary
	Findings []finding
}

// A finding is a row.
type finding struct {
	gtrace.Finding
	view *view
}

// Findings serves what held goroutines up, in the order of the summary.
func (t *Trace) Findings(w http.ResponseWriter, r *http.Request) {
	v := &findingsView{view: view{Trace: t}}
	answer(w, findingsTemplate, v, v.find(r))
}

func (v *findingsView) find(r *http.Request) error {
	if err := v.setN(r); err != nil {
		return err
	}
	report, err := v.read(gtrace.Request{Summary: true})
	if err != nil {
		return err
	}
	v.Summary = report.Summary
	for _, f := range v.Summary.Findings {
		// The summary does not tell of those that cost less than 1%.
		if len(v.Findings) < v.N && float64(f.Rank)*100 >= float64(v.Summary.Time) {
			v.Findings = append(v.Findings, finding{f, &v.view})
		}
	}
	return nil
}

// Percent returns the part of the total time, rounded.
func (f finding) Percent() int { return (f.Permille + 5) / 10 }

// Timeline returns the address of the longest time that the finding counts, or
// "" if it is not known.
func (f finding) Timeline() string {
	if f.Start < 0 {
		return ""
	}
	return f.view.link(f.Start, f.Start+f.Worst)
}

func (f finding) Goroutine() goroutine { return f.view.goroutine(f.G) }

// details has the page with the details of a finding, by the flag that prints them.
var details = map[string]string{
	"-block":         "/blocks",
	"-critical-path": "/paths",
	"-delay":         "/slices",
	"-diagreedy":     "/slices",
	"-stw":           "/stw",
	"-wait":          "/waits",
}

// Details returns the page with the details, or "" if a flag prints them.
func (f finding) Details() string {
	flag := strings.SplitN(f.Next, " ", 2)[0]
	return details[strings.SplitN(flag, "=", 2)[0]]
}

var findingsTemplate = page("What held goroutines up", `
<p>
  <b>{{.Summary.Headline}}</b>. {{with .Summary.Explanation}}{{.}}.{{end}}
</p>
{{template "fault" .}}
{{if .Findings}}
<p>
  Below are the findings, in the order of the summary, in which those that name no
  cause in the program count less. The cost is for how long goroutines could not
  go on. The total time is that of all processors and all the time for which
  goroutines waited or were blocked. Shares can overlap. Click a time to see the
  longest part marked in the timeline, which does not zoom to it, or a goroutine
  to see its group.
</p>
{{template "rows" .}}
<table class="details">
<tr>
<th>Cost</th>
<th>Share of the total time</th>
<th>Finding</th>
<th>The longest</th>
<th>Goroutine</th>
<th>Details</th>
</tr>
{{range .Findings}}
<tr>
<td class="number">{{.Harm}}</td>
<td class="number">{{.Percent}}%</td>
<td>{{.Text}}</td>
<td class="number">{{if .Timeline}}<a href="{{.Timeline}}">{{.Worst}}</a>{{end}}</td>
<td class="number">{{if ge .G 0}}{{template "goroutine" .Goroutine}}{{end}}</td>
<td>{{if .Details}}<a href="{{.Details}}">{{.Details}}</a>{{else}}<code>go tool trace {{.Next}}</code>{{end}}</td>
</tr>
{{end}}
</table>
{{end}}
`)
