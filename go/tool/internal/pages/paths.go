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

// A pathsView is what the template for critical paths gets.
type pathsView struct {
	view
	LeftOut bool
	Kinds   []pathKind
}

// A pathKind has the requests of one kind.
type pathKind struct {
	gtrace.PathKind
	view *view
}

// maxPaths bounds the size of the page: of so many kinds so many requests.
const maxPaths = 100

// Paths serves what the longest requests waited for.
func (t *Trace) Paths(w http.ResponseWriter, r *http.Request) {
	v := &pathsView{view: view{Trace: t}}
	answer(w, pathsTemplate, v, v.find(r))
}

func (v *pathsView) find(r *http.Request) (err error) {
	if v.N, err = query(r, "n", 3, 1, maxPaths); err != nil {
		return err
	}
	report, err := v.read(gtrace.Request{Paths: v.N})
	if err != nil {
		return err
	}
	v.LeftOut = report.Paths.LeftOut
	for _, k := range report.Paths.Kinds {
		v.Kinds = append(v.Kinds, pathKind{k, &v.view})
	}
	return nil
}

// Ns returns the numbers that the page offers.
func (v *pathsView) Ns() []int { return []int{1, 3, 10} }

// mean returns the part of a sum that each request of a group has.
func (k pathKind) mean(sum time.Duration) time.Duration { return sum / time.Duration(k.Group) }

func (k pathKind) MeanSlow() time.Duration { return k.mean(k.Slow) }

func (k pathKind) MeanTypical() time.Duration { return k.mean(k.Typical) }

// A pathRow is a row of the comparison of slow with typical requests.
type pathRow struct {
	gtrace.PathRow
	Slow, Typical time.Duration // of a request, on average
}

// Compared returns the rows that make 1% of the difference or more.
func (k pathKind) Compared() []pathRow {
	var rows []pathRow
	for _, r := range k.Rows {
		more := r.Slow - r.Typical
		if more < 0 {
			more = -more
		}
		if len(rows) < 20 && more > (k.Slow-k.Typical)/100 {
			rows = append(rows, pathRow{r, k.mean(r.Slow), k.mean(r.Typical)})
		}
	}
	return rows
}

// A path is one request.
type path struct {
	gtrace.Path
	view *view
}

func (k pathKind) Requests() []path {
	var all []path
	for _, p := range k.Paths {
		all = append(all, path{p, k.view})
	}
	return all
}

func (p path) Timeline() string { return p.view.link(p.Start, p.Start+p.Length) }

func (p path) Goroutine() goroutine { return p.view.goroutine(p.G) }

// A segment is a row of a path: a segment, or short ones one after the other.
type segment struct {
	gtrace.Segment
	Since time.Duration // the request began
	Short int           // how many it stands for; 0: itself
	view  *view
}

// Parts returns the segments, those of less than 1% of the request in one.
func (p path) Parts() []segment {
	var parts []segment
	for _, s := range p.Segments {
		last := len(parts) - 1
		short := s.Length < p.Length/100
		if short && last >= 0 && parts[last].Short > 0 {
			parts[last].Short++
			parts[last].Length += s.Length
			continue
		}
		part := segment{s, s.Start - p.Start, 0, p.view}
		if short {
			part.Short = 1
		}
		parts = append(parts, part)
	}
	return parts
}

func (s segment) Timeline() string { return s.view.link(s.Start, s.Start+s.Length) }

func (s segment) Goroutine() goroutine { return s.view.goroutine(s.G) }

// Did returns what the goroutine did.
func (s segment) Did() string {
	switch {
	case s.Kind == "":
		return s.State
	case s.By == "not over":
		return s.Kind + ", not over"
	case s.By == s.Kind:
		return s.Kind
	}
	return s.Kind + ", ended by " + s.By
}

// Held returns the goroutine that this one held up.
func (s segment) Held() goroutine { return s.view.goroutine(s.Cause.G) }

func (s segment) Where() string { return innermost(s.Frames) }

func (s segment) HeldAt() string { return innermost(s.Cause.Frames) }

