// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"cmd/trace/internal/pages"
	"fmt"
	"sync"
	"time"
)

// setTimeline sets what p has to know of the timeline.
func setTimeline(p *pages.Trace) error {
	starts, err := rangeStarts()
	p.Timeline = func(start, end time.Duration) string {
		if i := rangeOf(starts, start); i >= 0 {
			return fmt.Sprintf("/trace?start=%d&end=%d", ranges[i].Start, ranges[i].End)
		}
		return "/trace"
	}
	return err
}

var rangeTimes struct {
	once   sync.Once
	starts []time.Duration
	err    error
}

// rangeStarts returns the times at which the ranges of a split trace start. A
// Range has only the numbers of its events, so the timeline is made once more.
func rangeStarts() ([]time.Duration, error) {
	if len(ranges) == 0 {
		return nil, nil
	}
	rangeTimes.once.Do(func() {
		data, err := generateTrace(&traceParams{events: loader.events, endTime: 1<<63 - 1})
		if err != nil {
			rangeTimes.err = err
			return
		}
		for _, r := range ranges {
			rangeTimes.starts = append(rangeTimes.starts, firstSlice(data.Events[r.Start:r.End]))
		}
	})
	return rangeTimes.starts, rangeTimes.err
}

// firstSlice returns the time of the first slice of events. An arrow may begin
// before events that precede it, slices are in the order of their starts.
func firstSlice(events []*ViewerEvent) time.Duration {
	first := events[0]
	for _, e := range events {
		if e.Phase == "X" {
			first = e
			break
		}
	}
	return time.Duration(first.Time*1000 + 0.5)
}

// rangeOf returns the index of the range that has the slice that starts at
// start, or -1 if the trace is not split.
func rangeOf(starts []time.Duration, start time.Duration) int {
	i := len(starts) - 1
	for i > 0 && starts[i] > start {
		i--
	}
	return i
}
