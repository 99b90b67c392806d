// SPDX-License-Identifier: BSD-3-Clause

package gtrace

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// What Read returns is what Print writes.
func TestCollections(t *testing.T) {
	needCgo(t)
	collections, assists, samples := 0, 0, 0
	for _, trace := range append(withStops(t), small(t)...) {
		request := Request{Path: trace, Collections: true, Sched: 10 * time.Millisecond}
		r, err := Read(request)
		if err != nil {
			t.Fatal(err)
		}
		request.Format = FormatJSON
		request.Sched = 0
		text, err := report(request)
		if err != nil {
			t.Fatal(err)
		}
		var got CollectionReport
		for _, line := range strings.SplitAfter(text, "\n") {
			got.add(t, line)
		}
		// A trace without collections has no lines, and a total of zeros.
		if len(got.Collections) == 0 {
			got.Total = r.Collections.Total
		}
		want := *r.Collections
		if !reflect.DeepEqual(got.Collections, append([]Collection(nil), want.Collections...)) || got.Total != want.Total {
			t.Errorf("%s: Print writes %+v, Read returns %+v", trace, got, want)
		}
		collections += len(want.Collections)
		assists += len(want.Functions)

		request = Request{Path: trace, Sched: 10 * time.Millisecond, Format: FormatJSON}
		text, err = report(request)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for i, s := range r.Sched {
			var sample SchedSample
			if err := json.Unmarshal([]byte(lines[i]), &sample); err != nil {
				t.Fatal(err)
			}
			if sample != s {
				t.Errorf("%s: Print writes %+v, Read returns %+v", trace, sample, s)
			}
		}
		samples += len(r.Sched)
	}
	if collections == 0 || assists == 0 && !testing.Short() || samples == 0 {
		t.Errorf("%d collections, %d functions with assists, %d samples", collections, assists, samples)
	}
}

// add adds a line of JSON to the report.
func (r *CollectionReport) add(t *testing.T, line string) {
	var kind struct{ Record string }
	if line == "" {
		return
	}
	decode := func(to interface{}) {
		if err := json.Unmarshal([]byte(line), to); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
	}
	decode(&kind)
	switch kind.Record {
	case "collection":
		var c Collection
		decode(&c)
		r.Collections = append(r.Collections, c)
	case "total":
		decode(&r.Total)
	case "function":
		var a Assist
		decode(&a)
		r.Functions = append(r.Functions, a)
	case "goroutine":
		var a Assist
		decode(&a)
		r.Goroutines = append(r.Goroutines, a)
	default:
		t.Errorf("a line of %q", kind.Record)
	}
}
