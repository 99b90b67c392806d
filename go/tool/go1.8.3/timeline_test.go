// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"sync"
	"testing"
	"time"
)

// timelineTrace returns a trace that the timeline shows.
func timelineTrace(t *testing.T) []byte { return recordTrace(t) }

// splitTimeline returns the ranges of the timeline in at least two parts.
func splitTimeline(t *testing.T) []Range {
	events, err := parseEvents()
	if err != nil {
		t.Fatal(err)
	}
	data, err := generateTrace(&traceParams{events: events, endTime: 1<<63 - 1})
	if err != nil {
		t.Fatal(err)
	}
	rangeTimes.once, rangeTimes.starts, rangeTimes.err = sync.Once{}, nil, nil
	var split []Range
	const n = 7
	for i := 0; i < n; i++ {
		split = append(split, Range{Start: i * data.footer / n, End: (i + 1) * data.footer / n})
	}
	return split
}

func TestRangeOf(t *testing.T) {
	starts := []time.Duration{2, 10, 20}
	for _, test := range []struct {
		starts []time.Duration
		start  time.Duration
		want   int
	}{{nil, 5, -1}, {starts, 0, 0}, {starts, 9, 0}, {starts, 10, 1}, {starts, 19, 1}, {starts, 20, 2}, {starts, 31, 2}} {
		if got := rangeOf(test.starts, test.start); got != test.want {
			t.Errorf("%v: %d, want %d", test.start, got, test.want)
		}
	}
}
