// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

// Package pages serves the pages of cmd/trace about processors: the longest
// slices, the stop-the-world pauses, the longest waits for a processor, where
// goroutines were blocked, and what slow requests waited for.
package pages

import (
	"cmd/trace/internal/gtrace"
	"fmt"
	"html/template"
	"log"
	"net/http"
	"strconv"
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

// A view is what all templates have in common.
type view struct {
	Trace *Trace
	N     int
	Fault string // why a part of the trace is missing, or ""

	// shift is added to times of a report to make them those of the timeline.
	shift time.Duration
}

// read returns the reports that r asks for.
func (v *view) read(r gtrace.Request) (*gtrace.Report, error) {
	from := &v.Trace.Request
	r.Path, r.Binary, r.GoCommand, r.Partial = from.Path, from.Binary, from.GoCommand, true
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

// A badQuery says what is wrong with an address.
type badQuery string

func (e badQuery) Error() string { return string(e) }

// query returns the value of a parameter that is a number from min to max.
func query(r *http.Request, name string, missing, min, max int) (int, error) {
	s := r.FormValue(name)
	if s == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < min || n > max {
		return 0, badQuery(fmt.Sprintf("%s is %q, want a number from %d to %d", name, s, min, max))
	}
	return n, nil
}

// setN sets the number of rows.
func (v *view) setN(r *http.Request) (err error) {
	v.N, err = query(r, "n", 10, 1, maxRows)
	return err
}

// answer writes a page, or the error that there is in its place.
func answer(w http.ResponseWriter, t *template.Template, data interface{}, err error) {
	if _, bad := err.(badQuery); bad {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html;charset=utf-8")
	if err := t.Execute(w, data); err != nil {
		log.Printf("failed to execute template: %v", err)
	}
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

// common has the parts of all pages.
var common = template.Must(template.New("").Funcs(template.FuncMap{
	"walk": walk,
}).Parse(`
{{define "rows"}}<p>
  Show:
{{range .Ns}}
  {{if eq . $.N}}<b>{{.}}</b>{{else}}<a href="?n={{.}}">{{.}}</a>{{end}}
{{end}}
</p>{{end}}
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
