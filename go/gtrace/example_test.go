// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && (darwin || dragonfly || freebsd || linux || netbsd || openbsd) && (amd64 || arm64)
// +build cgo
// +build darwin dragonfly freebsd linux netbsd openbsd
// +build amd64 arm64

package gtrace_test

import (
	"fmt"
	"log"

	"gtrace"
)

// Which function ran the longest without giving up its processor?
func ExampleGreedy() {
	slices, err := gtrace.Greedy("../../testdata/before.trace", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range slices {
		fmt.Println(s.Duration, "on processor", s.P)
		if len(s.End.Frames) != 0 {
			fmt.Println(s.End.Frames[0].Function)
		}
	}
	// Output:
	// 10.033916ms on processor 0
	// main.godeadloop1.func1
}

// What held up the goroutine that took longest to stop the world?
func ExampleStops() {
	report, err := gtrace.Stops("../../testdata/stops/go1.27_copy.trace", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.MeasuredStops {
		fmt.Println(s.Kind, "took", s.Stopping, "to stop the world")
		for _, l := range s.Late {
			fmt.Println("processor", l.P, l.How, "goroutine", l.G)
			for _, f := range l.Frames {
				fmt.Println("\t" + f.Function)
			}
		}
	}
	// Output:
	// all goroutines stack trace took 4.077888ms to stop the world
	// processor 2 ran goroutine 8
	//	main.copyOnce
	//	main.copyLoop
	//	main.main.func1
	//	main.spawn.func1
	// processor 1 scheduler goroutine 1
}

// Which function cost other goroutines the most waiting?
func ExampleDelays() {
	report, err := gtrace.Delays("../../testdata/stops/go1.27_copy.trace", 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("goroutines waited", report.Waited, "while all processors were busy")
	for _, s := range report.Slices {
		fmt.Println(s.Delay, "because of goroutine", s.G, "which ran for", s.Duration)
		fmt.Println("\t" + s.End.Frames[0].Function)
	}
	// Output:
	// goroutines waited 52.089792ms while all processors were busy
	// 12.36528ms because of goroutine 8 which ran for 12.126592ms
	// 	main.copyOnce
}

// Who waited longest for a processor, and behind whom?
func ExampleWaits() {
	report, err := gtrace.Waits("../../testdata/stops/go1.27_copy.trace", 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range report.Waits {
		fmt.Println("goroutine", w.G, "waited", w.Length, "after", w.Ready.Type)
		fmt.Println("the world was stopped for", w.Stopped)
		for _, k := range w.Kept {
			fmt.Println("goroutine", k.G, "kept processor", k.P, "for", k.Overlap)
		}
	}
	// Output:
	// goroutine 1 waited 10.987968ms after GoUnblock
	// the world was stopped for 7.623168ms
	// goroutine 18 kept processor 0 for 3.35296ms
	// goroutine 8 kept processor 1 for 3.32928ms
	// goroutine 3 kept processor 0 for 9.728µs
}

// Which functions kept processors most?
func ExampleSummarise() {
	summary, err := gtrace.Summarise("../../testdata/stops/go1.27_copy.trace")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range summary.Functions[:2] {
		fmt.Println(f.Count, "slices,", f.Sum, f.Function, f.Work)
	}
	// Output:
	// 9 slices, 65.695296ms main.copyOnce program
	// 2 slices, 25.447744ms runtime.gcBgMarkWorker GC idle
}

// Of a damaged trace, the events before the fault are reported.
func ExampleRead_partial() {
	report, err := gtrace.Read(gtrace.Request{
		Path:    "../../testdata/attack/partial-longer-1.trace",
		Greedy:  1,
		Partial: true,
	})
	if p, ok := err.(*gtrace.PartialError); ok {
		fmt.Println("nothing was read from byte", p.Offset, "on:", p.Fault.Message)
	} else if err != nil {
		log.Fatal(err)
	}
	for _, s := range report.Slices {
		fmt.Println(s.Duration, s.Start.Type)
	}
	// Output:
	// nothing was read from byte 427 on: g 8 is not runnable before start (offset 427, time 79104)
	// 5.248µs GoStart
}
