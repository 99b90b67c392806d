// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import "time"

// rangeOf returns the index of the range that has the slice that starts at
// start, or -1 if the trace is not split.
//
// The timeline gets a slice when it starts. The times of a range are those of
// its first and its last event. An event that is the end of an arrow comes
// together with the beginning of the arrow, which is earlier, so that the two
// ranges together tell when one was cut.
func rangeOf(ranges []Range, start time.Duration) int {
	for i, r := range ranges {
		cut := r.EndTime
		if i+1 < len(ranges) && ranges[i+1].StartTime < cut {
			cut = ranges[i+1].StartTime
		}
		if int64(start) <= cut {
			return i
		}
	}
	return len(ranges) - 1
}
