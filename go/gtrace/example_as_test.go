// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.13 && cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build go1.13
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace_test

import (
	"errors"
	"fmt"
	"log"

	"gtrace"
)

// A command that reports on a trace, with one pass over it: what ran the longest,
// and what held up the stop-the-world pause that took longest.
func Example() {
	report, err := gtrace.Read(gtrace.Request{Path: "../../testdata/stops/go1.27_copy.trace", Greedy: 1, Stops: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.Slices {
		fmt.Printf("G %d ran for %v until %s at %v\n", s.Start.Args[0], s.Duration, s.End.Type, s.End.Time)
	}
	for _, s := range report.Stops.MeasuredStops {
		fmt.Printf("%s: %v until P %d was given up by G %d\n", s.Kind, s.Stopping, s.Late[0].P, s.Late[0].G)
	}
	// Output:
	// G 18 ran for 25.443392ms until GoStop at 38.855744ms
	// all goroutines stack trace: 4.077888ms until P 2 was given up by G 8
}

// Where is the trace at fault?
func ExampleError() {
	_, err := gtrace.Greedy("../../testdata/attack/partial-longer-1.trace", 1)
	err = fmt.Errorf("the slices of today: %w", err)

	var e *gtrace.Error
	if errors.As(err, &e) {
		fmt.Printf("status %d at byte %d: %s\n", e.Status, e.Offset, e.Message)
	}
	// Output:
	// status 12 at byte 427: g 8 is not runnable before start (offset 427, time 79104)
}
