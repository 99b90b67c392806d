// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"internal/trace/traceviewer"
	"math"
	"os"
	"testing"
	"time"
)

// timelineTrace returns a trace that the timeline shows.
func timelineTrace(t *testing.T) []byte {
	data, err := os.ReadFile("../../internal/trace/testdata/http_1_21_good")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// splitTimeline returns the ranges of the timeline in at least two parts.
func splitTimeline(t *testing.T) []traceviewer.Range {
	res, err := parseTrace()
	if err != nil {
		t.Fatal(err)
	}
	// The size of the trace depends on the machine.
	for size := 1 << 20; size > 0; size /= 2 {
		splitter, c := traceviewer.SplittingTraceConsumer(size)
		if err := generateTrace(&traceParams{parsed: res, endTime: math.MaxInt64}, c); err != nil {
			t.Fatal(err)
		}
		if len(splitter.Ranges) >= 2 {
			return splitter.Ranges
		}
	}
	t.Fatal("the timeline cannot be split")
	return nil
}

func TestRangeOf(t *testing.T) {
	ranges := []traceviewer.Range{{EndTime: 12}, {StartTime: 10, EndTime: 15}, {StartTime: 20, EndTime: 25}}
	for _, test := range []struct {
		ranges []traceviewer.Range
		start  time.Duration
		want   int
	}{{nil, 5, -1}, {ranges, 0, 0}, {ranges, 10, 0}, {ranges, 11, 1}, {ranges, 15, 1}, {ranges, 16, 2}, {ranges, 31, 2}} {
		if got := rangeOf(test.ranges, test.start); got != test.want {
			t.Errorf("%v: %d, want %d", test.start, got, test.want)
		}
	}
}