// waits reports whether a function waits or calls the system for others.
func waits(function string) bool {
	for _, prefix := range []string{"runtime.", "sync.", "syscall.", "internal/", "time.Sleep"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

// innermost returns the innermost function that does not wait for others.
func innermost(frames []gtrace.Frame) string {
	for _, f := range frames {
		if !waits(f.Function) {
			return f.Function
		}
	}
	if len(frames) > 0 {
		return frames[0].Function
	}
	return ""
}

var pathsTemplate = page("What slow requests waited for", `
<p>
  The path of a request says what happened from its begin to its end, one thing
  after the other. While its goroutine is blocked, this is what the goroutine did
  that ended the block; while that one is blocked itself, what the next one did,
  and so on. Requests are what goroutines do between two waits at the place that
  their loop comes back to, and tasks and regions of package runtime/trace.
</p>
{{template "fault" .}}
{{if .LeftOut}}
<p>Too many long requests overlap to compare them.</p>
{{end}}
{{if .Kinds}}
<p>
  Below are the kinds of requests that took longest in sum, and the longest
  requests of each. Click a time to see it marked in the timeline, which does not
  zoom to it, or a goroutine to see its group.
</p>
{{template "rows" .}}
{{else}}
<p>No request begins in this trace.</p>
{{end}}
{{range .Kinds}}
<h2>{{.What}} {{template "name" .Name}}</h2>
{{with .Unfinished}}<p>{{.}} are not over when the trace ends.</p>{{end}}
{{if .Group}}
<p>
  The {{.Group}} slowest of {{.PathKind.Requests}} took {{.MeanSlow}} on average,
  typical ones {{.MeanTypical}}.
</p>
<table class="details">
<tr>
<th>Slow</th>
<th>In so many</th>
<th>Typical</th>
<th>In so many</th>
<th>On average spent</th>
</tr>
{{$group := .Group}}
{{range .Compared}}
<tr>
<td class="number">{{.Slow}}</td>
<td class="number">{{.SlowIn}} of {{$group}}</td>
<td class="number">{{.Typical}}</td>
<td class="number">{{.TypicalIn}} of {{$group}}</td>
<td>{{.State}}
{{- if .Function}} in {{template "name" .Function}}{{end}}
{{- with .Cause}}, behind {{.Kind}}{{if .Function}} in {{template "name" .Function}}{{end}}{{end}}</td>
</tr>
{{end}}
</table>
{{end}}
{{range .Requests}}
<h3>Goroutine {{template "goroutine" .Goroutine}}, <a href="{{.Timeline}}">{{.Length}}</a>{{if .Unfinished}}, not over{{end}}</h3>
<table class="details">
<tr>
<th>Took</th>
<th>Goroutine</th>
<th>After</th>
<th>Did</th>
<th>Where</th>
<th>Held up</th>
<th>Stacks</th>
</tr>
{{range .Parts}}
<tr>
{{- if .Short}}
<td class="number">{{.Length}}</td>
<td colspan="6">{{.Short}} short ones</td>
{{- else}}
<td class="number"><a href="{{.Timeline}}">{{.Length}}</a></td>
<td class="number">{{template "goroutine" .Goroutine}}</td>
<td class="number">{{.Since}}</td>
<td>{{.Did}}</td>
<td>{{template "name" .Where}}</td>
<td>{{if .Cause}}goroutine {{template "goroutine" .Held}}, {{if eq .Cause.Kind "started by"}}not started yet{{else}}{{.Cause.Kind}}{{end}} in {{template "name" .HeldAt}}{{end}}</td>
<td><details><summary>show</summary>
{{template "stack" .Frames}}
{{with .Cause}}
{{if eq .Kind "started by"}}Started goroutine {{.G}}:{{else}}Held up goroutine {{.G}}:{{end}}
{{template "stack" .Frames}}
{{if ne .Kind "started by"}}
Ended that:
{{template "stack" .EndedFrames}}
{{end}}
{{end}}
</details></td>
{{- end}}
</tr>
{{end}}
</table>
{{end}}
{{end}}
`)
