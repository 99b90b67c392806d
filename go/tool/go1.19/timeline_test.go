// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"math"
	"testing"
)

// timelineTrace returns a trace that the timeline shows.
func timelineTrace(t *testing.T) []byte { return recordTrace(t) }

// splitTimeline returns the ranges of the timeline in at least two parts.
func splitTimeline(t *testing.T) []Range {
	res, err := parseTrace()
	if err != nil {
		t.Fatal(err)
	}
	// The size of the trace depends on the machine. The consumer appends to
	// ranges.
	for size := 1 << 20; size > 0; size /= 2 {
		ranges = nil
		splitter, c := splittingTraceConsumer(size)
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
