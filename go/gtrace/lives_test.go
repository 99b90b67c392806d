// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// timesObject are times as Print writes them in JSON.
type timesObject struct {
	Count, Lived, Ran, Assisted, Ready int64
	Lock, Condition, Send, Receive     int64
	WaitGroup                          int64 `json:"wait_group"`
	Select, Network, Sleep, Syscall    int64
	Assist, Collection, Other          int64
	Ended, Lost                        int64
}

func (t *Times) object() timesObject {
	blocked := func(kind BlockKind) int64 { return int64(t.Blocked[kind]) }
	return timesObject{
		int64(t.Count), int64(t.Lived), int64(t.Ran), int64(t.Assisted), int64(t.Ready),
		blocked(BlockLock), blocked(BlockCondition), blocked(BlockSend), blocked(BlockReceive), blocked(BlockWaitGroup),
		blocked(BlockSelect), blocked(BlockNetwork), blocked(BlockSleep), blocked(BlockSyscall),
		blocked(BlockAssist), blocked(BlockCollection), blocked(BlockOther),
		int64(t.Ended), int64(t.Lost),
	}
}

type stretchObject struct {
	Length   *int64
	Start, G int64
	Kind     string
}

func (s Stretch) object(isBlock bool) stretchObject {
	to := stretchObject{Start: int64(s.Start), G: s.G}
	if s.Length != -1 {
		length := int64(s.Length)
		to.Length = &length
	}
	if isBlock {
		to.Kind = s.Kind.String()
	}
	return to
}

type goroutinesObject struct {
	Trace, Fn string
	timesObject
	Block stretchObject `json:"longest_block"`
	Wait  stretchObject `json:"longest_wait"`
}

type partObject struct {
	State, Fn string
	Time      int64
}

type servedObject struct {
	Start, Length, G int64
	Parts            []partObject
}

type requestsObject struct {
	Trace, What, Name string
	Median, P99, Max  int64
	timesObject
	Stack   []frameObject
	Longest []servedObject
}

func (r *RequestSum) object(trace string) requestsObject {
	to := requestsObject{trace, r.What, r.Name, int64(r.Median), int64(r.P99), int64(r.Max),
		r.Times.object(), stackObject(r.Frames), []servedObject{}}
	for _, s := range r.Longest {
		parts := []partObject{}
		for _, p := range s.Parts {
			parts = append(parts, partObject{p.State, p.Function, int64(p.Time)})
		}
		to.Longest = append(to.Longest, servedObject{int64(s.Start), int64(s.Length), s.G, parts})
	}
	return to
}

// lines returns the lines of JSON that Print writes for r.
func lines(t *testing.T, r Request) []string {
	r.Format = FormatJSON
	text, err := report(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Goroutines has what Print writes, and the times of a row add up.
func TestGoroutines(t *testing.T) {
	needCgo(t)
	rows := 0
	for _, trace := range append(withStops(t), small(t)...) {
		r := Request{Path: trace, Goroutines: 1}
		got, err := Read(r)
		if err != nil {
			t.Fatal(err)
		}
		text := lines(t, r)
		var lived time.Duration
		for i, row := range got.Goroutines.Rows {
			want := goroutinesObject{}
			if err := json.Unmarshal([]byte(text[i]), &want); err != nil {
				t.Fatal(err)
			}
			got := goroutinesObject{trace, row.Function, row.Times.object(), row.Block.object(true), row.Wait.object(false)}
			if !reflect.DeepEqual(got, want) || row.G != -1 {
				t.Errorf("%s: row %d is %+v, want %+v", trace, i, got, want)
			}
			lived += row.Times.Lived
			rows++
		}
		if all := got.Goroutines.Times; all.Lived != lived || len(text) != len(got.Goroutines.Rows) {
			t.Errorf("%s: %d rows that lived %v, want %d that lived %v", trace, len(got.Goroutines.Rows), lived, len(text), all.Lived)
		}
	}
	if rows == 0 {
		t.Error("no trace has goroutines")
	}
}

// Requests has what Print writes.
func TestRequests(t *testing.T) {
	needCgo(t)
	served := 0
	for _, trace := range append(withStops(t), small(t)...) {
		r := Request{Path: trace, Requests: 2}
		got, err := Read(r)
		if err != nil {
			t.Fatal(err)
		}
		text := lines(t, r)
		if text[0] == "" {
			text = nil
		}
		if len(text) != len(got.Requests.Rows) {
			t.Errorf("%s: %d rows, want %d", trace, len(got.Requests.Rows), len(text))
			continue
		}
		for i := range text {
			want := requestsObject{}
			if err := json.Unmarshal([]byte(text[i]), &want); err != nil {
				t.Fatal(err)
			}
			row := &got.Requests.Rows[i]
			if got := row.object(trace); !reflect.DeepEqual(got, want) || int64(row.Count) != want.Count {
				t.Errorf("%s: row %d is %+v, want %+v", trace, i, got, want)
			}
			served += len(row.Longest)
		}
	}
	if served == 0 {
		t.Error("no trace has requests")
	}
}
