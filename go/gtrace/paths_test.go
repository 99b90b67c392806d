// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

type causeObject struct {
	G            int64
	Kind         string
	Stack, Ended []frameObject
}

type segmentObject struct {
	Start, Length, G int64
	State, Kind, By  string
	Stack            []frameObject
	Level            int64
	Cause            *causeObject
}

type pathObject struct {
	What, Name       string
	Start, Length, G int64
	Segments         []segmentObject
}

// pathLine is one line of JSON: a path, or a comparison.
type pathLine struct {
	pathObject
	Requests, Group, Slow, Typical int64
	Rows                           []json.RawMessage
}

func (s *Segment) object() segmentObject {
	to := segmentObject{int64(s.Start), int64(s.Length), s.G, s.State, s.Kind, s.By,
		stackObject(s.Frames), int64(s.Level), nil}
	if c := s.Cause; c != nil {
		to.Cause = &causeObject{c.G, c.Kind, stackObject(c.Frames), stackObject(c.EndedFrames)}
	}
	return to
}

func (p *Path) object() pathObject {
	to := pathObject{p.What, p.Name, int64(p.Start), int64(p.Length), p.G, []segmentObject{}}
	for i := range p.Segments {
		to.Segments = append(to.Segments, p.Segments[i].object())
	}
	return to
}

// Paths has what Print writes, and the segments of a path follow one another.
func TestPaths(t *testing.T) {
	needCgo(t)
	paths, compared := 0, 0
	for _, trace := range append(withStops(t), small(t)...) {
		r := Request{Path: trace, Paths: 2}
		got, err := Read(r)
		if err != nil {
			t.Fatal(err)
		}
		text := lines(t, r)
		for _, kind := range got.Paths.Kinds {
			if kind.Group != 0 {
				checkComparison(t, trace, &kind, text[0])
				text = text[1:]
				compared++
			}
			for i := range kind.Paths {
				want := pathLine{}
				if err := json.Unmarshal([]byte(text[0]), &want); err != nil {
					t.Fatal(err)
				}
				if got := kind.Paths[i].object(); !reflect.DeepEqual(got, want.pathObject) {
					t.Errorf("%s: path %d is %+v, want %+v", trace, i, got, want.pathObject)
				}
				var rest struct {
					Unfinished bool
					Dropped    time.Duration
				}
				if err := json.Unmarshal([]byte(text[0]), &rest); err != nil {
					t.Fatal(err)
				}
				if rest.Unfinished != kind.Paths[i].Unfinished || rest.Dropped != kind.Paths[i].Dropped {
					t.Errorf("%s: path %d: want %+v", trace, i, rest)
				}
				at := kind.Paths[i].Start
				for _, s := range kind.Paths[i].Segments {
					if s.Start != at || s.Length <= 0 || (s.Level == 0) != (s.Cause == nil) {
						t.Errorf("%s: a segment at %v follows %v", trace, s.Start, at)
					}
					at += s.Length
				}
				text = text[1:]
				paths++
			}
		}
		if len(text) > 1 || len(text) == 1 && text[0] != "" {
			t.Errorf("%s: %d more lines", trace, len(text))
		}
	}
	if paths == 0 || compared == 0 {
		t.Errorf("%d paths, %d comparisons", paths, compared)
	}
}

// The sums of the rows of a comparison are those of its requests.
func checkComparison(t *testing.T, trace string, kind *PathKind, text string) {
	want := pathLine{}
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	var slow, typical time.Duration
	for i, row := range kind.Rows {
		slow += row.Slow
		typical += row.Typical
		var line struct {
			State, Fn     string
			Cause         *struct{ Kind, Fn string }
			Slow, Typical int64
			SlowIn        int64 `json:"slow_in"`
			TypicalIn     int64 `json:"typical_in"`
		}
		if err := json.Unmarshal(want.Rows[i], &line); err != nil {
			t.Fatal(err)
		}
		if line.State != row.State || line.Fn != row.Function || line.Slow != int64(row.Slow) ||
			line.Typical != int64(row.Typical) || line.SlowIn != int64(row.SlowIn) ||
			line.TypicalIn != int64(row.TypicalIn) || (line.Cause == nil) != (row.Cause == nil) ||
			row.Cause != nil && (line.Cause.Kind != row.Cause.Kind || line.Cause.Fn != row.Cause.Function) {
			t.Errorf("%s: row %d is %+v, want %+v", trace, i, row, line)
		}
	}
	if slow != kind.Slow || typical != kind.Typical || int64(kind.Slow) != want.Slow ||
		int64(kind.Typical) != want.Typical || len(want.Rows) != len(kind.Rows) || int64(kind.Group) != want.Group {
		t.Errorf("%s: %s: %v and %v, rows have %v and %v", trace, kind.Name, kind.Slow, kind.Typical, slow, typical)
	}
}
