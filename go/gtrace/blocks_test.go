// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A placeObject is a place as Print writes it in JSON.
type placeObject struct {
	Trace, Kind                  string
	Rest                         bool
	Count, Sum, Median, P99, Max int64
	Start, G, Lost               int64
	Before, Unfinished           int64
	Stack                        []frameObject
	Enders                       []enderObject
	EndedMore                    int64 `json:"ended_more"`
	EndedMoreSum                 int64 `json:"ended_more_sum"`
	Holders                      []holderObject
}

type enderObject struct {
	By         string
	Count, Sum int64
	Stack      []frameObject
}

type holderObject struct {
	Fn, File string
	Line     uint64
	Sum      int64
	Parts    []holderPartObject
}

type holderPartObject struct {
	Part, Inner string
	Sum         int64
}

type frameObject struct {
	PC   uint64
	Fn   string
	File string
	Line uint64
}

func stackObject(frames []Frame) []frameObject {
	to := []frameObject{}
	for _, f := range frames {
		to = append(to, frameObject{f.PC, f.Function, f.File, f.Line})
	}
	return to
}

// object returns what Print writes of p.
func (p *BlockPlace) object(trace string) placeObject {
	return placeObject{
		trace, p.Kind.String(), p.Rest,
		int64(p.Count), int64(p.Sum), int64(p.Median), int64(p.P99), int64(p.Max),
		int64(p.MaxStart), p.MaxG, int64(p.Lost), int64(p.Before), int64(p.Unfinished),
		stackObject(p.Frames), enderObjects(p.Enders), int64(p.EndedMore), int64(p.EndedMoreSum),
		holderObjects(p.Holders),
	}
}

func enderObjects(enders []Unblocker) []enderObject {
	to := []enderObject{}
	for _, e := range enders {
		to = append(to, enderObject{e.By, int64(e.Count), int64(e.Sum), stackObject(e.Frames)})
	}
	return to
}

func holderObjects(holders []LockHolder) []holderObject {
	to := []holderObject{}
	for _, h := range holders {
		parts := []holderPartObject{}
		for _, p := range h.Parts {
			parts = append(parts, holderPartObject{p.Part, p.Inner, int64(p.Sum)})
		}
		to = append(to, holderObject{h.Frame.Function, h.Frame.File, h.Frame.Line, int64(h.Sum), parts})
	}
	return to
}

// Blocks has what Print writes, and its sums are those of the places.
func TestBlocks(t *testing.T) {
	needCgo(t)
	places := 0
	for _, trace := range append(withStops(t), small(t)...) {
		text, err := report(Request{Path: trace, Blocks: many, Format: FormatJSON})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Blocks(trace, many)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		all := append(append([]BlockPlace{}, r.Places...), r.Rests...)
		if len(lines) != len(all)+1 {
			t.Errorf("%s: %d places, %d lines of JSON", trace, len(all), len(lines)-1)
			continue
		}
		var sums time.Duration
		for i := range all {
			var want placeObject
			if err := json.Unmarshal([]byte(lines[i]), &want); err != nil {
				t.Fatal(err)
			}
			if got := all[i].object(trace); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: place %d is %+v, want %+v", trace, i, got, want)
			}
			sums += all[i].Sum
			places++
		}
		for _, s := range r.Sums {
			sums -= s.Sum
		}
		if sums != 0 {
			t.Errorf("%s: the sums by kind are %v less than those by place", trace, sums)
		}
	}
	if places == 0 {
		t.Error("no trace has a place")
	}
}

func TestBlocksErrors(t *testing.T) {
	needCgo(t)
	_, err := Blocks(withStops(t)[0], -1)
	if e, ok := err.(*Error); !ok || e.Status != ArgumentError || e.Message != "a negative number of places" {
		t.Errorf("-1 places: error %#v", err)
	}
	blocks, err := Blocks(testdata+"/none", 1)
	if e, ok := err.(*Error); !ok || e.Status != OpenError || blocks != nil {
		t.Errorf("no trace: %v, error %#v", blocks, err)
	}
	if blocks, err := Blocks(withStops(t)[0], 0); err != nil || blocks != nil {
		t.Errorf("0 places: %v, error %v, want nil", blocks, err)
	}
}

// Each stack of a list is named after one of its frames, often not the innermost one.
func TestNamedFrames(t *testing.T) {
	needCgo(t)
	inner, outer := make(map[string]int), make(map[string]int)
	check := func(what string, frame Frame, frames []Frame) {
		for i, f := range frames {
			if f == frame && i == 0 {
				inner[what]++
				return
			} else if f == frame {
				outer[what]++
				return
			}
		}
		if len(frames) != 0 {
			t.Errorf("%s: %+v is not in %+v", what, frame, frames)
		}
	}
	for _, trace := range append(withStops(t), small(t)...) {
		r, err := Read(Request{Path: trace, Blocks: many, Stops: many, Waits: many})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(r.Blocks.Places, r.Blocks.Rests...) {
			check("place", p.Frame, p.Frames)
			for _, e := range p.Enders {
				check("ender", e.Frame, e.Frames)
			}
		}
		for _, s := range r.Stops.MeasuredStops {
			check("stop", s.Frame, s.Frames)
		}
		for _, w := range r.Waits.Waits {
			check("wait", w.ReadyFrame, w.Ready.Frames)
		}
	}
	for _, what := range []string{"place", "ender", "stop", "wait"} {
		if outer[what] == 0 {
			t.Errorf("%s: %d stacks are named after the innermost frame, none after another", what, inner[what])
		}
	}
}
