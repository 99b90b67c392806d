// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/pages"
	"internal/trace/traceviewer"
	"time"
)

// A Range is what it was before Go 1.22.
type Range = traceviewer.Range

// setTimeline sets what p has to know of the timeline.
func setTimeline(p *pages.Trace) error {
	p.Style = traceviewer.CommonStyle
	p.Timeline = func(start, end time.Duration) string {
		v := traceviewer.View{Type: traceviewer.ViewProc, Ranges: ranges}
		return v.URL(rangeOf(ranges, start))
	}
	return nil
}
