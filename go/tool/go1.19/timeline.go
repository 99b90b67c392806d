// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/pages"
	"time"
)

// setTimeline sets what p has to know of the timeline.
func setTimeline(p *pages.Trace) error {
	p.Timeline = func(start, end time.Duration) string {
		if i := rangeOf(ranges, start); i >= 0 {
			return ranges[i].URL()
		}
		return "/trace"
	}
	return nil
}
