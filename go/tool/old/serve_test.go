// Copyright 2026 The Go Authors. All rights reserved.
// Use of this source code is governed by a BSD-style
// license that can be found in the LICENSE file.

package main

import (
	"os"
	"sync"
)

// serve makes file the trace that the tool serves. It returns a function that
// removes the file and undoes this.
func serve(file string) func() {
	oldFile, oldRanges := traceFile, ranges
	reset := func() { loader.once, gsInit, gs = sync.Once{}, sync.Once{}, nil }
	traceFile, ranges = file, nil
	reset()
	return func() {
		os.Remove(file)
		traceFile, ranges = oldFile, oldRanges
		reset()
	}
}
