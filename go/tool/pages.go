// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/gtrace"
	"cmd/trace/internal/pages"
	"internal/trace"
	"internal/trace/traceviewer"
	"net/url"
	"time"
)

// newPages returns the pages about the processors of a trace.
func newPages(traceFile string, parsed *parsedTrace, ranges []traceviewer.Range) *pages.Trace {
	return &pages.Trace{
		Request: gtrace.Request{Path: traceFile},
		Style:   traceviewer.CommonStyle,
		Start:   time.Duration(parsed.startTime()),
		Timeline: func(start, end time.Duration) string {
			v := traceviewer.View{Type: traceviewer.ViewProc, Ranges: ranges}
			return v.URL(rangeOf(ranges, end))
		},
		Group: func(goroutine int64) string {
			g := parsed.summary.Goroutines[trace.GoID(goroutine)]
			if g == nil {
				return ""
			}
			return "/goroutine?name=" + url.QueryEscape(g.Name)
		},
	}
}

// rangeOf returns the index of the range that has the slice that ends at end,
// or -1 if the trace is not split.
//
// The timeline gets a slice when it ends, so it is in the range of its end. The
// times of a range are those when its first and its last event begin. If the
// last event of a range is a long slice, only the next range tells about when
// it was cut.
func rangeOf(ranges []traceviewer.Range, end time.Duration) int {
	for i, r := range ranges {
		cut := r.EndTime
		if i+1 < len(ranges) {
			cut = max(cut, ranges[i+1].StartTime)
		}
		if int64(end) <= cut {
			return i
		}
	}
	return len(ranges) - 1
}
