// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package pages

import (
	"cmd/trace/internal/gtrace"
	"net/http"
)

// A blocksView is what the template for blocks gets.
type blocksView struct {
	view
	Report *gtrace.BlockReport
	Places []place
}

// A place is a row.
type place struct {
	gtrace.BlockPlace
	view *view
}

// Blocks serves the places where goroutines were blocked longest.
func (t *Trace) Blocks(w http.ResponseWriter, r *http.Request) {
	v := &blocksView{view: view{Trace: t}}
	answer(w, blocksTemplate, v, v.find(r))
}

func (v *blocksView) find(r *http.Request) error {
	if err := v.setN(r); err != nil {
		return err
	}
	report, err := v.read(gtrace.Request{Blocks: v.N})
	if err != nil {
		return err
	}
	v.Report = report.Blocks
	for _, p := range v.Report.Places {
		v.Places = append(v.Places, place{p, &v.view})
	}
	return nil
}

// Timeline returns the address of the longest block.
func (p place) Timeline() string { return p.view.link(p.MaxStart, p.MaxStart+p.Max) }

func (p place) Goroutine() goroutine { return p.view.goroutine(p.MaxG) }

var blocksTemplate = page("Blocked goroutines", `
<p>
  A goroutine is blocked from the event that takes it off its processor to wait
  until the one that makes it ready, and in a system call. Places where
  goroutines mostly rest, without work, are counted at the end of the first table.
</p>
{{template "fault" .}}
{{if .Report.Sums}}
<table class="details">
<tr>
<th>Blocked in</th>
<th>Number</th>
<th>Sum</th>
<th>Longest</th>
</tr>
{{range .Report.Sums}}
<tr>
<td>{{.Kind}}{{if .Rest}}, at rest{{end}}</td>
<td class="number">{{.Count}}</td>
<td class="number">{{.Sum}}</td>
<td class="number">{{.Max}}</td>
</tr>
{{end}}
</table>
{{end}}
{{if .Places}}
<p>
  Below are the {{len .Places}} places with the longest sums. Click a time to see
  the longest block marked in the timeline, which does not zoom to it, or a
  goroutine to see its group.
</p>
{{template "rows" .}}
<table class="details">
<tr>
<th>Sum</th>
<th>Number</th>
<th>Blocked in</th>
<th>Where</th>
<th>Longest</th>
<th>Goroutine</th>
<th>Ended by</th>
<th>Stacks</th>
</tr>
{{range .Places}}
<tr>
<td class="number">{{.Sum}}</td>
<td class="number">{{.Count}}</td>
<td>{{.Kind}}</td>
<td>{{template "name" .Frame.Function}}</td>
<td class="number"><a href="{{.Timeline}}">{{.Max}}</a></td>
<td class="number">{{template "goroutine" .Goroutine}}</td>
<td>
{{- range .Enders}}{{if eq .By "goroutine"}}{{template "name" .Frame.Function}}{{else}}{{.By}}{{end}}: {{.Sum}}<br>{{end}}
{{- if .EndedMore}}and others: {{.EndedMoreSum}}{{end}}</td>
<td><details><summary>show</summary>
Blocked:
{{template "stack" .Frames}}
{{range .Enders}}
Ended by {{.By}}, {{.Count}} times:
{{template "stack" .Frames}}
{{end}}
</details></td>
</tr>
{{end}}
</table>
{{end}}
`)
