// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"testing"
	"time"
)

func TestRangeOf(t *testing.T) {
	ranges := []Range{{EndTime: 12}, {StartTime: 10, EndTime: 15}, {StartTime: 20, EndTime: 25}}
	for _, test := range []struct {
		ranges []Range
		start  time.Duration
		want   int
	}{{nil, 5, -1}, {ranges, 0, 0}, {ranges, 10, 0}, {ranges, 11, 1}, {ranges, 15, 1}, {ranges, 16, 2}, {ranges, 31, 2}} {
		if got := rangeOf(test.ranges, test.start); got != test.want {
			t.Errorf("%v: %d, want %d", test.start, got, test.want)
		}
	}
}
